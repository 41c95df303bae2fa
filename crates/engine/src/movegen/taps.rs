//! The `taps` style: a shift, a rotation or both in the frame of a tap, and a rest after it.
//!
//! Without pushdown all states of one frame have the same row and fall timer. Besides column and
//! orientation they differ in the rest: the frames until the next tap is allowed. A state with a
//! shorter rest can do all that the same state with a longer one can, so that only the shortest is
//! kept.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::Gravity;
use crate::gamepad::{Buttons, InputTimeline, TapRate};

/// Frames from one tap to the next at 1 Hz, the slowest rate.
pub(super) const LONGEST: usize = 60;

/// The states of one frame: set `rest` holds those that may tap after `rest` frames.
#[derive(Debug, Clone)]
pub(super) struct TapHands {
    /// Frames from tap to tap, and so the number of sets: at least two.
    period: usize,
    sets: [Set; LONGEST],
}

impl TapHands {
    pub(super) fn of(start: &Start, rate: TapRate, state: Set) -> TapHands {
        let period = usize::from(rate.frames());
        let mut sets = [0; LONGEST];
        sets[usize::from(start.rest).min(period - 1)] = state;
        TapHands { period, sets }
    }

    fn sets(&self) -> &[Set] {
        &self.sets[..self.period]
    }

    /// Lets one frame pass: a tap or none.
    pub(super) fn pass(&mut self, lanes: &Lanes, fits: Set) {
        let sets = &mut self.sets[..self.period];
        let tapped = lanes.tapped(sets[0], fits);
        sets[0] |= sets[1];
        sets.copy_within(2.., 1);
        sets[self.period - 1] = 0;
        let rested = sets.iter().fold(0, |all, set| all | set);
        sets[self.period - 1] = tapped & !rested;
    }

    /// All states.
    pub(super) fn all(&self) -> Set {
        self.sets().iter().fold(0, |all, set| all | set)
    }

    /// Keeps only these states.
    pub(super) fn keep(&mut self, states: Set) {
        self.sets[..self.period].iter_mut().for_each(|set| *set &= states);
    }

    /// Calls a function with each state and its rest.
    pub(super) fn each(&self, mut call: impl FnMut(Set, u8)) {
        for (rest, &set) in (0..).zip(self.sets()) {
            each(set).for_each(|state| call(state, rest));
        }
    }
}

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
    pub(super) fn search(
        lanes: Lanes,
        start: &Start,
        gravity: Gravity,
        rate: TapRate,
        reached: &mut Vec<Reached>,
    ) -> Taps {
        let mut hands = TapHands::of(start, rate, lanes.state(start.piece.orientation, start.piece.x));
        let period = hands.period;
        let mut search = Taps { lanes, period, before: Vec::with_capacity(64 * period), rows: Vec::with_capacity(64) };
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        while hands.all() != 0 {
            search.before.extend(hands.sets());
            search.rows.push(y);
            hands.pass(&search.lanes, search.lanes.fits(y));
            fall_timer = fall_timer.saturating_add(1);
            if fall_timer >= gravity.frames() {
                fall_timer = 0;
                let frames = search.rows.len() as u32;
                let lanes = &search.lanes;
                let falling = lanes.dropped(hands.all(), &mut y, gravity.rows(), |landed, row| {
                    reached
                        .extend(each(landed).map(|state| Reached { placement: lanes.placement(state, row), frames }));
                });
                hands.keep(falling);
            }
        }
        search
    }

    /// The states at the start of a frame that rest for `rest` frames.
    fn set(&self, frame: usize, rest: usize) -> Set {
        if rest < self.period { self.before[frame * self.period + rest] } else { 0 }
    }

    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        let state = self.lanes.state(reached.placement.orientation, reached.placement.x);
        // At the lock any rest will do.
        self.way(reached.frames as usize, state, None)
    }

    /// The ways to all states in which the piece can be after some frames: for each orientation and
    /// column to the one with the shortest rest.
    pub(super) fn openings(&self, frames: usize) -> Vec<InputTimeline> {
        if frames >= self.rows.len() {
            return Vec::new();
        }
        let ways = |rest| each(self.set(frames, rest)).map(move |state| self.way(frames, state, Some(rest)));
        (0..self.period).flat_map(ways).collect()
    }

    /// Walks back from a state after some frames, without a tap wherever it was already there. `rest` is
    /// the rest at the end of the last frame.
    fn way(&self, frames: usize, mut state: Set, mut rest: Option<usize>) -> InputTimeline {
        let mut buttons = vec![Buttons::NONE; frames];
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
