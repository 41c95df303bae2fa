//! Finds the RAM map of a ROM without knowing any of its addresses.

use serde::Serialize;

use super::error::Error;
use super::lockstep::Lockstep;
use super::resolve::{BY_PLACE, resolve};
use super::search::Elimination;
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
pub fn discover(prg: &[u8], console: &mut dyn Console, mut progress: impl FnMut(u64)) -> Result<Discovery, Error> {
    let mut lockstep = Lockstep::new(console, &mut progress);
    let resolution = resolve(&mut lockstep, prg)?;
    let findings = resolution.entries().iter().map(|resolved| EntryCandidates {
        name: resolved.entry.name.clone(),
        address: resolved.address(),
        size: resolved.entry.size,
        candidates: resolved.candidates.clone(),
        trail: resolved.trail.clone(),
    });
    Ok(Discovery { findings: findings.collect(), frames: lockstep.observations.frames.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_not_found_are_comments_with_the_reason() {
        let finding = |entry: &maxout_engine::ram::Entry| {
            let candidates = match entry.name.as_str() {
                "numberOfPlayers" => vec![0xBE, 0xED],
                "scratch" => (0..9).collect(),
                "activePlayer" => Vec::new(),
                _ => vec![entry.address],
            };
            let address = if let [address] = candidates[..] { Some(address) } else { None };
            let experiment = if entry.name == "rng" { BY_PLACE } else { "the last experiment" };
            let trail = vec![Elimination { experiment, left: candidates.len() }];
            EntryCandidates { name: entry.name.clone(), address, size: entry.size, candidates, trail }
        };
        let built_in = RamMap::tetris_ntsc();
        let discovery = Discovery { findings: built_in.entries().iter().map(finding).collect(), frames: 1 };
        let text = discovery.toml("found");
        assert_eq!(RamMap::from_toml(&text).expect("a map"), discovery.map("found"));
        assert!(text.contains("# no experiment tells 2 addresses apart: $00BE, $00ED\n"), "{text}");
        assert!(
            text.contains("# no experiment tells 9 addresses apart: $0000, $0001, $0002, $0003, $0004, $0005, ...")
        );
        assert!(text.contains("# activePlayer (1 byte: "), "{text}");
        assert!(text.contains("# rng was decided by its place alone: of equal bytes the one between "), "{text}");
        assert_eq!(text.matches("decided by its place").count(), 1);
        assert!(text.contains("is not in this map:\n# no address is left after: the last experiment\n"), "{text}");
        assert_eq!(text.matches("is not in this map").count(), 3);
    }
}
