//! Plans that move the piece by writing RAM: drag and teleport. They are not honest play.

use super::promise::Promise;
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Gravity, Obstacles, Placement};
use crate::gamepad::Buttons;

/// The fall timer of a piece that must not drop: the game adds 1, which makes it 0, so no drop
/// is due in that frame even at one frame a row.
const HOLDS: u8 = 0xFF;

/// What is written of the falling piece before a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceWrite {
    /// Orientation, column and row.
    pub place: Placement,
    /// Frames since the last drop.
    pub fall_timer: u8,
}

/// What a plan writes into RAM instead of pressing buttons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cheat {
    /// Before each of the first frames of the plan: the falling piece.
    pub writes: Vec<PieceWrite>,
    /// Is the animation of the rows that it clears cut short?
    pub skips_clear: bool,
}

impl Cheat {
    /// Moves the piece one step a frame, with no drop meanwhile; then the game's own drop locks
    /// it.
    pub(super) fn drag(steps: &[Placement]) -> Cheat {
        let writes = steps.iter().map(|&place| PieceWrite { place, fall_timer: HOLDS });
        Cheat { writes: writes.collect(), skips_clear: false }
    }

    /// Puts the piece on its goal at once; the game's own drop is due in the same frame.
    pub(super) fn teleport(goal: Placement, gravity: Gravity) -> Cheat {
        let fall_timer = gravity.frames() - 1;
        Cheat { writes: vec![PieceWrite { place: goal, fall_timer }], skips_clear: true }
    }

    /// Plays the writes by the rules, with no button down: what each frame shows, up to and
    /// including the frame in which the drop fails.
    pub(super) fn play_out(
        &self,
        obstacles: &impl Obstacles,
        mut piece: FallingPiece,
        gravity: Gravity,
    ) -> Vec<Promise> {
        let mut promises = Vec::with_capacity(self.writes.len() + 1);
        for frame in 0.. {
            if let Some(&PieceWrite { place: Placement { orientation, x, y }, fall_timer }) = self.writes.get(frame) {
                piece = FallingPiece { orientation, x, y, fall_timer, ..piece };
            }
            let outcome = piece.step(obstacles, Buttons::NONE, Buttons::NONE, gravity);
            promises.push(Promise { x: piece.x, y: piece.y, orientation: piece.orientation, outcome });
            if outcome == ControlOutcome::Landed {
                break;
            }
        }
        promises
    }
}

#[cfg(test)]
mod tests {
    use super::super::promise::landing;
    use super::*;
    use crate::game::{Piece, Playfield};
    use crate::movegen::{Start, generate_free};

    /// Under an overhang, where a drop that is due too early would lock the piece on the way.
    #[test]
    fn a_dragged_piece_shows_every_step_and_locks_at_the_last_at_every_gravity() {
        let playfield = Playfield::drawn(
            "
            ####......
            ..........
            ..........
            ",
        );
        let goal = Placement { orientation: Piece::O.spawn(), x: 1, y: 18 };
        let start = Start::spawn(Piece::O);
        let moves = generate_free(&playfield, &start);
        let reached = moves.reached().iter().find(|reached| reached.placement == goal).expect("within reach");
        let steps = moves.steps(reached);
        for level in [0, 9, 18, 19, 29] {
            let promises = Cheat::drag(&steps).play_out(&playfield, start.piece, level.into());
            let shown = promises.iter().map(|p| Placement { orientation: p.orientation, x: p.x, y: p.y });
            assert_eq!(shown.take(steps.len()).collect::<Vec<_>>(), steps, "level {level}");
            assert_eq!(landing(&promises), goal);
            assert_eq!(promises.len(), steps.len() + usize::from(Gravity::from(level).frames()), "level {level}");
        }
    }

    #[test]
    fn a_teleported_piece_locks_in_the_frame_of_its_only_write() {
        let goal = Placement { orientation: Piece::O.spawn(), x: 9, y: 18 };
        for level in [0, 18, 19, 29, 255] {
            let spawned = Start::spawn(Piece::O).piece;
            let promises = Cheat::teleport(goal, level.into()).play_out(&Playfield::EMPTY, spawned, level.into());
            assert_eq!((promises.len(), landing(&promises)), (1, goal), "level {level}");
        }
    }

    #[test]
    fn the_first_piece_of_a_game_waits_at_its_goal_for_its_hold_to_end() {
        let goal = Placement { orientation: Piece::T.spawn(), x: 1, y: 18 };
        for level in [0, 19, 29] {
            let first = FallingPiece::first(Piece::T.spawn(), 0);
            let promises = Cheat::teleport(goal, level.into()).play_out(&Playfield::EMPTY, first, level.into());
            assert_eq!((promises.len(), landing(&promises)), (97, goal), "level {level}");
        }
    }
}
