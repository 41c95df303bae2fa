//! Particle swarm optimisation with a global best: it gives positions and takes their fitness.
//!
//! The swarm holds no generator of random numbers and starts no thread: what it does next depends
//! only on its state and on its arguments, so a swarm that was saved goes on exactly as the
//! original would have. (The swarm of the crate `argmin` has no bound on velocities and keeps its
//! generator to itself.)

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// How particles move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dynamics {
    /// Share of its velocity that a particle keeps from one iteration to the next.
    pub inertia: f64,
    /// Acceleration towards the best position of the particle itself.
    pub own: f64,
    /// Acceleration towards the best position of the swarm.
    pub social: f64,
    /// Half the width of the box that positions stay in: no coordinate's absolute value is
    /// larger. A particle that would leave the box stops at its wall.
    pub half_width: f64,
    /// Bound on each component of a velocity, as a share of the box's half width. With 1 (Eberhart
    /// and Shi, 2000) a particle crosses the box in two iterations at best.
    pub max_speed: f64,
}

impl Dynamics {
    /// The values of van den Bergh and Engelbrecht (2006), with which the motion of a single
    /// particle dies out, in a box of this half width. The published training of `birken-v2` used
    /// them, too; others were not tried.
    pub fn in_box(half_width: f64) -> Dynamics {
        Dynamics { inertia: 0.72984, own: 1.49618, social: 1.49618, half_width, max_speed: 1.0 }
    }
}

/// When a swarm has converged: either condition is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// Its radius is at most this share of the radius that it began with. The radius is the
    /// largest distance of a particle from the swarm's best position.
    pub radius: f64,
    /// Its best fitness has not improved for this many iterations.
    pub patience: u32,
}

impl Default for Convergence {
    /// Chosen by hand, not measured. The training of `birken-v2-trained` found its best weights in
    /// iteration 10 of 24.
    fn default() -> Convergence {
        Convergence { radius: 0.01, patience: 30 }
    }
}

/// A position and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    /// How good; higher is better.
    pub fitness: f64,
    /// One number for each dimension.
    pub position: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Scored>,
}

/// A swarm of particles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swarm {
    /// Iterations since its best fitness improved.
    stale: u32,
    /// Radius at its first iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_radius: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Scored>,
    particles: Vec<Particle>,
}

impl Swarm {
    /// Particles at positions that `draw` gives; the first one is at `first`, if that is given. A
    /// particle's velocity is half of its distance to one more position from `draw`.
    pub fn scattered(particles: usize, first: Option<&[f64]>, draw: &mut dyn FnMut() -> Vec<f64>) -> Swarm {
        let particles = (0..particles).map(|index| {
            let position = match first {
                Some(first) if index == 0 => first.to_vec(),
                _ => draw(),
            };
            let velocity = draw().iter().zip(&position).map(|(other, here)| (other - here) / 2.0).collect();
            Particle { position, velocity, best: None }
        });
        Swarm { stale: 0, first_radius: None, best: None, particles: particles.collect() }
    }

    /// Where the particles are, in their order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.particles.iter().map(|particle| particle.position.as_slice())
    }

    /// The best position so far; of equally good ones the first.
    pub fn best(&self) -> Option<&Scored> {
        self.best.as_ref()
    }

    /// The largest distance of a particle from the best position; `None` before there is one.
    pub fn radius(&self) -> Option<f64> {
        let best = self.best.as_ref()?;
        let distance = |position: &[f64]| {
            position.iter().zip(&best.position).map(|(here, there)| (here - there).powi(2)).sum::<f64>().sqrt()
        };
        self.positions().map(distance).reduce(f64::max)
    }

    /// Takes the fitness of every position, in their order.
    ///
    /// # Panics
    /// When there are more or fewer than there are particles.
    pub fn tell(&mut self, fitness: &[f64]) {
        assert_eq!(fitness.len(), self.particles.len(), "one fitness for each particle");
        self.stale = self.stale.saturating_add(1);
        for (particle, &fitness) in self.particles.iter_mut().zip(fitness) {
            let improves = |best: &Option<Scored>| best.as_ref().is_none_or(|best| fitness > best.fitness);
            if improves(&particle.best) {
                particle.best = Some(Scored { fitness, position: particle.position.clone() });
            }
            if improves(&self.best) {
                self.best.clone_from(&particle.best);
                self.stale = 0;
            }
        }
        self.first_radius = self.first_radius.or(self.radius());
    }

    /// Iterations since the best position was found.
    pub(super) fn stale(&self) -> u64 {
        self.stale.into()
    }

    /// Has the swarm converged?
    pub fn has_converged(&self, convergence: &Convergence) -> bool {
        let shrunk = match (self.radius(), self.first_radius) {
            (Some(radius), Some(first)) => radius <= convergence.radius * first,
            _ => false,
        };
        shrunk || self.stale >= convergence.patience
    }

    /// Moves on to the next positions. Before any fitness is known, particles keep their velocity.
    pub fn advance(&mut self, dynamics: &Dynamics, random: &mut impl Rng) {
        let limit = dynamics.max_speed * dynamics.half_width;
        for particle in &mut self.particles {
            for dimension in 0..particle.position.len() {
                let here = particle.position[dimension];
                let towards = |best: &Option<Scored>| best.as_ref().map_or(0.0, |best| best.position[dimension] - here);
                let own = dynamics.own * random.random::<f64>() * towards(&particle.best);
                let social = dynamics.social * random.random::<f64>() * towards(&self.best);
                let velocity = dynamics.inertia * particle.velocity[dimension] + own + social;
                let velocity = velocity.clamp(-limit, limit);
                let there = here + velocity;
                let inside = there.clamp(-dynamics.half_width, dynamics.half_width);
                particle.position[dimension] = inside;
                particle.velocity[dimension] = if there == inside { velocity } else { 0.0 };
            }
        }
    }

    /// Does it have this many particles, each with this many finite coordinates?
    pub(super) fn is_sound(&self, particles: usize, dimensions: usize) -> bool {
        let sound = |numbers: &[f64]| numbers.len() == dimensions && numbers.iter().all(|number| number.is_finite());
        let sound_best =
            |best: &Option<Scored>| best.as_ref().is_none_or(|best| best.fitness.is_finite() && sound(&best.position));
        self.particles.len() == particles
            && sound_best(&self.best)
            && self
                .particles
                .iter()
                .all(|particle| sound(&particle.position) && sound(&particle.velocity) && sound_best(&particle.best))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;

    fn random(seed: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(seed)
    }

    fn swarm(particles: usize, dimensions: usize, half_width: f64, random: &mut Xoshiro256PlusPlus) -> Swarm {
        Swarm::scattered(particles, None, &mut || {
            (0..dimensions).map(|_| random.random_range(-half_width..=half_width)).collect()
        })
    }

    /// The least value of the function that a swarm of 30 finds in this many iterations, for each
    /// of 20 seeds, sorted.
    fn least(function: fn(&[f64]) -> f64, dimensions: usize, half_width: f64, iterations: u32) -> Vec<f64> {
        let mut found: Vec<f64> =
            (0..20).map(|seed| least_of(seed, function, dimensions, half_width, iterations)).collect();
        found.sort_by(f64::total_cmp);
        found
    }

    fn least_of(seed: u64, function: fn(&[f64]) -> f64, dimensions: usize, half_width: f64, iterations: u32) -> f64 {
        let mut random = random(seed);
        let mut swarm = swarm(30, dimensions, half_width, &mut random);
        for _ in 0..iterations {
            let fitness: Vec<f64> = swarm.positions().map(|position| -function(position)).collect();
            swarm.tell(&fitness);
            swarm.advance(&Dynamics::in_box(half_width), &mut random);
        }
        -swarm.best().expect("it has a fitness").fitness
    }

    fn sphere(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    #[test]
    fn it_finds_the_middle_of_a_sphere() {
        let found = least(sphere, 10, 100.0, 400);
        assert!(found[19] < 1e-3, "{found:?}");
    }

    #[test]
    fn it_follows_the_bent_valley_of_rosenbrock() {
        let rosenbrock = |x: &[f64]| {
            x.windows(2).map(|pair| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2)).sum()
        };
        let found = least(rosenbrock, 4, 10.0, 1500);
        // A swarm may end in the lesser minimum near (-1, 1, 1, 1), whose value is 3.7.
        assert!(found[15] < 1e-3 && found[19] < 4.0, "{found:?}");
    }

    #[test]
    fn it_finds_the_lowest_of_the_many_valleys_of_rastrigin() {
        let rastrigin = |x: &[f64]| x.iter().map(|x| x * x - 10.0 * (std::f64::consts::TAU * x).cos() + 10.0).sum();
        let found = least(rastrigin, 3, 5.12, 400);
        // Neighbouring valleys are 0.995 deep, and there are more than 1300.
        assert!(found[12] < 1e-6 && found[19] < 2.1, "{found:?}");
    }

    #[test]
    fn no_particle_leaves_the_box_or_is_faster_than_allowed() {
        let mut random = random(2);
        let mut swarm = swarm(20, 6, 3.0, &mut random);
        let dynamics = Dynamics { max_speed: 0.25, ..Dynamics::in_box(3.0) };
        let mut at_wall = 0;
        for _ in 0..200 {
            // The best place is a corner outside.
            let fitness: Vec<f64> = swarm.positions().map(|position| position.iter().sum()).collect();
            swarm.tell(&fitness);
            let before: Vec<Vec<f64>> = swarm.positions().map(<[f64]>::to_vec).collect();
            swarm.advance(&dynamics, &mut random);
            for (before, after) in before.iter().zip(swarm.positions()) {
                for (before, after) in before.iter().zip(after) {
                    assert!(after.abs() <= 3.0 && (after - before).abs() <= 0.75 + 1e-12);
                    at_wall += u32::from(*after == 3.0);
                }
            }
        }
        assert!(at_wall > 1000, "{at_wall}");
        assert_eq!(swarm.best().map(|best| best.fitness), Some(18.0));
    }

    #[test]
    fn it_has_converged_when_it_has_shrunk_or_no_longer_improves() {
        let convergence = Convergence { radius: 0.01, patience: 3 };
        let mut random = random(3);
        let mut still = swarm(5, 2, 1.0, &mut random);
        assert!(!still.has_converged(&convergence), "no fitness is known yet");
        for told in 0..=3 {
            still.tell(&[7.0; 5]);
            assert_eq!(still.has_converged(&convergence), told == 3, "told {told} times more");
        }
        still.tell(&[7.0, 7.0, 8.0, 7.0, 7.0]);
        assert!(!still.has_converged(&convergence), "it improved");

        let mut shrinking = swarm(30, 2, 1.0, &mut random);
        let patient = Convergence { patience: u32::MAX, ..convergence };
        let mut iterations = 0;
        while !shrinking.has_converged(&patient) {
            let fitness: Vec<f64> = shrinking.positions().map(|position| -sphere(position)).collect();
            shrinking.tell(&fitness);
            shrinking.advance(&Dynamics::in_box(1.0), &mut random);
            iterations += 1;
        }
        assert!((10..200).contains(&iterations), "{iterations}");
    }

    #[test]
    fn the_first_particle_is_where_it_was_put() {
        let swarm = Swarm::scattered(3, Some(&[1.0, 2.0]), &mut || vec![3.0, 4.0]);
        assert!(swarm.positions().eq([&[1.0, 2.0][..], &[3.0, 4.0], &[3.0, 4.0]]));
    }
}
