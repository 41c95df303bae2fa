//! The simulation: against itself through saving and restoring, and from any RAM.

use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, RamMap};
use maxout_engine::state::{StateReader, StateWriter};

use crate::{check, patched};

/// Most frames of one input.
const MOST_FRAMES: u32 = 5_000;

fn saved(simulation: &Simulation) -> Vec<u8> {
    let mut writer = StateWriter::default();
    simulation.save(&mut writer);
    writer.into_bytes()
}

fn restored(bytes: &[u8]) -> Simulation {
    let mut reader = StateReader::new(bytes);
    let simulation = Simulation::restore(&mut reader).expect("what was saved can be restored");
    reader.end().expect("all of it is read");
    simulation
}

/// A simulation, and a copy of it that was restored from its bytes.
struct Twins {
    one: Simulation,
    other: Simulation,
    frames: u32,
}

impl Twins {
    fn both(&mut self, act: impl Fn(&mut Simulation)) {
        act(&mut self.one);
        act(&mut self.other);
    }

    fn step(&mut self, buttons: Buttons, frames: u32) {
        for _ in 0..frames.min(MOST_FRAMES - self.frames) {
            self.both(|twin| twin.step(buttons));
            self.frames += 1;
            assert!(self.one == self.other, "frame {}", self.frames);
        }
    }

    /// Restores the copy again.
    fn save(&mut self) {
        let bytes = saved(&self.one);
        assert!(saved(&self.other) == bytes, "after frame {}", self.frames);
        self.other = restored(&bytes);
        assert!(self.other == self.one && saved(&self.other) == bytes, "after frame {}", self.frames);
    }
}

/// Takes what is done from the input: where it begins, buttons and for how many frames, when to save
/// and restore, resets, power cycles, bytes written into RAM.
pub(crate) fn save_and_restore(bytes: &[u8]) {
    let Some((&[kind, level, high, low], bytes)) = bytes.split_first_chunk() else { return };
    let randomizer = Randomizer::from_bytes([high, low]);
    let one = match kind % 3 {
        0 => Simulation::power_on(),
        1 => Simulation::new_game(level, randomizer),
        _ => Simulation::later_game(level, randomizer, kind),
    };
    let mut twins = Twins { other: restored(&saved(&one)), one, frames: 0 };
    let mut bytes = bytes.iter().copied();
    while let (Some(act), Some(value)) = (bytes.next(), bytes.next()) {
        match act {
            // The most frequent ones: 1 to 32 frames with these buttons.
            0x00..=0xBF => twins.step(Buttons::from_bits(value), 1 + u32::from(act % 32)),
            // As a player taps: down for two frames, up for two frames, again and again.
            0xC0..=0xCF => {
                for _ in 0..=act % 16 {
                    twins.step(Buttons::from_bits(value), 2);
                    twins.step(Buttons::NONE, 2);
                }
            }
            0xD0..=0xDF => twins.step(Buttons::from_bits(value), 1 + 32 * u32::from(act % 16)),
            0xE0..=0xF3 => twins.save(),
            0xF4..=0xF9 => {
                let address = u16::from(act - 0xF4) << 8 | u16::from(value);
                let Some(byte) = bytes.next() else { break };
                twins.both(|twin| twin.poke(address, byte));
            }
            0xFA..=0xFD => twins.both(Simulation::press_reset),
            0xFE..=0xFF => twins.both(|twin| *twin = Simulation::power_on()),
        }
    }
    twins.save();
    twins.step(Buttons::NONE, 1);
}

/// Patches of the RAM of a running game: the decoder refuses it or gives values, and the model goes
/// on from it.
pub(crate) fn any_ram(bytes: &[u8]) {
    thread_local! {
        static BASE: Vec<u8> = {
            let mut game = Simulation::new_game(18, Randomizer::from_bytes([0x12, 0x34]));
            (0..300).for_each(|_| game.step(Buttons::NONE));
            game.ram().to_vec()
        };
        static DECODER: Decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    }
    let ram = BASE.with(|base| patched(base, bytes));
    let ram: [u8; RAM_SIZE] = ram.try_into().expect("as long as RAM is");
    DECODER.with(|decoder| check::read(decoder.decode(&ram)));
    let Some(mut game) = check::read(Simulation::from_ram(&ram)) else { return };
    for frame in 0..120_u8 {
        game.step(Buttons::from_bits(if frame % 2 == 0 { 0 } else { frame.wrapping_mul(37) }));
    }
    assert!(restored(&saved(&game)) == game);
}
