//! Many games at once.

pub mod games;
pub mod plot;
pub mod simulate;
pub mod survey;
pub mod train;
