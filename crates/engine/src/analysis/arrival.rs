//! How a piece comes to its place, and which buttons bring it there.

use crate::game::{Obstacles, Placement, Playfield};
use crate::gamepad::{Buttons, InputTimeline};
use crate::planner::Promise;

/// The last part of a piece's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arrival {
    /// It falls straight down: nothing is above its place.
    Drop,
    /// It is shifted under occupied cells.
    Tuck,
    /// It is turned under occupied cells.
    Spin,
}

impl Arrival {
    /// `drop`, `tuck` or `spin`.
    pub const fn name(self) -> &'static str {
        match self {
            Arrival::Drop => "drop",
            Arrival::Tuck => "tuck",
            Arrival::Spin => "spin",
        }
    }

    /// How the piece arrives that moves as promised, and for a tuck or a spin the frame in which it goes
    /// under the cells that are above its place, counted from its first control frame.
    pub fn of(playfield: &Playfield, promises: &[Promise]) -> (Arrival, Option<u32>) {
        let is_covered = |promise: &Promise| (0..promise.y).any(|y| !playfield.fits(promise.orientation, promise.x, y));
        let covered = promises.iter().rev().take_while(|promise| is_covered(promise)).count();
        let first = promises.len() - covered;
        let Some(entry) = promises.get(first) else { return (Arrival::Drop, None) };
        let is_turned = match first.checked_sub(1).and_then(|before| promises.get(before)) {
            Some(before) => before.orientation != entry.orientation,
            None => entry.orientation != entry.orientation.piece().spawn(),
        };
        (if is_turned { Arrival::Spin } else { Arrival::Tuck }, Some(first as u32))
    }

    /// How a piece arrives at a placement, as far as the placement alone tells: `false` where it has to be
    /// tucked or spun.
    pub fn is_drop(playfield: &Playfield, placement: Placement) -> bool {
        (0..placement.y).all(|y| playfield.fits(placement.orientation, placement.x, y))
    }
}

/// Buttons that go down in a frame and stay down equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Press {
    /// The frame, counted from the first control frame of the piece.
    pub frame: u32,
    /// The buttons that were up in the frame before.
    pub buttons: Buttons,
    /// For how many frames they stay down.
    pub frames: u32,
}

impl Press {
    /// The presses of a timeline, if `held` was down in the frame before it. A frame has a press for each
    /// length for which its buttons stay down.
    pub fn all(timeline: &InputTimeline, held: Buttons) -> Vec<Press> {
        let mut before = held;
        let mut presses: Vec<Press> = Vec::new();
        for (frame, &buttons) in timeline.frames().iter().enumerate() {
            let pressed = buttons.newly_pressed(before);
            before = buttons;
            let first = presses.len();
            for button in (0..u8::BITS).map(|bit| Buttons::from_bits(1 << bit)).filter(|&one| pressed.contains(one)) {
                let stays = timeline.frames()[frame..].iter().take_while(|later| later.contains(button)).count() as u32;
                match presses[first..].iter_mut().find(|press| press.frames == stays) {
                    Some(press) => press.buttons |= button,
                    None => presses.push(Press { frame: frame as u32, buttons: button, frames: stays }),
                }
            }
        }
        presses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::control::{ControlOutcome, FallingPiece};
    use crate::game::{Piece, Position};
    use crate::judge::{self, Judge};
    use crate::planner::{Falling, GeneratorOdds, Search, Settings, Sight};

    /// How every placement of a piece that needs a tuck or a spin arrives.
    fn arrivals(drawing: &str, piece: Piece) -> Vec<(String, Arrival, Option<u32>)> {
        let playfield = Playfield::drawn(drawing);
        let position = Position { playfield, piece, next: Piece::I, level: 18, lines: 0, score: 0 };
        let falling = Falling { piece: FallingPiece::spawned(piece.spawn(), 0), held: Buttons::NONE, control_frame: 0 };
        let judge: Judge = judge::by_name("el-tetris", None).unwrap();
        let judged =
            Search::new(judge, Settings::default()).analyse(&position, &falling, Sight::WithNext, &GeneratorOdds);
        let arrival = |judged: &crate::planner::Judged| {
            let (arrival, frame) = Arrival::of(&playfield, &judged.promises);
            assert_eq!(arrival == Arrival::Drop, Arrival::is_drop(&playfield, judged.placement));
            (judged.placement.name(), arrival, frame)
        };
        let mut found: Vec<_> = judged.iter().map(arrival).filter(|(_, way, _)| *way != Arrival::Drop).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    #[test]
    fn a_tuck_is_shifted_under_an_overhang_and_a_spin_is_turned_under_it() {
        let tuck = "
            ....###...
            ....#.....
            ....#.....
            ....#.....
            ";
        let found = arrivals(tuck, Piece::O);
        let names: Vec<_> = found.iter().map(|(name, arrival, _)| (name.as_str(), *arrival)).collect();
        assert_eq!(names, [("O 6-7", Arrival::Tuck), ("O 7-8", Arrival::Tuck)]);
        // The T is turned into the notch.
        let spin = "
            ###..#####
            ##...#####
            ###.######
            ";
        let found = arrivals(spin, Piece::T);
        let into_the_notch: Vec<_> = found.iter().filter(|found| found.0 == "T down 3-5").collect();
        assert_eq!(into_the_notch.len(), 1, "{found:?}");
        assert_eq!(into_the_notch[0].1, Arrival::Spin);
        assert_eq!(arrivals("##########", Piece::T), []);
    }

    #[test]
    fn the_frame_of_a_tuck_is_the_first_under_the_overhang() {
        let promise = |x, y| Promise { x, y, orientation: Piece::O.spawn(), outcome: ControlOutcome::Falling };
        let playfield = Playfield::drawn(
            "
            ....###...
            ....#.....
            ....#.....
            ",
        );
        let way = [promise(8, 16), promise(8, 17), promise(8, 18), promise(7, 18), promise(6, 18)];
        assert_eq!(Arrival::of(&playfield, &way), (Arrival::Tuck, Some(3)));
        assert_eq!(Arrival::of(&playfield, &way[..3]), (Arrival::Drop, None));
    }

    #[test]
    fn a_press_has_its_frame_and_its_length() {
        let (l, d) = (Buttons::LEFT, Buttons::DOWN);
        let timeline = InputTimeline::new(vec![l | Buttons::A, Buttons::NONE, l, Buttons::NONE, d, d, d]);
        let presses = Press::all(&timeline, Buttons::NONE);
        let seen: Vec<_> = presses.iter().map(|press| (press.frame, press.buttons, press.frames)).collect();
        assert_eq!(seen, [(0, l | Buttons::A, 1), (2, l, 1), (4, d, 3)]);
        assert_eq!(Press::all(&timeline, l)[0].buttons, Buttons::A, "left was down before");
        // Two buttons that go down together and come up in different frames.
        let timeline = InputTimeline::new(vec![d | Buttons::B, d, d | Buttons::B]);
        let seen: Vec<_> =
            Press::all(&timeline, Buttons::NONE).iter().map(|p| (p.frame, p.buttons, p.frames)).collect();
        assert_eq!(seen, [(0, d, 3), (0, Buttons::B, 1), (2, Buttons::B, 1)]);
    }
}
