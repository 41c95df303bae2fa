//! A search on disk, to the last bit: written now and then, and read to go on.

use super::beam::{Node, Search, Settings, packed, unpacked};
use super::ending::Ending;
use super::sealed::{self, CheckpointError};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::scoring::{Progress, Score};
use maxout_engine::game::{Generator, Piece};
use maxout_engine::tas::{Landing, Page, Quiet, Spawned};

/// Bytes of a node and of a game with its key.
const NODE: usize = 4 + 2 + 2 + 1;
const GAME: usize = 4 * 8 + 3 + 2 + 4 + 1 + 3 + 3 + 4;
/// Most bytes of a checkpoint that is read.
pub const LONGEST: u64 = 16 * 1024 * 1024 * 1024;

/// The settings as a text.
fn text_of(settings: &Settings) -> String {
    format!("{settings:?}")
}

/// The bytes of a search.
pub fn write(search: &Search) -> Vec<u8> {
    let nodes: usize = search.trail.iter().map(Vec::len).sum();
    let mut bytes = sealed::header(sealed::LAYERS, &text_of(&search.settings));
    bytes.reserve_exact(64 + search.trail.len() * 4 + nodes * NODE + search.games.len() * GAME);
    match search.best {
        None => bytes.extend(u32::MAX.to_le_bytes()),
        Some((frame, layers, node)) => {
            bytes.extend(frame.to_le_bytes());
            bytes.extend((layers as u32).to_le_bytes());
            write_node(&mut bytes, &node);
        }
    }
    match &search.ending {
        None => bytes.extend(u32::MAX.to_le_bytes()),
        Some((Ending { input, frame, quiets }, layers, parent)) => {
            [*input, *frame, *layers as u32, *parent].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.push(quiets.len() as u8);
            for Quiet { landing, presses } in quiets {
                bytes.extend(packed(landing.placement).to_le_bytes());
                bytes.extend(landing.frames.to_le_bytes());
                bytes.extend(presses.to_le_bytes());
            }
        }
    }
    bytes.extend((search.trail.len() as u32).to_le_bytes());
    for layer in &search.trail {
        bytes.extend((layer.len() as u32).to_le_bytes());
        layer.iter().for_each(|node| write_node(&mut bytes, node));
    }
    bytes.extend((search.games.len() as u32).to_le_bytes());
    for (game, key) in search.games.iter().zip(&search.keys) {
        game.page.words().iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend([game.piece.index() as u8, game.next.index() as u8, game.generator.spawn_count]);
        bytes.extend(game.generator.randomizer.to_bytes());
        bytes.extend(game.frame.to_le_bytes());
        bytes.push(game.generator.frame_counter);
        bytes.extend([game.progress.lines_low, game.progress.lines_high, game.progress.level]);
        bytes.extend(game.score.0);
        bytes.extend(key.to_le_bytes());
    }
    sealed::seal(&mut bytes);
    bytes
}

fn write_node(bytes: &mut Vec<u8>, node: &Node) {
    bytes.extend(node.parent.to_le_bytes());
    bytes.extend(node.frames.to_le_bytes());
    bytes.extend(node.placement.to_le_bytes());
    bytes.push(node.pause);
}

/// Reads numbers from the front of bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    fn u32(&mut self) -> Result<u32, CheckpointError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// A count of things that take so many bytes each: no more than can follow.
    fn count(&mut self, each: usize) -> Result<usize, CheckpointError> {
        let count = self.u32()? as usize;
        if count.saturating_mul(each) > self.0.len() { Err(CheckpointError::Damaged) } else { Ok(count) }
    }

    /// A node whose parent is one of so many.
    fn node(&mut self, parents: usize) -> Result<Node, CheckpointError> {
        let parent = self.u32()?;
        let [frames, placement] = [u16::from_le_bytes(self.take()?), u16::from_le_bytes(self.take()?)];
        let [pause] = self.take()?;
        let node = Node { parent, frames, placement, pause };
        if (parent as usize) < parents && node.is_possible() { Ok(node) } else { Err(CheckpointError::Damaged) }
    }

    /// The last moves of a game, its layer, and its index there.
    fn ending(&mut self) -> Result<Option<(Ending, usize, u32)>, CheckpointError> {
        let input = self.u32()?;
        if input == u32::MAX {
            return Ok(None);
        }
        let (frame, layers, parent) = (self.u32()?, self.u32()? as usize, self.u32()?);
        let [count] = self.take()?;
        let mut quiets = Vec::new();
        for _ in 0..count {
            let placement = u16::from_le_bytes(self.take()?);
            let (frames, presses) = (self.u32()?, self.u32()?);
            let node = Node { parent, frames: 0, placement, pause: 0 };
            if !node.is_possible() {
                return Err(CheckpointError::Damaged);
            }
            quiets.push(Quiet { landing: Landing { placement: unpacked(placement), frames }, presses });
        }
        Ok(Some((Ending { input, frame, quiets }, layers, parent)))
    }

    fn piece(&mut self) -> Result<Piece, CheckpointError> {
        let [index] = self.take()?;
        Piece::ALL.get(usize::from(index)).copied().ok_or(CheckpointError::Damaged)
    }
}

/// The search that was written, to go on with these settings.
///
/// # Errors
/// [`CheckpointError`] when the bytes are not such a search.
pub fn read(bytes: &[u8], settings: Settings) -> Result<Search, CheckpointError> {
    let mut reader = Reader(sealed::open(bytes, sealed::LAYERS, &text_of(&settings))?);
    let mut search = Search::new(settings);
    let openings = search.games.len();
    let best = match reader.u32()? {
        u32::MAX => None,
        frame => {
            let layers = reader.u32()? as usize;
            Some((frame, layers, reader.node(usize::MAX)?))
        }
    };
    let ending = reader.ending()?;
    let layers = reader.count(4)?;
    for _ in 0..layers {
        let parents = search.trail.last().map_or(openings, Vec::len);
        let count = reader.count(NODE)?;
        let layer: Result<Vec<Node>, _> = (0..count).map(|_| reader.node(parents)).collect();
        search.trail.push(layer?);
    }
    let found = best.map(|(_, layers, node)| (layers, node.parent));
    for (layers, parent) in found.into_iter().chain(ending.as_ref().map(|&(_, layers, parent)| (layers, parent))) {
        let parents = layers.checked_sub(1).map_or(Some(openings), |last| search.trail.get(last).map(Vec::len));
        if parents.is_none_or(|parents| parent as usize >= parents) {
            return Err(CheckpointError::Damaged);
        }
    }
    (search.best, search.ending) = (best, ending);
    let count = reader.count(GAME)?;
    if count != search.trail.last().map_or(openings, Vec::len) {
        return Err(CheckpointError::Damaged);
    }
    (search.games, search.keys) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        let mut words = [0; 4];
        for word in &mut words {
            *word = u64::from_le_bytes(reader.take()?);
        }
        let (piece, next) = (reader.piece()?, reader.piece()?);
        let [spawn_count] = reader.take()?;
        let randomizer = Randomizer::from_bytes(reader.take()?);
        let frame = reader.u32()?;
        let [frame_counter] = reader.take()?;
        let [lines_low, lines_high, level] = reader.take()?;
        let score = Score(reader.take()?);
        search.keys.push(i32::from_le_bytes(reader.take()?));
        search.games.push(Spawned {
            page: Page::from_words(words),
            piece,
            next,
            generator: Generator { randomizer, spawn_count, frame_counter },
            frame,
            game_type: search.settings.goal.game_type(),
            progress: Progress { lines_low, lines_high, level },
            score,
        });
    }
    if reader.0.is_empty() { Ok(search) } else { Err(CheckpointError::Damaged) }
}
