//! Gives mutated files to a target, on stable Rust and without looking at the code that they reach.
//!
//! The inputs depend on the seed, the target's name and the files of the corpus alone.

mod mutate;
mod seeds;

use std::fs::File;
use std::io::{self, Seek, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use mutate::{Mutator, Random};
pub use seeds::{Seeds, load};

use crate::Target;
use maxout_engine::seed::split_mix;

/// Inputs between two looks at the clock. Chosen by hand, not measured.
const BETWEEN_LOOKS: u64 = 16;
/// Most characters that are shown of a panic. Chosen by hand, not measured.
const LONGEST_WORDS: usize = 1_000;

/// Where the last panic was.
static PLACE: Mutex<String> = Mutex::new(String::new());

/// When a target has been given enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// After this time.
    Time(Duration),
    /// After this many mutated inputs.
    Inputs(u64),
}

/// What a target was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Inputs, the files of the corpus included.
    pub inputs: u64,
    /// How long it took.
    pub time: Duration,
    /// The input that broke a promise, and the words of the panic.
    pub finding: Option<(Vec<u8>, String)>,
}

/// Where the input that a target has now is kept, for the case that the process ends with it.
#[derive(Debug, Default)]
pub struct Witness {
    file: Option<File>,
    /// Inputs so far.
    pub count: AtomicU64,
}

impl Witness {
    /// Keeps the input in a file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn new(path: &Path) -> io::Result<Witness> {
        Ok(Witness { file: Some(File::create(path)?), count: AtomicU64::new(0) })
    }

    fn see(&self, bytes: &[u8]) -> io::Result<()> {
        self.count.fetch_add(1, Ordering::Relaxed);
        let Some(mut file) = self.file.as_ref() else { return Ok(()) };
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    }
}

/// Gives a target the files of its corpus, and then mutations of them up to the limit. Ends at the
/// first input that breaks a promise.
///
/// # Errors
/// When the witness cannot be written.
pub fn give(target: Target, seeds: &Seeds, seed: u64, limit: Limit, witness: &Witness) -> io::Result<Given> {
    let begun = Instant::now();
    let mut given = Given { inputs: 0, time: Duration::ZERO, finding: None };
    for (_, bytes) in &seeds.files {
        witness.see(bytes)?;
        given.inputs += 1;
        if let Some(words) = broken(target, bytes) {
            given.finding = Some((bytes.clone(), words));
            break;
        }
    }
    let name = target.name.bytes().fold(split_mix(seed), |mixed, byte| split_mix(mixed ^ u64::from(byte)));
    let mut mutator = Mutator::new(seeds, Random::new(name));
    let mut mutated = 0;
    while given.finding.is_none() {
        let is_enough = match limit {
            Limit::Inputs(most) => mutated >= most,
            Limit::Time(most) => mutated % BETWEEN_LOOKS == 0 && begun.elapsed() >= most,
        };
        if is_enough {
            break;
        }
        let bytes = mutator.next();
        witness.see(&bytes)?;
        mutated += 1;
        given.inputs += 1;
        given.finding = broken(target, &bytes).map(|words| (bytes, words));
    }
    given.time = begun.elapsed();
    Ok(given)
}

/// The words of the panic, if this input leads to one.
pub fn broken(target: Target, bytes: &[u8]) -> Option<String> {
    let panic = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).err()?;
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("a panic without words");
    let place = PLACE.lock().map_or_else(|_| String::new(), |place| place.clone());
    Some(format!("{place}: {}", text.chars().take(LONGEST_WORDS).collect::<String>()))
}

/// From now on, panics print nothing: their words are in what [`give`] and [`broken`] return, with their
/// place.
pub fn keep_quiet() {
    panic::set_hook(Box::new(|info| {
        if let (Ok(mut place), Some(found)) = (PLACE.lock(), info.location()) {
            *place = found.to_string();
        }
    }));
}
