//! The rules model and the console in the same long game: every mapped byte is compared in every
//! frame.

use super::claims::{Claims, Stage};
use super::error::Error;
use super::validation::{Check, CheckResult, Layer};
use maxout_engine::bot::Pilot;
use maxout_engine::console::Console;
use maxout_engine::game::PLATEAU;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{self, Search};
use maxout_engine::ram::{Decoder, Entry, RamMap};

/// Start level of the game. Chosen by hand, not measured.
const START_LEVEL: u8 = PLATEAU;

/// An entry of the checked map with the built-in entry of its name.
pub(super) struct Pair<'a> {
    pub checked: &'a Entry,
    pub rules: &'a Entry,
}

/// A byte of the model and of the console, and the result of comparing them.
struct Comparison {
    rules: u16,
    console: u16,
    compared: u64,
    /// Frame, expected, found.
    first_difference: Option<(u64, u8, u8)>,
}

/// Plays this many frames from power-on and compares. The bot reads the model, so that a wrong map
/// cannot mislead it. `playfield` is the address of the console's playfield.
pub(super) fn check(
    console: &mut dyn Console,
    pairs: &[Pair<'_>],
    playfield: u16,
    seed: u64,
    frames: u64,
    mut progress: impl FnMut(u64),
) -> Result<Vec<Check>, Error> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
    let evaluator = handmade::by_name("birken-v2", None).expect("a built-in evaluator");
    let mut pilot = Pilot::new(Box::new(Search::new(evaluator, planner::Settings::default())), START_LEVEL, seed);
    let mut model = Simulation::power_on();
    let mut stage = Stage::default();
    let mut claims = Claims::new();
    claims.playfield = Some(playfield);
    let mut comparisons: Vec<Vec<Comparison>> = pairs.iter().map(comparisons).collect();
    for frame in 0..frames {
        let buttons = pilot.buttons();
        model.step(buttons);
        console.step(buttons)?;
        if model.out_of_scope().is_some() {
            break;
        }
        let snapshot = decoder.decode(model.ram()).map_err(|_| Error::Stuck)?;
        pilot.observe(frame, snapshot).map_err(|_| Error::Stuck)?;
        stage = stage.next(model.ram());
        for byte in comparisons.iter_mut().flatten() {
            let Some(expected) = claims.expected(model.ram(), stage, None, byte.rules) else { continue };
            let found = console.ram()[usize::from(byte.console)];
            byte.compared += 1;
            if found != expected {
                byte.first_difference.get_or_insert((frame, expected, found));
            }
        }
        progress(frame + 1);
    }
    Ok(pairs.iter().zip(&comparisons).map(|(pair, bytes)| row(pair, bytes)).collect())
}

fn comparisons(pair: &Pair<'_>) -> Vec<Comparison> {
    let bytes = 0..pair.rules.size.min(pair.checked.size);
    let byte = |index| Comparison {
        rules: pair.rules.address + index,
        console: pair.checked.address + index,
        compared: 0,
        first_difference: None,
    };
    bytes.map(byte).collect()
}

fn row(pair: &Pair<'_>, bytes: &[Comparison]) -> Check {
    let compared: u64 = bytes.iter().map(|byte| byte.compared).sum();
    let first = bytes.iter().filter_map(|byte| Some((byte.first_difference?, byte.console))).min();
    let (verdict, evidence) = match first {
        Some(((frame, expected, found), address)) => (
            CheckResult::Failed,
            format!("frame {frame} of the bot's game: expected {expected:02X} at ${address:04X}, found {found:02X}"),
        ),
        None if compared == 0 => (CheckResult::Unknown, "not compared: a game does not show it".to_owned()),
        None => (CheckResult::Ok, format!("{compared} bytes compared, all equal")),
    };
    Check {
        name: pair.checked.name.clone(),
        address: Some(pair.checked.address),
        layer: Layer::Agreement,
        verdict,
        evidence,
        suggestion: None,
    }
}
