//! The tree below a placement: expectimax over the pieces that nobody can see.

use std::time::Instant;

use super::shape::Beam;
use crate::game::scoring::Progress;
use crate::game::{Obstacles, Piece, Placement, Playfield, SPAWN_X};
use crate::gamepad::PressStyle;
use crate::movegen::{Start, generate_free, sweep};
use crate::value::{Child, Judge, QuickNet, odds};

/// Points of a reward of 1.
pub(super) const UNIT: f32 = 300.0;

/// What the clear of so many rows pays, in rewards: its points at level 0.
const REWARDS: [f32; 5] = [0.0, 40.0 / UNIT, 100.0 / UNIT, 300.0 / UNIT, 1200.0 / UNIT];

/// Expansions from one look at the clock to the next.
const CLOCK: u64 = 8;

/// What a decision cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Pieces looked ahead, the falling one included.
    pub plies: u8,
    /// Sets of placements that were put together: one for each piece on each playfield.
    pub expansions: u64,
    /// Playfields that were judged.
    pub judged: u64,
}

impl Effort {
    pub(in crate::planner) fn add(&mut self, other: &Effort) {
        self.expansions += other.expansions;
        self.judged += other.judged;
    }
}

/// What is known of every node of a tree.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) net: &'a QuickNet,
    pub(super) discount: f32,
    /// `None` where no button moves the piece.
    pub(super) style: Option<PressStyle>,
    /// When to stop.
    pub(super) deadline: Option<Instant>,
}

/// A playfield and how far the game is.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) playfield: Playfield,
    pub(super) progress: Progress,
}

impl Node {
    /// What a placement leads to.
    pub(super) fn after(&self, child: &Child) -> Node {
        let mut progress = self.progress;
        progress.count_a_type(child.rows);
        Node { playfield: child.playfield, progress }
    }
}

/// The search below one placement after the other, with memory that they share.
pub(super) struct Tree<'a> {
    rules: Rules<'a>,
    judge: Judge,
    /// By depth, so that no node allocates.
    memory: Vec<Memory>,
    effort: Effort,
    /// Expansions that [`Tree::effort`] may come to.
    limit: u64,
}

#[derive(Default)]
struct Memory {
    children: Vec<Child>,
    order: Vec<(f32, usize)>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(rules: Rules<'a>) -> Tree<'a> {
        Tree { rules, judge: Judge::default(), memory: Vec::new(), effort: Effort::default(), limit: u64::MAX }
    }

    /// Those of every node.
    pub(super) fn rules(&self) -> Rules<'a> {
        self.rules
    }

    /// Begins to count anew, up to a limit.
    pub(super) fn allow(&mut self, expansions: u64) {
        (self.effort, self.limit) = (Effort::default(), expansions);
    }

    /// What was done since.
    pub(super) fn effort(&self) -> Effort {
        self.effort
    }

    /// Replaces `children` by what these placements come to. Their values are made into worths:
    /// by the piece that comes next, the reward of the placement and what the net expects
    /// after it. This and [`Tree::worth`] are all that knows what a tree is played for.
    pub(super) fn judge(
        &mut self,
        node: &Node,
        placements: impl Iterator<Item = Placement>,
        children: &mut Vec<Child>,
    ) {
        self.judge.expand(self.rules.net, &node.playfield, placements, children);
        self.effort.expansions += 1;
        self.effort.judged += children.len() as u64;
        for child in children {
            let reward = REWARDS[usize::from(child.rows)];
            for value in &mut child.values {
                *value = reward + self.rules.discount * *value;
            }
        }
    }

    /// What a placement is worth if this is expected after it.
    pub(super) fn worth(&self, child: &Child, expected: f32) -> f32 {
        REWARDS[usize::from(child.rows)] + self.rules.discount * expected
    }

    /// All placements of a piece at its spawn; none where that is occupied.
    pub(super) fn expand(&mut self, node: &Node, piece: Piece, children: &mut Vec<Child>) {
        children.clear();
        if !node.playfield.fits(piece.spawn(), SPAWN_X, 0) {
            self.effort.expansions += 1;
            return;
        }
        let start = Start::spawn(piece);
        match self.rules.style {
            Some(style) => {
                self.judge(node, sweep(&node.playfield, &start, node.progress.level, style).iter(), children);
            }
            None => {
                let moves = generate_free(&node.playfield, &start);
                self.judge(node, moves.reached().iter().map(|reached| reached.placement), children);
            }
        }
    }

    /// Has the time or the limit run out?
    fn is_over(&self) -> bool {
        let late = |deadline| self.effort.expansions.is_multiple_of(CLOCK) && Instant::now() >= deadline;
        self.effort.expansions >= self.limit || self.rules.deadline.is_some_and(late)
    }

    /// What is expected of a playfield on which `piece` is to be placed, before the piece after
    /// it is known: with as many pieces looked at as there are beams and one more. `None` when
    /// the time or the limit ran out first.
    pub(super) fn value(&mut self, node: &Node, piece: Piece, beams: &[Beam]) -> Option<f32> {
        if self.is_over() {
            return None;
        }
        if self.memory.len() <= beams.len() {
            self.memory.resize_with(beams.len() + 1, Memory::default);
        }
        let mut memory = std::mem::take(&mut self.memory[beams.len()]);
        self.expand(node, piece, &mut memory.children);
        let value = match beams {
            _ if memory.children.is_empty() => Some(0.0),
            [] => Some(expectation(&memory.children, piece)),
            [beam, inner @ ..] => self.look_into(node, piece, *beam, inner, &mut memory),
        };
        self.memory[beams.len()] = memory;
        value
    }

    /// The expected value of the best of the beam.
    fn look_into(
        &mut self,
        node: &Node,
        piece: Piece,
        beam: Beam,
        inner: &[Beam],
        Memory { children, order }: &mut Memory,
    ) -> Option<f32> {
        let mut expected = 0.0;
        for (after, odds) in Piece::ALL.into_iter().zip(odds::after(piece)) {
            beam.choose(children, after, order);
            let mut most = f32::NEG_INFINITY;
            for &(_, index) in &*order {
                let child = &children[index];
                let value = self.value(&node.after(child), after, inner)?;
                most = most.max(self.worth(child, value));
            }
            expected += odds * most;
        }
        Some(expected)
    }
}

impl Beam {
    /// Replaces `order` by the children to look into if `next` comes: the best first, of equals the
    /// first.
    fn choose(self, children: &[Child], next: Piece, order: &mut Vec<(f32, usize)>) {
        let worth = |child: &Child| child.values[next.index()];
        let best = children.iter().map(worth).fold(f32::NEG_INFINITY, f32::max);
        order.clear();
        order.extend(children.iter().map(worth).zip(0..).filter(|&(worth, _)| worth >= best - self.margin));
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(self.width);
    }
}

/// What the best placement for each piece to come is worth, weighed with its odds.
fn expectation(children: &[Child], piece: Piece) -> f32 {
    let mut most = [f32::NEG_INFINITY; 8];
    for child in children {
        for (most, worth) in most.iter_mut().zip(&child.values) {
            *most = most.max(*worth);
        }
    }
    odds::after(piece).iter().zip(&most).map(|(odds, most)| odds * most).sum()
}
