//! `maxout crash`, and `--crashes` of the simulated console.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::skipped;

fn maxout(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// Standard output of a run that ends with this exit code.
fn output_of(arguments: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = maxout(arguments);
    assert_eq!(status.code(), Some(code), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

fn json(arguments: &[&str], code: i32) -> Value {
    serde_json::from_str(&output_of(&[arguments, &["--json"]].concat(), code)).expect("JSON")
}

/// Checks that the run ends with exit code 2 and one line on standard error with all of these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = maxout(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(words.iter().all(|word| error.contains(word)), "{arguments:?} should name {words:?}: {error}");
    assert!(output.stdout.is_empty());
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// An I in the right column clears the lowest rows: four of them are full but for that column.
const WELL: &str = "\
#########.
#########.
#########.
#########.";

#[test]
fn a_position_shows_the_clears_that_crash_and_what_saves_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let field = folder.path().join("field.txt");
    fs::write(&field, WELL).expect("written");
    let of = |level: &str, lines: &str, more: &[&str], code| {
        let facts = ["crash", path_text(&field), "--piece", "I", "--next", "T", "--level", level, "--lines", lines];
        json(&[&facts[..], more].concat(), code)
    };
    let tetris = |answer: &Value| -> Value {
        let locks = answer["locks"].as_array().expect("locks");
        locks.iter().find(|lock| lock["clears"] == 4).expect("the tetris").clone()
    };
    // A measured case: a hang that the frame counter or A ends.
    let hang = tetris(&of("172", "1660", &[], 0));
    assert_eq!(
        (&hang["cycles"], &hang["verdict"], &hang["chance"]),
        (&29_892.into(), &"hang-until-counter".into(), &1.0.into())
    );
    let remedies = hang["remedies"].as_array().expect("a list");
    assert_eq!(remedies.last().expect("a remedy")["kind"], "press-a");
    assert_eq!(hang["level"], 172);
    let hidden = tetris(&of("172", "1660", &["--next-hidden"], 0));
    assert_eq!((&hidden["cycles"], &hidden["next_hidden"]), (&(29_892 - 394).into(), &true.into()));
    let safe = of("19", "60", &[], 0);
    assert_eq!((&safe["dangerous"], tetris(&safe)["verdict"].as_str()), (&0.into(), Some("safe")));
    // At level 255 even a lock without a clear is dangerous. Where nothing else is possible, the exit code is 1.
    let some = of("255", "3292", &[], 0);
    assert_eq!(tetris(&some)["verdict"], "safe");
    fs::write(&field, "##........").expect("written");
    let all = of("255", "3292", &[], 1);
    assert_eq!((&all["judged"], all["locks"][0]["verdict"].as_str()), (&all["dangerous"], Some("crash")));
    fs::write(&field, WELL).expect("written");

    let facts = ["crash", path_text(&field), "--piece", "I", "--next", "T", "--level", "172", "--lines", "1660"];
    let text = output_of(&facts, 0);
    let row = text.lines().find(|line| line.contains("a tetris")).expect("the tetris");
    for words in ["172", "1,664", "29,892", "hang (up to 255 frames)", "hold A"] {
        assert!(row.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_game_is_told_lock_by_lock_the_same_from_log_and_movie() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (log, movie) = (at("game.csv"), at("game.fm2"));
    let play = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none", "--until", "lines:12"];
    output_of(&[&play[..], &["--log", path_text(&log), "--movie", path_text(&movie)]].concat(), 0);
    let [of_log, of_movie] = [&log, &movie].map(|path| json(&["crash", path_text(path), "--console", "simulated"], 0));
    assert_eq!(of_log["locks"], of_movie["locks"]);
    let locks = of_log["locks"].as_array().expect("locks");
    let lines: u64 = locks.iter().map(|lock| lock["clears"].as_u64().expect("a number")).sum();
    assert!(lines >= 12 && locks.iter().all(|lock| lock["verdict"] == "safe"), "{of_log}");
    assert_eq!(locks.last().expect("a clear")["lines"], lines);
    let text = output_of(&["crash", path_text(&log)], 0);
    assert!(text.contains("0 may crash or hang") && text.contains("--all"), "{text}");
    let all = output_of(&["crash", path_text(&log), "--all"], 0);
    assert_eq!(all.lines().count(), 2 + locks.len(), "{all}");
    refused(&["crash", path_text(&log), "--level", "150"], &["--level is about a position", "game.csv is a game"]);
}

#[test]
fn a_trace_tells_the_freeze_of_the_original() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    let path: PathBuf = folder.join("d20_level158_freeze.trace.zst");
    let Some(path) = skipped::beside("traces of slow frames", &path) else { return };
    let answer = json(&["crash", path_text(&path)], 1);
    let dangerous: Vec<&Value> =
        answer["locks"].as_array().expect("locks").iter().filter(|lock| lock["verdict"] != "safe").collect();
    assert_eq!((&answer["judged"], &answer["dangerous"]), (&3821.into(), &7.into()));
    let last = dangerous.last().expect("the freeze");
    assert_eq!([&last["frame"], &last["cycles"], &last["lines"], &last["level"]], [130_553, 29_597, 1_520, 158]);
    assert_eq!((&last["verdict"], &last["chance"]), (&"crash".into(), &1.0.into()));
    assert!(dangerous[..6].iter().all(|lock| lock["chance"].as_f64().expect("a share") < 1.0), "{dangerous:?}");
}

#[test]
fn bad_input_gets_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path
    };
    refused(&["crash", "nothing-there.csv"], &["nothing-there.csv"]);
    refused(&["crash", path_text(&at("field.txt", WELL))], &["--piece"]);
    refused(&["crash", path_text(&at("bad.csv", "no log\n"))], &["bad.csv"]);
    refused(&["crash", path_text(&at("bad.trace", "no trace\n"))], &["bad.trace"]);
    refused(&["crash", path_text(&at("game.dat", "# format: maxout-log 1\n"))], &["game.dat: line 1", "--from FORMAT"]);
    refused(&["play", "--crashes", "on", "--view", "none"], &["--crashes", "--console simulated"]);
    refused(&["trace", "record", path_text(&folder.path().join("x.trace")), "--crashes", "off"], &["--crashes"]);
}

/// Only the ending of the games may differ, and only past level 132.
#[test]
fn games_below_the_first_slow_level_do_not_depend_on_crashes() {
    let games = ["simulate", "--games", "3", "--evaluator", "el-tetris", "--until", "lines:60", "--csv", "-"];
    let rows = |crashes| {
        let text = output_of(&[&games[..], &["--crashes", crashes]].concat(), 0);
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows("on"), rows("off"));
    assert!(rows("auto").len() == 4);
    let head =
        |crashes| output_of(&[&games[..], &["--crashes", crashes]].concat(), 0).lines().nth(1).map(str::to_owned);
    assert!(!head("auto").expect("a head").contains("crashes"));
    assert!(head("off").expect("a head").contains(r#""crashes":"off""#));
}

#[test]
fn games_follow_each_other_and_their_files_are_read_by_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let [log, movie] = ["games.csv", "games.fm2"].map(file);
    // A player that tops out soon.
    let play = ["play", "--console", "simulated", "--view", "none", "--evaluator", "dellacherie", "--tap-rate", "7"];
    let files = ["--until", "games:2", "--log", &log, "--movie", &movie];
    let summary = json(&[&play[..], &files].concat(), 0);
    assert_eq!((&summary["outcome"], &summary["desyncs"]), (&"games:2".into(), &0.into()));
    let rows = summary["games"].as_array().expect("games");
    assert_eq!(rows.len(), 2);
    let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
    for row in rows {
        assert!(
            row["outcome"] == "topout" && number(row, "frames") > 100 && row.get("crash_cycles").is_none(),
            "{row}"
        );
    }
    assert_eq!(rows[1]["score"], summary["score"]);
    let start = number(&rows[0], "first_frame") + number(&rows[0], "frames");
    assert!(number(&rows[1], "first_frame") > start);
    assert_ne!(rows[0]["pieces"], rows[1]["pieces"], "another game");

    let text = output_of(&[&play[..], &["--until", "games:2"]].concat(), 0);
    assert!(text.starts_with("games:2 reached after") && text.contains("\n   2  topout"), "{text}");
    for input in [&log, &movie] {
        let crashes = json(&["crash", input, "--console", "simulated"], 0);
        let pieces: u64 = rows.iter().map(|row| number(row, "pieces")).sum();
        assert_eq!(crashes["judged"], pieces);
        let verified = output_of(&["replay", input, "--console", "simulated", "--verify", &log], 0);
        assert!(verified.contains("no difference"), "{verified}");
    }
    let graded = json(&["grade", &log, "--think", "fixed:1"], 0);
    assert_eq!(graded["games"].as_array().map(Vec::len), Some(2));
}
