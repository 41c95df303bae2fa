//! The claims of a survey against recordings of all RAM of the original game: what no program of ours
//! can prove about itself. The recordings cannot be poked, so the trials are left out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use ruzstd::decoding::StreamingDecoder;

use super::claims::Stage;
use super::demo::Demo;
use super::lockstep::{Lockstep, Observations};
use super::relations::{self, RELATIONS};
use super::resolve::{Resolution, Resolved, drop_taken, layout};
use super::search::{contradiction, survivors};
use maxout_engine::console::{Console, Error as ConsoleError, Reset};
use maxout_engine::game::memory::address::{NAME_ENTRY, PLAYFIELD, name};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{RAM_SIZE, Ram, RamMap};

/// Player 1's block; the original keeps a working copy of it at `$40`.
const PLAYER_BLOCK: std::ops::Range<u16> = 0x60..0x80;

/// Address, value.
type Poke = (u16, u8);

/// A recording that plays itself: whatever is pressed, the next frame is the next row.
struct Recording {
    rows: std::vec::IntoIter<(Buttons, Box<Ram>)>,
    pokes: BTreeMap<usize, Vec<Poke>>,
    ram: Box<Ram>,
}

impl Recording {
    fn open(name: &str) -> Recording {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/full");
        let file = File::open(folder.join(format!("{name}.full.zst"))).expect("a recording");
        let text = BufReader::new(StreamingDecoder::new(BufReader::new(file)).expect("zstd"));
        let byte = |text: &str| u8::from_str_radix(text, 16).expect("a byte in hexadecimal");
        let poke = |text: &str| -> Poke {
            let (address, value) = text.split_once('=').expect("AAA=VV");
            (u16::from_str_radix(address, 16).expect("an address"), byte(value))
        };
        let (mut rows, mut pokes) = (Vec::new(), BTreeMap::<usize, Vec<Poke>>::new());
        let mut ram: Box<Ram> = Box::new([0; RAM_SIZE]);
        for (at, line) in text.lines().enumerate() {
            let line = line.expect("text");
            assert!(at > 0 || line == "# nes-tetris-full-ram 1", "{name} begins with {line}");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["#", "poke", frame, write] => {
                    pokes.entry(frame.parse().expect("a frame")).or_default().push(poke(write));
                }
                ["#", ..] => {}
                [frame, buttons, _, ref changes @ ..] => {
                    assert_eq!(frame.parse(), Ok(rows.len()), "{name}: no frame is missing");
                    for &change in changes {
                        let (address, value) = poke(change);
                        ram[usize::from(address)] = value;
                    }
                    rows.push((Buttons::from_bits(byte(buttons)), ram.clone()));
                }
                _ => panic!("not a row: {line}"),
            }
        }
        Recording { rows: rows.into_iter(), pokes, ram: Box::new([0; RAM_SIZE]) }
    }

    /// The recording beside the rules model.
    fn observe(mut self) -> Observations {
        let buttons: Vec<Buttons> = self.rows.as_slice().iter().map(|(buttons, _)| *buttons).collect();
        let pokes = std::mem::take(&mut self.pokes);
        let mut tick = |_| {};
        let mut lockstep = Lockstep::new(&mut self, &mut tick);
        lockstep.observations.claims.playfield = Some(PLAYFIELD as u16);
        lockstep.begin("a recording of the original");
        for (frame, &pressed) in buttons.iter().enumerate() {
            lockstep.step(pressed).expect("a row");
            for &(address, value) in pokes.get(&frame).into_iter().flatten() {
                lockstep.poke(address, address, value);
            }
        }
        lockstep.observations
    }
}

impl Console for Recording {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn step(&mut self, _: Buttons) -> Result<(), ConsoleError> {
        self.ram = self.rows.next().expect("a row").1;
        Ok(())
    }

    fn reset(&mut self, _: Reset) {}

    fn resets(&self) -> bool {
        false
    }

    fn polled(&self) -> bool {
        true
    }

    fn ram(&self) -> &Ram {
        &self.ram
    }

    fn poke(&mut self, _: u16, _: u8) {}
}

fn recordings() -> Vec<Observations> {
    ["d08_btype", "d10_demo_and_menus", "d13_toprow", "d18_menus_random"]
        .map(|name| Recording::open(name).observe())
        .into()
}

/// Entries of which the recordings show too little: scratch, what only the demo uses, a name entry
/// after an ending, the second gamepad, rows that stay empty.
const HARDLY_SEEN: [&str; 10] = [
    name::SCRATCH,
    name::DEMO_HELD_BUTTONS,
    name::DEMO_REPEATS,
    name::DEMO_POINTER,
    name::DEMO_INDEX,
    name::NAME_ENTRY,
    name::NEW_BUTTONS_2,
    name::HELD_BUTTONS_2,
    name::BELOW_PLAYFIELD,
    name::ABOVE_PLAYFIELD,
];

#[test]
fn the_original_shows_every_entry_where_the_map_says_and_elsewhere_only_copies() {
    let recordings = recordings();
    let map = RamMap::tetris_ntsc();
    let entries = map.entries().iter().map(|entry| {
        let mut candidates: Vec<u16> = (0..=RAM_SIZE as u16 - entry.size).collect();
        for recording in &recordings {
            let found = contradiction(recording, entry, entry.address, 0..recording.frames.len());
            assert_eq!(found, None, "{}", entry.name);
            let left = survivors(recording, entry).addresses;
            candidates.retain(|address| left.contains(address));
        }
        Resolved { entry: entry.clone(), candidates, trail: Vec::new() }
    });
    let mut resolution = Resolution::new(entries.collect());
    drop_taken(&mut resolution);
    // On the console pokes tell them apart, which a recording does not take.
    for Resolved { entry, candidates, .. } in resolution.entries() {
        let copies: &[u16] = match entry.name.as_str() {
            hardly_seen if HARDLY_SEEN.contains(&hardly_seen) => continue,
            // No game of the recordings reaches the next level.
            name::LEVEL_NUMBER => &[0x44, 0x47, 0x64, 0x67],
            name::SPAWN_ID | name::NEXT_PIECE => &[0x19, 0xBF],
            // The level menu toggles its selector in $AD and keeps it in $AE.
            name::SELECTING_HEIGHT => &[0xAD, 0xAE],
            // The sound driver's $ED is 1 as well.
            name::NUMBER_OF_PLAYERS => &[0xBE, 0xED],
            _ if PLAYER_BLOCK.contains(&entry.address) && candidates.len() > 1 => {
                &[entry.address - 0x20, entry.address]
            }
            _ => &[entry.address],
        };
        assert_eq!(candidates, copies, "{}", entry.name);
    }
    layout(&mut resolution);
    for resolved in resolution.entries().iter().filter(|it| !HARDLY_SEEN.contains(&it.entry.name.as_str())) {
        assert_eq!(resolved.address(), Some(resolved.entry.address), "{resolved:?}");
    }
}

#[test]
fn the_name_entry_of_the_original_shows_what_follows_from_its_other_bytes() {
    let recording = Recording::open("d08_btype").observe();
    let claims = &recording.claims;
    let mut stage = Stage::default();
    let mut compared = 0;
    for frame in &recording.frames {
        // The model does not follow past the ending, so the original's own RAM has to be consistent.
        stage = stage.next(&frame.rom);
        for address in (NAME_ENTRY as u16..).take(4) {
            if let Some(expected) = claims.expected(&frame.rom, stage, None, address) {
                assert_eq!(frame.rom[usize::from(address)], expected, "${address:04X}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn the_rules_between_bytes_hold_on_the_original() {
    let map = RamMap::tetris_ntsc();
    let mut times = vec![0; RELATIONS.len()];
    for recording in recordings() {
        for (relation, times) in RELATIONS.iter().zip(&mut times) {
            *times += relations::check(relation, &recording, &map).expect(relation.rule);
        }
    }
    for (relation, times) in RELATIONS.iter().zip(times) {
        assert!(times > 20, "{times} times: {}", relation.rule);
    }
}

#[test]
fn the_demo_of_the_original_is_recognised() {
    let recording = Recording::open("d10_demo_and_menus").observe();
    let map = RamMap::tetris_ntsc();
    let address = |name| map.entry(name).expect("a built-in entry").address;
    // The recording has no program. What is read from the table is taken from the frames of the reads.
    let mut prg = vec![0; 0x8000];
    let pointer = address(name::DEMO_POINTER);
    let at = |frame: usize| {
        usize::from(u16::from_le_bytes([recording.found(frame, pointer), recording.found(frame, pointer + 1)]))
    };
    for frame in (1..recording.frames.len()).filter(|&frame| recording.is_demo(frame) && at(frame) > at(frame - 1)) {
        if at(frame) > 0xDD00 {
            prg[at(frame) - 0x8002] = recording.found(frame, address(name::DEMO_HELD_BUTTONS));
            prg[at(frame) - 0x8001] = recording.found(frame, address(name::DEMO_REPEATS));
        }
    }
    let found = |fits: &dyn Fn(u16) -> bool| (0..RAM_SIZE as u16 - 1).filter(|&at| fits(at)).collect::<Vec<u16>>();
    assert_eq!(found(&|at| Demo::with_pointer(&recording, &prg, at).is_some()), [pointer]);
    let demo = Demo::with_pointer(&recording, &prg, pointer).expect("it was found");
    assert_eq!(found(&|at| demo.counts_pieces(at, address(name::STATISTICS))), [address(name::DEMO_INDEX)]);
    assert_eq!(found(&|at| demo.counts_down(at)), [address(name::DEMO_REPEATS)]);
    // The held buttons become those of the gamepad, and those of the play update.
    let followers = [address(name::PLAY_HELD_BUTTONS), address(name::DEMO_HELD_BUTTONS), address(name::HELD_BUTTONS)];
    assert_eq!(found(&|at| demo.holds_buttons(at)), followers);
}
