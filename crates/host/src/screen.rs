//! What a host can draw over its picture: the plan, and a line of figures.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::game::{ROWS, WIDTH};

use crate::protocol::{GhostCell, Message};
use maxout_engine::gamepad::Buttons;

/// What is shown in the next frame.
#[derive(Debug, Default)]
struct Shown {
    ghost: Vec<GhostCell>,
    text: String,
    /// Has the text changed since it was sent?
    is_new: bool,
    /// Why the game ended, for the last message.
    reason: Option<String>,
}

/// Listens to a run, and gives the host what it can draw. All copies are one.
#[derive(Debug, Clone, Default)]
pub struct HostScreen(Arc<Mutex<Shown>>);

impl HostScreen {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says why the run has ended: the host gets it as the last message.
    pub fn ended(&self, reason: &str) {
        self.shown().reason = Some(reason.to_owned());
    }

    /// Why the run has ended.
    pub(crate) fn reason(&self) -> String {
        self.shown().reason.clone().unwrap_or_else(|| "the run has ended".to_owned())
    }

    /// The message for the next frame.
    pub(crate) fn message(&self, buttons: Buttons) -> Message {
        let mut shown = self.shown();
        let text = if std::mem::take(&mut shown.is_new) { shown.text.clone() } else { String::new() };
        Message::Frame { buttons, ghost: shown.ghost.clone(), text }
    }
}

impl FrameSink for HostScreen {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let mut shown = self.shown();
        shown.ghost.clear();
        if let Some(plan) = report.plan {
            let (origin, cells) = (plan.placement, plan.placement.orientation.cells());
            let visible = cells.iter().filter_map(|(row, column)| {
                let (row, column) = (origin.y + row, origin.x + column);
                let (row, column) = (u8::try_from(row).ok()?, u8::try_from(column).ok()?);
                let is_visible = usize::from(row) < ROWS && usize::from(column) < WIDTH;
                is_visible.then_some(GhostCell { column, row })
            });
            shown.ghost.extend(visible);
        }
        let tally = report.tally;
        let rate = tally.tetris_rate().map_or("-".to_owned(), |rate| format!("{:.0}%", 100.0 * rate));
        // Level and lines are on the game's own screen. FCEUX has room for 41 characters.
        let text = format!("score {} tetrises {rate} desyncs {}", tally.uncapped, tally.desyncs);
        if text != shown.text {
            shown.text = text;
            shown.is_new = true;
        }
        Ok(Flow::Continue)
    }
}
