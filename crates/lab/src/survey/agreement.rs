//! The rules model and the console in the same long game: every mapped byte is compared in every
//! frame.

use super::claims::{Claims, Stage};
use super::error::Error;
use super::validation::{Check, CheckResult, Layer};
use maxout_engine::bot::{Event, Pilot};
use maxout_engine::console::{Console, Reset};
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

/// Frames of a game after its topout: the curtain takes about 80.
const CURTAIN: u32 = 200;

/// Plays this many frames from power-on, game after game, and compares each frame. The bot reads the model, so that a wrong map
/// cannot mislead it. After a topout the console is switched off and on, and the game of the next seed begins. With the checks comes the number of
/// frames that were played: fewer if the console cannot be switched off. `playfield` is the address of the console's playfield.
pub(super) fn check(
    console: &mut dyn Console,
    pairs: &[Pair<'_>],
    playfield: u16,
    seed: u64,
    frames: u64,
    mut progress: impl FnMut(u64),
) -> Result<(Vec<Check>, u64), Error> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
    let player = || {
        let evaluator = handmade::by_name("birken-v2", None).expect("a built-in evaluator");
        Box::new(Search::new(evaluator, planner::Settings::default()))
    };
    let begin = |seed| (Pilot::new(player(), START_LEVEL, seed), Simulation::power_on(), Stage::default());
    let mut seed = seed;
    let (mut pilot, mut model, mut stage) = begin(seed);
    let mut claims = Claims::new();
    claims.playfield = Some(playfield);
    let mut comparisons: Vec<Vec<Comparison>> = pairs.iter().map(comparisons).collect();
    let (mut compared, mut after_topout) = (frames, 0);
    for frame in 0..frames {
        let buttons = pilot.buttons();
        model.step(buttons);
        console.step(buttons)?;
        after_topout += u32::from(after_topout > 0 || pilot.events().contains(&Event::Topout));
        if model.out_of_scope().is_some() || after_topout > CURTAIN {
            if !console.resets() {
                compared = frame;
                break;
            }
            console.reset(Reset::Power);
            seed = seed.wrapping_add(1);
            (pilot, model, stage) = begin(seed);
            after_topout = 0;
            progress(frame + 1);
            continue;
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
    Ok((pairs.iter().zip(&comparisons).map(|(pair, bytes)| row(pair, bytes)).collect(), compared))
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
        None if compared == 0 => {
            (CheckResult::Unknown, "not compared: these frames of the bot's game do not show it".to_owned())
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::console::{Error as ConsoleError, Simulated};
    use maxout_engine::game::memory::address::{FRAME_COUNTER, PLAYFIELD, name};
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Phase, Ram};

    /// Enough for the menus with [`SEED`] and for some pieces.
    const FRAMES: u64 = 900;
    /// A seed with short waits in the menus.
    const SEED: u64 = 5;
    /// In a game with that seed.
    const WRONG_FROM: u64 = 800;

    /// The model, which shows one wrong byte from a frame on.
    struct Tampered {
        model: Simulated,
        shown: Ram,
        frames: u64,
        address: usize,
    }

    impl Console for Tampered {
        maxout_engine::pass_on!(self.model, but step, ram);

        fn step(&mut self, buttons: Buttons) -> Result<(), ConsoleError> {
            self.model.step(buttons)?;
            self.shown = *self.model.ram();
            if self.frames >= WRONG_FROM {
                self.shown[self.address] ^= 0x01;
            }
            self.frames += 1;
            Ok(())
        }

        fn ram(&self) -> &Ram {
            &self.shown
        }
    }

    fn rows_of(console: &mut dyn Console, frames: u64) -> Vec<Check> {
        let map = RamMap::tetris_ntsc();
        let pairs: Vec<Pair<'_>> = map.entries().iter().map(|entry| Pair { checked: entry, rules: entry }).collect();
        let mut ticks = Vec::new();
        let (rows, compared) =
            check(console, &pairs, PLAYFIELD as u16, SEED, frames, |frame| ticks.push(frame)).expect("a game");
        assert_eq!(compared, frames);
        assert!(ticks.into_iter().eq(1..=frames));
        rows
    }

    fn verdict<'a>(rows: &'a [Check], name: &str) -> (CheckResult, &'a str) {
        let row = rows.iter().find(|row| row.name == name).expect("a row");
        assert_eq!((row.layer, row.suggestion), (Layer::Agreement, None));
        (row.verdict, &row.evidence)
    }

    #[test]
    fn the_model_agrees_with_itself_and_says_how_often_it_was_asked() {
        let rows = rows_of(&mut Simulated::power_on(), FRAMES);
        assert!(rows.iter().all(|row| row.verdict != CheckResult::Failed), "{rows:#?}");
        // Nothing is judged in the first 12 frames; the counter has two bytes.
        let asked = format!("{} bytes compared, all equal", 2 * (FRAMES - 12));
        assert_eq!(verdict(&rows, name::FRAME_COUNTER), (CheckResult::Ok, asked.as_str()));
        assert_eq!(
            verdict(&rows, name::SCRATCH),
            (CheckResult::Unknown, "not compared: these frames of the bot's game do not show it")
        );
        // The playfield is judged in a game alone, and there is none yet.
        let menus = rows_of(&mut Simulated::power_on(), 100);
        assert_eq!(verdict(&menus, name::PLAYFIELD).0, CheckResult::Unknown);
    }

    #[test]
    fn after_a_topout_another_game_is_compared() {
        let mut console = Simulated::power_on();
        let rows = rows_of(&mut console, 7_000);
        assert!(rows.iter().all(|row| row.verdict != CheckResult::Failed), "{rows:#?}");
        assert_eq!(verdict(&rows, name::CURTAIN_ROW).0, CheckResult::Ok, "a game has topped out");
        // The console plays: it does not show the end of that game.
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        let shown = decoder.decode(console.ram()).expect("a game").phase();
        assert!(matches!(shown, Phase::Falling | Phase::EntryDelay), "{shown:?}");
    }

    #[test]
    fn a_byte_that_differs_once_fails_its_entry_and_no_other() {
        for (entry, address) in [(name::FRAME_COUNTER, FRAME_COUNTER + 1), (name::PLAYFIELD, PLAYFIELD + 57)] {
            let model = Simulated::power_on();
            let mut console = Tampered { shown: *model.ram(), model, frames: 0, address };
            let rows = rows_of(&mut console, FRAMES);
            let right = console.model.ram()[address];
            let (result, evidence) = verdict(&rows, entry);
            let found = right ^ 1;
            let expected = format!(
                "frame {WRONG_FROM} of the bot's game: expected {right:02X} at ${address:04X}, found {found:02X}"
            );
            assert_eq!((result, evidence), (CheckResult::Failed, expected.as_str()));
            let failed = rows.iter().filter(|row| row.verdict == CheckResult::Failed);
            assert_eq!(failed.count(), 1, "only {entry}");
        }
    }
}
