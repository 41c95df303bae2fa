//! A training on disk, to the last bit: written now and then, and read to go on.

use std::io;

use serde::Deserialize;

use super::game::Standing;
use super::journal::{Journal, Point};
use super::plateau::LAST_LINE;
use super::round::GAMES;
use super::schedule::HeadGames;
use super::training::Training;
use crate::train::parts;
use maxout_engine::game::{Piece, Playfield, WIDTH};
use maxout_engine::judge::learned::{Dense, FEATURES, HIDDEN, LANES, OUTPUTS, QuickNet, SPAN_ROWS, SUMMED};
use maxout_formats::limited;

/// How a point of the curve begins in a journal.
const CURVE: &str = "[[curve]]\n";
/// What a checkpoint begins with, before the byte of the layout's version.
const MAGIC: [u8; 7] = *b"mxtdckp";
/// The layout of a net without spans. The first one has no journal; it is read, too.
const VERSION: u8 = 2;
const WITHOUT_JOURNAL: u8 = 1;
/// The layout of a net with spans: they come before the games.
const WITH_SPANS: u8 = 3;

/// Features, lanes and hidden numbers.
const SHAPE: [u64; 3] = [FEATURES as u64, LANES as u64, HIDDEN as u64];
/// Magic, version and shape.
const HEADER: usize = 8 + 3 * 8;
/// Numbers of the layers after the table.
const LAYERS: usize = SUMMED + SUMMED * HIDDEN + HIDDEN + OUTPUTS * HIDDEN + OUTPUTS;
/// Rows of a playfield, and the first of them.
const ROWS: usize = 22;
const FIRST_ROW: i8 = -2;
/// A game: its playfield, piece, lines and points.
const GAME: usize = ROWS * 2 + 1 + 4 + 8;
/// All between the journal and the checksum: two counters; of each head a counter, and the layers with
/// their two means; the table with two means and the visits of each row; the games.
const fn training_bytes(heads: usize) -> usize {
    2 * 8 + heads * (8 + 3 * LAYERS * 4) + FEATURES * (LANES + 2 + 1) * 4 + GAMES * GAME
}

/// The spans, with the mean and the visits of each row.
const SPAN_BYTES: usize = SPAN_ROWS * (OUTPUTS + 1 + 1) * 4;

/// Most bytes of a journal. A point of its curve has some 150 bytes: this is for 100,000 points.
const LONGEST_JOURNAL: usize = 16 * 1024 * 1024;
/// Most bytes of a checkpoint.
pub const LONGEST: u64 = (HEADER + 4 + LONGEST_JOURNAL + training_bytes(GAMES) + SPAN_BYTES + 4) as u64;

/// Why a training cannot go on from these bytes.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// They do not begin as one.
    #[error("it does not begin as a checkpoint of `maxout train td` does")]
    Magic,
    /// They are of another layout.
    #[error("it is of version {found}, expected {WITHOUT_JOURNAL} to {WITH_SPANS}")]
    Version {
        /// The version they claim.
        found: u8,
    },
    /// They are of a net with another shape.
    #[error(
        "its net has {} features, {} lanes and {} hidden numbers, expected {}, {} and {}",
        .found[0], .found[1], .found[2], .expected[0], .expected[1], .expected[2]
    )]
    Shape {
        /// Features, lanes and hidden numbers of the file.
        found: [u64; 3],
        /// Those of this version.
        expected: [u64; 3],
    },
    /// They end too soon, or too late.
    #[error("it has {found} bytes, expected {expected}: the file is not whole")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that a checkpoint has: those of the header where not even that is whole.
        expected: usize,
    },
    /// They were changed.
    #[error("its checksum is wrong: the file is damaged")]
    Checksum,
    /// They hold a journal that cannot be read.
    #[error("its journal cannot be read: {problem}")]
    Journal {
        /// Where, and what is wrong there.
        problem: String,
    },
    /// They hold something that no training has.
    #[error("it holds a game that cannot be")]
    Game,
}

/// The bytes of a training and its journal.
///
/// # Errors
/// When its curve has too many points for the checkpoint to be read again.
pub fn write(training: &Training, journal: &Journal) -> io::Result<Vec<u8>> {
    let journal = toml::to_string(journal).map_err(io::Error::other)?;
    if journal.len() > LONGEST_JOURNAL {
        let problem = "its curve has too many points: go on from the last checkpoint with a larger --report";
        return Err(io::Error::other(problem));
    }
    let learner = &training.learner;
    let heads = &learner.net.heads;
    let mut bytes = Vec::with_capacity(HEADER + 4 + journal.len() + training_bytes(heads.len()) + SPAN_BYTES + 4);
    bytes.extend(MAGIC);
    bytes.push(if learner.net.spans.is_empty() { VERSION } else { WITH_SPANS });
    for number in SHAPE {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((journal.len() as u32).to_le_bytes());
    bytes.extend(journal.as_bytes());
    for number in [training.seed, training.placed].iter().chain(&learner.batches) {
        bytes.extend(number.to_le_bytes());
    }
    let layers = heads.iter().map(|head| &head.dense).chain(&learner.mean).chain(&learner.square);
    let layers = layers.flat_map(Dense::numbers);
    let table = learner.net.table.iter().flat_map(|row| &row.0);
    for number in layers.chain(table).chain(learner.rows.iter().flatten()) {
        bytes.extend(number.to_le_bytes());
    }
    for visits in &learner.visits {
        bytes.extend(visits.to_le_bytes());
    }
    for number in learner.net.spans.iter().flatten().chain(&learner.span_squares) {
        bytes.extend(number.to_le_bytes());
    }
    for visits in &learner.span_visits {
        bytes.extend(visits.to_le_bytes());
    }
    for actor in &training.actors {
        let standing = actor.standing();
        for row in standing.playfield.all_rows() {
            bytes.extend(row.to_le_bytes());
        }
        bytes.extend([standing.piece.index() as u8]);
        bytes.extend(standing.lines.to_le_bytes());
        bytes.extend(standing.points.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    Ok(bytes)
}

/// Takes numbers off the front of bytes that are known to be long enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (front, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *front
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn fill<'n>(&mut self, numbers: impl Iterator<Item = &'n mut f32>) {
        for number in numbers {
            *number = f32::from_le_bytes(self.take());
        }
    }
}

/// Reads a training and its journal; the first layout had no journal.
///
/// # Errors
/// When they are of another version or shape, or damaged.
pub fn read(bytes: &[u8]) -> Result<(Training, Option<Journal>), Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Error::Magic);
    }
    let length = |expected: usize| {
        if bytes.len() < expected { Err(Error::Length { found: bytes.len(), expected }) } else { Ok(()) }
    };
    length(HEADER)?;
    let version = bytes[MAGIC.len()];
    if ![WITHOUT_JOURNAL, VERSION, WITH_SPANS].contains(&version) {
        return Err(Error::Version { found: version });
    }
    let mut reader = Reader(&bytes[MAGIC.len() + 1..]);
    let found = [reader.u64(), reader.u64(), reader.u64()];
    if found != SHAPE {
        return Err(Error::Shape { found, expected: SHAPE });
    }
    let has_spans = version == WITH_SPANS;
    let mut expected = HEADER + training_bytes(1) + if has_spans { SPAN_BYTES } else { 0 } + 4;
    let mut journal_length = 0;
    if version != WITHOUT_JOURNAL {
        length(HEADER + 4)?;
        journal_length = reader.u32() as usize;
        expected += 4 + journal_length;
    }
    // The journal says how many heads there are.
    if bytes.len() < expected {
        return Err(Error::Length { found: bytes.len(), expected });
    }
    let (body, checksum) = bytes.split_at(bytes.len() - 4);
    let is_sound = crc32fast::hash(body).to_le_bytes() == checksum;
    let of_heads = |heads| bytes.len() - expected == training_bytes(heads) - training_bytes(1);
    if !is_sound {
        let is_whole = (1..=GAMES).any(of_heads);
        return Err(if is_whole { Error::Checksum } else { Error::Length { found: bytes.len(), expected } });
    }
    let journal = if version != WITHOUT_JOURNAL {
        let (text, rest) = reader.0.split_at(journal_length);
        reader.0 = rest;
        Some(journal(text).map_err(|problem| Error::Journal { problem })?)
    } else {
        None
    };
    let heads = journal.as_ref().map_or(vec![HeadGames::PLATEAU], |journal| journal.schedule.heads.clone());
    if !of_heads(heads.len()) {
        let expected = expected + training_bytes(heads.len()) - training_bytes(1);
        return Err(Error::Length { found: bytes.len(), expected });
    }
    Ok((training(reader, &heads, has_spans)?, journal))
}

fn journal(text: &[u8]) -> Result<Journal, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let (head, points) = parts::split(text, CURVE, limited::SETTINGS)?;
    let mut journal: Journal = head.read()?;
    for part in points {
        let Curve { curve } = part?.read()?;
        journal.extend(curve);
    }
    journal.schedule.check()?;
    Ok(journal)
}

/// What a journal has many of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    curve: Vec<Point>,
}

fn training(mut reader: Reader, heads: &[HeadGames], has_spans: bool) -> Result<Training, Error> {
    let mut training = Training::begin(reader.u64(), heads);
    training.placed = reader.u64();
    let learner = &mut training.learner;
    learner.batches.fill_with(|| reader.u64());
    reader.fill(learner.net.heads.iter_mut().flat_map(|head| head.dense.numbers_mut()));
    reader.fill(learner.mean.iter_mut().flat_map(Dense::numbers_mut));
    reader.fill(learner.square.iter_mut().flat_map(Dense::numbers_mut));
    reader.fill(learner.net.table.iter_mut().flat_map(|row| &mut row.0));
    reader.fill(learner.rows.iter_mut().flatten());
    for visits in &mut learner.visits {
        *visits = reader.u32();
    }
    if has_spans {
        learner.add_spans();
        reader.fill(learner.net.spans.iter_mut().flatten());
        reader.fill(learner.span_squares.iter_mut());
        for visits in &mut learner.span_visits {
            *visits = reader.u32();
        }
    }
    learner.quick = QuickNet::of(&learner.net);
    for actor in &mut training.actors {
        let mut playfield = Playfield::EMPTY;
        for row in 0..ROWS as i8 {
            let bits = u16::from_le_bytes(reader.take());
            if bits >> WIDTH != 0 {
                return Err(Error::Game);
            }
            playfield.set_row(FIRST_ROW + row, bits);
        }
        let [piece] = reader.take();
        let piece = *Piece::ALL.get(usize::from(piece)).ok_or(Error::Game)?;
        let lines = reader.u32();
        // A new game has begun there.
        if lines >= LAST_LINE {
            return Err(Error::Game);
        }
        let points = f64::from_le_bytes(reader.take());
        actor.put(Standing { playfield, piece, lines, points });
    }
    Ok(training)
}

#[cfg(test)]
mod tests {
    use super::super::{GameTotals, Schedule};
    use super::*;

    /// The same training as the first layout had it.
    fn without_journal(bytes: &[u8]) -> Vec<u8> {
        let length = u32::from_le_bytes(bytes[HEADER..HEADER + 4].try_into().unwrap()) as usize;
        let mut old = bytes[..HEADER].to_vec();
        old[MAGIC.len()] = WITHOUT_JOURNAL;
        old.extend(&bytes[HEADER + 4 + length..bytes.len() - 4]);
        old.extend(crc32fast::hash(&old).to_le_bytes());
        old
    }

    #[test]
    fn a_curve_that_could_not_be_read_again_is_not_written() {
        let mut journal = Journal::begin(Schedule::learned());
        journal
            .extend(vec![Point { placed: 1, seconds: 1.0, tally: GameTotals::default(), heads: Vec::new() }; 200_000]);
        let error = write(&Training::begin(3, &[HeadGames::PLATEAU]), &journal).unwrap_err().to_string();
        assert!(error.starts_with("its curve has too many points"), "{error}");
    }

    #[test]
    fn a_training_with_spans_goes_on_exactly_as_the_unbroken_one() {
        let mut schedule = Schedule::learned();
        schedule.phases.truncate(1);
        schedule.phases[0].spans = 100.0;
        let journal = Journal::begin(schedule.clone());
        let mut unbroken = Training::begin(3, &[HeadGames::PLATEAU]);
        unbroken.learner.add_spans();
        unbroken.round(&schedule, 2).unwrap();
        let bytes = write(&unbroken, &journal).unwrap();
        let (mut broken, found) = read(&bytes).unwrap();
        assert_eq!(found.as_ref(), Some(&journal));
        assert!(write(&broken, &journal).unwrap() == bytes);
        for training in [&mut unbroken, &mut broken] {
            training.round(&schedule, 2).unwrap();
        }
        assert!(write(&unbroken, &journal).unwrap() == write(&broken, &journal).unwrap());
        assert!(broken.learner.net.spans.iter().flatten().any(|&number| number != 0.0));
    }

    #[test]
    fn a_training_that_was_written_down_goes_on_exactly_as_the_unbroken_one() {
        let schedule = Schedule::learned();
        let mut unbroken = Training::begin(3, &[HeadGames::PLATEAU]);
        let mut journal = Journal::begin(schedule.clone());
        for _ in 0..2 {
            let tally = unbroken.round(&schedule, 1).unwrap();
            journal.record(&tally, unbroken.placed, 0.1 + journal.seconds, 1000);
        }
        let bytes = write(&unbroken, &journal).unwrap();
        let (mut broken, found) = read(&bytes).unwrap();
        assert_eq!(found.as_ref(), Some(&journal));
        assert!(write(&broken, &journal).unwrap() == bytes);
        let (mut old, none) = read(&without_journal(&bytes)).unwrap();
        assert_eq!(none, None);
        for training in [&mut unbroken, &mut broken, &mut old] {
            training.round(&schedule, 2).unwrap();
        }
        let bytes = write(&unbroken, &journal).unwrap();
        assert!(write(&broken, &journal).unwrap() == bytes && write(&old, &journal).unwrap() == bytes);

        let wrong = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            let error = read(&bytes).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
            error
        };
        assert!(wrong(&|bytes| bytes[0] = b'x').contains("does not begin as a checkpoint"));
        assert!(wrong(&|bytes| bytes[7] = 4).contains("version 4, expected 1 to 3"));
        assert!(wrong(&|bytes| bytes[7] = 3).contains("not whole"));
        assert!(wrong(&|bytes| bytes[16] = 95).contains("95 lanes and 64 hidden numbers, expected"));
        assert!(wrong(&|bytes| bytes.truncate(20)).contains("it has 20 bytes, expected 32"));
        assert!(wrong(&|bytes| bytes.truncate(34)).contains("it has 34 bytes, expected 36"));
        assert!(wrong(&|bytes| bytes.truncate(5_000_000)).contains("it has 5000000 bytes, expected"));
        assert!(wrong(&|bytes| bytes.push(0)).contains("not whole"));
        assert!(wrong(&|bytes| bytes[33] = 255).contains("not whole"));
        assert!(wrong(&|bytes| bytes[5_000_000] ^= 1).contains("checksum is wrong"));
    }

    #[test]
    fn a_game_that_cannot_be_is_refused() {
        let bytes = write(&Training::begin(3, &[HeadGames::PLATEAU]), &Journal::begin(Schedule::learned())).unwrap();
        let first = bytes.len() - 4 - GAMES * GAME;
        let piece = first + ROWS * 2;
        let with = |at: usize, new: &[u8]| {
            let mut bytes = bytes[..bytes.len() - 4].to_vec();
            bytes[at..at + new.len()].copy_from_slice(new);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            read(&bytes).map(|(training, _)| training.actors[0].standing().lines).map_err(|error| error.to_string())
        };
        let refused = Err("it holds a game that cannot be".to_owned());
        assert_eq!(with(first, &[0, 4]), refused, "a row of eleven cells");
        assert_eq!(with(piece, &[7]), refused);
        assert_eq!(with(piece + 1, &229_u32.to_le_bytes()), Ok(229));
        for lines in [230, u32::MAX] {
            assert_eq!(with(piece + 1, &lines.to_le_bytes()), refused);
        }
    }
}
