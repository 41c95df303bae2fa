//! The weights file of a net, as it is built into the program and played with.
//!
//! A header has the shape of the net and a checksum. The rest is deflated: where the net comes
//! from, its layers in full precision, and the rows of its table that are not all zero, in whole
//! numbers of 16 or 8 bits. All numbers are little-endian.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::features::FEATURES;
use super::inflate::Inflater;
use super::net::{Dense, HIDDEN, LANES, Net, QuickNet, Row, SUMMED};
use super::origin::Origin;
use super::outlook::Outlook;
use crate::state::crc32;

/// What the file begins with, before the byte of the version.
const MAGIC: [u8; 7] = *b"mxvalue";
/// The layout that is written and read here.
const VERSION: u8 = 1;
/// Magic, version, three numbers of shape, length and checksum of what follows.
const HEADER: usize = 8 + 3 * 4 + 4 + 4;
const SHAPE: [u32; 3] = [FEATURES as u32, LANES as u32, HIDDEN as u32];
/// Longest text that says where a net comes from, in bytes. Chosen by hand, not measured.
const LONGEST_ORIGIN: usize = 1 << 20;
/// Most bytes of a file.
pub const LONGEST: u64 = 32 * 1024 * 1024;
// A net without a row of zeros, which nothing deflates, fits: a row has 2 bytes a lane and at most 4
// for its index. 1 MiB is for the layers and what deflate adds.
const _: () = assert!(FEATURES * (2 * LANES + 4) + LONGEST_ORIGIN + (1 << 20) < LONGEST as usize);
/// Rows whose numbers are put in order before they go into the table. Chosen by hand, not measured.
const ROWS_AT_ONCE: usize = 32;
/// Lanes that are read before their numbers go into the table, 32 bytes of each row. Reading the net
/// took a quarter more time with 8 lanes, and as long with 32, which need twice the memory.
const LANES_AT_ONCE: usize = 16;
/// The largest whole number of 8 bits that is written; its negative is the smallest.
const LARGEST: f32 = 127.0;

/// The bytes of the weights that are built in.
pub static EMBEDDED: &[u8] = include_bytes!("../../../config/weights/learned.mxw");

/// A net as it plays, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedNet {
    /// The net.
    pub net: QuickNet,
    /// Where it comes from.
    pub origin: Origin,
}

/// How the numbers of the table are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSize {
    /// 16 bits each, exactly as they are in memory.
    Sixteen,
    /// 8 bits each, with one scale for the summed lanes and one for the direct lanes: half as
    /// long and a little less exact.
    Eight,
}

/// Why bytes are not a weights file of a net.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// They do not begin like a weights file of a net.
    #[error("no learned weights: expected `mxvalue` at the beginning, found {found}: give a file of `maxout train td`")]
    Magic {
        /// What they begin with.
        found: String,
    },
    /// They are of another layout.
    #[error(
        "learned weights of version {found}, expected version {VERSION}: \
         write them again with `maxout train td` of this program"
    )]
    Version {
        /// The version they claim.
        found: u8,
    },
    /// They are of a net of another shape.
    #[error(
        "learned weights of a net of {} features, {} lanes and {} hidden numbers, expected {}, {} and {}: \
         train them again with `maxout train td` of this program",
        .found[0], .found[1], .found[2], .expected[0], .expected[1], .expected[2]
    )]
    Shape {
        /// Features, lanes and hidden numbers of the file.
        found: [u32; 3],
        /// Those of this program.
        expected: [u32; 3],
    },
    /// They end too soon, or too late.
    #[error("learned weights of {found} bytes, expected {expected}: the file is not whole, copy it again")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have: those of the header where not even that is whole.
        expected: usize,
    },
    /// They were changed.
    #[error(
        "learned weights with the checksum {found:08X}, expected {expected:08X}: the file is damaged, copy it again"
    )]
    Checksum {
        /// Checksum of the file.
        found: u32,
        /// The one that it says it has.
        expected: u32,
    },
    /// The checksum is right, but the body is not that of a net.
    #[error("learned weights with {what}, which no net has: write them again with `maxout train td`")]
    Body {
        /// What is there.
        what: &'static str,
    },
}

/// The table in the form of a file of 8 bits, lane by lane, and the scales.
struct Scaled {
    scales: [f32; 2],
}

impl TrainedNet {
    /// The weights that are built in.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn embedded() -> TrainedNet {
        read(EMBEDDED).expect("the weights that are built in are sound")
    }

    /// A trained net without the table rows that were seen less often than `least` times;
    /// `visits` says how often each was.
    pub fn export(net: &Net, visits: &[u32], least: u32, origin: Origin) -> TrainedNet {
        TrainedNet { net: QuickNet::of_rows(net, |row| visits[row] >= least), origin }
    }
}

/// The lanes that share a scale.
fn group(lane: usize) -> usize {
    usize::from(lane >= SUMMED)
}

impl Scaled {
    /// The scales with the least loss, by the sum of squares.
    fn of(table: &[Row<i16>]) -> Scaled {
        let mut counts = [vec![0u32; 1 << 15], vec![0u32; 1 << 15]];
        for Row(row) in table {
            for (lane, number) in row.iter().enumerate() {
                counts[group(lane)][usize::from(number.unsigned_abs()).min((1 << 15) - 1)] += 1;
            }
        }
        Scaled { scales: counts.map(|counts| best_scale(&counts)) }
    }

    fn narrow(&self, lane: usize, number: i16) -> i8 {
        (f32::from(number) / self.scales[group(lane)]).round_ties_even().clamp(-LARGEST, LARGEST) as i8
    }

    fn wide(&self, lane: usize, number: i8) -> i16 {
        (f32::from(number) * self.scales[group(lane)]).round_ties_even() as i16
    }
}

/// The scale with the least squared loss; `counts[n]` numbers are n or -n.
fn best_scale(counts: &[u32]) -> f32 {
    let largest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let full = (largest as f32 / LARGEST).max(1.0);
    let loss = |scale: f32| -> f64 {
        let lost = |(number, &count): (usize, &u32)| {
            let number = number as f32;
            let kept = ((number / scale).round_ties_even().min(LARGEST) * scale).round_ties_even();
            f64::from(count) * f64::from(number - kept).powi(2)
        };
        counts.iter().enumerate().filter(|(_, count)| **count > 0).map(lost).sum()
    };
    // Numbers beyond the largest one that can be written are cut.
    let scales = (1..=40).map(|part| (full * part as f32 / 40.0).max(1.0));
    let mut best = (f64::INFINITY, full);
    for scale in scales {
        let loss = loss(scale);
        if loss < best.0 {
            best = (loss, scale);
        }
    }
    best.1
}

/// The bytes of a weights file.
pub fn write(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let body = deflated(&body(weights, encoding));
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.push(VERSION);
    for number in SHAPE {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(crc32(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn body(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let table = weights.net.table();
    let rows: Vec<usize> = (0..table.len()).filter(|&row| table[row].0.iter().any(|&number| number != 0)).collect();
    let mut body = Vec::with_capacity(100_000 + rows.len() * (2 * LANES + 2));
    let origin = weights.origin.to_json();
    body.extend((origin.len() as u32).to_le_bytes());
    body.extend(origin.as_bytes());
    for number in weights.net.dense().numbers() {
        body.extend(number.to_le_bytes());
    }
    for number in weights.net.outlook.numbers() {
        body.extend(number.to_le_bytes());
    }
    body.extend((rows.len() as u32).to_le_bytes());
    let mut before = 0;
    for &row in &rows {
        // Seven bits a byte, the low ones first; the eighth says that there are more.
        let mut delta = row - before;
        before = row;
        while delta >= 0x80 {
            body.push(delta as u8 | 0x80);
            delta >>= 7;
        }
        body.push(delta as u8);
    }
    // Lane by lane, with high bytes apart from low ones, so that similar bytes are neighbours.
    match encoding {
        NumberSize::Sixteen => {
            body.push(16);
            for lane in 0..LANES {
                body.extend(rows.iter().map(|&row| table[row].0[lane].to_le_bytes()[0]));
                body.extend(rows.iter().map(|&row| table[row].0[lane].to_le_bytes()[1]));
            }
        }
        NumberSize::Eight => {
            body.push(8);
            let scaled = Scaled::of(table);
            for scale in scaled.scales {
                body.extend(scale.to_le_bytes());
            }
            for lane in 0..LANES {
                body.extend(rows.iter().map(|&row| scaled.narrow(lane, table[row].0[lane]) as u8));
            }
        }
    }
    body
}

fn deflated(body: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("memory can be written")
}

/// Do these bytes begin like a weights file of a net?
pub fn are(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads the weights from the bytes of a file.
///
/// # Errors
/// When they are not weights, of another version or shape, cut off or damaged.
pub fn read(bytes: &[u8]) -> Result<TrainedNet, Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Error::Magic { found: beginning(bytes) });
    }
    match bytes.get(MAGIC.len()) {
        Some(&VERSION) => {}
        Some(&found) => return Err(Error::Version { found }),
        None => return Err(Error::Length { found: bytes.len(), expected: HEADER }),
    }
    let Some((header, deflated)) = bytes.split_at_checked(HEADER) else {
        return Err(Error::Length { found: bytes.len(), expected: HEADER });
    };
    let (numbers, _) = header[MAGIC.len() + 1..].as_chunks();
    let number = |index: usize| u32::from_le_bytes(numbers[index]);
    let found = [number(0), number(1), number(2)];
    if found != SHAPE {
        return Err(Error::Shape { found, expected: SHAPE });
    }
    let (length, expected) = (number(3) as usize, number(4));
    if deflated.len() != length {
        return Err(Error::Length { found: bytes.len(), expected: HEADER.saturating_add(length) });
    }
    let found = crc32(deflated);
    if found != expected {
        return Err(Error::Checksum { found, expected });
    }
    Reader(BufReader::new(Inflater::new(deflated))).weights().map_err(|what| Error::Body { what })
}

/// The first bytes as people read them.
fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "an empty file".to_owned(),
        bytes => format!("`{}`", bytes[..bytes.len().min(MAGIC.len())].escape_ascii()),
    }
}

/// Takes numbers off the front of a body.
struct Reader<R>(R);

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

    /// The whole body.
    fn weights(mut self) -> Result<TrainedNet, Problem> {
        let length = self.u32()? as usize;
        if length > LONGEST_ORIGIN {
            return Err("a text about its origin that is too long");
        }
        let mut origin = vec![0; length];
        self.fill(&mut origin)?;
        let origin = Origin::from_json(&origin).ok_or("a text about its origin that cannot be read")?;
        let mut dense = Dense::zero();
        for number in dense.numbers_mut() {
            *number = self.f32()?;
        }
        let mut numbers = [0.0; Outlook::NUMBERS];
        for number in &mut numbers {
            *number = self.f32()?;
        }
        let outlook = Outlook::from_numbers(numbers.into_iter()).expect("all numbers are there");
        let rows = self.rows()?;
        let mut table = vec![Row([0i16; LANES]); FEATURES];
        match self.take()? {
            [16] => self.table::<2>(&mut table, &rows, |_, bytes| i16::from_le_bytes(bytes))?,
            [8] => {
                let scaled = Scaled { scales: [self.f32()?, self.f32()?] };
                self.table::<1>(&mut table, &rows, |lane, [byte]| scaled.wide(lane, byte as i8))?;
            }
            _ => return Err("numbers of neither 16 nor 8 bits"),
        }
        if !self.0.fill_buf().map_err(problem)?.is_empty() {
            return Err("more bytes than a net has");
        }
        Ok(TrainedNet { net: QuickNet::from_parts(table, dense, outlook), origin })
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

    /// The numbers of these rows, of `BYTES` bytes each: lane by lane, in each lane the first bytes of
    /// all rows, then the second bytes. Several lanes are read before the table is written, because
    /// it is larger than any cache.
    fn table<const BYTES: usize>(
        &mut self,
        table: &mut [Row<i16>],
        rows: &[usize],
        number: impl Fn(usize, [u8; BYTES]) -> i16,
    ) -> Result<(), Problem> {
        let count = rows.len();
        if count == 0 {
            return Ok(());
        }
        let mut bytes = vec![0; BYTES * LANES_AT_ONCE * rows.len()];
        for first in (0..LANES).step_by(LANES_AT_ONCE) {
            self.fill(&mut bytes)?;
            for (block, rows) in rows.chunks(ROWS_AT_ONCE).enumerate() {
                let mut numbers = [[0; LANES_AT_ONCE]; ROWS_AT_ONCE];
                for (lane, bytes) in bytes.chunks_exact(BYTES * count).enumerate() {
                    let parts: [&[u8]; BYTES] =
                        std::array::from_fn(|byte| &bytes[byte * count + block * ROWS_AT_ONCE..][..rows.len()]);
                    for (index, numbers) in numbers[..rows.len()].iter_mut().enumerate() {
                        numbers[lane] = number(first + lane, parts.map(|part| part[index]));
                    }
                }
                for (&row, numbers) in rows.iter().zip(&numbers) {
                    table[row].0[first..first + LANES_AT_ONCE].copy_from_slice(numbers);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
