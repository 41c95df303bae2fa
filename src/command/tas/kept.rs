//! The checkpoint of a search by stages.

use std::path::Path;

use super::args::Tas;
use super::{CHECKPOINT, read_kept, save};
use crate::files::outputs::begun;
use crate::system::failure::Failure;
use crate::system::output::say;
use maxout_lab::tas::stages::{self, Plans, Stages};
use maxout_lab::tas::{Goal, Played};

/// How far a search has come, in memory and in its checkpoint, if it has one.
pub(super) struct Kept<'a> {
    path: Option<&'a Path>,
    /// What is another text for another search.
    settings: String,
    pub stages: Stages,
    /// A faster game of a search that was stopped before its end. The checkpoint does not have it, so that a run that goes on ends with the
    /// same game as one that was not stopped.
    pub of_stopped: Option<Played>,
    /// Why the checkpoint could not be written. The search goes on without it, and fails when its game is written.
    pub failure: Option<Failure>,
}

impl<'a> Kept<'a> {
    /// A new search with these plans, or the one of the checkpoint.
    pub(super) fn begin(args: &'a Tas, goal: Goal, plans: Option<Plans>, settings: &str) -> Result<Kept<'a>, Failure> {
        let path = args.checkpoint.as_deref();
        let settings = format!("{settings} {}", env!("CARGO_PKG_VERSION"));
        let read = |bytes: &[u8]| stages::read(bytes, &settings, goal, plans);
        let stages = read_kept(CHECKPOINT, path, stages::LONGEST, read)?;
        if let Some(Stages { plans: tried, round, .. }) = &stages {
            let of = |plans: Plans| format!("{tried} of {} rounds of planning, ", plans.rounds);
            let plans = plans.map_or(String::new(), of);
            say(&format!("continuing after: {plans}searches through the game: {round}"));
        }
        Ok(Kept { path, settings, stages: stages.unwrap_or_default(), of_stopped: None, failure: None })
    }

    /// The fastest game.
    pub(super) fn game(&mut self) -> Option<Played> {
        self.of_stopped.take().or_else(|| self.stages.game.take())
    }

    /// A stage is over: writes the checkpoint.
    pub(super) fn save(&mut self) {
        let Some(path) = self.path else { return };
        if let Err(failure) = save(CHECKPOINT, path, &stages::write(&self.stages, &self.settings)) {
            say(&format!("cannot write the checkpoint {}: the search goes on without it", path.display()));
            (self.path, self.failure) = (None, Some(failure));
        }
    }

    /// What to do when the search was interrupted before it had a game.
    pub(super) fn advice(&self) -> &'static str {
        advice(self.path)
    }
}

/// What to do when a search with this checkpoint was interrupted before it had a game.
pub(super) fn advice(checkpoint: Option<&Path>) -> &'static str {
    match begun(checkpoint) {
        Some(_) => "give the same command again to go on",
        None => "give it more time",
    }
}
