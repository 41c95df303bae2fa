//! `maxout drive fceux`: the installed FCEUX plays the same game as the console inside maxout, and
//! nothing is left behind.
//!
//! If FCEUX is not installed, the tests that need it say so.
#![cfg(unix)]

use std::fs::{self, DirBuilder};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::skipped;

/// Past the menus of the default seed, with some pieces.
const SHORT: &str = "frames:1500";
/// For FCEUX: no window, no sound, none of the user's settings.
const HEADLESS: [&str; 6] = ["--no-config", "1", "--sound", "0", "--videoDriver", "2"];
/// How long a test waits for what comes within a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder for the program's files, one for its temporary files, and a home.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        for folder in ["temporary", "home", "runtime"] {
            // Qt makes a runtime folder of its own if others can read this one.
            DirBuilder::new().mode(0o700).create(place.path(folder)).expect("a folder");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A program that has its files here.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.0.path())
            .env("TMPDIR", self.path("temporary"))
            .env("XDG_RUNTIME_DIR", self.path("runtime"))
            .env("HOME", self.path("home"))
            .env("FCEUX_HOME", self.path("home"))
            .env("QT_QPA_PLATFORM", "offscreen")
            .env("SDL_VIDEODRIVER", "dummy")
            .env("SDL_AUDIODRIVER", "dummy")
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn maxout(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_maxout"))
    }

    /// `maxout drive fceux` until this goal.
    fn drive(&self, options: &[&str], goal: &str) -> Command {
        let mut command = self.maxout();
        command.args(["drive", "fceux", "--view", "none", "--speed", "max", "--until", goal]);
        command.args(["--log", "driven.csv", "--field"]).args(options);
        command.arg("--").args(HEADLESS);
        command
    }

    /// `maxout play`, the same game.
    fn play(&self, options: &[&str], goal: &str) -> Command {
        let mut command = self.maxout();
        command.args(["play", "--view", "none", "--until", goal, "--log", "played.csv", "--field"]).args(options);
        command
    }

    /// The rows of a log: all lines but the header's.
    fn rows(&self, log: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(log)).expect("a log");
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    }

    fn assert_same_rows(&self) {
        let (driven, played) = (self.rows("driven.csv"), self.rows("played.csv"));
        let different = driven.iter().zip(&played).find(|(driven, played)| driven != played);
        assert_eq!(different, None, "driven and played");
        assert_eq!(driven.len(), played.len());
    }

    /// No temporary file is left, and no process that was started with one.
    fn assert_nothing_is_left(&self) {
        for folder in ["temporary", "runtime"] {
            let left: Vec<_> = fs::read_dir(self.path(folder)).expect("a folder").flatten().collect();
            assert!(left.is_empty(), "{left:?}");
        }
        assert_eq!(self.emulators(), [0; 0], "processes");
    }

    /// The processes whose arguments name the folder for temporary files. None where they cannot be listed.
    fn emulators(&self) -> Vec<u32> {
        let folder = self.path("temporary").to_string_lossy().into_owned();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let names_it = |pid: &u32| {
            let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&arguments).contains(&folder)
        };
        processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(names_it).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn assert_done(output: &Output) {
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("host         FCEUX 2.") && stdout.contains("desyncs      0"), "{stdout}");
}

/// The last line on standard error.
fn last_line(output: &Output) -> String {
    text(&output.stderr).lines().next_back().unwrap_or_default().to_owned()
}

/// Waits until a frame of the game is in the log.
fn wait_for_rows(place: &Place, log: &str) {
    let start = Instant::now();
    while fs::read_to_string(place.path(log)).map_or(true, |text| text.lines().count() < 100) {
        assert!(start.elapsed() < PATIENCE, "no frames");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn fceux_plays_the_same_frames_as_the_console_inside() {
    let Some(_) = skipped::program("fceux") else { return };
    let place = Place::new();
    let mut played = place.play(&[], SHORT).spawn().expect("maxout starts");
    let driven = place.drive(&[], SHORT).output().expect("maxout starts");
    assert_done(&driven);
    assert!(played.wait().expect("it ends").success());
    place.assert_same_rows();
    place.assert_nothing_is_left();
}

#[test]
#[ignore = "a whole game in FCEUX and on the console inside; .ci/run runs it"]
fn fceux_plays_a_whole_game_to_999_999_as_the_console_inside_does() {
    let Some(_) = skipped::program("fceux") else { return };
    let place = Place::new();
    let mut played = place.play(&["--seed", "1"], "maxout").spawn().expect("maxout starts");
    let driven = place.drive(&["--seed", "1"], "maxout").output().expect("maxout starts");
    assert_done(&driven);
    assert!(text(&driven.stdout).starts_with("maxout reached after "), "{}", text(&driven.stdout));
    assert!(played.wait().expect("it ends").success());
    place.assert_same_rows();
    place.assert_nothing_is_left();
}

#[test]
#[ignore = "60 lines in FCEUX and on the console inside; .ci/run runs it"]
fn in_fceux_the_foreseen_pieces_come() {
    let Some(_) = skipped::program("fceux") else { return };
    let place = Place::new();
    let options = ["--seed", "1", "--rng", "steered"];
    let mut played = place.play(&options, "lines:60").spawn().expect("maxout starts");
    let driven = place.drive(&options, "lines:60").output().expect("maxout starts");
    assert_done(&driven);
    assert!(text(&driven.stdout).contains("NOT HONEST"), "{}", text(&driven.stdout));
    assert!(played.wait().expect("it ends").success());
    place.assert_same_rows();
    place.assert_nothing_is_left();
}

#[test]
fn an_fceux_that_is_open_is_played_in_and_lives_on() {
    let Some(fceux) = skipped::program("fceux") else { return };
    let place = Place::new();
    let options = ["--attach", "--speed", "max", "--view", "none", "--until", SHORT, "--log", "driven.csv", "--field"];
    let mut maxout = place.maxout().args(["drive", "fceux"]).args(options).spawn().expect("maxout starts");
    let mut said = BufReader::new(maxout.stderr.take().expect("a pipe")).lines();
    let line = said.next().expect("a line").expect("text");
    let script = place.path("runtime").join("maxout/fceux.lua");
    assert_eq!(line, format!("in FCEUX, open your game, then File > Load Lua Script, and start {}", script.display()));
    let mut played = place.play(&[], SHORT).spawn().expect("maxout starts");
    let cartridge = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes");
    let mut command = place.command(fceux);
    command.args(HEADLESS).arg("--loadlua").arg(&script).arg(cartridge);
    let mut fceux = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("FCEUX starts");
    let status = maxout.wait().expect("it ends");
    let is_alive = fceux.try_wait().expect("a process").is_none();
    fceux.kill().and_then(|()| fceux.wait()).expect("killed");
    assert!(status.success() && is_alive, "{status}");
    assert!(played.wait().expect("it ends").success());
    place.assert_same_rows();
    place.assert_nothing_is_left();
}

/// Starts a game that does not end, and does this while it runs.
fn in_the_middle_of_a_game(act: impl FnOnce(&Place, &mut Child)) -> Option<(Place, Output)> {
    skipped::program("fceux")?;
    let place = Place::new();
    let mut maxout = place.drive(&[], "frames:1000000000").spawn().expect("maxout starts");
    wait_for_rows(&place, "driven.csv");
    act(&place, &mut maxout);
    let output = maxout.wait_with_output().expect("it ends");
    Some((place, output))
}

#[test]
fn an_interrupted_run_ends_fceux() {
    let interrupted = in_the_middle_of_a_game(|_, maxout| crate::waiting::signal("-INT", maxout.id()));
    let Some((place, output)) = interrupted else { return };
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("stopped before frames:1000000000"), "{}", text(&output.stdout));
    place.assert_nothing_is_left();
}

#[test]
fn an_fceux_that_is_killed_ends_the_run_with_one_line() {
    let killed = in_the_middle_of_a_game(|place, _| {
        place.emulators().into_iter().for_each(|fceux| crate::waiting::signal("-KILL", fceux))
    });
    let Some((place, output)) = killed else { return };
    assert_eq!(output.status.code(), Some(1));
    let line = last_line(&output);
    assert!(line.starts_with("maxout: host FCEUX 2."), "{line}");
    assert!(line.contains(": it has closed the connection; FCEUX has ended (signal: 9 (SIGKILL))"), "{line}");
    place.assert_nothing_is_left();
}

/// What `maxout drive fceux` says when this program is the FCEUX in `PATH`.
fn refused(fceux: &str, place: &Place, change: impl FnOnce(&mut Command) -> &mut Command) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/fceux").join(fceux);
    let mut paths = vec![folder];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(paths).expect("a path");
    let mut command = place.maxout();
    let output =
        change(command.args(["drive", "fceux", "--view", "none"]).env("PATH", path)).output().expect("it starts");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let place = Place::new();
    let (code, line) = refused("dies", &place, |command| command);
    let expected = "maxout: FCEUX has ended before its script ran (exit status: 3); it said: Qt Warning: could not connect \
                    to display\n";
    assert_eq!((code, &*line), (Some(1), expected));
    let (code, line) = refused("no-lua", &place, |command| command);
    assert_eq!(code, Some(2));
    assert!(line.contains("/no-lua/fceux 9.9 is built without Lua") && line.lines().count() == 1, "{line}");
    let nowhere = place.path("nowhere");
    let (code, line) = refused("dies", &place, |command| command.env("TMPDIR", &nowhere));
    let expected = format!("maxout: cannot make a folder for FCEUX in {}: ", nowhere.display());
    assert!(code == Some(2) && line.starts_with(&expected) && line.lines().count() == 1, "{line}");
    let mut rom = vec![0; 16 + 0xC000];
    rom[..7].copy_from_slice(b"NES\x1A\x02\x02\x10");
    fs::write(place.path("other.nes"), rom).expect("written");
    let (code, line) = refused("dies", &place, |command| command.arg("other.nes"));
    assert!(code == Some(2) && line.starts_with("maxout: other.nes is not a known ROM: "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    place.assert_nothing_is_left();
}

#[test]
fn another_game_in_fceux_is_noticed() {
    let Some(_) = skipped::program("fceux") else { return };
    let place = Place::new();
    // A program that loops at $C000 and counts nothing.
    let mut rom = vec![0; 16 + 0x8000 + 0x4000];
    rom[..7].copy_from_slice(b"NES\x1A\x02\x02\x10");
    rom[0x4010..0x4013].copy_from_slice(&[0x4C, 0x00, 0xC0]);
    rom[0x800A..0x8010].copy_from_slice(&[0x00, 0xC0, 0x00, 0xC0, 0x00, 0xC0]);
    fs::write(place.path("other.nes"), rom).expect("written");
    let output = place.drive(&["--force", "other.nes"], SHORT).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let line = last_line(&output);
    assert!(line.contains("no sign of the game in 600 frames: RAM $00"), "{line}");
    place.assert_nothing_is_left();
}
