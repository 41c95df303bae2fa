//! A training on disk, to the last bit: written now and then, and read to go on.

use super::game::Standing;
use super::{GAMES, Training};
use crate::game::{Piece, Playfield};
use crate::value::{FEATURES, HIDDEN, LANES, QuickNet};

/// What a checkpoint begins with; the last byte is the layout's version.
const MAGIC: [u8; 8] = *b"mxtdckp\x01";

/// Why bytes are no checkpoint that can be gone on from.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// They do not begin as one.
    #[error("it does not begin as a checkpoint of this version")]
    Magic,
    /// They are of a net with another shape.
    #[error("its net has the shape {found:?}, expected {expected:?}")]
    Shape {
        /// Features, lanes and hidden numbers of the file.
        found: [u64; 3],
        /// Those of this version.
        expected: [u64; 3],
    },
    /// They end too soon, or too late.
    #[error("it has {found} bytes, expected {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that a checkpoint has.
        expected: usize,
    },
    /// They were changed.
    #[error("its checksum is wrong: the file is damaged")]
    Checksum,
    /// They hold something that no training has.
    #[error("it holds a game that cannot be")]
    Game,
}

const SHAPE: [u64; 3] = [FEATURES as u64, LANES as u64, HIDDEN as u64];

/// The bytes of a training.
pub fn write(training: &Training) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FEATURES * (LANES * 4 + 12) + 1_000_000);
    bytes.extend(MAGIC);
    let numbers = [training.seed, training.placed, training.learner.batches];
    for number in SHAPE.iter().chain(&numbers) {
        bytes.extend(number.to_le_bytes());
    }
    let learner = &training.learner;
    let layers = learner.net.dense.numbers().chain(learner.mean.numbers()).chain(learner.square.numbers());
    let table = learner.net.table.iter().flat_map(|row| &row.0);
    for number in layers.chain(table).chain(learner.rows.iter().flatten()) {
        bytes.extend(number.to_le_bytes());
    }
    for visits in &learner.visits {
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
    bytes
}

/// Takes numbers off the front of bytes that are known to be long enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (front, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *front
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

/// The training whose bytes these are.
///
/// # Errors
/// When they are of another version or shape, or damaged.
pub fn read(bytes: &[u8]) -> Result<Training, Error> {
    if !bytes.starts_with(&MAGIC) || bytes.len() < MAGIC.len() + 24 {
        return Err(Error::Magic);
    }
    let mut reader = Reader(&bytes[MAGIC.len()..]);
    let found = [reader.u64(), reader.u64(), reader.u64()];
    if found != SHAPE {
        return Err(Error::Shape { found, expected: SHAPE });
    }
    let mut training = Training::begin(0);
    let expected = write(&training).len();
    if bytes.len() != expected {
        return Err(Error::Length { found: bytes.len(), expected });
    }
    let (body, checksum) = bytes.split_at(expected - 4);
    if crc32fast::hash(body).to_le_bytes() != checksum {
        return Err(Error::Checksum);
    }
    training = Training::begin(reader.u64());
    training.placed = reader.u64();
    let learner = &mut training.learner;
    learner.batches = reader.u64();
    reader.fill(learner.net.dense.numbers_mut());
    reader.fill(learner.mean.numbers_mut());
    reader.fill(learner.square.numbers_mut());
    reader.fill(learner.net.table.iter_mut().flat_map(|row| &mut row.0));
    reader.fill(learner.rows.iter_mut().flatten());
    for visits in &mut learner.visits {
        *visits = u32::from_le_bytes(reader.take());
    }
    learner.quick = QuickNet::of(&learner.net);
    debug_assert_eq!(training.actors.len(), GAMES);
    for actor in &mut training.actors {
        let mut playfield = Playfield::EMPTY;
        for row in -2..20 {
            playfield.set_row(row, u16::from_le_bytes(reader.take()));
        }
        let [piece] = reader.take();
        let piece = *Piece::ALL.get(usize::from(piece)).ok_or(Error::Game)?;
        let lines = u32::from_le_bytes(reader.take());
        let points = f64::from_le_bytes(reader.take());
        actor.put(Standing { playfield, piece, lines, points });
    }
    Ok(training)
}
