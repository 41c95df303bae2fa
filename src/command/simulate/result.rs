//! The report as it is printed.

use serde::Serialize;

use super::machine::Machine;
use super::text;
use crate::system::failure::Failure;
use crate::system::output::{print, print_json};
use maxout_lab::simulate::{RunId, Statistics};

/// A run and its report; as JSON, one object. All of it but `machine` is the same, byte for
/// byte, whenever and wherever the same games are played.
#[derive(Debug, Serialize)]
pub(super) struct SimulateResult<'a> {
    #[serde(flatten)]
    pub run: &'a RunId,
    /// Does the player only press buttons?
    pub honest: bool,
    /// What it does else.
    pub cheats: Option<&'static str>,
    /// Games of the run that the report is not over.
    pub missing: u64,
    pub report: Statistics,
    /// None when the games were read from files.
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
        SimulateResult { run, honest: cheats.is_none(), cheats, missing, report, machine }
    }

    /// Prints it, for a program or for people.
    pub(super) fn print(&self, json: bool) -> Result<(), Failure> {
        if json { print_json(self) } else { print(&text::report(self)) }
    }
}
