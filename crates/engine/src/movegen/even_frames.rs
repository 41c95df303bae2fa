//! The `even-frames` style: one button, or none, on every second frame.
//!
//! Without pushdown all states of one frame have the same row and fall timer, so that one set
//! holds all of them.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::timing::frames_per_row;
use crate::gamepad::{Buttons, InputTimeline, PressStyle};

/// The states before a frame, and the row that they are in.
#[derive(Debug, Clone, Copy)]
struct Frame {
    before: Set,
    y: u8,
}

/// The searched frames, from the first on.
#[derive(Debug, Clone)]
pub(super) struct EvenFrames {
    lanes: Lanes,
    first_control_frame: u32,
    frames: Vec<Frame>,
}

impl EvenFrames {
    pub(super) fn search(lanes: Lanes, start: &Start, level: u8, reached: &mut Vec<Reached>) -> EvenFrames {
        let frames_per_row = frames_per_row(level);
        let mut set = lanes.state(start.piece.orientation, start.piece.x);
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        let mut frames = Vec::with_capacity(64);
        while set != 0 {
            frames.push(Frame { before: set, y });
            let fits = lanes.fits(y);
            if PressStyle::EvenFrames.may_press(start.control_frame + frames.len() as u32 - 1) {
                set = lanes.pressed(set, fits);
            }
            fall_timer = fall_timer.saturating_add(1);
            if fall_timer >= frames_per_row {
                fall_timer = 0;
                let below = lanes.fits(y + 1);
                // A piece that spawned into blocks and was not moved out of them tops out instead.
                for state in each(set & fits & !below) {
                    reached.push(Reached { placement: lanes.placement(state, y), frames: frames.len() as u32 });
                }
                set &= below;
                y += 1;
            }
        }
        EvenFrames { lanes, first_control_frame: start.control_frame, frames }
    }

    /// Walks back from the lock, without a press wherever the state was already there.
    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        let mut state = self.lanes.state(reached.placement.orientation, reached.placement.x);
        let mut buttons = vec![Buttons::NONE; reached.frames as usize];
        for (index, frame) in self.frames[..reached.frames as usize].iter().enumerate().rev() {
            if frame.before & state != 0 {
                continue;
            }
            debug_assert!(PressStyle::EvenFrames.may_press(self.first_control_frame + index as u32));
            debug_assert!(self.lanes.fits(frame.y) & state != 0);
            let (button, before) = [
                (Buttons::LEFT, Lanes::right(state)),
                (Buttons::RIGHT, Lanes::left(state)),
                (Buttons::A, self.lanes.counter_clockwise(state)),
                (Buttons::B, self.lanes.clockwise(state)),
            ]
            .into_iter()
            .find(|&(_, before)| frame.before & before != 0)
            .expect("a state that is new in a frame comes from one press");
            buttons[index] = button;
            state = before;
        }
        InputTimeline::new(buttons)
    }
}
