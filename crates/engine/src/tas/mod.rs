//! Tool-assisted play: exact steps from spawn to spawn, and movement with any buttons in any frame.
//!
//! A search over whole games needs millions of steps a second, so it does not run the game frame by
//! frame. [`Spawned`] is the state at the sample of a spawn, [`Spawned::lock`] leads to the next one, and
//! [`Reach`] lists where the piece can lock, with the earliest frame. Tests compare all three with
//! [`Simulation`](crate::game::simulation::Simulation) and with a slow search over every button.
//!
//! Nothing here judges a placement; the search is in the crate `lab`.

mod menus;
mod page;
mod reach;
#[cfg(test)]
mod slow;
mod spawned;
#[cfg(test)]
mod tests;

pub use menus::{MenuChoice, Opening, openings};
pub use page::Page;
pub use reach::{Landing, Quiet, Reach};
pub use spawned::{Locked, Pause, Spawned};
