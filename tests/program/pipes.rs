//! Rows into a pipe whose reader has seen enough, as `head` has.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;

use super::waiting::started;

/// Reads this many lines, closes the pipe, and waits. Returns the first line, the messages and the exit code.
fn head(arguments: &[&str], folder: &Path, lines: usize) -> (String, String, Option<i32>) {
    let mut child = started(arguments, folder);
    let mut rows = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    rows.read_line(&mut first).expect("a line");
    for _ in 1..lines {
        rows.read_line(&mut String::new()).expect("a line");
    }
    drop(rows);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    // A slow machine reports progress.
    let said: Vec<&str> = said.lines().filter(|line| !line.contains("left")).collect();
    (first, said.join("\n"), child.wait().expect("it ends").code())
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_program_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = ["--console", "simulated", "--evaluator", "el-tetris"];
    let written = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args([&["play", "--view", "none", "--until", "pieces:400", "--movie", "game.fm2"][..], &game].concat())
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(written.status.success());
    for (arguments, lines, first) in [
        ([&["dump"][..], &game].concat(), 1, "# format: maxout-log 1\n"),
        ([&["dump", "--format", "jsonl"][..], &game].concat(), 3, "{\"format\":"),
        (["play", "--log", "-"].into_iter().chain(game).collect(), 1, "# format: maxout-log 1\n"),
        (vec!["ram", "watch", "--addr", "score", "frameCounter", "--frames", "100000"], 1, "frame,score"),
        (
            vec!["simulate", "--evaluator", "el-tetris", "--games", "100000", "--csv", "-"],
            1,
            "# maxout games, format 1\n",
        ),
        (vec!["convert", "game.fm2", "-", "--to", "csv", "--console", "simulated"], 1, "# format: maxout-log 1\n"),
        (vec!["report", "game.fm2", "--console", "simulated"], 1, "<!DOCTYPE html>\n"),
    ] {
        let (line, said, code) = head(&arguments, folder.path(), lines);
        assert!(line.starts_with(first), "{arguments:?}: {line}");
        assert_eq!((&*said, code), ("", Some(141)), "{arguments:?}");
    }
}

/// A file that standard output goes to has the rows alone, and all of them.
#[cfg(unix)]
#[test]
fn standard_output_is_the_same_under_all_its_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = |name: &str, arguments: &[&str]| {
        let path = folder.path().join(name);
        let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args(arguments)
            .current_dir(folder.path())
            .env_remove("RUST_LOG")
            .stdout(std::fs::File::create(&path).expect("a file"))
            .output()
            .expect("the program starts");
        let said = String::from_utf8(output.stderr).expect("text");
        (std::fs::read_to_string(path).expect("text"), said, output.status.code())
    };
    let play = ["play", "--console", "simulated", "--view", "none", "--evaluator", "el-tetris", "--until", "pieces:3"];
    let games = ["simulate", "--evaluator", "el-tetris", "--games", "2", "--until", "pieces:9"];
    for (command, flag) in [(&play[..], "--log"), (&games, "--csv")] {
        let (rows, _, code) = into("rows.csv", &[command, &[flag, "-"]].concat());
        assert_eq!((rows.starts_with('#'), code), (true, Some(0)), "{rows}");
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let (same, said, code) = into("same.csv", &[command, &[flag, name]].concat());
            assert_eq!((same == rows, code), (true, Some(0)), "{name}: {same}{said}");
        }
        let (text, said, code) = into("game.csv", &[command, &[flag, "game.csv"]].concat());
        assert_eq!((&*text, code), ("", Some(2)), "{said}");
        assert!(said.contains(&format!("standard output goes to {flag} game.csv, too")), "{said}");
        // So is one that messages would go into.
        let path = folder.path().join("said.csv");
        let status = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args([command, &[flag, "said.csv"]].concat())
            .current_dir(folder.path())
            .stderr(std::fs::File::create(&path).expect("a file"))
            .stdout(std::process::Stdio::null())
            .status()
            .expect("the program starts");
        let said = std::fs::read_to_string(path).expect("text");
        let expected = format!("maxout: standard error goes to {flag} said.csv, too; give each its own file\n");
        assert_eq!((&*said, status.code()), (&*expected, Some(2)));
    }
}

/// The games have standard output, so the report of them has standard error.
#[test]
fn games_can_be_rows_on_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args(arguments)
            .current_dir(folder.path())
            .env_remove("RUST_LOG")
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).expect("text"), String::from_utf8(output.stderr).expect("text"))
    };
    let games = ["simulate", "--evaluator", "el-tetris", "--games", "3", "--until", "pieces:20", "--csv"];
    let (report, _) = run(&[&games[..], &["games.csv"]].concat());
    let (rows, beside) = run(&[&games[..], &["-"]].concat());
    let file = std::fs::read_to_string(folder.path().join("games.csv")).expect("written");
    assert_eq!(rows, file);
    assert_eq!(report.lines().next(), beside.lines().next());
    let (merged, _) = run(&["merge", "games.csv", "--csv", "-"]);
    assert_eq!(merged, file);
    let arguments = ["merge", "games.csv", "--csv", "./games.csv"];
    let output = Command::new(env!("CARGO_BIN_EXE_maxout")).args(arguments).current_dir(folder.path()).output();
    let error = String::from_utf8(output.expect("the program starts").stderr).expect("text");
    assert!(error.contains("the input games.csv and --csv ./games.csv are the same file"), "{error}");
    assert!(!folder.path().join("-").exists());
}
