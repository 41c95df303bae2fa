//! `maxout drive`: the same game as `play`, over every link, and one clear line for every host that does
//! not keep to the protocol.
#![cfg(unix)]

#[path = "../../../crates/host/tests/host/mod.rs"]
mod host;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;

use maxout_console::{Emulator, Rom};
use maxout_host::protocol::RamKind;
use serde_json::Value;
use tempfile::TempDir;

use host::{Connection, TestHost};

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
        .args(["play", "--view", "none", "--until", FRAMES, "--field", "--log"])
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
