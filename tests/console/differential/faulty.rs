//! Consoles with a planted fault that the comparison must find.

use maxout_console::Emulator;
use maxout_engine::console::{Console, Error, SavedState};
use maxout_engine::gamepad::Buttons;

use super::campaign::cartridge;

/// Address of the count of doubles.
pub const DOUBLES: u16 = 0xD9;

/// What is wrong with a console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// In an episode every input comes one frame late.
    LateInput,
    /// Doubles are not counted.
    UncountedDouble,
}

/// Our own cartridge in a console with a fault.
pub struct Faulty {
    console: Emulator,
    fault: Fault,
    /// Buttons of the previous frame, once an episode has begun.
    before: Option<Buttons>,
}

impl Faulty {
    pub fn new(fault: Fault) -> Faulty {
        Faulty { console: *cartridge(), fault, before: None }
    }
}

impl Console for Faulty {
    maxout_engine::pass_on!(self.console, but step, restore_state);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        let doubles = self.ram()[usize::from(DOUBLES)];
        let before = self.before.as_mut().map(|before| std::mem::replace(before, buttons));
        self.console.step(before.filter(|_| self.fault == Fault::LateInput).unwrap_or(buttons))?;
        if self.fault == Fault::UncountedDouble && self.ram()[usize::from(DOUBLES)] > doubles {
            self.poke(DOUBLES, doubles);
        }
        Ok(())
    }

    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error> {
        self.before = Some(Buttons::NONE);
        self.console.restore_state(state)
    }
}
