//! Playfields between clears: what was found from each of them, and which are the best.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maxout_engine::parallel;
use maxout_engine::tas::Reach;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Playfields or cycles that a thread works on between two calls for progress, on average. Chosen by hand.
const AT_ONCE: usize = 2;

/// What was found from each playfield, or of each cycle, that was looked at.
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

impl<K: Ord, E> Known<K, E> {
    /// How many are known.
    pub(super) fn count(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<K, E>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Ord + Send + Sync, E: Send> Known<K, E> {
    /// Looks at these, as far as they are not known. `shown` gets those that are known so far, and how many these are; it may read what is
    /// known. `None` if it was stopped.
    pub(super) fn with(
        &self,
        these: &[K],
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(usize, usize),
        find: impl Fn(&mut Reach, &K) -> E + Sync,
    ) -> Option<MutexGuard<'_, BTreeMap<K, E>>> {
        let unknown: Vec<K> = {
            let known = self.all();
            these.iter().filter(|it| !known.contains_key(it)).copied().collect()
        };
        let mut looked_at = these.len() - unknown.len();
        for some in unknown.chunks(AT_ONCE * threads.max(1)) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let found = parallel::map(threads, &mut Reach::stopping(), Reach::stopping, some.to_vec(), |reach, it| {
                (it, find(reach, &it))
            });
            // What was stopped may not be whole.
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            looked_at += found.len();
            self.all().extend(found);
            shown(looked_at, these.len());
        }
        Some(self.all())
    }
}

impl<K: Ord + Serialize, E: Serialize> Serialize for Known<K, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.all().iter())
    }
}

impl<'de, K: Ord + Deserialize<'de>, E: Deserialize<'de>> Deserialize<'de> for Known<K, E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Known<K, E>, D::Error> {
        let all: Vec<(K, E)> = Vec::deserialize(deserializer)?;
        Ok(Known(Arc::new(Mutex::new(all.into_iter().collect()))))
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
