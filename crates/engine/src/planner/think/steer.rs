//! Which opening is best: what to press before the next piece is known.
//!
//! An opening is worth the mean, over the pieces that may come, of the best placement that can still be
//! reached after it.

use super::shape::{Beam, Steering};
use super::thinker::{Question, Ranked, Thinker, points_of_a_reward};
use super::tree::{Node, Tree};
use crate::game::{Piece, Placement, Position};
use crate::judge::learned::Child;
use crate::movegen::Locks;
use crate::parallel;
use crate::planner::effort::Effort;
use crate::planner::forecast::Forecast;

/// An opening, between two plies.
struct Way {
    /// Its number among those that were given.
    index: usize,
    /// The placements within reach: their numbers in the table.
    within: Vec<usize>,
    /// In rewards.
    worth: f32,
    plies: u8,
}

/// The placements that some opening reaches, and what each is worth with each next piece.
struct Table {
    children: Vec<Child>,
    worths: Vec<[Worth; Piece::COUNT]>,
    /// The plies that judged the best placements with each next piece.
    plies: [u8; Piece::COUNT],
}

#[derive(Clone, Copy)]
struct Worth {
    /// In rewards.
    worth: f32,
    plies: u8,
}

impl Table {
    /// The placements of `within` that are best if `next` comes, among those that most plies judged.
    fn best(&self, within: &[usize], next: Piece, beam: Beam) -> Vec<usize> {
        let plies = self.plies[next.index()];
        let worth = |at: usize| self.worths[at][next.index()];
        let mut best: Vec<usize> = within.iter().copied().filter(|&at| worth(at).plies == plies).collect();
        best.sort_by(|&a, &b| worth(b).worth.total_cmp(&worth(a).worth));
        if let Some(most) = best.first().map(|&at| worth(at).worth) {
            best.retain(|&at| worth(at).worth >= most - beam.margin);
        }
        best.truncate(beam.width);
        best
    }

    /// The worth of the best of these placements if `next` comes.
    fn most(&self, placements: &[usize], next: Piece) -> f32 {
        placements.iter().map(|&at| self.worths[at][next.index()].worth).fold(f32::NEG_INFINITY, f32::max)
    }
}

impl Thinker {
    /// Ranks openings by the placements that can be reached after each, best first. Those with more
    /// plies come before the others; of equal ones the earlier comes first. The value of an opening is not
    /// comparable with that of a placement: where the same placements are best after all openings for
    /// some next piece, it is by fewer plies.
    ///
    /// `adjusts` says whether the player can adjust after any of them. `forecast` is about the pieces after the
    /// falling piece.
    pub(in crate::planner) fn steer<F: Forecast>(
        &self,
        position: &Position,
        openings: &[&Locks],
        adjusts: bool,
        forecast: &F,
    ) -> (Vec<Ranked>, Effort) {
        let (plies, deadline) = self.plies();
        let Steering { plies: before_adjusting, openings: beams, .. } = self.shape.steering;
        let most_plies = plies.min(if adjusts { before_adjusting } else { 1 + beams.len() as u8 });
        let question =
            Question { node: Node::of(position, &self.rules(None)), falling: position.piece, next: None, forecast };
        let mut tree = Tree::new(self.rules(deadline));
        let (mut table, mut ways) = table(&mut tree, &question, openings);
        let mut effort = tree.effort();
        for ply in 2..=most_plies {
            let beam = beams[usize::from(ply) - 2];
            let Some(least) = ways.first().map(|first| first.worth - beam.margin) else { break };
            let is_promising = |way: &&Way| way.plies == ply - 1 && way.worth >= least;
            let promising = ways.iter().take(beam.width).take_while(is_promising).count();
            let promising = &mut ways[..promising];
            if promising.len() < 2 || !self.deepen_ways(&mut tree, &question, &mut table, promising, ply, &mut effort) {
                break;
            }
            promising.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        }
        effort.plies = ways.first().map_or(0, |way| way.plies);
        let points = points_of_a_reward(position);
        let ranked =
            ways.iter().map(|way| Ranked { index: way.index, value: f64::from(way.worth) * points, plies: way.plies });
        (ranked.collect(), effort)
    }

    /// Judges these openings with a ply more: for each next piece by the best few of the placements within
    /// reach. Nothing is looked into for a piece with which the same placements are best after all
    /// these openings. Returns false, and changes no opening, when that holds for every piece or the time runs out.
    fn deepen_ways<F: Forecast>(
        &self,
        tree: &mut Tree<'_>,
        question: &Question<'_, F>,
        table: &mut Table,
        ways: &mut [Way],
        ply: u8,
        effort: &mut Effort,
    ) -> bool {
        let beam = self.shape.steering.placements[usize::from(ply) - 2];
        let Question { ref node, falling, forecast, .. } = *question;
        let odds = forecast.odds(falling);
        let mut best: [Vec<Vec<usize>>; Piece::COUNT] = Default::default();
        let mut pairs: Vec<(usize, Piece)> = Vec::new();
        for next in Piece::ALL.into_iter().filter(|next| odds[next.index()] > 0.0) {
            let chosen = &mut best[next.index()];
            *chosen = ways.iter().map(|way| table.best(&way.within, next, beam)).collect();
            if chosen.iter().all(|placements| *placements == chosen[0]) {
                continue;
            }
            table.plies[next.index()] = ply;
            let first = pairs.len();
            for &at in chosen.iter().flatten() {
                if !pairs[first..].contains(&(at, next)) {
                    pairs.push((at, next));
                }
            }
        }
        if pairs.is_empty() {
            return false;
        }
        let beams = &self.shape.ply(ply).inner[..usize::from(ply) - 2];
        let rules = tree.rules();
        let children = &table.children;
        let outcomes = parallel::map(
            self.threads,
            tree,
            || Tree::new(rules),
            pairs.iter(),
            |tree, &(at, next)| {
                tree.allow(u64::MAX);
                (tree.look_below(node, &children[at], next, &forecast.after(next), beams), tree.effort())
            },
        );
        outcomes.iter().for_each(|(_, cost)| effort.add(cost));
        if outcomes.iter().any(|(worth, _)| worth.is_none()) {
            return false;
        }
        for (&(at, next), (worth, _)) in pairs.iter().zip(&outcomes) {
            if let &Some(worth) = worth {
                table.worths[at][next.index()] = Worth { worth, plies: ply };
            }
        }
        for (index, way) in ways.iter_mut().enumerate() {
            way.plies = ply;
            way.worth = forecast.expect(falling, |next| table.most(&best[next.index()][index], next));
        }
        true
    }
}

/// What all openings together reach, judged by the net alone, and the openings, best first.
fn table<F: Forecast>(tree: &mut Tree<'_>, question: &Question<'_, F>, openings: &[&Locks]) -> (Table, Vec<Way>) {
    let mut union = Locks::only(question.falling, None);
    openings.iter().for_each(|opening| union.add(opening));
    let placements: Vec<Placement> = union.iter().collect();
    let mut children = Vec::with_capacity(placements.len());
    tree.judge(&question.node, placements.iter().copied(), &mut children);
    let at_once = |child: &Child| Piece::ALL.map(|next| Worth { worth: child.values[next.index()], plies: 1 });
    let worths = children.iter().map(at_once).collect();
    let table = Table { children, worths, plies: [1; Piece::COUNT] };
    let way = |(index, opening): (usize, &&Locks)| {
        // Both list their placements in the same order.
        let mut own = opening.iter().peekable();
        let within: Vec<usize> =
            (0..placements.len()).filter(|&at| own.next_if_eq(&placements[at]).is_some()).collect();
        let worth = question.expect(|next| table.most(&within, next));
        Way { index, within, worth, plies: 1 }
    };
    let mut ways: Vec<Way> = openings.iter().enumerate().map(way).collect();
    ways.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    (table, ways)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::super::{Ply, Shape, Think, Width};
    use super::*;
    use crate::game::{Playfield, ROWS, Ruleset};
    use crate::gamepad::{PressStyle, TapRate, Tapping};
    use crate::judge::learned::NetSet;
    use crate::movegen::{Start, sweep};
    use crate::planner::odds::GeneratorOdds;
    use crate::planner::sight::Sight;

    const TAPS: PressStyle = PressStyle::Taps(TapRate::FASTEST);
    const EVERYTHING: Beam = Beam { width: usize::MAX, margin: f32::INFINITY };

    /// Looks into everything.
    fn open(plies: u8) -> Thinker {
        let steering = Steering { plies, openings: [EVERYTHING; 2], placements: [EVERYTHING; 2] };
        let plies = [Ply { root: EVERYTHING, inner: [EVERYTHING; 3] }; 4];
        let shape = Shape { plies, most_expansions: u64::MAX, steering };
        let (nets, ruleset) = (Arc::new(NetSet::by_rule()), Ruleset::Original);
        let heads = nets.heads_for(Tapping::FASTEST, 0);
        Thinker {
            nets,
            heads,
            ruleset,
            last_line: None,
            shape,
            style: Some(TAPS),
            first_press: 0,
            reaction_frames: 0,
            think: Think::Plies(steering.plies),
            threads: 1,
            clock: None,
        }
    }

    fn position(random: &mut Xoshiro256PlusPlus, narrow: bool) -> Position {
        let mut playfield = Playfield::EMPTY;
        for row in if narrow { 4 } else { random.random_range(6..ROWS as i8) }..ROWS as i8 {
            let bits = if narrow { 0b00_0111_1111 } else { random.random_range(0..0x3FF) };
            playfield.set_row(row, bits);
        }
        let piece = Piece::ALL[random.random_range(0..7)];
        let (level, lines) = if narrow { (29, 300) } else { (19, 150) };
        Position { playfield, piece, next: Piece::T, level, lines, score: 0 }
    }

    /// Some of the placements of the position's piece, in sets that overlap.
    fn openings(random: &mut Xoshiro256PlusPlus, position: &Position) -> Vec<Locks> {
        let all = sweep(&position.playfield, &Start::spawn(position.piece), position.level, TAPS);
        let some = |share: f64, random: &mut Xoshiro256PlusPlus| {
            let mut some = Locks::only(position.piece, None);
            for placement in all.iter().filter(|_| random.random_bool(share)) {
                some.add(&Locks::only(position.piece, Some(placement)));
            }
            some
        };
        let openings = [0.8, 0.5, 0.5, 0.2, 0.1].map(|share| some(share, random));
        openings.into_iter().filter(|opening| !opening.is_empty()).collect()
    }

    #[test]
    fn an_opening_is_worth_the_mean_of_the_best_placement_for_each_next_piece() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut compared = 0;
        for (plies, cases) in [(1, 60), (2, 20), (3, 2)] {
            let thinker = open(plies);
            for _ in 0..cases {
                let position = position(&mut random, plies == 3);
                let openings = openings(&mut random, &position);
                let (ranked, effort) =
                    thinker.steer(&position, &openings.iter().collect::<Vec<_>>(), true, &GeneratorOdds);
                assert_eq!(ranked.len(), openings.len());
                for ranked in &ranked {
                    let placements: Vec<Placement> = openings[ranked.index].iter().collect();
                    let best = |next| {
                        let position = Position { next, ..position };
                        let (ranked, _) =
                            thinker.rank(&position, &placements, Sight::WithNext, &GeneratorOdds, Width::All);
                        ranked[0].value
                    };
                    let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(position.piece));
                    let expected: f64 = odds.map(|(next, odds)| f64::from(odds) * best(next)).sum();
                    let difference = (ranked.value - expected).abs();
                    assert!(difference < 1e-5 * expected.abs() + 1e-2, "{ranked:?} {expected}\n{position:?}");
                    compared += usize::from(ranked.plies == plies);
                }
                assert!(ranked.is_sorted_by(|a, b| a.value >= b.value));
                let threads = Thinker { threads: 3, ..thinker.clone() };
                let same = threads.steer(&position, &openings.iter().collect::<Vec<_>>(), true, &GeneratorOdds);
                assert_eq!(same, (ranked, effort));
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn openings_that_reach_the_same_best_placements_keep_their_order() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let thinker = Thinker { shape: Shape::default(), ..open(3) };
        for _ in 0..20 {
            let position = position(&mut random, false);
            let all = sweep(&position.playfield, &Start::spawn(position.piece), position.level, TAPS);
            let (ranked, effort) = thinker.steer(&position, &[&all, &all], true, &GeneratorOdds);
            let order: Vec<usize> = ranked.iter().map(|ranked| ranked.index).collect();
            assert_eq!(order, [0, 1]);
            assert_eq!(effort.expansions, 1, "nothing is looked into");
        }
    }
}
