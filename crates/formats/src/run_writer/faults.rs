//! Logs and movies on disks that break at every byte: what was accepted can be read.

use std::io::{Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::*;
use crate::fm2::{Movie, Step};
use crate::frame_log::LogReader;
use crate::ngf::RECORD;
use crate::text;
use crate::whole::{Fault, TestDisk};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, RamMap, RamSnapshot};

/// Frames of a game.
fn recording(frames: usize) -> Vec<(Buttons, RamSnapshot)> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
    let mut console = Simulation::power_on();
    let mut frame = 0_u8;
    while !console.in_game() {
        frame = frame.wrapping_add(1);
        console.step(if frame.is_multiple_of(2) { Buttons::START } else { Buttons::NONE });
    }
    let mut recorded = Vec::new();
    while recorded.len() < frames {
        let buttons = Buttons::from_bits((recorded.len() as u8).wrapping_mul(37) & 3);
        console.step(buttons);
        if console.polled() {
            recorded.push((buttons, decoder.decode(console.ram()).unwrap()));
        }
    }
    recorded
}

/// Writes a recording. How many frames were accepted; none without a beginning.
fn write(disk: &TestDisk, format: FileFormat, recording: &[(Buttons, RamSnapshot)]) -> Option<usize> {
    let output = GrowingFile::on(Box::new(disk.clone()), packing(format), UNIT);
    let provenance = Provenance::default().with("player", "nobody");
    let mut writer = RunWriter::new(output, "disk".to_owned(), format, &provenance, LogOptions::default()).ok()?;
    let take = |(buttons, snapshot): &(Buttons, RamSnapshot)| {
        writer.take(&PlayedStep::Frame { buttons: *buttons, polled: true, writes: &[], snapshot })
    };
    let accepted = recording.iter().map(take).take_while(Result::is_ok).count();
    let finished = writer.finish();
    if let Err(error) = finished.or_else(|_| writer.finish()) {
        let words = error.source.to_string();
        assert!(words.contains("; the file holds ") && words.ends_with(" frames"), "{words}");
    }
    Some(accepted)
}

/// The buttons in a file, by the reader of its format; of an NGF, which has none, as many.
fn read(content: Vec<u8>, format: FileFormat, recording: &[(Buttons, RamSnapshot)]) -> Result<Vec<Buttons>, String> {
    let path = Path::new("file");
    let words = |error: crate::Error| format!("{:#}", anyhow_like(&error));
    let buttons = |steps: Vec<Step>| {
        let buttons = steps.into_iter().map(|step| match step {
            Step::Frame(buttons) => buttons,
            Step::Reset | Step::PowerCycle => panic!("no reset was recorded"),
        });
        buttons.collect()
    };
    let open = |content: Vec<u8>| text::unpacked(path, Cursor::new(content)).map_err(words);
    let log = |content, shape| LogReader::new(path, open(content)?, shape).and_then(LogReader::steps).map_err(words);
    match format.format {
        Format::Csv => log(content, LogShape::Csv).map(buttons),
        Format::JsonLines => log(content, LogShape::JsonLines).map(buttons),
        Format::Fm2 => Movie::read(path, open(content)?).map_err(words).map(|movie| buttons(movie.steps().collect())),
        Format::Bk2 => {
            let movie = crate::bk2::read(path, Cursor::new(content)).map_err(words)?;
            Ok(buttons(movie.steps().collect()))
        }
        Format::R08 => r08::read(path, &content[..]).map(|entries| entries.buttons).map_err(words),
        Format::Ngf => {
            // Nobody reads it here. What comes before a cut counts.
            let mut records = Vec::new();
            let _ = MultiGzDecoder::new(&content[..]).read_to_end(&mut records);
            Ok(recording.iter().take(records.len() / RECORD).map(|(buttons, _)| *buttons).collect())
        }
    }
}

/// An error with what caused it.
fn anyhow_like(error: &dyn std::error::Error) -> String {
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

/// Tries a fault; the file must hold what was accepted.
fn check(fault: Fault, format: FileFormat, recording: &[(Buttons, RamSnapshot)]) {
    let disk = TestDisk::new(Some(fault));
    let Some(accepted) = write(&disk, format, recording) else { return };
    let content = disk.content();
    let found = read(content, format, recording).unwrap_or_else(|error| panic!("{format} {fault:?}: {error}"));
    // Frames of a gzip file wait for the next batch, of which the first one holds the header. A row may
    // be on the disk when the program is killed, before it knows.
    let packed = packing(format) == Packing::Gzip;
    let least = if packed { ((accepted + 1) / 60 * 60).saturating_sub(1) } else { accepted };
    let most = if packed || fault.kills() { recording.len() } else { accepted };
    assert!((least..=most).contains(&found.len()), "{format} {fault:?}: {} of {accepted} frames", found.len());
    if !packed {
        assert!(found.len() <= accepted + 1, "{format} {fault:?}: {} of {accepted} frames", found.len());
    }
    assert!(found.iter().eq(recording.iter().take(found.len()).map(|(buttons, _)| buttons)), "{format} {fault:?}");
}

/// Every fault at every `step`-th byte and at every call.
fn check_all(format: FileFormat, frames: usize, step: usize) {
    let recording = recording(frames);
    let whole = TestDisk::new(None);
    assert_eq!(write(&whole, format, &recording), Some(frames));
    assert_eq!(read(whole.content(), format, &recording).map(|found| found.len()), Ok(frames), "{format}");
    for most in [1, 2, 3, 7, 100] {
        let short = TestDisk::new(Some(Fault::Short(most)));
        assert_eq!(write(&short, format, &recording), Some(frames));
        assert_eq!(short.content(), whole.content(), "{format}: short writes change nothing");
    }
    let (bytes, calls) = whole.load();
    for place in (0..=bytes).step_by(step).chain(0..=calls) {
        Fault::all_at(place).into_iter().for_each(|fault| check(fault, format, &recording));
    }
}

/// Enough for several gaps of a BK2.
const FEW: usize = 24;
/// Enough for three members of a gzip file.
const SOME: usize = 130;

fn format(text: &str) -> FileFormat {
    text.parse().unwrap()
}

#[test]
fn frames_that_were_accepted_survive_a_fault_at_many_bytes() {
    for (name, step) in [("csv", 7), ("jsonl", 23), ("fm2", 3), ("r08", 1), ("bk2", 5)] {
        check_all(format(name), FEW, step);
    }
}

#[test]
fn batches_that_were_written_survive_a_fault_at_many_bytes() {
    for name in ["csv.gz", "fm2.gz", "ngf"] {
        check_all(format(name), SOME, 37);
    }
}

#[test]
#[ignore = "every byte of every format: a minute"]
fn what_was_accepted_survives_a_fault_at_every_byte() {
    for name in ["csv", "jsonl", "fm2", "r08", "bk2"] {
        check_all(format(name), FEW, 1);
    }
    for name in ["csv.gz", "jsonl.gz", "fm2.gz", "ngf"] {
        check_all(format(name), SOME, 1);
    }
}
