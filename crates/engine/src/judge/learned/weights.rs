//! The weights file of a net, as it is built into the program and played with.
//!
//! A header has the shape of the net and a checksum. The rest is deflated: where the net comes
//! from, its layers in full precision, and the rows of its table that are not all zero, in whole
//! numbers of 16 or 8 bits, or 8 with some rows in 16; and its spans, if it has some. A flat file is not deflated, and a short one is packed by LZMA instead. All numbers are little-endian.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};

use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};
use zlib_rs::{Deflate, DeflateFlush, Status};

use super::dense::{HIDDEN, OUTPUTS};
use super::features::{FEATURES, SPAN_ROWS};
use super::head::{Head, TrainedFor};
use super::inflate::{Inflater, WINDOW_BITS};
use super::net::{Net, QuickNet};
use super::origin::Origin;
use super::outlook::Outlook;
use super::spans;
use super::table::{LANES, LEAST_STEP, Packed, PackedNumbers, Row, Table, narrow};
use crate::state::crc32;

/// What the file begins with, before the byte of the version.
const MAGIC: [u8; 7] = *b"mxvalue";
/// The layout of a net with one head, for the plateau and taps at 30 Hz.
const VERSION: u8 = 1;
/// The layout of a net with other heads.
const WITH_HEADS: u8 = 2;
/// The layout of a net with any heads that is not deflated.
const FLAT: u8 = 4;
/// The layout of a net with any heads that is packed by LZMA.
const SHORT: u8 = 5;
/// Most memory for unpacking LZMA, in KiB: its window of 8 MiB, and what belongs to it.
const LZMA_MEMORY: u32 = 16 * 1024;
/// How hard deflate packs: as hard as it can.
const BEST: i32 = 9;
/// How hard LZMA packs, 0 to 9. Chosen by hand, not measured: most of the numbers' bytes are as good as random.
const LZMA_PRESET: u32 = 6;
/// Most heads of a net. Chosen by hand, not measured: a head is a hundredth of a net.
const MOST_HEADS: usize = 64;
/// What is wrong with the heads of a net.
const NUMBER_OF_HEADS: &str = "no head, or more than 64";
/// What is wrong with a head.
const ODD_HEAD: &str = "a head for games that cannot be read";
/// Longest text of what a head was trained for, in bytes. Chosen by hand, not measured.
const LONGEST_HEAD: usize = 255;
/// Magic, version, three numbers of shape, length and checksum of what follows.
const HEADER: usize = 8 + 3 * 4 + 4 + 4;
const SHAPE: [u32; 3] = [FEATURES as u32, LANES as u32, HIDDEN as u32];
/// Before the numbers of the rows: they have 16 bits.
const OF_16: u8 = 16;
/// They have 8 bits, each row after its steps.
const OF_8: u8 = 8;
/// They have 8 bits, and 16 where the steps are 0. First come the steps of all rows, then the rows in the order of their
/// steps: deflated, those of the built-in net are a fifteenth shorter so.
const BY_STEPS: u8 = 9;
/// As [`BY_STEPS`], but lane by lane. First come the rows of 16 bits: all low bytes, then all high bytes. Then come the rows of 8 bits
/// in blocks of [`ROWS_BY_LANES`], each block lane by lane. Numbers of one lane are alike: the file of the built-in nets is 0.15 MB
/// shorter than with [`BY_STEPS`], and 0.32 MB when gzip packs it.
const BY_LANES: u8 = 10;
/// Longest text that says where a net comes from, in bytes. Chosen by hand, not measured.
const LONGEST_ORIGIN: usize = 1 << 20;
/// Most bytes of a file: two nets of 16 bits with all rows, or eight as they come out of a training.
pub const LONGEST: u64 = 64 * 1024 * 1024;
/// Most bytes of the file of one net.
const LONGEST_NET: usize = LONGEST as usize / 2;
// A net without a row of zeros, which nothing deflates, fits: a row has 2 bytes a lane and at most 4
// for its index; spans have all their rows. 1 MiB is for the layers and what deflate adds.
const _: () = assert!(FEATURES * (2 * LANES + 4) + SPAN_ROWS * 2 * OUTPUTS + LONGEST_ORIGIN + (1 << 20) < LONGEST_NET);
/// Rows of 8 bits that are written lane by lane together. Deflate packs the table of the plateau to 3,479, 3,458 and 3,452 thousand bytes with
/// 4,096, 8,192 and 16,384; reading needs this number times 96 bytes.
const ROWS_BY_LANES: usize = 8192;
/// Rows whose numbers are put in order before they go into the table. Chosen by hand, not measured.
const ROWS_AT_ONCE: usize = 32;
/// Lanes that are read before their numbers go into the table, 32 bytes of each row. Reading the net
/// took a quarter more time with 8 lanes, and as long with 32, which need twice the memory.
const LANES_AT_ONCE: usize = 16;

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
    /// 8 bits each: half as long and a little less exact. Nets whose rows partly have 16 bits
    /// keep them.
    Eight,
    /// The same 8 bits, and nothing is deflated: three times as long as [`NumberSize::Eight`], and read in a
    /// tenth of the time.
    Flat,
    /// The same 8 bits, packed by LZMA: a fifth shorter than [`NumberSize::Eight`], and read more slowly.
    Short,
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
        "learned weights of version {found}, expected version {VERSION} to {SHORT}: \
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

impl TrainedNet {
    /// The weights that are built in.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn embedded() -> TrainedNet {
        read(EMBEDDED).expect("the weights that are built in are sound")
    }

    /// A trained net without the rows of its table and its spans that were seen less often than `least` times;
    /// `visits` and `span_visits` say how often each was.
    pub fn export(net: &Net, visits: &[u32], span_visits: &[u32], least: u32, origin: Origin) -> TrainedNet {
        let net = QuickNet::of_rows(net, |row| visits[row] >= least, |row| span_visits[row] >= least);
        TrainedNet { net, origin }
    }
}

/// The bytes of a weights file.
pub fn write(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let version = version(&weights.net, encoding);
    let body = body(weights, encoding);
    let body = match version {
        FLAT => body,
        SHORT => packed_by_lzma(&body),
        _ => deflated(&body),
    };
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.push(version);
    for number in SHAPE {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(crc32(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The layout of a net's file.
fn version(net: &QuickNet, encoding: NumberSize) -> u8 {
    match net.heads() {
        _ if encoding == NumberSize::Flat => FLAT,
        _ if encoding == NumberSize::Short => SHORT,
        [head] if head.trained_for == TrainedFor::PLATEAU && head.scale == 1.0 => VERSION,
        _ => WITH_HEADS,
    }
}

fn body(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let is_plain = version(&weights.net, encoding) == VERSION;
    let (table, packed) = (weights.net.table().wide(), weights.net.table().packed(LEAST_STEP));
    let rows: Vec<usize> = match encoding {
        NumberSize::Sixteen => (0..table.len()).filter(|&row| table[row].0.iter().any(|&number| number != 0)).collect(),
        NumberSize::Eight | NumberSize::Flat | NumberSize::Short => packed.rows().map(|(row, ..)| row).collect(),
    };
    let mut body = Vec::with_capacity(100_000 + rows.len() * (2 * LANES + 2));
    let origin = weights.origin.to_json();
    body.extend((origin.len() as u32).to_le_bytes());
    body.extend(origin.as_bytes());
    if !is_plain {
        body.push(weights.net.heads().len() as u8);
    }
    for head in weights.net.heads() {
        if !is_plain {
            let text = head.trained_for.to_text();
            body.extend((text.len() as u32).to_le_bytes());
            body.extend(text.as_bytes());
            body.extend(head.scale.to_le_bytes());
        }
        for number in head.dense.numbers() {
            body.extend(number.to_le_bytes());
        }
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
    match encoding {
        // Lane by lane, with high bytes apart from low ones, so that similar bytes are neighbours.
        NumberSize::Sixteen => {
            body.push(OF_16);
            add_lanes(&mut body, rows.iter().map(|&row| &table[row].0));
        }
        NumberSize::Eight | NumberSize::Flat | NumberSize::Short => {
            body.push(BY_LANES);
            let mut sorted: Vec<PackedNumbers<'_>> = packed.rows().map(|(_, numbers)| numbers).collect();
            body.extend(sorted.iter().flat_map(PackedNumbers::steps));
            sorted.sort_by_key(PackedNumbers::steps);
            let (mut large, mut small) = (Vec::new(), Vec::new());
            for numbers in sorted {
                match numbers {
                    PackedNumbers::Sixteen(row) => large.push(row),
                    PackedNumbers::Eight(row, _) => small.push(row),
                }
            }
            for part in 0..2 {
                for lane in 0..LANES {
                    body.extend(large.iter().map(|row| row[lane].to_le_bytes()[part]));
                }
            }
            for rows in small.chunks(ROWS_BY_LANES) {
                for lane in 0..LANES {
                    body.extend(rows.iter().map(|row| row[lane] as u8));
                }
            }
        }
    }
    if weights.net.has_spans() {
        let rows = weights.net.spans();
        let is_exact = encoding == NumberSize::Sixteen || weights.net.is_packed();
        let rows = if is_exact { rows.into() } else { Cow::from(spans::packed(rows, LEAST_STEP)) };
        let step = if encoding == NumberSize::Sixteen { None } else { spans::exact_step(&rows) };
        add_spans(&mut body, &rows, step);
    }
    body
}

/// Adds the numbers of spans lane by lane: in 8 bits if there is a step, else in 16.
fn add_spans(body: &mut Vec<u8>, rows: &[[i16; OUTPUTS]], step: Option<i16>) {
    if let Some(step) = step {
        body.push(OF_8);
        body.extend(step.to_le_bytes());
        for lane in 0..OUTPUTS {
            body.extend(rows.iter().map(|row| narrow(row[lane], step) as u8));
        }
        return;
    }
    body.push(OF_16);
    add_lanes(body, rows.iter());
}

/// Adds numbers of 16 bits lane by lane: of each lane all low bytes, then all high ones.
fn add_lanes<'a, const WIDTH: usize>(body: &mut Vec<u8>, rows: impl Iterator<Item = &'a [i16; WIDTH]> + Clone) {
    for lane in 0..WIDTH {
        for part in 0..2 {
            body.extend(rows.clone().map(|row| row[lane].to_le_bytes()[part]));
        }
    }
}

fn deflated(body: &[u8]) -> Vec<u8> {
    let mut deflate = Deflate::new(BEST, false, WINDOW_BITS);
    // What cannot be deflated grows by five bytes in 16,000.
    let mut bytes = vec![0; body.len() + body.len() / 1000 + 1024];
    let status = deflate.compress(body, &mut bytes, DeflateFlush::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all");
    bytes.truncate(deflate.total_out() as usize);
    bytes
}

fn packed_by_lzma(body: &[u8]) -> Vec<u8> {
    let options = LzmaOptions::with_preset(LZMA_PRESET);
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(body.len() as u64)).expect("sound options");
    writer.write_all(body).and_then(|()| writer.finish()).expect("memory can be written")
}

/// Do these bytes begin like a weights file of a net?
pub fn are(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads the weights from the bytes of a file; of several nets the first.
///
/// # Errors
/// When they are not weights, of another version or shape, cut off or damaged.
pub fn read(bytes: &[u8]) -> Result<TrainedNet, Error> {
    read_one(set::first(bytes)?)
}

fn read_one(bytes: &[u8]) -> Result<TrainedNet, Error> {
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
struct Reader<R>(R);

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
    fn weights(mut self, version: u8) -> Result<TrainedNet, Problem> {
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

mod set;
#[cfg(test)]
mod tests;

pub use set::{embedded_set, join, read_all, read_set};
