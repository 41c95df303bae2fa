//! What was listed once, and serves for other games.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::graph::{Cycle, Graph};
use super::{plain, tops};

/// What was listed for another game, too: the ends of tops, and the last graph.
#[derive(Debug, Clone, Default)]
pub(in crate::tas) struct Listed {
    pub(super) ends: tops::KnownEnds,
    pub(super) graph: Arc<Mutex<Option<LastGraph>>>,
    /// The same of plain tetrises.
    pub(super) ends_of_plain: plain::KnownEnds,
    pub(super) plain: Arc<Mutex<Option<LastGraph>>>,
}

/// A graph, and what it is of.
type LastGraph = (GraphOf, Arc<Graph>);
/// The frames that a row takes, and the cycles.
type GraphOf = (u8, BTreeSet<Cycle>);

impl Listed {
    /// The graph of these cycles, which is listed if the last one was another; `None` if `list` gives none.
    pub(super) fn graph(
        last: &Mutex<Option<LastGraph>>,
        of: GraphOf,
        list: impl FnOnce(&BTreeSet<Cycle>) -> Option<Graph>,
    ) -> Option<Arc<Graph>> {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, graph)) = last.as_ref().filter(|(last, _)| *last == of) {
            return Some(Arc::clone(graph));
        }
        let graph = Arc::new(list(&of.1)?);
        *last = Some((of, Arc::clone(&graph)));
        Some(graph)
    }
}
