//! The whole game as seen from outside the console, one frame at a time and without a console.
//!
//! [`Simulation`] holds the console's 2048 bytes of work RAM and advances them exactly as the
//! cartridge does: menus, games, pauses, topouts, name entry. Golden traces in the tests compare it
//! byte by byte with the original console. Training and the simulated console run on it.
//!
//! One frame is an interrupt, which polls the gamepad and clocks the random number generator,
//! and then the main program, which runs until it next waits for an interrupt. Where it waits is
//! the `Task`; everything else is in RAM.
//!
//! From level 133 on the original can run out of time: [`Simulation::set_crashes`] models its slow frames and
//! crashes, see [`crash`](crate::game::crash).
//!
//! Not modelled: the original's table for the demo, the A-type ending's animation, sound, screen output.
//! [`Simulation::out_of_scope`] says when a run has entered something that is only approximated.

mod bonus;
mod bulk;
mod demo;
mod demo_table;
mod game_start;
mod high_scores;
mod interrupt;
mod landing;
mod late;
mod menus;
mod model;
mod page;
mod pass;
mod save;
pub mod scope;
mod screens;
mod start;
mod task;
#[cfg(test)]
mod tests;
mod topout;

pub use demo_table::DemoTable;
pub use model::Simulation;
pub use pass::{HALF_SPEED, RESET};
pub use start::Error;
