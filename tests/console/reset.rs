//! The reset button and a power cycle in the middle of a game: the model and the cartridge boot
//! in the same way, and high scores survive only the reset button.

use maxout_console::{Emulator, Rom};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::game::memory::address::HELD_BUTTONS;
use maxout_engine::gamepad::Buttons;
use maxout_lab::random_presses;

/// First letter of the first high-score name.
const NAMES: usize = 0x0700;

fn step_both(model: &mut Simulated, cartridge: &mut Emulator, buttons: Buttons, frame: &str) {
    model.step(buttons).expect("the model runs");
    cartridge.step(buttons).expect("the cartridge runs");
    for address in 0..0x800 {
        if model.simulation().promises(address) {
            let (expected, found) = (model.ram()[address as usize], cartridge.ram()[address as usize]);
            assert_eq!(found, expected, "{frame}: ${address:04X}");
        }
    }
}

#[test]
fn model_and_cartridge_boot_in_the_same_way_after_a_reset() {
    let mut model = Simulated::power_on();
    let mut cartridge = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let mut presses = random_presses(11);
    for (boot, reset) in [None, Some(Reset::Button), Some(Reset::Power), Some(Reset::Button)].into_iter().enumerate() {
        if let Some(reset) = reset {
            // A mark in the place of a high score.
            model.poke(NAMES as u16, 0x2A);
            cartridge.poke(NAMES as u16, 0x2A);
            model.reset(reset);
            cartridge.reset(reset);
        }
        for frame in 0..700 {
            let buttons = presses.next().expect("endless");
            step_both(&mut model, &mut cartridge, buttons, &format!("boot {boot}, frame {frame}"));
        }
        let kept = model.ram()[NAMES] == 0x2A;
        assert_eq!(kept, reset == Some(Reset::Button), "boot {boot}");
    }
}

#[test]
fn a_restored_state_goes_on_as_before() {
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let presses: Vec<_> = random_presses(5).take(1200).collect();
    let play = |console: &mut Emulator, presses: &[Buttons]| {
        presses.iter().for_each(|&buttons| console.step(buttons).expect("a frame"));
        *console.ram()
    };
    play(&mut console, &presses[..700]);
    let state = console.save_state().expect("saved");
    let first = play(&mut console, &presses[700..]);
    console.restore_state(&state).expect("restored");
    assert_eq!(play(&mut console, &presses[700..]), first);
    let other = Simulated::power_on().save_state().expect("saved");
    assert!(console.restore_state(&other).is_err());
}

#[test]
fn a_button_that_is_held_stays_held_in_a_restored_state() {
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let hold = |console: &mut Emulator, frames: u32| {
        (0..frames).for_each(|_| console.step(Buttons::DOWN | Buttons::A).expect("a frame"));
        console.ram()[HELD_BUTTONS]
    };
    assert_eq!(hold(&mut console, 400), (Buttons::DOWN | Buttons::A).bits());
    let state = console.save_state().expect("saved");
    let mut other = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    other.restore_state(&state).expect("restored");
    assert_eq!(hold(&mut other, 2), (Buttons::DOWN | Buttons::A).bits());
    assert_eq!(hold(&mut console, 2), hold(&mut other, 0));
}

#[test]
fn sound_changes_nothing() {
    let mut silent = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let mut loud = Emulator::new(&Rom::cartridge()).expect("the cartridge runs").with_sound();
    let mut samples = 0;
    for (frame, buttons) in random_presses(7).take(1200).enumerate() {
        silent.step(buttons).expect("a frame");
        loud.step(buttons).expect("a frame");
        assert_eq!(silent.ram(), loud.ram(), "frame {frame}");
        assert!(silent.sound().is_empty());
        assert!(loud.sound().iter().all(|sample| sample.abs() <= 1.0), "frame {frame}");
        samples += loud.sound().len();
    }
    // 48,000 samples a second, 39,375,000/655,171 frames a second (NTSC).
    let expected = 1200.0 * f64::from(Emulator::SAMPLE_RATE) * 655_171.0 / 39_375_000.0;
    assert!((samples as f64 - expected).abs() < 1000.0, "{samples} samples, expected {expected}");
}
