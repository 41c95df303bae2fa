//! The tree below a placement: expectimax over the pieces that nobody can see.

use std::time::Instant;

use super::shape::Beam;
use crate::game::scoring::{CLEAR_POINTS, Progress};
use crate::game::{KILLSCREEN, Obstacles, Piece, Placement, Playfield, ROWS, SPAWN_X};
use crate::gamepad::PressStyle;
use crate::judge::learned::{Child, Judge, Outlook, QuickNet, odds};
use crate::movegen::{Start, generate_free, sweep};

/// Points of a reward of 1.
pub(super) const UNIT: f32 = 300.0;

/// What clearing 0 to 4 rows pays, in rewards: the points at level 0.
const REWARDS: [f32; CLEAR_POINTS.len()] = {
    let mut rewards = [0.0; CLEAR_POINTS.len()];
    let mut rows = 0;
    while rows < rewards.len() {
        rewards[rows] = CLEAR_POINTS[rows] as f32 / UNIT;
        rows += 1;
    }
    rewards
};

/// Points of a row's reward are those of level 19 in the finale: 20 times those of level 0.
const POINTS_AT: f32 = 20.0;

/// How much of the net's opinion counts when the plateau has ended: enough to choose among what
/// is equal otherwise.
const AFTERWARDS: f32 = 0.1;

/// What a pile costs from level 29 on, for the square of its height, in rewards. A piece that falls a
/// row a frame gets across a low pile only, which the net, trained on the plateau, does not know:
/// with it 80 games that went on until the top-out came 1,257 lines past 230 on average, without
/// it 300 games came 310.
const HEIGHT_COST: f32 = 0.1;

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

impl Rules<'_> {
    /// Makes of what the net thinks of a placement what it thinks of the rest of the plateau: by
    /// the lines that are left of it, since so many tetrises more are possible and no others.
    fn play_finale(&self, left: u8, child: &mut Child) {
        let outlook = &self.net.outlook;
        let left = usize::from(left.saturating_sub(child.rows));
        let cells = child.playfield.cell_count();
        let weight = if left == 0 { AFTERWARDS } else { Outlook::weight(left) };
        let is_high = child.playfield.row(0) | child.playfield.row(1) | child.playfield.row(2) != 0;
        for next in Piece::ALL {
            // Where no piece can spawn there is nothing left to win, and the net has said so.
            if left > 0 && is_high && !child.playfield.fits(next.spawn(), SPAWN_X, 0) {
                continue;
            }
            let value = &mut child.values[next.index()];
            *value = outlook.finale[left] + weight * outlook.beyond(*value, cells);
        }
    }
}

/// A playfield and how far the game is.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) playfield: Playfield,
    pub(super) progress: Progress,
    /// Lines left of the plateau, in the finale; `None` before and after it.
    pub(super) left: Option<u8>,
}

impl Node {
    /// What a placement leads to.
    pub(super) fn after(&self, child: &Child) -> Node {
        let mut progress = self.progress;
        progress.count_a_type(child.rows);
        let left = self.left.map(|left| left.saturating_sub(child.rows));
        Node { playfield: child.playfield, progress, left }
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
            if let Some(left) = node.left {
                self.rules.play_finale(left, child);
            }
            if node.progress.level >= KILLSCREEN {
                keep_low(child);
            }
            let worths = child.values.map(|value| self.worth(node, child, value));
            child.values = worths;
        }
    }

    /// What a placement is worth if this is expected after it. In the finale, where the lines
    /// are counted rather than the pieces, nothing is discounted.
    fn worth(&self, node: &Node, child: &Child, expected: f32) -> f32 {
        let reward = REWARDS[usize::from(child.rows)];
        if node.left.is_none() {
            return reward + self.rules.discount * expected;
        }
        reward * (f32::from(node.after(child).progress.level) + 1.0) / POINTS_AT + expected
    }

    /// What a placement is worth by the search below it.
    pub(super) fn look_below(&mut self, node: &Node, child: &Child, next: Piece, beams: &[Beam]) -> Option<f32> {
        let after = node.after(child);
        if after.left == Some(0) {
            return Some(child.values[next.index()]);
        }
        self.value(&after, next, beams).map(|value| self.worth(node, child, value))
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
            _ if memory.children.is_empty() => Some(self.rules.net.outlook.topout),
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
                most = most.max(self.look_below(node, &children[index], after, inner)?);
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

/// Makes of what the net thinks of a placement what it is worth from level 29 on.
fn keep_low(child: &mut Child) {
    let height = ROWS - child.playfield.top();
    for value in &mut child.values {
        *value -= HEIGHT_COST * (height * height) as f32;
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
