//! What each way to press in the first frames leaves within reach.
//!
//! A player with a reaction time presses without the next piece until it knows that, and chooses among what
//! is left then.

use super::gaps::GapHands;
use super::lanes::{Lanes, Set, each, placement};
use super::start::{Start, Waited};
use super::sweep::{Locks, sweep};
use super::taps::TapHands;
use crate::game::control::FallingPiece;
use crate::game::{Gravity, Piece, Placement, Playfield, ROWS};
use crate::gamepad::PressStyle;

/// What can be left within reach of one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    /// Placements in which the piece locks within the first frames: each comes from an opening of its own.
    pub landed: Locks,
    /// The placements that are still within reach after each other opening. Some may be contained in others.
    pub left: Vec<Locks>,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings { landed: Locks::only(Piece::T, None), left: Vec::new() }
    }
}

impl Openings {
    /// Fills in what can be left of a piece when the control frame `until` begins, without pushdown. `false`, and
    /// nothing is filled in, for [`PressStyle::Gamepad`], whose hands have too many states.
    pub fn find(
        &mut self,
        playfield: &Playfield,
        start: &Start,
        gravity: Gravity,
        style: PressStyle,
        until: u32,
    ) -> bool {
        let piece = start.piece.orientation.piece();
        self.left.clear();
        self.landed = Locks::only(piece, None);
        let start = match start.wait(playfield, gravity).1 {
            Waited::Falls(start) => start,
            Waited::Locks(placement) => {
                self.landed = Locks::only(piece, placement);
                return true;
            }
        };
        let lanes = Lanes::new(playfield, piece);
        let state = lanes.state(start.piece.orientation, start.piece.x);
        let Some(mut hands) = Hands::of(&start, style, state) else { return false };
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        let mut landed = [0; ROWS];
        let mut control_frame = start.control_frame;
        while control_frame < until {
            hands.pass(&lanes, lanes.fits(y), control_frame);
            control_frame += 1;
            fall_timer = fall_timer.saturating_add(1);
            if fall_timer < gravity.frames() {
                continue;
            }
            fall_timer = 0;
            let falling =
                lanes.dropped(hands.all(), &mut y, gravity.rows(), |states, row| landed[usize::from(row)] |= states);
            hands.keep(falling);
            if falling == 0 {
                break;
            }
        }
        self.landed = Locks::of_rows(lanes.first(), landed);
        hands.each(|state, rest, taps| {
            let Placement { orientation, x, .. } = placement(lanes.first(), state, y);
            let piece = FallingPiece { orientation, x, y: y as i8, fall_timer, ..start.piece };
            let start = Start { piece, control_frame, rest, taps, ..start };
            self.left.push(sweep(playfield, &start, gravity, style));
        });
        true
    }
}

/// The states of one frame, by what the hand may do next. All have the same row and fall timer.
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack; a box would allocate for each piece")]
enum Hands {
    /// All may press in the same frames.
    OnBeat(PressStyle, Set),
    /// By the frames until the next tap is allowed.
    Taps(TapHands),
    Gaps(GapHands),
}

impl Hands {
    fn of(start: &Start, style: PressStyle, state: Set) -> Option<Hands> {
        Some(match style {
            PressStyle::EvenFrames | PressStyle::Rhythm(_) => Hands::OnBeat(style, state),
            PressStyle::Taps(rate) => Hands::Taps(TapHands::of(start, rate, state)),
            PressStyle::Gaps(gaps) => Hands::Gaps(GapHands::of(start, gaps, state)),
            PressStyle::Gamepad => return None,
        })
    }

    /// Lets one frame pass.
    fn pass(&mut self, lanes: &Lanes, fits: Set, control_frame: u32) {
        match self {
            Hands::OnBeat(style, _) if !style.may_press(control_frame) => {}
            Hands::OnBeat(PressStyle::EvenFrames, set) => *set = lanes.pressed(*set, fits),
            Hands::OnBeat(_, set) => *set = lanes.tapped(*set, fits),
            Hands::Taps(hands) => hands.pass(lanes, fits),
            Hands::Gaps(hands) => hands.pass(lanes, fits),
        }
    }

    fn all(&self) -> Set {
        match self {
            Hands::OnBeat(_, set) => *set,
            Hands::Taps(hands) => hands.all(),
            Hands::Gaps(hands) => hands.all(),
        }
    }

    /// Keeps only these states.
    fn keep(&mut self, states: Set) {
        match self {
            Hands::OnBeat(_, set) => *set &= states,
            Hands::Taps(hands) => hands.keep(states),
            Hands::Gaps(hands) => hands.keep(states),
        }
    }

    /// Calls a function with each state, its rest, and a number of taps that has the same gaps ahead.
    fn each(&self, mut call: impl FnMut(Set, u8, u8)) {
        match self {
            Hands::OnBeat(_, set) => each(*set).for_each(|state| call(state, 0, 0)),
            Hands::Taps(hands) => hands.each(|state, rest| call(state, rest, 0)),
            Hands::Gaps(hands) => hands.each(call),
        }
    }
}
