//! Games with a tap rhythm: when the buttons go down, and that each lock is the promised one.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::game::Position;
use maxout_engine::gamepad::{Buttons, TapRhythm};
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Plan, Player, PlayerError, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

/// What the buttons of a plan are, from which control frame on.
type Planned = Arc<Mutex<Vec<(u32, Vec<Buttons>)>>>;

/// A player whose plans are kept.
struct Kept {
    search: Search,
    plans: Planned,
}

impl Player for Kept {
    fn name(&self) -> &str {
        "kept"
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        let plan = self.search.plan(position, falling);
        if let Some(plan) = &plan {
            let frames = plan.timeline.frames().to_vec();
            self.plans.lock().expect("one thread").push((falling.control_frame, frames));
        }
        Ok(plan)
    }
}

/// The plans of a game's first pieces, none of which may fail.
fn plans_of_a_game(settings: Settings, level: u8, pieces: u32) -> Vec<(u32, Vec<Buttons>)> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let plans = Planned::default();
    let search = Search::new(handmade::by_name("el-tetris", None).expect("embedded weights"), settings);
    let pilot = Pilot::new(Box::new(Kept { search, plans: Arc::clone(&plans) }), level, 1);
    let finished = Run::new(Simulated::power_on(), decoder, pilot, Goal::Pieces(pieces))
        .play(&mut [], &AtomicBool::new(false))
        .expect("a game");
    assert_eq!((finished.tally.pieces, finished.tally.desyncs), (pieces, 0));
    let plans = plans.lock().expect("one thread");
    assert!(plans.len() >= pieces as usize);
    plans.clone()
}

const TAPS: Buttons =
    Buttons::from_bits(Buttons::LEFT.bits() | Buttons::RIGHT.bits() | Buttons::A.bits() | Buttons::B.bits());

#[test]
fn every_tap_of_a_game_is_in_rhythm() {
    for (text, level, reaction_frames) in [("X....", 18, 0), ("X...", 19, 18), ("..X.X..", 19, 9), (".X.", 19, 0)] {
        let rhythm: TapRhythm = text.parse().expect("a rhythm");
        let settings = Settings { tap_rate: rhythm.into(), reaction_frames, ..Settings::default() };
        let mut taps = 0;
        let plans = plans_of_a_game(settings, level, 40);
        for (first, frames) in &plans {
            for (frame, buttons) in (*first as usize..).zip(frames) {
                if buttons.intersects(TAPS) {
                    taps += 1;
                    let letter = text.as_bytes()[frame % text.len()];
                    assert_eq!(letter, b'X', "{text}: {buttons} in control frame {frame} of {frames:?}");
                }
            }
        }
        assert!(taps > 2 * plans.len(), "{text}: {taps} taps for {} pieces", plans.len());
        assert!(plans.iter().any(|(_, frames)| frames.last() == Some(&Buttons::DOWN)), "{text}: no pushdown");
    }
}
