//! The `key value` lines above a movie's input.

use std::io::{self, Write};

use crate::provenance::{self, Provenance};
use crate::text::{MAX_LINE, one_line, shortened};

/// The version that a movie must name on its first line.
pub(super) const VERSION: &str = "3";
/// The emulator's version in movies that this program writes: FCEUX 2.6.5.
const EMULATOR_VERSION: u32 = 20_605;

/// The most comments, and the most subtitles, that are read, so that a bad file does not fill the
/// memory. Chosen by hand, not measured.
pub(crate) const MAX_TEXTS: usize = 10_000;
/// The most bytes of both together. Chosen by hand, not measured.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// What RAM holds at power-on (`RAMInitOption`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PowerOnRam {
    /// `00 00 00 00 FF FF FF FF`, repeated.
    #[default]
    Pattern,
    /// All `FF`.
    Ones,
    /// All `00`.
    Zeros,
    /// Random, from this seed (`RAMInitSeed`).
    Random(u32),
}

/// The header of a movie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovieHeader {
    /// `emuVersion`
    pub emulator_version: u32,
    /// `rerecordCount`
    pub rerecords: u64,
    /// `romFilename`: a name for people.
    pub rom_name: String,
    /// `romChecksum`: the MD5 of PRG-ROM followed by CHR-ROM.
    pub rom_md5: [u8; 16],
    /// `guid`
    pub guid: String,
    /// `fourscore`: four gamepads.
    pub four_score: bool,
    /// `port0`, `port1`: is a gamepad plugged in?
    pub gamepads: [bool; 2],
    /// `RAMInitOption` and `RAMInitSeed`
    pub power_on_ram: PowerOnRam,
    /// `comment` values; `author NAME` names the author.
    pub comments: Vec<String>,
    /// `subtitle` values.
    pub subtitles: Vec<String>,
    /// `length`: the number of input lines that count.
    pub length: Option<u64>,
}

impl MovieHeader {
    /// A header for a movie of one gamepad, made on a console with zeroed RAM.
    pub fn new(rom_name: &str, rom_md5: [u8; 16], author: &str) -> MovieHeader {
        MovieHeader {
            emulator_version: EMULATOR_VERSION,
            rerecords: 0,
            rom_name: one_line(rom_name),
            rom_md5,
            guid: "00000000-0000-0000-0000-000000000000".to_owned(),
            four_score: false,
            gamepads: [true, false],
            power_on_ram: PowerOnRam::Zeros,
            comments: vec![format!("author {}", one_line(author))],
            subtitles: Vec::new(),
            length: None,
        }
    }

    /// A header for a movie of this origin, which goes into the comments.
    pub fn of(provenance: &Provenance) -> MovieHeader {
        let rom_md5 = provenance.rom_md5().unwrap_or_default();
        let mut header = MovieHeader::new(provenance.get("rom").unwrap_or("game"), rom_md5, "maxout");
        header.comments.extend(provenance.comments());
        header
    }

    /// The origin in the comments, where this program wrote them.
    pub fn provenance(&self) -> Provenance {
        Provenance::from_comments(self.comments.iter().map(String::as_str))
    }

    /// The same with this date among the comments, in place of another one.
    #[must_use]
    pub fn dated(mut self, date: &str) -> MovieHeader {
        self.comments.retain(|comment| !comment.starts_with("date: "));
        self.comments.extend(Provenance::default().dated(date).comments());
        self
    }

    /// How many gamepads the input lines have room for, 1 to 4.
    pub(crate) fn gamepad_count(&self) -> usize {
        match (self.four_score, self.gamepads[1]) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 1,
        }
    }

    /// The fields of an input line that belong to gamepads.
    pub(super) fn pads(&self) -> impl Iterator<Item = bool> + use<> {
        let plugged = if self.four_score { [true; 4] } else { [self.gamepads[0], self.gamepads[1], false, false] };
        plugged.into_iter().take(if self.four_score { 4 } else { 2 })
    }

    /// Refuses what a reader of movies refuses: more or longer texts than it takes.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut text = Vec::new();
        self.write(&mut text).map_err(|error| error.to_string())?;
        let mut draft = Draft::default();
        String::from_utf8_lossy(&text).lines().try_for_each(|line| draft.read(line))?;
        draft.finish().map(drop)
    }

    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "version {VERSION}")?;
        writeln!(output, "emuVersion {}", self.emulator_version)?;
        writeln!(output, "rerecordCount {}", self.rerecords)?;
        writeln!(output, "palFlag 0")?;
        writeln!(output, "romFilename {}", one_line(&self.rom_name))?;
        writeln!(output, "romChecksum base64:{}", to_base64(&self.rom_md5))?;
        writeln!(output, "guid {}", one_line(&self.guid))?;
        writeln!(output, "fourscore {}", u8::from(self.four_score))?;
        writeln!(output, "microphone 0")?;
        writeln!(output, "port0 {}", u8::from(self.gamepads[0]))?;
        writeln!(output, "port1 {}", u8::from(self.gamepads[1]))?;
        writeln!(output, "port2 0")?;
        writeln!(output, "FDS 0")?;
        writeln!(output, "NewPPU 0")?;
        let (option, seed) = match self.power_on_ram {
            PowerOnRam::Pattern => (0, 0),
            PowerOnRam::Ones => (1, 0),
            PowerOnRam::Zeros => (2, 0),
            PowerOnRam::Random(seed) => (3, seed),
        };
        writeln!(output, "RAMInitOption {option}")?;
        writeln!(output, "RAMInitSeed {seed}")?;
        for comment in &self.comments {
            writeln!(output, "comment {}", one_line(comment))?;
        }
        for subtitle in &self.subtitles {
            writeln!(output, "subtitle {}", one_line(subtitle))?;
        }
        match self.length {
            Some(length) => writeln!(output, "length {length}"),
            None => Ok(()),
        }
    }
}

/// A header while it is being read.
#[derive(Default)]
pub(super) struct Draft {
    has_version: bool,
    emulator_version: Option<u32>,
    rerecords: u64,
    rom_name: Option<String>,
    rom_md5: Option<[u8; 16]>,
    guid: Option<String>,
    four_score: Option<bool>,
    gamepads: [Option<bool>; 2],
    ram_option: u32,
    ram_seed: u32,
    comments: Vec<String>,
    subtitles: Vec<String>,
    /// Bytes of both.
    text_bytes: usize,
    length: Option<u64>,
}

impl Draft {
    /// Takes one `key value` line; unknown keys are ignored.
    pub(super) fn read(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        // With its end, and after bytes that are no UTF-8 have become longer.
        if line.len() as u64 + 1 >= MAX_LINE {
            return Err(format!(
                "{}: expected a line of less than {MAX_LINE} bytes, found a longer one",
                shortened(key)
            ));
        }
        match key {
            "version" if value.trim() != VERSION => {
                return Err(format!("expected version {VERSION}, found version {value:?}"));
            }
            "version" => self.has_version = true,
            "emuVersion" => self.emulator_version = Some(number(key, value)?),
            "rerecordCount" => self.rerecords = number(key, value)?,
            "romFilename" => self.rom_name = Some(one_line(value)),
            "romChecksum" => self.rom_md5 = Some(checksum(value)?),
            "guid" => self.guid = Some(guid(value)?),
            "fourscore" => self.four_score = Some(flag(key, value)?),
            "port0" => self.gamepads[0] = Some(port(key, value)?),
            "port1" => self.gamepads[1] = Some(port(key, value)?),
            "palFlag" if flag(key, value)? => return Err("the movie is for PAL, expected NTSC (palFlag 0)".to_owned()),
            "FDS" if flag(key, value)? => return Err("the movie is for a disk system (FDS 1)".to_owned()),
            "binary" if flag(key, value)? => {
                return Err("the input is binary (binary 1); save the movie as text first".to_owned());
            }
            "savestate" | "saveram" => {
                return Err(format!("the movie starts from a {key}, expected one that starts from power-on"));
            }
            "RAMInitOption" => {
                self.ram_option = number(key, value)?;
                if self.ram_option > 3 {
                    return Err(format!("RAMInitOption: expected 0 to 3, found {}", self.ram_option));
                }
            }
            "RAMInitSeed" => self.ram_seed = number(key, value)?,
            "comment" | "subtitle" => {
                self.text_bytes += value.len();
                if self.text_bytes > MAX_TEXT_BYTES {
                    return Err(format!(
                        "expected at most {MAX_TEXT_BYTES} bytes of comments and subtitles, found more"
                    ));
                }
                push(key, if key == "comment" { &mut self.comments } else { &mut self.subtitles }, value)?;
            }
            "length" => self.length = Some(number(key, value)?),
            _ => {}
        }
        Ok(())
    }

    /// Has the version been named?
    pub(super) fn has_version(&self) -> bool {
        self.has_version
    }

    /// The header, when nothing that is needed is missing.
    pub(super) fn finish(self) -> Result<MovieHeader, String> {
        let missing = |key: &str| format!("expected the key {key} before the first input line");
        let four_score = self.four_score.ok_or_else(|| missing("fourscore"))?;
        let port = |index: usize, key| match self.gamepads[index] {
            Some(plugged) => Ok(plugged),
            // Movies for four gamepads have no port keys.
            None if four_score => Ok(true),
            None => Err(missing(key)),
        };
        Ok(MovieHeader {
            emulator_version: self.emulator_version.ok_or_else(|| missing("emuVersion"))?,
            rerecords: self.rerecords,
            gamepads: [port(0, "port0")?, port(1, "port1")?],
            rom_name: self.rom_name.ok_or_else(|| missing("romFilename"))?,
            rom_md5: self.rom_md5.ok_or_else(|| missing("romChecksum"))?,
            guid: self.guid.ok_or_else(|| missing("guid"))?,
            four_score,
            power_on_ram: match self.ram_option {
                1 => PowerOnRam::Ones,
                2 => PowerOnRam::Zeros,
                3 => PowerOnRam::Random(self.ram_seed),
                _ => PowerOnRam::Pattern,
            },
            comments: self.comments,
            subtitles: self.subtitles,
            length: self.length,
        })
    }
}

fn push(key: &str, texts: &mut Vec<String>, value: &str) -> Result<(), String> {
    if texts.len() == MAX_TEXTS {
        return Err(format!("expected at most {MAX_TEXTS} lines of {key}, found more"));
    }
    texts.push(one_line(value));
    Ok(())
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.trim().parse().map_err(|_| format!("{key}: expected a number, found {value:?}"))
}

fn flag(key: &str, value: &str) -> Result<bool, String> {
    match value.trim() {
        "0" => Ok(false),
        "1" => Ok(true),
        other => Err(format!("{key}: expected 0 or 1, found {other:?}")),
    }
}

fn port(key: &str, value: &str) -> Result<bool, String> {
    match value.trim() {
        "0" => Ok(false),
        "1" => Ok(true),
        other => Err(format!("{key}: expected 0 (nothing) or 1 (gamepad), found {other:?}")),
    }
}

fn guid(value: &str) -> Result<String, String> {
    let value = value.trim();
    let lengths = value.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    if lengths && value.chars().all(|digit| digit == '-' || digit.is_ascii_hexdigit()) {
        Ok(value.to_owned())
    } else {
        Err(format!("guid: expected 8-4-4-4-12 hex digits, found {value:?}"))
    }
}

fn checksum(value: &str) -> Result<[u8; 16], String> {
    let value = value.trim();
    let bytes = if let Some(text) = value.strip_prefix("base64:") {
        from_base64(text)
    } else if let Some(digits) = value.strip_prefix("0x") {
        provenance::md5(digits)
    } else {
        None
    };
    bytes.ok_or_else(|| {
        format!("romChecksum: expected base64: and 24 characters, or 0x and 32 hex digits, found {value:?}")
    })
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// 16 bytes are 128 bits: 22 characters of six bits, the last of which carries four bits of
/// padding, and `==`.
fn to_base64(bytes: &[u8; 16]) -> String {
    let number = u128::from_be_bytes(*bytes);
    let digit = |index: u32| {
        let bits = if index < 21 { number >> (122 - 6 * index) } else { number << 4 };
        BASE64[(bits & 63) as usize] as char
    };
    (0..22).map(digit).chain(['=', '=']).collect()
}

fn from_base64(text: &str) -> Option<[u8; 16]> {
    let digits = text.strip_suffix("==")?;
    if digits.len() != 22 {
        return None;
    }
    let mut number = 0_u128;
    for (index, digit) in digits.bytes().enumerate() {
        let value = BASE64.iter().position(|&letter| letter == digit)? as u128;
        number = if index < 21 { number << 6 | value } else { number << 2 | value >> 4 };
    }
    Some(number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_inside_a_text_is_read_as_it_is_written() {
        let mut draft = Draft::default();
        draft.read("comment one\rtwo").unwrap();
        draft.read("subtitle 3 one\rtwo").unwrap();
        draft.read("romFilename a\rb").unwrap();
        assert_eq!((&draft.comments[0][..], &draft.subtitles[0][..]), ("one two", "3 one two"));
        assert_eq!(draft.rom_name.as_deref(), Some("a b"));
    }

    #[test]
    fn the_checksum_of_the_cartridge_is_the_same_in_both_notations() {
        let base64 = checksum("base64:Ww5XFVjIx5aTe5avRpVhxg==");
        assert_eq!(base64, checksum("0x5b0e571558c8c796937b96af469561c6"));
        assert_eq!(to_base64(&base64.unwrap()), "Ww5XFVjIx5aTe5avRpVhxg==");
    }

    #[test]
    fn base64_survives_all_bytes() {
        for seed in 0..=255_u8 {
            let bytes = std::array::from_fn(|index| seed.wrapping_mul(37).wrapping_add((index as u8).wrapping_mul(91)));
            assert_eq!(from_base64(&to_base64(&bytes)), Some(bytes));
        }
    }

    const NEEDED: &str = "version 3\nemuVersion 22020\nromFilename a game\n\
        romChecksum 0x5b0e571558c8c796937b96af469561c6\nguid 01234567-89ab-cdef-0123-456789ABCDEF\n\
        fourscore 0\nport0 1\nport1 0";

    fn parsed(text: &str) -> Result<MovieHeader, String> {
        let mut draft = Draft::default();
        assert!(!draft.has_version());
        text.lines().try_for_each(|line| draft.read(line))?;
        assert!(draft.has_version());
        draft.finish()
    }

    fn written(header: &MovieHeader) -> String {
        let mut text = Vec::new();
        header.write(&mut text).expect("memory takes it");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn every_key_is_read_and_written() {
        let all = "rerecordCount 12\npalFlag 0\nFDS 0\nbinary 0\nunknown 7\nRAMInitOption 3\nRAMInitSeed 99\n\
            comment author me\ncomment two  words\nsubtitle 5 hello\nlength 77";
        let header = parsed(&format!("{NEEDED}\n{all}")).expect("a header");
        let expected = MovieHeader {
            emulator_version: 22_020,
            rerecords: 12,
            rom_name: "a game".to_owned(),
            rom_md5: 0x5b0e_5715_58c8_c796_937b_96af_4695_61c6_u128.to_be_bytes(),
            guid: "01234567-89ab-cdef-0123-456789ABCDEF".to_owned(),
            four_score: false,
            gamepads: [true, false],
            power_on_ram: PowerOnRam::Random(99),
            comments: vec!["author me".to_owned(), "two  words".to_owned()],
            subtitles: vec!["5 hello".to_owned()],
            length: Some(77),
        };
        assert_eq!(header, expected);
        let text = "version 3\nemuVersion 22020\nrerecordCount 12\npalFlag 0\nromFilename a game\n\
            romChecksum base64:Ww5XFVjIx5aTe5avRpVhxg==\nguid 01234567-89ab-cdef-0123-456789ABCDEF\nfourscore 0\n\
            microphone 0\nport0 1\nport1 0\nport2 0\nFDS 0\nNewPPU 0\nRAMInitOption 3\nRAMInitSeed 99\n\
            comment author me\ncomment two  words\nsubtitle 5 hello\nlength 77\n";
        assert_eq!(written(&header), text);
        let plain = parsed(NEEDED).expect("nothing that is needed is missing");
        assert_eq!((plain.rerecords, plain.length, plain.power_on_ram), (0, None, PowerOnRam::Pattern));
        assert!(plain.comments.is_empty() && plain.subtitles.is_empty() && !written(&plain).contains("length"));
        for (option, ram) in
            [(0, PowerOnRam::Pattern), (1, PowerOnRam::Ones), (2, PowerOnRam::Zeros), (3, PowerOnRam::Random(0))]
        {
            let header = parsed(&format!("{NEEDED}\nRAMInitOption {option}")).expect("a header");
            assert_eq!(header.power_on_ram, ram);
            assert!(written(&header).contains(&format!("RAMInitOption {option}\nRAMInitSeed 0\n")));
        }
    }

    #[test]
    fn the_header_says_how_many_gamepads_a_line_has() {
        for (four_score, ports, count, pads) in [
            ("0", "port0 1\nport1 0", 1, &[true, false][..]),
            ("0", "port0 0\nport1 0", 1, &[false, false]),
            ("0", "port0 1\nport1 1", 2, &[true, true]),
            ("0", "port0 0\nport1 1", 2, &[false, true]),
            ("1", "port0 0\nport1 0", 4, &[true; 4]),
            ("1", "", 4, &[true; 4]),
        ] {
            let text = NEEDED.replace("fourscore 0", &format!("fourscore {four_score}"));
            let header = parsed(&text.replace("port0 1\nport1 0", ports)).expect("a header");
            assert_eq!((header.gamepad_count(), header.pads().collect::<Vec<_>>()), (count, pads.to_vec()), "{ports}");
        }
        let four = parsed(&NEEDED.replace("fourscore 0\nport0 1\nport1 0", "fourscore 1")).expect("a header");
        assert_eq!(four.gamepads, [true; 2]);
    }

    #[test]
    fn a_value_that_a_movie_cannot_have_is_refused_by_its_key() {
        for (line, words) in [
            ("version 2", "expected version 3, found version \"2\""),
            ("rerecordCount -1", "rerecordCount: expected a number, found \"-1\""),
            ("fourscore 2", "fourscore: expected 0 or 1, found \"2\""),
            ("port1 zapper", "port1: expected 0 (nothing) or 1 (gamepad), found \"zapper\""),
            ("FDS 1", "the movie is for a disk system"),
            ("FDS x", "FDS: expected 0 or 1"),
            ("palFlag 2", "palFlag: expected 0 or 1"),
            ("saveram 00", "the movie starts from a saveram"),
            ("guid 01234567-89ab-cdef-0123-456789ABCDEG", "guid: expected 8-4-4-4-12 hex digits"),
            ("guid 0123456-789ab-cdef-0123-456789ABCDEF", "guid: expected"),
            ("romChecksum 0x5b0e571558c8c796937b96af469561c", "romChecksum: expected"),
            ("romChecksum 0x+b0e571558c8c796937b96af469561c6", "romChecksum: expected"),
            ("romChecksum base64:Ww5XFVjIx5aTe5avRpVhxg=!", "romChecksum: expected"),
            ("romChecksum base64:Ww5XFVjIx5aTe5avRpVhx-==", "romChecksum: expected"),
            ("romChecksum 5b0e571558c8c796937b96af469561c6", "romChecksum: expected"),
        ] {
            let error = parsed(&format!("{NEEDED}\n{line}")).expect_err(line);
            assert!(error.starts_with(words), "{line}: {error}");
        }
        for key in ["emuVersion", "romFilename", "romChecksum", "guid", "fourscore", "port0", "port1"] {
            let text: String =
                NEEDED.lines().filter(|line| !line.starts_with(key)).map(|line| format!("{line}\n")).collect();
            assert_eq!(parsed(&text), Err(format!("expected the key {key} before the first input line")));
        }
    }

    #[test]
    fn ten_thousand_comments_and_as_many_subtitles_are_read_and_no_more() {
        for key in ["comment", "subtitle"] {
            let lines = |count| format!("{NEEDED}\n{}", format!("{key} x\n").repeat(count));
            let header = parsed(&lines(MAX_TEXTS)).expect("as many as may be");
            assert_eq!(header.comments.len() + header.subtitles.len(), MAX_TEXTS);
            let error = parsed(&lines(MAX_TEXTS + 1)).expect_err("too many");
            assert_eq!(error, format!("expected at most 10000 lines of {key}, found more"));
        }
    }

    #[test]
    fn comments_and_subtitles_have_4_mebibytes_together() {
        let part = "x".repeat(1 << 15);
        let both = format!("{NEEDED}{}", format!("\ncomment {part}\nsubtitle {part}").repeat(64));
        let header = parsed(&both).expect("as many as may be");
        assert_eq!(header.comments.iter().chain(&header.subtitles).map(String::len).sum::<usize>(), 1 << 22);
        let error = parsed(&format!("{both}\ncomment x")).expect_err("too many");
        assert_eq!(error, "expected at most 4194304 bytes of comments and subtitles, found more");
    }

    #[test]
    fn a_header_that_is_not_read_again_is_found_before() {
        let mut header = parsed(NEEDED).expect("a header");
        for (text, count) in [("x".to_owned(), MAX_TEXTS), ("x".repeat(MAX_LINE as usize - 10), 1)] {
            header.comments = vec![text; count];
            assert_eq!(header.check(), Ok(()));
            header.comments[0].push('x');
            header.comments.extend((count > 1).then(String::new));
            let error = header.check().expect_err("more");
            assert_eq!(parsed(&written(&header)), Err(error));
        }
    }

    #[test]
    fn a_header_of_an_origin_has_it_in_its_comments_and_no_line_breaks() {
        let origin = Provenance::default().with("rom", "two\nlines").with("seed", "7");
        let header = MovieHeader::of(&origin);
        assert_eq!((header.rom_name.as_str(), header.comments[0].as_str()), ("two lines", "author maxout"));
        assert_eq!(header.provenance().get("seed"), Some("7"));
        assert_eq!((header.power_on_ram, header.gamepads), (PowerOnRam::Zeros, [true, false]));
        let broken = MovieHeader { rom_name: "a\r\nport1 1".to_owned(), ..header };
        assert!(written(&broken).contains("\nromFilename a  port1 1\n"));
    }
}
