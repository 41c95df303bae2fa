//! `replay` and `trace` as a user runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// A movie that starts a level 0 game with presses of Start and then holds Down for a while.
fn movie(folder: &Path) -> PathBuf {
    let mut movie = String::from(
        "version 3\nemuVersion 20605\nromFilename game\nromChecksum base64:Ww5XFVjIx5aTe5avRpVhxg==\n\
         guid 00000000-0000-0000-0000-000000000000\nfourscore 0\nport0 1\nport1 0\nport2 0\n|0|........|||\n",
    );
    for frame in 0..500 {
        movie += match frame {
            266 | 271 | 275 | 280 => "|0|....T...|||\n",
            300..400 => "|0|..D.....|||\n",
            _ => "|0|........|||\n",
        };
    }
    let path = folder.join("start.fm2");
    fs::write(&path, movie).expect("written");
    path
}

#[test]
fn a_movie_starts_the_same_game_on_both_consoles() {
    let folder = tempfile::tempdir().expect("a folder");
    let movie = movie(folder.path());
    let replay = |console: &str| -> serde_json::Value {
        let output = run(&["replay", text(&movie), "--console", console, "--past-the-end", "5", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).expect("one JSON object")
    };
    let mut simulated = replay("simulated");
    let cartridge = replay("cartridge");
    assert_eq!(simulated["first_game_frame"], 285, "the fastest start that was measured");
    assert_eq!((&simulated["frames"], &simulated["maxout"]), (&505.into(), &serde_json::Value::Null));
    simulated["rom"] = cartridge["rom"].clone();
    assert_eq!(simulated, cartridge);
}

/// A movie without lag frames too, whose length is known only when it has been played.
#[test]
fn a_topout_past_the_end_of_a_movie_is_told_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    let (movie, polls) = (movie(folder.path()), folder.path().join("start.r08"));
    let converted = run(&["convert", text(&movie), text(&polls), "--console", "simulated"]);
    assert_eq!(converted.status.code(), Some(0), "{}", stderr(&converted));
    for name in [&movie, &polls] {
        let replay = ["replay", text(name), "--console", "simulated", "--past-the-end", "50000"];
        let told = stdout(&run(&replay));
        assert!(told.lines().any(|line| line.starts_with("topout ") && line.ends_with(", past the end")), "{told}");
        let json = run(&[&replay[..], &["--json"]].concat());
        let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one JSON object");
        let [frames, of_movie] = ["frames", "movie_frames"].map(|key| report[key].as_u64().expect("frames"));
        assert!((400..=500).contains(&of_movie) && frames > 2_000, "{report}");
    }
}

#[test]
fn a_written_trace_verifies_and_a_changed_one_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let movie = movie(folder.path());
    let trace = folder.path().join("start.trace");
    let output = run(&["trace", "record", text(&trace), "--movie", text(&movie), "--console", "simulated"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for console in ["simulated", "cartridge"] {
        let output = run(&["trace", "verify", text(&trace), "--console", console]);
        assert_eq!(output.status.code(), Some(0), "{console}: {}", stdout(&output));
        assert!(stdout(&output).starts_with("500 frames"), "{}", stdout(&output));
    }
    let whole = fs::read_to_string(&trace).expect("a trace");
    let (cut, _) = whole.split_once("\n499 ").expect("the last row");
    fs::write(&trace, format!("{cut}\n")).expect("written");
    let output = run(&["trace", "verify", text(&trace), "--console", "simulated"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).ends_with("\n1 frame missing at the end of the trace\n"), "{}", stdout(&output));
    // The buttons differ from frame 301 on, the RAM is that of the old buttons.
    let changed = whole.replace("\n301 04 ", "\n301 01 ");
    fs::write(&trace, changed).expect("written");
    let output = run(&["trace", "verify", text(&trace), "--console", "simulated"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("first difference: frame 301, $00"), "{}", stdout(&output));
    let output = run(&["trace", "verify", text(&trace), "--console", "simulated", "--json"]);
    let verification: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(verification["first_difference"]["frame"], 301);
}

#[test]
fn a_trace_is_recorded_of_logs_and_movies_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let movie = movie(folder.path());
    for name in ["game.bk2", "game.csv", "game.jsonl", "game.r08"] {
        let made = at(name);
        let arguments = ["convert", text(&movie), text(&made), "--console", "simulated", "--past-the-end", "0"];
        assert_eq!(run(&arguments).status.code(), Some(0), "{name}");
    }
    let recorded = |input: &Path| {
        let trace = at("game.trace");
        let output = run(&["trace", "record", text(&trace), "--movie", text(input), "--console", "simulated"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let trace = fs::read_to_string(trace).expect("a trace");
        trace.lines().filter(|line| !line.starts_with("# desc")).map(str::to_owned).collect::<Vec<_>>()
    };
    for name in ["game.bk2", "game.csv", "game.jsonl"] {
        assert!(recorded(&at(name)) == recorded(&movie), "{name}");
    }
    let output = run(&["trace", "record", text(&at("x.trace")), "--movie", text(&at("game.r08"))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("game.r08: an R08 does not say how long its lag frames are"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_that_is_no_movie_or_trace_is_refused_in_one_line() {
    for arguments in [
        &["replay", "Cargo.toml"][..],
        &["replay", "nowhere.fm2"],
        &["trace", "verify", "Cargo.toml"],
        &["trace", "verify", "nowhere.trace"],
        &["trace", "record", "/no/such/folder/x.trace", "--console", "simulated"],
        &["trace", "record", "x.trace.zst", "--console", "simulated"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

/// A program that is ended with the test, however that ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The log is read as a movie first, and has grown when its rows are compared.
#[test]
fn a_log_that_is_still_written_has_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.csv");
    let play = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none", "--speed", "60"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(play).args(["--until", "topout", "--log", text(&log)]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _played = Ended(command.spawn().expect("the program starts"));
    super::waiting::wait_for_lines(&log, 1500, 60);
    let length = || fs::metadata(&log).expect("a log").len();
    let mut grew = 0;
    for _ in 0..6 {
        let before = length();
        let output = run(&["replay", text(&log), "--console", "simulated"]);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(stdout(&output).contains("no difference"));
        grew += u32::from(length() > before);
    }
    assert!(grew > 0, "nothing was written meanwhile");
}

#[test]
#[ignore = "a whole game, played and replayed; .ci/run runs it"]
fn a_whole_game_on_the_model_is_the_same_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |name: &str| {
        let log = folder.path().join(name);
        let output = run(&["play", "--console", "simulated", "--view", "none", "--json", "--log", text(&log)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        (stdout(&output), fs::read(log).expect("a log"))
    };
    let (summary, log) = play("first.csv");
    assert_eq!((&summary, &log), (&play("again.csv").0, &play("again.csv").1));
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("one JSON object");
    assert_eq!(summary["score"], 999_999, "the default game is a maxout");
    assert_eq!(summary["desyncs"], 0);
}
