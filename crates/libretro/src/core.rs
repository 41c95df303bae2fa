//! What the functions of the interface do, without C: the machine, its options, the front end.

use crate::api::{AvInfo, PixelFormat};
use crate::frontend::FrontEnd;
use crate::machine::{Machine, STATE_SIZE};
use crate::options::Options;
use crate::pixels::{Pixels, stereo};
use crate::ram;
use maxout_console::{Emulator, Rom};
use maxout_engine::console::Picture;
use maxout_engine::ram::RAM_SIZE;

/// Frames a second of an NTSC console: 60.0988.
pub(crate) const FPS: f64 = 39_375_000.0 / 655_171.0;

/// Width by height of a pixel on an NTSC screen.
const PIXEL_ASPECT: f32 = 8.0 / 7.0;

/// Samples of a frame without sound.
const SILENCE: usize = (Emulator::SAMPLE_RATE as f64 / FPS) as usize;

/// Picture and sound, as a front end wants to know them.
pub(crate) const AV_INFO: AvInfo = AvInfo {
    base_width: Picture::WIDTH as u32,
    base_height: Picture::HEIGHT as u32,
    max_width: Picture::WIDTH as u32,
    max_height: Picture::HEIGHT as u32,
    aspect_ratio: Picture::WIDTH as f32 * PIXEL_ASPECT / Picture::HEIGHT as f32,
    fps: FPS,
    sample_rate: Emulator::SAMPLE_RATE as f64,
};

/// The core between two calls.
pub(crate) struct Core {
    pub(crate) front: FrontEnd,
    format: PixelFormat,
    /// The content; none before it is loaded.
    rom: Option<Rom>,
    /// The machine; none before content is loaded, and after a fault of this program.
    machine: Option<Machine>,
    /// What a fault has left to say.
    fault: Option<String>,
}

impl Core {
    pub(crate) const NEW: Core =
        Core { front: FrontEnd::NONE, format: PixelFormat::Rgb1555, rom: None, machine: None, fault: None };

    /// Loads content: a ROM, or what is wrong with it. False: it was refused, and the person was told.
    pub(crate) fn load(&mut self, rom: Result<Rom, String>) -> bool {
        self.unload();
        let options = self.read_options();
        let machine = rom.and_then(|rom| {
            self.rom = Some(rom.clone());
            Machine::power_on(rom, options).map_err(|error| error.to_string())
        });
        match machine {
            Ok(machine) => {
                self.format = self.front.agree_on_format();
                self.front.describe(ram::address(), RAM_SIZE);
                self.machine = Some(machine);
                true
            }
            Err(error) => {
                self.rom = None;
                self.front.say(&error);
                false
            }
        }
    }

    pub(crate) fn unload(&mut self) {
        (self.machine, self.rom, self.fault) = (None, None, None);
        ram::show(&[0; RAM_SIZE]);
    }

    fn read_options(&self) -> Options {
        Options::read(|key| self.front.option(key))
    }

    /// Gives the machine the options that a person has changed.
    fn take_options(&mut self) {
        if self.machine.is_some() && self.front.have_options_changed() {
            let options = self.read_options();
            self.on_machine(|machine| machine.set_options(options));
        }
    }

    /// One frame: picture and sound go to the front end, whatever happens.
    pub(crate) fn run(&mut self) {
        let pad = self.front.pad();
        let mut picture = None;
        let mut sound = Vec::new();
        self.take_options();
        if let Some(shown) = self.on_machine(|machine| machine.frame(pad)) {
            picture = shown;
        }
        if let Some(machine) = &mut self.machine {
            sound = stereo(machine.sound());
            for message in machine.messages() {
                self.front.say(&message);
            }
        }
        if let Some(fault) = self.fault.take() {
            self.front.say(&fault);
        }
        if sound.is_empty() {
            // Front ends that keep time by the sound need some.
            sound = vec![[0; 2]; SILENCE];
        }
        self.front.show(&Pixels::new(self.format, picture.as_ref()));
        self.front.play(&sound);
    }

    /// Does something with the machine; an error is shown to the person, and the machine runs on.
    fn on_machine<T, E: ToString>(&mut self, work: impl FnOnce(&mut Machine) -> Result<T, E>) -> Option<T> {
        match work(self.machine.as_mut()?) {
            Ok(done) => Some(done),
            Err(error) => {
                self.front.say(&error.to_string());
                None
            }
        }
    }

    pub(crate) fn reset(&mut self) {
        // A front end that pauses the core in its menu resets it before the next frame.
        self.take_options();
        if self.machine.is_some() {
            self.on_machine(Machine::reset);
        } else if let Some(rom) = self.rom.clone() {
            // After a fault.
            self.load(Ok(rom));
        }
    }

    /// The state, followed by zeros.
    pub(crate) fn serialize(&mut self, into: &mut [u8]) -> bool {
        let Some(saved) = self.on_machine(|machine| machine.save()) else { return false };
        let Some((start, rest)) = into.split_at_mut_checked(saved.len()) else { return false };
        start.copy_from_slice(&saved);
        rest.fill(0);
        true
    }

    pub(crate) fn unserialize(&mut self, from: &[u8]) -> bool {
        // After a fault a state brings the machine back.
        if self.machine.is_none() {
            self.reset();
        }
        self.on_machine(|machine| machine.restore(from)).is_some()
    }

    /// Bytes of every state.
    pub(crate) const fn state_size() -> usize {
        STATE_SIZE
    }

    /// A fault of this program has ended a call. The machine may be in any state: it is dropped.
    pub(crate) fn fault(&mut self, what: &str) {
        self.machine = None;
        self.fault = Some(format!("this is a fault of maxout: {what}; reset, or load a state, to go on"));
    }
}
