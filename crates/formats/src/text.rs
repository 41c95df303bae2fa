//! Input files as bytes and lines, with a limit to everything: a file may come from anywhere.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::Error;
use super::members::{GZIP, Members};
use maxout_engine::text;

/// The longest line that is read, in bytes, so that a file without line ends does not fill the
/// memory. A row that this program writes has about 180 bytes. Chosen by hand, not measured.
pub(super) const MAX_LINE: u64 = 64 * 1024;
/// The most that is read of a file, uncompressed: some twelve hours of a frame log. Chosen by hand,
/// not measured.
pub(super) const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Most lines of a file: 38 hours of frames. Such a movie takes 60 MB of memory. Chosen by hand, not
/// measured.
pub(super) const MAX_LINES: u64 = 1 << 23;

/// The byte order mark with which some editors begin a text in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes of a file, decompressed if they begin like gzip; errors show `path`.
pub(super) fn unpacked(path: &Path, mut file: impl BufRead + 'static) -> Result<Box<dyn BufRead>, Error> {
    let read = |source| Error::Read { path: path.to_owned(), source };
    Ok(if file.fill_buf().map_err(read)?.starts_with(&GZIP) {
        let input = Unpacked { path: path.to_owned(), input: Members::of(path, file) };
        Box::new(BufReader::new(Capped { input, left: MAX_BYTES }))
    } else {
        Box::new(BufReader::new(Capped { input: file, left: MAX_BYTES }))
    })
}

/// A gzip file, which may be cut off: what is before that is read.
struct Unpacked<R> {
    path: PathBuf,
    input: Members<R>,
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).or_else(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                log::warn!(
                    "{}: the file is cut off, as after a kill; what is before that is read",
                    self.path.display()
                );
                Ok(0)
            }
            _ => Err(error),
        })
    }
}

/// Input that fails where it is longer than it may be, instead of filling the memory.
pub(super) struct Capped<R> {
    pub input: R,
    pub left: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.left = self.left.checked_sub(length as u64).ok_or_else(|| {
            io::Error::new(io::ErrorKind::FileTooLarge, "longer, uncompressed, than any file of this kind")
        })?;
        Ok(length)
    }
}

/// The lines of a text, numbered from 1.
pub(super) struct TextLines<R> {
    path: PathBuf,
    text: R,
    number: u64,
    bytes: Vec<u8>,
    /// The last line has no line end.
    is_cut: bool,
    is_gzip: bool,
}

impl TextLines<Box<dyn BufRead>> {
    /// Opens a file; one that begins like gzip is decompressed.
    pub(super) fn open(path: &Path) -> Result<TextLines<Box<dyn BufRead>>, Error> {
        let read = |source| Error::Read { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(read)?);
        let is_gzip = file.fill_buf().map_err(read)?.starts_with(&GZIP);
        Ok(TextLines { is_gzip, ..TextLines::new(path, unpacked(path, file)?) })
    }
}

impl<R: BufRead> TextLines<R> {
    pub(super) fn new(path: &Path, text: R) -> TextLines<R> {
        TextLines { path: path.to_owned(), text, number: 0, bytes: Vec::new(), is_cut: false, is_gzip: false }
    }

    /// The next line without its end, `None` after the last. What is not UTF-8 is replaced:
    /// comments may be in any encoding, the rest is ASCII.
    pub(super) fn next(&mut self) -> Result<Option<Cow<'_, str>>, Error> {
        self.bytes.clear();
        Read::take(&mut self.text, MAX_LINE)
            .read_until(b'\n', &mut self.bytes)
            .map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if self.number > MAX_LINES {
            return Err(self.error(format!("expected at most {MAX_LINES} lines, found more")));
        }
        if self.bytes.len() as u64 == MAX_LINE {
            return Err(self.error(format!("expected a line of less than {MAX_LINE} bytes, found a longer one")));
        }
        if self.number == 1 && self.bytes.starts_with(MARK) {
            self.bytes.drain(..MARK.len());
        }
        self.is_cut = self.bytes.last() != Some(&b'\n');
        while self.bytes.pop_if(|byte| matches!(byte, b'\r' | b'\n')).is_some() {}
        Ok(Some(String::from_utf8_lossy(&self.bytes)))
    }

    /// Reads what is left, for its checksum alone.
    pub(super) fn skip_rest(mut self) -> Result<(), Error> {
        io::copy(&mut self.text, &mut io::sink()).map_err(|source| Error::Read { path: self.path, source })?;
        Ok(())
    }

    /// Number of the line that [`TextLines::next`] gave last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Does that line lack its end? Then it is the last one, and may be half a row.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Warns that this line is left out because it is half a row.
    pub(super) fn warn_of_cut(&self) {
        log::warn!(
            "{}:{}: the last row is cut off, as after a full disk or a kill; it is left out",
            self.path.display(),
            self.number
        );
    }

    /// An error: that line is of a run that writes RAM.
    pub(super) fn cheats(&self) -> Error {
        Error::Cheats { path: self.path.clone(), line: self.number.max(1) }
    }

    /// An error in that line, or the damage of a gzip file that made it. Nothing can be read after it.
    pub(super) fn fault(&mut self, message: String) -> Error {
        let rest = if self.is_gzip { io::copy(&mut self.text, &mut io::sink()) } else { Ok(0) };
        match rest {
            Err(source) if matches!(source.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) => {
                Error::Read { path: self.path.clone(), source }
            }
            _ => self.error(message),
        }
    }

    /// An error in that line.
    pub(super) fn error(&self, message: String) -> Error {
        Error::Syntax { path: self.path.clone(), line: self.number.max(1), message: clipped(message) }
    }
}

/// A text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// A message of at most 300 characters, because it may quote a long line. The limit was chosen by
/// hand, not measured.
pub(super) fn clipped(message: String) -> String {
    text::shortened(&message, 300).into_owned()
}

/// What was found in place of something else, for an error: at most 60 characters of it.
pub(super) fn shortened(found: &str) -> String {
    text::shortened(found, 60).into_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let mut lines = TextLines::new(Path::new("x"), text);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(line.into_owned());
        }
        all
    }

    #[test]
    fn lines_end_in_any_way_and_the_last_may_have_no_end() {
        assert_eq!(lines(b"a\r\n\nb\n\xFFc"), ["a", "", "b", "\u{FFFD}c"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_left_out() {
        assert_eq!(lines(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb"), ["a", "\u{FEFF}b"]);
    }

    #[test]
    fn an_endless_line_is_refused_with_its_number() {
        let text = [b"a\n".to_vec(), vec![b'x'; 2 * MAX_LINE as usize]].concat();
        let mut lines = TextLines::new(Path::new("x"), &text[..]);
        lines.next().unwrap();
        assert!(lines.next().unwrap_err().to_string().starts_with("x:2: expected a line of less"));
    }

    #[test]
    fn a_line_has_less_than_64_kibibytes_with_its_end_and_a_file_at_most_eight_million_lines() {
        let line = |length: usize| [vec![b'x'; length - 1], b"\n".to_vec()].concat();
        assert_eq!(lines(&line(65_535))[0].len(), 65_534);
        let error = TextLines::new(Path::new("x"), &line(65_536)[..]).next().unwrap_err().to_string();
        assert_eq!(error, "x:1: expected a line of less than 65536 bytes, found a longer one");
        let mut many = TextLines::new(Path::new("x"), &b"last\none more\n"[..]);
        many.number = (1 << 23) - 1;
        assert_eq!(many.next().unwrap().as_deref(), Some("last"));
        let error = many.next().unwrap_err().to_string();
        assert_eq!(error, "x:8388609: expected at most 8388608 lines, found more");
    }

    #[test]
    fn a_line_knows_its_number_and_whether_it_has_an_end() {
        let mut text = TextLines::new(Path::new("x"), &b"a\nb\nc"[..]);
        let mut seen = vec![(text.number(), text.is_cut())];
        while text.next().unwrap().is_some() {
            seen.push((text.number(), text.is_cut()));
        }
        assert_eq!(seen, [(0, false), (1, false), (2, false), (3, true)]);
    }

    #[test]
    fn what_is_before_the_cut_of_a_compressed_file_is_read_and_a_damaged_one_refused() {
        // More than a mebibyte, and nothing that can be packed well: a byte of each of the first numbers' squares.
        let content: Vec<u8> = (0..1_500_000_u32).map(|number| (number.wrapping_mul(number) >> 7) as u8).collect();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&content).unwrap();
        let packed = gzip.finish().unwrap();
        let read = |bytes: &[u8]| {
            let mut found = Vec::new();
            let file = io::Cursor::new(bytes.to_vec());
            unpacked(Path::new("x"), file).unwrap().read_to_end(&mut found).map(|_| found)
        };
        assert!(read(&packed).unwrap() == content && read(&content).unwrap() == content);
        let cut = read(&packed[..packed.len() / 2]).unwrap();
        assert!(cut.len() > 1000 && content.starts_with(&cut));
        let mut damaged = packed;
        let crc = damaged.len() - 8;
        damaged[crc] ^= 1;
        assert!(read(&damaged).is_err());
    }

    #[test]
    fn what_is_quoted_is_cut() {
        let long = "x".repeat(500);
        assert_eq!((clipped(long.clone()).chars().count(), clipped("a message".to_owned())), (300, "a message".into()));
        assert_eq!((shortened(&long).chars().count(), shortened("found")), (60, "found".to_owned()));
    }

    #[test]
    fn a_file_that_unpacks_without_end_is_given_up() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bomb = GzEncoder::new(file.reopen().unwrap(), Compression::fast());
        let zeros = vec![0; 1024 * 1024];
        for _ in 0..=MAX_BYTES / zeros.len() as u64 {
            bomb.write_all(&zeros).unwrap();
        }
        bomb.finish().unwrap();
        assert!(file.path().metadata().unwrap().len() < 8 * 1024 * 1024);
        let packed = BufReader::new(File::open(file.path()).unwrap());
        let error = io::copy(&mut unpacked(file.path(), packed).unwrap(), &mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
