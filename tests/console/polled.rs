//! Which frames read the gamepad: the emulator watches the ports, the model knows the game. They
//! must agree in every frame, because movies contain lag frames but no polls, and R08 only polls.

use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::random_presses;

/// `$F7`: the buttons that the last poll saw.
const HELD: usize = 0xF7;

/// Both consoles with the same buttons.
struct Pair {
    model: Simulated,
    cartridge: Emulator,
    frames: u64,
    lag_frames: Vec<u64>,
}

impl Pair {
    fn power_on() -> Pair {
        let cartridge = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
        Pair { model: Simulated::power_on(), cartridge, frames: 0, lag_frames: Vec::new() }
    }

    fn step(&mut self, buttons: Buttons) {
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

/// Plays the buttons of a run on both consoles.
struct Follower(Pair);

impl FrameSink for Follower {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.0.step(report.buttons);
        assert_eq!(report.polled, self.0.model.polled(), "frame {}", report.frame);
        Ok(Flow::Continue)
    }
}

#[test]
#[ignore = "a whole game on the emulator; .ci/run runs it"]
fn model_and_cartridge_poll_in_the_same_frames_of_a_whole_game() {
    let search = Search::new(handmade::by_name("birken-v2", None).expect("built in"), Settings::default());
    let pilot = Pilot::new(Box::new(search), 19, 7);
    let mut follower = Follower(Pair::power_on());
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let stop = AtomicBool::new(false);
    let mut run = Run::new(Simulated::power_on(), decoder, pilot, Goal::Maxout);
    run.play(&mut [&mut follower], &stop).expect("a whole game");
    let Follower(pair) = follower;
    assert!(pair.frames > 20_000);
    assert_eq!(pair.lag_frames[..4], [0, 1, 2, 4], "the boot");
    println!("{} frames agree, lag frames {:?}", pair.frames, pair.lag_frames);
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
