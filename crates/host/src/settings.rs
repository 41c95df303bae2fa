//! What is asked of a host.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use maxout_engine::ram::{Decoder, RamMap};

/// What is asked of a host.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the game keeps what.
    pub map: RamMap,
    /// The same, resolved.
    pub decoder: Decoder,
    /// The longest time for a frame.
    pub patience: Duration,
    /// Set when the program is to end.
    pub stop: Arc<AtomicBool>,
}
