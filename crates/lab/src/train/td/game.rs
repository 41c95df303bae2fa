//! One of the games of a training: it plays with the net, and turns what happened into samples.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::heuristic;
use super::lookahead::{Judge, Lookahead, Searched, expectation, reward, worth};
use super::plateau::{LAST_LINE, level_after};
use super::round::SEGMENT;
use super::schedule::{Behaviour, Rates};
use super::totals::GameTotals;
use maxout_engine::game::{Piece, Playfield};
use maxout_engine::judge::REWARD_POINTS;
use maxout_engine::judge::learned::{Child, Features, QuickNet};
use maxout_engine::planner::{Forecast, GeneratorOdds};
use maxout_engine::seed::{of_game, split_mix};

/// Something to learn: a playfield, and the value that the net should have given.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Features of the playfield.
    pub features: Features,
    /// The next piece, which was known.
    pub next: Piece,
    /// The value that the net should have given, in rewards.
    pub target: f32,
}

/// The state of a game between two segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    pub(super) playfield: Playfield,
    /// The piece to place.
    pub(super) piece: Piece,
    pub(super) lines: u32,
    pub(super) points: f64,
}

/// A game, and the samples of its last segment.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The head of the net that it plays with.
    head: usize,
    /// Seeds its random numbers, which differ from those of all other games.
    key: u64,
    /// Does it explore by [`Rates::messy`]?
    is_messy: bool,
    random: Xoshiro256PlusPlus,
    standing: Standing,
    features: Features,
    tally: GameTotals,
    samples: Vec<Sample>,
    extras: Vec<Sample>,
    children: Vec<Child>,
    lookahead: Lookahead,
}

/// One piece of a segment, before the targets are known.
struct Step {
    features: Features,
    piece: Piece,
    /// The expected value over the pieces that may come next.
    expected: f32,
    /// The net's value after the chosen placement; `None` where the following steps say nothing
    /// about it, because the game ended or a random placement was tried.
    chosen: Option<f32>,
}

impl Actor {
    pub(super) fn begin(seed: u64, game: u64, head: usize) -> Actor {
        let key = of_game(seed, game);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(key);
        let piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
        let standing = Standing { playfield: Playfield::EMPTY, piece, lines: 0, points: 0.0 };
        Actor {
            head,
            key,
            is_messy: game % 8 == 7,
            random,
            features: Features::of(&standing.playfield),
            standing,
            tally: GameTotals::default(),
            samples: Vec::new(),
            extras: Vec::new(),
            children: Vec::new(),
            lookahead: Lookahead::default(),
        }
    }

    /// The head of the net that it plays with.
    pub(super) fn head(&self) -> usize {
        self.head
    }

    /// The state of its game.
    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Replaces its game by another.
    pub(super) fn put(&mut self, standing: Standing) {
        self.features = Features::of(&standing.playfield);
        self.standing = standing;
    }

    /// Counts over its games since the last call.
    pub(super) fn take_tally(&mut self) -> GameTotals {
        std::mem::take(&mut self.tally)
    }

    /// One sample for each piece of the last segment.
    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Samples of placements that were searched but not chosen.
    pub(super) fn extras(&self) -> &[Sample] {
        &self.extras
    }

    /// Plays a segment. Its random numbers depend only on the game and on the pieces `placed` in
    /// the training so far, so a checkpoint need not hold them. `others` are playfields with which a
    /// new game may begin.
    pub(super) fn play(
        &mut self,
        net: &QuickNet,
        behaviour: Behaviour,
        rates: &Rates,
        placed: u64,
        others: &[Playfield],
    ) {
        let judge = Judge::of(net, self.head);
        let explore = if self.is_messy { rates.explore.max(rates.messy) } else { rates.explore };
        let rates = &Rates { explore, ..*rates };
        self.random = Xoshiro256PlusPlus::seed_from_u64(split_mix(self.key ^ split_mix(placed)));
        self.samples.clear();
        self.extras.clear();
        let mut steps = Vec::with_capacity(SEGMENT);
        // Does `children` already hold the placements of the next piece? A search leaves them.
        let mut ready = false;
        for _ in 0..SEGMENT {
            steps.push(self.step(&judge, behaviour, rates, &mut ready, others));
        }
        let targets = targets(&steps, rates);
        let samples = steps.iter().zip(targets);
        self.samples.extend(samples.map(|(step, target)| Sample { features: step.features, next: step.piece, target }));
    }

    fn step(
        &mut self,
        judge: &Judge<'_>,
        behaviour: Behaviour,
        rates: &Rates,
        ready: &mut bool,
        others: &[Playfield],
    ) -> Step {
        self.tally.pieces += 1;
        let (features, piece) = (self.features, self.standing.piece);
        if !std::mem::take(ready) {
            judge.expand(&self.standing.playfield, piece, &mut self.children);
        }
        if self.children.is_empty() {
            self.restart(false, rates, others);
            return Step { features, piece, expected: rates.topout, chosen: None };
        }
        let next = GeneratorOdds.draw(piece, &mut self.random);
        let (expected, best) = match behaviour {
            Behaviour::Heuristic => {
                let best = first_best(self.children.iter().map(|child| heuristic::judge(&child.playfield, child.rows)));
                let child = &self.children[best];
                let after = GeneratorOdds.expect(piece, |next| child.values[next.index()]);
                (reward(child) + rates.discount * after, best)
            }
            Behaviour::Greedy | Behaviour::Search { .. } => {
                let expected = expectation(&self.children, piece, rates);
                (expected, first_best(self.children.iter().map(|child| worth(child, next, rates))))
            }
        };
        let explores = rates.explore > 0.0 && self.random.random::<f32>() < rates.explore;
        let (chosen, correction) = if explores {
            (self.random.random_range(0..self.children.len()), None)
        } else if let Behaviour::Search { width, margin } = behaviour {
            let (chosen, correction) = self.search(judge, next, best, width, margin, rates);
            *ready = true;
            (chosen, Some(correction))
        } else {
            (best, Some(self.children[best].values[next.index()]))
        };
        let child = self.children[chosen];
        if *ready {
            std::mem::swap(&mut self.children, &mut self.lookahead.below_best);
        }
        self.standing.playfield = child.playfield;
        self.features = Features::of(&child.playfield);
        self.standing.piece = next;
        if child.rows > 0 {
            debug_assert!(self.standing.lines < LAST_LINE);
            self.standing.lines += u32::from(child.rows);
            self.tally.lines += u64::from(child.rows);
            self.tally.tetrises += u64::from(child.rows == 4);
            let level = level_after(judge.net.heads()[self.head].trained_for.level, self.standing.lines);
            self.standing.points += f64::from(reward(&child)) * f64::from(REWARD_POINTS) * f64::from(level + 1);
            if self.standing.lines >= LAST_LINE {
                self.restart(true, rates, others);
                *ready = false;
                return Step { features, piece, expected, chosen: None };
            }
        }
        Step { features, piece, expected, chosen: correction }
    }

    /// Searches one piece further. Returns the chosen placement, and the net's value after it.
    fn search(
        &mut self,
        judge: &Judge<'_>,
        next: Piece,
        best: usize,
        width: usize,
        margin: f32,
        rates: &Rates,
    ) -> (usize, f32) {
        let chosen = self.lookahead.choose(judge, &self.children, next, (width, margin), rates);
        // The chosen one is learned as the next step of the game.
        for &Searched { index, after: target, .. } in &self.lookahead.searched {
            if index != chosen && self.random.random::<f32>() < rates.strap {
                self.extras.push(Sample { features: Features::of(&self.children[index].playfield), next, target });
            }
        }
        // The value of the placement that was best before the search.
        let believed = worth(&self.children[best], next, rates) - reward(&self.children[chosen]);
        (chosen, believed / rates.discount)
    }

    fn restart(&mut self, finished: bool, rates: &Rates, others: &[Playfield]) {
        self.tally.games += 1;
        self.tally.finished += u64::from(finished);
        self.tally.points += self.standing.points;
        let is_stray = rates.strays > 0.0 && !others.is_empty() && self.random.random::<f32>() < rates.strays;
        self.standing.playfield =
            if is_stray { others[self.random.random_range(0..others.len())] } else { Playfield::EMPTY };
        self.features = Features::of(&self.standing.playfield);
        self.standing.piece = Piece::ALL[self.random.random_range(0..Piece::ALL.len())];
        (self.standing.lines, self.standing.points) = (0, 0.0);
    }
}

/// The value that the net should have given before each step.
fn targets(steps: &[Step], rates: &Rates) -> Vec<f32> {
    let mut targets = vec![0.0; steps.len()];
    // Backwards: what really came counts with `lambda`, the expectation with the rest.
    let mut ahead: Option<f32> = None;
    for (step, to) in steps.iter().zip(&mut targets).rev() {
        let surprise = match (step.chosen, ahead) {
            (Some(chosen), Some(ahead)) => rates.lambda * rates.discount * (ahead - chosen),
            _ => 0.0,
        };
        *to = step.expected + surprise;
        ahead = Some(*to);
    }
    targets
}

fn first_best(values: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, value) in values.enumerate() {
        if value > best.0 {
            best = (value, index);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::td::{HeadGames, Learner};
    use maxout_engine::game::scoring::CLEAR_POINTS;
    use maxout_engine::game::{Obstacles, SPAWN_X};
    use maxout_engine::movegen::sweep_plateau;

    fn rates(lambda: f32, explore: f32) -> Rates {
        Rates {
            discount: 0.97,
            lambda,
            step: 1e-3,
            explore,
            strap: 1.0,
            clip: 8.0,
            topout: 0.0,
            strays: 0.0,
            messy: 0.0,
            table: 1.0,
            spans: 0.0,
        }
    }

    #[test]
    fn targets_are_what_was_expected_and_all_surprises_ahead_less_and_less() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let rates = rates(0.6, 0.0);
        for _ in 0..100 {
            let steps: Vec<Step> = (0..SEGMENT)
                .map(|_| Step {
                    features: Features::of(&Playfield::EMPTY),
                    piece: Piece::T,
                    expected: 10.0 * random.random::<f32>(),
                    chosen: random.random_bool(0.8).then(|| 10.0 * random.random::<f32>()),
                })
                .collect();
            for (at, target) in targets(&steps, &rates).into_iter().enumerate() {
                let mut sum = f64::from(steps[at].expected);
                let mut share = 1.0;
                for later in at + 1..SEGMENT {
                    // No target reaches across an end or a random placement.
                    let Some(chosen) = steps[later - 1].chosen else { break };
                    share *= f64::from(rates.lambda) * f64::from(rates.discount);
                    sum += share * f64::from(steps[later].expected - chosen);
                }
                assert!((f64::from(target) - sum).abs() < 1e-4, "{target} {sum}");
            }
        }
    }

    /// What a playfield is worth with this piece to place while the one after it is not known.
    fn expected(net: &QuickNet, playfield: &Playfield, piece: Piece, discount: f32) -> f32 {
        if !playfield.fits(piece.spawn(), SPAWN_X, 0) {
            return 0.0;
        }
        let mut sum = 0.0;
        for next in Piece::ALL {
            let mut most = f32::NEG_INFINITY;
            for placement in sweep_plateau(playfield, piece).iter() {
                let mut after = *playfield;
                let points = CLEAR_POINTS[usize::from(after.lock(placement).count)] as f32;
                let lives = after.fits(next.spawn(), SPAWN_X, 0);
                let value = if lives { net.values(&Features::of(&after), 0)[next.index()] } else { 0.0 };
                most = most.max(points / 300.0 + discount * value);
            }
            sum += GeneratorOdds.odds(piece)[next.index()] * most;
        }
        sum
    }

    #[test]
    fn without_lambda_the_target_is_the_expectation_over_the_next_piece() {
        let net = Learner::begin(5, &[HeadGames::PLATEAU]).quick;
        let search = Behaviour::Search { width: 3, margin: 9.0 };
        for behaviour in [Behaviour::Greedy, search] {
            let rates = rates(0.0, 0.05);
            let mut actor = Actor::begin(2, 3, 0);
            for segment in 0..6 {
                let Standing { playfield, piece, .. } = *actor.standing();
                actor.play(&net, behaviour, &rates, segment, &[]);
                assert_eq!(actor.samples().len(), SEGMENT);
                let first = &actor.samples()[0];
                assert_eq!((first.next, first.features.indices()), (piece, Features::of(&playfield).indices()));
                let target = expected(&net, &playfield, piece, rates.discount);
                assert!((first.target - target).abs() < 1e-4, "{} {target}", first.target);
            }
            assert_eq!(actor.extras().is_empty(), behaviour == Behaviour::Greedy);
        }
    }

    #[test]
    fn a_game_that_was_put_elsewhere_goes_on_as_the_other() {
        let net = Learner::begin(5, &[HeadGames::PLATEAU]).quick;
        let mut one = Actor::begin(2, 3, 0);
        one.play(&net, Behaviour::Greedy, &rates(0.5, 0.1), 0, &[]);
        let mut other = Actor::begin(2, 3, 0);
        other.put(*one.standing());
        for segment in 1..5 {
            for actor in [&mut one, &mut other] {
                actor.play(&net, Behaviour::Greedy, &rates(0.5, 0.1), segment, &[]);
            }
            assert_eq!(one.standing(), other.standing());
        }
    }
}
