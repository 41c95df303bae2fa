//! Reads the file of one net.

use std::io::{self, BufRead, BufReader, ErrorKind};

use lzma_rust2::LzmaReader;

use super::layout::{
    BY_LANES, BY_STEPS, Error, FLAT, HEADER, LONGEST_ORIGIN, MAGIC, MOST_HEADS, NUMBER_OF_HEADS, ODD_HEAD, OF_8, OF_16,
    ROWS_BY_LANES, SHAPE, SHORT, TrainedNet, VERSION, WITH_HEADS,
};
use crate::judge::learned::dense::OUTPUTS;
use crate::judge::learned::features::{FEATURES, SPAN_ROWS};
use crate::judge::learned::head::{Head, TrainedFor};
use crate::judge::learned::inflate::Inflater;
use crate::judge::learned::net::QuickNet;
use crate::judge::learned::origin::Origin;
use crate::judge::learned::outlook::Outlook;
use crate::judge::learned::spans;
use crate::judge::learned::table::{LANES, Packed, Row, Table};
use crate::state::crc32;

/// Most memory for unpacking LZMA, in KiB: its window of 8 MiB, and what belongs to it.
const LZMA_MEMORY: u32 = 16 * 1024;
/// Longest text of what a head was trained for, in bytes. Chosen by hand, not measured.
const LONGEST_HEAD: usize = 255;
/// Rows whose numbers are put in order before they go into the table. Chosen by hand, not measured.
const ROWS_AT_ONCE: usize = 32;
/// Lanes that are read before their numbers go into the table, 32 bytes of each row. Reading the net
/// took a quarter more time with 8 lanes, and as long with 32, which need twice the memory.
const LANES_AT_ONCE: usize = 16;

/// Reads the file of one net.
///
/// # Errors
/// As [`read`](super::read).
pub(super) fn read_one(bytes: &[u8]) -> Result<TrainedNet, Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Error::Magic { found: beginning(bytes) });
    }
    let version = match bytes.get(MAGIC.len()) {
        Some(&version @ (VERSION | WITH_HEADS | FLAT | SHORT)) => version,
        Some(&found) => return Err(Error::Version { found }),
        None => return Err(Error::Length { found: bytes.len(), expected: HEADER }),
    };
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(Error::Length { found: bytes.len(), expected: HEADER });
    };
    let (numbers, _) = header[MAGIC.len() + 1..].as_chunks();
    let number = |index: usize| u32::from_le_bytes(numbers[index]);
    let found = [number(0), number(1), number(2)];
    if found != SHAPE {
        return Err(Error::Shape { found, expected: SHAPE });
    }
    let (length, expected) = (number(3) as usize, number(4));
    if body.len() != length {
        return Err(Error::Length { found: bytes.len(), expected: HEADER.saturating_add(length) });
    }
    let found = crc32(body);
    if found != expected {
        return Err(Error::Checksum { found, expected });
    }
    let weights = match version {
        FLAT => Reader(body).weights(version),
        SHORT => LzmaReader::new_mem_limit(body, LZMA_MEMORY, None)
            .map_err(problem)
            .and_then(|reader| Reader(BufReader::new(reader)).weights(version)),
        _ => Reader(BufReader::new(Inflater::new(body))).weights(version),
    };
    weights.map_err(|what| Error::Body { what })
}

/// The first bytes as people read them.
fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "an empty file".to_owned(),
        bytes => format!("`{}`", bytes[..bytes.len().min(MAGIC.len())].escape_ascii()),
    }
}

/// Takes numbers off the front of a body.
pub(super) struct Reader<R>(pub(super) R);

/// The steps of a table's rows.
struct RowSteps {
    steps: Vec<[u8; 2]>,
    /// The rows in the order of their steps: those of 16 bits come first.
    order: Vec<usize>,
    /// How many have 16 bits.
    of_16: usize,
}

/// What is wrong with a body.
type Problem = &'static str;

fn problem(error: io::Error) -> Problem {
    match error.kind() {
        ErrorKind::UnexpectedEof => "a body that ends too soon",
        _ => "a body that cannot be inflated",
    }
}

impl<R: BufRead> Reader<R> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Problem> {
        self.0.read_exact(bytes).map_err(problem)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Problem> {
        self.take().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, Problem> {
        let number = f32::from_le_bytes(self.take()?);
        if number.is_finite() { Ok(number) } else { Err("a number that is not finite") }
    }

    fn varint(&mut self) -> Result<usize, Problem> {
        let mut number = 0;
        for part in 0..4 {
            let [byte] = self.take()?;
            number |= usize::from(byte & 0x7F) << (7 * part);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("an index that is too long")
    }

    fn text(&mut self, longest: usize, too_long: Problem) -> Result<Vec<u8>, Problem> {
        let length = self.u32()? as usize;
        if length > longest {
            return Err(too_long);
        }
        let mut text = vec![0; length];
        self.fill(&mut text)?;
        Ok(text)
    }

    fn head(&mut self, is_plain: bool) -> Result<Head, Problem> {
        let mut head = Head::zero();
        if !is_plain {
            let text = self.text(LONGEST_HEAD, ODD_HEAD)?;
            head.trained_for = TrainedFor::from_text(&text).ok_or(ODD_HEAD)?;
            head.scale = self.f32()?;
        }
        for number in head.dense.numbers_mut() {
            *number = self.f32()?;
        }
        Ok(head)
    }

    /// The whole body.
    pub(super) fn weights(mut self, version: u8) -> Result<TrainedNet, Problem> {
        let origin = self.text(LONGEST_ORIGIN, "a text about its origin that is too long")?;
        let origin = Origin::from_json(&origin).ok_or("a text about its origin that cannot be read")?;
        let count = match version {
            VERSION => 1,
            _ => usize::from(self.take::<1>()?[0]),
        };
        if !(1..=MOST_HEADS).contains(&count) {
            return Err(NUMBER_OF_HEADS);
        }
        let heads: Vec<Head> = (0..count).map(|_| self.head(version == VERSION)).collect::<Result<_, _>>()?;
        let mut numbers = [0.0; Outlook::NUMBERS];
        for number in &mut numbers {
            *number = self.f32()?;
        }
        let outlook = Outlook::from_numbers(numbers.into_iter()).expect("all numbers are there");
        let rows = self.rows()?;
        let table = match self.take()? {
            [OF_16] => self.table(&rows)?,
            [OF_8] => Table::Packed(self.packed(&rows)?),
            [BY_STEPS] => Table::Packed(self.packed_by_steps(&rows)?),
            [BY_LANES] => Table::Packed(self.packed_by_lanes(&rows)?),
            _ => return Err("numbers of neither 16 nor 8 bits"),
        };
        let spans = if self.is_at_end()? { Vec::new() } else { self.spans()? };
        if !self.is_at_end()? {
            return Err("more bytes than a net has");
        }
        Ok(TrainedNet { net: QuickNet::from_parts(table, spans, heads, outlook), origin })
    }

    fn is_at_end(&mut self) -> Result<bool, Problem> {
        self.0.fill_buf().map(<[u8]>::is_empty).map_err(problem)
    }

    fn spans(&mut self) -> Result<Vec<[i16; OUTPUTS]>, Problem> {
        let mut rows = vec![[0; OUTPUTS]; SPAN_ROWS];
        let [mut low, mut high] = [vec![0; SPAN_ROWS], vec![0; SPAN_ROWS]];
        let step = match self.take()? {
            [OF_16] => None,
            [OF_8] => Some(i16::from_le_bytes(self.take()?)),
            _ => return Err("more bytes than a net has"),
        };
        for lane in 0..OUTPUTS {
            self.fill(&mut low)?;
            if let Some(step) = step {
                rows.iter_mut().zip(&low).for_each(|(row, &byte)| row[lane] = spans::widened(byte as i8, step));
            } else {
                self.fill(&mut high)?;
                let bytes = low.iter().zip(&high);
                rows.iter_mut().zip(bytes).for_each(|(row, (&low, &high))| row[lane] = i16::from_le_bytes([low, high]));
            }
        }
        Ok(rows)
    }

    /// Which rows of the table are there, in rising order.
    fn rows(&mut self) -> Result<Vec<usize>, Problem> {
        let count = self.u32()? as usize;
        if count > FEATURES {
            return Err("more rows than there are features");
        }
        let mut rows = Vec::with_capacity(count);
        let mut before = 0;
        for index in 0..count {
            let delta = self.varint()?;
            if index > 0 && delta == 0 {
                return Err("a row that stands twice");
            }
            before += delta;
            if before >= FEATURES {
                return Err("a row beyond the table");
            }
            rows.push(before);
        }
        Ok(rows)
    }

    /// The numbers of these rows, of 16 bits each: lane by lane, in each lane the low bytes of all rows, then
    /// the high bytes. Several lanes are read before the table is written, because it is larger than any cache.
    fn table(&mut self, rows: &[usize]) -> Result<Table, Problem> {
        let mut table = vec![Row([0i16; LANES]); FEATURES];
        let count = rows.len();
        if count == 0 {
            return Ok(Table::Wide(table));
        }
        let mut bytes = vec![0; 2 * LANES_AT_ONCE * count];
        for first in (0..LANES).step_by(LANES_AT_ONCE) {
            self.fill(&mut bytes)?;
            for (block, rows) in rows.chunks(ROWS_AT_ONCE).enumerate() {
                let mut numbers = [[0; LANES_AT_ONCE]; ROWS_AT_ONCE];
                for (lane, bytes) in bytes.chunks_exact(2 * count).enumerate() {
                    let [low, high] = [0, count].map(|part| &bytes[part + block * ROWS_AT_ONCE..][..rows.len()]);
                    for (numbers, (&low, &high)) in numbers.iter_mut().zip(low.iter().zip(high)) {
                        numbers[lane] = i16::from_le_bytes([low, high]);
                    }
                }
                for (&row, numbers) in rows.iter().zip(&numbers) {
                    table[row].0[first..first + LANES_AT_ONCE].copy_from_slice(numbers);
                }
            }
        }
        Ok(Table::Wide(table))
    }

    /// These rows in numbers of 8 bits, each after its two steps.
    fn packed(&mut self, rows: &[usize]) -> Result<Packed, Problem> {
        let mut packed = Packed::with_capacity(rows.len());
        for &row in rows {
            let steps = self.take()?;
            packed.push(row, &self.take()?.map(|byte: u8| byte as i8), steps);
        }
        Ok(packed)
    }

    fn steps(&mut self, rows: &[usize]) -> Result<RowSteps, Problem> {
        let mut steps = vec![[0; 2]; rows.len()];
        self.fill(steps.as_flattened_mut())?;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| steps[at]);
        let of_16 = order.iter().take_while(|&&at| steps[at] == [0; 2]).count();
        Ok(RowSteps { steps, order, of_16 })
    }

    /// These rows in numbers of 8 bits or 16: the steps of all, then the rows in the order of their steps.
    fn packed_by_steps(&mut self, rows: &[usize]) -> Result<Packed, Problem> {
        let RowSteps { steps, order, of_16 } = self.steps(rows)?;
        let mut packed = Packed::with_capacity(rows.len());
        for &at in &order[..of_16] {
            let [low, high] = [self.take::<LANES>()?, self.take()?];
            packed.push_large(rows[at], std::array::from_fn(|lane| i16::from_le_bytes([low[lane], high[lane]])));
        }
        for &at in &order[of_16..] {
            packed.push(rows[at], &self.take()?.map(|byte: u8| byte as i8), steps[at]);
        }
        Ok(packed)
    }

    /// The same, lane by lane.
    fn packed_by_lanes(&mut self, rows: &[usize]) -> Result<Packed, Problem> {
        let RowSteps { steps, order, of_16 } = self.steps(rows)?;
        let (large, small) = order.split_at(of_16);
        let mut packed = Packed::with_capacity(rows.len());
        let mut bytes = vec![0; 2 * LANES * large.len()];
        self.fill(&mut bytes)?;
        let (low, high) = bytes.split_at(LANES * large.len());
        for (row, &at) in large.iter().enumerate() {
            let number = |lane| [low, high].map(|part| part[lane * large.len() + row]);
            packed.push_large(rows[at], std::array::from_fn(|lane| i16::from_le_bytes(number(lane))));
        }
        for together in small.chunks(ROWS_BY_LANES) {
            bytes.resize(LANES * together.len(), 0);
            self.fill(&mut bytes)?;
            for (block, some) in together.chunks(ROWS_AT_ONCE).enumerate() {
                let mut numbers = [[0; LANES]; ROWS_AT_ONCE];
                for (lane, bytes) in bytes.chunks_exact(together.len()).enumerate() {
                    for (numbers, &byte) in numbers.iter_mut().zip(&bytes[block * ROWS_AT_ONCE..]) {
                        numbers[lane] = byte as i8;
                    }
                }
                for (&at, numbers) in some.iter().zip(&numbers) {
                    packed.push(rows[at], numbers, steps[at]);
                }
            }
        }
        Ok(packed)
    }
}
