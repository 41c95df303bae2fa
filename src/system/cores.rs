//! How many threads work, unless a flag says it.

use std::num::NonZeroUsize;

/// One thread for each core; 1 where the system does not say how many there are.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
