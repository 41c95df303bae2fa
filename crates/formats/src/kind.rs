//! What a file is, by its content: so that a run replaces only files of the kind that it writes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::GzDecoder;

use super::bk2::INPUT_LOG;
use super::film::FilmFormat;
use super::report::GRADED_TITLE;
use super::{FileFormat, Format, trace};

/// Bytes that are read of a file from its beginning, and as many from its end. The header of a log
/// takes about 1 KB, that of an FM2 with comments more. Chosen by hand, not measured.
const READ: u64 = 64 * 1024;

/// A kind of file that this program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A log or a movie.
    Frames(FileFormat),
    /// A film.
    Film(FilmFormat),
    /// A picture as SVG.
    Svg,
    /// A picture as PNG.
    Png,
    /// The report of a game.
    Report,
    /// The report of graded games.
    GradedReport,
    /// A trace, not compressed.
    Trace,
    /// The games of a simulation.
    Games,
    /// A player's results in published formats, as Markdown.
    Formats,
    /// The grades of games, piece by piece.
    Grades,
    /// The curve of a training, as a table.
    Curve,
    /// The weights of an evaluator.
    Weights,
    /// The weights of a net.
    Net,
    /// A checkpoint of a particle swarm.
    SwarmCheckpoint,
    /// A checkpoint of a net.
    NetCheckpoint,
    /// A checkpoint of a tool-assisted search.
    TasCheckpoint,
    /// The lists of a tool-assisted search of parts.
    TasLists,
    /// What a shard of a tool-assisted search has found.
    TasShard,
    /// A RAM map.
    RamMap,
    /// A manual page.
    Manual,
    /// A ROM. None is ever replaced.
    Rom,
}

/// The beginning of a file and its end.
struct Sample {
    head: Vec<u8>,
    tail: Vec<u8>,
    length: u64,
}

impl Kind {
    /// Is there nothing in the file, or something of this kind? Otherwise what is there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn replaces(self, path: &Path) -> io::Result<Result<(), &'static str>> {
        let sample = Sample::of(path)?;
        let fits = sample.length == 0 || self.is(&sample);
        Ok(if fits { Ok(()) } else { Err(sample.name()) })
    }

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Frames(format) => match format.format {
                Format::Csv => "a CSV log",
                Format::JsonLines => "a JSON lines log",
                Format::Fm2 => "an FM2 movie",
                Format::Bk2 => "a BK2 movie",
                Format::R08 => "an R08 movie",
                Format::Ngf => "an NGF file",
            },
            Kind::Film(FilmFormat::Gif) => "a GIF",
            Kind::Film(FilmFormat::Apng) => ANIMATED,
            Kind::Png => "a PNG picture",
            Kind::Film(FilmFormat::Mp4) => "an MP4",
            Kind::Svg => "an SVG picture",
            Kind::Report => "the report of a game",
            Kind::GradedReport => "a report of grades",
            Kind::Trace => "a trace",
            Kind::Games => "a CSV file of games",
            Kind::Formats => "a report of formats",
            Kind::Grades => "a CSV file of grades",
            Kind::Curve => "the curve of a training",
            Kind::Weights => "a weights file",
            Kind::Net => "the weights of a net",
            Kind::SwarmCheckpoint | Kind::NetCheckpoint | Kind::TasCheckpoint => "a checkpoint",
            Kind::TasLists => "the lists of a search of parts",
            Kind::TasShard => "the result of a shard",
            Kind::RamMap => "a RAM map",
            Kind::Manual => "a manual page",
            Kind::Rom => "a new file",
        }
    }

    fn is(self, sample: &Sample) -> bool {
        let head = &sample.head[..];
        match self {
            Kind::Frames(FileFormat { format: Format::Bk2, .. }) => {
                // Its entry is at the end, or in the beginning of one that was cut short.
                let input_log = INPUT_LOG.as_bytes();
                head.starts_with(ZIP) && (contains(head, input_log) || contains(&sample.tail, input_log))
            }
            Kind::Frames(FileFormat { format: Format::R08, .. }) => {
                // Two bytes for every poll, and the second gamepad is never written.
                sample.length.is_multiple_of(2) && head.chunks_exact(2).all(|entry| entry[1] == 0)
            }
            Kind::Frames(FileFormat { format: Format::Ngf, .. }) => {
                // A record begins with version 3 in the upper three bits.
                unpacked(head)
                    .is_some_and(|inner| inner.first().is_none_or(|first| first >> 5 == 3 && !is_text(&inner)))
            }
            Kind::Frames(FileFormat { format, gzip: true }) => {
                unpacked(head).is_some_and(|inner| inner.is_empty() || is_frames(format, &inner))
            }
            Kind::Frames(FileFormat { format, gzip: false }) => is_frames(format, head),
            Kind::Film(FilmFormat::Gif) => head.starts_with(GIF),
            Kind::Film(FilmFormat::Apng) => is_animated(head) || (head.starts_with(PNG) && head.len() < BEFORE_IMAGE),
            Kind::Png => head.starts_with(PNG) && !is_animated(head),
            Kind::Film(FilmFormat::Mp4) => is_mp4(head),
            Kind::Svg => is_svg(head),
            Kind::Report => {
                head.starts_with(PAGE) && contains(head, b"maxout") && !contains(head, GRADED_TITLE.as_bytes())
            }
            Kind::GradedReport => head.starts_with(PAGE) && contains(head, GRADED_TITLE.as_bytes()),
            Kind::Trace => head.strip_prefix(b"# ").is_some_and(|rest| rest.starts_with(trace::MAGIC.as_bytes())),
            Kind::Games => head.starts_with(b"# maxout games"),
            Kind::Formats => head.starts_with(b"# ") && contains(head, b"<!-- Written by maxout bench-formats. -->"),
            Kind::Grades => head.starts_with(b"file,game,piece,spawn_frame,"),
            Kind::Curve => head.starts_with(b"iteration,swarm,") || head.starts_with(b"pieces,seconds,"),
            Kind::Weights => has_keys(head, &["version", "evaluator"]),
            Kind::Net => head.starts_with(b"mxvalue"),
            Kind::SwarmCheckpoint => has_keys(head, &["version", "[settings]"]),
            Kind::NetCheckpoint => head.starts_with(b"mxtdckp"),
            Kind::TasCheckpoint => head.starts_with(b"mxtasck") && !head.starts_with(LISTS),
            Kind::TasLists => head.starts_with(LISTS),
            Kind::TasShard => head.starts_with(b"{\"maxout-tas-shard\":"),
            Kind::RamMap => has_keys(head, &["format", "name"]) && contains(head, b"entry"),
            Kind::Manual => is_text(head) && contains(head, b"\n.TH "),
            Kind::Rom => false,
        }
    }
}

/// What the content of a file is, in words; `None` for bytes that are nothing known.
pub(super) fn known(bytes: &[u8]) -> Option<&'static str> {
    let length = bytes.len();
    let sample = Sample {
        head: bytes[..length.min(READ as usize)].to_vec(),
        tail: bytes[length.saturating_sub(READ as usize)..].to_vec(),
        length: length as u64,
    };
    Some(sample.name()).filter(|&name| name != OTHER)
}

impl Sample {
    fn of(path: &Path) -> io::Result<Sample> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(READ).read_to_end(&mut head)?;
        let mut tail = Vec::new();
        if length > READ {
            file.seek(SeekFrom::End(-(READ.min(length - READ) as i64)))?;
            file.take(READ).read_to_end(&mut tail)?;
        }
        Ok(Sample { head, tail, length })
    }

    /// What is there, as far as that is known.
    fn name(&self) -> &'static str {
        let head = &self.head[..];
        let frames =
            [Format::Bk2, Format::Csv, Format::JsonLines, Format::Fm2].map(|format| Kind::Frames(format.into()));
        let others = [
            Kind::Svg,
            Kind::Report,
            Kind::GradedReport,
            Kind::Trace,
            Kind::Games,
            Kind::Formats,
            Kind::Grades,
            Kind::Curve,
            Kind::Weights,
            Kind::SwarmCheckpoint,
            Kind::TasLists,
            Kind::TasShard,
            Kind::RamMap,
            Kind::Manual,
        ];
        if let Some(kind) = frames.iter().chain(&others).find(|kind| kind.is(self)) {
            return kind.name();
        }
        match magic(head) {
            Some(name) => name,
            None if is_text(head) => "another text",
            None => OTHER,
        }
    }
}

/// The name of what is nothing known.
const OTHER: &str = "other content";
const PAGE: &[u8] = b"<!DOCTYPE html>";
const ZIP: &[u8] = b"PK\x03\x04";
const GZIP: &[u8] = b"\x1F\x8B";
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n";
const GIF: &[u8] = b"GIF8";
const ANIMATED: &str = "an animated PNG";
/// Bytes of a PNG up to its first chunk after the header, with that chunk's length and name.
const BEFORE_IMAGE: usize = 8 + 25 + 8;

/// What a file is by its first bytes.
fn magic(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &'static str); 20] = [
        (b"NES\x1A", "a NES ROM"),
        (b"UNIF", "a NES ROM"),
        (b"FDS\x1A", "a disk image"),
        (ZIP, "a ZIP archive"),
        (b"PK\x05\x06", "a ZIP archive"),
        (GZIP, "a gzip file"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
        (b"Rar!", "a RAR archive"),
        (b"\x28\xB5\x2F\xFD", "a Zstandard file"),
        (b"\xFD7zXZ", "an XZ file"),
        (b"BZh", "a bzip2 file"),
        (PNG, "a PNG picture"),
        (GIF, "a GIF"),
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"RIFF", "a RIFF file"),
        (b"%PDF", "a PDF"),
        (b"\x7FELF", "a program"),
        (b"SQLite format 3", "a database"),
        (b"mxvalue", "the weights of a net"),
        (b"mxtdckp", "a checkpoint"),
    ];
    if is_animated(head) {
        return Some(ANIMATED);
    }
    let found = known.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| name);
    found.or_else(|| is_mp4(head).then_some("an MP4"))
}

/// Is it a PNG whose chunk acTL comes before its first image? The [specification](https://www.w3.org/TR/png-3/#acTL-chunk) wants it there.
fn is_animated(head: &[u8]) -> bool {
    let at = |chunk: &[u8]| head.windows(chunk.len()).position(|window| window == chunk);
    head.starts_with(PNG) && at(b"acTL").is_some_and(|animation| at(b"IDAT").is_none_or(|image| animation < image))
}

fn is_mp4(head: &[u8]) -> bool {
    head.get(4..8) == Some(b"ftyp")
}

fn is_svg(head: &[u8]) -> bool {
    head.starts_with(b"<svg") || (head.starts_with(b"<?xml") && contains(head, b"<svg"))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Text in UTF-8, perhaps cut within a character.
fn is_text(head: &[u8]) -> bool {
    let whole = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !whole.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{C}'))
}

/// The beginning of what a gzip file holds; `None` for another file.
fn unpacked(head: &[u8]) -> Option<Vec<u8>> {
    let mut inner = Vec::new();
    if !head.starts_with(GZIP) {
        return None;
    }
    // The end is cut off: what comes before is enough.
    let _ = GzDecoder::new(head).take(READ).read_to_end(&mut inner);
    Some(inner)
}

/// The lines of a text, without a byte order mark; the last one may be cut.
fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
}

fn is_frames(format: Format, head: &[u8]) -> bool {
    let Some(first) = lines(head).find(|line| !line.is_empty()) else { return false };
    match format {
        Format::Csv => {
            // A log that another program has written may have no header, but it names its columns.
            let columns = lines(head).find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
            let has = |name: &[u8]| columns.split(|&byte| byte == b',').any(|column| column.trim_ascii() == name);
            first.starts_with(b"# format: maxout-log") || (has(b"call") && has(b"buttons"))
        }
        Format::JsonLines => {
            first.starts_with(b"{") && contains(first, b"\"format\"") && contains(first, b"maxout-log")
        }
        Format::Fm2 => {
            let version = first.strip_prefix(b"version ");
            version.is_some_and(|version| version.first().is_some_and(u8::is_ascii_digit)) && is_text(head)
        }
        Format::Bk2 | Format::R08 | Format::Ngf => false,
    }
}

/// Is it TOML whose top level has these keys, before any section, or these sections?
fn has_keys(head: &[u8], keys: &[&str]) -> bool {
    if !is_text(head) {
        return false;
    }
    keys.iter().all(|key| {
        let is_section = key.starts_with('[');
        let top = lines(head).take_while(|line| is_section || !line.starts_with(b"["));
        top.into_iter().any(|line| match line.strip_prefix(key.as_bytes()) {
            Some(rest) => is_section || rest.trim_ascii_start().starts_with(b"="),
            None => false,
        })
    })
}

/// What the lists of a tool-assisted search begin with: as a checkpoint does, with their own layout.
const LISTS: &[u8] = b"mxtasck\x04";

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: Kind, content: &[u8]) -> Result<(), &'static str> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        kind.replaces(file.path()).unwrap()
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn log(format: Format) -> Kind {
        Kind::Frames(format.into())
    }

    #[test]
    fn an_empty_file_is_of_every_kind_but_a_rom_is_never_replaced() {
        for kind in [log(Format::Csv), log(Format::R08), Kind::Report, Kind::GradedReport, Kind::Rom, Kind::Weights] {
            assert_eq!(found(kind, b""), Ok(()), "{kind:?}");
        }
        assert_eq!(found(Kind::Rom, b"NES\x1A123"), Err("a NES ROM"));
    }

    #[test]
    fn a_rom_a_setting_and_a_picture_are_of_no_other_kind() {
        let contents: [(&[u8], &str); 10] = [
            (b"NES\x1A\x02\x01\0\0", "a NES ROM"),
            (b"[bot]\nseed = 7\n", "another text"),
            (b"PK\x03\x04\x0A\0tetris.nes", "a ZIP archive"),
            (b"\xFF\xD8\xFF\xE0", "a JPEG picture"),
            (b"version = 1\nevaluator = \"el-tetris\"\n\n[weights]\n", "a weights file"),
            (b"name,age\nAda,36\n", "another text"),
            (b"# My page on maxout bench-formats\n", "another text"),
            (b"<!DOCTYPE html>\n<title>my page</title>", "another text"),
            (b"\x7FELF\x02\x01\x01\0", "a program"),
            (b"mxvalue\x01", "the weights of a net"),
        ];
        let gz = |format| Kind::Frames(FileFormat { format, gzip: true });
        let films = FilmFormat::ALL.map(Kind::Film);
        let kinds = Format::ALL.map(log).into_iter().chain(films).chain([
            gz(Format::Csv),
            gz(Format::Fm2),
            Kind::Svg,
            Kind::Png,
            Kind::Report,
            Kind::GradedReport,
            Kind::Trace,
            Kind::Games,
            Kind::Formats,
            Kind::Curve,
            Kind::SwarmCheckpoint,
            Kind::NetCheckpoint,
            Kind::TasCheckpoint,
            Kind::TasLists,
            Kind::TasShard,
            Kind::RamMap,
            Kind::Manual,
            Kind::Rom,
        ]);
        for kind in kinds {
            for (content, name) in contents {
                assert_eq!(found(kind, content), Err(name), "{kind:?}");
            }
        }
    }

    #[test]
    fn a_file_of_the_kind_is_replaced_also_when_it_was_cut() {
        let csv: &[u8] = b"# format: maxout-log 1\n# maxout: 0.1.0\n";
        let json: &[u8] = b"{\"format\":\"maxout-log 1\",\"maxout\":\"0.1.0\"}\n";
        let fm2: &[u8] = b"version 3\nemuVersion 20605\n";
        let gz = |format| Kind::Frames(FileFormat { format, gzip: true });
        for (kind, content) in [
            (log(Format::Csv), csv),
            (Kind::Formats, b"# Formats\n\n<!-- Written by maxout bench-formats. -->\n"),
            (log(Format::Csv), b"\xEF\xBB\xBFframe,call,buttons\r\n"),
            (log(Format::JsonLines), json),
            (log(Format::Fm2), fm2),
            (log(Format::Bk2), b"PK\x03\x04\x0A\0\0\0Input Log.txt"),
            (log(Format::R08), &[0, 0, 0x80, 0]),
            (log(Format::Ngf), &packed(&[0x68, 0, 1, 2])),
            (log(Format::Ngf), &packed(b"")),
            (gz(Format::Csv), &packed(csv)),
            (gz(Format::Csv), &packed(csv)[..packed(csv).len() - 8]),
            (Kind::Film(FilmFormat::Mp4), b"\0\0\0\x20ftypisom"),
            (Kind::Film(FilmFormat::Gif), b"GIF89a"),
            (Kind::Png, PNG),
            (Kind::Svg, b"<svg xmlns="),
            (Kind::Report, b"<!DOCTYPE html>\n<title>maxout on x.nes</title>"),
            (Kind::GradedReport, b"<!DOCTYPE html>\n<title>maxout: graded games</title>"),
            (Kind::Svg, b"<?xml version=\"1.0\"?>\n<svg"),
            (Kind::RamMap, b"# words\nformat = 1\nname = \"x\"\n\n[[entry]]\n"),
            (Kind::SwarmCheckpoint, b"version = 1\n\n[settings]\n"),
            (Kind::TasCheckpoint, b"mxtasck\x03"),
            (Kind::TasLists, b"mxtasck\x04"),
        ] {
            assert_eq!(found(kind, content), Ok(()), "{kind:?}");
        }
        assert_eq!(found(log(Format::Ngf), &packed(csv)), Err("a gzip file"));
        assert_eq!(found(gz(Format::Csv), &packed(fm2)), Err("a gzip file"));
        assert_eq!(found(log(Format::Fm2), csv), Err("a CSV log"));
        let [game, grades] =
            [&b"<!DOCTYPE html>\n<title>maxout</title>"[..], b"<!DOCTYPE html>\n<title>maxout: graded games</title>"];
        assert_eq!(found(Kind::GradedReport, game), Err("the report of a game"));
        assert_eq!(found(Kind::Report, grades), Err("a report of grades"));
        assert_eq!(found(log(Format::R08), &[0, 0, 0]), Err("other content"));
        assert_eq!(found(log(Format::R08), &[0x4C, 0x10, 0xA9, 0x20]), Err("other content"));
        assert_eq!(found(Kind::Trace, b"# nes-tetris-trace 1\n"), Ok(()));
        assert_eq!(found(Kind::Weights, b"[eval]\nevaluator = \"x\"\nversion = 1\n"), Err("another text"));
    }

    #[test]
    fn a_film_and_a_picture_as_png_do_not_replace_each_other() {
        let written = |pictures: Option<u32>| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
            if let Some(pictures) = pictures {
                encoder.set_animated(pictures, 0).unwrap();
            }
            let mut writer = encoder.write_header().unwrap();
            (0..pictures.unwrap_or(1)).for_each(|shade| writer.write_image_data(&[shade as u8]).unwrap());
            writer.finish().unwrap();
            bytes
        };
        let (film, picture) = (written(Some(2)), written(None));
        let to_film = Kind::Film(FilmFormat::Apng);
        assert_eq!((found(to_film, &film), found(Kind::Png, &picture)), (Ok(()), Ok(())));
        assert_eq!(found(Kind::Png, &film), Err("an animated PNG"));
        assert_eq!(found(to_film, &picture), Err("a PNG picture"));
        // A film that was cut before it says that it is one.
        assert_eq!(found(to_film, &film[..BEFORE_IMAGE - 1]), Ok(()));
    }

    #[test]
    fn a_large_bk2_has_its_input_log_at_the_end() {
        let mut large = ZIP.to_vec();
        large.resize(3 * READ as usize, 7);
        assert!(found(log(Format::Bk2), &large).is_err());
        large.extend(INPUT_LOG.as_bytes());
        assert_eq!(found(log(Format::Bk2), &large), Ok(()));
    }
}
