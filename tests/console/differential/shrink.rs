//! Shortens a failing episode: cuts the tail, removes and blanks presses in smaller and smaller
//! chunks, removes pokes. The result still shows a difference, not necessarily the same one.

use maxout_engine::gamepad::Buttons;

use super::coverage::Coverage;
use super::episode::{Arena, Episode, Failure};

/// The shortest failing episode found by replaying `effort` frames at most, and its failure.
pub fn shrink(arena: &mut Arena, episode: Episode, failure: Failure, effort: usize) -> (Episode, Failure) {
    let mut shrinker = Shrinker { arena, best: episode, failure, effort };
    shrinker.cut_tail();
    loop {
        let before = shrinker.best.clone();
        shrinker.by_chunks(|inputs, from, to| drop(inputs.drain(from..to)));
        shrinker.by_chunks(|inputs, from, to| inputs[from..to].fill(Buttons::NONE));
        shrinker.drop_pokes();
        if shrinker.best == before {
            return (shrinker.best, shrinker.failure);
        }
    }
}

struct Shrinker<'a> {
    arena: &'a mut Arena,
    best: Episode,
    failure: Failure,
    /// Frames that may still be replayed.
    effort: usize,
}

impl Shrinker<'_> {
    /// Cuts everything after the difference.
    fn cut_tail(&mut self) {
        self.best.inputs.truncate(self.failure.frame + 1);
    }

    /// Keeps the candidate if it fails too.
    fn try_candidate(&mut self, candidate: Episode) -> bool {
        if candidate == self.best || self.effort < candidate.inputs.len() {
            return false;
        }
        self.effort -= candidate.inputs.len();
        let Some(failure) = self.arena.replay(&candidate, &mut Coverage::default()) else { return false };
        self.best = candidate;
        self.failure = failure;
        self.cut_tail();
        true
    }

    /// Edits one chunk at a time; the chunks shrink from half of the inputs to one frame.
    fn by_chunks(&mut self, edit: impl Fn(&mut Vec<Buttons>, usize, usize)) {
        let mut size = self.best.inputs.len().div_ceil(2);
        while size > 0 {
            let mut from = 0;
            while from < self.best.inputs.len() {
                let mut candidate = self.best.clone();
                let to = (from + size).min(candidate.inputs.len());
                edit(&mut candidate.inputs, from, to);
                let shorter = candidate.inputs.len() < self.best.inputs.len();
                if !(self.try_candidate(candidate) && shorter) {
                    from = to;
                }
            }
            size /= 2;
        }
    }

    fn drop_pokes(&mut self) {
        for index in (0..self.best.pokes.len()).rev() {
            let mut candidate = self.best.clone();
            candidate.pokes.remove(index);
            self.try_candidate(candidate);
        }
    }
}
