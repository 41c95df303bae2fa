//! The placements of the falling piece, ranked by looking ahead.

use std::iter;
use std::sync::Arc;

use super::setting::{MOST_PLIES, Think};
use super::shape::Shape;
use super::tree::{Deadline, Node, Rules, Tree};
use crate::clock::Clock;
use crate::game::{Piece, Placement, Position, Ruleset};
use crate::gamepad::PressStyle;
use crate::judge::REWARD_POINTS;
use crate::judge::learned::{Child, Heads, NetSet};
use crate::parallel;
use crate::planner::effort::Effort;
use crate::planner::forecast::Forecast;
use crate::planner::sight::Sight;

/// Ranks placements by looking ahead.
#[derive(Clone)]
pub(in crate::planner) struct Thinker {
    pub(in crate::planner) nets: Arc<NetSet>,
    /// Those of the nets that suit the style.
    pub(in crate::planner) heads: Heads,
    pub(in crate::planner) shape: Shape,
    /// The rules that are played.
    pub(in crate::planner) ruleset: Ruleset,
    /// Lines with which the game ends; `None` where it goes on until the topout.
    pub(in crate::planner) last_line: Option<u16>,
    /// How the pieces to come are moved; `None` where no button moves them.
    pub(in crate::planner) style: Option<PressStyle>,
    /// The control frame before which nothing is pressed.
    pub(in crate::planner) first_press: u32,
    /// The control frame from which on the next piece is known.
    pub(in crate::planner) reaction_frames: u32,
    pub(in crate::planner) think: Think,
    pub(in crate::planner) threads: usize,
    /// Measures a budget of time. Without a clock the search uses the default number of plies
    /// instead.
    pub(in crate::planner) clock: Option<Arc<dyn Clock>>,
}

/// How many placements of the falling piece a ply looks into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::planner) enum Width {
    /// Those within the ply's beam, up to the most expansions of the shape: what a choice needs.
    Beam,
    /// All of them, however many expansions that takes, so that all values are comparable. A ply
    /// that the time cuts short is dropped.
    All,
}

/// A placement, and its value by the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::planner) struct Ranked {
    /// Index of the placement among those that were given.
    pub(in crate::planner) index: usize,
    /// Expected points, those of a later piece discounted, as if all were scored at the level
    /// of the position.
    pub(in crate::planner) value: f64,
    /// How many plies found the value. Values of different plies are not comparable.
    pub(in crate::planner) plies: u8,
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

/// The position at the root, and what comes after its falling piece.
pub(super) struct Question<'a, F> {
    pub(super) node: Node,
    pub(super) falling: Piece,
    /// The piece of the next box, where it is used.
    pub(super) next: Option<Piece>,
    /// What may come after the pieces that are seen.
    pub(super) forecast: &'a F,
}

impl<F: Forecast> Question<'_, F> {
    /// The mean of a value over the next piece; the value is also given the forecast of the
    /// pieces after it. `None` as soon as one value is.
    fn try_expect(&self, mut value: impl FnMut(Piece, &F) -> Option<f32>) -> Option<f32> {
        match self.next {
            Some(next) => value(next, self.forecast),
            None => self.forecast.try_expect(self.falling, |next| value(next, &self.forecast.after(next))),
        }
    }

    pub(super) fn expect(&self, mut value: impl FnMut(Piece) -> f32) -> f32 {
        self.try_expect(|next, _| Some(value(next))).unwrap_or_default()
    }
}

impl Thinker {
    /// Ranks these placements of the falling piece, best first. Those with more plies, which
    /// earlier plies found good enough to look into, come before the others; of equal ones the
    /// earlier comes first.
    ///
    /// `forecast` is about the pieces after the next box if that is seen, else about those after
    /// the falling piece.
    pub(in crate::planner) fn rank<F: Forecast>(
        &self,
        position: &Position,
        placements: &[Placement],
        sight: Sight,
        forecast: &F,
        width: Width,
    ) -> (Vec<Ranked>, Effort) {
        let (plies, deadline) = self.plies();
        let next = (sight == Sight::WithNext).then_some(position.next);
        let question =
            Question { node: Node::of(position, &self.rules(None)), falling: position.piece, next, forecast };
        let mut tree = Tree::new(self.rules(deadline));
        let mut children = Vec::with_capacity(placements.len());
        tree.judge(&question.node, placements.iter().copied(), &mut children);
        let mut roots: Vec<Root> = children
            .into_iter()
            .enumerate()
            .map(|(index, child)| Root {
                index,
                child,
                worth: question.expect(|next| child.values[next.index()]),
                plies: 1,
            })
            .collect();
        roots.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let mut effort = tree.effort();
        // A ply uses the one before it only to choose what it looks into.
        let first = if width == Width::All && deadline.is_none() { plies.max(2) } else { 2 };
        for ply in first..=plies {
            let candidates = match width {
                Width::All => roots.len(),
                Width::Beam => self.promising(&roots, ply),
            };
            if candidates == 0 || deadline.is_some_and(|deadline| deadline.is_past()) {
                break;
            }
            let candidates = &mut roots[..candidates];
            let finished = self.deepen(&mut tree, &question, candidates, ply, width, &mut effort);
            candidates.sort_by(|a, b| b.plies.cmp(&a.plies).then(b.worth.total_cmp(&a.worth)));
            if !finished {
                break;
            }
        }
        effort.plies = roots.first().map_or(0, |root| root.plies);
        let points = points_of_a_reward(position);
        let ranked = roots.iter().map(|root| Ranked {
            index: root.index,
            value: f64::from(root.worth) * points,
            plies: root.plies,
        });
        (ranked.collect(), effort)
    }

    /// For each next piece the best of these placements by the net alone: its value in points, and the rows that
    /// it completes; `None` without a placement.
    pub(in crate::planner) fn best_by_next(
        &self,
        position: &Position,
        placements: &[Placement],
    ) -> Option<[(f64, u8); Piece::COUNT]> {
        let mut tree = Tree::new(self.rules(None));
        let mut children = Vec::with_capacity(placements.len());
        tree.judge(&Node::of(position, &self.rules(None)), placements.iter().copied(), &mut children);
        let points = points_of_a_reward(position);
        let first = children.first()?;
        Some(Piece::ALL.map(|next| {
            let worth = |child: &Child| child.values[next.index()];
            let best = children.iter().fold(first, |best, other| if worth(other) > worth(best) { other } else { best });
            (f64::from(worth(best)) * points, best.rows)
        }))
    }

    /// The most plies, and when to stop.
    pub(super) fn plies(&self) -> (u8, Option<Deadline<'_>>) {
        match (self.think, &self.clock) {
            (Think::Plies(plies), _) => (plies, None),
            (Think::Time(_), None) => (Think::DEFAULT_PLIES, None),
            (Think::Time(time), Some(clock)) => (MOST_PLIES, Deadline::after(&**clock, time)),
        }
    }

    pub(in crate::planner) fn rules<'a>(&'a self, deadline: Option<Deadline<'a>>) -> Rules<'a> {
        Rules {
            nets: &self.nets,
            heads: &self.heads,
            discount: self.nets.outlook().discount,
            ruleset: self.ruleset,
            last_line: self.last_line,
            style: self.style,
            first_press: self.first_press,
            reaction_frames: self.reaction_frames,
            deadline,
        }
    }

    /// How many of the first placements are within the beam of a ply; 0 where the choice among
    /// them is made already.
    fn promising(&self, roots: &[Root], ply: u8) -> usize {
        let beam = self.shape.ply(ply).root;
        let Some(first) = roots.first() else { return 0 };
        let least = first.worth - beam.margin;
        let is_promising = |root: &&Root| root.plies == ply - 1 && root.worth >= least;
        let promising = roots.iter().take(beam.width).take_while(is_promising).count();
        if promising > 1 { promising } else { 0 }
    }

    /// Looks into these placements to the depth of a ply. Returns whether all were finished.
    /// Nothing is changed if the first one was not finished, or if all are wanted and one was not
    /// finished.
    fn deepen<F: Forecast>(
        &self,
        tree: &mut Tree<'_>,
        question: &Question<'_, F>,
        candidates: &mut [Root],
        ply: u8,
        width: Width,
        effort: &mut Effort,
    ) -> bool {
        let beams = &self.shape.ply(ply).inner[..usize::from(ply) - 2];
        // Each candidate has the same share, so that the number of threads does not change what
        // is found.
        let share = match width {
            Width::Beam => self.shape.most_expansions.saturating_sub(effort.expansions) / candidates.len() as u64,
            Width::All => u64::MAX,
        };
        let rules = tree.rules();
        let outcomes = parallel::map(
            self.threads,
            tree,
            || Tree::new(rules),
            candidates.iter(),
            |tree, root| {
                tree.allow(share);
                let worth = question
                    .try_expect(|next, beyond| tree.look_below(&question.node, &root.child, next, beyond, beams));
                (worth, tree.effort())
            },
        );
        outcomes.iter().for_each(|(_, cost)| effort.add(cost));
        let finished = outcomes.iter().all(|(worth, _)| worth.is_some());
        if outcomes[0].0.is_none() || (width == Width::All && !finished) {
            return false;
        }
        for (root, (worth, _)) in candidates.iter_mut().zip(&outcomes) {
            if let &Some(worth) = worth {
                (root.worth, root.plies) = (worth, ply);
            }
        }
        finished
    }

    /// Where `next` would go after a placement if the piece after it were not known, and what it
    /// is worth from there on, in points as those of [`Ranked`]; `None` where it can go nowhere.
    ///
    /// `forecast` is about the pieces after `next`.
    pub(in crate::planner) fn reply(
        &self,
        position: &Position,
        placement: Placement,
        next: Piece,
        forecast: &impl Forecast,
    ) -> Option<(Placement, f64)> {
        let mut tree = Tree::new(self.rules(None));
        let mut children = Vec::new();
        let node = Node::of(position, &self.rules(None));
        tree.judge(&node, iter::once(placement), &mut children);
        let after = node.after(children.first()?);
        tree.expand_as_in_the_game(&after, next, &mut children);
        let worth = |child: &Child| forecast.expect(next, |after| child.values[after.index()]);
        let best = children
            .iter()
            .map(|child| (worth(child), child.placement))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(worth, placement)| (placement, f64::from(worth) * points_of_a_reward(position)))
    }
}

/// Points of a reward of 1 at the level of the position.
pub(in crate::planner) fn points_of_a_reward(position: &Position) -> f64 {
    f64::from(REWARD_POINTS) * (f64::from(position.level) + 1.0)
}
