//! The embedded emulator, `tetanes-core`: the only file that names it.

use tetanes_core::common::ResetKind;
use tetanes_core::control_deck::{Clocked, Config, ControlDeck, HeadlessMode};
use tetanes_core::debug::{Access, Breakpoint};
use tetanes_core::input::{JoypadBtnState, Player};
use tetanes_core::memory::RamState;
use tetanes_core::ppu::Ppu;
use tetanes_core::video::VideoFilter;

use maxout_engine::console::{Console, Error, Picture, Processor, Reset, SavedState, Video};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{RAM_SIZE, Ram};
use maxout_engine::state::{StateError, StateReader, StateWriter};

use crate::rom::Rom;

/// The name under which the emulator logs.
pub const LOG_TARGET: &str = "tetanes_core";

/// The engine's buttons and the emulator's.
const BUTTONS: [(Buttons, JoypadBtnState); 8] = [
    (Buttons::A, JoypadBtnState::A),
    (Buttons::B, JoypadBtnState::B),
    (Buttons::SELECT, JoypadBtnState::SELECT),
    (Buttons::START, JoypadBtnState::START),
    (Buttons::UP, JoypadBtnState::UP),
    (Buttons::DOWN, JoypadBtnState::DOWN),
    (Buttons::LEFT, JoypadBtnState::LEFT),
    (Buttons::RIGHT, JoypadBtnState::RIGHT),
];

/// The two gamepad ports, as the processor reads them.
const GAMEPAD_PORTS: std::ops::RangeInclusive<u16> = 0x4016..=0x4017;

/// The opcodes that stop the processor until it is reset.
const STOPPING: [u8; 12] = [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2];

/// The colours that pictures can have, as red, green, blue: 64 places, some of them alike.
pub fn colours() -> Vec<[u8; 3]> {
    // What follows is tinted by a register that the game leaves alone.
    Ppu::NTSC_PALETTE.as_chunks().0.iter().take(64).copied().collect()
}

/// Its name and version, in logs.
const NAME: &str = "tetanes-core 0.17";

/// A ROM that the emulator refuses.
#[derive(Debug, thiserror::Error)]
#[error(
    "the emulator cannot load this ROM: {0}; get a whole copy of it, or play without one on the built-in cartridge"
)]
pub struct LoadError(String);

/// An NTSC console in the same process.
pub struct Emulator {
    deck: ControlDeck,
    buttons: Buttons,
    frame: u64,
    polled: bool,
    video: Video,
    has_sound: bool,
}

impl Emulator {
    /// Samples of [`Emulator::sound`] in a second.
    pub const SAMPLE_RATE: u32 = 48_000;

    /// Switches a console on with this ROM in it, without pictures and without sound.
    ///
    /// # Errors
    /// When the emulator refuses the ROM.
    pub fn new(rom: &Rom) -> Result<Emulator, LoadError> {
        Emulator::with_video(rom, Video::Off)
    }

    /// Switches a console on with this ROM in it.
    ///
    /// # Errors
    /// When the emulator refuses the ROM.
    pub fn with_video(rom: &Rom, video: Video) -> Result<Emulator, LoadError> {
        let config = Config::default()
            .with_sram_dir(None)
            .with_ram_state(RamState::AllZeros)
            .with_concurrent_dpad(true)
            // The colours of the palette as they are: the other filter blends neighbours, and blends
            // them differently in every second frame.
            .with_filter(VideoFilter::Pixellate)
            .with_headless_mode(headless(video, false));
        let mut deck = ControlDeck::with_config(config);
        deck.load_rom(rom.name(), &mut rom.bytes()).map_err(|error| LoadError(error.to_string()))?;
        // Records reads and lets the console run on.
        deck.set_breakpoints([Breakpoint {
            start: *GAMEPAD_PORTS.start(),
            end: *GAMEPAD_PORTS.end(),
            offset: None,
            access: Access::READ,
            breaks: false,
            condition: None,
        }]);
        deck.set_sample_rate(Emulator::SAMPLE_RATE as f32);
        Ok(Emulator { deck, buttons: Buttons::NONE, frame: 0, polled: false, video, has_sound: false })
    }

    /// The same console, which also makes sound. This changes nothing else.
    pub fn with_sound(mut self) -> Emulator {
        self.has_sound = true;
        self.deck.set_headless_mode(headless(self.video, true));
        self
    }

    /// The sound of the last frame: one channel, [`Emulator::SAMPLE_RATE`], from -1 to 1. Empty for a
    /// console without sound.
    pub fn sound(&self) -> &[f32] {
        self.deck.audio_samples()
    }

    fn press(&mut self, buttons: Buttons) {
        let pad = self.deck.joypad_mut(Player::One);
        for (ours, theirs) in BUTTONS {
            pad.set_button(theirs, buttons.contains(ours));
        }
        self.buttons = buttons;
    }
}

fn headless(video: Video, has_sound: bool) -> HeadlessMode {
    let mut mode = HeadlessMode::empty();
    mode.set(HeadlessMode::NO_AUDIO, !has_sound);
    mode.set(HeadlessMode::NO_VIDEO, video == Video::Off);
    mode
}

impl Console for Emulator {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        if buttons != self.buttons {
            self.press(buttons);
        }
        let stopped = |reason: String| Error::Stopped { frame: self.frame, reason };
        // At speed 1 one call is one frame; `Continue` would ask for more of the same frame.
        loop {
            match self.deck.clock_frame().map_err(|error| stopped(error.to_string()))? {
                Clocked::Continue => {}
                Clocked::Complete => break,
                other => return Err(stopped(format!("{other:?}"))),
            }
        }
        self.frame += 1;
        self.polled = !self.deck.drain_access_log().is_empty();
        Ok(())
    }

    fn reset(&mut self, reset: Reset) {
        self.deck.reset(match reset {
            Reset::Button => ResetKind::Soft,
            Reset::Power => ResetKind::Hard,
        });
        self.polled = false;
        // The emulator releases all buttons.
        self.press(Buttons::NONE);
    }

    fn polled(&self) -> bool {
        self.polled
    }

    fn ram(&self) -> &Ram {
        self.deck.wram()
    }

    fn processor(&self) -> Option<Processor> {
        let bus = self.deck.bus();
        let at = bus.cpu.pc;
        let opcode = match at {
            0x0000..=0x1FFF => self.deck.wram()[usize::from(at) % RAM_SIZE],
            0x8000.. => bus.memory.prg_peek(at),
            // Registers and the cartridge's own RAM: no program of the game is there.
            _ => 0,
        };
        // The emulator stays at the opcode, as the processor does.
        Some(Processor { stack_pointer: bus.cpu.sp, is_stopped: STOPPING.contains(&opcode) })
    }

    fn poke(&mut self, address: u16, value: u8) {
        self.deck.wram_mut()[address as usize] = value;
    }

    fn set_video(&mut self, video: Video) {
        if video != self.video {
            self.deck.set_headless_mode(headless(video, self.has_sound));
            self.video = video;
        }
    }

    fn picture(&mut self) -> Option<Picture> {
        if self.video == Video::Off {
            return None;
        }
        let pixels = self.deck.frame_buffer().chunks_exact(4).map(|rgba| [rgba[0], rgba[1], rgba[2]]).collect();
        Some(Picture { pixels })
    }

    fn save_state(&self) -> Result<SavedState, Error> {
        let state_error = |error: tetanes_core::control_deck::Error| Error::Save(error.to_string());
        let mut deck = vec![0; self.deck.serialized_state_len().map_err(state_error)?];
        let length = self.deck.serialize_state_into(&mut deck).map_err(state_error)?;
        let mut writer = StateWriter::default();
        writer.bytes(&deck[..length]);
        writer.bool(self.polled);
        writer.u8(self.buttons.bits());
        writer.u64(self.frame);
        Ok(SavedState::new(NAME, &writer.into_bytes()))
    }

    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error> {
        let mut reader = StateReader::new(state.of(NAME)?);
        let deck = reader.bytes()?;
        let (polled, buttons, frame) = (reader.bool()?, Buttons::from_bits(reader.u8()?), reader.long_count()?);
        reader.end()?;
        self.deck
            .deserialize_state(deck)
            .map_err(|error| StateError::new("a state of this emulator's version", error.to_string()))?;
        (self.polled, self.frame) = (polled, frame);
        // The emulator has released the saved buttons.
        self.press(buttons);
        Ok(())
    }
}
