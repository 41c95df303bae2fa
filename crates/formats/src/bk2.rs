//! BK2: the movies of BizHawk, a ZIP archive of text members.
//!
//! Only `Input Log.txt` must be there. Its `LogKey` names the columns in their order, console
//! buttons and gamepads in groups; it is always read, never assumed. The lines are those of an FM2
//! movie, so a BK2 is read into a [`Movie`] with the offset of
//! [`line_of_call`](super::fm2::line_of_call). That offset is measured for FCEUX; BizHawk's cores
//! (NesHawk, QuickNes) have not been calibrated.
//!
//! A BK2 has no place for `guid`, port numbers or the initial RAM of FM2.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use zip::ZipArchive;

use self::archive::Archive;
use self::log_key::LogKey;
use super::Error;
use super::fm2::{MAX_TEXTS, Movie, MovieHeader, MovieLine};
use super::text::{self, Capped, MAX_BYTES, TextLines};
use super::whole::Edit;
use super::{limited, provenance};

mod archive;
mod log_key;

const HEADER: &str = "Header.txt";
const COMMENTS: &str = "Comments.txt";
const SUBTITLES: &str = "Subtitles.txt";
pub(crate) const INPUT_LOG: &str = "Input Log.txt";
/// The most bytes of each member beside the input, so that a bad archive does not fill the memory. An FM2 has at most 4 MiB
/// of comments and subtitles; here there are up to 28 bytes around each of them.
const MAX_TEXT: u64 = 5 * 1024 * 1024;
/// The most bytes of an archive from a pipe, which is in memory while it is read. Chosen by hand: an hour of play is less than
/// 1 MiB.
const MAX_PIPED: u64 = 64 * 1024 * 1024;
/// The hashes of the original game, for archives that name only one.
const TETRIS_SHA1: &str = "fd9079cb5e8479eb06d93c2ae5175bfce871746a";
const TETRIS_MD5: [u8; 16] = 0x5b0e_5715_58c8_c796_937b_96af_4695_61c6_u128.to_be_bytes();

/// Reads a movie file.
///
/// # Errors
/// When the file cannot be read, is malformed, is not for an NTSC NES, does not start from
/// power-on, or has more text than a movie may have.
pub fn open(path: &Path) -> Result<Movie, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    if file.metadata().is_ok_and(|found| found.is_file()) {
        return read(path, BufReader::new(file));
    }
    // An archive is read from its end, and a pipe has none before all of it has come.
    let bytes = limited::read_from(file, MAX_PIPED).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    read(path, Cursor::new(bytes))
}

/// Reads the bytes of a movie file; errors show `path`.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, bytes: impl Read + Seek) -> Result<Movie, Error> {
    let whole = |message: String| Error::Content { path: path.to_owned(), message };
    let mut archive = ZipArchive::new(bytes)
        .map_err(|error| whole(format!("expected a BK2, which is a ZIP archive, found another file ({error})")))?;
    let header = text_member(&mut archive, path, HEADER)?;
    let comments = text_member(&mut archive, path, COMMENTS)?;
    let subtitles = text_member(&mut archive, path, SUBTITLES)?;
    let member = archive
        .by_name(INPUT_LOG)
        .map_err(|error| whole(format!("expected the member {INPUT_LOG:?} in the archive: {error}")))?;
    let log = BufReader::new(Capped { input: member, left: MAX_BYTES });
    let (lines, pads) = read_input(&path.join(INPUT_LOG), log)?;
    let header = read_header(&path.join(HEADER), &header, &comments, &subtitles, pads)?;
    header.check().map_err(whole)?;
    Ok(Movie { header, lines })
}

/// A member that may be absent.
fn text_member<R: Read + Seek>(archive: &mut ZipArchive<R>, path: &Path, name: &str) -> Result<String, Error> {
    let member = match archive.by_name(name) {
        Ok(member) => member,
        Err(zip::result::ZipError::FileNotFound) => return Ok(String::new()),
        Err(error) => {
            return Err(Error::Content { path: path.to_owned(), message: format!("the member {name:?}: {error}") });
        }
    };
    let bytes = limited::read_from(member, MAX_TEXT).map_err(|source| Error::Read { path: path.join(name), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The input lines, and for how many gamepads there are columns.
fn read_input(path: &Path, log: BufReader<impl Read>) -> Result<(Vec<MovieLine>, usize), Error> {
    let mut text = TextLines::new(path, log);
    let mut key: Option<LogKey> = None;
    let mut lines = Vec::new();
    while let Some(line) = text.next()? {
        let read = match (&key, line.strip_prefix("LogKey:")) {
            // BizHawk stops at the first empty line, and at the closing bracket.
            _ if line.is_empty() || &line[..] == "[/Input]" => break,
            (None, Some(names)) => LogKey::parse(names).map(|parsed| key = Some(parsed)),
            (Some(_), Some(_)) => Err("expected one LogKey, found a second one".to_owned()),
            (None, _) if line.starts_with('|') => Err("expected a LogKey before the first input line".to_owned()),
            (Some(key), _) if line.starts_with('|') => key.line(&line).map(|line| lines.push(line)),
            _ if line.starts_with('[') => Ok(()),
            _ => Err(format!("expected an input line or [/Input], found {:?}", text::shortened(&line))),
        };
        read.map_err(|message| text.error(message))?;
    }
    // The checksum of a member is compared at its end.
    text.skip_rest()?;
    Ok((lines, key.map_or(1, |key| key.gamepads())))
}

fn read_header(path: &Path, header: &str, comments: &str, subtitles: &str, pads: usize) -> Result<MovieHeader, Error> {
    let mut movie = MovieHeader::new("game", [0; 16], "");
    movie.gamepads = [true, pads > 1];
    movie.four_score = pads > 2;
    movie.comments.clear();
    let mut md5 = None;
    for (line, entry) in (1..).zip(header.lines()) {
        let (key, value) = entry.split_once(' ').unwrap_or((entry, ""));
        let value = value.trim();
        let refuse =
            |message: String| Err(Error::Syntax { path: path.to_owned(), line, message: text::clipped(message) });
        match key {
            "Platform" if value != "NES" => return refuse(format!("expected Platform NES, found {value:?}")),
            "PAL" if value == "1" || value.eq_ignore_ascii_case("true") => {
                return refuse("expected an NTSC movie, found PAL".to_owned());
            }
            "StartsFromSavestate" | "StartsFromSaveRam" if value.eq_ignore_ascii_case("true") || value == "1" => {
                return refuse(format!("expected a movie that starts from power-on, found {key}"));
            }
            "Author" if value.is_empty() => {}
            "Author" => movie.comments.insert(0, format!("author {value}")),
            "GameName" => value.clone_into(&mut movie.rom_name),
            "rerecordCount" => match value.parse() {
                Ok(count) => movie.rerecords = count,
                Err(_) => return refuse(format!("rerecordCount: expected a number, found {value:?}")),
            },
            "MD5" => md5 = provenance::md5(value).or(md5),
            "SHA1" if value.eq_ignore_ascii_case(TETRIS_SHA1) => md5 = md5.or(Some(TETRIS_MD5)),
            _ => {}
        }
    }
    // One more of each than a movie may have is found by its check.
    let comments = comments.lines().filter(|line| !line.is_empty());
    movie.comments.extend(comments.take(MAX_TEXTS + 1).map(str::to_owned));
    // "subtitle FRAME X Y DURATION COLOUR TEXT"; FM2 has the frame and the text.
    let subtitles = subtitles.lines().filter_map(|line| {
        let mut words = line.splitn(7, ' ');
        match (words.next(), words.next(), words.nth(4)) {
            (Some("subtitle"), Some(frame), Some(text)) => Some(format!("{frame} {text}")),
            _ => None,
        }
    });
    movie.subtitles.extend(subtitles.take(MAX_TEXTS + 1));
    movie.rom_md5 = md5.or_else(|| movie.provenance().rom_md5()).unwrap_or_default();
    Ok(movie)
}

/// The bytes of a movie file.
///
/// # Errors
/// When the movie is longer than the format allows: 4 GiB.
pub fn write(movie: &Movie) -> io::Result<Vec<u8>> {
    let (mut writer, mut text) = Bk2Writer::new(&movie.header);
    text.extend(movie.lines.iter().flat_map(|line| writer.line(line).into_bytes()));
    writer.count(&text)?;
    let (head, tail) = writer.around();
    Ok([head, text, tail].concat())
}

/// Writes the archive while it grows: the input is its last member and not compressed.
pub(super) struct Bk2Writer {
    archive: Archive,
    gamepads: usize,
}

/// What follows the input lines of a finished movie inside their member.
const FOOTER: &[u8] = b"[/Input]\r\n";

impl Bk2Writer {
    /// The writer, and the text before the first input line.
    pub(super) fn new(header: &MovieHeader) -> (Bk2Writer, Vec<u8>) {
        let gamepads = header.gamepad_count();
        let archive = Archive::new(&members(header), INPUT_LOG);
        let start = format!("[Input]\r\nLogKey:{}\r\n", LogKey::names(gamepads));
        (Bk2Writer { archive, gamepads }, start.into_bytes())
    }

    /// The text of an input line.
    pub(super) fn line(&self, line: &MovieLine) -> String {
        LogKey::text(line, self.gamepads)
    }

    /// The changes of the file that add this text.
    pub(super) fn add(&mut self, text: &[u8]) -> io::Result<Vec<Edit>> {
        self.archive.append(text)
    }

    /// The changes that end the file.
    pub(super) fn finish(&mut self) -> Vec<Edit> {
        self.archive.finish(FOOTER)
    }

    /// Counts text that is kept elsewhere.
    pub(super) fn count(&mut self, text: &[u8]) -> io::Result<()> {
        self.archive.count(text)
    }

    /// What is in the finished file before the text that was counted, and behind it.
    pub(super) fn around(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.archive.around(FOOTER)
    }
}

fn members(header: &MovieHeader) -> Vec<(&'static str, String)> {
    let provenance = header.provenance();
    let author = header.comments.iter().find_map(|comment| comment.strip_prefix("author ")).unwrap_or("");
    let md5 = u128::from_be_bytes(header.rom_md5);
    let sha1 = match provenance.get("sha1") {
        Some(sha1) => Some(sha1.to_ascii_uppercase()),
        None => (header.rom_md5 == TETRIS_MD5).then(|| TETRIS_SHA1.to_ascii_uppercase()),
    };
    let hash = sha1.map_or_else(|| format!("MD5 {md5:032X}"), |sha1| format!("SHA1 {sha1}\r\nMD5 {md5:032X}"));
    let emulator = format!("maxout {}", env!("CARGO_PKG_VERSION"));
    let text = format!(
        "MovieVersion BizHawk v2.0.0\r\nAuthor {author}\r\nemuVersion {emulator}\r\n\
         OriginalEmuVersion {emulator}\r\nPlatform NES\r\nCore NesHawk\r\nGameName {}\r\n{hash}\r\n\
         rerecordCount {}\r\nStartsFromSavestate False\r\n",
        header.rom_name, header.rerecords
    );
    let author = format!("author {author}");
    let comments = header.comments.iter().filter(|comment| **comment != author);
    let mut members = vec![(HEADER, text), (COMMENTS, comments.map(|comment| format!("{comment}\r\n")).collect())];
    if !header.subtitles.is_empty() {
        // Shown for two seconds in the corner, in white.
        let subtitle = |text: &String| {
            let (frame, text) = text.split_once(' ').unwrap_or((text, ""));
            format!("subtitle {frame} 0 0 120 FFFFFFFF {text}\r\n")
        };
        members.push((SUBTITLES, header.subtitles.iter().map(subtitle).collect()));
    }
    members
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::Provenance;
    use crate::fm2::Step;
    use maxout_engine::gamepad::Buttons;

    /// An archive as other programs write them.
    fn archive(members: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in members {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn read_members(members: &[(&str, &str)]) -> Result<Movie, String> {
        read(Path::new("x.bk2"), Cursor::new(archive(members))).map_err(|error| error.to_string())
    }

    const LOG: &str = "[Input]\r\nLogKey:#Power|Reset|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|\
                       #P2 Up|P2 Down|P2 Left|P2 Right|P2 Start|P2 Select|P2 B|P2 A|\r\n\
                       |..|........|........|\r\n|..|.....s..|.D......|\r\n|P.|........|........|\r\n\
                       |.r|........|........|\r\n|..|....S..A|........|\r\n[/Input]\r\n|..|U.......|........|\r\n";
    const HEADER_TEXT: &str = "MovieVersion BizHawk v2.0.0\r\nAuthor some body\r\nPlatform NES\r\nGameName Tetris\r\n\
                               SHA1 FD9079CB5E8479EB06D93C2AE5175BFCE871746A\r\nrerecordCount 41\r\n";

    #[test]
    fn an_archive_with_more_members_than_we_know_is_read_by_its_log_key() {
        let movie = read_members(&[
            ("BizVersion.txt", "Version 2.9.1"),
            (HEADER, HEADER_TEXT),
            (COMMENTS, "hello\r\n\r\nthere\r\n"),
            (SUBTITLES, "subtitle 30 0 0 120 FFFFFFFF two words\r\n"),
            ("SyncSettings.json", "{}"),
            ("GreenZone", "not text"),
            (INPUT_LOG, LOG),
        ])
        .unwrap();
        assert_eq!(movie.header.comments, ["author some body", "hello", "there"]);
        assert_eq!(movie.header.subtitles, ["30 two words"]);
        assert_eq!((movie.header.rerecords, movie.header.rom_md5), (41, TETRIS_MD5));
        assert_eq!(movie.header.gamepads, [true, true]);
        assert!(movie.uses_other_gamepads());
        let expected =
            [Step::Frame(Buttons::SELECT), Step::PowerCycle, Step::Reset, Step::Frame(Buttons::START | Buttons::A)];
        assert_eq!(movie.steps().take(9).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_input_alone_is_enough() {
        assert_eq!(read_members(&[(INPUT_LOG, LOG)]).unwrap().lines.len(), 5);
    }

    #[test]
    fn a_changed_button_behind_which_the_checksum_is_not_mended_is_damage() {
        let movie = read_members(&[(INPUT_LOG, LOG)]).unwrap();
        let mut bytes = write(&movie).unwrap();
        let button = bytes.windows(9).rposition(|line| line == b"|........").unwrap() + 1;
        bytes[button] = b'U';
        let error = read(Path::new("x.bk2"), Cursor::new(bytes)).unwrap_err();
        assert!(error.to_string().starts_with("cannot read x.bk2/Input Log.txt"), "{error}");
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "Invalid checksum");
    }

    #[test]
    fn a_header_names_the_game_and_says_what_it_starts_from() {
        let header = |text: &str| read_members(&[(HEADER, text), (INPUT_LOG, LOG)]).map(|movie| movie.header);
        let plain = "Platform NES\r\nPAL False\r\nStartsFromSavestate False\r\nStartsFromSaveRam 0\r\nAuthor \r\n\
                     GameName  A Game \r\nMD5 000102030405060708090A0B0C0D0E0F\r\nunknown\r\n";
        let read = header(plain).unwrap();
        assert_eq!((read.rom_name.as_str(), read.rom_md5), ("A Game", std::array::from_fn(|index| index as u8)));
        assert!(read.comments.is_empty());
        // A movie's own MD5 counts, wherever the SHA-1 stands.
        let tetris = format!("SHA1 {TETRIS_SHA1}\r\n");
        assert_eq!(header(&tetris).unwrap().rom_md5, TETRIS_MD5);
        for both in [format!("{tetris}{plain}"), format!("{plain}{tetris}")] {
            assert_eq!(header(&both).unwrap().rom_md5, read.rom_md5);
        }
        assert_eq!(header("SHA1 0000").unwrap().rom_md5, [0; 16]);
        // A damaged one is none.
        for damaged in ["MD5 1\r\n", "MD5 +00102030405060708090A0B0C0D0E0F\r\n"] {
            assert_eq!(header(damaged).unwrap().rom_md5, [0; 16]);
            for both in [format!("{tetris}{damaged}"), format!("{damaged}{tetris}")] {
                assert_eq!(header(&both).unwrap().rom_md5, TETRIS_MD5);
            }
        }
        for (line, expected) in [
            ("PAL 1", "x.bk2/Header.txt:1: expected an NTSC movie"),
            ("PAL true", "x.bk2/Header.txt:1: expected an NTSC movie"),
            ("StartsFromSavestate 1", "x.bk2/Header.txt:1: expected a movie that starts from power-on"),
            ("StartsFromSaveRam TRUE", "x.bk2/Header.txt:1: expected a movie that starts from power-on"),
        ] {
            let error = header(line).expect_err(line);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_movie_has_the_gamepads_of_its_log_key() {
        for (pads, gamepads, four_score) in
            [(1, [true, false], false), (2, [true, true], false), (3, [true, true], true), (4, [true, true], true)]
        {
            let log = format!("LogKey:{}\r\n", LogKey::names(pads));
            let movie = read_members(&[(INPUT_LOG, &log)]).unwrap();
            assert_eq!((movie.header.gamepads, movie.header.four_score), (gamepads, four_score), "{pads}");
        }
    }

    #[test]
    fn the_texts_of_the_largest_movie_survive_and_a_longer_member_is_refused() {
        let mut movie = read_members(&[(INPUT_LOG, LOG)]).unwrap();
        let text = format!("30 {}", "x".repeat(400));
        movie.header.subtitles = vec![text.clone(); 10_000];
        assert_eq!(read(Path::new("x"), Cursor::new(write(&movie).unwrap())).unwrap(), movie);
        movie.header.subtitles.clear();
        movie.header.comments = vec![text; 10_000];
        assert_eq!(read(Path::new("x"), Cursor::new(write(&movie).unwrap())).unwrap(), movie);
        // No line is a comment, but there are too many bytes.
        let error = read_members(&[(COMMENTS, &"\n".repeat(5 << 20 | 1)), (INPUT_LOG, LOG)]).unwrap_err();
        assert_eq!(error, "cannot read x.bk2/Comments.txt");
        assert!(read_members(&[(COMMENTS, &"\n".repeat(5 << 20)), (INPUT_LOG, LOG)]).is_ok());
    }

    #[test]
    fn more_text_than_an_fm2_may_have_is_refused() {
        let comments =
            |text: &str| read_members(&[(COMMENTS, text), (INPUT_LOG, LOG)]).map(|movie| movie.header.comments);
        assert_eq!(comments(&"x\n".repeat(10_000)).map(|comments| comments.len()), Ok(10_000));
        let many = "x.bk2: expected at most 10000 lines of comment, found more";
        assert_eq!(comments(&"x\n".repeat(11_000)).unwrap_err(), many);
        let long = "x.bk2: comment: expected a line of less than 65536 bytes, found a longer one";
        assert_eq!(comments(&"x".repeat(70_000)).unwrap_err(), long);
        let subtitles = "subtitle 30 0 0 120 FFFFFFFF two words\n".repeat(10_001);
        let error = read_members(&[(SUBTITLES, &subtitles), (INPUT_LOG, LOG)]).unwrap_err();
        assert_eq!(error, "x.bk2: expected at most 10000 lines of subtitle, found more");
    }

    #[test]
    fn what_is_refused_is_named_with_its_line() {
        let log = |text: &str| read_members(&[(INPUT_LOG, text)]).unwrap_err();
        let header = |text: &str| read_members(&[(HEADER, text), (INPUT_LOG, LOG)]).unwrap_err();
        for (found, expected) in [
            (read_members(&[(HEADER, "")]).unwrap_err(), "x.bk2: expected the member \"Input Log.txt\""),
            (read(Path::new("x.bk2"), Cursor::new(b"no")).unwrap_err().to_string(), "x.bk2: expected a BK2"),
            (log("[Input]\n|..|........|\n"), "x.bk2/Input Log.txt:2: expected a LogKey before"),
            (log(&LOG.replace("[/Input]", "LogKey:#P1 A|")), "x.bk2/Input Log.txt:8: expected one LogKey"),
            (log("[Input]\nLogKey:#P2 Up|\n"), "x.bk2/Input Log.txt:2: expected a LogKey with the buttons of P1"),
            (log(&LOG.replace("|P.|", "|P|")), "x.bk2/Input Log.txt:5: expected 2 characters in group 0"),
            (log(&LOG.replace("[/Input]", "hello")), "x.bk2/Input Log.txt:8: expected an input line or [/Input]"),
            (header("MovieVersion 2\nPlatform SNES\n"), "x.bk2/Header.txt:2: expected Platform NES"),
            (header("PAL 1"), "x.bk2/Header.txt:1: expected an NTSC movie"),
            (header("StartsFromSavestate True"), "x.bk2/Header.txt:1: expected a movie that starts from power-on"),
            (header("rerecordCount many"), "x.bk2/Header.txt:1: rerecordCount: expected a number"),
        ] {
            assert!(found.starts_with(expected), "{found:?} does not start with {expected:?}");
        }
    }

    #[test]
    fn a_movie_without_an_author_gets_none_by_writing() {
        let movie = read_members(&[(INPUT_LOG, LOG), (COMMENTS, "hi")]).unwrap();
        let again = read(Path::new("x"), Cursor::new(write(&movie).unwrap())).unwrap();
        assert_eq!((&again.header.comments, &movie.header.comments), (&vec!["hi".to_owned()], &vec!["hi".to_owned()]));
    }

    #[test]
    fn the_members_say_what_the_header_says() {
        let mut header = MovieHeader::new("a game", TETRIS_MD5, "me");
        (header.rerecords, header.comments) = (7, vec!["hi".to_owned(), "author me".to_owned()]);
        let texts = |header: &MovieHeader| -> Vec<String> {
            members(header).into_iter().map(|(name, text)| format!("{name}: {text}")).collect()
        };
        let plain = texts(&header);
        let emulator = concat!("maxout ", env!("CARGO_PKG_VERSION"));
        let expected = format!(
            "Header.txt: MovieVersion BizHawk v2.0.0\r\nAuthor me\r\nemuVersion {emulator}\r\n\
             OriginalEmuVersion {emulator}\r\nPlatform NES\r\nCore NesHawk\r\nGameName a game\r\n\
             SHA1 FD9079CB5E8479EB06D93C2AE5175BFCE871746A\r\nMD5 5B0E571558C8C796937B96AF469561C6\r\n\
             rerecordCount 7\r\nStartsFromSavestate False\r\n"
        );
        assert_eq!(plain, [expected, "Comments.txt: hi\r\n".to_owned()]);
        header.rom_md5 = [1; 16];
        header.subtitles = vec!["30 two words".to_owned(), "31".to_owned()];
        let other = texts(&header);
        assert!(other[0].contains("GameName a game\r\nMD5 01010101010101010101010101010101\r\n"), "{}", other[0]);
        let subtitles = "subtitle 30 0 0 120 FFFFFFFF two words\r\nsubtitle 31 0 0 120 FFFFFFFF \r\n";
        assert_eq!(other[2..], [format!("Subtitles.txt: {subtitles}")]);
        header.comments = Provenance::default().with("sha1", "abcdef").comments().collect();
        assert!(texts(&header)[0].contains("\r\nSHA1 ABCDEF\r\n"));
    }

    #[test]
    fn a_movie_written_at_once_is_one_that_grew() {
        let movie = read_members(&[(HEADER, HEADER_TEXT), (COMMENTS, "hi"), (INPUT_LOG, LOG)]).unwrap();
        let (mut writer, head) = Bk2Writer::new(&movie.header);
        let mut edits = writer.add(&head).unwrap();
        for line in &movie.lines {
            let line = writer.line(line);
            edits.extend(writer.add(line.as_bytes()).unwrap());
        }
        edits.extend(writer.finish());
        assert!(crate::whole::applied(edits) == write(&movie).unwrap());
    }

    #[test]
    fn a_movie_survives_writing_and_reading() {
        let mut movie = read_members(&[(HEADER, HEADER_TEXT), (COMMENTS, "hi"), (INPUT_LOG, LOG)]).unwrap();
        for (gamepads, four_score) in [([true, true], false), ([true, true], true)] {
            (movie.header.gamepads, movie.header.four_score) = (gamepads, four_score);
            let bytes = write(&movie).unwrap();
            assert_eq!(read(Path::new("x"), Cursor::new(&bytes)).unwrap(), movie);
            assert_eq!(write(&movie).unwrap(), bytes, "the same bytes again");
            let mut input = String::new();
            let mut archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
            archive.by_name(INPUT_LOG).unwrap().read_to_string(&mut input).unwrap();
            assert!(input.ends_with("|\r\n[/Input]\r\n"), "the input has its end");
        }
    }
}
