//! Proves a RAM map against a ROM, in three layers: static, behavioural, agreement.

use super::agreement::{self, Pair};
use super::error::Error;
use super::lockstep::{Lockstep, Observations, Section};
use super::program::Program;
use super::relations::{self, PREMISES, RELATIONS, Relation};
use super::resolve::{Resolution, Resolved, resolve};
use super::search::contradiction;
use super::tables;
use super::validation::{Check, CheckResult, Layer, Validation};
use maxout_engine::console::Console;
use maxout_engine::ram::{Entry, RamMap};

/// Why an address among several is neither right nor wrong.
const UNDECIDED: &str = "no experiment tells them apart";

/// Values of a byte that evidence lists. Chosen by hand, not measured.
const SHOWN: usize = 6;

/// How long to compare the model with the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Frames of bot play beside the model.
    pub frames: u64,
    /// Seed of the bot's game.
    pub seed: u64,
}

impl Default for Settings {
    /// 20,000 frames: about the length of one of the bot's games (10,000 to 24,000 frames).
    fn default() -> Settings {
        Settings { frames: 20_000, seed: 1 }
    }
}

/// Proves a map on a console that has just been switched on with this program in it.
///
/// `progress` is called with the name of the current part and the frames played in it.
///
/// If the game does not follow the rules at all, one failed row says so, and there is no row for the
/// map.
///
/// # Errors
/// When the console fails.
pub fn validate(
    program: &Program<'_>,
    console: &mut dyn Console,
    map: &RamMap,
    settings: Settings,
    mut progress: impl FnMut(&'static str, u64),
) -> Result<Validation, Error> {
    let power_on = console.save_state()?;
    let mut played = 0;
    let tick = |frames| {
        played = frames;
        progress("experiments", frames);
    };
    let experiments = match Experiments::run(program.prg, console, tick) {
        Ok(experiments) => experiments,
        Err(error @ Error::OutOfStep { .. }) => {
            // The static layer may show why.
            let mut rows = tables::check(program);
            rows.push(out_of_step(&error));
            return Ok(report(program, map, rows, played, 0));
        }
        Err(error) => return Err(error),
    };
    console.restore_state(&power_on)?;
    experiments.validate(program, console, map, settings, |frames| progress("agreement", frames))
}

/// The experiments on one console. Any number of maps can be judged by them.
pub struct Experiments {
    pub(super) resolution: Resolution,
    pub(super) observations: Observations,
}

impl Experiments {
    /// Makes the experiments on a console that has just been switched on with the ROM whose program
    /// is `prg`. `progress` is called with the number of frames played so far.
    ///
    /// # Errors
    /// When the console fails, or the game does not keep step with the rules.
    pub fn run(prg: &[u8], console: &mut dyn Console, mut progress: impl FnMut(u64)) -> Result<Experiments, Error> {
        let mut lockstep = Lockstep::new(console, &mut progress);
        let resolution = resolve(&mut lockstep, prg)?;
        Ok(Experiments { resolution, observations: lockstep.observations })
    }

    /// The behavioural checks of a map: one for each entry and one for each rule between entries.
    pub fn judge(&self, map: &RamMap) -> Vec<Check> {
        let (resolution, observations) = (&self.resolution, &self.observations);
        let mut rows: Vec<Check> =
            map.entries().iter().map(|entry| behaviour(entry, resolution, observations)).collect();
        let passed = rows.iter().filter(|row| row.verdict == CheckResult::Ok);
        let held: Vec<String> = passed.map(|row| row.name.clone()).collect();
        // Entries that a rule only depends on are read at their right address, even if the map is wrong.
        let proved = map.relocated(&map.name, |entry| {
            Some(resolution.entry(&entry.name).and_then(Resolved::address).unwrap_or(entry.address))
        });
        rows.extend(RELATIONS.iter().map(|relation| related(relation, &held, &proved, observations)));
        rows
    }

    /// All three layers of a map, as [`validate`] has them. The console has just been switched on with the program of
    /// the experiments in it. `progress` is called with the frames of the third layer.
    ///
    /// # Errors
    /// When the console fails.
    pub fn validate(
        &self,
        program: &Program<'_>,
        console: &mut dyn Console,
        map: &RamMap,
        settings: Settings,
        progress: impl FnMut(u64),
    ) -> Result<Validation, Error> {
        let mut rows = tables::check(program);
        rows.extend(self.judge(map));
        let rules = RamMap::tetris_ntsc();
        let entries = map.entries().iter();
        let pairs: Vec<Pair<'_>> =
            entries.filter_map(|checked| Some(Pair { checked, rules: rules.entry(&checked.name)? })).collect();
        let playfield = self.observations.claims.playfield.expect("experiments that were finished include it");
        let (checks, compared) =
            agreement::check(console, &pairs, playfield, settings.seed, settings.frames, progress)?;
        rows.extend(checks);
        Ok(report(program, map, rows, self.observations.frames.len() as u64, compared))
    }
}

fn report(
    program: &Program<'_>,
    map: &RamMap,
    rows: Vec<Check>,
    tour_frames: u64,
    agreement_frames: u64,
) -> Validation {
    Validation { rom: program.name.to_owned(), map: map.name.clone(), tour_frames, agreement_frames, rows }
}

fn out_of_step(error: &Error) -> Check {
    Check {
        name: "the game".to_owned(),
        address: None,
        layer: Layer::Behavioural,
        verdict: CheckResult::Failed,
        evidence: error.to_string(),
        suggestion: None,
    }
}

fn behaviour(entry: &Entry, resolution: &Resolution, observations: &Observations) -> Check {
    let mut row = Check {
        name: entry.name.clone(),
        address: Some(entry.address),
        layer: Layer::Behavioural,
        verdict: CheckResult::Failed,
        evidence: String::new(),
        suggestion: None,
    };
    let Some(resolved) = resolution.entry(&entry.name) else {
        row.verdict = CheckResult::Unknown;
        row.evidence = "no rule is known for this name".to_owned();
        return row;
    };
    let known = &resolved.entry;
    if (entry.size, entry.encoding) != (known.size, known.encoding) {
        row.suggestion = resolved.address();
        row.evidence = format!(
            "expected {} bytes, {:?}; the map says {}, {:?}",
            known.size, known.encoding, entry.size, entry.encoding
        );
    } else if resolved.address() == Some(entry.address) {
        row.verdict = CheckResult::Ok;
        row.evidence = proof(resolved, observations);
    } else if resolved.candidates.contains(&entry.address) {
        row.verdict = CheckResult::Unknown;
        row.evidence = format!("shows what it must, and so do {}: {}", others(resolved), UNDECIDED);
    } else {
        row.suggestion = resolved.address();
        row.evidence = refutation(resolved, entry, observations);
    }
    row
}

/// The other addresses that are left.
fn others(resolved: &Resolved) -> String {
    match resolved.candidates.len() - 1 {
        1 => "one other address".to_owned(),
        others => format!("{others} other addresses"),
    }
}

/// Evidence that an address is right.
fn proof(resolved: &Resolved, observations: &Observations) -> String {
    let entry = &resolved.entry;
    let at = resolved.address().unwrap_or(entry.address);
    let change = |section: &Section| {
        let lively = (0..entry.size).max_by_key(|&byte| {
            (values(section, |frame| observations.expected(frame, entry.address + byte)).len(), entry.size - byte)
        });
        let byte = lively.unwrap_or(0);
        (byte, values(section, |frame| observations.expected(frame, entry.address + byte)))
    };
    let liveliest = observations
        .sections
        .iter()
        .map(|section| (section, change(section)))
        .filter(|(_, (_, values))| values.len() > 1)
        // First enough different values, then the most changes per frame, in whole numbers.
        .max_by_key(|(section, (_, values))| {
            (values.len().min(SHOWN), values.len() * 100_000 / (section.end - section.first))
        });
    let seen = liveliest.map(|(section, (byte, _))| {
        let seen = values(section, |frame| Some(observations.found(frame, at + byte)));
        let of = if entry.size > 1 { format!(" ${:04X}", at + byte) } else { String::new() };
        format!("{}:{of} {}; ", short(section.title), list(&seen))
    });
    let last = resolved.trail.last().map_or("nothing", |last| short(last.experiment));
    format!("{}no other address is left after: {last}", seen.unwrap_or_default())
}

/// Evidence that an address is wrong.
fn refutation(resolved: &Resolved, entry: &Entry, observations: &Observations) -> String {
    let rules = &resolved.entry;
    for section in &observations.sections {
        let Some(found) = contradiction(observations, rules, entry.address, section.first..section.end) else {
            continue;
        };
        let expected_at = rules.address + (found.address - entry.address);
        let rest = Section { first: found.frame, ..*section };
        let expected = values(&rest, |frame| observations.expected(frame, expected_at));
        let seen = values(&rest, |frame| Some(observations.found(frame, found.address)));
        return format!(
            "{}: from frame {} expected {} at ${:04X}, saw {}",
            short(section.title),
            found.frame,
            list(&expected),
            found.address,
            list(&seen)
        );
    }
    let last = resolved.trail.last().map_or("", |last| last.experiment);
    format!("shows the same values, but is a copy that the game does not read; ruled out by: {last}")
}

/// The values in a section, each run of equal ones once.
fn values(section: &Section, value: impl Fn(usize) -> Option<u8>) -> Vec<u8> {
    let mut values: Vec<u8> = (section.first..section.end).filter_map(value).collect();
    values.dedup();
    values
}

fn list(values: &[u8]) -> String {
    let shown: Vec<_> = values.iter().take(SHOWN).map(|value| format!("{value:02X}")).collect();
    shown.join(" ") + if values.len() > SHOWN { " ..." } else { "" }
}

/// The first words of an experiment.
fn short(title: &str) -> &str {
    title.split([':', ';']).next().unwrap_or(title)
}

fn related(relation: &Relation, held: &[String], map: &RamMap, observations: &Observations) -> Check {
    let presupposed = |name: &str| PREMISES.contains(&name) && map.entry(name).is_some();
    let missing = relation
        .entries
        .iter()
        .chain(&PREMISES)
        .find(|name| !held.iter().any(|held| held == *name) && !presupposed(name));
    let (verdict, evidence) = match missing {
        Some(name) => (CheckResult::Unknown, format!("not checked, because {name} is not proved: {}", relation.rule)),
        None => match relations::check(relation, observations, map) {
            Ok(0) => (CheckResult::Failed, format!("no frame to check it in: {}", relation.rule)),
            Ok(times) => (CheckResult::Ok, format!("{times} times: {}", relation.rule)),
            Err(frame) => (CheckResult::Failed, format!("frame {frame} contradicts: {}", relation.rule)),
        },
    };
    let name = relation.entries[0];
    Check {
        name: name.to_owned(),
        address: map.entry(name).map(|entry| entry.address),
        layer: Layer::Behavioural,
        verdict,
        evidence,
        suggestion: None,
    }
}

#[cfg(test)]
mod tests;
