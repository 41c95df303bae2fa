//! Golden traces: what the console held in RAM at the end of every frame, as text.
//!
//! A trace is plain text or the same as `.zst`. Lines that begin with `#` are the header; its
//! `columns` line names the addresses that the rows list. A row is one frame: its number,
//! the buttons held in it, whether the CPU was busy at the sample, one hex byte a column, and
//! after that the *fields*, ranges of RAM that are listed when they changed:
//!
//! | field | RAM |
//! | --- | --- |
//! | `P` | `$0400-$04C7`, the playfield |
//! | `G` | `$04C8-$04FF`, the hidden rows |
//! | `S` | `$03F0-$03FD`, the piece statistics |
//! | `H` | `$0700-$0754`, the high scores |
//! | `W` | `$40-$5A`, the working copy, while it differs from `$60-$7A`; empty when equal again |
//!
//! [`TraceReader`] keeps one row and one RAM image, however long the trace is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;

use super::Error;
use maxout_engine::game::memory::address::{
    BELOW_PLAYFIELD, GAME_MODE, GAME_MODE_STATE, HIGH_SCORE_NAMES, PAGE, PLAYER, PLAYER_USED, PLAYFIELD, RENDER_MODE,
    STATISTICS, STATISTICS_SIZE, WARM_MARK, WARM_MARK_SIZE, WORKING_COPY,
};
use maxout_engine::game::memory::{GameMode, GameModeState, RAM_SIZE, RenderMode};
use maxout_engine::gamepad::Buttons;

/// The longest line that is read; rows of known traces stay below 2 KiB.
const MAX_LINE: u64 = 64 * 1024;
/// First word of the header.
const MAGIC: &str = "nes-tetris-trace 1";

/// A range of RAM that rows list when it changed.
struct Field {
    letter: &'static str,
    address: usize,
    length: usize,
}

const FIELDS: [Field; 4] = [
    Field { letter: "S", address: STATISTICS, length: STATISTICS_SIZE },
    Field { letter: "H", address: HIGH_SCORE_NAMES, length: WARM_MARK + WARM_MARK_SIZE - HIGH_SCORE_NAMES },
    Field { letter: "P", address: PLAYFIELD, length: BELOW_PLAYFIELD - PLAYFIELD },
    Field { letter: "G", address: BELOW_PLAYFIELD, length: PLAYFIELD + PAGE - BELOW_PLAYFIELD },
];
/// The working copy, and the block that it usually equals.
const WORK: Field = Field { letter: "W", address: WORKING_COPY, length: PLAYER_USED };

/// A byte that was overwritten after the row of `frame` had been sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poke {
    /// After this frame's sample.
    pub frame: u64,
    /// RAM address.
    pub address: u16,
    /// The new byte.
    pub value: u8,
}

/// One address that every row lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// RAM address.
    pub address: u16,
    /// Its name, for people.
    pub name: String,
}

/// What stands above the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// Every `# key value` line but pokes and columns, in order.
    pub entries: Vec<(String, String)>,
    /// In the order of the file.
    pub pokes: Vec<Poke>,
    /// In row order.
    pub columns: Vec<Column>,
}

impl Header {
    /// The value of the first entry with this key.
    pub fn entry(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The name of an address, as far as a column has it.
    pub fn name(&self, address: u16) -> Option<&str> {
        self.columns.iter().find(|column| column.address == address).map(|column| column.name.as_str())
    }

    /// The pokes after the sample of `frame`, in order.
    pub fn pokes_after(&self, frame: u64) -> impl Iterator<Item = Poke> + '_ {
        self.pokes.iter().copied().filter(move |poke| poke.frame == frame)
    }
}

/// One frame of a trace.
#[derive(Clone)]
pub struct Row {
    /// The frame, from 0 at power-on.
    pub frame: u64,
    /// Buttons held in this frame.
    pub buttons: Buttons,
    /// At the sample the CPU was not waiting for the next frame.
    pub busy: bool,
    /// RAM as far as it is [`known`](Row::known); zero elsewhere.
    pub ram: [u8; RAM_SIZE],
    known: [bool; RAM_SIZE],
}

impl Row {
    /// Does the trace say what this address holds?
    pub fn known(&self, address: u16) -> bool {
        self.known.get(usize::from(address)).copied().unwrap_or(false)
    }

    /// All addresses of which the trace says what they hold, with their bytes.
    pub fn known_bytes(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        (0..RAM_SIZE).filter(|&address| self.known[address]).map(|address| (address as u16, self.ram[address]))
    }

    /// Is it the sample of a gameplay frame or of a pause, from which the rules model can go on?
    pub fn is_in_game(&self) -> bool {
        let mode = GameMode::from_byte(self.ram[GAME_MODE]);
        let state = GameModeState::from_byte(self.ram[GAME_MODE_STATE]);
        let render = RenderMode::from_byte(self.ram[RENDER_MODE]);
        let runs = matches!(
            (state, render),
            (Some(GameModeState::Running), Some(RenderMode::Play))
                | (Some(GameModeState::PauseCheck), Some(RenderMode::Still | RenderMode::Play))
        );
        mode == Some(GameMode::Play) && !self.busy && runs
    }

    fn set(&mut self, address: usize, bytes: &[u8]) {
        self.ram[address..address + bytes.len()].copy_from_slice(bytes);
        self.known[address..address + bytes.len()].fill(true);
    }
}

/// Reads a trace row by row.
///
/// ```
/// use maxout_formats::trace::TraceReader;
///
/// let text = "# nes-tetris-trace 1\n# columns frame in busy 17:rng0\n0 10 0 89 S=\n";
/// let mut reader = TraceReader::new("example", text.as_bytes()).unwrap();
/// let error = reader.next_row().err().unwrap();
/// assert_eq!(error.to_string(), "example:3: field S: expected 28 hex digits, found 0");
/// ```
pub struct TraceReader {
    lines: Lines,
    header: Header,
    row: Row,
    /// The first row, read while looking for the end of the header.
    pending: Option<String>,
    started: bool,
    work_differs: bool,
}

impl TraceReader {
    /// Opens a trace; a name that ends in `.zst` means compressed.
    ///
    /// # Errors
    /// When the file cannot be read or its header is not that of a trace.
    pub fn open(path: impl AsRef<Path>) -> Result<TraceReader, Error> {
        let path = path.as_ref();
        let io_error = |source| Error::Io { path: path.to_owned(), source };
        let file = BufReader::new(File::open(path).map_err(io_error)?);
        if path.extension().is_some_and(|extension| extension == "zst") {
            let decoder = StreamingDecoder::new(file).map_err(|error| io_error(io::Error::other(error.to_string())))?;
            TraceReader::new(path, decoder)
        } else {
            TraceReader::new(path, file)
        }
    }

    /// Reads a trace's text; `name` is what errors call it.
    ///
    /// # Errors
    /// When the text cannot be read or its header is not that of a trace.
    pub fn new(name: impl AsRef<Path>, text: impl Read + 'static) -> Result<TraceReader, Error> {
        let mut lines = Lines { path: name.as_ref().to_owned(), source: BufReader::new(Box::new(text)), number: 0 };
        let mut header = Header::default();
        let mut pending = None;
        while let Some(line) = lines.next()? {
            let Some(entry) = line.strip_prefix('#') else {
                if line.trim().is_empty() {
                    continue;
                }
                pending = Some(line);
                break;
            };
            let entry = entry.trim();
            if lines.number == 1 && entry != MAGIC {
                return Err(lines.syntax(format!("expected the first line \"# {MAGIC}\", found \"# {entry}\"")));
            }
            header.read_entry(entry).map_err(|message| lines.syntax(message))?;
        }
        if header.entries.is_empty() {
            return Err(lines.syntax(format!("expected the first line \"# {MAGIC}\"")));
        }
        if pending.is_some() && header.columns.is_empty() {
            return Err(lines.syntax("expected a \"# columns frame in busy ...\" line before the first row".to_owned()));
        }
        let row = Row { frame: 0, buttons: Buttons::NONE, busy: false, ram: [0; RAM_SIZE], known: [false; RAM_SIZE] };
        Ok(TraceReader { lines, header, row, pending, started: false, work_differs: false })
    }

    /// What stands above the rows.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next row, `None` after the last.
    ///
    /// # Errors
    /// When the text cannot be read or a row is malformed; reading cannot go on then.
    pub fn next_row(&mut self) -> Result<Option<&Row>, Error> {
        loop {
            let line = match self.pending.take() {
                Some(line) => line,
                None => match self.lines.next()? {
                    Some(line) => line,
                    None => return Ok(None),
                },
            };
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            self.read_row(&line).map_err(|message| self.lines.syntax(message))?;
            return Ok(Some(&self.row));
        }
    }

    fn read_row(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let mut word = |what: &str| words.next().ok_or_else(|| format!("the row ends where {what} is expected"));
        let frame = word("the frame number")?;
        let frame: u64 = frame.parse().map_err(|_| format!("expected a frame number, found {frame:?}"))?;
        if self.started && frame != self.row.frame.wrapping_add(1) {
            return Err(format!("expected frame {}, found frame {frame}", self.row.frame.wrapping_add(1)));
        }
        self.started = true;
        self.row.frame = frame;
        self.row.buttons = Buttons::from_bits(hex_byte(word("the buttons")?)?);
        self.row.busy = match word("the busy mark")? {
            "0" => false,
            "1" => true,
            other => return Err(format!("expected the busy mark 0 or 1, found {other:?}")),
        };
        for column in &self.header.columns {
            let byte = hex_byte(word(&column.name)?).map_err(|message| format!("column {}: {message}", column.name))?;
            self.row.set(usize::from(column.address), &[byte]);
        }
        for field in words {
            self.read_field(field)?;
        }
        if !self.work_differs {
            self.row.ram.copy_within(PLAYER..PLAYER + WORK.length, WORK.address);
            self.row.known.copy_within(PLAYER..PLAYER + WORK.length, WORK.address);
        }
        Ok(())
    }

    fn read_field(&mut self, text: &str) -> Result<(), String> {
        let (letter, digits) =
            text.split_once('=').ok_or_else(|| format!("expected a field like P=..., found {text:?}"))?;
        if letter == WORK.letter {
            self.work_differs = !digits.is_empty();
            if !self.work_differs {
                return Ok(());
            }
        }
        let field = FIELDS
            .iter()
            .chain([&WORK])
            .find(|field| field.letter == letter)
            .ok_or_else(|| format!("unknown field {letter:?}"))?;
        if digits.len() != 2 * field.length || !digits.is_ascii() {
            return Err(format!("field {letter}: expected {} hex digits, found {}", 2 * field.length, digits.len()));
        }
        for index in 0..field.length {
            let byte =
                hex_byte(&digits[2 * index..2 * index + 2]).map_err(|message| format!("field {letter}: {message}"))?;
            self.row.set(field.address + index, &[byte]);
        }
        Ok(())
    }
}

impl Header {
    fn read_entry(&mut self, entry: &str) -> Result<(), String> {
        let (key, value) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let value = value.trim();
        match key {
            "poke" => self.pokes.push(read_poke(value)?),
            "columns" => self.columns = read_columns(value)?,
            _ => self.entries.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }
}

fn read_poke(text: &str) -> Result<Poke, String> {
    let malformed = || format!("expected \"poke FRAME ADDRESS=VALUE\", found \"poke {text}\"");
    let (frame, assignment) = text.split_once(' ').ok_or_else(malformed)?;
    let (address, value) = assignment.trim().split_once('=').ok_or_else(malformed)?;
    Ok(Poke {
        frame: frame.parse().map_err(|_| malformed())?,
        address: hex_address(address).ok_or_else(malformed)?,
        value: hex_byte(value).map_err(|_| malformed())?,
    })
}

fn read_columns(text: &str) -> Result<Vec<Column>, String> {
    let mut words = text.split_ascii_whitespace();
    for expected in ["frame", "in", "busy"] {
        if words.next() != Some(expected) {
            return Err("expected the columns to begin with \"frame in busy\"".to_owned());
        }
    }
    words
        .map(|word| {
            let malformed = || format!("expected a column like 17:rng0, found {word:?}");
            let (address, name) = word.split_once(':').ok_or_else(malformed)?;
            let address = hex_address(address).ok_or_else(malformed)?;
            Ok(Column { address, name: name.to_owned() })
        })
        .collect()
}

fn hex_byte(text: &str) -> Result<u8, String> {
    let digits = text.len() <= 2 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = if digits { u8::from_str_radix(text, 16).ok() } else { None };
    byte.ok_or_else(|| format!("expected a hex byte, found {text:?}"))
}

/// An address inside work RAM.
fn hex_address(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let address = if digits { u16::from_str_radix(text, 16).ok()? } else { return None };
    (usize::from(address) < RAM_SIZE).then_some(address)
}

/// Lines of text, each bounded in length.
struct Lines {
    path: PathBuf,
    source: BufReader<Box<dyn Read>>,
    number: u64,
}

impl Lines {
    fn next(&mut self) -> Result<Option<String>, Error> {
        let mut bytes = Vec::new();
        let limited = &mut (&mut self.source).take(MAX_LINE);
        limited.read_until(b'\n', &mut bytes).map_err(|source| Error::Io { path: self.path.clone(), source })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            return Err(self.syntax(format!("the line is longer than {MAX_LINE} bytes")));
        }
        let mut text = String::from_utf8(bytes).map_err(|_| self.syntax("the line is not UTF-8 text".to_owned()))?;
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
        Ok(Some(text))
    }

    fn syntax(&self, message: String) -> Error {
        Error::Syntax { path: self.path.clone(), line: self.number.max(1), message }
    }
}

/// Writes a trace as plain text; fields are listed when they change.
pub struct TraceWriter<W: Write> {
    output: W,
    columns: Vec<Column>,
    next_frame: u64,
    last: Option<Box<[u8; RAM_SIZE]>>,
    work_differed: bool,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header. Addresses of columns outside work RAM repeat every 2048 bytes.
    ///
    /// # Errors
    /// When `output` fails.
    pub fn new(mut output: W, header: &Header) -> io::Result<TraceWriter<W>> {
        let (family, version) = MAGIC.split_once(' ').expect("the magic has two words");
        if header.entries.first() != Some(&(family.to_owned(), version.to_owned())) {
            writeln!(output, "# {MAGIC}")?;
        }
        for (key, value) in &header.entries {
            writeln!(output, "# {key} {value}")?;
        }
        for poke in &header.pokes {
            writeln!(output, "# poke {} {:04x}={:02x}", poke.frame, poke.address, poke.value)?;
        }
        write!(output, "# columns frame in busy")?;
        for column in &header.columns {
            write!(output, " {:02x}:{}", column.address, column.name)?;
        }
        writeln!(output)?;
        let columns = header.columns.clone();
        Ok(TraceWriter { output, columns, next_frame: 0, last: None, work_differed: false })
    }

    /// Writes the next frame's row.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write(&mut self, buttons: Buttons, busy: bool, ram: &[u8; RAM_SIZE]) -> io::Result<()> {
        write!(self.output, "{} {:02x} {}", self.next_frame, buttons.bits(), u8::from(busy))?;
        for column in &self.columns {
            write!(self.output, " {:02x}", ram[usize::from(column.address) % RAM_SIZE])?;
        }
        for field in &FIELDS {
            let range = field.address..field.address + field.length;
            if self.last.as_ref().is_none_or(|last| last[range.clone()] != ram[range.clone()]) {
                write_field(&mut self.output, field.letter, &ram[range])?;
            }
        }
        let work = &ram[WORK.address..WORK.address + WORK.length];
        let differs = *work != ram[PLAYER..PLAYER + WORK.length];
        if differs {
            write_field(&mut self.output, WORK.letter, work)?;
        } else if self.work_differed {
            write_field(&mut self.output, WORK.letter, &[])?;
        }
        self.work_differed = differs;
        match &mut self.last {
            Some(last) => **last = *ram,
            None => self.last = Some(Box::new(*ram)),
        }
        self.next_frame += 1;
        writeln!(self.output)
    }

    /// Flushes and gives the output back.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

fn write_field(output: &mut impl Write, letter: &str, bytes: &[u8]) -> io::Result<()> {
    write!(output, " {letter}=")?;
    bytes.iter().try_for_each(|byte| write!(output, "{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "# nes-tetris-trace 1\n# name example\n# poke 1 0064=1c\n# columns frame in busy 17:rng0 61:y\n";

    fn error(text: &str) -> String {
        let text = text.to_owned();
        let result = TraceReader::new("trace", io::Cursor::new(text)).and_then(|mut reader| {
            while reader.next_row()?.is_some() {}
            Ok(())
        });
        result.expect_err("the text is refused").to_string()
    }

    #[test]
    fn columns_and_fields_become_ram() {
        let text = format!("{HEADER}0 80 1 89 05 S={}\n1 00 0 44 06\n", "01".repeat(14));
        let mut reader = TraceReader::new("trace", io::Cursor::new(text)).unwrap();
        assert_eq!(reader.header().entry("name"), Some("example"));
        assert_eq!(reader.header().name(0x17), Some("rng0"));
        let pokes: Vec<_> = reader.header().pokes_after(1).collect();
        assert_eq!(pokes, [Poke { frame: 1, address: 0x64, value: 0x1C }]);
        let row = reader.next_row().unwrap().unwrap();
        assert_eq!((row.frame, row.buttons, row.busy), (0, Buttons::A, true));
        let row = reader.next_row().unwrap().unwrap();
        assert_eq!((row.ram[0x17], row.ram[0x61], row.ram[0x3F0]), (0x44, 6, 1));
        assert!(row.known(0x3FD) && !row.known(0x3FE) && !row.known(0x60));
        assert!(reader.next_row().unwrap().is_none());
    }

    #[test]
    fn the_working_copy_equals_the_block_while_it_is_not_listed() {
        let text = format!("{HEADER}0 00 0 00 05 W={}\n1 00 0 00 06\n2 00 0 00 07 W=\n", "aa".repeat(27));
        let mut reader = TraceReader::new("trace", io::Cursor::new(text)).unwrap();
        let mut copies = Vec::new();
        while let Some(row) = reader.next_row().unwrap() {
            copies.push((row.ram[0x41], row.known(0x42)));
        }
        assert_eq!(copies, [(0xAA, true), (0xAA, true), (7, false)]);
    }

    #[test]
    fn what_is_refused_is_named_with_its_line() {
        for (text, expected) in [
            (String::new(), "trace:1: expected the first line"),
            ("0 00 0\n".to_owned(), "trace:1: expected the first line"),
            ("# something else\n".to_owned(), "trace:1: expected the first line"),
            ("# nes-tetris-trace 1\n0 00 0\n".to_owned(), "trace:2: expected a \"# columns"),
            (HEADER.replace("17:rng0", "17"), "trace:4: expected a column like 17:rng0, found \"17\""),
            (HEADER.replace("17:rng0", "800:rng0"), "trace:4: expected a column like"),
            (HEADER.replace("1 0064", "x 0064"), "trace:3: expected \"poke FRAME ADDRESS=VALUE\""),
            (format!("{HEADER}0 00 0 89"), "trace:5: the row ends where y is expected"),
            (format!("{HEADER}0 00 2 89 05"), "trace:5: expected the busy mark 0 or 1, found \"2\""),
            (format!("{HEADER}0 00 0 xx 05"), "trace:5: column rng0: expected a hex byte, found \"xx\""),
            (format!("{HEADER}0 00 0 00 05\n2 00 0 00 05"), "trace:6: expected frame 1, found frame 2"),
            (format!("{HEADER}0 00 0 00 05 Q=00"), "trace:5: unknown field \"Q\""),
            (format!("{HEADER}0 00 0 00 05 00"), "trace:5: expected a field like P=..., found \"00\""),
            (format!("{HEADER}0 00 0 00 05 S=00"), "trace:5: field S: expected 28 hex digits, found 2"),
            (format!("{HEADER}0 00 0 00 05 S={}", "+1".repeat(14)), "trace:5: field S: expected a hex byte"),
            (format!("{HEADER}{}", "0".repeat(100_000)), "trace:5: the line is longer than"),
        ] {
            let error = error(&text);
            assert!(error.starts_with(expected), "{error:?} does not start with {expected:?}");
        }
    }

    #[test]
    fn a_damaged_archive_is_an_error() {
        let path = std::env::temp_dir().join(format!("maxout-damaged-{}.zst", std::process::id()));
        std::fs::write(&path, b"not an archive").unwrap();
        let error = TraceReader::open(&path).err().map(|error| error.to_string());
        std::fs::remove_file(&path).unwrap();
        assert!(error.unwrap().contains(path.to_str().unwrap()));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut ram = [0; RAM_SIZE];
        let column = Column { address: 0x17, name: "rng0".to_owned() };
        let header = Header {
            entries: vec![("nes-tetris-trace".to_owned(), "1".to_owned()), ("name".to_owned(), "again".to_owned())],
            pokes: vec![Poke { frame: 2, address: 0x400, value: 0x7B }],
            columns: vec![column],
        };
        let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
        let mut samples = Vec::new();
        for frame in 0..20_u8 {
            ram[0x17] = frame;
            ram[0x3F0 + usize::from(frame % 3)] ^= frame;
            ram[0x400 + usize::from(frame) * 10] = frame;
            ram[0x40] = u8::from(frame % 5 == 0);
            writer.write(Buttons::from_bits(frame), frame == 7, &ram).unwrap();
            samples.push(ram);
        }
        let text = writer.finish().unwrap();
        let mut reader = TraceReader::new("again", io::Cursor::new(text)).unwrap();
        assert_eq!(reader.header(), &header);
        for (frame, ram) in samples.iter().enumerate() {
            let row = reader.next_row().unwrap().unwrap();
            assert_eq!((row.frame, row.busy), (frame as u64, frame == 7));
            assert_eq!(usize::from(row.buttons.bits()), frame);
            for (address, byte) in row.known_bytes() {
                assert_eq!(byte, ram[usize::from(address)], "frame {frame} ${address:03X}");
            }
            assert!(row.known(0x4FF) && row.known(0x754));
        }
        assert!(reader.next_row().unwrap().is_none());
    }
}
