//! The checkpoint of a search by stages.

use std::path::Path;

use anyhow::anyhow;

use super::args::Tas;
use crate::system::failure::Failure;
use crate::system::output::say;
use maxout_formats::{limited, whole};
use maxout_lab::tas::Goal;
use maxout_lab::tas::stages::{self, Stages};

/// How far a search has come, in memory and in its checkpoint, if it has one.
pub(super) struct Kept<'a> {
    path: Option<&'a Path>,
    /// What is another text for another search.
    settings: String,
    pub stages: Stages,
}

impl Kept<'_> {
    /// A new search, or the one of the checkpoint.
    pub(super) fn begin(args: &Tas, goal: Goal, settings: String) -> Result<Kept<'_>, Failure> {
        let path = args.checkpoint.as_deref();
        let settings = format!("{settings} {}", env!("CARGO_PKG_VERSION"));
        let Some(file) = path.filter(|path| path.exists()) else {
            return Ok(Kept { path, settings, stages: Stages::default() });
        };
        let failed = |error: anyhow::Error| Failure::input(error.context(format!("the checkpoint {}", file.display())));
        let bytes = limited::read(file, stages::LONGEST).map_err(|error| failed(error.into()))?;
        let stages = stages::read(&bytes, &settings, goal).map_err(|error| failed(error.into()))?;
        let plans = if stages.plans > 0 { format!("{} plans and ", stages.plans) } else { String::new() };
        say(&format!("continuing after {plans}{} searches through the game", stages.round));
        Ok(Kept { path, settings, stages })
    }

    /// Writes the checkpoint: a stage is over.
    pub(super) fn save(&self) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        whole::replace(path, &stages::write(&self.stages, &self.settings)).map_err(|error| {
            Failure::run(anyhow!(error).context(format!("cannot write the checkpoint {}", path.display())))
        })
    }
}
