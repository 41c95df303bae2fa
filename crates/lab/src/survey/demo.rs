//! What the demo shows: it plays from a table of pairs of buttons and the frames to hold them.

use super::lockstep::Observations;

/// CPU addresses of the table.
const TABLE: std::ops::Range<u16> = 0xDD00..0xDF00;
/// Steps that a pointer must make to be accepted. Chosen by hand, not measured.
const STEPS: usize = 3;
/// CPU address of the first byte of a 32-KiB program.
const PRG: u16 = 0x8000;

/// The demo's frames with a candidate for the table's pointer.
pub(super) struct Demo<'a> {
    observations: &'a Observations,
    prg: &'a [u8],
    /// Frames in which the table has been read, with the pointer, which is one past the pair in use.
    reads: Vec<(usize, u16)>,
}

impl<'a> Demo<'a> {
    /// `None` when the bytes at `address` are not a pointer into the table (low byte first; it moves
    /// on by two bytes at a time), or when the program is not 32 KiB long.
    pub fn with_pointer(observations: &'a Observations, prg: &'a [u8], address: u16) -> Option<Demo<'a>> {
        if prg.len() != 0x8000 {
            return None;
        }
        let demo = (0..observations.frames.len()).filter(|&frame| observations.is_demo(frame));
        let pointers = demo.map(|frame| {
            (frame, u16::from_le_bytes([observations.found(frame, address), observations.found(frame, address + 1)]))
        });
        let started = pointers.skip_while(|(_, pointer)| *pointer != TABLE.start);
        let reads: Vec<(usize, u16)> = started.skip_while(|(_, pointer)| *pointer == TABLE.start).collect();
        let mut before = TABLE.start;
        let mut steps = 0;
        for &(_, pointer) in &reads {
            if !TABLE.contains(&pointer) || !matches!(pointer.checked_sub(before), Some(0 | 2)) {
                return None;
            }
            steps += usize::from(pointer != before);
            before = pointer;
        }
        (steps >= STEPS).then_some(Demo { observations, prg, reads })
    }

    fn table(&self, address: u16) -> u8 {
        self.prg[usize::from(address - PRG)]
    }

    /// Does the byte hold the buttons of the pair in use in every frame?
    pub fn holds_buttons(&self, address: u16) -> bool {
        self.reads.iter().all(|&(frame, pointer)| self.observations.found(frame, address) == self.table(pointer - 2))
    }

    /// Does the byte count the frames of each pair down?
    pub fn counts_down(&self, address: u16) -> bool {
        let count = |frame| self.observations.found(frame, address);
        self.reads.windows(2).all(|pair| {
            let [(before, earlier), (frame, pointer)] = [pair[0], pair[1]];
            let expected =
                if pointer == earlier { count(before).checked_sub(1) } else { Some(self.table(pointer - 1)) };
            Some(count(frame)) == expected
        })
    }

    /// Is the byte one more than the number of pieces in the statistics, as the index of the next
    /// piece is?
    pub fn counts_pieces(&self, address: u16, statistics: u16) -> bool {
        self.reads.iter().all(|&(frame, _)| {
            // Two decimal digits; a candidate may hold anything.
            let decimal = |byte: u8| u32::from(byte >> 4) * 10 + u32::from(byte & 0xF);
            let pieces: u32 = (0..7).map(|piece| decimal(self.observations.found(frame, statistics + 2 * piece))).sum();
            u32::from(self.observations.found(frame, address)) == pieces + 1
        })
    }
}
