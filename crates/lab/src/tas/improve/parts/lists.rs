//! What was listed once, and serves for other games: in memory, and in a file if it is kept.

use std::collections::BTreeSet;
use std::io::{BufReader, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::graph::{Cycle, Graph, KnownWays};
use super::{plain, tops};
use crate::tas::sealed::{self, CheckpointError};

/// Lists of this number are made by the same rules. It changes with every change of the rules or of the tables after which a list of the same
/// playfield or cycle would be another.
const RULES: u32 = 1;

/// The lists of a search of parts. They do not depend on the movie, so they serve for others, too. A clone has the same lists.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    kept: Kept,
    pub(super) graph: Arc<Mutex<Option<LastGraph>>>,
    /// The same of plain tetrises.
    pub(super) plain: Arc<Mutex<Option<LastGraph>>>,
}

/// What is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub ends: tops::KnownEnds,
    pub ends_of_plain: plain::KnownEnds,
    /// Of cycles and of plain tetrises.
    pub ways: KnownWays,
}

/// Why lists cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ListsError {
    /// They begin as something else, or are of another version.
    #[error("expected lists of this version of maxout, found something else: give another --lists, or delete it")]
    Other,
    /// They end too soon, or hold something that no list has.
    #[error("it is not whole, or damaged: give another --lists, or delete it")]
    Damaged,
}

impl From<CheckpointError> for ListsError {
    fn from(error: CheckpointError) -> ListsError {
        match error {
            CheckpointError::Magic | CheckpointError::Settings => ListsError::Other,
            CheckpointError::Damaged => ListsError::Damaged,
        }
    }
}

/// A graph, and what it is of.
type LastGraph = (GraphOf, Arc<Graph>);
/// The frames that a row takes, and the cycles.
type GraphOf = (u8, BTreeSet<Cycle>);

impl Lists {
    /// Most bytes of a file that is read. The graph of 1,112 kinds of cycles, over three columns, has 5 million pieces: 29 MB.
    pub const LONGEST: u64 = 4 * 1024 * 1024 * 1024;

    /// What is kept of them.
    pub(super) fn kept(&self) -> &Kept {
        &self.kept
    }

    /// How many lists there are: of playfields and of cycles.
    pub fn count(&self) -> usize {
        let Kept { ends, ends_of_plain, ways } = &self.kept;
        ends.count() + ends_of_plain.count() + ways.count()
    }

    /// All lists as the bytes of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = sealed::header(sealed::LISTS, &rules());
        let mut packed = BufWriter::new(ZlibEncoder::new(&mut bytes, Compression::fast()));
        serde_json::to_writer(&mut packed, &self.kept).expect("numbers are JSON");
        packed.flush().expect("bytes can be written");
        drop(packed);
        sealed::seal(&mut bytes);
        bytes
    }

    /// The lists that were written.
    ///
    /// # Errors
    /// [`ListsError`] when the bytes are no such lists.
    pub fn read(bytes: &[u8]) -> Result<Lists, ListsError> {
        let content = sealed::open(bytes, sealed::LISTS, &rules())?;
        let unpacked = BufReader::new(ZlibDecoder::new(content));
        let kept: Kept = serde_json::from_reader(unpacked).map_err(|_| ListsError::Damaged)?;
        Ok(Lists { kept, ..Lists::default() })
    }

    /// The graph of these cycles, which is made if the last one was another; `None` if `make` gives none.
    pub(super) fn graph(
        last: &Mutex<Option<LastGraph>>,
        of: GraphOf,
        make: impl FnOnce(&BTreeSet<Cycle>) -> Option<Graph>,
    ) -> Option<Arc<Graph>> {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, graph)) = last.as_ref().filter(|(last, _)| *last == of) {
            return Some(Arc::clone(graph));
        }
        let graph = Arc::new(make(&of.1)?);
        *last = Some((of, Arc::clone(&graph)));
        Some(graph)
    }
}

/// Lists of other versions or rules are others.
fn rules() -> String {
    format!("{} {RULES}", env!("CARGO_PKG_VERSION"))
}
