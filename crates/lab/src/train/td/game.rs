//! One of the games of a training.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::heuristic;
use super::schedule::{Behaviour, Rates};
use super::{SEGMENT, Tally, UNIT};
use maxout_engine::game::scoring::CLEAR_POINTS;
use maxout_engine::game::{KILLSCREEN_LINES, Obstacles, PLATEAU, Piece, Playfield, SPAWN_X, level};
use maxout_engine::judge::learned::{Child, Features, Judge, QuickNet, odds};
use maxout_engine::movegen::sweep_plateau;
use maxout_engine::seed::{of_game, split_mix};

/// Lines after which a game is counted and a new one begins.
pub(super) const LAST_LINE: u32 = KILLSCREEN_LINES as u32;
/// The level that the games start from.
pub(super) const START_LEVEL: u8 = PLATEAU;

/// Something to learn: what the net should have said.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What it saw.
    pub features: Features,
    /// The piece that was known to be next.
    pub next: Piece,
    /// What it should have said, in rewards.
    pub target: f32,
}

/// How a game stands between two segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    pub(super) playfield: Playfield,
    /// The piece to place.
    pub(super) piece: Piece,
    pub(super) lines: u32,
    pub(super) points: f64,
}

/// A game, and what its last segment showed.
#[derive(Debug, Clone)]
pub struct Actor {
    /// Tells its random numbers from those of the other games.
    key: u64,
    random: Xoshiro256PlusPlus,
    standing: Standing,
    features: Features,
    judge: Judge,
    tally: Tally,
    samples: Vec<Sample>,
    extras: Vec<Sample>,
    children: Vec<Child>,
    look: Look,
}

/// One piece of a segment, before the targets are known.
struct Step {
    features: Features,
    piece: Piece,
    /// The expected value over the pieces that may come next.
    expected: f32,
    /// What the chosen placement was thought to be worth beyond its reward; `None` where what
    /// came after says nothing of it: the game ended or a random placement was tried.
    chosen: Option<f32>,
}

impl Actor {
    pub(super) fn begin(seed: u64, game: u64) -> Actor {
        let key = of_game(seed, game);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(key);
        let piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
        let standing = Standing { playfield: Playfield::EMPTY, piece, lines: 0, points: 0.0 };
        Actor {
            key,
            random,
            features: Features::of(&standing.playfield),
            standing,
            judge: Judge::default(),
            tally: Tally::default(),
            samples: Vec::new(),
            extras: Vec::new(),
            children: Vec::new(),
            look: Look::default(),
        }
    }

    /// How its game stands.
    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Goes on with another game.
    pub(super) fn put(&mut self, standing: Standing) {
        self.features = Features::of(&standing.playfield);
        self.standing = standing;
    }

    /// What its games came to since the last call.
    pub(super) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// One sample for each piece of the last segment.
    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Samples of placements that were searched and not chosen.
    pub(super) fn extras(&self) -> &[Sample] {
        &self.extras
    }

    /// Plays a segment. Its random numbers are those of the moment, so that they need not be
    /// kept.
    pub(super) fn play(&mut self, net: &QuickNet, behaviour: Behaviour, rates: &Rates, placed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(split_mix(self.key ^ split_mix(placed)));
        self.samples.clear();
        self.extras.clear();
        let mut steps = Vec::with_capacity(SEGMENT);
        // Kept from one piece to the next while searching: the children of the position.
        let mut ready = false;
        for _ in 0..SEGMENT {
            steps.push(self.step(net, behaviour, rates, &mut ready));
        }
        let targets = targets(&steps, rates);
        let samples = steps.iter().zip(targets);
        self.samples.extend(samples.map(|(step, target)| Sample { features: step.features, next: step.piece, target }));
    }

    fn step(&mut self, net: &QuickNet, behaviour: Behaviour, rates: &Rates, ready: &mut bool) -> Step {
        self.tally.pieces += 1;
        let (features, piece) = (self.features, self.standing.piece);
        if !std::mem::take(ready) {
            expand(&self.judge, net, &self.standing.playfield, piece, &mut self.children);
        }
        if self.children.is_empty() {
            self.restart(false);
            return Step { features, piece, expected: rates.topout, chosen: None };
        }
        let next = draw(piece, &mut self.random);
        let (expected, best) = match behaviour {
            Behaviour::Heuristic => {
                let best = first_best(self.children.iter().map(|child| heuristic::judge(&child.playfield, child.rows)));
                let child = &self.children[best];
                let after: f32 = odds::after(piece).iter().zip(&child.values).map(|(odds, value)| odds * value).sum();
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
            let (chosen, correction) = self.search(net, next, best, width, margin, rates);
            *ready = true;
            (chosen, Some(correction))
        } else {
            (best, Some(self.children[best].values[next.index()]))
        };
        let child = self.children[chosen];
        if *ready {
            std::mem::swap(&mut self.children, &mut self.look.below_best);
        }
        self.standing.playfield = child.playfield;
        self.features = Features::of(&child.playfield);
        self.standing.piece = next;
        if child.rows > 0 {
            debug_assert!(self.standing.lines < LAST_LINE);
            self.standing.lines += u32::from(child.rows);
            self.tally.lines += u64::from(child.rows);
            self.tally.tetrises += u64::from(child.rows == 4);
            let level = level_after(self.standing.lines);
            self.standing.points += f64::from(reward(&child)) * f64::from(UNIT) * f64::from(level + 1);
            if self.standing.lines >= LAST_LINE {
                self.restart(true);
                *ready = false;
                return Step { features, piece, expected, chosen: None };
            }
        }
        Step { features, piece, expected, chosen: correction }
    }

    /// Looks one piece further. Returns the chosen placement and what it was thought to be worth.
    fn search(
        &mut self,
        net: &QuickNet,
        next: Piece,
        best: usize,
        width: usize,
        margin: f32,
        rates: &Rates,
    ) -> (usize, f32) {
        let chosen = self.look.choose(&self.judge, net, &self.children, next, (width, margin), rates);
        // The chosen one is learned as the next step of the game.
        for &Seen { index, after: target, .. } in &self.look.seen {
            if index != chosen && self.random.random::<f32>() < rates.strap {
                self.extras.push(Sample { features: Features::of(&self.children[index].playfield), next, target });
            }
        }
        // What the placement that looked best was worth before the look ahead.
        let believed = worth(&self.children[best], next, rates) - reward(&self.children[chosen]);
        (chosen, believed / rates.discount)
    }

    fn restart(&mut self, finished: bool) {
        self.tally.games += 1;
        self.tally.finished += u64::from(finished);
        self.tally.points += self.standing.points;
        self.standing.playfield = Playfield::EMPTY;
        self.features = Features::of(&Playfield::EMPTY);
        self.standing.piece = Piece::ALL[self.random.random_range(0..Piece::ALL.len())];
        (self.standing.lines, self.standing.points) = (0, 0.0);
    }
}

/// A placement that was looked into.
#[derive(Debug, Clone, Copy)]
struct Seen {
    worth: f32,
    index: usize,
    /// What is expected after it.
    after: f32,
}

/// A look one piece further, from the placements that promise most.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    /// Those, the most promising first.
    seen: Vec<Seen>,
    /// The placements of the next piece below the chosen one.
    below_best: Vec<Child>,
    below: Vec<Child>,
}

impl Look {
    /// Chooses among placements, at least one: of those within a margin of the most promising
    /// one, `width` at most, the one that is worth most with the next piece placed too.
    pub(super) fn choose(
        &mut self,
        judge: &Judge,
        net: &QuickNet,
        children: &[Child],
        next: Piece,
        (width, margin): (usize, f32),
        rates: &Rates,
    ) -> usize {
        let promising = children.iter().map(|child| worth(child, next, rates));
        let least = promising.clone().fold(f32::NEG_INFINITY, f32::max) - margin;
        self.seen.clear();
        self.seen.extend(promising.zip(0..).filter(|&(worth, _)| worth >= least).map(|(worth, index)| Seen {
            worth,
            index,
            after: 0.0,
        }));
        self.seen.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.index.cmp(&b.index)));
        self.seen.truncate(width);
        let mut chosen: Option<(f32, usize)> = None;
        for seen in &mut self.seen {
            let child = &children[seen.index];
            expand(judge, net, &child.playfield, next, &mut self.below);
            seen.after = expectation(&self.below, next, rates);
            let worth = reward(child) + rates.discount * seen.after;
            if chosen.is_none_or(|(most, _)| worth > most) {
                chosen = Some((worth, seen.index));
                std::mem::swap(&mut self.below, &mut self.below_best);
            }
        }
        chosen.expect("at least the most promising one was looked into").1
    }
}

/// What a placement is worth by what the net thinks of it.
fn worth(child: &Child, next: Piece, rates: &Rates) -> f32 {
    reward(child) + rates.discount * child.values[next.index()]
}

/// The piece after `before`.
pub(super) fn draw(before: Piece, random: &mut Xoshiro256PlusPlus) -> Piece {
    let mut rest = random.random::<f32>();
    for (piece, odds) in Piece::ALL.into_iter().zip(odds::after(before)) {
        rest -= odds;
        if rest < 0.0 {
            return piece;
        }
    }
    Piece::T
}

/// The level after a number of lines of a game from [`START_LEVEL`].
pub(super) fn level_after(lines: u32) -> u32 {
    level::level_after(START_LEVEL, lines as u16).into()
}

/// What the net should have said before each step.
fn targets(steps: &[Step], rates: &Rates) -> Vec<f32> {
    let mut targets = vec![0.0; steps.len()];
    // Backwards: what came counts with lambda, what was expected with the rest.
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

/// What the clear of a child pays, in rewards: its points at level 0.
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
    POINTS[usize::from(child.rows)] / UNIT
}

/// All placements of a piece and what the net thinks of them; none when it cannot spawn.
#[inline]
pub(super) fn expand(judge: &Judge, net: &QuickNet, playfield: &Playfield, piece: Piece, children: &mut Vec<Child>) {
    if playfield.fits(piece.spawn(), SPAWN_X, 0) {
        judge.expand(net, playfield, sweep_plateau(playfield, piece).iter(), children);
    } else {
        children.clear();
    }
}

/// What the best placement for each piece to come is worth, weighed with its odds.
#[inline]
fn expectation(children: &[Child], piece: Piece, rates: &Rates) -> f32 {
    if children.is_empty() {
        return rates.topout;
    }
    let mut most = [f32::NEG_INFINITY; 8];
    for child in children {
        for (most, value) in most.iter_mut().zip(&child.values) {
            *most = most.max(reward(child) + rates.discount * value);
        }
    }
    odds::after(piece).iter().zip(&most).map(|(odds, most)| odds * most).sum()
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
    use super::super::Learner;
    use super::*;

    fn rates(lambda: f32, explore: f32) -> Rates {
        Rates { discount: 0.97, lambda, step: 1e-3, explore, strap: 1.0, clip: 8.0, topout: 0.0 }
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
                    // Nothing is told across an end or a random placement.
                    let Some(chosen) = steps[later - 1].chosen else { break };
                    share *= f64::from(rates.lambda) * f64::from(rates.discount);
                    sum += share * f64::from(steps[later].expected - chosen);
                }
                assert!((f64::from(target) - sum).abs() < 1e-4, "{target} {sum}");
            }
        }
    }

    /// What a playfield is worth with this piece to place, the one after it not known.
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
                let value = if lives { net.values(&Features::of(&after))[next.index()] } else { 0.0 };
                most = most.max(points / 300.0 + discount * value);
            }
            sum += odds::after(piece)[next.index()] * most;
        }
        sum
    }

    #[test]
    fn without_lambda_the_target_is_the_expectation_over_the_next_piece() {
        let net = Learner::begin(5).quick;
        let search = Behaviour::Search { width: 3, margin: 9.0 };
        for behaviour in [Behaviour::Greedy, search] {
            let rates = rates(0.0, 0.05);
            let mut actor = Actor::begin(2, 3);
            for segment in 0..6 {
                let Standing { playfield, piece, .. } = *actor.standing();
                actor.play(&net, behaviour, &rates, segment);
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
        let net = Learner::begin(5).quick;
        let mut one = Actor::begin(2, 3);
        one.play(&net, Behaviour::Greedy, &rates(0.5, 0.1), 0);
        let mut other = Actor::begin(2, 3);
        other.put(*one.standing());
        for segment in 1..5 {
            for actor in [&mut one, &mut other] {
                actor.play(&net, Behaviour::Greedy, &rates(0.5, 0.1), segment);
            }
            assert_eq!(one.standing(), other.standing());
        }
    }
}
