//! Every link gives the same game, and ends in one clear line when the host does not keep to the
//! protocol.
#![cfg(unix)]

mod faults;
mod games;
#[path = "../host/mod.rs"]
mod host;
mod places;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use maxout_engine::bot::{Finished, FrameSink, Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::game::Playfield;
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::Search;
use maxout_engine::ram::{Decoder, RAM_SIZE, Ram, RamMap};
use maxout_host::protocol::{Message, RamKind, Status};
use maxout_host::{Driven, Endpoint, Error, Settings, Waiting};

use host::{Connection, TestHost};

/// Frames of a game: past the menus of seed 1, with some pieces.
const FRAMES: u64 = 2_000;

fn settings() -> Settings {
    let map = RamMap::tetris_ntsc();
    let decoder = Decoder::new(&map).expect("the built-in map decodes");
    Settings { map, decoder, patience: Duration::from_secs(20), stop: Arc::default() }
}

fn pilot() -> Pilot {
    let evaluator = judge::by_name("el-tetris", None).expect("built in");
    Pilot::new(Box::new(Search::new(evaluator, maxout_engine::planner::Settings::default())), 19, 1)
}

/// A frame: buttons, whether the gamepads were read, score, random number, playfield.
type Seen = (Buttons, bool, u32, u16, Playfield);

/// Plays; every frame, and how it ended.
fn play<C: Console>(console: C, frames: u64) -> (Vec<Seen>, Result<Finished, String>) {
    let decoder = settings().decoder;
    let mut run = Run::new(console, decoder, pilot(), Goal::Frames(frames));
    let mut seen = Vec::new();
    loop {
        match run.frame() {
            Err(error) => return (seen, Err(error.to_string())),
            Ok(report) => {
                let snapshot = report.snapshot;
                seen.push((report.buttons, report.polled, snapshot.score, snapshot.rng, snapshot.playfield));
                if let Some(finished) = report.finish(maxout_engine::bot::Flow::Continue).expect("no player fails") {
                    return (seen, Ok(finished));
                }
            }
        }
    }
}

/// What came of a game with a host.
struct Met<T> {
    seen: Vec<Seen>,
    ended: Result<Finished, String>,
    /// What the host returned.
    host: T,
}

/// Plays with a host that runs beside, at an endpoint in a new folder. Nothing is left in the folder.
fn meet<T: Send + 'static>(
    endpoint: impl FnOnce(&Path) -> Endpoint,
    settings: Settings,
    host: impl FnOnce(Connection) -> T + Send + 'static,
) -> Met<T> {
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = Waiting::open(&endpoint(folder.path())).expect("it opens");
    let at = waiting.endpoint().clone();
    let host = thread::spawn(move || {
        host(match &at {
            Endpoint::Pipes(folder) => Connection::pipes(folder),
            Endpoint::Socket(path) => Connection::socket(path),
            Endpoint::Tcp(address) => Connection::tcp(&address.to_string()),
            Endpoint::Stdio => panic!("tests of the program try it"),
        })
    });
    let (seen, ended) = match waiting.greet(settings) {
        Ok(driven) => play(driven, FRAMES),
        Err(error) => (Vec::new(), Err(error.to_string())),
    };
    let host = host.join().expect("the host ends");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
    Met { seen, ended, host }
}

fn pipes(folder: &Path) -> Endpoint {
    Endpoint::Pipes(folder.join("pipes"))
}

fn socket(folder: &Path) -> Endpoint {
    Endpoint::Socket(folder.join("socket"))
}

fn port(_: &Path) -> Endpoint {
    Endpoint::Tcp(([127, 0, 0, 1], 0).into())
}

/// The rules model as a host; how it ended.
fn whole_game(connection: Connection, ram: RamKind) -> (String, u64, Vec<String>) {
    let mut host = TestHost::start(connection, ram, Simulated::power_on());
    (host.play(), host.ghosts, host.texts)
}

/// A host of a whole game at the pipes of a folder.
fn driven(folder: &Path) -> (Driven, thread::JoinHandle<(String, u64, Vec<String>)>) {
    let waiting = Waiting::open(&pipes(folder)).expect("pipes");
    let at = folder.join("pipes");
    let host = thread::spawn(move || whole_game(Connection::pipes(&at), RamKind::All));
    (waiting.greet(settings()).expect("a host"), host)
}

#[test]
fn every_link_gives_the_game_without_a_link() {
    let (expected, ended) = play(Simulated::power_on(), FRAMES);
    let tally = ended.expect("a game").tally;
    assert!(tally.pieces > 10 && tally.desyncs == 0, "{tally:?}");
    for (endpoint, ram) in [
        (pipes as fn(&Path) -> Endpoint, RamKind::All),
        (socket, RamKind::All),
        (port, RamKind::All),
        (pipes, RamKind::List),
        (port, RamKind::List),
    ] {
        let met = meet(endpoint, settings(), move |connection| whole_game(connection, ram));
        assert_eq!(met.ended.map(|finished| (finished.tally, finished.outcome)), Ok((tally, Outcome::Goal)));
        assert!(met.seen == expected, "the same frames");
        let (reason, _, _) = met.host;
        assert_eq!(reason, "the run has ended", "nobody has said why");
    }
}

#[test]
fn the_screen_of_the_host_shows_the_plan_and_the_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let (driven, host) = driven(folder.path());
    let mut screen = driven.screen();
    let mut run = Run::new(driven, settings().decoder, pilot(), Goal::Frames(FRAMES));
    let mut planned = 0;
    let mut last = false;
    while !last {
        let report = run.frame().expect("a frame");
        last = report.outcome.is_some();
        let visible = report.plan.map_or(0, |plan| {
            let (origin, cells) = (plan.placement, plan.placement.orientation.cells());
            cells.iter().filter(|(row, _)| origin.y + row >= 0).count()
        });
        // What is heard of the last frame is not sent any more.
        planned += if last { 0 } else { visible as u64 };
        screen.frame(&report).expect("nothing fails");
    }
    screen.ended("enough");
    drop(run);
    let (reason, ghosts, texts) = host.join().expect("the host ends");
    assert_eq!((reason.as_str(), ghosts), ("enough", planned));
    assert!(planned > 1_000, "{planned}");
    assert!(texts[0] == "score 0 tetrises - desyncs 0", "{texts:?}");
    assert!(texts.windows(2).all(|two| two[0] != two[1]), "only what has changed is sent");
}

#[test]
fn a_host_that_does_not_know_when_the_game_reads_the_gamepads_gives_the_same_frames() {
    let (expected, _) = play(Simulated::power_on(), FRAMES);
    assert!(expected.iter().any(|(_, polled, ..)| !polled), "there are frames in which it does not");
    let met = meet(pipes, settings(), |connection| {
        let mut host = TestHost::start(connection, RamKind::All, Simulated::power_on());
        while let Ok(buttons) = host.buttons() {
            let status = Status { polled: None, ..host.step(buttons) };
            let bytes = host.bytes(status);
            host.connection.say(&bytes);
        }
    });
    assert!(met.ended.is_ok() && met.seen == expected);
}

/// The line of a game that does not end well.
fn line<T: Send + 'static>(settings: Settings, host: impl FnOnce(Connection) -> T + Send + 'static) -> (String, u64) {
    let met = meet(pipes, settings, host);
    let line = met.ended.expect_err("no game");
    assert_eq!(line.lines().count(), 1, "{line}");
    (line, met.seen.len() as u64)
}

/// A host that plays this many frames before something happens.
fn after(frames: u64, connection: Connection) -> TestHost<Simulated> {
    let mut host = TestHost::start(connection, RamKind::All, Simulated::power_on());
    host.frames(frames);
    host
}

/// Frames until a piece of the game of seed 1 falls, and some more.
const IN_GAME: u64 = 1_400;
