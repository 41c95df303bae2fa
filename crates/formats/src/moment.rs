//! What a recorder is told, step by step: the same from a game that runs and from a replay.

use super::fm2::Step;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RamSnapshot;

/// One step of a console.
#[derive(Debug, Clone, Copy)]
pub enum Moment<'a> {
    /// A frame was played.
    Frame {
        /// The buttons that were down.
        buttons: Buttons,
        /// Did the game read them?
        polled: bool,
        /// Bytes that were written into RAM before it, with their addresses: none in honest play.
        writes: &'a [(u16, u8)],
        /// RAM at its end.
        snapshot: &'a RamSnapshot,
    },
    /// The reset button was pressed.
    Reset,
    /// Power went off and on.
    PowerCycle,
}

impl Moment<'_> {
    /// The step that leads to it.
    pub const fn step(&self) -> Step {
        match self {
            Moment::Frame { buttons, .. } => Step::Frame(*buttons),
            Moment::Reset => Step::Reset,
            Moment::PowerCycle => Step::PowerCycle,
        }
    }
}
