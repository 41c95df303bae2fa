//! The learned player's search: expectimax over the pieces that nobody can see, with a learned
//! value at the leaves.
//!
//! The placements of the falling piece are ranked by what the net thinks of them; then the best
//! few are looked into, ply by ply: each placement of the next piece, each piece that may come
//! after it, the best of its placements, and so on. A ply is only as good as the search below
//! each placement is complete, so what a ply did not finish is never compared with what it did.

mod setting;
mod shape;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;
use std::time::Instant;

pub use setting::{MOST_PLIES, ParseThinkError, Think};
pub use shape::{Beam, Ply, Shape};
pub use tree::Effort;
use tree::{Node, Rules, Tree, UNIT};

use super::reach::Sight;
use crate::game::scoring::Progress;
use crate::game::{KILLSCREEN, Piece, Placement, Position};
use crate::gamepad::PressStyle;
use crate::judge::learned::{Child, FINALE, QuickNet, odds};
use crate::parallel;

/// Ranks placements by looking ahead.
#[derive(Clone)]
pub(super) struct Thinker {
    pub(super) net: Arc<QuickNet>,
    pub(super) shape: Shape,
    /// The way to move of the pieces to come; `None` where no button moves them.
    pub(super) style: Option<PressStyle>,
    pub(super) think: Think,
    pub(super) threads: usize,
}

/// A placement, and what the search thinks of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranked {
    /// Which of the placements that were asked for.
    pub(super) index: usize,
    /// Expected points, those of a later piece discounted, as if all were made at the level of
    /// the position.
    pub(super) value: f64,
    /// How many plies found it. Values of different plies are not compared.
    pub(super) plies: u8,
}

/// A placement of the falling piece, between two plies.
#[derive(Clone, Copy)]
struct Root {
    index: usize,
    child: Child,
    /// In rewards.
    worth: f32,
    plies: u8,
}

impl Thinker {
    /// Ranks these placements of the falling piece, the best first: those that more plies found
    /// good enough to look into go before the others, among equals the earlier one.
    pub(super) fn rank(&self, position: &Position, placements: &[Placement], sight: Sight) -> (Vec<Ranked>, Effort) {
        let (plies, deadline) = match self.think {
            Think::Plies(plies) => (plies, None),
            Think::Time(time) => (MOST_PLIES, Instant::now().checked_add(time)),
        };
        let rules = Rules { net: &self.net, discount: self.net.outlook.discount, style: self.style, deadline };
        let nexts = Nexts::of(position, sight);
        let node = Node::of(position, &self.net);
        let mut tree = Tree::new(rules);
        let mut children = Vec::with_capacity(placements.len());
        tree.judge(&node, placements.iter().copied(), &mut children);
        let mut roots: Vec<Root> = children
            .into_iter()
            .enumerate()
            .map(|(index, child)| Root {
                index,
                child,
                worth: nexts.expect(|next| child.values[next.index()]),
                plies: 1,
            })
            .collect();
        roots.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let mut effort = tree.effort();
        for ply in 2..=plies {
            let beam = self.shape.ply(ply).root;
            let Some(first) = roots.first() else { break };
            let least = first.worth - beam.margin;
            let is_candidate = |root: &&Root| root.plies == ply - 1 && root.worth >= least;
            let candidates = roots.iter().take(beam.width).take_while(is_candidate).count();
            if candidates <= 1 || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let candidates = &mut roots[..candidates];
            let finished = self.deepen(&mut tree, &node, candidates, &nexts, ply, &mut effort);
            candidates.sort_by(|a, b| b.plies.cmp(&a.plies).then(b.worth.total_cmp(&a.worth)));
            if !finished {
                break;
            }
        }
        effort.plies = roots.first().map_or(0, |root| root.plies);
        let points = f64::from(UNIT) * (f64::from(position.level) + 1.0);
        let ranked = roots.iter().map(|root| Ranked {
            index: root.index,
            value: f64::from(root.worth) * points,
            plies: root.plies,
        });
        (ranked.collect(), effort)
    }

    /// Looks one ply further than before. Says whether all candidates were finished; if the first
    /// one was not, nothing is changed.
    fn deepen(
        &self,
        tree: &mut Tree<'_>,
        node: &Node,
        candidates: &mut [Root],
        nexts: &Nexts,
        ply: u8,
        effort: &mut Effort,
    ) -> bool {
        let beams = &self.shape.ply(ply).inner[..usize::from(ply) - 2];
        // The same for each, so that no number of threads changes what is found.
        let share = self.shape.most_expansions.saturating_sub(effort.expansions) / candidates.len() as u64;
        let rules = tree.rules();
        let outcomes = parallel::map(
            self.threads,
            tree,
            || Tree::new(rules),
            candidates.iter(),
            |tree, root| {
                tree.allow(share);
                let value = nexts.try_expect(|next| tree.look_below(node, &root.child, next, beams));
                (value, tree.effort())
            },
        );
        outcomes.iter().for_each(|(_, cost)| effort.add(cost));
        if outcomes[0].0.is_none() {
            return false;
        }
        for (root, (worth, _)) in candidates.iter_mut().zip(&outcomes) {
            if let &Some(worth) = worth {
                (root.worth, root.plies) = (worth, ply);
            }
        }
        outcomes.iter().all(|(worth, _)| worth.is_some())
    }

    /// Where the next piece would go if nothing were known of the one after it.
    pub(super) fn next_placement(&self, position: &Position, placement: Placement) -> Option<Placement> {
        let rules = Rules { net: &self.net, discount: self.net.outlook.discount, style: self.style, deadline: None };
        let mut tree = Tree::new(rules);
        let mut children = Vec::new();
        let node = Node::of(position, &self.net);
        tree.judge(&node, std::iter::once(placement), &mut children);
        let after = node.after(&children[0]);
        tree.expand(&after, position.next, &mut children);
        let nexts = Nexts { odds: *odds::after(position.next) };
        let worth = |child: &Child| nexts.expect(|next| child.values[next.index()]);
        let best = children
            .iter()
            .map(|child| (worth(child), child.placement))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, placement)| placement)
    }
}

impl Node {
    fn of(position: &Position, net: &QuickNet) -> Node {
        let progress = Progress::from_lines(position.level, position.lines);
        let left = if net.outlook.has_finale() { lines_left(progress) } else { None };
        Node { playfield: position.playfield, progress, left }
    }
}

/// Lines to the clear that ends the plateau; `None` where that is further off than the finale,
/// or past.
fn lines_left(mut progress: Progress) -> Option<u8> {
    if progress.level >= KILLSCREEN {
        return None;
    }
    (1..=FINALE as u8).find(|_| {
        progress.count_a_type(1);
        progress.level >= KILLSCREEN
    })
}

/// Which pieces may come next, and how likely.
struct Nexts {
    odds: [f32; 7],
}

impl Nexts {
    fn of(position: &Position, sight: Sight) -> Nexts {
        let odds = match sight {
            Sight::WithNext => std::array::from_fn(|piece| f32::from(piece == position.next.index())),
            Sight::WithoutNext => *odds::after(position.piece),
        };
        Nexts { odds }
    }

    fn expect(&self, mut value: impl FnMut(Piece) -> f32) -> f32 {
        self.try_expect(|next| Some(value(next))).unwrap_or_default()
    }

    /// The mean over the pieces; `None` as soon as one is.
    fn try_expect(&self, mut value: impl FnMut(Piece) -> Option<f32>) -> Option<f32> {
        let mut mean = 0.0;
        for (next, odds) in Piece::ALL.into_iter().zip(self.odds) {
            if odds > 0.0 {
                mean += odds * value(next)?;
            }
        }
        Some(mean)
    }
}
