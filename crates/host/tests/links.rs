//! Every link gives the same game, and ends in one clear line when the host does not keep to the
//! protocol.
#![cfg(unix)]

mod host;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use maxout_engine::bot::{Error as RunError, Finished, Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::Search;
use maxout_engine::ram::{Decoder, RAM_SIZE, RamMap};
use maxout_host::protocol::{Answer, Hello, RamKind, Status};
use maxout_host::{Driven, Endpoint, Error, Settings, Waiting};

use host::{Connection, TestHost};

/// Frames of a game: past the menus of seed 1, with some pieces.
const FRAMES: u64 = 1_200;

fn settings() -> Settings {
    let map = RamMap::tetris_ntsc();
    let decoder = Decoder::new(&map).expect("the built-in map decodes");
    Settings { map, decoder, patience: Duration::from_secs(20), stop: Arc::default() }
}

fn pilot() -> Pilot {
    let evaluator = judge::by_name("el-tetris", None).expect("built in");
    Pilot::new(Box::new(Search::new(evaluator, maxout_engine::planner::Settings::default())), 19, 1)
}

/// Plays; every frame's buttons and RAM score, and how it ended.
fn play<C: Console>(console: C, frames: u64) -> (Vec<(Buttons, bool, u32, u16)>, Result<Finished, RunError>) {
    let decoder = settings().decoder;
    let mut run = Run::new(console, decoder, pilot(), Goal::Frames(frames));
    let mut seen = Vec::new();
    loop {
        match run.frame() {
            Err(error) => return (seen, Err(error)),
            Ok(report) => {
                seen.push((report.buttons, report.polled, report.snapshot.score, report.snapshot.rng));
                if let Some(finished) = report.finish(maxout_engine::bot::Flow::Continue).expect("no player fails") {
                    return (seen, Ok(finished));
                }
            }
        }
    }
}

/// A game with this host at the pipes of a new folder; what `host` returns, and how the game ended.
fn with_pipes<T: Send + 'static>(
    settings: Settings,
    host: impl FnOnce(Connection) -> T + Send + 'static,
) -> (T, Result<Driven, Error>, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let pipes = folder.path().join("pipes");
    let waiting = Waiting::open(&Endpoint::Pipes(pipes.clone())).expect("pipes");
    let host = thread::spawn(move || host(Connection::pipes(&pipes)));
    let driven = waiting.greet(settings);
    let driven = driven.map_err(|error| {
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
        error
    });
    // The game goes on while the host runs.
    let driven = match driven {
        Ok(driven) => driven,
        Err(error) => return (host.join().expect("the host ends"), Err(error), folder),
    };
    let _ = &driven;
    (host.join().expect("the host ends"), Ok(driven), folder)
}
