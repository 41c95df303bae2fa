//! Values of placements by the net, and a search one piece further.

use super::schedule::Rates;
use maxout_engine::game::scoring::CLEAR_POINTS;
use maxout_engine::game::{Obstacles, Piece, Playfield, SPAWN_X};
use maxout_engine::judge::REWARD_POINTS;
use maxout_engine::judge::learned::{Child, Expander, HeadOf, QuickNet};
use maxout_engine::movegen::{Start, sweep};
use maxout_engine::planner::{Forecast, GeneratorOdds};

/// A placement whose next piece was placed too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Searched {
    /// Its value by the net alone.
    worth: f32,
    /// Which of the placements it is.
    pub index: usize,
    /// The expected value after it, found by placing the next piece.
    pub after: f32,
}

/// The net, the head of it that judges, and how pieces fall and are moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judge<'a> {
    pub net: &'a QuickNet,
    pub head: usize,
    pub expander: Expander,
}

impl<'a> Judge<'a> {
    /// One of the heads of a net.
    pub fn of(net: &'a QuickNet, head: usize) -> Judge<'a> {
        Judge { net, head, expander: Expander::new(net.outlook.topout) }
    }

    /// All placements of a piece with the net's values; none when the piece cannot spawn.
    #[inline]
    pub fn expand(&self, playfield: &Playfield, piece: Piece, children: &mut Vec<Child>) {
        if playfield.fits(piece.spawn(), SPAWN_X, 0) {
            let games = self.net.heads()[self.head].trained_for;
            let locks = sweep(playfield, &Start::spawn(piece), games.gravity(), games.tap_rate.style());
            self.expander.expand(HeadOf { net: self.net, head: self.head }, playfield, locks.iter(), children);
        } else {
            children.clear();
        }
    }
}

/// A search one piece further than the net's values, from the best few placements.
#[derive(Debug, Clone, Default)]
pub(super) struct Lookahead {
    /// The placements that were searched, the best by the net first.
    pub searched: Vec<Searched>,
    /// The placements of the next piece after the chosen one.
    pub below_best: Vec<Child>,
    below: Vec<Child>,
}

impl Lookahead {
    /// Chooses among placements, of which there must be at least one. Searches at most `width` of
    /// those that are within `margin` of the best by the net, and returns the index of the one with
    /// the highest value after the next piece is placed too.
    pub(super) fn choose(
        &mut self,
        judge: &Judge<'_>,
        children: &[Child],
        next: Piece,
        (width, margin): (usize, f32),
        rates: &Rates,
    ) -> usize {
        let promising = children.iter().map(|child| worth(child, next, rates));
        let least = promising.clone().fold(f32::NEG_INFINITY, f32::max) - margin;
        self.searched.clear();
        self.searched.extend(promising.zip(0..).filter(|&(worth, _)| worth >= least).map(|(worth, index)| Searched {
            worth,
            index,
            after: 0.0,
        }));
        self.searched.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.index.cmp(&b.index)));
        self.searched.truncate(width);
        let mut chosen: Option<(f32, usize)> = None;
        for searched in &mut self.searched {
            let child = &children[searched.index];
            judge.expand(&child.playfield, next, &mut self.below);
            searched.after = expectation(&self.below, next, rates);
            let worth = reward(child) + rates.discount * searched.after;
            if chosen.is_none_or(|(most, _)| worth > most) {
                chosen = Some((worth, searched.index));
                std::mem::swap(&mut self.below, &mut self.below_best);
            }
        }
        chosen.expect("at least the best placement is searched").1
    }
}

/// The value of a placement by the net: its reward, and the discounted value after it.
#[inline]
pub(super) fn worth(child: &Child, next: Piece, rates: &Rates) -> f32 {
    reward(child) + rates.discount * child.values[next.index()]
}

/// The reward of the rows that a placement clears.
#[inline]
pub(super) fn reward(child: &Child) -> f32 {
    const POINTS: [f32; CLEAR_POINTS.len()] = {
        let mut points = [0.0; CLEAR_POINTS.len()];
        let mut rows = 0;
        while rows < points.len() {
            points[rows] = CLEAR_POINTS[rows] as f32;
            rows += 1;
        }
        points
    };
    POINTS[usize::from(child.rows)] / REWARD_POINTS
}

/// The expected value over the pieces that may come next: the best placement for each, weighted
/// with the odds of the piece.
#[inline]
pub(super) fn expectation(children: &[Child], piece: Piece, rates: &Rates) -> f32 {
    if children.is_empty() {
        return rates.topout;
    }
    let mut most = [f32::NEG_INFINITY; 8];
    for child in children {
        for (most, value) in most.iter_mut().zip(&child.values) {
            *most = most.max(reward(child) + rates.discount * value);
        }
    }
    GeneratorOdds.expect(piece, |next| most[next.index()])
}
