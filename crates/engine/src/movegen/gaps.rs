//! Taps whose gaps change from tap to tap.
//!
//! As with [`taps`](super::taps), all states of one frame have the same row and fall timer. Besides
//! column and orientation they differ in the gap that will follow the next tap, and in the rest: the
//! frames until that tap is allowed. Of states with the same gap ahead only those with the shortest rest
//! are kept, because they can do all that the others can.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::Gravity;
use crate::gamepad::{Buttons, InputTimeline, TapGaps};

/// Most frames of a rest, and one more.
const RESTS: usize = TapGaps::LONGEST as usize;

/// The states of one frame: those whose next tap is followed by the gap at place `g`, and may come
/// after `r` frames, are in `sets[g][r]`.
#[derive(Debug, Clone)]
pub(super) struct GapHands {
    gaps: TapGaps,
    /// How many rests occur: from 0 to one frame less than the longest gap, so at least two.
    rests: usize,
    sets: [[Set; RESTS]; TapGaps::MOST],
}

impl GapHands {
    pub(super) fn of(start: &Start, gaps: TapGaps, state: Set) -> GapHands {
        let rests = usize::from(gaps.longest());
        let mut sets = [[0; RESTS]; TapGaps::MOST];
        sets[gaps.place_after(start.taps.into())][usize::from(start.rest).min(rests - 1)] = state;
        GapHands { gaps, rests, sets }
    }

    /// The places of gaps.
    fn places(&self) -> std::ops::Range<usize> {
        0..self.gaps.count()
    }

    /// Lets one frame pass: a tap or none.
    #[inline]
    pub(super) fn pass(&mut self, lanes: &Lanes, fits: Set) {
        let mut tapped = [0; TapGaps::MOST];
        for place in self.places() {
            tapped[place] = lanes.moved(self.sets[place][0], fits);
            let sets = &mut self.sets[place][..self.rests];
            let ready = sets[0];
            sets.rotate_left(1);
            sets[0] |= ready;
            sets[self.rests - 1] = 0;
        }
        for place in self.places() {
            let rest = usize::from(self.gaps.frames(place)) - 1;
            let sets = &mut self.sets[self.gaps.after(place)];
            let sooner = sets[..=rest].iter().fold(0, |all, set| all | set);
            let new = tapped[place] & !sooner;
            sets[rest] |= new;
            sets[rest + 1..self.rests].iter_mut().for_each(|set| *set &= !new);
        }
    }

    /// All states.
    #[inline]
    pub(super) fn all(&self) -> Set {
        self.places().flat_map(|place| &self.sets[place][..self.rests]).fold(0, |all, set| all | set)
    }

    /// Calls a function with each state, its rest, and a number of taps that has the same gaps ahead.
    pub(super) fn each(&self, mut call: impl FnMut(Set, u8, u8)) {
        for place in self.places() {
            for (rest, &set) in (0..).zip(&self.sets[place][..self.rests]) {
                // Before the first tap the first gap is ahead, and so on.
                each(set).for_each(|state| call(state, rest, place as u8));
            }
        }
    }

    /// Keeps only these states.
    #[inline]
    pub(super) fn keep(&mut self, states: Set) {
        for place in self.places() {
            self.sets[place][..self.rests].iter_mut().for_each(|set| *set &= states);
        }
    }
}

/// What the hand has ahead of it: the place of the gap after the next tap, and the rest before that tap.
#[derive(Debug, Clone, Copy)]
struct Ahead {
    place: usize,
    rest: usize,
}

/// The searched frames, from the first on.
#[derive(Debug, Clone)]
pub(super) struct Gaps {
    lanes: Lanes,
    gaps: TapGaps,
    rests: usize,
    /// The sets at the start of each frame: of a frame all rests of the first place, then those of the
    /// second, and so on.
    before: Vec<Set>,
    /// The row of each frame.
    rows: Vec<u8>,
}

impl Gaps {
    pub(super) fn search(
        lanes: Lanes,
        start: &Start,
        gravity: Gravity,
        gaps: TapGaps,
        reached: &mut Vec<Reached>,
    ) -> Gaps {
        let mut hands = GapHands::of(start, gaps, lanes.state(start.piece.orientation, start.piece.x));
        let mut search = Gaps { lanes, gaps, rests: hands.rests, before: Vec::new(), rows: Vec::with_capacity(64) };
        let mut y = start.piece.y as u8;
        let mut fall_timer = start.piece.fall_timer;
        while hands.all() != 0 {
            hands.places().for_each(|place| search.before.extend(&hands.sets[place][..hands.rests]));
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

    /// The states at the start of a frame that have this ahead of them.
    fn set(&self, frame: usize, ahead: Ahead) -> Set {
        let Ahead { place, rest } = ahead;
        if rest < self.rests { self.before[(frame * self.gaps.count() + place) * self.rests + rest] } else { 0 }
    }

    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        let state = self.lanes.state(reached.placement.orientation, reached.placement.x);
        // At the lock anything may be ahead.
        self.way(reached.frames as usize, state, None)
    }

    /// The ways to all states in which the piece can be after some frames.
    pub(super) fn openings(&self, frames: usize) -> Vec<InputTimeline> {
        if frames >= self.rows.len() {
            return Vec::new();
        }
        let aheads = (0..self.gaps.count()).flat_map(|place| (0..self.rests).map(move |rest| Ahead { place, rest }));
        let ways = |ahead| each(self.set(frames, ahead)).map(move |state| self.way(frames, state, Some(ahead)));
        aheads.flat_map(ways).collect()
    }

    /// Walks back from a state after some frames, without a tap wherever it was already there. `ahead` is
    /// what is ahead at the end of the last frame.
    fn way(&self, frames: usize, mut state: Set, mut ahead: Option<Ahead>) -> InputTimeline {
        let mut buttons = vec![Buttons::NONE; frames];
        for frame in (0..buttons.len()).rev() {
            let idle = self.idle_before(ahead).find(|&before| self.set(frame, before) & state != 0);
            let before = idle.unwrap_or_else(|| {
                let (tap, from, place) = self.tap_into(frame, state, ahead);
                (buttons[frame], state) = (tap, from);
                Ahead { place, rest: 0 }
            });
            ahead = Some(before);
        }
        InputTimeline::new(buttons)
    }

    /// What may have been ahead before a frame without a tap.
    fn idle_before(&self, after: Option<Ahead>) -> impl Iterator<Item = Ahead> {
        let places = after.map_or(0..self.gaps.count(), |after| after.place..after.place + 1);
        let rests = match after {
            None => 0..self.rests,
            Some(Ahead { rest: 0, .. }) => 0..2,
            Some(Ahead { rest, .. }) => rest + 1..rest + 2,
        };
        places.flat_map(move |place| rests.clone().map(move |rest| Ahead { place, rest }))
    }

    /// A tap that leads into a state in a frame, the state before it, and the place of the gap that
    /// follows it.
    fn tap_into(&self, frame: usize, state: Set, after: Option<Ahead>) -> (Buttons, Set, usize) {
        let fits = self.lanes.fits(self.rows[frame]);
        let leads_there = |place: usize| {
            let Some(Ahead { place: next, rest }) = after else { return true };
            self.gaps.after(place) == next && usize::from(self.gaps.frames(place)) == rest + 1
        };
        let found = (0..self.gaps.count()).filter(|&place| leads_there(place)).find_map(|place| {
            let tap = self.lanes.tap_into(state, self.set(frame, Ahead { place, rest: 0 }), fits);
            tap.map(|(buttons, from)| (buttons, from, place))
        });
        found.expect("a state that is new in a frame comes from one tap")
    }
}
