//! `maxout bench-formats` as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Short games: an evaluator that knows no level above 29 tops out soon.
const PLAYER: [&str; 2] = ["--evaluator", "el-tetris"];

fn bench(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args([&["bench-formats"], &PLAYER[..], more].concat())
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn output_of(folder: &Path, more: &[&str], code: i32) -> String {
    let output = bench(folder, more);
    assert_eq!(output.status.code(), Some(code), "{more:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// One line on standard error, exit code 2.
fn refused(folder: &Path, more: &[&str], words: &[&str]) {
    let output = bench(folder, more);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{more:?}: {error}");
    assert!(words.iter().all(|word| error.contains(word)), "{more:?} should name {words:?}: {error}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}

#[test]
fn a_run_that_was_cut_short_goes_on_and_shards_are_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let formats = ["--formats", "30hz/0,slow5/18", "--games", "3", "--json"];
    let run = |more: &[&str]| output_of(folder, &[&formats[..], more].concat(), 0);
    let whole = run(&["--out", "whole", "--threads", "2"]);
    let games = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    let [fast, slow] = ["whole/30hz-0.csv", "whole/slow5-18.csv"].map(games);
    assert!(fast.contains("\"rules\":\"ksx2\"") && fast.contains("\"start-level\":18"), "{fast}");
    assert!(slow.contains("\"tap-rate\":\"2-2-2-5+\",\"reaction-frames\":18"), "{slow}");
    // Without a folder the same games are played.
    assert_eq!(run(&[]), whole);

    // One game is lost, and half a row of another: only these are played again, by one thread.
    let lines: Vec<&str> = fast.lines().collect();
    let cut = [&lines[..4], &[&lines[5][..40]]].concat().join("\n");
    fs::write(folder.join("whole/30hz-0.csv"), cut).expect("written");
    assert_eq!(run(&["--out", "whole", "--threads", "1"]), whole);
    assert_eq!([games("whole/30hz-0.csv"), games("whole/slow5-18.csv")], [fast, slow]);

    for shard in ["2/2", "1/2"] {
        run(&["--out", "parts", "--shard", shard]);
    }
    assert_eq!(games("parts/30hz-0.shard-2-of-2.csv").lines().count(), 4);
    // All are there: this run plays none, so it writes no file of its own.
    assert_eq!(run(&["--out", "parts"]), whole);
    assert!(!folder.join("parts/30hz-0.csv").exists());

    for (more, words) in [
        (
            &["--out", "whole", "--seed", "2"][..],
            &["30hz-0.csv: expected settings.seed 2, found 1; use another folder"][..],
        ),
        (&["--formats", "30hz/1"], &["expected TAPS/FRAMES", "slow5", "0, 18, 21, 24, 30, 61, found \"30hz/1\""]),
        (&["--shard", "3/2"], &["expected I/N"]),
    ] {
        refused(folder, &[&["--games", "1"], more].concat(), words);
    }
    fs::write(folder.join("careful.toml"), "[planner]\naim = \"maxout\"\n").expect("a file");
    refused(folder, &["--games", "1", "--config", "careful.toml"], &["the aim mean", "found maxout"]);
    fs::write(folder.join("whole/10hz-0.csv"), "my own table\n").expect("written");
    refused(folder, &["--out", "whole"], &["whole/10hz-0.csv: expected a CSV file of games", "another text"]);
}

#[test]
fn the_report_sets_our_figures_beside_the_published_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let run = ["--formats", "slow5/18,10hz/61", "--games", "4", "--out", "games"];
    let with = |more: &[&'static str], code| output_of(folder, &[&run[..], more].concat(), code);
    let report = json(&with(&["--json", "--report", "report.md"], 0));
    // In the order of the table.
    let formats = report["formats"].as_array().expect("formats");
    assert_eq!(formats.iter().map(|one| &one["format"]).collect::<Vec<_>>(), ["10hz/61", "slow5/18"]);
    let slow = &formats[1];
    assert_eq!((&slow["games"], &slow["published"]["mean"]), (&4.into(), &2_015_951.0.into()));
    // El-Tetris tops out before it has two million points.
    assert_eq!((&slow["ahead"], &report["behind"], &report["higher"]), (&"theirs".into(), &2.into(), &0.into()));
    assert_eq!(report["required"], Value::Null);

    // The mean is that of the file.
    let rows = fs::read_to_string(folder.join("games/slow5-18.csv")).expect("a file");
    let points: Vec<f64> =
        rows.lines().skip(3).map(|row| row.split(',').nth(2).expect("points").parse().expect("a number")).collect();
    assert_eq!(points.len(), 4);
    let mean = points.iter().sum::<f64>() / 4.0;
    assert!((slow["points"]["mean"].as_f64().expect("a mean") - mean).abs() < 1e-6);

    let text = with(&[], 0);
    let row = text.lines().find(|line| line.starts_with("slow5/18")).expect("a row");
    assert!(row.ends_with("  theirs") && row.contains("2,015,951"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    assert!(text.contains("Our mean is higher in 0 of 2 formats."), "{text}");

    let page = fs::read_to_string(folder.join("report.md")).expect("a page");
    let row = page.lines().find(|line| line.starts_with("| slow5/18 |")).expect("a row");
    assert_eq!(row.matches(" | ").count(), 13, "{row}");
    assert!(row.ends_with("| 2,015,951 | 2,059,100 | 780,980 | 97.7 % | 89.8 % | theirs |"), "{row}");
    assert!(
        page.contains("\nmaxout bench-formats --formats slow5/18,10hz/61 --games 4 --evaluator el-tetris --out "),
        "{page}"
    );
    // Its own kind is replaced, nothing else.
    with(&["--report", "report.md"], 0);
    fs::write(folder.join("notes.md"), "# Notes\n").expect("written");
    refused(folder, &[&run[..], &["--report", "notes.md"]].concat(), &["expected a report of formats", "--overwrite"]);
    refused(
        folder,
        &["--games", "1", "--out", "new/folder", "--report", "notes.md"],
        &["expected a report of formats"],
    );
    assert!(!folder.join("new").exists(), "a run that does not start leaves no folder");

    assert_eq!(json(&with(&["--json", "--require", "1"], 1))["required"], false);
    assert_eq!(json(&with(&["--json", "--require", "0"], 0))["required"], true);
    refused(folder, &[&run[..], &["--require", "3"]].concat(), &["--require: expected at most 2", "found 3"]);
}
