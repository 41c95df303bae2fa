//! The bytes of RAM that the simulation does not promise.

use std::ops::RangeInclusive;

use super::model::Simulation;
use super::task::{Screen, Task};
use crate::game::crash::{PassEnd, Place};
use crate::game::memory::address::{
    ALLEGRO, LINE_CLEAR_STATS, PLAYER_SIZE, RENDER_FLAGS, SELECTING_HEIGHT, WORKING_COPY,
};

/// An address that is not compared with a console, or not always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exception {
    /// First address.
    pub first: usize,
    /// Last address.
    pub last: usize,
    /// When the byte is left out.
    pub when: When,
    /// What the bytes are.
    pub reason: &'static str,
}

/// When an [`Exception`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In every frame.
    Always,
    /// In all frames except those in which the level menu reads the buttons.
    OutsideLevelMenu,
}

/// Bytes that a comparison with a console leaves out. All others that a golden trace lists are
/// compared in every frame from power-on.
pub const EXCEPTIONS: &[Exception] = &[
    Exception { first: 0x00, last: 0x16, when: When::Always, reason: "scratch of interrupt and main program" },
    Exception { first: 0x1B, last: 0x3F, when: When::Always, reason: "unused, vertical-blank flag, constants" },
    Exception { first: 0x5B, last: 0x5F, when: When::Always, reason: "unused end of the working copy" },
    Exception { first: 0x7B, last: 0xA2, when: When::Always, reason: "second player, sprite scratch" },
    Exception { first: 0xA8, last: 0xAD, when: When::Always, reason: "general counters: scratch" },
    Exception {
        first: SELECTING_HEIGHT,
        last: SELECTING_HEIGHT,
        when: When::OutsideLevelMenu,
        reason: "the menu's selector is sprite and playfield scratch elsewhere",
    },
    Exception { first: 0xB0, last: 0xB0, when: When::Always, reason: "scratch" },
    Exception { first: 0xB3, last: 0xB4, when: When::Always, reason: "length of the sprite list" },
    Exception { first: 0xC4, last: 0xCD, when: When::Always, reason: "ending animation" },
    Exception { first: 0xD6, last: 0xD7, when: When::Always, reason: "name entry: derived from $D4,$D5" },
    Exception { first: 0xDC, last: 0xDE, when: When::Always, reason: "B-type ending" },
    Exception { first: 0xE0, last: 0xEF, when: When::Always, reason: "sound" },
    Exception { first: 0xF9, last: 0xFF, when: When::Always, reason: "mirrors of screen registers" },
    Exception { first: 0x100, last: 0x3EF, when: When::Always, reason: "stack, sprite list, unused" },
    Exception { first: 0x3FE, last: 0x3FF, when: When::Always, reason: "unused" },
    Exception { first: 0x500, last: 0x6FF, when: When::Always, reason: "second playfield, sound" },
    Exception { first: 0x755, last: 0x7FF, when: When::Always, reason: "unused" },
];

/// What the play update of a scored lock changes besides the player's block: it is not known how far it has
/// come when a slow frame finds it at work.
const CHANGED_BY_SCORE: [RangeInclusive<usize>; 4] = [
    WORKING_COPY..=WORKING_COPY + PLAYER_SIZE - 1,
    RENDER_FLAGS..=RENDER_FLAGS,
    ALLEGRO..=ALLEGRO,
    LINE_CLEAR_STATS..=LINE_CLEAR_STATS + 3,
];

/// The parts of the game that are only approximated, as [`Simulation::out_of_scope`] names them.
pub(super) const DEMO: &str = "the demo";
pub(super) const NO_FALLING_PIECE: &str = "a falling piece that is none ($62)";
pub(super) const NO_LOCKING_PIECE: &str = "a locking piece that is none ($62)";
pub(super) const NO_NEXT_PIECE: &str = "a next piece that is none ($BF)";
pub(super) const A_TYPE_ENDING: &str = "the A-type ending";
pub(super) const B_TYPE_ENDING: &str = "the B-type ending";
pub(super) const CRASH: &str = "a crash";
pub(super) const HANG: &str = "a hang";
/// All of them, in the order of their numbers in a saved state.
pub(super) const ALL: [&str; 8] =
    [DEMO, NO_FALLING_PIECE, NO_LOCKING_PIECE, NO_NEXT_PIECE, A_TYPE_ENDING, B_TYPE_ENDING, CRASH, HANG];

impl Simulation {
    /// Does the simulation promise that a console's byte at this address is the same in the
    /// present sample?
    pub fn promises(&self, address: u16) -> bool {
        let in_update = matches!(self.task, Task::Late { end: PassEnd { place: Place::Update, .. }, .. });
        if in_update && CHANGED_BY_SCORE.iter().any(|range| range.contains(&usize::from(address))) {
            return false;
        }
        let menu = self.task == Task::Menu(Screen::LevelMenu);
        !EXCEPTIONS.iter().any(|exception| {
            (exception.first..=exception.last).contains(&usize::from(address))
                && (exception.when == When::Always || !menu)
        })
    }
}
