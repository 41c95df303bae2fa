//! A training from its first swarm to its last: restarts, the best ever, and the curve.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::swarm::{Convergence, Dynamics, Scored, Swarm};

/// Where a swarm begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwarmStart {
    /// Anywhere in the box, all places alike.
    Random,
    /// Around the start: one particle there, the others within the spread.
    Start,
    /// In the same way around the best position so far.
    Best,
}

/// Everything that decides where particles move, except the fitness.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Chooses the random numbers.
    pub seed: u64,
    /// Particles of a swarm.
    pub particles: usize,
    /// The start; there are as many dimensions as it has numbers.
    pub start: Vec<f64>,
    /// Where the first swarm begins. There is no best yet, so `Best` means the start.
    pub first: SwarmStart,
    /// Where later swarms begin.
    pub again: SwarmStart,
    /// How far a coordinate may be from the centre that a swarm begins around, as a share of the
    /// centre's absolute value. A coordinate near zero counts as a tenth of the root mean square of
    /// all coordinates, so that it can change, too.
    pub spread: f64,
    /// How particles move.
    pub dynamics: Dynamics,
    /// When a swarm ends and the next one begins.
    pub convergence: Convergence,
}

/// The least value that a coordinate's spread is taken of, as a share of the root mean square of all.
/// Chosen by hand, not measured.
const LEAST_SHARE: f64 = 0.1;

impl Settings {
    /// The random numbers after this many iterations. Each iteration has its own, so that a
    /// checkpoint need not hold the state of a generator.
    fn random(&self, iterations: u64) -> Xoshiro256PlusPlus {
        let key = Xoshiro256PlusPlus::seed_from_u64(self.seed).next_u64();
        Xoshiro256PlusPlus::seed_from_u64(key ^ iterations)
    }

    fn swarm(&self, origin: SwarmStart, best: Option<&[f64]>, mut random: Xoshiro256PlusPlus) -> Swarm {
        let half_width = self.dynamics.half_width;
        // From -1 to 1.
        let mut signed = || 2.0 * random.random::<f64>() - 1.0;
        let centre = match origin {
            SwarmStart::Random => {
                let mut anywhere = || self.start.iter().map(|_| half_width * signed()).collect();
                return Swarm::scattered(self.particles, None, &mut anywhere);
            }
            SwarmStart::Start => &self.start,
            SwarmStart::Best => best.unwrap_or(&self.start),
        };
        let mean_square = centre.iter().map(|x| x * x).sum::<f64>() / centre.len() as f64;
        let least = LEAST_SHARE * mean_square.sqrt();
        let mut around = || {
            centre
                .iter()
                .map(|x| (x + self.spread * x.abs().max(least) * signed()).clamp(-half_width, half_width))
                .collect()
        };
        Swarm::scattered(self.particles, Some(centre), &mut around)
    }
}

/// One iteration in the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Its number, from 1, through all swarms.
    pub iteration: u64,
    /// Number of the swarm, from 1.
    pub swarm: u64,
    /// Positions evaluated so far, including repeated ones.
    pub evaluations: u64,
    /// The best fitness ever.
    pub best: f64,
    /// The best fitness of this swarm so far.
    pub swarm_best: f64,
    /// The mean fitness of the swarm in this iteration.
    pub mean: f64,
    /// The swarm's radius in this iteration; see [`Convergence::radius`].
    pub radius: f64,
}

/// A training between two iterations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Whole iterations.
    iterations: u64,
    /// Swarms that have converged.
    converged: u64,
    /// Iteration that found the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_iteration: Option<u64>,
    /// Fitness of the start, if the first swarm began there.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_fitness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Scored>,
    swarm: Swarm,
    #[serde(default)]
    curve: Vec<CurvePoint>,
}

impl Training {
    /// Before the first iteration.
    pub fn begin(settings: &Settings) -> Training {
        let swarm = settings.swarm(settings.first, None, settings.random(0));
        Training {
            iterations: 0,
            converged: 0,
            best_iteration: None,
            start_fitness: None,
            best: None,
            swarm,
            curve: Vec::new(),
        }
    }

    /// The positions to evaluate in the next iteration.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.swarm.positions()
    }

    /// Takes the fitness of every position, higher being better, and moves on to the next
    /// positions: those of the same swarm, or of a new one when this one has converged.
    ///
    /// # Panics
    /// When there are more or fewer than there are positions.
    pub fn tell(&mut self, settings: &Settings, fitness: &[f64]) -> CurvePoint {
        if self.iterations == 0 && settings.first != SwarmStart::Random {
            self.start_fitness = fitness.first().copied();
        }
        self.swarm.tell(fitness);
        self.iterations += 1;
        let found = self.swarm.best().expect("the swarm has a fitness");
        if self.best.as_ref().is_none_or(|best| found.fitness > best.fitness) {
            self.best = Some(found.clone());
            self.best_iteration = Some(self.iterations);
        }
        let best = self.best.as_ref().expect("there is one by now");
        let point = CurvePoint {
            iteration: self.iterations,
            swarm: self.converged + 1,
            evaluations: self.iterations * settings.particles as u64,
            best: best.fitness,
            swarm_best: found.fitness,
            mean: fitness.iter().sum::<f64>() / fitness.len() as f64,
            radius: self.swarm.radius().unwrap_or(0.0),
        };
        self.curve.push(point);
        let mut random = settings.random(self.iterations);
        if self.swarm.has_converged(&settings.convergence) {
            self.converged += 1;
            self.swarm = settings.swarm(settings.again, Some(&best.position), random);
        } else {
            self.swarm.advance(&settings.dynamics, &mut random);
        }
        point
    }

    /// Whole iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Swarms that have converged so far.
    pub fn converged(&self) -> u64 {
        self.converged
    }

    /// The best of all swarms, and the iteration that found it.
    pub fn best(&self) -> Option<(&Scored, u64)> {
        self.best.as_ref().zip(self.best_iteration)
    }

    /// Fitness of the start, if the first swarm began there.
    pub fn start_fitness(&self) -> Option<f64> {
        self.start_fitness
    }

    /// One point for each iteration.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Adds points to the curve, of a training that is being read.
    pub(super) fn extend(&mut self, points: Vec<CurvePoint>) {
        self.curve.extend(points);
    }

    /// Does it fit these settings? Only a training from a damaged or edited file does not.
    pub(super) fn is_sound(&self, settings: &Settings) -> bool {
        let dimensions = settings.start.len();
        let told = self.iterations > 0;
        self.swarm.is_sound(settings.particles, dimensions)
            && self.converged <= self.iterations
            && self.swarm.stale() <= self.iterations
            && self.curve.len() as u64 == self.iterations
            && (1..).zip(&self.curve).all(|(iteration, point)| {
                point.iteration == iteration
                    && Some(point.evaluations) == iteration.checked_mul(settings.particles as u64)
                    && (1..=self.converged + 1).contains(&point.swarm)
            })
            && self.best_iteration.is_none_or(|found| (1..=self.iterations).contains(&found))
            && self.best.is_some() == told
            && self.best_iteration.is_some() == told
            && self.best.as_ref().is_none_or(|best| best.position.len() == dimensions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(first: SwarmStart, again: SwarmStart) -> Settings {
        Settings {
            seed: 5,
            particles: 12,
            start: vec![4.0, -2.0, 0.0],
            first,
            again,
            spread: 0.25,
            dynamics: Dynamics::in_box(5.12),
            convergence: Convergence { radius: 0.01, patience: 15 },
        }
    }

    /// Rastrigin's function upside down: its many summits are near whole numbers, the highest
    /// in the middle.
    fn summits(position: &[f64]) -> f64 {
        position.iter().map(|x| 10.0 * (std::f64::consts::TAU * x).cos() - 10.0 - x * x).sum()
    }

    fn iterate(training: &mut Training, settings: &Settings, iterations: u32) {
        for _ in 0..iterations {
            let fitness: Vec<f64> = training.positions().map(summits).collect();
            training.tell(settings, &fitness);
        }
    }

    #[test]
    fn a_training_that_was_written_down_goes_on_exactly_as_the_unbroken_one() {
        for again in [SwarmStart::Random, SwarmStart::Start, SwarmStart::Best] {
            let settings = settings(SwarmStart::Start, again);
            let mut unbroken = Training::begin(&settings);
            let mut broken = Training::begin(&settings);
            for _ in 0..60 {
                let text = toml::to_string(&broken).unwrap();
                broken = toml::from_str(&text).unwrap();
                assert_eq!(broken, unbroken);
                assert!(broken.is_sound(&settings));
                iterate(&mut unbroken, &settings, 10);
                iterate(&mut broken, &settings, 10);
            }
            assert!(unbroken.converged() > 2, "{}", unbroken.converged());
        }
    }

    #[test]
    fn the_first_swarm_lies_around_the_start() {
        let settings = settings(SwarmStart::Start, SwarmStart::Random);
        let mut training = Training::begin(&settings);
        // The zero has a spread of its own: a quarter of a tenth of the root mean square.
        let reach = [1.0, 0.5, 0.25 * 0.1 * (20.0_f64 / 3.0).sqrt()];
        let mut least = [f64::MAX; 3];
        let mut most = [f64::MIN; 3];
        for position in training.positions() {
            for (dimension, here) in position.iter().enumerate() {
                let away = (here - settings.start[dimension]) / reach[dimension];
                assert!(away.abs() <= 1.0);
                (least[dimension], most[dimension]) = (least[dimension].min(away), most[dimension].max(away));
            }
        }
        assert!(least.iter().chain(&most).all(|extreme| extreme.abs() > 0.5), "{least:?} {most:?}");
        assert_eq!(training.positions().next(), Some(&settings.start[..]));
        iterate(&mut training, &settings, 1);
        assert_eq!(training.start_fitness(), Some(summits(&settings.start)));
    }

    #[test]
    fn restarts_at_random_find_a_summit_far_from_the_start_and_the_best_is_kept() {
        let settings = settings(SwarmStart::Start, SwarmStart::Random);
        let mut training = Training::begin(&settings);
        while training.converged() == 0 {
            iterate(&mut training, &settings, 1);
        }
        assert!(training.best().unwrap().0.fitness < -1.0);
        iterate(&mut training, &settings, 2000);
        let (best, iteration) = training.best().unwrap();
        assert!(best.fitness > -0.1, "{best:?} after {} swarms", training.converged());
        assert_eq!(summits(&best.position), best.fitness);
        let curve = training.curve();
        assert!(curve.windows(2).all(|pair| pair[1].best >= pair[0].best));
        assert!(curve.windows(2).any(|pair| pair[1].swarm_best < pair[0].swarm_best), "a new swarm starts low");
        let found = curve.iter().find(|point| point.best == best.fitness).unwrap();
        assert_eq!((found.iteration, found.evaluations), (iteration, 12 * iteration));
    }

    #[test]
    fn another_seed_is_another_training() {
        let settings = settings(SwarmStart::Random, SwarmStart::Random);
        let other = Settings { seed: 6, ..settings.clone() };
        assert_eq!(Training::begin(&settings), Training::begin(&settings));
        assert_ne!(Training::begin(&settings), Training::begin(&other));
    }
}
