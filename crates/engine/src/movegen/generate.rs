//! The placements that a press style reaches, with a timeline to each.

use super::beat::{Beat, OnBeat};
use super::free::Free;
use super::gamepad::Gamepad;
use super::lanes::Lanes;
use super::reached::Reached;
use super::start::{Start, Waited};
use super::taps::Taps;
use crate::game::{Placement, Playfield};
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
            Path::Free(_) | Path::Straight => InputTimeline::default(),
        };
        if self.waited == 0 {
            return timeline;
        }
        let mut frames = vec![Buttons::NONE; self.waited as usize];
        frames.extend(timeline.frames());
        InputTimeline::new(frames)
    }

    /// A shortest way of [`generate_free`] to one of [`Moves::reached`]: where the piece is after
    /// each step, the placement last. Empty for searches with buttons.
    pub fn steps(&self, reached: &Reached) -> Vec<Placement> {
        match &self.path {
            Path::Free(path) => path.steps(reached),
            Path::OnBeat(_) | Path::Gamepad(_) | Path::Taps(_) | Path::Straight => Vec::new(),
        }
    }
}

/// Finds every placement that a press style can reach under the gravity of `level`.
pub fn generate(playfield: &Playfield, start: &Start, level: u8, style: PressStyle) -> Moves {
    let (waited, start) = match start.wait(playfield, level) {
        (waited, Waited::Falls(start)) => (waited, start),
        (waited, Waited::Locks(placement)) => {
            let reached = placement.map(|placement| Reached { placement, frames: waited }).into_iter().collect();
            return Moves { reached, waited, path: Path::Straight };
        }
    };
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let mut reached = Vec::with_capacity(64);
    let mut on_beat = |lanes, beat| Path::OnBeat(OnBeat::search(lanes, &start, level, beat, &mut reached));
    let path = match style {
        PressStyle::EvenFrames => on_beat(lanes, Beat::EvenFrames),
        PressStyle::Rhythm(rhythm) => on_beat(lanes, Beat::Rhythm(rhythm)),
        PressStyle::Gamepad => Path::Gamepad(Gamepad::search(lanes, &start, level, &mut reached)),
        PressStyle::Taps(rate) => Path::Taps(Taps::search(lanes, &start, level, rate, &mut reached)),
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
