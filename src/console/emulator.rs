//! The embedded emulator, `tetanes-core`: the only file that names it.

use tetanes_core::common::ResetKind;
use tetanes_core::control_deck::{Clocked, Config, ControlDeck, HeadlessMode};
use tetanes_core::debug::{Access, Breakpoint};
use tetanes_core::input::{JoypadBtnState, Player};
use tetanes_core::memory::RamState;
use tetanes_core::ppu::Ppu;
use tetanes_core::video::VideoFilter;

use super::{Console, Error, Picture, Reset, Rom, SavedState, State};
use crate::gamepad::Buttons;
use crate::ram::Ram;

/// The name under which the emulator logs.
pub const LOG_TARGET: &str = "tetanes_core";

/// Our buttons and the emulator's.
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

/// Does the emulator draw pictures?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Video {
    /// No: a few percent faster.
    Off,
    /// Yes: [`Console::picture`] has something to give.
    On,
}

/// The colours that pictures can have, as red, green, blue: 64 places, of which some are alike.
pub fn colours() -> Vec<[u8; 3]> {
    // What follows is tinted by a register that the game leaves alone.
    Ppu::NTSC_PALETTE.as_chunks().0.iter().take(64).copied().collect()
}

/// An NTSC console in the same process.
pub struct Emulator {
    deck: ControlDeck,
    buttons: Buttons,
    frame: u64,
    polled: bool,
    video: Video,
}

impl Emulator {
    /// Switches a console on with this ROM in it, without pictures.
    ///
    /// # Errors
    /// [`Error::Load`] when the emulator refuses the ROM.
    pub fn new(rom: &Rom) -> Result<Emulator, Error> {
        Emulator::with_video(rom, Video::Off)
    }

    /// Switches a console on with this ROM in it.
    ///
    /// # Errors
    /// [`Error::Load`] when the emulator refuses the ROM.
    pub fn with_video(rom: &Rom, video: Video) -> Result<Emulator, Error> {
        let headless = match video {
            Video::Off => HeadlessMode::NO_AUDIO | HeadlessMode::NO_VIDEO,
            Video::On => HeadlessMode::NO_AUDIO,
        };
        let config = Config::default()
            .with_sram_dir(None)
            .with_ram_state(RamState::AllZeros)
            .with_concurrent_dpad(true)
            // The console's own colours, not what a television makes of them.
            .with_filter(VideoFilter::Pixellate)
            .with_headless_mode(headless);
        let mut deck = ControlDeck::with_config(config);
        deck.load_rom(rom.name(), &mut rom.bytes()).map_err(|error| Error::Load(error.to_string()))?;
        // Records reads and lets the console run on.
        deck.set_breakpoints([Breakpoint {
            start: *GAMEPAD_PORTS.start(),
            end: *GAMEPAD_PORTS.end(),
            offset: None,
            access: Access::READ,
            breaks: false,
            condition: None,
        }]);
        Ok(Emulator { deck, buttons: Buttons::NONE, frame: 0, polled: false, video })
    }
}

impl Console for Emulator {
    fn name(&self) -> &'static str {
        "tetanes-core 0.17"
    }

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        if buttons != self.buttons {
            let pad = self.deck.joypad_mut(Player::One);
            for (ours, theirs) in BUTTONS {
                pad.set_button(theirs, buttons.contains(ours));
            }
            self.buttons = buttons;
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
        // The emulator lets go of the gamepad.
        self.buttons = Buttons::NONE;
        let pad = self.deck.joypad_mut(Player::One);
        for (_, theirs) in BUTTONS {
            pad.set_button(theirs, false);
        }
    }

    fn polled(&self) -> bool {
        self.polled
    }

    fn ram(&self) -> &Ram {
        self.deck.wram()
    }

    fn poke(&mut self, address: u16, value: u8) {
        self.deck.wram_mut()[address as usize] = value;
    }

    fn picture(&mut self) -> Option<Picture> {
        if self.video == Video::Off {
            return None;
        }
        let pixels = self.deck.frame_buffer().chunks_exact(4).map(|rgba| [rgba[0], rgba[1], rgba[2]]).collect();
        Some(Picture { pixels })
    }

    fn save_state(&self) -> Result<SavedState, Error> {
        let state_error = |error: tetanes_core::control_deck::Error| Error::State(error.to_string());
        let mut bytes = vec![0; self.deck.serialized_state_len().map_err(state_error)?];
        let length = self.deck.serialize_state_into(&mut bytes).map_err(state_error)?;
        bytes.truncate(length);
        bytes.push(u8::from(self.polled));
        bytes.push(self.buttons.bits());
        bytes.extend(self.frame.to_le_bytes());
        Ok(SavedState(State::Emulator(bytes)))
    }

    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error> {
        let State::Emulator(bytes) = &state.0 else {
            return Err(Error::State("it is of another kind of console".to_owned()));
        };
        let Some((rest, frame)) = bytes.split_last_chunk::<8>() else {
            return Err(Error::State("it is too short".to_owned()));
        };
        let Some((deck, &[polled, buttons])) = rest.split_last_chunk() else {
            return Err(Error::State("it is too short".to_owned()));
        };
        self.deck.deserialize_state(deck).map_err(|error| Error::State(error.to_string()))?;
        self.buttons = Buttons::from_bits(buttons);
        self.polled = polled != 0;
        self.frame = u64::from_le_bytes(*frame);
        Ok(())
    }
}
