//! One frame of a trace, and how its ranges of RAM are listed.

use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RAM_SIZE;

/// A range of RAM that rows list when it changed.
pub(super) struct Field {
    pub letter: &'static str,
    pub address: usize,
    pub length: usize,
}

pub(super) const FIELDS: [Field; 4] = [
    Field { letter: "S", address: 0x3F0, length: 14 },
    Field { letter: "H", address: 0x700, length: 0x55 },
    Field { letter: "P", address: 0x400, length: 200 },
    Field { letter: "G", address: 0x4C8, length: 56 },
];
/// The working copy, and the block that it usually equals.
pub(super) const WORK: Field = Field { letter: "W", address: 0x40, length: 27 };
pub(super) const PLAYER: usize = 0x60;

/// One frame of a trace.
#[derive(Clone)]
pub struct TraceRow {
    /// The frame, from 0 at power-on.
    pub frame: u64,
    /// Buttons held in this frame.
    pub buttons: Buttons,
    /// At the sample the CPU was not waiting for the next frame.
    pub busy: bool,
    /// RAM as far as it is [`known`](TraceRow::known); zero elsewhere.
    pub ram: [u8; RAM_SIZE],
    pub(super) known: [bool; RAM_SIZE],
}

impl TraceRow {
    /// Is the byte at this address known from the trace?
    pub fn known(&self, address: u16) -> bool {
        self.known.get(usize::from(address)).copied().unwrap_or(false)
    }

    /// All addresses whose bytes are known from the trace, with the bytes.
    pub fn known_bytes(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        (0..RAM_SIZE).filter(|&address| self.known[address]).map(|address| (address as u16, self.ram[address]))
    }

    /// Is it the sample of a gameplay frame or of a pause, from which the rules model can go on?
    pub fn is_in_game(&self) -> bool {
        let [mode, state, render] = [0xC0, 0xA7, 0xBD].map(|address: usize| self.ram[address]);
        mode == 4 && !self.busy && matches!((state, render), (2, 3) | (7, 0 | 3))
    }

    pub(super) fn set(&mut self, address: usize, bytes: &[u8]) {
        self.ram[address..address + bytes.len()].copy_from_slice(bytes);
        self.known[address..address + bytes.len()].fill(true);
    }
}
