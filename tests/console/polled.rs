//! Which frames read the gamepad: the emulator watches the ports, the model knows the game. They
//! must agree in every frame, because movies contain lag frames but no polls, and R08 only polls.

use maxout_console::{Emulator, Rom};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_lab::random_presses;

use crate::whole_game::whole_game;

/// `$F7`: the buttons that the last poll saw.
const HELD: usize = 0xF7;

/// Both consoles with the same buttons.
pub struct Pair {
    pub model: Simulated,
    pub cartridge: Emulator,
    pub frames: u64,
    pub lag_frames: Vec<u64>,
}

impl Pair {
    pub fn power_on() -> Pair {
        let cartridge = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
        Pair { model: Simulated::power_on(), cartridge, frames: 0, lag_frames: Vec::new() }
    }

    pub fn step(&mut self, buttons: Buttons) {
        self.model.step(buttons).expect("the model runs");
        self.cartridge.step(buttons).expect("the cartridge runs");
        assert_eq!(self.model.polled(), self.cartridge.polled(), "frame {}", self.frames);
        if !self.cartridge.polled() {
            self.lag_frames.push(self.frames);
        } else {
            assert_eq!(self.cartridge.ram()[HELD], buttons.bits(), "frame {}: what the poll saw", self.frames);
        }
        self.frames += 1;
    }
}

#[test]
#[ignore = "a whole game on the emulator; .ci/run runs it"]
fn model_and_cartridge_poll_in_the_same_frames_of_a_whole_game() {
    assert!(whole_game().rams.len() > 20_000);
}

#[test]
fn model_and_cartridge_poll_in_the_same_frames_of_random_presses_and_resets() {
    let mut pair = Pair::power_on();
    let mut presses = random_presses(23);
    for reset in [Reset::Button, Reset::Power, Reset::Button] {
        for _frame in 0..1000 {
            pair.step(presses.next().expect("endless"));
        }
        pair.model.reset(reset);
        pair.cartridge.reset(reset);
        assert!(!pair.model.polled() && !pair.cartridge.polled());
    }
}

#[test]
fn a_restored_console_still_sees_the_polls() {
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    for _frame in 0..20 {
        console.step(Buttons::NONE).expect("it runs");
    }
    let state = console.save_state().expect("saved");
    console.reset(Reset::Power);
    assert!(!console.polled());
    console.restore_state(&state).expect("restored");
    assert!(console.polled(), "as when it was saved");
    console.step(Buttons::START).expect("it runs");
    assert!(console.polled());
}
