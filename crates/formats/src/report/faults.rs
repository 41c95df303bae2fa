//! Pages on disks that break at every byte: what was accepted can be shown.

use super::ReportWriter;
use super::line::PageLine;
use super::page::PLACEMENT;
use crate::Provenance;
use crate::played::PlayedStep;
use crate::whole::{Fault, GrowingFile, Packing, TestDisk};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, RamMap, RamSnapshot};

/// A few placements: Start through the menus, then the pieces fall.
fn recording() -> Vec<(Buttons, bool, RamSnapshot)> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
    let mut console = Simulation::power_on();
    let frame = |frame: u32| {
        let buttons = match console.in_game() {
            false if frame.is_multiple_of(2) => Buttons::START,
            false => Buttons::NONE,
            // A soft drop begins with a new press.
            true if frame.is_multiple_of(16) => Buttons::NONE,
            true => Buttons::DOWN,
        };
        console.step(buttons);
        (buttons, console.polled(), decoder.decode(console.ram()).unwrap())
    };
    (0..900).map(frame).collect()
}

/// Writes the page of a recording. How many placements were accepted; none without a beginning.
fn write(disk: &TestDisk, recording: &[(Buttons, bool, RamSnapshot)]) -> Option<usize> {
    let output = GrowingFile::on(Box::new(disk.clone()), Packing::Plain, "placements");
    let mut page = ReportWriter::new(output, "disk".to_owned(), &Provenance::default()).ok()?;
    let mut placements = 0;
    for (buttons, polled, snapshot) in recording {
        let (buttons, polled) = (*buttons, *polled);
        if page.step(&PlayedStep::Frame { buttons, polled, writes: &[], snapshot }).is_err() {
            break;
        }
        placements = page.placements();
    }
    let _ = page.finish();
    Some(placements as usize)
}

/// The lines of a page, as its script finds them: half a line at the end is left out.
fn lines(content: &[u8]) -> Vec<PageLine> {
    let text = String::from_utf8(content.to_vec()).unwrap();
    let (_, told) = text.split_once("id=\"told\">\n").unwrap();
    let told = told.split("</script>").next().unwrap();
    // The first line says what the script needs to know about pieces.
    let mut found = Vec::new();
    let mut rest = told.split('\n').skip(1).peekable();
    while let Some(line) = rest.next() {
        match serde_json::from_str(line) {
            Ok(line) => found.push(line),
            Err(_) if line.is_empty() || rest.peek().is_none() => {}
            Err(error) => panic!("{error} in {line:?}"),
        }
    }
    found
}

#[test]
fn a_page_survives_a_fault_at_many_bytes() {
    let recording = recording();
    let whole = TestDisk::new(None);
    let all = write(&whole, &recording).unwrap();
    assert!(all > 3, "{all} placements");
    let expected = lines(&whole.content());
    let (bytes, calls) = whole.load();
    let head = whole.content().windows(PLACEMENT.len()).position(|bytes| bytes == PLACEMENT.as_bytes()).unwrap() as u64;
    for place in (head.saturating_sub(300)..=bytes).step_by(29).chain(0..=calls) {
        for fault in Fault::all_at(place) {
            let disk = TestDisk::new(Some(fault));
            let Some(accepted) = write(&disk, &recording) else { continue };
            let found = lines(&disk.content());
            assert!(expected.starts_with(&found), "{fault:?}");
            let placements = found.iter().filter(|line| matches!(line, PageLine::Placement(_))).count();
            assert!(placements >= accepted, "{fault:?}: {placements} of {accepted} placements");
        }
    }
}
