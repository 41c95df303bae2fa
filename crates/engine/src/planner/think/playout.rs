//! A game played on for some pieces, without frames and buttons.

use std::iter;

use rand::Rng;

use super::thinker::Thinker;
use super::tree::{Node, Tree};
use crate::game::scoring::clear_points;
use crate::game::{Placement, Position};
use crate::judge::learned::Child;
use crate::planner::forecast::Forecast;
use crate::planner::sight::Sight;

/// How a play-out went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayedOut {
    /// Points of its clears; those of pushdowns are not counted.
    pub points: u64,
    /// Pieces placed, the first one included.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Did it end because a piece could go nowhere?
    pub is_topped_out: bool,
}

impl Thinker {
    /// Locks the falling piece at `first` and plays on until `pieces` pieces are placed, or the last line is cleared that
    /// counts. Each piece goes where the net's value is best, the next piece known; pieces that `sight` does not see are
    /// drawn by the odds of the forecast.
    pub(in crate::planner) fn play_out<F: Forecast>(
        &self,
        position: &Position,
        first: Placement,
        sight: Sight,
        forecast: &F,
        pieces: u32,
        random: &mut impl Rng,
    ) -> PlayedOut {
        let last = self.last_line.filter(|&last| position.lines < last);
        let mut tree = Tree::new(self.rules(None));
        let mut node = Node::of(position, &self.rules(None));
        let mut forecast = forecast.clone();
        let mut children: Vec<Child> = Vec::new();
        let mut out = PlayedOut::default();
        let mut piece = match sight {
            Sight::WithNext => position.next,
            Sight::WithoutNext => forecast.draw(position.piece, random),
        };
        tree.judge(&node, iter::once(first), &mut children);
        let mut chosen = children.first().copied();
        while let Some(child) = chosen {
            node = node.after(&child);
            out.pieces += 1;
            out.lines += u32::from(child.rows);
            out.points += u64::from(clear_points(child.rows, node.progress.level));
            if out.pieces >= pieces || last.is_some_and(|last| node.progress.lines() >= last) {
                return out;
            }
            let next = forecast.draw(piece, random);
            tree.expand_as_in_the_game(&node, piece, &mut children);
            let better = |best: Child, other: &Child| {
                if other.values[next.index()] > best.values[next.index()] { *other } else { best }
            };
            chosen = children.split_first().map(|(first, others)| others.iter().fold(*first, better));
            piece = next;
        }
        out.is_topped_out = true;
        out
    }
}
