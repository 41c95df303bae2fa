//! The steps of a run, as every format takes them: the same from a game that runs and from a
//! replay.

use super::fm2::Step;
use maxout_engine::bot::FrameReport;
use maxout_engine::console::Reset;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RamSnapshot;

/// One step of a console, with its result.
#[derive(Debug, Clone, Copy)]
pub enum PlayedStep<'a> {
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

impl PlayedStep<'_> {
    /// The step alone.
    pub const fn step(&self) -> Step {
        match self {
            PlayedStep::Frame { buttons, .. } => Step::Frame(*buttons),
            PlayedStep::Reset => Step::Reset,
            PlayedStep::PowerCycle => Step::PowerCycle,
        }
    }
}

impl PlayedStep<'_> {
    /// The reset before the frame of a run, where there was one.
    pub fn boot(report: &FrameReport<'_>) -> Option<PlayedStep<'static>> {
        report.reset.map(|reset| match reset {
            Reset::Button => PlayedStep::Reset,
            Reset::Power => PlayedStep::PowerCycle,
        })
    }
}

impl<'a> From<&FrameReport<'a>> for PlayedStep<'a> {
    fn from(report: &FrameReport<'a>) -> PlayedStep<'a> {
        let FrameReport { buttons, polled, pokes, snapshot, .. } = *report;
        PlayedStep::Frame { buttons, polled, writes: pokes, snapshot }
    }
}
