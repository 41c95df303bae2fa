//! Playfields between clears: what was found from each of them, and which are the best.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maxout_engine::parallel;
use maxout_engine::tas::Reach;

/// Playfields that a thread looks at between two calls for progress, on average. Chosen by hand.
const AT_ONCE: usize = 2;

/// The ends found from each playfield that was looked at.
#[derive(Debug)]
pub(super) struct Known<K, E>(Arc<Mutex<BTreeMap<K, E>>>);

impl<K, E> Default for Known<K, E> {
    fn default() -> Known<K, E> {
        Known(Arc::default())
    }
}

impl<K, E> Clone for Known<K, E> {
    fn clone(&self) -> Known<K, E> {
        Known(Arc::clone(&self.0))
    }
}

impl<K: Copy + Ord + Send + Sync, E: Send> Known<K, E> {
    /// Looks at these playfields, as far as they are not known. `shown` gets those that are known so far, and all of them. `None` if it was
    /// stopped.
    pub(super) fn with(
        &self,
        all: &[K],
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(usize, usize),
        ends: impl Fn(&mut Reach, &K) -> E + Sync,
    ) -> Option<MutexGuard<'_, BTreeMap<K, E>>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown: Vec<K> = all.iter().filter(|it| !known.contains_key(it)).copied().collect();
        let mut looked_at = all.len() - unknown.len();
        for some in unknown.chunks(AT_ONCE * threads.max(1)) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let found = parallel::map(threads, &mut Reach::stopping(), Reach::stopping, some.to_vec(), |reach, it| {
                (it, ends(reach, &it))
            });
            looked_at += found.len();
            known.extend(found);
            shown(looked_at, all.len());
        }
        Some(known)
    }
}

/// Those with the lowest numbers.
pub(super) fn best_of<K: Ord + Copy>(all: BTreeMap<K, f32>, most: usize) -> BTreeMap<K, f32> {
    let mut all: Vec<(K, f32)> = all.into_iter().collect();
    // The sort is stable: of equals the first ones are taken.
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all.truncate(most);
    all.into_iter().collect()
}
