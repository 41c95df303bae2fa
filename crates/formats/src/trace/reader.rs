//! Reads traces.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::header::{MAGIC, TraceHeader, hex_byte};
use super::row::{FIELDS, TraceRow, WORK};
use crate::Error;
use crate::text::{Capped, TextLines};
use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::game::memory::address::PLAYER;
use maxout_engine::gamepad::Buttons;

/// Most bytes of the lines above the rows. A trace that this program writes has 2 KB. Chosen by hand,
/// not measured.
const MAX_HEADER: usize = 1024 * 1024;
/// The most that is read of a trace, uncompressed: 16 times the longest of the recordings of the
/// original. Chosen by hand, not measured.
const MAX_BYTES: u64 = 512 * 1024 * 1024;
/// Most lines among the rows that are empty or comments. Chosen by hand, not measured.
const MAX_SKIPPED: u32 = 100_000;
/// The largest window of a compressed trace, which is in memory while it is read. zstd takes 8 MiB at
/// level 19.
const MAX_WINDOW: u64 = 64 * 1024 * 1024;

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
    lines: TextLines<BufReader<Box<dyn Read>>>,
    header: TraceHeader,
    row: TraceRow,
    /// The first row, read while looking for the end of the header.
    pending: Option<String>,
    started: bool,
    work_differs: bool,
    /// Lines that were skipped.
    skipped: u32,
}

impl TraceReader {
    /// Opens a trace; a name that ends in `.zst` means compressed.
    ///
    /// # Errors
    /// When the file cannot be read or its header is not that of a trace.
    pub fn open(path: impl AsRef<Path>) -> Result<TraceReader, Error> {
        let path = path.as_ref();
        let io_error = |source| Error::Read { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(io_error)?);
        // What the system refuses, it refuses here: the decoder would hide its words.
        file.fill_buf().map_err(io_error)?;
        if path.extension().is_some_and(|extension| extension == "zst") {
            let decoder = StreamingDecoder::new_with_max_window_size(file, MAX_WINDOW);
            let decoder = decoder.map_err(|error| io_error(unpacking(&error)))?;
            TraceReader::new(path, Unpacked(decoder))
        } else {
            TraceReader::new(path, file)
        }
    }

    /// Reads a trace's text; errors show `name`.
    ///
    /// # Errors
    /// When the text cannot be read or its header is not that of a trace.
    pub fn new(name: impl AsRef<Path>, text: impl Read + 'static) -> Result<TraceReader, Error> {
        let text: Box<dyn Read> = Box::new(Capped { input: text, left: MAX_BYTES });
        let mut lines = TextLines::new(name.as_ref(), BufReader::new(text));
        let mut length = 0;
        let mut header = TraceHeader::default();
        let (mut pending, mut has_magic) = (None, false);
        while let Some(line) = lines.next()?.map(Cow::into_owned) {
            length += line.len() + 1;
            if length > MAX_HEADER {
                return Err(
                    lines.error(format!("expected at most {MAX_HEADER} bytes before the first row, found more"))
                );
            }
            let Some(entry) = line.strip_prefix('#') else {
                if line.trim().is_empty() {
                    continue;
                }
                if lines.is_cut() {
                    lines.warn_of_cut();
                } else {
                    pending = Some(line);
                }
                break;
            };
            let entry = entry.trim();
            if !has_magic && entry != MAGIC {
                return Err(lines.error(format!("expected the first line \"# {MAGIC}\", found \"# {entry}\"")));
            }
            has_magic = true;
            header.read_entry(entry).map_err(|message| lines.error(message))?;
        }
        if !has_magic {
            return Err(lines.error(format!("expected the first line \"# {MAGIC}\"")));
        }
        if pending.is_some() && header.columns.is_empty() {
            return Err(lines.error("expected a \"# columns frame in busy ...\" line before the first row".to_owned()));
        }
        let row =
            TraceRow { frame: 0, buttons: Buttons::NONE, busy: false, ram: [0; RAM_SIZE], known: [false; RAM_SIZE] };
        Ok(TraceReader { lines, header, row, pending, started: false, work_differs: false, skipped: 0 })
    }

    /// The header above the rows.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// The next row, `None` after the last.
    ///
    /// # Errors
    /// When the text cannot be read or a row is malformed; reading cannot go on then.
    pub fn next_row(&mut self) -> Result<Option<&TraceRow>, Error> {
        loop {
            let line = match self.pending.take() {
                Some(line) => line,
                None => match self.lines.next()? {
                    Some(line) => line.into_owned(),
                    None => return Ok(None),
                },
            };
            if line.trim().is_empty() || line.starts_with('#') {
                self.skipped += 1;
                if self.skipped > MAX_SKIPPED {
                    return Err(self.lines.error(format!("expected rows, found {MAX_SKIPPED} lines without one")));
                }
                continue;
            }
            // The fields at the end of a row may be missing, so half a row may look whole.
            if self.lines.is_cut() {
                self.lines.warn_of_cut();
                return Ok(None);
            }
            self.read_row(&line).map_err(|message| self.lines.error(message))?;
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

/// A compressed trace as text. The errors of the decoder are in words.
struct Unpacked<R: Read>(StreamingDecoder<R, FrameDecoder>);

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to).map_err(|error| match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(inner) => unpacking(inner),
            None => error,
        })
    }
}

/// A decoder's error in words: its own ones are for programmers.
fn unpacking(error: &FrameDecoderError) -> io::Error {
    let words = match error {
        FrameDecoderError::WindowSizeTooBig { requested, .. } => {
            format!("expected a window of at most {MAX_WINDOW} bytes, found {requested}; compress it without --long")
        }
        FrameDecoderError::ReadFrameHeaderError(_) => "expected a Zstandard file, found another".to_owned(),
        _ => "it is damaged or cut off".to_owned(),
    };
    io::Error::new(ErrorKind::InvalidData, words)
}
