//! Finds the RAM map of a ROM without knowing any of its addresses.

use serde::Serialize;

use super::error::Error;
use super::resolve::BY_PLACE;
use super::search::Elimination;
use super::validate::Experiments;
use maxout_engine::console::Console;
use maxout_engine::ram::RamMap;

/// Addresses that the reason for a missing entry lists. Chosen by hand, not measured.
const SHOWN: usize = 6;

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

impl EntryCandidates {
    /// Why there is no address; `None` if there is one.
    pub fn why_missing(&self) -> Option<String> {
        let last = self.trail.last().map_or("power-on", |last| last.experiment);
        match (self.address, &self.candidates[..]) {
            (Some(_), _) => None,
            (None, []) => Some(format!("no address is left after: {last}")),
            (None, several) => {
                let shown: Vec<_> = several.iter().take(SHOWN).map(|address| format!("${address:04X}")).collect();
                let more = if several.len() > SHOWN { ", ..." } else { "" };
                let count = several.len();
                Some(format!("no experiment tells {count} addresses apart: {}{more}", shown.join(", ")))
            }
        }
    }
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
    /// What experiments have found.
    pub fn of(experiments: &Experiments) -> Discovery {
        let findings = experiments.resolution.entries().iter().map(|resolved| EntryCandidates {
            name: resolved.entry.name.clone(),
            address: resolved.address(),
            size: resolved.entry.size,
            candidates: resolved.candidates.clone(),
            trail: resolved.trail.clone(),
        });
        Discovery { findings: findings.collect(), frames: experiments.observations.frames.len() as u64 }
    }

    /// Is every entry found?
    pub fn is_complete(&self) -> bool {
        self.findings.iter().all(|finding| finding.address.is_some())
    }

    /// The found entries as the text of a map file. Comments name those that only their place decided,
    /// and those that were not found, with the reason.
    pub fn toml(&self, name: &str) -> String {
        let built_in = RamMap::tetris_ntsc();
        let mut text = self.map(name).to_toml();
        let by_place = |finding: &&EntryCandidates| {
            finding.address.is_some() && finding.trail.last().is_some_and(|last| last.experiment == BY_PLACE)
        };
        for finding in self.findings.iter().filter(by_place) {
            text += &format!("\n# {} was decided by its place alone: {BY_PLACE}\n", finding.name);
        }
        let missing = self.findings.iter().filter_map(|finding| Some((finding, finding.why_missing()?)));
        for (EntryCandidates { name, size, .. }, why) in missing {
            let meaning = built_in.entry(name).map_or("", |entry| &entry.meaning);
            let bytes = if *size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
            text += &format!("\n# {name} ({bytes}: {meaning}) is not in this map:\n# {why}\n");
        }
        text
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
pub fn discover(prg: &[u8], console: &mut dyn Console, progress: impl FnMut(u64)) -> Result<Discovery, Error> {
    Ok(Discovery::of(&Experiments::run(prg, console, progress)?))
}
