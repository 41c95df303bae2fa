//! `maxout grade` as a user gets it: text, JSON, rows and page tell the same of the same game.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use maxout_engine::text::thousands;
use serde_json::Value;

use super::serve::browser::dumped;
#[cfg(unix)]
use super::waiting::{signal, started, wait};
use crate::skipped;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).output().expect("the program starts")
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// Some pieces of el-tetris at 15 Hz, on the rules model.
fn play(log: &str) {
    const GAME: [&str; 12] = [
        "play",
        "--console",
        "simulated",
        "--evaluator",
        "el-tetris",
        "--tap-rate",
        "15",
        "--view",
        "none",
        "--until",
        "pieces:25",
        "--log",
    ];
    done(&[&GAME[..], &[log]].concat());
}

/// The fields of a row; commas inside quotes belong to their field.
fn fields(row: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for letter in row.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => fields.last_mut().expect("one").push(other),
        }
    }
    fields
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn text_rows_json_and_page_tell_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (log, csv, page) = (at("a,b.csv"), at("pieces.csv"), at("page.html"));
    play(text_of(&log));
    let arguments = ["grade", text_of(&log), "--think", "fixed:1", "--json", "--csv", text_of(&csv)];
    let json = done(&[&arguments[..], &["--report", text_of(&page)]].concat());
    let all: Value = serde_json::from_str(&json).expect("JSON");
    let game = &all["games"][0];
    let pieces = game["pieces"].as_array().expect("a list");
    assert!(pieces.len() >= 24, "{}", pieces.len());
    assert_eq!(game["hand"]["name"], "taps 15 Hz");
    let lost: f64 = pieces.iter().map(|piece| number(piece, "loss")).sum();
    assert!(lost > 0.0 && (lost - number(&game["totals"], "loss")).abs() < 1.5, "{lost}");
    assert!(pieces.iter().all(|piece| piece["within"] == "hand"));

    let rows = fs::read_to_string(&csv).expect("rows");
    let mut lines = rows.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let loss = names.iter().position(|name| *name == "loss").expect("a column");
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), pieces.len());
    for (row, piece) in rows.iter().zip(pieces) {
        let fields = fields(row);
        assert_eq!((fields.len(), &*fields[0]), (names.len(), text_of(&log)), "{row}");
        assert_eq!(fields[loss].parse::<f64>().expect("a number"), number(piece, "loss"));
    }

    let html = fs::read_to_string(&page).expect("a page");
    let (_, told) = html.split_once("id=\"told\">\n").expect("the lines");
    let told = told.split("</script>").next().unwrap_or_default();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let kind = |name: &str| told.iter().filter_map(|line| line.get(name)).collect::<Vec<_>>();
    assert_eq!((kind("placement").len(), kind("grade").len()), (pieces.len(), pieces.len()));
    for ((placement, grade), piece) in kind("placement").iter().zip(kind("grade")).zip(pieces) {
        assert_eq!(grade["class"], piece["class"]);
        assert_eq!(placement["spawn"], piece["spawn_frame"]);
        assert_eq!(placement["lock"], piece["landing_frame"]);
        assert_eq!(grade["best"][0], piece["best"]["orientation"]);
    }

    // The same again, on more threads, is the same; and the text shows the same loss.
    assert_eq!(json, done(&["grade", text_of(&log), "--think", "fixed:1", "--json", "--think-threads", "2"]));
    let text = done(&["grade", text_of(&log), "--think", "fixed:1"]);
    assert!(text.contains("graded for        taps 15 Hz, 1 ply"), "{text}");
    assert!(text.lines().count() < 40 && text.contains("blunder"), "{text}");
}

#[test]
fn the_page_counts_frames_up_to_the_last_landing() {
    let Some(chromium) = skipped::program("chromium") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let game = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none"];
    done(&[&game[..], &["--until", "frames:1400", "--log", text_of(&at("a.csv"))]].concat());
    done(&["convert", text_of(&at("a.csv")), text_of(&at("a.ngf")), "--console", "simulated"]);
    for name in ["a.csv", "a.ngf"] {
        let (file, page) = (at(name), at("page.html"));
        let graded = ["grade", text_of(&file), "--think", "fixed:1", "--json", "--overwrite", "--report"];
        let all: Value = serde_json::from_str(&done(&[&graded[..], &[text_of(&page)]].concat())).expect("JSON");
        let last = all["games"][0]["pieces"].as_array().and_then(|pieces| pieces.last()).expect("a piece");
        let frames = thousands(last["landing_frame"].as_u64().expect("a frame") + 1);
        let shown = dumped(&chromium, &format!("file://{}", page.display()));
        assert!(shown.contains(&format!("; {frames} frames up to the last landing, ")), "{name} {frames}: {shown}");
    }
}

#[test]
fn many_games_make_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.jsonl.gz");
    play(text_of(&log));
    let text = done(&["grade", text_of(&log), text_of(&log), "--think", "fixed:1", "--tap-rate", "10"]);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("game ")).collect();
    assert_eq!(table.len(), 4, "{text}");
    assert!(table[1].trim_start().starts_with("1 ") && table[3].starts_with("all "), "{text}");
    assert!(text.contains("graded for        taps 10 Hz"), "{text}");
}

#[test]
fn what_cannot_be_graded_gets_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let menu = at("menu.csv");
    done(&["play", "--console", "simulated", "--view", "none", "--until", "frames:30", "--log", text_of(&menu)]);
    let text = at("game.txt");
    fs::write(&text, "no game").expect("a file");
    let missing = at("missing.ngf");
    let refused = [
        (text_of(&menu), "expected an A-type game in which a piece locked, found none"),
        (text_of(&text), "expected a name that ends in"),
        (text_of(&missing), "cannot read"),
    ];
    for (file, words) in refused {
        let output = run(&["grade", file]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    }
    for (flag, value) in [("--think", "10"), ("--think", "fixed:6"), ("--playouts", "1"), ("--report", "-")] {
        let output = run(&["grade", text_of(&menu), flag, value]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(flag), "{flag} {value}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_grade_that_is_stopped_says_so_and_leaves_no_empty_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    play(text_of(&at("game.csv")));
    let names = ["rows.csv", "page.html"];
    let long = ["grade", "game.csv", "--think", "fixed:5", "--playouts", "100000"];
    let child = started(&[&long[..], &["--csv", names[0], "--report", names[1]]].concat(), folder.path());
    wait(60, "the files are claimed", || names.iter().all(|name| at(name).exists()));
    signal("-INT", child.id());
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("stopped"), "{error}");
    assert!(names.iter().all(|name| !at(name).exists()));
}

#[cfg(unix)]
#[test]
fn a_grade_that_waits_at_a_pipe_is_ended_by_one_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("game.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let child = started(&["grade", "game.csv", "--csv", "rows.csv"], folder.path());
    wait(60, "the file is claimed", || folder.path().join("rows.csv").exists());
    signal("-TERM", child.id());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), &*output.stderr), (Some(1), &b"stopped\n"[..]));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "only the pipe is left");
}

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (good, bad, missing) = (at("a\nb.csv"), at("bad.csv"), at("missing.csv"));
    play(text_of(&good));
    fs::write(&bad, "no log").expect("a file");
    let files = [text_of(&bad), text_of(&good), text_of(&missing)];
    let output = run(&[&["grade"], &files[..], &["--think", "fixed:1"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 2), "{said}");
    assert!(said.contains("bad.csv") && said.contains("missing.csv"), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    let first = told.lines().next().unwrap_or_default();
    assert!(first.contains("a\\nb.csv: ") && first.contains(" points, "), "{told}");
    // If there is nothing to grade, each file has its line all the same.
    let output = run(&["grade", text_of(&bad), text_of(&missing)]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!((output.stdout.len(), String::from_utf8_lossy(&output.stderr).lines().count()), (0, 2));
}

#[test]
fn no_placement_is_best_beside_a_better_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.jsonl");
    // With a tap a second at level 19 the pile is lost long before it reaches the top.
    let game = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--tap-rate", "1", "--view", "none"];
    run(&[&game[..], &["--start-level", "19", "--until", "pieces:60", "--log", text_of(&log)]].concat());
    let json = done(&["grade", text_of(&log), "--think", "fixed:1", "--tap-rate", "1", "--json"]);
    let all: Value = serde_json::from_str(&json).expect("JSON");
    let pieces = all["games"][0]["pieces"].as_array().expect("a list");
    let lost: Vec<&Value> = pieces.iter().filter(|piece| piece["lost_position"] == true).collect();
    assert!(lost.iter().any(|piece| number(piece, "better") > 0.0), "a lost position with a choice: {json}");
    assert!(pieces.iter().all(|piece| piece["class"] != "best" || number(piece, "better") == 0.0));
    assert_eq!(number(&all["totals"], "lost_positions"), lost.len() as f64);
    let open = || pieces.iter().filter(|piece| piece["lost_position"] == false);
    let mean =
        open().map(|piece| 100.0 * (-number(piece, "loss") / 6_000.0).exp()).sum::<f64>() / open().count() as f64;
    assert!((mean - number(&all["totals"], "accuracy")).abs() < 0.02, "{mean}");
}
