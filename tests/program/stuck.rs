//! ROMs that crash or hang end the run with the outcome `stuck`, and everything that was pressed is in
//! the files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use maxout_formats::fm2::{Movie, Step};
use maxout_formats::{FileFormat, InputFile, Presses};
use serde_json::Value;

use crate::jams::Jam;

/// A player that thinks quickly, and a seed with a short wait in the menus.
const PLAY: [&str; 10] =
    ["play", "jam.nes", "--force", "--evaluator", "el-tetris", "--input", "even-frames", "--seed", "39", "--json"];

fn maxout(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The number of frames of a log or movie.
fn frames_of(path: &Path) -> u64 {
    let input = InputFile::open(path, FileFormat::of_path(path).expect("a known ending")).expect("it is whole");
    let Presses::Steps(steps) = input.presses else { panic!("steps") };
    steps.iter().filter(|step| matches!(step, Step::Frame(_))).count() as u64
}

#[test]
fn a_crash_in_a_game_is_stuck_and_all_that_was_pressed_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("jam.nes"), Jam::StopAtClear.rom()).expect("written");
    let files = ["--log", "game.csv", "--log", "game.jsonl.gz", "--movie", "game.fm2", "--movie", "game.bk2"];
    let pictures = ["--report", "game.html", "--record", "game.gif", "--screenshot", "game.svg"];
    let output = maxout(folder, &[&PLAY[..], &files, &pictures].concat());
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&summary["outcome"], &summary["goal_reached"]), (&Value::from("stuck"), &Value::from(false)));
    let frames = summary["frames"].as_u64().expect("a number");
    let last = frames - 1;
    let line = format!("the processor stopped at an illegal opcode by frame {last}: the program has crashed");
    assert!(frames < 1000 && summary["stuck"] == line.as_str(), "{summary}");

    for name in ["game.csv", "game.jsonl.gz"] {
        assert_eq!(frames_of(&folder.join(name)), frames, "{name}");
    }
    // A movie begins with a line that no frame polls.
    assert_eq!(Movie::open(folder.join("game.fm2")).expect("a movie").lines.len() as u64, frames + 1);
    assert_eq!(frames_of(&folder.join("game.bk2")), frames_of(&folder.join("game.fm2")));
    let page = fs::read_to_string(folder.join("game.html")).expect("a page");
    assert!(page.contains(&format!("stuck before maxout: {line}")) && page.contains("</html>"));
    assert!(fs::read(folder.join("game.gif")).expect("a film").ends_with(&[0x3B]), "a GIF ends with this byte");
    assert!(folder.join("game.svg").exists());

    let replayed = maxout(folder, &["replay", "game.csv", "jam.nes", "--force", "--past-the-end", "50000", "--json"]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stderr));
    let report: Value = serde_json::from_slice(&replayed.stdout).expect("JSON");
    assert_eq!((&report["frames"], &report["stuck"]), (&summary["frames"], &summary["stuck"]));
    assert_eq!(report["verification"]["first_difference"], Value::Null);
    assert_eq!(report["verification"]["frames"], summary["frames"]);

    let converted = maxout(folder, &["convert", "game.fm2", "again.csv", "jam.nes", "--force"]);
    assert_eq!(converted.status.code(), Some(0), "{}", text(&converted.stderr));
    assert!(text(&converted.stderr).contains("the program has crashed"), "{}", text(&converted.stderr));
}

#[test]
fn a_value_that_the_game_never_writes_is_a_crash_once_a_piece_has_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("jam.nes"), Jam::BadValueAfterLock.rom()).expect("written");
    let output = maxout(folder, &[&PLAY[..9], &["--log", "game.csv", "--view", "none"]].concat());
    let (summary, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{error}");
    let frames = frames_of(&folder.join("game.csv"));
    let lines: Vec<&str> = summary.lines().collect();
    assert!(lines[0].starts_with(&format!("stuck before maxout after {frames} frames ")), "{summary}");
    let value = "RAM $0067 (startLevel) holds $FF, expected 0 to 19";
    assert_eq!(lines[1], format!("stuck        {value}, in frame {frames}: the program has crashed"));
    assert_eq!(lines[2].trim(), "check the ROM and its RAM map with maxout validate, or give another ROM");
    assert!(error.lines().all(|line| line.starts_with("frame ")), "only progress lines: {error}");

    let replayed = maxout(folder, &["replay", "game.csv", "jam.nes", "--force", "--past-the-end", "60", "--json"]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stderr));
    let report: Value = serde_json::from_slice(&replayed.stdout).expect("JSON");
    let line = format!("{value}, in frame {frames}: the program has crashed");
    assert_eq!((&report["frames"], &report["stuck"]), (&Value::from(frames), &Value::from(line)));
}

#[test]
fn a_game_that_goes_back_to_the_menus_is_ended_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("jam.nes"), Jam::ResetAfterLock.rom()).expect("written");
    let output = maxout(folder, &["dump", "--format", "fm2"].iter().chain(&PLAY[1..]).copied().collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let summary: Value = serde_json::from_str(text(&output.stderr).lines().last().expect("a line")).expect("JSON");
    let frames = summary["frames"].as_u64().expect("a number");
    let line = format!("the game went back to its menus in frame {} without a topout", frames - 1);
    assert_eq!((&summary["outcome"], &summary["stuck"]), (&Value::from("stuck"), &Value::from(line)));
    assert_eq!(text(&output.stdout).lines().filter(|line| line.starts_with('|')).count() as u64, frames + 1);
}

#[test]
#[ignore = "10,000 frames of experiments on the emulator; .ci/run runs it"]
fn surveys_of_a_rom_that_hangs_end_with_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("jam.nes"), Jam::LoopInInterrupt.rom()).expect("written");
    let found = maxout(folder, &["discover", "jam.nes", "-o", "found.toml"]);
    let error = text(&found.stderr);
    assert_eq!(found.status.code(), Some(1), "{error}");
    assert!(error.lines().last().is_some_and(|line| line.contains("does not keep step with the rules")), "{error}");
    fs::write(folder.join("jam.nes"), Jam::ResetAfterLock.rom()).expect("written");
    let checked = maxout(folder, &["validate", "jam.nes", "--force", "--json"]);
    assert_eq!(checked.status.code(), Some(1), "{}", text(&checked.stderr));
    let watched = maxout(folder, &["ram", "watch", "jam.nes", "--force", "--addr", "frameCounter"]);
    assert_eq!((watched.status.code(), text(&watched.stdout).lines().count()), (Some(0), 1001));
}
