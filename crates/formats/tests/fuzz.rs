//! All readers of logs and movies with damaged files: our own files, and movies that people made, if
//! they are present. Every file is read or refused in one line, without a panic and without filling the
//! memory.
//!
//! `MAXOUT_FUZZ_CASES` sets the number of cases for each reader (default: 400).

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use maxout_engine::console::{Console, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::fm2::{Movie, Step};
use maxout_formats::frame_log::{LogOptions, LogReader, LogRow, LogShape, copy_log};
use maxout_formats::{
    FileFormat, Format, InputFile, PlayedStep, Presses, Provenance, RunWriter, bk2, movie_bytes, r08,
};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

#[path = "../../../tests/skipped/mod.rs"]
mod skipped;

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}

fn cases() -> u32 {
    std::env::var("MAXOUT_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// One damage to a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    Truncate(Index),
    DeleteLine(Index),
    RepeatLine(Index, u8),
    Insert(Index, Vec<u8>),
    Number(Index, String),
}

/// Numbers that a reader might handle wrongly.
const NUMBERS: [&str; 7] =
    ["18446744073709551615", "-1", "4294967296", "99999999999999999999999", "0x10", "1e9", "\u{FF11}"];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), 1..=255_u8).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        1 => any::<Index>().prop_map(Damage::Truncate),
        1 => any::<Index>().prop_map(Damage::DeleteLine),
        1 => (any::<Index>(), 1..40_u8).prop_map(|(at, times)| Damage::RepeatLine(at, times)),
        1 => (any::<Index>(), proptest::collection::vec(any::<u8>(), 1..30)).prop_map(|(at, b)| Damage::Insert(at, b)),
        1 => (any::<Index>(), proptest::sample::select(&NUMBERS[..])).prop_map(|(at, n)| Damage::Number(at, n.to_owned())),
    ]
}

/// Start and end of the line that contains this byte.
fn line_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let begin = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
    begin..end
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Flip(at, bits) => bytes[at.index(length)] ^= bits,
        Damage::Truncate(at) => bytes.truncate(at.index(length)),
        Damage::DeleteLine(at) => drop(bytes.drain(line_at(bytes, at.index(length)))),
        Damage::RepeatLine(at, times) => {
            let line = line_at(bytes, at.index(length));
            let more = bytes[line.clone()].repeat(usize::from(*times));
            bytes.splice(line.end..line.end, more);
        }
        Damage::Insert(at, more) => drop(bytes.splice(at.index(length)..at.index(length), more.iter().copied())),
        Damage::Number(at, number) => {
            // Replaces a number by another number.
            let at = at.index(length);
            let Some(begin) = bytes[at..].iter().position(u8::is_ascii_digit).map(|ahead| at + ahead) else { return };
            let digits = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            bytes.splice(begin..begin + digits, number.bytes());
        }
    }
}

/// A file of every format: a short run with a game and a reset.
fn own_file(format: Format) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game");
    let hash = "878a1d92e65f781765b8a93122933fca";
    let provenance = Provenance::new("maxout.nes", ["0", hash, "1"], "simulated").with("seed", 3).closed(None);
    let mut writer = RunWriter::create(&path, format.into(), &provenance, LogOptions { cells: true, cheats: false })
        .expect("a file");
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let mut console = Simulated::power_on();
    for frame in 0..420 {
        if frame == 350 && format != Format::R08 {
            console.reset(maxout_engine::console::Reset::Button);
            writer.take(&PlayedStep::Reset).expect("written");
        }
        let buttons = if frame % 3 == 0 { Buttons::START } else { Buttons::from_bits((frame % 16) as u8) };
        console.step(buttons).expect("it runs");
        let snapshot = decoder.decode(console.ram()).expect("possible");
        writer
            .take(&PlayedStep::Frame { buttons, polled: console.polled(), writes: &[], snapshot: &snapshot })
            .expect("written");
    }
    writer.finish().expect("written");
    fs::read(path).expect("a file")
}

/// The first lines of movies that people made, and a file with a very long header.
fn movies_of_people() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movies");
    let Some(folder) = skipped::beside("movies", &folder) else { return Vec::new() };
    let entries = fs::read_dir(&folder).expect("a folder");
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let movies = files.filter(|path| path.extension().is_some_and(|extension| extension == "fm2"));
    movies.filter_map(|path| fs::read(path).ok()).map(|bytes| bytes[..bytes.len().min(6000)].to_vec()).collect()
}

/// Checks that an error message is one line.
fn is_one_line<T>(result: Result<T, maxout_formats::Error>) {
    if let Err(error) = result {
        let text = error.to_string();
        assert!(!text.contains('\n') && text.len() < 600, "{text:?}");
        assert!(text.starts_with("file") || text.contains("file"), "{text:?} names the file");
    }
}

fn log(bytes: &[u8], shape: LogShape) -> Result<LogReader, maxout_formats::Error> {
    LogReader::new(Path::new("file"), Box::new(Cursor::new(bytes.to_vec())), shape)
}

fn copied(bytes: &[u8], from: LogShape, to: LogShape) -> Result<Vec<u8>, maxout_formats::Error> {
    let parts: Result<Vec<_>, _> = copy_log(&mut log(bytes, from)?, to).collect();
    Ok(parts?.concat())
}

/// All rows of a log, which must be readable.
fn copied_is_read(bytes: &[u8], shape: LogShape) -> Vec<LogRow> {
    let read = log(bytes, shape).and_then(|mut log| {
        let mut rows = Vec::new();
        while let Some((_, row)) = log.next_row()? {
            rows.push(row);
        }
        Ok(rows)
    });
    read.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)))
}

fn read(format: Format, bytes: &[u8]) {
    let path = Path::new("file");
    match format {
        Format::Fm2 => is_one_line(Movie::read(path, bytes).map(|movie| movie.steps().count())),
        Format::Bk2 => is_one_line(bk2::read(path, Cursor::new(bytes)).map(|movie| movie.steps().count())),
        Format::R08 => is_one_line(r08::read(path, bytes)),
        Format::Csv | Format::JsonLines => {
            let shape = if format == Format::Csv { LogShape::Csv } else { LogShape::JsonLines };
            is_one_line(log(bytes, shape).and_then(LogReader::steps));
            for other in [LogShape::Csv, LogShape::JsonLines] {
                let copied = copied(bytes, shape, other);
                if let Ok(copy) = &copied {
                    copied_is_read(copy, other);
                }
                is_one_line(copied);
            }
        }
        Format::Ngf => unreachable!("an NGF has no reader"),
    }
}

/// Reads `seeds`, each with one to six damages, and random bytes.
fn fuzz(format: Format, seeds: Vec<Vec<u8>>) {
    for seed in &seeds {
        read(format, seed);
    }
    let strategy = (any::<Index>(), proptest::collection::vec(damage(), 1..=6));
    let mut runner = TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    runner
        .run(&strategy, |(seed, damages)| {
            let mut bytes = seeds[seed.index(seeds.len())].clone();
            damages.iter().for_each(|damage| apply(&mut bytes, damage));
            read(format, &bytes);
            Ok(())
        })
        .expect("no damage makes the reader fail");
    let noise = proptest::collection::vec(any::<u8>(), 0..400);
    runner
        .run(&noise, |bytes| {
            read(format, &bytes);
            Ok(())
        })
        .expect("no noise makes the reader fail");
    println!("{format:?}: {} damaged files and {} of noise", cases(), cases());
}

#[test]
fn damaged_fm2_movies_are_read_or_refused() {
    fuzz(Format::Fm2, [vec![own_file(Format::Fm2)], movies_of_people()].concat());
}

#[test]
fn damaged_bk2_archives_are_read_or_refused() {
    let of_people = movies_of_people().into_iter().map(|bytes| {
        let movie = Movie::read("file", &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').expect("lines") + 1]);
        movie_bytes(&movie.expect("a movie"), Format::Bk2).expect("written")
    });
    fuzz(Format::Bk2, [own_file(Format::Bk2)].into_iter().chain(of_people).collect());
}

#[test]
fn damaged_input_logs_in_intact_archives_are_read_or_refused() {
    // A damaged archive already fails its checksum, so the log is damaged before it is packed.
    let log = own_file(Format::Bk2);
    let begin = log.windows(7).position(|text| text == b"[Input]").expect("the input");
    let end = log.windows(8).position(|text| text == b"[/Input]").expect("its end") + 10;
    let strategy = proptest::collection::vec(damage(), 1..=4);
    let mut runner = TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    runner
        .run(&strategy, |damages| {
            let mut text = log[begin..end].to_vec();
            damages.iter().for_each(|damage| apply(&mut text, damage));
            let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
            let options = zip::write::SimpleFileOptions::default();
            for (name, text) in [("Header.txt", &text), ("Subtitles.txt", &text), ("Input Log.txt", &text)] {
                archive.start_file(name, options).expect("a member");
                archive.write_all(text).expect("written");
            }
            read(Format::Bk2, &archive.finish().expect("an archive").into_inner());
            Ok(())
        })
        .expect("no damage makes the reader fail");
}

#[test]
fn damaged_logs_are_read_or_refused() {
    fuzz(Format::Csv, vec![own_file(Format::Csv)]);
    fuzz(Format::JsonLines, vec![own_file(Format::JsonLines)]);
}

/// Rows as JSON, with any text as note and with optional columns.
fn odd_rows() -> impl Strategy<Value = String> {
    let note = proptest::option::of(prop_oneof!["[a-z ,\"\r\n;#]{0,12}", any::<String>()]);
    let number = proptest::option::of(any::<i64>());
    let row = (note, number, proptest::option::of(prop_oneof!["[0-9A-F]{4}", "[,\"]{1,3}"]));
    proptest::collection::vec(row, 0..8).prop_map(|rows| {
        let rows = rows.into_iter().enumerate().map(|(call, (note, x, rng))| {
            let mut row = serde_json::json!({ "call": call, "buttons": "00" });
            for (name, value) in
                [("note", note.map(Into::into)), ("x", x.map(Into::into)), ("rng", rng.map(Into::into))]
            {
                if let Some(value) = value {
                    row[name] = value;
                }
            }
            format!("{row}\n")
        });
        format!("{{\"format\":\"maxout-log 1\",\"a\\nb\":\"c\"}}\n{}", rows.collect::<String>())
    })
}

#[test]
fn any_log_survives_both_formats() {
    let mut runner = TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    runner
        .run(&odd_rows(), |json| {
            let csv = copied(json.as_bytes(), LogShape::JsonLines, LogShape::Csv).expect("a log");
            let again = copied(&csv, LogShape::Csv, LogShape::JsonLines).expect("a log");
            let csv_again = copied(&again, LogShape::JsonLines, LogShape::Csv).expect("a log");
            prop_assert_eq!(String::from_utf8_lossy(&csv_again), String::from_utf8_lossy(&csv));
            prop_assert_eq!(copied_is_read(&again, LogShape::JsonLines), copied_is_read(&csv, LogShape::Csv));
            Ok(())
        })
        .expect("nothing is lost");
}

#[test]
fn non_numbers_are_refused_and_absent_values_are_left_out() {
    let head = "# format: maxout-log 1\ncall,buttons,x,note\n0,00,7,\n";
    let json = |rows: &str| copied(format!("{head}{rows}").as_bytes(), LogShape::Csv, LogShape::JsonLines);
    let error = json("1,00,hello,\n").expect_err("no number").to_string();
    assert_eq!(error, "file:4: x: expected a whole number, found \"hello\"");
    let rows = json("1,00,,\"a \"\"b\"\", c\"\n2,00,007,d \"e\"\n").expect("a log");
    let expected = "{\"format\":\"maxout-log 1\"}\n{\"call\":0,\"buttons\":\"00\",\"x\":7,\"note\":\"\"}\n\
        {\"call\":1,\"buttons\":\"00\",\"note\":\"a \\\"b\\\", c\"}\n\
        {\"call\":2,\"buttons\":\"00\",\"x\":7,\"note\":\"d \\\"e\\\"\"}\n";
    assert_eq!(String::from_utf8_lossy(&rows), expected);
    let rows = "{\"format\":\"maxout-log 1\"}\n{\"call\":0,\"buttons\":\"00\"}\n\
        {\"call\":1,\"buttons\":\"00\",\"x\":-3,\"note\":\"a\\r\\nb\"}\n";
    let csv = copied(rows.as_bytes(), LogShape::JsonLines, LogShape::Csv).expect("a log");
    let expected = "# format: maxout-log 1\ncall,buttons,x,note\n0,00,,\n1,00,-3,a  b\n";
    assert_eq!(String::from_utf8_lossy(&csv), expected);
    let long = format!("{head}1,00,7,{}\n", "\u{1}".repeat(20_000));
    let error = copied(long.as_bytes(), LogShape::Csv, LogShape::JsonLines).expect_err("too long").to_string();
    assert!(error.starts_with("file:4: expected a line that takes less than 65536 bytes"), "{error}");
}

#[test]
fn any_bytes_are_an_r08_and_half_an_entry_at_its_end_is_left_out() {
    fuzz(Format::R08, vec![own_file(Format::R08)]);
    let read = |bytes: &[u8]| r08::read(Path::new("file"), bytes);
    assert_eq!(read(&[1, 2, 3]).unwrap().buttons, [Buttons::RIGHT]);
    assert!(read(&[1, 2]).is_ok_and(|entries| entries.uses_other_gamepad && entries.buttons == [Buttons::RIGHT]));
}

#[test]
fn damaged_gzip_files_are_read_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file.csv.gz");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&own_file(Format::Csv)).expect("packed");
    let packed = packed.finish().expect("packed");
    let format = FileFormat::of_path(&path).expect("a format");
    let mut runner = TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    runner
        .run(&proptest::collection::vec(damage(), 0..=4), |damages| {
            let mut bytes = packed.clone();
            damages.iter().for_each(|damage| apply(&mut bytes, damage));
            fs::write(&path, bytes).expect("written");
            is_one_line(InputFile::open(&path, format));
            Ok(())
        })
        .expect("no damage makes the reader fail");
}

#[test]
fn a_row_that_is_wrong_because_the_gzip_file_is_damaged_is_told_as_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format, from, to) in
        [("a.csv.gz", Format::Csv, &b"\n5,"[..], &b"\n5;"[..]), ("a.fm2.gz", Format::Fm2, b"\n|0|", b"\n|0;")]
    {
        let path = folder.path().join(name);
        // Not compressed, so that a byte of a row is a byte of the file.
        let mut packed = GzEncoder::new(Vec::new(), Compression::none());
        packed.write_all(&own_file(format)).expect("packed");
        let mut bytes = packed.finish().expect("packed");
        let format = FileFormat::of_path(&path).expect("a format");
        let opened = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            InputFile::open(&path, format).map(drop).map_err(|error| match std::error::Error::source(&error) {
                Some(source) => source.to_string(),
                None => error.to_string(),
            })
        };
        assert_eq!(opened(&bytes), Ok(()));
        assert_eq!(opened(&[&bytes[..], b"garbage"].concat()), Ok(()));
        let at = bytes.windows(from.len()).rposition(|part| part == from).expect("a row");
        bytes[at..at + to.len()].copy_from_slice(to);
        assert_eq!(opened(&bytes).unwrap_err(), "corrupt gzip stream does not have a matching checksum");
    }
}

#[test]
fn archives_that_unpack_to_huge_files_are_refused() {
    let refusal = |comments: usize, inputs: usize| {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file("Comments.txt", options).expect("a member");
        let zeros = vec![b'0'; 1 << 20];
        for _ in 0..comments {
            archive.write_all(&zeros).expect("written");
        }
        archive.start_file("Input Log.txt", options).expect("a member");
        archive.write_all(b"[Input]\nLogKey:#P1 A|\n").expect("written");
        let lines = b"|.|\n".repeat(1 << 18);
        for _ in 0..inputs {
            archive.write_all(&lines).expect("written");
        }
        let bytes = archive.finish().expect("an archive").into_inner();
        assert!(bytes.len() < 1 << 20);
        bk2::read(Path::new("file"), Cursor::new(bytes)).expect_err("too long").to_string()
    };
    assert_eq!(refusal(64, 1), "cannot read file/Comments.txt");
    // A little more than 2^23 lines: more than any movie has, less than the limit in bytes.
    let error = refusal(0, 33);
    assert!(error.contains("expected at most 8388608 lines"), "{error}");
}

#[test]
fn the_fuzz_files_of_all_formats_contain_the_same_run() {
    let steps = |format: Format| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game");
        fs::write(&path, own_file(format)).expect("written");
        InputFile::open(&path, format.into()).expect("own files are read").presses
    };
    let Presses::Steps(expected) = steps(Format::Fm2) else { panic!("a movie has steps") };
    assert_eq!(expected.len(), 421);
    assert_eq!(expected[350], Step::Reset);
    for format in [Format::Bk2, Format::Csv, Format::JsonLines] {
        assert_eq!(steps(format), Presses::Steps(expected.clone()), "{format:?}");
    }
}
