//! Logs and movies as a user makes them: one game in every format, converted and replayed, from
//! runs that end normally and from runs that are killed.

#[cfg(unix)]
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::read::GzDecoder;
use maxout_formats::fm2::{Movie, MovieHeader, Step};
use maxout_formats::{FileFormat, InputFile, Presses};
use maxout_lab::random_presses;

use crate::skipped;

/// Every format that has buttons.
const WITH_BUTTONS: [&str; 8] = ["csv", "jsonl", "csv.gz", "jsonl.gz", "fm2", "fm2.gz", "bk2", "r08"];

fn maxout(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// Runs the program, checks its exit code and returns its standard output.
fn run(arguments: &[&str], folder: &Path, code: i32) -> String {
    let output = maxout(arguments, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    if code == 2 {
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        return error.into_owned();
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn convert(from: &str, to: &str, folder: &Path) {
    run(&["convert", from, to, "--console", "simulated"], folder, 0);
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The contents of a gzip file, which must be one complete member.
fn unpacked(folder: &Path, name: &str) -> Vec<u8> {
    let (file, mut content) = (bytes(folder, name), Vec::new());
    let mut decoder = GzDecoder::new(&file[..]);
    decoder.read_to_end(&mut content).expect("a whole gzip file");
    assert!(decoder.into_inner().is_empty(), "nothing after it");
    content
}

/// The rows of a CSV log, without its header.
fn rows(log: &[u8]) -> Vec<String> {
    let text = String::from_utf8(log.to_vec()).expect("UTF-8");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn open(path: PathBuf) -> InputFile {
    let format = FileFormat::of_path(&path).expect("the name tells the format");
    InputFile::open(&path, format).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a game on a console and writes it in every format.
fn play(console: &str, until: &str, folder: &Path) {
    let mut arguments = vec!["play", "--console", console, "--view", "none", "--seed", "7", "--until", until];
    let files: Vec<String> = WITH_BUTTONS.iter().chain(&["ngf"]).map(|format| format!("game.{format}")).collect();
    for file in &files {
        let flag = if file.contains("csv") || file.contains("jsonl") { "--log" } else { "--movie" };
        arguments.extend([flag, file]);
    }
    run(&arguments, folder, 0);
}

#[test]
fn every_format_of_a_whole_game_replays_on_the_model_as_in_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play("simulated", "maxout", folder);
    let Presses::Steps(steps) = open(folder.join("game.csv")).presses else { panic!("a log has every frame") };
    let frames = steps.len();
    assert!(frames > 15_000, "a whole game: {frames}");
    for format in WITH_BUTTONS {
        let file = format!("game.{format}");
        let arguments = ["replay", &file, "--console", "simulated", "--verify", "game.csv", "--json"];
        let report: serde_json::Value = serde_json::from_str(&run(&arguments, folder, 0)).expect("JSON");
        assert_eq!(report["verification"]["frames"], frames, "{format}");
        assert_eq!(report["verification"]["first_difference"], serde_json::Value::Null, "{format}");
        assert_eq!(report["maxout"]["frame"], frames - 1, "{format}");
    }
    assert_eq!(unpacked(folder, "game.csv.gz"), bytes(folder, "game.csv"));
    assert_eq!(unpacked(folder, "game.fm2.gz"), bytes(folder, "game.fm2"));
    // There are five lag frames: four in the boot, one at the start of the game.
    assert_eq!(bytes(folder, "game.r08").len(), 2 * (frames - 5));
    let ngf = unpacked(folder, "game.ngf");
    assert_eq!((ngf.len() % 73, ngf[0] >> 5), (0, 3));
    assert_eq!(ngf[ngf.len() - 73 + 9..][..3], 999_999_u32.to_be_bytes()[1..], "the score of the last record");
}

#[test]
fn conversions_keep_everything_that_both_formats_can_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play("cartridge", "pieces:12", folder);
    for from in ["csv", "jsonl", "fm2", "bk2", "csv.gz"] {
        for to in ["csv", "jsonl", "fm2", "bk2", "r08", "ngf"] {
            let (source, made) = (format!("game.{from}"), format!("{from}-made.{to}"));
            convert(&source, &made, folder);
            let (expected, found) = (bytes(folder, &format!("game.{to}")), bytes(folder, &made));
            if to == "csv" {
                assert_eq!(rows(&found), rows(&expected), "{made}");
            } else if to != "jsonl" {
                assert_eq!(found, expected, "{made}");
            }
        }
    }
    convert("game.csv", "again.jsonl", folder);
    convert("again.jsonl", "again.csv", folder);
    assert_eq!(bytes(folder, "again.jsonl"), bytes(folder, "game.jsonl"));
    assert_eq!(bytes(folder, "again.csv"), bytes(folder, "game.csv"));
    // An R08 keeps what was polled: the rows are the same except for the buttons of lag frames.
    convert("game.r08", "polls.bk2", folder);
    convert("polls.bk2", "polls.r08", folder);
    assert_eq!(bytes(folder, "polls.r08"), bytes(folder, "game.r08"));
    run(&["replay", "polls.bk2", "--verify", "game.jsonl"], folder, 0);
    let error = run(&["convert", "game.ngf", "x.fm2"], folder, 2);
    assert!(error.contains("no buttons"), "{error}");
}

/// A movie of random presses with both kinds of reset.
fn movie_with_resets(folder: &Path) -> Vec<Step> {
    let mut presses = random_presses(5).map(Step::Frame);
    let mut steps: Vec<Step> = presses.by_ref().take(400).collect();
    steps.extend([Step::Reset, Step::PowerCycle]);
    steps.extend(presses.by_ref().take(500));
    steps.push(Step::Reset);
    steps.extend(presses.take(100));
    let mut movie = Movie::from_steps(MovieHeader::new("maxout.nes", [7; 16], "a \"test\""), steps.iter().copied());
    movie.header.comments.push("and, a comment".to_owned());
    let file = fs::File::create(folder.join("resets.fm2")).expect("a file");
    movie.write(file).expect("written");
    steps
}

#[test]
fn resets_survive_every_format_that_has_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let steps = Presses::Steps(movie_with_resets(folder));
    for (from, to) in [("fm2", "bk2"), ("bk2", "csv"), ("csv", "jsonl.gz"), ("jsonl.gz", "bk2"), ("csv", "fm2")] {
        convert(&format!("resets.{from}"), &format!("resets.{to}"), folder);
        assert_eq!(open(folder.join(format!("resets.{to}"))).presses, steps, "{from} to {to}");
    }
    run(&["replay", "resets.bk2", "--verify", "resets.csv", "--past-the-end", "0"], folder, 0);
    run(&["replay", "resets.jsonl.gz", "--console", "simulated"], folder, 0);
    let output = maxout(&["convert", "resets.fm2", "resets.r08"], folder);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no reset"));
}

#[test]
fn a_replay_of_several_games_counts_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let play = ["play", "--console", "simulated", "--view", "none", "--evaluator", "dellacherie", "--tap-rate", "7"];
    run(&[&play[..], &["--until", "games:2", "--movie", "g.fm2", "--log", "g.csv"]].concat(), folder, 0);
    for file in ["g.fm2", "g.csv"] {
        let text = run(&["replay", file, "--console", "simulated"], folder, 0);
        assert!(text.contains("games        2; score, lines and level are those of the last one\n"), "{text}");
    }
}

#[test]
fn a_replay_that_differs_from_its_log_reports_the_first_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let play = ["play", "--console", "simulated", "--view", "none", "--until", "frames:900", "--log", "game.csv"];
    run(&[&play[..], &["--movie", "game.fm2", "--field"]].concat(), folder, 0);
    let log = fs::read_to_string(folder.join("game.csv")).expect("a log");
    let changed = |change: &dyn Fn(&str) -> String| {
        let lines: Vec<String> =
            log.lines().map(|line| if line.starts_with("800,") { change(line) } else { line.to_owned() }).collect();
        fs::write(folder.join("changed.csv"), lines.join("\r\n")).expect("written");
    };
    changed(&|line| line.to_owned());
    run(&["replay", "game.fm2", "--console", "simulated", "--verify", "changed.csv"], folder, 0);
    let fields: Vec<&str> = log.lines().find(|line| line.starts_with("800,")).expect("row 800").split(',').collect();
    // The level is column 12; the last column but one has all cells.
    for (column, name) in [(12, "level"), (21, "cells"), (18, "rng")] {
        let mut other = fields.clone();
        other[column] = "7";
        changed(&|_| other.join(","));
        let text = run(&["replay", "changed.csv", "--console", "simulated"], folder, 1);
        let expected = format!("first difference: frame 800, {name}, expected 7, found {}", fields[column]);
        assert!(text.contains(&expected), "{text}");
    }
    // A log that contradicts itself or has a gap is refused.
    let mut other = fields.clone();
    (other[2], other[3]) = ("01", "R.......");
    changed(&|_| other.join(","));
    let error = run(&["replay", "changed.csv"], folder, 2);
    assert!(error.contains("changed.csv:818: ") && error.contains("contradicts itself"), "{error}");
    fs::write(folder.join("gap.csv"), log.replace("\n800,", "\n801,")).expect("written");
    let error = run(&["convert", "gap.csv", "gap.bk2"], folder, 2);
    assert!(error.contains("gap.csv:818: expected call 800, found \"801\""), "{error}");
    // A log that is longer than the replay.
    fs::write(folder.join("short.fm2"), fs::read_to_string(folder.join("game.fm2")).expect("a movie") + "\r\n")
        .expect("written");
    let longer = ["replay", "short.fm2", "--console", "simulated", "--verify", "longer.csv", "--past-the-end", "0"];
    let row = log.lines().last().expect("rows").replacen("899,900,", "900,901,", 1);
    fs::write(folder.join("longer.csv"), format!("{log}{row}\n")).expect("written");
    assert!(run(&longer, folder, 1).contains("frame 900, call, expected a frame more"));
    // A log through a pipe is played without a comparison: it can be read once.
    let piped =
        format!("cat game.csv | {} replay /dev/stdin --from csv --console simulated", env!("CARGO_BIN_EXE_maxout"));
    let output = Command::new("sh").args(["-c", &piped]).current_dir(folder).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.starts_with("900 movie lines, ") && !said.contains("compared"), "{said}");
    // An archive is read from its end, which a pipe does not have.
    run(&["convert", "game.csv", "game.bk2"], folder, 0);
    let piped =
        format!("cat game.bk2 | {} replay /dev/stdin --from bk2 --console simulated", env!("CARGO_BIN_EXE_maxout"));
    let output = Command::new("sh").args(["-c", &piped]).current_dir(folder).output().expect("a shell");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        run(&["replay", "game.bk2", "--console", "simulated"], folder, 0)
    );
    // A log without a frame shows nothing.
    let names = log.lines().find(|line| line.starts_with("call,")).expect("names");
    fs::write(folder.join("empty.csv"), format!("{names}\n")).expect("written");
    let error = run(&["replay", "game.fm2", "--console", "simulated", "--verify", "empty.csv"], folder, 2);
    assert!(error.contains("--verify empty.csv: expected frames to compare with"), "{error}");
}

#[test]
fn dump_writes_to_standard_output_what_play_writes_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let game = ["--console", "simulated", "--until", "frames:700", "--date", "2020-02-02"];
    for format in ["csv", "jsonl", "fm2", "bk2", "r08", "ngf", "csv.gz"] {
        let output = maxout(&[&["dump", "--format", format], &game[..]].concat(), folder);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stderr).contains("frames:700 reached"), "words to standard error");
        let file = format!("game.{format}");
        run(&[&["dump", "--output", &file], &game[..]].concat(), folder, 0);
        assert!(output.stdout == bytes(folder, &file), "{format}");
    }
    assert!(String::from_utf8_lossy(&bytes(folder, "game.csv")).contains("\n# date: 2020-02-02\n"));
    run(
        &["dump", "--output", "game.xyz", "--format", "fm2", "--console", "simulated", "--until", "frames:3"],
        folder,
        0,
    );
    assert!(bytes(folder, "game.xyz").starts_with(b"version 3\n"));
    // A converted file has the date that is given, once, whether it is copied or played.
    for from in ["csv", "jsonl", "fm2", "bk2"] {
        for to in ["csv", "jsonl", "fm2"] {
            let (from, to) = (format!("game.{from}"), format!("dated.{to}"));
            let date = ["--date", "2021-03-04", "--console", "simulated", "--overwrite"];
            run(&[&["convert", &from, &to], &date[..]].concat(), folder, 0);
            let text = String::from_utf8_lossy(&bytes(folder, &to)).into_owned();
            assert!(text.contains("2021-03-04") && !text.contains("2020-02-02"), "{from} as {to}");
            assert_eq!(text.matches("date").count(), 1, "{from} as {to}");
        }
    }
    for view in ["terminal", "screen", "window"] {
        let error = run(&["dump", "--view", view, "--console", "simulated", "--until", "frames:3"], folder, 2);
        assert!(error.contains("dump plays without a view") && error.contains(&format!("--view {view}")), "{error}");
    }
    run(&["dump", "--view", "auto", "--console", "simulated", "--until", "frames:3"], folder, 0);
    // A ROM and a map that are not needed must be there all the same.
    for wrong in [
        &["convert", "game.csv", "x.fm2", "-o", "y.fm2"][..],
        &["convert", "game.csv", "y.fm2", "nothing.nes"],
        &["convert", "game.csv", "y.fm2", "--map", "nothing.toml"],
        &["report", "game.csv", "-o", "y.html", "nothing.nes"],
        &["grade", "game.csv", "--console", "nothing.nes"],
    ] {
        let error = run(wrong, folder, 2);
        assert!(error.contains("nothing.") || error.contains("x.fm2"), "{error}");
    }
}

#[test]
fn a_log_on_standard_output_is_the_only_output_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let game = ["--console", "simulated", "--until", "frames:300"];
    let output = maxout(&[&["play", "--log", "-"], &game[..]].concat(), folder);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("frames:300 reached"), "words to standard error");
    run(&[&["play", "--log", "game.csv", "--log", "game.gz", "--format", "csv"], &game[..]].concat(), folder, 0);
    assert!(output.stdout == bytes(folder, "game.csv"));
    assert!(output.stdout == unpacked(folder, "game.gz"), "a name that tells only gzip");
    let error = run(&["play", "--log", "-", "--view", "terminal"], folder, 2);
    assert!(error.contains("--view none"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_log_names_a_path_with_any_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let name = std::ffi::OsStr::from_bytes(b"\xffw.toml");
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/birken-v2-suicidal.toml");
    if fs::copy(weights, folder.join(name)).is_err() {
        skipped::skipped("file names of any bytes", "a file system that takes them");
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(["play", "--console", "simulated", "--until", "frames:3", "--log", "game.csv", "--weights"])
        .arg(name)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&bytes(folder, "game.csv")).contains("\"weights\":\"\u{FFFD}w.toml\""));
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_complete_files_with_every_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut arguments = vec!["play", "--view", "none"];
    let files: Vec<String> = WITH_BUTTONS.iter().chain(&["ngf"]).map(|format| format!("game.{format}")).collect();
    for file in &files {
        arguments.extend([if file.contains("csv") || file.contains("json") { "--log" } else { "--movie" }, file]);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(&arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // After this many frames a game is running.
    super::waiting::wait_for_lines(&folder.join("game.csv"), 900, 120);
    child.kill().expect("killed");
    child.wait().expect("it ended");
    let frames = |name: &str| match open(folder.join(name)).presses {
        Presses::Steps(steps) => steps.len(),
        Presses::Polls(entries) => entries.len(),
    };
    let whole = frames("game.csv");
    for name in ["game.jsonl", "game.fm2", "game.bk2"] {
        assert!((whole - 1..=whole).contains(&frames(name)), "{name}: {} of {whole}", frames(name));
    }
    for name in ["game.csv.gz", "game.jsonl.gz", "game.fm2.gz"] {
        assert!((whole - 61..=whole).contains(&frames(name)), "{name}: {} of {whole}", frames(name));
        unpacked(folder, name);
    }
    assert!((whole - 10..=whole).contains(&frames("game.r08")));
    assert_eq!(unpacked(folder, "game.ngf").len() % 73, 0);
}

/// `-o` names the output of every command that has one; the first spellings still work.
#[test]
fn the_output_has_one_name_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let simulated = ["--console", "simulated", "--evaluator", "el-tetris", "--until", "pieces:5", "-o", "game.fm2"];
    run(&[&["dump"][..], &simulated].concat(), folder, 0);
    let cartridge = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes");
    for arguments in [
        &["convert", "game.fm2", "-o", "converted.bk2"][..],
        &["convert", "game.fm2", "--output", "played.csv", cartridge],
        &["convert", "game.fm2", "placed.bk2"],
        &["report", "game.fm2", "-o", "report.html", "--console", "simulated"],
        &["render", "game.fm2", "-o", "film.gif", "--record-to", "4", "--record-scale", "1", "--console", "simulated"],
        &["render", "game.fm2", "--record", "film.png", "--record-to", "4", "--console", "simulated"],
        &["trace", "record", "-o", "one.trace", "--movie", "game.fm2", "--frames", "9", "--console", "simulated"],
        &["trace", "record", "two.trace", "--movie", "game.fm2", "--frames", "9", "--console", "simulated"],
    ] {
        run(arguments, folder, 0);
    }
    let read = |name: &str| fs::read(folder.join(name)).expect("written");
    assert_eq!(read("converted.bk2"), read("placed.bk2"));
    assert_eq!(read("one.trace").len(), read("two.trace").len());
    for name in ["played.csv", "report.html", "film.gif", "film.png"] {
        assert!(!read(name).is_empty(), "{name}");
    }
    for (arguments, word) in [
        (&["convert", "game.fm2", "a.csv", "b.nes", "-o", "c.csv"][..], "one ROM beside --output"),
        (&["trace", "record", "game.fm2", "--movie", "game.fm2"], "are both game.fm2"),
        (&["trace", "record", "no/such/a.trace"], "cannot write the trace no/such/a.trace"),
    ] {
        let error = run(arguments, folder, 2);
        assert!(error.contains(word) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
}

#[test]
fn impossible_outputs_are_refused_before_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("there.xyz"), "").expect("written");
    fs::write(folder.join("movie.fm2"), "version 3").expect("written");
    for (arguments, word) in [
        (&["play", "movie.fm2"][..], "maxout replay movie.fm2"),
        (&["report", "there.xyz", "-o", "x.html"], ".bk2 or .r08, or --from FORMAT"),
        (&["report", "movie.fm2", "-o", "./movie.fm2"], "read and written at once"),
        (&["replay", "none.csv"], "cannot read none.csv"),
        (&["simulate", "--games", "1", "--csv", "no/such.csv"], "cannot write --csv no/such.csv"),
        (&["play", "--movie", "game.xyz"], ".fm2"),
        (&["play", "--movie", "/no/such/folder/game.bk2"], "/no/such/folder/game.bk2"),
        (&["play", "--log", "a.csv", "--movie", "a.csv"], "are both a.csv"),
        (&["play", "--log", "a.csv", "--movie", "./a.csv"], "the same file"),
        (&["play", "--log", "a.csv", "--report", "./a.csv"], "the same file"),
        (&["play", "--log", "a.svg"], "a.svg: expected a log or movie"),
        (&["dump", "-o", "a.html"], "have --report"),
        (&["play", "a.fm2"], "a.fm2"),
        (&["play", "--screenshot", "a.svg", "--screenshot", "./a.svg"], "the same file"),
        (
            &["play", "--screenshot", "a.svg", "--screenshot", "x.jpg"],
            "x.jpg: expected a picture, its name ending in .svg or .png",
        ),
        (&["play", "--screenshot", "/no/such/folder/x.png"], "/no/such/folder/x.png"),
        (&["dump", "-o", "d.csv", "--log", "./d.csv"], "the same file"),
        (&["dump", "--log", "-"], "--log and --output are both -"),
        (&["play", "--movie", "game.xyz"], "or --format FORMAT"),
        (&["dump", "--view", "terminal"], "dump plays without a view"),
        (&["convert", "nowhere.fm2", "x.csv"], "nowhere.fm2"),
        (&["convert", "a.xyz", "x.csv"], "cannot read a.xyz"),
        (&["convert", ".", "x.csv"], "give a file, not a folder"),
        (&["convert", "there.xyz", "x.csv"], "or --from FORMAT"),
        (&["convert", "a.fm2", "x.xyz"], "or --to FORMAT"),
        (&["replay", "nowhere.jsonl"], "nowhere.jsonl"),
    ] {
        let error = run(arguments, folder, 2);
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
    fs::write(folder.join("a.fm2"), "version 3").expect("written");
    fs::write(folder.join("a.r08"), [0, 0]).expect("written");
    for log in ["log.xyz", "log.bk2"] {
        let error = run(&["replay", "a.r08", "--verify", log], folder, 2);
        assert!(error.contains(&format!("--verify {log}: expected a log")) && !error.contains("FORMAT"), "{error}");
    }
    fs::write(folder.join("odd.r08"), [1, 0, 2]).expect("written");
    let odd = maxout(&["replay", "odd.r08"], folder);
    let said = String::from_utf8_lossy(&odd.stderr);
    assert!(odd.status.success() && said.contains("odd.r08: the last entry is cut off"), "{said}");
    assert!(run(&["convert", "a.fm2", "a.fm2"], folder, 2).contains("at once"));
}

#[test]
fn a_rom_that_never_reads_the_gamepad_ends_the_replay_of_polls() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut rom = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes")).expect("the cartridge");
    // The ROM's program starts at $FF00; this one loops there for ever.
    let begin = 16 + 0x7F00;
    rom[begin..begin + 3].copy_from_slice(&[0x4C, 0x00, 0xFF]);
    fs::write(folder.join("idle.nes"), rom).expect("written");
    fs::write(folder.join("game.r08"), [0; 20]).expect("written");
    for arguments in [&["replay", "game.r08"][..], &["convert", "game.r08", "game.csv"]] {
        let output = maxout(&[arguments, &["idle.nes", "--force"]].concat(), folder);
        // On a slow machine there are progress lines before it.
        let error = String::from_utf8_lossy(&output.stderr).lines().last().map(str::to_owned).unwrap_or_default();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("expected the game to read the gamepad, found 3600 frames"), "{error}");
    }
}

#[test]
fn movies_made_by_people_survive_as_archives_and_play_alike_from_their_logs() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in ["tasvideos_239m", "tasvideos_1596m", "tasvideos_4853m"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/movies/{name}.fm2"));
        let Some(path) = skipped::beside("movies", &path) else { continue };
        let path = path.to_str().expect("UTF-8");
        let [bk2, fm2, csv, r08] = ["bk2", "fm2", "csv", "r08"].map(|format| format!("{name}.{format}"));
        convert(path, &bk2, folder);
        convert(&bk2, &fm2, folder);
        let (theirs, ours) = (Movie::open(path).expect("a movie"), Movie::open(folder.join(&fm2)).expect("a movie"));
        assert_eq!(ours.lines, theirs.lines);
        assert_eq!(ours.header.rom_md5, theirs.header.rom_md5);
        assert_eq!(ours.header.rerecords, theirs.header.rerecords);
        convert(path, &r08, folder);
        run(&["convert", &r08, &csv, "--console", "simulated", "--past-the-end", "400"], folder, 0);
        let arguments = ["replay", path, "--console", "simulated", "--verify", &csv, "--json"];
        let report: serde_json::Value = serde_json::from_str(&run(&arguments, folder, 0)).expect("JSON");
        assert!(report["verification"]["frames"].as_u64().expect("a number") > 10_000);
        assert_eq!(report["score"], 999_999);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_replay_leaves_a_whole_file_says_so_and_ends_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none", "--until"];
    run(&[&game[..], &["frames:20000", "--movie", "a.fm2"]].concat(), folder.path(), 0);
    let ended = |arguments: &[&str], growing: &str, told: &str| {
        let output = fs::File::create(folder.path().join("output")).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
        command.args(arguments).current_dir(folder.path()).env_remove("RUST_LOG").stdin(Stdio::null());
        let child = command.stdout(output).stderr(Stdio::piped()).spawn().expect("the program starts");
        super::waiting::wait_for_lines(&folder.path().join(growing), 300, 60);
        super::waiting::signal("-INT", child.id());
        let found = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        assert_eq!(found.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("maxout: stopped after ") && said.contains(told), "{arguments:?}: {said}");
    };
    ended(&["convert", "a.fm2", "b.csv"], "b.csv", " frames: the output ends there");
    let log = bytes(folder.path(), "b.csv");
    assert!(log.ends_with(b"\n") && rows(&log).len() > 250);
    ended(&["report", "a.fm2"], "output", " frames: the page ends there");
    let page = String::from_utf8(bytes(folder.path(), "output")).expect("UTF-8");
    assert!(page.ends_with("</script>\n</body>\n</html>\n"), "{page}");
}
