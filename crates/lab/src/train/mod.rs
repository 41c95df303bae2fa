//! Training: [`pso`] fits the weights of a hand-made evaluator to the points of many games, by
//! particle swarm; [`td`] trains a net that values playfields, by temporal differences.

mod parts;
pub mod pso;
pub mod td;
