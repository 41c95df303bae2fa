//! The rules model and a console side by side: the same buttons, the same pokes, and every
//! byte that the model promises compared after every frame.

use std::fmt;

use maxout_engine::console::Console;
use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::game::memory::address::SELECTING_HEIGHT;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;

/// One byte that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongByte {
    pub address: u16,
    pub model: u8,
    pub console: u8,
}

/// How model and console differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Promised bytes differ.
    Bytes(Vec<WrongByte>),
    /// The console's processor stopped.
    Stopped(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Stopped(reason) => write!(f, "the console stopped: {reason}"),
            Difference::Bytes(bytes) => {
                for (index, byte) in bytes.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}${:04X} model {:02X} console {:02X}", byte.address, byte.model, byte.console)?;
                }
                Ok(())
            }
        }
    }
}

/// The result of a frame without a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The number of bytes compared.
    Compared(u64),
    /// The model entered something that it only approximates.
    OutOfScope(&'static str),
}

/// Model and console in the same state.
pub struct Twins {
    pub model: Simulation,
    pub console: Box<dyn Console>,
    /// Number of bytes that the model promises, outside and inside the level menu.
    promised: [u64; 2],
}

impl Twins {
    /// Both at power-on.
    pub fn power_on(console: Box<dyn Console>) -> Twins {
        Twins { model: Simulation::power_on(), console, promised: [0; 2] }
    }

    /// Plays one frame of both.
    pub fn step(&mut self, buttons: Buttons) -> Result<Step, Difference> {
        self.model.step(buttons);
        self.console.step(buttons).map_err(|error| Difference::Stopped(error.to_string()))?;
        match self.model.out_of_scope() {
            Some(into) => Ok(Step::OutOfScope(into)),
            None => self.compare().map(Step::Compared),
        }
    }

    /// Writes the same byte into both.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.model.poke(address, value);
        self.console.poke(address, value);
    }

    /// Compares the current samples and returns the number of bytes compared.
    pub fn compare(&mut self) -> Result<u64, Difference> {
        let model = self.model.ram();
        let wrong: Vec<WrongByte> = (0..)
            .zip(model.iter().zip(self.console.ram()))
            .filter(|&(address, (model, console))| model != console && self.model.promises(address))
            .map(|(address, (&model, &console))| WrongByte { address, model, console })
            .collect();
        if wrong.is_empty() { Ok(self.count_promised()) } else { Err(Difference::Bytes(wrong)) }
    }

    /// Which bytes are promised depends only on whether the level menu is open.
    fn count_promised(&mut self) -> u64 {
        let count = &mut self.promised[usize::from(self.model.promises(SELECTING_HEIGHT as u16))];
        if *count == 0 {
            *count = (0..RAM_SIZE as u16).filter(|&address| self.model.promises(address)).count() as u64;
        }
        *count
    }
}
