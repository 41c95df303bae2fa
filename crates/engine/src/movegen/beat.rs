//! The styles that press on fixed frames only: `even-frames`, one button on every second frame, and
//! tap rhythms.
//!
//! Without pushdown all states of one frame have the same row and fall timer, and all may press in
//! the same frames, so that one set holds all of them.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::Gravity;
use crate::gamepad::{InputTimeline, PressStyle, TapRhythm};

/// On which frames buttons go down, and which.
#[derive(Debug, Clone, Copy)]
pub(super) enum Beat {
    /// One button on even frames.
    EvenFrames,
    /// A tap on the frames of a rhythm.
    Rhythm(TapRhythm),
}

impl Beat {
    fn style(self) -> PressStyle {
        match self {
            Beat::EvenFrames => PressStyle::EvenFrames,
            Beat::Rhythm(rhythm) => PressStyle::Rhythm(rhythm),
        }
    }

    /// Where one press leads, or none.
    fn pressed(self, lanes: &Lanes, set: Set, fits: Set) -> Set {
        match self {
            Beat::EvenFrames => lanes.pressed(set, fits),
            Beat::Rhythm(_) => lanes.tapped(set, fits),
        }
    }
}

/// The states before a frame, and the row that they are in.
#[derive(Debug, Clone, Copy)]
struct Frame {
    before: Set,
    y: u8,
}

/// The searched frames, from the first on.
#[derive(Debug, Clone)]
pub(super) struct OnBeat {
    lanes: Lanes,
    beat: Beat,
    first_control_frame: u32,
    frames: Vec<Frame>,
}

impl OnBeat {
    pub(super) fn search(
        lanes: Lanes,
        start: &Start,
        gravity: Gravity,
        beat: Beat,
        reached: &mut Vec<Reached>,
    ) -> OnBeat {
        let mut set = lanes.state(start.piece.orientation, start.piece.x);
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        let mut frames = Vec::with_capacity(64);
        while set != 0 {
            frames.push(Frame { before: set, y });
            let fits = lanes.fits(y);
            if beat.style().may_press(start.control_frame + frames.len() as u32 - 1) {
                set = beat.pressed(&lanes, set, fits);
            }
            fall_timer = fall_timer.saturating_add(1);
            if fall_timer >= gravity.frames() {
                fall_timer = 0;
                for _ in 0..gravity.rows() {
                    let (fits, below) = (lanes.fits(y), lanes.fits(y + 1));
                    // A piece that spawned into blocks and was not moved out of them tops out instead.
                    for state in each(set & fits & !below) {
                        reached.push(Reached { placement: lanes.placement(state, y), frames: frames.len() as u32 });
                    }
                    set &= below;
                    y += 1;
                }
            }
        }
        OnBeat { lanes, beat, first_control_frame: start.control_frame, frames }
    }

    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        self.way(reached.frames as usize, self.lanes.state(reached.placement.orientation, reached.placement.x))
    }

    /// The ways to all states in which the piece can be after some frames.
    pub(super) fn openings(&self, frames: usize) -> Vec<InputTimeline> {
        let states = self.frames.get(frames).map_or(0, |frame| frame.before);
        each(states).map(|state| self.way(frames, state)).collect()
    }

    /// Walks back from a state after some frames, without a press wherever it was already there.
    fn way(&self, frames: usize, mut state: Set) -> InputTimeline {
        let mut buttons = vec![Default::default(); frames];
        for (index, frame) in self.frames[..frames].iter().enumerate().rev() {
            if frame.before & state != 0 {
                continue;
            }
            debug_assert!(self.beat.style().may_press(self.first_control_frame + index as u32));
            let fits = self.lanes.fits(frame.y);
            debug_assert!(fits & state != 0);
            let press = match self.beat {
                Beat::EvenFrames => self.lanes.press_into(state, frame.before),
                Beat::Rhythm(_) => self.lanes.tap_into(state, frame.before, fits),
            };
            (buttons[index], state) = press.expect("a state that is new in a frame comes from one press");
        }
        InputTimeline::new(buttons)
    }
}
