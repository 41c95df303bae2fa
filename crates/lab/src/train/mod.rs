//! Fits the weights of an evaluator to the points of many games, by particle swarm.
//!
//! The optimiser knows nothing of games: a [`Training`] is asked for positions and told their
//! fitness. A [`Course`] gives the fitness: every weight set plays the same games. Between two
//! iterations a training can be written to a file and read back, to the last bit, by
//! [`checkpoint`]. [`td`] trains a net that values playfields.
//!
//! ```
//! use maxout_lab::train::{Convergence, Flight, Origin, Settings, Training};
//!
//! let settings = Settings {
//!     seed: 1,
//!     particles: 20,
//!     start: vec![3.0, -2.0],
//!     first: Origin::Start,
//!     again: Origin::Random,
//!     spread: 0.3,
//!     flight: Flight::in_box(10.0),
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
mod pso;
pub mod td;
mod training;

pub use fitness::{Fitness, ParseFitnessError};
pub use games::Course;
pub use pso::{Convergence, Flight, Scored, Swarm};
pub use training::{CurvePoint, Origin, Settings, Training};
