//! The games of a training: from level 19 to the line that reaches level 29.

use maxout_engine::game::{KILLSCREEN_LINES, PLATEAU, level};

/// Lines after which a game counts as finished and a new one begins: those of level 29.
pub(super) const LAST_LINE: u32 = KILLSCREEN_LINES as u32;

/// The level that the games start from.
pub(super) const START_LEVEL: u8 = PLATEAU;

/// The level after this many lines of a game from [`START_LEVEL`]: it first rises at 140 lines. Games at
/// another gravity stay at the level `of` that gravity.
pub(super) fn level_after(of: u8, lines: u32) -> u32 {
    if of == START_LEVEL { level::level_after(START_LEVEL, lines as u16).into() } else { of.into() }
}
