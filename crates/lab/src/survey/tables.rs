//! The rule tables in a ROM's program: read at their known address, or searched for.

use super::program::Program;
use super::validation::{Check, CheckResult, Layer};
use maxout_engine::game::memory::tile::{EMPTY, FIRST, SECOND, WHITE};
use maxout_engine::game::scoring::CLEAR_POINTS;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{KILLSCREEN, tables as pieces};

/// CPU address of the last byte of the program, plus one.
const END: usize = 0x1_0000;

/// A table of the original program.
struct Table {
    name: &'static str,
    /// CPU address in the original.
    address: u16,
    bytes: Vec<u8>,
    /// Does the game need it?
    need: Need,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The rules depend on it.
    Rules,
    /// Only the picture depends on it.
    Looks,
}

/// One row for what the ROM is, and one for each table.
pub(super) fn check(program: &Program<'_>) -> Vec<Check> {
    let identity = Check {
        name: "ROM".to_owned(),
        address: None,
        layer: Layer::Static,
        verdict: if program.is_known { CheckResult::Ok } else { CheckResult::Unknown },
        evidence: format!("{}, SHA-1 {}", program.description, program.sha1),
        suggestion: None,
    };
    std::iter::once(identity).chain(tables().iter().map(|table| row(program.prg, table))).collect()
}

fn row(prg: &[u8], table: &Table) -> Check {
    let start = END - prg.len().min(END);
    let size = table.bytes.len();
    let in_place = usize::from(table.address).checked_sub(start).and_then(|at| prg.get(at..at + size));
    let found = prg.windows(size).position(|window| window == table.bytes).map(|at| (start + at) as u16);
    let bytes = format!("{size} bytes, {}", hexadecimal(&table.bytes));
    let (verdict, address, evidence) = match (in_place == Some(&table.bytes[..]), found, table.need) {
        (true, ..) => (CheckResult::Ok, Some(table.address), bytes),
        (false, Some(address), _) => {
            (CheckResult::Ok, Some(address), format!("moved from ${:04X}; {bytes}", table.address))
        }
        (false, None, Need::Looks) => (CheckResult::NotNeeded, None, format!("not there, and not needed: {bytes}")),
        (false, None, Need::Rules) => {
            let seen = in_place.map_or("nothing".to_owned(), hexadecimal);
            let evidence = format!("expected {bytes} at ${:04X} or elsewhere, found {seen}", table.address);
            (CheckResult::Failed, None, evidence)
        }
    };
    Check { name: table.name.to_owned(), address, layer: Layer::Static, verdict, evidence, suggestion: None }
}

/// The first bytes of a table.
fn hexadecimal(bytes: &[u8]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ") + if bytes.len() > SHOWN { " ..." } else { "" }
}

fn tables() -> Vec<Table> {
    use Need::{Looks, Rules};
    let table = |name, address, bytes, need| Table { name, address, bytes, need };
    let bcd = |number: u32| (number / 10 * 16 + number % 10) as u8;
    let hidden = [0, 0xFF, 0].repeat(4);
    let points = CLEAR_POINTS.into_iter().flat_map(|points| [bcd(points % 100), bcd(points / 100)]).collect();
    let garbage = vec![EMPTY, WHITE, EMPTY, SECOND, FIRST, FIRST, EMPTY, EMPTY];
    vec![
        table("orientation table", 0x8A9C, pieces::orientations(), Rules),
        table("hidden orientation", 0x8B80, hidden, Rules),
        table("rotation table", 0x88EE, pieces::rotations(), Rules),
        table("frames per drop", 0x898E, (0..=KILLSCREEN).map(frames_per_row).collect(), Rules),
        table("type of orientation", 0x993B, pieces::pieces(), Rules),
        table("spawn table", 0x994E, pieces::spawns(), Rules),
        table("spawn orientations", 0x9956, pieces::spawns_by_orientation(), Rules),
        table("points", 0x9CA5, points, Rules),
        table("levels for display", 0x96B8, (0..30).map(bcd).collect(), Looks),
        table("row times ten", 0x96D6, (0..20).map(|row| 10 * row).collect(), Looks),
        table("level colours", 0x984C, COLOURS.as_flattened().to_vec(), Looks),
        table("B-type last blank cell", 0x8876, vec![0xC8, 0xAA, 0x96, 0x78, 0x64, 0x50], Rules),
        table("B-type garbage tiles", 0x887C, garbage, Rules),
        table("clear animation, left", 0x97FE, vec![4, 3, 2, 1, 0], Looks),
        table("clear animation, right", 0x9803, vec![5, 6, 7, 8, 9], Looks),
    ]
}

/// Four colours for each last digit of the level.
const COLOURS: [[u8; 4]; 10] = [
    [0x0F, 0x30, 0x21, 0x12],
    [0x0F, 0x30, 0x29, 0x1A],
    [0x0F, 0x30, 0x24, 0x14],
    [0x0F, 0x30, 0x2A, 0x12],
    [0x0F, 0x30, 0x2B, 0x15],
    [0x0F, 0x30, 0x22, 0x2B],
    [0x0F, 0x30, 0x00, 0x16],
    [0x0F, 0x30, 0x05, 0x13],
    [0x0F, 0x30, 0x16, 0x12],
    [0x0F, 0x30, 0x27, 0x16],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The cartridge's file: 16 bytes of header, then the program of 32 KiB from CPU address $8000.
    const CARTRIDGE: &[u8] = include_bytes!("../../../console/maxout.nes");

    fn check_file(file: &[u8], is_known: bool) -> Vec<Check> {
        let prg = &file[0x10..0x8010];
        check(&Program { name: "a.nes", description: "a test", sha1: "00", is_known, prg })
    }

    fn of(file: &[u8], name: &str) -> Check {
        check_file(file, false).into_iter().find(|row| row.name == name).expect("a table")
    }

    fn changed(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = CARTRIDGE.to_vec();
        change(&mut bytes);
        bytes
    }

    #[test]
    fn the_cartridge_has_every_rule_table_in_its_place() {
        for row in check_file(CARTRIDGE, true) {
            let own = row.name == "level colours";
            assert_eq!(row.verdict, if own { CheckResult::NotNeeded } else { CheckResult::Ok }, "{row:?}");
        }
        assert_eq!(of(CARTRIDGE, "points").address, Some(0x9CA5));
    }

    #[test]
    fn a_moved_table_is_found_and_a_changed_one_fails() {
        // File offset of CPU address $8000 is 16; $F000 is free on the cartridge.
        let moved = changed(|bytes| {
            bytes.copy_within(0x1CB5..0x1CBF, 0x7010);
            bytes[0x1CB5] = 0x77;
        });
        let row = of(&moved, "points");
        assert_eq!((row.verdict, row.address), (CheckResult::Ok, Some(0xF000)));
        let row = of(&changed(|bytes| bytes[0x99E] = 0x2F), "frames per drop");
        assert_eq!(row.verdict, CheckResult::Failed);
        assert!(row.evidence.contains("found 2F 2B 26"), "{}", row.evidence);
        assert_eq!(of(&moved, "ROM").verdict, CheckResult::Unknown);
    }
}
