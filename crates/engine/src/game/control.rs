//! One frame of control over the falling piece: shift, then rotate, then drop.
//!
//! All else builds on this rule: the simulation runs it, tests compare the movement search with it,
//! and the planner predicts the piece's path with it.

use super::gravity::Gravity;
use super::memory::HANGING;
use super::piece::Orientation;
use super::timing::{DAS_FULL, DAS_REPEAT, FIRST_PIECE_HOLD, PUSHDOWN_DROPS};
use crate::gamepad::Buttons;

/// Something with which a piece can collide.
pub trait Obstacles {
    /// Is every cell of the piece inside the playfield (rows -2 to 19) and unoccupied?
    fn fits(&self, orientation: Orientation, x: i8, y: i8) -> bool;
}

/// The falling piece and the counters that control it (`$60-$6F`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FallingPiece {
    /// Orientation, `$62`.
    pub orientation: Orientation,
    /// Column of the origin, `$60`.
    pub x: i8,
    /// Row of the origin, `$61`.
    pub y: i8,
    /// Frames since the last drop, `$65`.
    pub fall_timer: u8,
    /// DAS counter `autorepeatX`, `$66`: 0 to 16.
    pub das: u8,
    /// Pushdown counter `autorepeatY`, `$6E`; from `$80` on the first piece hangs.
    pub autorepeat_y: u8,
    /// Rows of the present uninterrupted pushdown, `$6F`.
    pub pushdown: u8,
}

/// What a frame of control did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlOutcome {
    /// The piece is still under control.
    Falling,
    /// A drop failed: the piece has landed and will lock (play state 2 follows).
    Landed,
}

/// Column of a spawning piece's origin; its row is 0.
pub const SPAWN_X: i8 = 5;

impl FallingPiece {
    /// A piece as it spawns, except the first of a game.
    pub const fn spawned(orientation: Orientation, das: u8) -> FallingPiece {
        FallingPiece { orientation, x: SPAWN_X, y: 0, fall_timer: 0, das, autorepeat_y: 0, pushdown: 0 }
    }

    /// The first piece of a game, which hangs for 96 frames unless Down is pressed.
    pub const fn first(orientation: Orientation, das: u8) -> FallingPiece {
        FallingPiece { autorepeat_y: FIRST_PIECE_HOLD, ..FallingPiece::spawned(orientation, das) }
    }

    /// Advances one frame of play state 1, with the count of the fall timer.
    ///
    /// `held` are the buttons down in this frame, `pressed` those of them that were up in the
    /// frame before. A level stands for its gravity by the rules of the original.
    pub fn step(
        &mut self,
        obstacles: &impl Obstacles,
        held: Buttons,
        pressed: Buttons,
        gravity: impl Into<Gravity>,
    ) -> ControlOutcome {
        self.fall_timer = self.fall_timer.wrapping_add(1);
        self.control(obstacles, held, pressed, gravity.into())
    }

    /// [`FallingPiece::step`] without the count of the fall timer. The game counts earlier in the
    /// frame, and in every play state.
    pub fn control(
        &mut self,
        obstacles: &impl Obstacles,
        held: Buttons,
        pressed: Buttons,
        gravity: Gravity,
    ) -> ControlOutcome {
        self.shift(obstacles, held, pressed);
        self.rotate(obstacles, pressed);
        self.drop(obstacles, held, pressed, gravity)
    }

    /// While Down is held nothing shifts. Right wins over Left. A failed shift charges DAS.
    fn shift(&mut self, obstacles: &impl Obstacles, held: Buttons, pressed: Buttons) {
        const SIDES: Buttons = Buttons::LEFT.with(Buttons::RIGHT);
        if held.contains(Buttons::DOWN) {
            return;
        }
        if pressed.intersects(SIDES) {
            self.das = 0;
        } else if held.intersects(SIDES) {
            self.das = self.das.wrapping_add(1);
            if (self.das as i8) < DAS_FULL as i8 {
                return;
            }
            self.das = DAS_REPEAT;
        } else {
            return;
        }
        let x = if held.contains(Buttons::RIGHT) {
            self.x.wrapping_add(1)
        } else if held.contains(Buttons::LEFT) {
            self.x.wrapping_sub(1)
        } else {
            return;
        };
        if obstacles.fits(self.orientation, x, self.y) {
            self.x = x;
        } else {
            self.das = DAS_FULL;
        }
    }

    /// Only new presses turn the piece. A wins over B. There are no kicks.
    fn rotate(&mut self, obstacles: &impl Obstacles, pressed: Buttons) {
        let turned = if pressed.contains(Buttons::A) {
            self.orientation.clockwise()
        } else if pressed.contains(Buttons::B) {
            self.orientation.counter_clockwise()
        } else {
            return;
        };
        if obstacles.fits(turned, self.x, self.y) {
            self.orientation = turned;
        }
    }

    fn drop(
        &mut self,
        obstacles: &impl Obstacles,
        held: Buttons,
        pressed: Buttons,
        gravity: Gravity,
    ) -> ControlOutcome {
        if self.autorepeat_y >= HANGING {
            if !pressed.contains(Buttons::DOWN) {
                self.autorepeat_y = self.autorepeat_y.wrapping_add(1);
                return ControlOutcome::Falling;
            }
            self.autorepeat_y = 0;
        }
        if self.autorepeat_y == 0 {
            let sideways = held.intersects(Buttons::LEFT | Buttons::RIGHT);
            if !sideways && pressed & Buttons::DIRECTIONS == Buttons::DOWN {
                self.autorepeat_y = 1;
            }
        } else if held & Buttons::DIRECTIONS == Buttons::DOWN {
            self.autorepeat_y += 1;
            if self.autorepeat_y >= PUSHDOWN_DROPS {
                self.autorepeat_y = 1;
                self.pushdown = self.pushdown.wrapping_add(1);
                return self.drop_rows(obstacles, gravity.rows());
            }
        } else {
            self.autorepeat_y = 0;
            self.pushdown = 0;
        }
        // The game subtracts and tests the sign.
        if (self.fall_timer.wrapping_sub(gravity.frames()) as i8) >= 0 {
            self.drop_rows(obstacles, gravity.rows())
        } else {
            ControlOutcome::Falling
        }
    }

    /// Falls row by row; it lands in the row from which it cannot fall.
    fn drop_rows(&mut self, obstacles: &impl Obstacles, rows: u8) -> ControlOutcome {
        self.fall_timer = 0;
        for _ in 0..rows {
            if !obstacles.fits(self.orientation, self.x, self.y.wrapping_add(1)) {
                return ControlOutcome::Landed;
            }
            self.y += 1;
        }
        ControlOutcome::Falling
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Playfield, Ruleset};

    fn play(piece: &mut FallingPiece, field: &Playfield, level: u8, frames: &[Buttons]) -> Vec<ControlOutcome> {
        let mut before = Buttons::NONE;
        frames
            .iter()
            .map(|&held| {
                let outcome = piece.step(field, held, held.newly_pressed(before), level);
                before = held;
                outcome
            })
            .collect()
    }

    #[test]
    fn shift_and_rotation_act_in_one_frame_before_the_drop() {
        // Measured: A+Right on the first two odd frames after a spawn at level 19.
        let mut piece = FallingPiece::spawned(Piece::T.spawn(), 0);
        let both = Buttons::A | Buttons::RIGHT;
        play(&mut piece, &Playfield::EMPTY, 19, &[both, Buttons::NONE, both]);
        assert_eq!((piece.x, piece.y, piece.orientation.id()), (7, 1, 0x00));
        assert_eq!(piece.fall_timer, 1);
    }

    #[test]
    fn das_shifts_at_once_then_after_16_frames_then_every_6() {
        let mut piece = FallingPiece::spawned(Piece::O.spawn(), 0);
        let mut shifts = Vec::new();
        let mut x = piece.x;
        let mut before = Buttons::NONE;
        for frame in 0..30 {
            piece.step(&Playfield::EMPTY, Buttons::LEFT, Buttons::LEFT.newly_pressed(before), 0);
            before = Buttons::LEFT;
            if piece.x != x {
                shifts.push(frame);
                x = piece.x;
            }
        }
        assert_eq!(shifts, [0, 16, 22, 28]);
    }

    #[test]
    fn a_wall_charges_das_at_once() {
        let mut piece = FallingPiece { x: 1, ..FallingPiece::spawned(Piece::O.spawn(), 0) };
        play(&mut piece, &Playfield::EMPTY, 0, &[Buttons::LEFT]);
        assert_eq!((piece.x, piece.das), (1, DAS_FULL));
    }

    #[test]
    fn pushdown_drops_two_frames_after_the_press_and_every_two_then() {
        let mut piece = FallingPiece::spawned(Piece::O.spawn(), 0);
        play(&mut piece, &Playfield::EMPTY, 0, &[Buttons::DOWN; 7]);
        assert_eq!((piece.y, piece.pushdown), (3, 3));
    }

    #[test]
    fn the_first_piece_hangs_for_96_frames_unless_down_is_pressed() {
        let mut piece = FallingPiece::first(Piece::O.spawn(), 0);
        play(&mut piece, &Playfield::EMPTY, 29, &[Buttons::NONE; 96]);
        assert_eq!(piece.y, 0);
        play(&mut piece, &Playfield::EMPTY, 29, &[Buttons::NONE]);
        assert_eq!(piece.y, 1);

        let mut piece = FallingPiece::first(Piece::O.spawn(), 0);
        play(&mut piece, &Playfield::EMPTY, 29, &[Buttons::DOWN]);
        assert_eq!(piece.y, 1);
    }

    #[test]
    fn a_piece_moves_in_the_very_frame_in_which_its_drop_fails() {
        let mut piece = FallingPiece { y: 18, fall_timer: 1, ..FallingPiece::spawned(Piece::O.spawn(), 0) };
        let outcome = play(&mut piece, &Playfield::EMPTY, 19, &[Buttons::LEFT]);
        assert_eq!((outcome[0], piece.x), (ControlOutcome::Landed, 4));
    }

    #[test]
    fn two_rows_a_frame_are_tested_one_by_one_after_one_shift() {
        // An O from row 0: rows 0 to 18 are even, so the frame in which it lands begins in row 18.
        let gravity = Ruleset::Ksx2.gravity(39);
        let fall = |field: &Playfield, spawned: FallingPiece| {
            let mut piece = spawned;
            for frame in 1.. {
                if piece.step(field, Buttons::RIGHT, Buttons::RIGHT, gravity) == ControlOutcome::Landed {
                    return (piece.x, piece.y, frame);
                }
            }
            unreachable!("a piece lands")
        };
        let spawned = FallingPiece::spawned(Piece::O.spawn(), 0);
        assert_eq!(fall(&Playfield::EMPTY, spawned), (9, 18, 10));
        // On a row higher the second row of a frame fails: it lands in that frame, not in the next.
        let floor = Playfield::drawn("##########");
        assert_eq!(fall(&floor, spawned), (9, 17, 9));
        // A first piece hangs just as long, and a pushdown drops it two rows, too.
        let mut first = FallingPiece::first(Piece::O.spawn(), 0);
        for _ in 0..96 {
            assert_eq!(first.step(&floor, Buttons::NONE, Buttons::NONE, gravity), ControlOutcome::Falling);
        }
        assert_eq!(first.y, 0);
        let mut pushed = spawned;
        for (frame, rows) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)] {
            let new = if frame == 0 { Buttons::DOWN } else { Buttons::NONE };
            pushed.step(&Playfield::EMPTY, Buttons::DOWN, new, gravity);
            assert_eq!((pushed.y, pushed.pushdown), (2 * (frame + 1), rows));
        }
    }

    /// The rules of control, written down once more in the form in which they were measured on the
    /// original: plain numbers, no constants of this crate.
    fn by_the_measured_rules(
        p: &mut FallingPiece,
        field: &Playfield,
        (held, new): (u8, u8),
        level: u8,
        ksx2: bool,
    ) -> ControlOutcome {
        const FRAMES_PER_DROP: [u8; 29] =
            [48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
        let (a, b, down, left, right, sides, pad) = (0x80, 0x40, 0x04, 0x02, 0x01, 0x03, 0x0F);
        p.fall_timer = p.fall_timer.wrapping_add(1);
        let moves = if held & down != 0 {
            false
        } else if new & sides != 0 {
            p.das = 0;
            true
        } else if held & sides != 0 {
            p.das += 1;
            let repeats = p.das >= 16;
            p.das = if repeats { 10 } else { p.das };
            repeats
        } else {
            false
        };
        if moves {
            let x = if held & right != 0 {
                p.x + 1
            } else if held & left != 0 {
                p.x - 1
            } else {
                p.x
            };
            if field.fits(p.orientation, x, p.y) {
                p.x = x;
            } else {
                p.das = 16;
            }
        }
        let turned = if new & a != 0 {
            p.orientation.clockwise()
        } else if new & b != 0 {
            p.orientation.counter_clockwise()
        } else {
            p.orientation
        };
        if field.fits(turned, p.x, p.y) {
            p.orientation = turned;
        }
        if p.autorepeat_y >= 0x80 {
            if new & down == 0 {
                p.autorepeat_y = p.autorepeat_y.wrapping_add(1);
                return ControlOutcome::Falling;
            }
            p.autorepeat_y = 0;
        }
        let mut drops = false;
        if p.autorepeat_y == 0 {
            if held & sides == 0 && new & pad == down {
                p.autorepeat_y = 1;
            }
        } else if held & pad == down {
            p.autorepeat_y += 1;
            if p.autorepeat_y >= 3 {
                p.autorepeat_y = 1;
                p.pushdown += 1;
                drops = true;
            }
        } else {
            (p.autorepeat_y, p.pushdown) = (0, 0);
        }
        let wait = FRAMES_PER_DROP.get(usize::from(level)).copied().unwrap_or(1);
        if !drops && (p.fall_timer.wrapping_sub(wait)) & 0x80 != 0 {
            return ControlOutcome::Falling;
        }
        p.fall_timer = 0;
        if !field.fits(p.orientation, p.x, p.y + 1) {
            return ControlOutcome::Landed;
        }
        p.y += 1;
        if !ksx2 || level < 39 {
            return ControlOutcome::Falling;
        }
        if !field.fits(p.orientation, p.x, p.y + 1) {
            return ControlOutcome::Landed;
        }
        p.y += 1;
        ControlOutcome::Falling
    }

    #[test]
    fn every_frame_is_that_of_the_measured_rules_whatever_is_pressed() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let (mut landed, mut pushed, mut hung) = (0, 0, 0);
        let mut landed_by_second_row = 0;
        for _ in 0..4_000 {
            // Some cells in the lower half, so that pieces meet walls and blocks.
            let mut field = Playfield::EMPTY;
            (10..20).for_each(|row| field.set_row(row, (random(1024) & random(1024) & random(1024)) as u16));
            let orientation = Piece::ALL[random(7) as usize].spawn();
            let das = random(17) as u8;
            let first = random(4) == 0;
            let spawned =
                if first { FallingPiece::first(orientation, das) } else { FallingPiece::spawned(orientation, das) };
            let (mut piece, mut expected) = (spawned, spawned);
            let ksx2 = random(2) == 0;
            let level = random(60) as u8;
            let gravity = if ksx2 { Ruleset::Ksx2.gravity(level) } else { level.into() };
            let mut before = 0;
            for frame in 0..400 {
                // Buttons stay down for some frames.
                let held = if random(3) == 0 { random(256) as u8 & random(256) as u8 } else { before };
                let new = held & !before;
                before = held;
                let row = piece.y;
                let outcome = piece.step(&field, Buttons::from_bits(held), Buttons::from_bits(new), gravity);
                let right = by_the_measured_rules(&mut expected, &field, (held, new), level, ksx2);
                assert_eq!((piece, outcome), (expected, right), "level {level}, frame {frame}, {held:#04x} {new:#04x}");
                hung += u32::from(piece.autorepeat_y >= 0x80);
                pushed += u32::from(piece.pushdown > 1);
                if outcome == ControlOutcome::Landed {
                    landed += 1;
                    landed_by_second_row += u32::from(piece.y > row);
                    break;
                }
            }
        }
        assert!(landed > 1_000 && pushed > 1_000 && hung > 1_000, "{landed} {pushed} {hung}");
        assert!(landed_by_second_row > 100, "{landed_by_second_row}");
    }
}
