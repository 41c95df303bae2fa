//! Films of games and of replays.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use maxout_console::{Emulator, Rom};
use maxout_engine::console::{Console, Video};
use maxout_formats::film::Rgb;
use maxout_formats::fm2::Step;
use maxout_formats::{FileFormat, InputFile, Presses};

use super::shown::Shown;
use crate::skipped;

/// A player that thinks quickly.
const PLAY: [&str; 7] = ["play", "--evaluator", "el-tetris", "--input", "even-frames", "--until", "pieces:6"];

fn maxout(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The pictures of the built-in cartridge under these buttons.
fn pictures(log: &Path) -> Vec<Vec<Rgb>> {
    let input = InputFile::open(log, FileFormat::of_path(log).unwrap()).unwrap();
    let Presses::Steps(steps) = input.presses else { panic!("a log has steps") };
    let mut console = Emulator::with_video(&Rom::cartridge(), Video::On).unwrap();
    let pictures = steps.into_iter().map(|step| {
        let Step::Frame(buttons) = step else { panic!("frames only") };
        console.step(buttons).unwrap();
        console.picture().unwrap().pixels
    });
    pictures.collect()
}

#[test]
#[ignore = "films of the emulator, pixel for pixel; .ci/run runs it"]
fn a_film_shows_what_the_console_drew() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["--log", "game.csv", "--record", "game.gif", "--record", "game.png"];
    let more = ["--record-overlay", "off", "--record-scale", "1", "--record-from", "200", "--record-to", "500"];
    done(&maxout(folder.path(), &[&PLAY[..], &files, &more].concat()).output().unwrap());
    let pictures = pictures(&folder.path().join("game.csv"));
    for (name, every, ticks) in [("game.gif", 2, 100.0), ("game.png", 1, 10_000.0)] {
        let shown = Shown::read(&folder.path().join(name));
        for (index, picture) in pictures[200..500].iter().enumerate().step_by(every) {
            let tick = (index as f64 / 60.0988 * ticks).round() as u64;
            assert!(shown.at(tick) == picture, "{name}: frame {}", 200 + index);
        }
        assert!((shown.ticks() as f64 - 300.0 / 60.0988 * ticks).abs() <= 1.0, "{name}");
    }
    let colours = maxout_console::colours();
    assert!(pictures.iter().flatten().all(|pixel| colours.contains(pixel)), "the console's own colours");
}

#[test]
#[ignore = "a game filmed twice; .ci/run runs it"]
fn the_film_of_a_log_is_the_film_of_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let played = [&PLAY[..], &["--log", "game.csv", "--movie", "game.fm2", "--record", "played.gif"]].concat();
    let film = ["--record-speed", "4", "--record-from", "150"];
    done(&maxout(folder.path(), &[&played[..], &film].concat()).output().unwrap());
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for source in ["game.csv", "game.fm2"] {
        let render = [&["render", source, "--record", "again.gif"][..], &film].concat();
        let output = maxout(folder.path(), &render).output().unwrap();
        done(&output);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("presses something else"), "the plans are those of the game: {said}");
        assert!(bytes("played.gif") == bytes("again.gif"), "{source}");
    }
    // Without a known player the film shows the same game without plans.
    let log = String::from_utf8(bytes("game.csv")).unwrap();
    let anonymous = log.lines().filter(|line| !line.starts_with("# settings")).map(|line| format!("{line}\n"));
    fs::write(folder.path().join("anonymous.csv"), anonymous.collect::<String>()).unwrap();
    let film = [&["render", "anonymous.csv", "--record", "anonymous.gif"][..], &film].concat();
    done(&maxout(folder.path(), &film).output().unwrap());
    let [known, unknown] = ["played.gif", "anonymous.gif"].map(|name| Shown::read(&folder.path().join(name)));
    assert!(known.ticks() == unknown.ticks() && known.pictures != unknown.pictures);
}

#[test]
fn what_cannot_be_filmed_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], words: &[&str]| {
        let output = maxout(folder.path(), arguments).env("PATH", "").output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{arguments:?}: {error}");
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
    };
    refused(&["play", "--record", "game.webm"], &["game.webm", ".gif, .png (animated) or .mp4"]);
    refused(&["play", "--record", "none/game.gif"], &["cannot write --record none/game.gif", "No such file"]);
    refused(&["play", "--record", "game.mp4"], &["game.mp4", "ffmpeg, which is not installed"]);
    refused(&["play", "--record", "a.gif", "--record-every", "1"], &["a.gif", "one frame of 2", "20 ms"]);
    refused(&["play", "--record", "a.gif", "--record-speed", "65"], &["1 to 64", "65"]);
    refused(&["play", "--record", "a.gif", "--record-scale", "0"], &["1 to 8", "0"]);
    refused(&["play", "--record", "a.gif", "--record-from", "9", "--record-to", "9"], &["--record-to", "later", "9"]);
    refused(&["play", "--record", "a.png", "--screenshot", "./a.png"], &["a.png", "the same file"]);
    let simulated = ["play", "--console", "simulated", "--record", "a.gif", "--record-overlay", "off"];
    refused(&simulated, &["--record-overlay off", "draws none", "--console cartridge"]);
    refused(&["render", "game.csv"], &["-o FILE.gif, .png or .mp4"]);
    refused(&["render", "game.csv", "--record", "a.gif"], &["game.csv", "No such file"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_complete_film() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--until", "topout", "--record", "a.gif"];
    for signal in ["-INT", "-KILL"] {
        let mut child = maxout(folder.path(), &run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let path = folder.path().join("a.gif");
        while fs::metadata(&path).map_or(0, |found| found.len()) < 40_000 {
            assert!(child.try_wait().unwrap().is_none(), "it plays on");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        crate::waiting::signal(signal, child.id());
        child.wait().unwrap();
        assert!(Shown::read(&path).pictures.len() > 20, "{signal}");
        fs::remove_file(path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_a_recording_names_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let log = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--until", "pieces:2", "--log", "a.csv"];
    done(&maxout(folder.path(), &[&log[..], &["--view", "none"]].concat()).output().unwrap());
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let text = fs::read_to_string(at("a.csv")).unwrap();
    let eval = r#""eval":{"#;
    assert!(text.contains(eval), "{text}");
    let named = format!(r#"{eval}"weights":{:?},"#, at("pipe").to_str().unwrap());
    fs::write(at("a.csv"), text.replacen(eval, &named, 1)).unwrap();
    done(&maxout(folder.path(), &["render", "a.csv", "--console", "simulated", "-o", "a.gif"]).output().unwrap());
}

#[cfg(unix)]
#[test]
fn an_interrupted_render_says_so_and_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let movie =
        ["play", "--console", "simulated", "--evaluator", "el-tetris", "--until", "frames:20000", "--movie", "a.fm2"];
    done(&maxout(folder.path(), &[&movie[..], &["--view", "none"]].concat()).output().unwrap());
    let render = ["render", "a.fm2", "--console", "simulated", "-o", "a.gif"];
    let mut child = maxout(folder.path(), &render).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let path = folder.path().join("a.gif");
    while fs::metadata(&path).map_or(0, |found| found.len()) < 40_000 {
        assert!(child.try_wait().unwrap().is_none(), "it plays on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    crate::waiting::signal("-INT", child.id());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("stopped after ") && said.contains(" frames: the film ends there"), "{said}");
    assert!(Shown::read(&path).pictures.len() > 20);
}

#[test]
fn an_mp4_has_every_frame_where_ffmpeg_is_installed() {
    if skipped::program("ffmpeg").is_none() || skipped::program("ffprobe").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let film = ["--record", "-a:b.mp4", "--record-scale", "1", "--record-to", "100", "--record-every", "3"];
    let mut film: Vec<&str> = [&PLAY[..], &film].concat();
    let name = film.iter().position(|word| *word == "-a:b.mp4").unwrap();
    film[name] = "./-a:b.mp4";
    done(&maxout(folder.path(), &film).output().unwrap());
    let entries = "stream=width,height,nb_read_frames,r_frame_rate";
    let probe = ["-v", "error", "-count_frames", "-show_entries", entries, "-of", "csv=p=0", "file:-a:b.mp4"];
    let output = Command::new("ffprobe").args(probe).current_dir(folder.path()).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    let fields: Vec<&str> = found.trim().split(',').collect();
    assert_eq!((fields[0], fields[1], fields[3]), ("426", "240", "34"), "{found}");
    let (frames, seconds) = fields[2].split_once('/').unwrap();
    let rate = frames.parse::<f64>().unwrap() / seconds.parse::<f64>().unwrap();
    assert!((rate - 60.0988 / 3.0).abs() < 0.001, "{found}");
}
