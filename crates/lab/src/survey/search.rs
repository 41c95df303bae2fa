//! Elimination: which addresses agree with the rules model in every frame of the tour.

use std::ops::Range;

use serde::Serialize;

use super::lockstep::Observations;
use maxout_engine::ram::{Entry, RAM_SIZE};

/// How many addresses were left after a section that ruled some out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Elimination {
    /// What was done and expected.
    pub experiment: &'static str,
    /// Addresses left.
    pub left: usize,
}

/// What elimination leaves of an entry.
#[derive(Debug, Clone, Default)]
pub(super) struct Survivors {
    /// First addresses, ascending.
    pub addresses: Vec<u16>,
    /// How many were left, section by section.
    pub trail: Vec<Elimination>,
}

/// A byte that differs from the rules model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// Frame of the observations.
    pub frame: usize,
    /// The console's address.
    pub address: u16,
}

/// The first frame in which the console's bytes from `address` on are not the entry's.
pub(super) fn contradiction(
    observations: &Observations,
    entry: &Entry,
    address: u16,
    frames: Range<usize>,
) -> Option<Contradiction> {
    for frame in frames {
        for byte in 0..entry.size {
            let Some(expected) = observations.expected(frame, entry.address + byte) else { continue };
            let found = observations.found(frame, address + byte);
            if found != expected {
                return Some(Contradiction { frame, address: address + byte });
            }
        }
    }
    None
}

/// Every address of RAM that agrees with the model's entry in all sections.
pub(super) fn survivors(observations: &Observations, entry: &Entry) -> Survivors {
    let mut survivors = Survivors { addresses: (0..=RAM_SIZE as u16 - entry.size).collect(), trail: Vec::new() };
    for section in &observations.sections {
        let before = survivors.addresses.len();
        for frame in section.first..section.end {
            let ram = &observations.frames[frame].rom;
            for byte in 0..entry.size {
                let Some(expected) = observations.expected(frame, entry.address + byte) else { continue };
                survivors.addresses.retain(|&address| ram[usize::from(address + byte)] == expected);
            }
        }
        let left = survivors.addresses.len();
        if left < before {
            survivors.trail.push(Elimination { experiment: section.title, left });
        }
    }
    survivors
}
