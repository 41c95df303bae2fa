//! The placements that a press style reaches, with a timeline to each.

use super::beat::{Beat, OnBeat};
use super::free::Free;
use super::gamepad::Gamepad;
use super::gaps::Gaps;
use super::lanes::Lanes;
use super::reached::Reached;
use super::start::{Start, Waited};
use super::taps::Taps;
use crate::game::{Gravity, Placement, Playfield};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};

/// All placements within reach, and what is needed to find the buttons for each.
#[derive(Debug, Clone)]
pub struct Moves {
    reached: Vec<Reached>,
    /// Frames before the search begins, in which nothing is pressed.
    waited: u32,
    path: Path,
}

#[derive(Debug, Clone)]
enum Path {
    OnBeat(OnBeat),
    Gamepad(Gamepad),
    Taps(Taps),
    Gaps(Gaps),
    Free(Free),
    /// The piece locks before anything may be pressed.
    Straight,
}

impl Moves {
    /// The placements, soonest lock first, each once.
    pub fn reached(&self) -> &[Reached] {
        &self.reached
    }

    /// A shortest timeline to one of [`Moves::reached`], with each press as early as possible.
    /// Empty for [`generate_free`]: no buttons move a piece like that.
    pub fn timeline(&self, reached: &Reached) -> InputTimeline {
        let searched = Reached { frames: reached.frames - self.waited, ..*reached };
        let timeline = match &self.path {
            Path::OnBeat(path) => path.timeline(&searched),
            Path::Gamepad(path) => path.timeline(&searched),
            Path::Taps(path) => path.timeline(&searched),
            Path::Gaps(path) => path.timeline(&searched),
            Path::Free(_) | Path::Straight => InputTimeline::default(),
        };
        self.after_the_wait(timeline)
    }

    /// Of a search of [`generate_waiting`]: what can be pressed in this number of first frames without
    /// landing the piece, one timeline of that length for each state in which the piece and the hand can
    /// then be. A state is left out where another one of the same place and the same taps ahead may press sooner.
    pub fn openings(&self, frames: u32) -> Vec<InputTimeline> {
        let Some(searched) = frames.checked_sub(self.waited).map(|frames| frames as usize) else {
            return vec![InputTimeline::new(vec![Buttons::NONE; frames as usize])];
        };
        let openings = match &self.path {
            Path::OnBeat(path) => path.openings(searched),
            Path::Gamepad(path) => path.openings(searched),
            Path::Taps(path) => path.openings(searched),
            Path::Gaps(path) => path.openings(searched),
            Path::Free(_) | Path::Straight => Vec::new(),
        };
        openings.into_iter().map(|opening| self.after_the_wait(opening)).collect()
    }

    fn after_the_wait(&self, searched: InputTimeline) -> InputTimeline {
        if self.waited == 0 {
            return searched;
        }
        let mut frames = vec![Buttons::NONE; self.waited as usize];
        frames.extend(searched.frames());
        InputTimeline::new(frames)
    }

    /// A shortest way of [`generate_free`] to one of [`Moves::reached`]: where the piece is after
    /// each step, the placement last. Empty for searches with buttons.
    pub fn steps(&self, reached: &Reached) -> Vec<Placement> {
        match &self.path {
            Path::Free(path) => path.steps(reached),
            Path::OnBeat(_) | Path::Gamepad(_) | Path::Taps(_) | Path::Gaps(_) | Path::Straight => Vec::new(),
        }
    }
}

/// Finds every placement that a press style can reach under this gravity. A level stands for its
/// gravity by the rules of the original.
pub fn generate(playfield: &Playfield, start: &Start, gravity: impl Into<Gravity>, style: PressStyle) -> Moves {
    search(playfield, start, gravity.into(), style, true)
}

/// [`generate()`] without pushdown, as a hand moves the piece that waits for the next box.
pub fn generate_waiting(playfield: &Playfield, start: &Start, gravity: impl Into<Gravity>, style: PressStyle) -> Moves {
    search(playfield, start, gravity.into(), style, false)
}

/// [`generate()`] for a gravity, with pushdown or without.
fn search(playfield: &Playfield, start: &Start, gravity: Gravity, style: PressStyle, pushes: bool) -> Moves {
    let (waited, start) = match start.wait(playfield, gravity) {
        (waited, Waited::Falls(start)) => (waited, start),
        (waited, Waited::Locks(placement)) => {
            let reached = placement.map(|placement| Reached { placement, frames: waited }).into_iter().collect();
            return Moves { reached, waited, path: Path::Straight };
        }
    };
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let mut reached = Vec::with_capacity(64);
    let mut on_beat = |lanes, beat| Path::OnBeat(OnBeat::search(lanes, &start, gravity, beat, &mut reached));
    let path = match style {
        PressStyle::EvenFrames => on_beat(lanes, Beat::EvenFrames),
        PressStyle::Rhythm(rhythm) => on_beat(lanes, Beat::Rhythm(rhythm)),
        PressStyle::Gamepad => Path::Gamepad(Gamepad::search(lanes, &start, gravity, pushes, &mut reached)),
        PressStyle::Taps(rate) => Path::Taps(Taps::search(lanes, &start, gravity, rate, &mut reached)),
        PressStyle::Gaps(gaps) => Path::Gaps(Gaps::search(lanes, &start, gravity, gaps, &mut reached)),
    };
    reached.iter_mut().for_each(|reached| reached.frames += waited);
    Moves { reached, waited, path }
}

/// Finds every placement that steps of one column, one turn or one row down lead to, without
/// gravity. Of `start` only the piece's place and orientation are used.
pub fn generate_free(playfield: &Playfield, start: &Start) -> Moves {
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let mut reached = Vec::with_capacity(64);
    let path = Path::Free(Free::search(lanes, start, &mut reached));
    Moves { reached, waited: 0, path }
}
