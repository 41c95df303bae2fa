//! The lists of a search of parts, in memory and in their file.

use std::path::Path;
use std::time::{Duration, Instant};

use super::args::Tas;
use super::{read_kept, save};
use crate::files::outputs::begun;
use crate::system::failure::Failure;
use crate::system::output::say;
use maxout_lab::tas::improve::Lists;

/// Time between two writes: one takes some seconds.
const EVERY: Duration = Duration::from_secs(300);

/// What the lists are called in messages.
const LISTS: &str = "the lists";

/// The lists, and the file that keeps them, if there is one.
pub(super) struct KeptLists<'a> {
    path: Option<&'a Path>,
    saved: Instant,
    /// The number of lists in the file.
    written: usize,
    pub lists: Lists,
    /// Why the file could not be written. The search goes on, and fails when its game is written.
    pub failure: Option<Failure>,
}

impl<'a> KeptLists<'a> {
    /// Those of the file, if it is there and not empty.
    pub(super) fn begin(args: &'a Tas) -> Result<KeptLists<'a>, Failure> {
        let path = args.lists.as_deref();
        if let Some(path) = begun(path) {
            // Many lists take some seconds.
            say(&format!("reading the lists {}", path.display()));
        }
        let lists = read_kept(LISTS, path, Lists::LONGEST, Lists::read)?;
        if let Some(lists) = &lists {
            say(&format!("lists read: {}", lists.count()));
        }
        let lists = lists.unwrap_or_default();
        let written = lists.count();
        Ok(KeptLists { path, saved: Instant::now(), written, lists, failure: None })
    }

    /// Writes the file if it is time.
    pub(super) fn save_in_time(&mut self) {
        if self.path.is_some() && self.saved.elapsed() >= EVERY {
            self.save();
        }
    }

    /// Writes the file if there is more to keep.
    pub(super) fn save(&mut self) {
        let Some(path) = self.path.filter(|_| self.lists.count() > self.written) else { return };
        match save(LISTS, path, &self.lists.write()) {
            Ok(()) => (self.saved, self.written) = (Instant::now(), self.lists.count()),
            Err(failure) => {
                say(&format!("{}; the search goes on and does not keep them", failure.line()));
                (self.path, self.failure) = (None, Some(failure));
            }
        }
    }
}
