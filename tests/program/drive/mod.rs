//! `maxout drive`: the same game as `play`, over every link, and one clear line for every host that does
//! not keep to the protocol.
#![cfg(unix)]

#[path = "../../../crates/host/tests/host/mod.rs"]
mod host;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;

use maxout_console::{Emulator, Rom};
use maxout_engine::console::Console;
use maxout_engine::gamepad::Buttons;
use maxout_host::protocol::RamKind;
use serde_json::Value;
use tempfile::TempDir;

use host::{Connection, TestHost};

use crate::skipped;

const PAGE: &str = include_str!("../../../docs/hosts.md");
/// A core for the NES that Debian has.
const CORE: &str = "/usr/lib/x86_64-linux-gnu/libretro/nestopia_libretro.so";

/// Frames of a game: past the menus of the default seed, with some pieces.
const FRAMES: &str = "frames:1500";

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A log without its header.
fn rows(log: &Path) -> String {
    let text = fs::read_to_string(log).expect("a log");
    text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// The rows of the same game by `play`.
static PLAYED: LazyLock<String> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.csv");
    let output = program()
        .args(["play", "--view", "none", "--evaluator", "el-tetris", "--until", FRAMES, "--field", "--log"])
        .arg(&log)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    rows(&log)
});

/// `maxout drive` that runs in a folder of its own.
struct Drive {
    folder: TempDir,
    child: Child,
}

/// How it ended.
struct Ended {
    folder: TempDir,
    status: ExitStatus,
    output: String,
    errors: String,
}

impl Drive {
    fn start(options: &[&str]) -> Drive {
        Drive::start_in(tempfile::tempdir().expect("a folder"), options)
    }

    fn start_in(folder: TempDir, options: &[&str]) -> Drive {
        let child = program()
            .current_dir(folder.path())
            .args(["drive", "--view", "none", "--json", "--log", "game.csv", "--field", "--until", FRAMES])
            .args(["--evaluator", "el-tetris"])
            .args(options)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Drive { folder, child }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The first line of standard error.
    fn first_words(&mut self) -> String {
        let errors = self.child.stderr.as_mut().expect("a pipe");
        let mut line = String::new();
        let mut byte = [0];
        while errors.read_exact(&mut byte).is_ok() && byte != *b"\n" {
            line.push(char::from(byte[0]));
        }
        line
    }

    fn end(mut self) -> Ended {
        let read = |pipe: Option<&mut dyn Read>| {
            let mut text = String::new();
            pipe.map(|pipe| pipe.read_to_string(&mut text));
            text
        };
        let errors = read(self.child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read));
        let output = read(self.child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read));
        let status = self.child.wait().expect("it ends");
        Ended { folder: self.folder, status, output, errors }
    }
}

impl Ended {
    fn summary(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {} {}", self.output, self.errors))
    }

    /// The files of its folder.
    fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).expect("a folder");
        let mut files: Vec<String> =
            files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        files.sort();
        files
    }

    /// It has played the game of `play`, and has left nothing but the log.
    fn has_played(&self) {
        assert_eq!(self.status.code(), Some(0), "{}", self.errors);
        assert!(rows(&self.folder.path().join("game.csv")) == *PLAYED, "the rows are those of play");
        assert_eq!(self.files(), ["game.csv"]);
    }
}

/// The embedded emulator with the cartridge in it, as a host.
fn switched_on(connection: Connection, ram: RamKind) -> TestHost<Emulator> {
    TestHost::start(connection, ram, Emulator::new(&Rom::cartridge()).expect("a console"))
}

#[test]
fn a_host_at_pipes_gives_the_game_of_play() {
    let drive = Drive::start(&["--pipes", "pipes"]);
    let mut host = switched_on(Connection::pipes(&drive.path("pipes")), RamKind::All);
    assert!(!drive.path("pipes/to-host").exists(), "the names are gone as soon as the host is there");
    let reason = host.play();
    let ended = drive.end();
    ended.has_played();
    let summary = ended.summary();
    assert_eq!(
        (&summary["host"], &summary["rom"], &summary["rom_sha1"]),
        (&"Test host 1.0".into(), &Value::Null, &Value::Null)
    );
    assert_eq!(reason, "frames:1500 reached");
}

#[test]
fn every_other_link_and_a_list_of_addresses_give_the_game_of_play() {
    let drive = Drive::start(&["--pipes", "pipes"]);
    let connection = Connection::pipes(&drive.path("pipes"));
    switched_on(connection, RamKind::List).play();
    drive.end().has_played();

    let drive = Drive::start(&["--socket", "socket"]);
    switched_on(Connection::socket(&drive.path("socket")), RamKind::All).play();
    drive.end().has_played();

    let mut drive = Drive::start(&["--tcp", "0"]);
    let words = drive.first_words();
    let address = words.strip_prefix("waiting for a host at TCP ").and_then(|rest| rest.split(';').next());
    switched_on(Connection::tcp(address.expect("an address")), RamKind::All).play();
    drive.end().has_played();
}

#[test]
fn at_standard_input_and_output_nothing_else_is_printed_there() {
    let mut drive = Drive::start(&["--stdio"]);
    let mut host = switched_on(Connection::stdio(&mut drive.child), RamKind::All);
    // Every byte is a part of a message: the host reads no other.
    assert_eq!(host.play(), "frames:1500 reached");
    assert!(host.connection.message().is_none(), "nothing comes after the last message");
    let ended = drive.end();
    ended.has_played();
    let summary = ended.errors.lines().last().expect("a summary");
    let summary: Value = serde_json::from_str(summary).expect("JSON, on standard error");
    assert_eq!((&summary["host"], &summary["desyncs"]), (&"Test host 1.0".into(), &0.into()));
}

#[test]
fn the_summary_for_people_names_the_host_and_the_other_outputs_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = program()
        .current_dir(folder.path())
        .args(["drive", "--pipes", "pipes", "--view", "none", "--until", FRAMES, "--movie", "game.fm2"])
        .args(["--report", "game.html", "--screenshot", "end.png", "--record", "game.gif", "--record-from", "1450"])
        .spawn()
        .expect("the program starts");
    switched_on(Connection::pipes(&folder.path().join("pipes")), RamKind::All).play();
    let output = child.wait_with_output().expect("it ends");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("replay"), "the movie begins at power-on");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && text.contains("\nhost         Test host 1.0\n"), "{text}");
    assert!(!text.contains("\nrom ") && text.contains("\ndesyncs      0\n"), "{text}");
    let size = |name: &str| fs::metadata(folder.path().join(name)).expect(name).len();
    for name in ["game.fm2", "game.html", "end.png", "game.gif"] {
        assert!(size(name) > 1_000, "{name}");
    }
    let movie = fs::read_to_string(folder.path().join("game.fm2")).expect("a movie");
    assert!(movie.contains("comment emulator: Test host 1.0\n") && !movie.contains("comment sha1"), "{movie:.900}");
}

#[test]
fn a_movie_of_a_game_that_began_before_the_run_is_said_not_to_replay() {
    let drive = Drive::start(&["--pipes", "pipes", "--movie", "late.fm2"]);
    let mut console = Emulator::new(&Rom::cartridge()).expect("a console");
    (0..100).for_each(|_| console.step(Buttons::NONE).expect("a frame"));
    TestHost::start(Connection::pipes(&drive.path("pipes")), RamKind::All, console).play();
    let ended = drive.end();
    let line = "game.csv, late.fm2 will not replay: the run began after power-on";
    assert!(ended.errors.lines().any(|found| found == line), "{}", ended.errors);
}

/// `maxout drive` with these options ends before there is a host; its one line, and its exit code.
fn refused(options: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = program().current_dir(folder.path()).arg("drive").args(options).output().expect("the program starts");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(output.stdout.is_empty() && !errors.contains("panicked"), "{errors}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
    (errors, output.status.code())
}

#[test]
fn what_a_host_cannot_do_is_refused_before_there_is_one() {
    for (options, expected) in [
        (&["--stdio", "--log", "-"][..], "standard output belongs to the host"),
        (&["--stdio", "--view", "terminal"], "the terminal view needs standard output"),
        (&["--pipes", "pipes", "--input", "teleport"], "maxout writes no RAM of a host"),
        (&["--pipes", "pipes", "--record", "a.gif", "--record-overlay", "off"], "a host sends none"),
        (&["--pipes", "no/such/pipes"], "cannot make the folder no/such/pipes for pipes"),
        (&["--socket", "no/such/socket"], "cannot make the socket no/such/socket"),
        (&["--pipes", "pipes", "--map", "no.toml"], "cannot read the RAM map no.toml"),
    ] {
        let (line, code) = refused(options);
        assert!(line.starts_with("maxout: ") && line.contains(expected), "{options:?}: {line}");
        assert_eq!((line.lines().count(), code), (1, Some(2)), "{options:?}: {line}");
    }
    for options in [
        &["--tcp", "192.0.2.1:7000"][..],
        &["--tcp", "x"],
        &["--tcp", "--stdio"],
        &["--pipes", "a", "--socket", "b"],
        &["--host-timeout", "0"],
        &["tetris.nes"],
        &["--console", "simulated"],
    ] {
        let (text, code) = refused(options);
        assert!(text.ends_with("; see maxout drive --help\n") && code == Some(2), "{options:?}: {text}");
    }
}

#[test]
fn a_second_bot_and_a_killed_one_do_not_keep_others_from_playing() {
    let mut first = Drive::start(&["--pipes", "pipes"]);
    first.first_words();
    let second = program()
        .current_dir(first.folder.path())
        .args(["drive", "--view", "none", "--pipes", "pipes"])
        .output()
        .expect("the program starts");
    let line = String::from_utf8(second.stderr).expect("text");
    assert!(line.starts_with("maxout: another maxout drive uses the pipes in pipes: wait until it ends"), "{line}");
    assert_eq!((line.lines().count(), second.status.code()), (1, Some(2)));

    // Killed, it leaves its pipes; the next run takes them over and removes them.
    first.child.kill().expect("it is killed");
    first.child.wait().expect("it ends");
    assert!(first.path("pipes/to-host").exists());
    let third = Drive::start_in(first.folder, &["--pipes", "pipes", "--overwrite"]);
    switched_on(Connection::pipes(&third.path("pipes")), RamKind::All).play();
    let ended = third.end();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
    assert!(rows(&ended.folder.path().join("game.csv")) == *PLAYED);
    assert_eq!(fs::read_dir(ended.folder.path().join("pipes")).expect("it was there before").count(), 0);
}

#[test]
fn a_signal_ends_the_wait_and_the_game_and_nothing_is_left() {
    let interrupt = |drive: &Drive| crate::waiting::signal("-INT", drive.child.id());
    let mut drive = Drive::start(&["--pipes", "pipes"]);
    drive.first_words();
    interrupt(&drive);
    let ended = drive.end();
    assert_eq!((ended.status.code(), &*ended.errors), (Some(1), "maxout: stopped before a host came\n"));
    assert!(ended.files().is_empty(), "a run that has not begun writes nothing");

    let drive = Drive::start(&["--pipes", "pipes"]);
    let mut host = switched_on(Connection::pipes(&drive.path("pipes")), RamKind::All);
    host.frames(700);
    host.buttons().expect("a frame");
    interrupt(&drive);
    host.buttons().expect_err("a goodbye");
    let ended = drive.end();
    assert_eq!((ended.status.code(), &ended.summary()["outcome"]), (Some(1), &"stopped".into()));
    assert_eq!(ended.summary()["frames"], 700);
}

#[test]
fn a_folder_and_a_script_of_the_user_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipes = folder.path().join("pipes");
    fs::DirBuilder::new().mode(0o700).create(&pipes).expect("made");
    let attach = |kept: bool| {
        let mut run = crate::waiting::started(&["drive", "mesen", "--pipes", "pipes"], folder.path());
        if kept {
            crate::waiting::wait(60, "the script is written", || pipes.join("mesen.lua").exists());
            crate::waiting::signal("-INT", run.id());
        }
        let mut said = String::new();
        run.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (run.wait().expect("it ends").code(), said)
    };
    let (code, said) = attach(true);
    assert_eq!((code, pipes.exists(), pipes.join("mesen.lua").exists()), (Some(1), true, false), "{said}");
    fs::write(pipes.join("mesen.lua"), "-- mine\n").expect("written");
    let (code, said) = attach(false);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("mesen.lua: expected a script that maxout has written"), "{said}");
    assert_eq!(fs::read_to_string(pipes.join("mesen.lua")).expect("kept"), "-- mine\n");
    // What a killed run has left is replaced.
    fs::write(pipes.join("mesen.lua"), "local settings = { folder = \"/\" }\n").expect("written");
    let mut run = crate::waiting::started(&["drive", "mesen", "--pipes", "pipes"], folder.path());
    let script = || fs::read_to_string(pipes.join("mesen.lua")).unwrap_or_default();
    crate::waiting::wait(60, "the script is written", || script().contains("function maxout.join("));
    crate::waiting::signal("-INT", run.id());
    assert_eq!(run.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_host_that_goes_away_leaves_a_summary_and_a_log() {
    let drive = Drive::start(&["--pipes", "pipes"]);
    let mut host = switched_on(Connection::pipes(&drive.path("pipes")), RamKind::All);
    host.frames(1_200);
    drop(host);
    let ended = drive.end();
    assert_eq!((ended.status.code(), &ended.summary()["frames"]), (Some(1), &1_200.into()));
    let line = ended.errors.lines().last().expect("a line");
    assert_eq!(line, "maxout: host Test host 1.0, frame 1200: it has closed the connection");
    let rows = rows(&ended.folder.path().join("game.csv"));
    assert!(PLAYED.starts_with(&rows) && rows.lines().count() == 1_201);
}

#[test]
fn the_page_has_the_examples_word_by_word_and_they_are_short() {
    for (language, example) in [
        ("python", include_str!("../../../docs/examples/host.py")),
        ("lua", include_str!("../../../docs/examples/host.lua")),
    ] {
        assert!(PAGE.contains(&format!("```{language}\n{example}```\n")), "{language}");
        assert!(example.lines().count() <= 40, "{language}");
    }
}

#[test]
fn the_example_in_python_plays_in_an_emulator_that_is_not_ours_with_the_log_of_play() {
    if skipped::program("python3").is_none() {
        return;
    }
    if !Path::new(CORE).exists() {
        return skipped::skipped("libretro-nestopia", "apt install libretro-nestopia");
    }
    let mut drive = Drive::start(&["--tcp", "0"]);
    let words = drive.first_words();
    let port = words.split([':', ';']).nth(1).expect("a port").to_owned();
    let cartridge = drive.path("maxout.nes");
    let written = program().args(["rom", "--write"]).arg(&cartridge).output().expect("the program starts");
    assert!(written.status.success());
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/host.py");
    let host = Command::new("python3").arg(example).arg(CORE).arg(&cartridge).arg(port).output().expect("python3");
    assert!(host.status.success(), "{}", String::from_utf8_lossy(&host.stderr));
    fs::remove_file(&cartridge).expect("a file");
    let ended = drive.end();
    ended.has_played();
    assert_eq!((&ended.summary()["host"], &ended.summary()["desyncs"]), (&"a libretro core".into(), &0.into()));
}

/// The emulator is paused, so no frame comes and no view is asked.
#[cfg(target_os = "linux")]
#[test]
fn a_key_ends_the_game_of_a_paused_host_and_the_view_names_the_host() {
    if skipped::program("script").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let maxout = env!("CARGO_BIN_EXE_maxout");
    let game = format!(
        "stty rows 30 cols 120; {maxout} drive --pipes pipes --view terminal --evaluator el-tetris --json; echo $? > code"
    );
    // `script` owns the other end of the terminal.
    let mut terminal = Command::new("script")
        .args(["-q", "-f", "-c", &game, "shown"])
        .current_dir(folder.path())
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("script starts");
    let mut host = switched_on(Connection::pipes(&folder.path().join("pipes")), RamKind::All);
    let shown = || String::from_utf8_lossy(&fs::read(folder.path().join("shown")).expect("a file")).into_owned();
    // The view may name the host before the first frame, without which a stop has no summary.
    host.frames(100);
    while !shown().contains("Test host 1.0") {
        host.frames(100);
    }
    host.buttons().expect("a frame");
    let mut keys = terminal.stdin.take().expect("a pipe");
    keys.write_all(b"q").expect("a key");
    assert_eq!(host.buttons().expect_err("a goodbye"), "stopped before maxout");
    drop(keys);
    terminal.wait().expect("it ends");
    assert_eq!(fs::read_to_string(folder.path().join("code")).expect("a code").trim(), "1");
    assert!(shown().contains("\"outcome\":\"stopped\""), "the summary comes after the view");
}
