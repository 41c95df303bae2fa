//! Games with a tap rhythm and with a first press that comes late: when the buttons go down, and that
//! each lock is the promised one.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::{Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::{Buttons, TapRhythm};
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Input, Plan, Player, PlayerError, Search, Settings};
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

#[test]
fn every_gap_between_taps_of_a_piece_is_at_least_its_own() {
    for (text, gaps, level, reaction_frames) in [
        ("2-3", [2, 3, 2, 3, 2, 3], 19, 0),
        ("24", [2, 3, 2, 3, 2, 3], 18, 9),
        ("slow5", [2, 2, 2, 5, 5, 5], 19, 0),
        ("slow5", [2, 2, 2, 5, 5, 5], 18, 5),
        ("9-2+", [9, 2, 2, 2, 2, 2], 18, 10),
    ] {
        let tap_rate = text.parse().expect("a tap rate");
        let settings = Settings { tap_rate, reaction_frames, ..Settings::default() };
        let plans = plans_of_a_game(settings, level, 60);
        let mut tight = 0;
        for (_, frames) in &plans {
            let taps: Vec<usize> = (0..frames.len()).filter(|&frame| frames[frame].intersects(TAPS)).collect();
            for (pair, least) in taps.windows(2).zip(gaps) {
                assert!(pair[1] - pair[0] >= least, "{text}: taps {taps:?} of {frames:?}");
                tight += usize::from(pair[1] - pair[0] == least);
            }
        }
        assert!(tight > plans.len(), "{text}: {tight} gaps are as short as they may be, {} pieces", plans.len());
    }
}

#[test]
fn nothing_is_pressed_before_the_first_press() {
    for (input, level, first_press, reaction_frames) in [
        (Input::Taps, 19, 10, 0),
        (Input::Taps, 19, 10, 18),
        (Input::Taps, 18, 18, 9),
        (Input::Gamepad, 19, 10, 0),
        (Input::EvenFrames, 19, 11, 18),
    ] {
        let settings = Settings { input, first_press, reaction_frames, ..Settings::default() };
        let plans = plans_of_a_game(settings, level, 40);
        let mut at_first = 0;
        for (first, frames) in &plans {
            let pressed = (*first..).zip(frames).find(|(_, buttons)| !buttons.is_empty());
            let Some((frame, buttons)) = pressed else { continue };
            assert!(frame >= first_press, "{input:?}: {buttons} in control frame {frame} of {frames:?}");
            at_first += u32::from(frame <= first_press + 1);
        }
        assert!(at_first > 20, "{input:?}: {at_first} of {} pieces move at once", plans.len());
    }
}

#[test]
fn a_piece_that_lands_before_the_first_press_has_one_placement() {
    let mut playfield = Playfield::EMPTY;
    for row in 6..20 {
        playfield.set_row(row, 0b01_1111_1111);
    }
    let position = Position { playfield, piece: Piece::O, next: Piece::T, level: 19, lines: 130, score: 0 };
    let piece = FallingPiece::spawned(Piece::O.spawn(), 0);
    let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
    let plan = |first_press| {
        let settings = Settings { first_press, ..Settings::default() };
        let search = Search::new(handmade::by_name("birken-v2", None).expect("embedded weights"), settings);
        search.plan(&position, &falling).expect("a placement")
    };
    // In row 4 the tenth frame is the drop that fails.
    let late = plan(10);
    assert_eq!((late.reachable, late.placement.x, late.placement.y), (1, 5, 4));
    assert_eq!(late.timeline.frames(), [Buttons::NONE; 10]);
    assert_eq!(late.promises.len(), 10);
    // The next piece lands on it, before it can be moved.
    assert_eq!(late.next_placement, Some(Placement { orientation: Piece::T.spawn(), x: 5, y: 2 }));
    assert!(plan(9).reachable > 1, "one tap before the drop");
}
