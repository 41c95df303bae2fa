//! The rules model as a console: no ROM, no picture, and tens of thousands of times as fast.

use super::interface::{Console, Error, Reset};
use super::saved_state::SavedState;
use crate::game::crash::Crashes;
use crate::game::simulation::Simulation;
use crate::gamepad::Buttons;
use crate::ram::Ram;
use crate::state::{StateReader, StateWriter};

/// A console that is the model of the game; see
/// [`scope`](crate::game::simulation::scope) for the bytes that it does not promise.
#[derive(Debug, Clone)]
pub struct Simulated(Simulation);

impl Simulated {
    /// Switched on, RAM all zero.
    pub fn power_on() -> Simulated {
        Simulated(Simulation::power_on())
    }

    /// Goes on with or without slow frames and crashes.
    pub fn set_crashes(&mut self, crashes: Crashes) {
        self.0.set_crashes(crashes);
    }

    /// The model itself.
    pub fn simulation(&self) -> &Simulation {
        &self.0
    }
}

impl From<Simulation> for Simulated {
    fn from(simulation: Simulation) -> Simulated {
        Simulated(simulation)
    }
}

impl Console for Simulated {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.0.step(buttons);
        Ok(())
    }

    fn reset(&mut self, reset: Reset) {
        match reset {
            Reset::Button => self.0.press_reset(),
            Reset::Power => {
                let (ruleset, crashes) = (self.0.ruleset(), self.0.crashes());
                self.0 = Simulation::power_on();
                self.0.set_ruleset(ruleset);
                self.0.set_crashes(crashes);
            }
        }
    }

    fn polled(&self) -> bool {
        self.0.polled()
    }

    fn ram(&self) -> &Ram {
        self.0.ram()
    }

    fn poke(&mut self, address: u16, value: u8) {
        self.0.poke(address, value);
    }

    fn save_state(&self) -> Result<SavedState, Error> {
        let mut writer = StateWriter::default();
        self.0.save(&mut writer);
        Ok(SavedState::new(self.name(), &writer.into_bytes()))
    }

    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error> {
        let mut reader = StateReader::new(state.of(self.name())?);
        let simulation = Simulation::restore(&mut reader)?;
        reader.end()?;
        self.0 = simulation;
        Ok(())
    }
}
