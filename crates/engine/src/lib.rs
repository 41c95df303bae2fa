//! NES Tetris and the player of it.

pub mod bot;
pub mod console;
pub mod eval;
pub mod game;
pub mod gamepad;
pub mod movegen;
pub mod planner;
pub mod ram;
pub mod state;
pub mod toml_line;
pub mod value;
