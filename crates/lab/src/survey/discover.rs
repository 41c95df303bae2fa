//! Finds the RAM map of a ROM without knowing any of its addresses.

use serde::Serialize;

use super::error::Error;
use super::lockstep::Lockstep;
use super::resolve::resolve;
use super::search::Elimination;
use maxout_engine::console::Console;
use maxout_engine::ram::RamMap;

/// The addresses that an entry may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryCandidates {
    /// The entry's name.
    pub name: String,
    /// Its address, if one is left.
    pub address: Option<u16>,
    /// Bytes.
    pub size: u16,
    /// All addresses that are left. Only a single one is a result.
    pub candidates: Vec<u16>,
    /// How the other addresses were ruled out.
    pub trail: Vec<Elimination>,
}

/// The result of a discovery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Discovery {
    /// One for each entry of the built-in map, in its order.
    pub findings: Vec<EntryCandidates>,
    /// Frames of the tour.
    pub frames: u64,
}

impl Discovery {
    /// Is every entry found?
    pub fn is_complete(&self) -> bool {
        self.findings.iter().all(|finding| finding.address.is_some())
    }

    /// The found entries as a map.
    pub fn map(&self, name: &str) -> RamMap {
        let address = |name: &str| self.findings.iter().find(|finding| finding.name == name)?.address;
        RamMap::tetris_ntsc().relocated(name, |entry| address(&entry.name))
    }
}

/// Finds the addresses of everything that the built-in map names. `console` has just been switched
/// on with the ROM whose program is `prg`. No address of the built-in map is used on the console: it
/// gets the same buttons as the rules model, and bytes that do not agree with the model are ruled
/// out.
///
/// `progress` is called with the number of frames played so far.
///
/// # Errors
/// When the console fails, or the game does not keep step with the rules.
pub fn discover(prg: &[u8], console: &mut dyn Console, mut progress: impl FnMut(u64)) -> Result<Discovery, Error> {
    let mut pair = Lockstep::new(console, &mut progress);
    let resolution = resolve(&mut pair, prg)?;
    let findings = resolution.entries().iter().map(|resolved| EntryCandidates {
        name: resolved.entry.name.clone(),
        address: resolved.address(),
        size: resolved.entry.size,
        candidates: resolved.candidates.clone(),
        trail: resolved.trail.clone(),
    });
    Ok(Discovery { findings: findings.collect(), frames: pair.observations.frames.len() as u64 })
}
