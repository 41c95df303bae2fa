//! Every rule on steps that were made up by hand, and on the whole tour of the model.

use super::*;
use crate::survey::lockstep::Lockstep;
use crate::survey::tour;
use maxout_engine::console::Simulated;
use maxout_engine::ram::{RAM_SIZE, Ram};

/// A step of a running game from one play state to another. All bytes are 0 but for the modes.
struct Step {
    frames: [(Buttons, Ram); 2],
    is_demo: bool,
}

fn step(before: u8, now: u8) -> Step {
    let frame = |state| {
        let mut ram = [0; RAM_SIZE];
        // gameMode, renderMode, gameModeState and playState.
        (ram[0xC0], ram[0xBD], ram[0xA7], ram[0x68]) = (4, 3, 2, state);
        (Buttons::NONE, ram)
    };
    Step { frames: [frame(before), frame(now)], is_demo: false }
}

/// In control of the piece in both frames.
fn control() -> Step {
    step(1, 1)
}

impl Step {
    fn before(mut self, at: usize, bytes: &[u8]) -> Step {
        self.frames[0].1[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    fn now(mut self, at: usize, bytes: &[u8]) -> Step {
        self.frames[1].1[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    fn held(mut self, before: Buttons, now: Buttons) -> Step {
        (self.frames[0].0, self.frames[1].0) = (before, now);
        self
    }

    /// Pressed in this step.
    fn press(self, buttons: Buttons) -> Step {
        self.held(Buttons::NONE, buttons)
    }

    /// Does the rule that begins with these words hold? `None` when it is not about this step.
    fn judged(self, rule: &str) -> Option<bool> {
        let relation = RELATIONS.iter().find(|relation| relation.rule.starts_with(rule)).expect("a rule");
        let observations = Observations::made_up(self.frames, self.is_demo);
        match check(relation, &observations, &RamMap::tetris_ntsc()) {
            Ok(0) => None,
            Ok(times) => {
                assert_eq!(times, 1);
                Some(true)
            }
            Err(frame) => {
                assert_eq!(frame, 1);
                Some(false)
            }
        }
    }
}

#[test]
fn the_random_number_is_clocked_by_the_formula() {
    let rule = "a frame clocks the random number";
    let from = |step: Step, to: [u8; 2]| step.before(0x17, &[0x89, 0x88]).now(0x17, &to).judged(rule);
    // The first clock after power-on.
    assert_eq!(from(control(), [0x44, 0xC4]), Some(true));
    assert_eq!(from(control(), [0x44, 0xC5]), Some(false));
    assert_eq!(from(control(), [0x89, 0x88]), Some(false));
    // A spawn may clock it again.
    assert_eq!(from(step(8, 1), [0x44, 0xC4]), None);
}

#[test]
fn only_a_game_that_runs_in_both_frames_is_asked() {
    let rule = "a frame adds one to the frame counter";
    let counted = |step: Step| step.before(0xB1, &[0xFF, 0x12]).now(0xB1, &[0x00, 0x13]);
    assert_eq!(counted(control()).judged(rule), Some(true));
    assert_eq!(counted(control()).now(0xB2, &[0x12]).judged(rule), Some(false));
    assert_eq!(control().before(0xB1, &[0xFF, 0xFF]).judged(rule), Some(true), "it wraps");
    assert_eq!(control().judged(rule), Some(false), "it stands");
    for mode in [0xC0, 0xBD, 0xA7] {
        assert_eq!(counted(control()).before(mode, &[1]).judged(rule), None, "${mode:02X}");
        assert_eq!(counted(control()).now(mode, &[1]).judged(rule), None, "${mode:02X}");
    }
    let demo = Step { is_demo: true, ..counted(control()) };
    assert_eq!(demo.judged(rule), None);
}

#[test]
fn new_buttons_are_those_that_were_up() {
    let rule = "held buttons are the pressed ones";
    let (right, a) = (Buttons::RIGHT, Buttons::A);
    let seen =
        |step: Step, new: u8, held: u8| step.held(right, right | a).now(0xF5, &[new]).now(0xF7, &[held]).judged(rule);
    assert_eq!(seen(control(), 0x80, 0x81), Some(true));
    assert_eq!(seen(control(), 0x81, 0x81), Some(false));
    assert_eq!(seen(control(), 0x80, 0x80), Some(false));
    assert_eq!(seen(step(1, 0), 0x80, 0x81), None, "the frame that leaves the game");
}

#[test]
fn a_piece_turns_by_the_table_or_not_at_all() {
    let rule = "A and B turn by the rotation table";
    // T up is 0, right of it is 1, left of it is 3.
    let turned = |pressed, now| control().press(pressed).now(0x62, &[now]).judged(rule);
    for (pressed, now, holds) in [
        (Buttons::A, 1, Some(true)),
        (Buttons::A, 0, Some(true)),
        (Buttons::A, 3, Some(false)),
        (Buttons::B, 3, Some(true)),
        (Buttons::B, 0, Some(true)),
        (Buttons::B, 1, Some(false)),
        (Buttons::A | Buttons::B, 1, Some(true)),
        (Buttons::A | Buttons::B, 3, Some(false)),
        (Buttons::LEFT, 0, None),
        (Buttons::LEFT, 1, Some(false)),
    ] {
        assert_eq!(turned(pressed, now), holds, "{pressed:?} {now}");
    }
    let a = Buttons::A;
    assert_eq!(control().held(a, a).now(0x62, &[1]).judged(rule), Some(false), "not pressed anew");
    assert_eq!(control().before(0x62, &[0x13]).judged(rule), Some(false), "no piece");
    assert_eq!(step(8, 1).now(0x62, &[3]).judged(rule), None, "a spawn");
}

#[test]
fn a_shift_is_one_column_to_the_side_that_is_held() {
    let rule = "a shift is one column";
    let (left, right) = (Buttons::LEFT, Buttons::RIGHT);
    let shifted = |held, from, to| control().held(held, held).before(0x60, &[from]).now(0x60, &[to]).judged(rule);
    for (held, from, to, holds) in [
        (right, 5, 6, Some(true)),
        (right, 5, 4, Some(false)),
        (right, 5, 7, Some(false)),
        (left, 5, 4, Some(true)),
        (left, 5, 6, Some(false)),
        (left, 5, 3, Some(false)),
        (left | right, 5, 6, Some(true)),
        (left | right, 5, 4, Some(false)),
        (Buttons::NONE, 5, 4, Some(false)),
        (Buttons::NONE, 5, 6, Some(false)),
        (left, 5, 5, None),
    ] {
        assert_eq!(shifted(held, from, to), holds, "{held:?} from {from} to {to}");
    }
    assert_eq!(step(8, 1).now(0x60, &[5]).judged(rule), None, "a spawn");
}

#[test]
fn the_first_piece_hangs_and_a_drop_is_one_row_when_the_timer_is_due() {
    let rule = "the first piece hangs";
    // autorepeatY, fallTimer and tetriminoY.
    let hung = |from, to, row| control().before(0x6E, &[from]).now(0x6E, &[to]).now(0x61, &[row]);
    assert_eq!(hung(0xA0, 0xA1, 0).judged(rule), Some(true));
    assert_eq!(hung(0x80, 0x81, 0).judged(rule), Some(true));
    assert_eq!(hung(0xFF, 0x00, 0).judged(rule), Some(true));
    assert_eq!(hung(0xA0, 0xA1, 1).judged(rule), Some(false));
    assert_eq!(hung(0xA0, 0xA0, 0).judged(rule), Some(false));
    assert_eq!(hung(0xA0, 0x00, 0).press(Buttons::DOWN).judged(rule), None, "Down releases it");

    let fell = |level, timer: [u8; 2], row| {
        let step = control().before(0x65, &timer[..1]).now(0x65, &timer[1..]);
        step.now(0x61, &[row]).now(0x64, &[level]).judged(rule)
    };
    // 48 frames a row at level 0, 1 at level 29.
    for (level, timer, row, holds) in [
        (0, [10, 11], 0, true),
        (0, [10, 10], 0, false),
        (0, [10, 0], 0, false),
        (0, [46, 47], 0, true),
        (0, [47, 48], 0, false),
        (0, [47, 0], 1, true),
        (0, [47, 48], 1, false),
        (0, [10, 11], 2, false),
        (0, [47, 0], 2, false),
        (29, [0, 1], 0, false),
        (29, [0, 0], 1, true),
        // A soft drop.
        (0, [10, 0], 1, true),
    ] {
        assert_eq!(fell(level, timer, row), Some(holds), "level {level}, timer {timer:?}, row {row}");
    }
    assert_eq!(control().now(0x65, &[1]).now(0x6E, &[0x7F]).judged(rule), Some(true));
    assert_eq!(control().now(0x65, &[1]).now(0x6E, &[0x80]).judged(rule), Some(false), "it does not begin to hang");
    assert_eq!(step(1, 2).judged(rule), None);
}

#[test]
fn a_lock_writes_the_four_cells_of_the_piece() {
    let rule = "a lock writes";
    let empty = [0xEF; 200];
    // tetriminoX, tetriminoY and currentPiece.
    let locked = |piece: [u8; 3], playfield: &[u8; 200]| {
        step(2, 3).now(0x60, &piece).before(0x400, &empty).now(0x400, playfield).judged(rule)
    };
    // J down: three cells in row 18, one below the right one of them.
    let mut playfield = empty;
    [183, 184, 185, 195].iter().for_each(|&cell| playfield[cell] = 0x7D);
    assert_eq!(locked([4, 18, 7], &playfield), Some(true));
    assert_eq!(locked([5, 18, 7], &playfield), Some(false));
    assert_eq!(locked([4, 17, 7], &playfield), Some(false));
    assert_eq!(locked([4, 18, 5], &playfield), Some(false));
    assert_eq!(locked([4, 18, 0x13], &playfield), Some(false), "no piece");
    for cell in [0, 199, 195] {
        let mut wrong = playfield;
        wrong[cell] ^= 1;
        assert_eq!(locked([4, 18, 7], &wrong), Some(false), "{cell}");
    }
    // Of T up in row 0, the cell above the playfield is not in it.
    let mut playfield = empty;
    playfield[4..=6].fill(0x7B);
    assert_eq!(locked([5, 0, 0], &playfield), Some(true));
    assert_eq!(control().now(0x400, &[0x7B]).judged(rule), None);
}

/// A spawn of two of the recordings' pieces: the counts of T are from 99 to 100.
fn spawned() -> Step {
    let step = step(8, 1).before(0x17, &[0x0C, 0xFE, 0x02, 0x08]).now(0x17, &[0x43, 0x3F, 0x0E, 0x09]);
    let step = step.before(0xBF, &[0x02]).now(0xBF, &[0x0E]).now(0x60, &[5, 0, 0x02]);
    step.before(0x3F0, &[0x99, 0x00, 7, 8]).now(0x3F0, &[0x00, 0x01, 7, 8])
}

#[test]
fn a_spawn_draws_and_counts_by_the_formula() {
    let rule = "at a spawn";
    // Frames 790 and 838 of a recording of the original: a second draw, and a first one that is taken.
    assert_eq!(spawned().judged(rule), Some(true));
    let taken = step(8, 1).before(0x17, &[0xF8, 0xEF, 0x0E, 0x09]).now(0x17, &[0xFC, 0x77, 0x12, 0x0A]);
    let taken = taken.before(0xBF, &[0x0E]).now(0xBF, &[0x12]).now(0x60, &[5, 0, 0x0E]);
    let taken = taken.before(0x3F8, &[1, 2, 0x99, 0x01]).now(0x3F8, &[1, 2, 0x00, 0x02]);
    assert_eq!(taken.judged(rule), Some(true));
    // x, y, the current and the next piece, the random number, what was drawn, how often, a count of T and of I.
    for at in [0x60, 0x61, 0x62, 0xBF, 0x17, 0x18, 0x19, 0x1A, 0x3F0, 0x3F1, 0x3FD] {
        let mut wrong = spawned();
        wrong.frames[1].1[at] ^= 1;
        assert_eq!(wrong.judged(rule), Some(false), "${at:02X}");
    }
    assert_eq!(spawned().before(0xBF, &[0x13]).judged(rule), Some(false), "no piece");
    assert_eq!(spawned().before(0x68, &[1]).judged(rule), None);
}

/// The eighth to the twelfth line at level 0 by a tetris, after a soft drop of five rows: level 1 pays 2400 and 4.
fn scored() -> Step {
    let step = step(5, 6).before(0x70, &[0x08, 0]).now(0x70, &[0x12, 0]).now(0x64, &[1]);
    let step = step.before(0x76, &[4]).before(0x6F, &[5]).now(0x73, &[0x04, 0x24, 0x00]);
    step.before(0xD8, &[1, 2, 3, 0x09]).now(0xD8, &[1, 2, 3, 0x10])
}

#[test]
fn a_lock_scores_by_the_game_type() {
    let rule = "a lock scores";
    assert_eq!(scored().judged(rule), Some(true));
    assert_eq!(scored().before(0x68, &[4]).judged(rule), Some(true), "after the clear's animation");
    for state in [3, 6] {
        assert_eq!(scored().before(0x68, &[state]).judged(rule), None, "from play state {state}");
    }
    assert_eq!(scored().now(0x68, &[5]).judged(rule), None);
    for at in [0x70, 0x71, 0x64, 0x73, 0x74, 0x75, 0xD8, 0xDB, 0x76] {
        let mut wrong = scored();
        wrong.frames[1].1[at] ^= 1;
        assert_eq!(wrong.judged(rule), Some(false), "${at:02X}");
    }
    // B-type: 25 lines to go, a double.
    let b_type = |lines, level| {
        let step = step(5, 6).now(0xC1, &[1]).before(0x70, &[0x25]).now(0x70, &[lines]).now(0x64, &[level]);
        step.before(0x76, &[2]).now(0x73, &[0, 1]).now(0xD9, &[1]).judged(rule)
    };
    assert_eq!((b_type(0x23, 0), b_type(0x27, 0)), (Some(true), Some(false)));
    // Without a clear, nothing changes.
    assert_eq!(step(5, 6).judged(rule), Some(true));
    assert_eq!(step(5, 6).now(0x70, &[1]).judged(rule), Some(false));
}

#[test]
fn every_rule_holds_on_the_model_and_fails_when_a_byte_of_it_is_tampered_with() {
    let mut model = Simulated::power_on();
    let mut tick = |_| {};
    let mut lockstep = Lockstep::new(&mut model, &mut tick);
    tour::drive(&mut lockstep).expect("the tour");
    let map = RamMap::tetris_ntsc();
    let mut observations = lockstep.observations;
    for relation in RELATIONS {
        assert!(check(relation, &observations, &map).is_ok_and(|times| times > 20), "{}", relation.rule);
        for name in relation.entries.iter().filter(|name| !PREMISES.contains(name)) {
            let address = usize::from(map.entry(name).expect("an entry").address);
            let tamper = |observations: &mut Observations, first: usize| {
                observations.frames.iter_mut().skip(first).step_by(2).for_each(|frame| frame.rom[address] ^= 0x81);
            };
            // Odd frames or even ones: some bytes matter in few frames.
            let fails = [0, 1].map(|first| {
                tamper(&mut observations, first);
                let fails = check(relation, &observations, &map).is_err();
                tamper(&mut observations, first);
                fails
            });
            assert!(fails.contains(&true), "{name} tampered with: {}", relation.rule);
        }
    }
}
