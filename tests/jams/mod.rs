//! The built-in cartridge with a few bytes changed, so that it crashes or hangs in one way each.

#![allow(dead_code, reason = "not every test binary asks for every jam")]

use maxout_console::Rom;

/// CPU address of the reset routine.
const RESET: usize = 0xFF00;
/// CPU address of the NMI vector.
const NMI_VECTOR: usize = 0xFFFA;
/// CPU address of the PRG's first byte.
const PRG: usize = 0x8000;
/// Bytes of the iNES header, which come before the PRG.
const HEADER: usize = 16;

const JMP: u8 = 0x4C;
const JSR: u8 = 0x20;
const RTS: u8 = 0x60;
const NOP: u8 = 0xEA;
/// An opcode that stops the processor.
const KIL: u8 = 0x02;

/// What the program does in place of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jam {
    /// Stops the processor at power-on.
    StopAtReset,
    /// Loops at power-on, before interrupts are on.
    LoopAtReset,
    /// The first interrupt never returns.
    LoopInInterrupt,
    /// The frame counter does not count; all else goes on.
    StillCounter,
    /// The title reads no button.
    LoopInTitle,
    /// Each frame of a game leaves two bytes on the stack.
    LeakingStack,
    /// Stops the processor at the first line clear.
    StopAtClear,
    /// Loops after the first lock, while interrupts go on.
    LoopAfterLock,
    /// Never spawns the second piece.
    NoSpawn,
    /// Pauses after the first lock, and no button is pressed to go on.
    PauseAfterLock,
    /// Starts from power-on again after the first lock.
    ResetAfterLock,
    /// Writes a start level of 255 after the first lock.
    BadValueAfterLock,
}

impl Jam {
    /// The ROM file.
    pub fn rom(self) -> Vec<u8> {
        let mut rom = Patched(Rom::cartridge().bytes().to_vec());
        match self {
            Jam::StopAtReset => rom.write(RESET, &[KIL]),
            Jam::LoopAtReset => rom.jump(RESET, RESET),
            Jam::LoopInInterrupt => rom.jump(rom.word(NMI_VECTOR), rom.word(NMI_VECTOR)),
            Jam::StillCounter => rom.write(rom.find(&[0xE6, 0xB1, 0xD0, 0x02, 0xE6, 0xB2]), &[NOP; 6]),
            Jam::LoopInTitle => {
                let (title, wait) = (rom.title(), rom.wait_frame().to_le_bytes());
                rom.write(title, &[JSR, wait[0], wait[1]]);
                rom.jump(title + 3, title);
            }
            Jam::LeakingStack => {
                // LDA #2, STA gameModeState, JSR waitFrame, then the JMP to the next frame.
                let wait = rom.wait_frame().to_le_bytes();
                let end = rom.find(&[0xA9, 0x02, 0x85, 0xA7, JSR, wait[0], wait[1], JMP]);
                rom.write(end + 7, &[JSR]);
            }
            Jam::StopAtClear => rom.write(rom.count_clear(), &[KIL]),
            Jam::LoopAfterLock => rom.jump(rom.score(), rom.score()),
            Jam::NoSpawn => {
                // What follows the wait for the screen: fall timer, row and pushdown counter become 0.
                let spawn = rom.find(&[0xA9, 0x00, 0x85, 0x45, 0x85, 0x41, 0x85, 0x4E]);
                rom.write(spawn, &[RTS]);
            }
            Jam::PauseAfterLock => {
                let pause = rom.find(&[0xA9, 0x00, 0x85, 0xBD, 0xA5, 0xFE, 0x29, 0xF7]);
                rom.jump(rom.score(), pause);
            }
            Jam::ResetAfterLock => rom.jump(rom.score(), RESET),
            Jam::BadValueAfterLock => rom.write(rom.score(), &[0xA9, 0xFF, 0x85, 0x47, RTS]),
        }
        rom.0
    }
}

struct Patched(Vec<u8>);

impl Patched {
    fn write(&mut self, address: usize, bytes: &[u8]) {
        let at = address - PRG + HEADER;
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn jump(&mut self, from: usize, to: usize) {
        let [low, high] = (to as u16).to_le_bytes();
        self.write(from, &[JMP, low, high]);
    }

    fn word(&self, address: usize) -> usize {
        let at = address - PRG + HEADER;
        usize::from(self.0[at]) | usize::from(self.0[at + 1]) << 8
    }

    /// The one place with these bytes.
    fn find(&self, bytes: &[u8]) -> usize {
        let places: Vec<_> = (0..self.0.len()).filter(|&at| self.0[at..].starts_with(bytes)).collect();
        assert_eq!(places.len(), 1, "{bytes:02X?} is in the cartridge once");
        places[0] - HEADER + PRG
    }

    /// LDA #0, STA vblankFlag, and the loop that waits for it.
    fn wait_frame(&self) -> u16 {
        self.find(&[0xA9, 0x00, 0x85, 0x33, 0xA5, 0x33, 0xF0, 0xFC]) as u16
    }

    /// LDA #0, STA renderMode, STA hideNext.
    fn title(&self) -> usize {
        self.find(&[0xA9, 0x00, 0x85, 0xBD, 0x85, 0xDF])
    }

    /// INC lineClearStats,X.
    fn count_clear(&self) -> usize {
        self.find(&[0xAA, 0xCA, 0xF6, 0xD8]) + 2
    }

    /// The step after each lock: JSR, LDA completedLines, BEQ, TAX, DEX, and the count of clears.
    fn score(&self) -> usize {
        let start = self.count_clear() - 9;
        assert_eq!(self.0[start - PRG + HEADER], JSR);
        start
    }
}
