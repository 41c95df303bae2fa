//! Many games at once.

pub mod games;
pub mod plot;
mod random_presses;
pub mod simulate;
pub mod survey;
pub mod train;

pub use random_presses::random_presses;
