//! The demo's table as a recording shows it. Our cartridge has a demo of its own; with the recorded
//! table its demo must be the original's.

use maxout_engine::game::Orientation;
use maxout_engine::game::memory::address::{
    CURRENT_PIECE, DEMO_HELD_BUTTONS, DEMO_INDEX, DEMO_POINTER, DEMO_REPEATS, GAME_MODE, NEXT_PIECE, RENDER_MODE,
};
use maxout_engine::game::memory::{GameMode, RenderMode};
use maxout_engine::game::simulation::DemoTable;
use maxout_engine::ram::Ram;

use super::recording::Recording;

/// Where the table begins in ROM.
const ADDRESS: u16 = 0xDD00;
/// Where it begins in the cartridge's file.
pub const FILE_OFFSET: usize = 16 + ADDRESS as usize - 0x8000;
/// Where the pieces begin in the table.
const PIECES: usize = 0x200;

fn playing(ram: &Ram) -> bool {
    ram[GAME_MODE] == GameMode::Demo.byte() && ram[RENDER_MODE] == RenderMode::Play.byte()
}

fn pointer(ram: &Ram) -> u16 {
    u16::from_le_bytes([ram[DEMO_POINTER], ram[DEMO_POINTER + 1]])
}

fn piece(id: u8) -> u8 {
    (Orientation::from_id(id).expect("a piece").piece().index() as u8) << 4
}

/// The part of the table that was played, `$FF` elsewhere; `None` without a demo.
pub fn table(recording: &Recording) -> Option<DemoTable> {
    let mut table = [0xFF; 0x300];
    let mut found = false;
    for pair in recording.rows.windows(2) {
        let [before, now] = [&*pair[0].ram, &*pair[1].ram];
        if !playing(now) {
            continue;
        }
        found = true;
        if pointer(now) != pointer(before) && pointer(now) > ADDRESS {
            let at = usize::from(pointer(now) - ADDRESS) - 2;
            table[at..at + 2].copy_from_slice(&[now[DEMO_HELD_BUTTONS], now[DEMO_REPEATS]]);
        }
        let (first, last) = (usize::from(before[DEMO_INDEX]), usize::from(now[DEMO_INDEX]));
        if last > first {
            table[PIECES + last - 1] = piece(now[NEXT_PIECE]);
        }
        if last > first + 1 {
            // The set-up of the game.
            table[PIECES + last - 2] = piece(now[CURRENT_PIECE]);
        }
    }
    found.then_some(table)
}
