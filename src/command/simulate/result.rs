//! The result of `maxout simulate` and `maxout merge`, as it is printed.

use serde::Serialize;

use super::machine::Machine;
use maxout_lab::simulate::{RunId, Statistics};

/// A run and its statistics; as JSON, one object. Everything except `machine` is the same, byte for
/// byte, on every machine that plays the same games.
#[derive(Debug, Serialize)]
pub(super) struct SimulateResult<'a> {
    #[serde(flatten)]
    pub run: &'a RunId,
    /// Does the player only press buttons, and read no more than the screen shows?
    pub honest: bool,
    /// How the player cheats, if it does not only press buttons.
    pub cheats: Option<&'static str>,
    /// Why the player is not honest although it only presses buttons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_honest: Option<&'static str>,
    /// Games of the run that are not in the report.
    pub missing: u64,
    pub report: Statistics,
    /// `None` when the games were read from files.
    pub machine: Option<Machine>,
}

impl<'a> SimulateResult<'a> {
    pub(super) fn new(
        run: &'a RunId,
        missing: u64,
        report: Statistics,
        machine: Option<Machine>,
    ) -> SimulateResult<'a> {
        let cheats = run.player.planner.input.cheat();
        let not_honest = run.player.planner.rng.not_honest();
        let honest = cheats.is_none() && not_honest.is_none();
        SimulateResult { run, honest, cheats, not_honest, missing, report, machine }
    }
}
