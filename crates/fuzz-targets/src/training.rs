//! Checkpoints of both trainings.

use maxout_lab::train::pso::{self, Convergence, Dynamics, SwarmStart};
use maxout_lab::train::td::{self, Journal, Schedule};

use crate::check;
use crate::patches::patch_in_place;

/// The settings of the swarm whose checkpoints are in the corpus.
pub(crate) fn swarm() -> (pso::checkpoint::Described, pso::Settings) {
    let settings = pso::Settings {
        seed: 5,
        particles: 4,
        start: vec![0.1, -1.0 / 3.0],
        first: SwarmStart::Start,
        again: SwarmStart::Random,
        spread: 0.3,
        dynamics: Dynamics::in_box(1.0),
        convergence: Convergence::default(),
    };
    let described = [("seed", "5"), ("particles", "4")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    (described.into(), settings)
}

/// A checkpoint of a particle swarm.
pub(crate) fn pso_checkpoint(bytes: &[u8]) {
    let (described, settings) = swarm();
    let path = check::file("toml", bytes);
    let Some(mut training) = check::read(pso::checkpoint::load(&path, &described, &settings)) else {
        return;
    };
    let again = |training: &pso::Training| {
        pso::checkpoint::save(&path, &described, training).expect("a checkpoint can be written");
        pso::checkpoint::load(&path, &described, &settings).expect("a checkpoint that was written can be read")
    };
    assert!(again(&training) == training, "the same training");
    // It goes on.
    let fitness: Vec<f64> = training.positions().map(|position| position[0]).collect();
    training.tell(&settings, &fitness);
    assert!(again(&training) == training, "the same training after an iteration");
}

/// Magic, version and shape; the length of the journal follows.
const HEADER: usize = 8 + 3 * 8;
/// Between the journal and the patches.
const BETWEEN: u8 = 0;

fn written(training: &td::Training, journal: &Journal) -> Vec<u8> {
    td::checkpoint::write(training, journal).expect("the journal is short")
}

/// A checkpoint of the learned player's training: as it is if it begins like one, else a journal as
/// TOML, a zero byte, and patches of a checkpoint whose lengths and checksum are made right.
pub(crate) fn td_checkpoint(bytes: &[u8]) {
    thread_local! {
        static BASE: Vec<u8> = written(&td::Training::begin(1, &[td::HeadGames::PLATEAU]), &Journal::begin(Schedule::learned()));
    }
    let file = if bytes.starts_with(b"mxtdckp") { bytes.to_vec() } else { BASE.with(|base| changed(base, bytes)) };
    let Some((training, journal)) = check::read(td::checkpoint::read(&file)) else { return };
    let journal = journal.unwrap_or_else(|| Journal::begin(Schedule::learned()));
    let written = written(&training, &journal);
    drop(training);
    // All but the checksum, behind the journal: its text may be another one with the same meaning.
    assert!(after_journal(&written) == after_journal(&file), "the same training");
    // Reading the whole checkpoint again for a journal would be slow.
    let journal = |file: &[u8]| -> Journal {
        let journal = &file[HEADER + 4..HEADER + 4 + journal_length(file)];
        toml::from_str(&String::from_utf8_lossy(journal)).expect("a journal")
    };
    assert!(journal(&written) == journal(&file), "the same journal");
}

/// What follows the journal of a whole file, but for the checksum.
fn after_journal(file: &[u8]) -> &[u8] {
    &file[HEADER + 4 + journal_length(file)..file.len() - 4]
}

/// The length of the journal of a whole file.
fn journal_length(file: &[u8]) -> usize {
    u32::from_le_bytes(file[HEADER..HEADER + 4].try_into().expect("four bytes")) as usize
}

fn changed(base: &[u8], bytes: &[u8]) -> Vec<u8> {
    let at = bytes.iter().position(|&byte| byte == BETWEEN).unwrap_or(bytes.len());
    let (journal, patches) = (&bytes[..at], bytes.get(at + 1..).unwrap_or_default());
    let (head, rest) = base.split_at(HEADER);
    let length = journal_length(base);
    // A checkpoint is large: its memory is taken once.
    let mut file = Vec::with_capacity(base.len() + journal.len());
    file.extend(head);
    file.extend((journal.len() as u32).to_le_bytes());
    file.extend(journal);
    let training = file.len();
    file.extend(&rest[4 + length..rest.len() - 4]);
    patch_in_place(&mut file[training..], patches);
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file
}
