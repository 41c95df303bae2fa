//! Particle swarm optimisation: fits the weights of an evaluator to the points of many games.
//!
//! The optimiser knows nothing of games: a [`Training`] gives positions and takes the fitness of
//! each. [`FitnessGames`] measures the fitness: every weight set plays the same games. Between two
//! iterations a training can be written to a file and read back, to the last bit, by
//! [`checkpoint`].
//!
//! ```
//! use maxout_lab::train::pso::{Convergence, Dynamics, SwarmStart, Settings, Training};
//!
//! let settings = Settings {
//!     seed: 1,
//!     particles: 20,
//!     start: vec![3.0, -2.0],
//!     first: SwarmStart::Start,
//!     again: SwarmStart::Random,
//!     spread: 0.3,
//!     dynamics: Dynamics::in_box(10.0),
//!     convergence: Convergence::default(),
//! };
//! let mut training = Training::begin(&settings);
//! while training.converged() == 0 {
//!     let fitness: Vec<f64> = training.positions().map(|at| -at[0].abs() - (at[1] - 1.0).abs()).collect();
//!     training.tell(&settings, &fitness);
//! }
//! let (best, _) = training.best().expect("there was an iteration");
//! assert!((best.position[1] - 1.0).abs() < 0.1);
//! ```

pub mod checkpoint;
mod fitness;
mod games;
mod swarm;
mod training;

pub use fitness::{Fitness, ParseFitnessError};
pub use games::FitnessGames;
pub use swarm::{Convergence, Dynamics, Scored, Swarm};
pub use training::{CurvePoint, Settings, SwarmStart, Training};
