//! The `taps` style: a shift, a rotation or both in the frame of a tap, and a rest after it.
//!
//! Without pushdown all states of one frame have the same row and fall timer. Besides column and
//! orientation they differ in the rest: the frames until the next tap is allowed. A state with a
//! shorter rest can do all that the same state with a longer one can, so that only the shortest is
//! kept.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::timing::frames_per_row;
use crate::gamepad::{Buttons, InputTimeline, TapRate};

/// The searched frames, from the first on.
#[derive(Debug, Clone)]
pub(super) struct Taps {
    lanes: Lanes,
    /// Frames from tap to tap, and so the number of sets of a frame.
    period: usize,
    /// The sets at the start of each frame, `period` of them: set `rest` holds the states that may
    /// tap after `rest` frames.
    before: Vec<Set>,
    /// The row of each frame.
    rows: Vec<u8>,
}

impl Taps {
    pub(super) fn search(lanes: Lanes, start: &Start, level: u8, rate: TapRate, reached: &mut Vec<Reached>) -> Taps {
        let frames_per_row = frames_per_row(level);
        let period = usize::from(rate.frames());
        let mut search = Taps { lanes, period, before: Vec::with_capacity(64 * period), rows: Vec::with_capacity(64) };
        let mut sets = vec![0; period];
        sets[usize::from(start.rest).min(period - 1)] = search.lanes.state(start.piece.orientation, start.piece.x);
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        while sets.iter().any(|&set| set != 0) {
            search.before.extend(&sets);
            search.rows.push(y);
            let fits = search.lanes.fits(y);
            let tapped = search.lanes.tapped(sets[0], fits);
            sets[0] |= sets[1];
            sets.copy_within(2.., 1);
            sets[period - 1] = 0;
            let rested = sets.iter().fold(0, |all, set| all | set);
            sets[period - 1] = tapped & !rested;
            fall_timer = fall_timer.saturating_add(1);
            if fall_timer >= frames_per_row {
                fall_timer = 0;
                let below = search.lanes.fits(y + 1);
                let frames = search.rows.len() as u32;
                // A piece that spawned into blocks and was not moved out of them tops out instead.
                for state in each((rested | tapped) & fits & !below) {
                    reached.push(Reached { placement: search.lanes.placement(state, y), frames });
                }
                sets.iter_mut().for_each(|set| *set &= below);
                y += 1;
            }
        }
        search
    }

    /// The states at the start of a frame that rest for `rest` frames.
    fn set(&self, frame: usize, rest: usize) -> Set {
        if rest < self.period { self.before[frame * self.period + rest] } else { 0 }
    }

    /// Walks back from the lock, without a tap wherever the state was already there.
    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        let mut state = self.lanes.state(reached.placement.orientation, reached.placement.x);
        let mut buttons = vec![Buttons::NONE; reached.frames as usize];
        // The rest at the end of the frame; at the lock any rest will do.
        let mut rest = None;
        for index in (0..buttons.len()).rev() {
            let idle = match rest {
                Some(0) => (0..2).find(|&before| self.set(index, before) & state != 0),
                Some(rest) => Some(rest + 1).filter(|&before| self.set(index, before) & state != 0),
                None => (0..self.period).find(|&before| self.set(index, before) & state != 0),
            };
            rest = Some(idle.unwrap_or_else(|| {
                (buttons[index], state) = self.tap_into(index, state);
                0
            }));
        }
        InputTimeline::new(buttons)
    }

    /// The tap that leads into a state that is new in a frame, and the state before it.
    fn tap_into(&self, frame: usize, state: Set) -> (Buttons, Set) {
        let fits = self.lanes.fits(self.rows[frame]);
        self.lanes.tap_into(state, self.set(frame, 0), fits).expect("a state that is new in a frame comes from one tap")
    }
}
