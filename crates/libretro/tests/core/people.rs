//! A person at the gamepad, in the menu of the front end, and with cheats.

use crate::front_end::Session;
use maxout_console::Rom;
use maxout_engine::game::memory::address::{GAME_MODE, HELD_BUTTONS, PLAY_STATE, SCORE};
use maxout_engine::gamepad::Buttons;
use maxout_libretro::api::joypad;
use maxout_libretro::entry::retro_reset;

/// A frame in which the bot has begun the game of seed 13 and that of seed 26: their menus are short.
const IN_GAME: usize = 450;

#[test]
fn without_the_bot_a_person_plays() {
    let session = Session::of_the_cartridge(&[("bot", "disabled")]);
    session.run(400);
    let before = session.ram()[GAME_MODE];
    for _ in 0..3 {
        session.press(&[joypad::START]);
        session.run(2);
        session.press(&[]);
        session.run(30);
    }
    assert_ne!(session.ram()[GAME_MODE], before, "Start leads on");
    for (id, button) in [(joypad::A, Buttons::A), (joypad::B, Buttons::B), (joypad::DOWN, Buttons::DOWN)] {
        session.press(&[id]);
        session.run(2);
        assert_eq!(session.ram()[HELD_BUTTONS], button.bits());
    }
    session.press(&[joypad::LEFT, joypad::RIGHT, joypad::B]);
    session.run(2);
    assert_eq!(session.ram()[HELD_BUTTONS], Buttons::B.bits(), "opposite directions cancel each other");
    session.press(&[]);
    retro_reset();
    session.run(30);
    assert_eq!(session.ram()[GAME_MODE], 0, "the reset button");
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn the_gamepad_changes_nothing_while_the_bot_plays() {
    let ram = |pad: &[u32]| {
        let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13")]);
        session.press(pad);
        session.run(IN_GAME);
        session.ram()
    };
    assert!(ram(&[joypad::A, joypad::DOWN, joypad::START]) == ram(&[]));
}

#[test]
fn a_person_takes_over_and_the_bot_goes_on_two_seconds_later() {
    let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13"), ("play_with_me", "enabled")]);
    session.run(IN_GAME);
    session.press(&[joypad::DOWN]);
    session.run(3);
    assert_eq!(session.ram()[HELD_BUTTONS], Buttons::DOWN.bits());
    session.press(&[]);
    for frame in 0..118 {
        session.run(1);
        assert_eq!(session.ram()[HELD_BUTTONS], 0, "frame {frame} after the last button");
    }
    let pressed = (0..600).any(|_| {
        session.run(1);
        session.ram()[HELD_BUTTONS] != 0
    });
    assert!(pressed, "the bot goes on");
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn options_change_while_the_game_runs() {
    let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13")]);
    session.run(IN_GAME);
    for options in [
        &[("player", "dellacherie")][..],
        &[("input", "gamepad")],
        &[("input", "taps"), ("tap_rate", "12")],
        &[("bot", "disabled")],
        &[("bot", "enabled")],
        &[("overlay", "disabled"), ("goal", "topout"), ("at_end", "play-on")],
        &[("player", "no such player"), ("tap_rate", "none"), ("seed", "-5")],
        &[("start_level", "0"), ("seed", "26")],
    ] {
        session.set(options);
        session.run(60);
        assert_eq!(session.ram()[GAME_MODE], 4, "{options:?}: still in the game");
    }
    assert_eq!(session.messages(), [""; 0]);
    retro_reset();
    session.run(IN_GAME);
    assert_eq!(session.ram()[GAME_MODE], 4);
}

#[test]
fn cheats_work_by_hand_only() {
    let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13")]);
    session.run(IN_GAME);
    let score = session.ram()[SCORE];
    session.cheat(SCORE, 0x42);
    session.run(1);
    assert_eq!(session.ram()[SCORE], score);
    session.set(&[("bot", "disabled")]);
    session.run(1);
    session.cheat(SCORE, 0x42);
    session.run(1);
    assert_eq!(session.ram()[SCORE], 0x42);
}

#[test]
fn a_crash_is_said_once_and_the_core_runs_on() {
    let session = Session::of_the_cartridge(&[
        ("player", "el-tetris"),
        ("seed", "13"),
        ("bot", "disabled"),
        ("at_end", "play-on"),
    ]);
    session.run(100);
    session.set(&[("bot", "enabled")]);
    session.run(IN_GAME);
    session.set(&[("bot", "disabled")]);
    session.run(1);
    // What the game never writes there.
    session.cheat(PLAY_STATE, 0xC8);
    session.run(1);
    session.set(&[("bot", "enabled")]);
    session.run(300);
    let messages = session.messages();
    assert!(messages.len() == 1 && messages[0].contains("reset to begin again"), "{messages:?}");
    session.save();
    retro_reset();
    session.run(IN_GAME);
    assert_eq!((session.ram()[GAME_MODE], session.messages()), (4, Vec::new()));
}

#[test]
fn a_rom_that_is_not_known_is_played_by_hand() {
    let mut hack = Rom::cartridge().bytes().to_vec();
    hack[0x7000] ^= 0xFF;
    let session = Session::open(&[]);
    assert!(session.load("/some/hack.nes", &hack));
    session.press(&[joypad::A]);
    session.run(400);
    assert_eq!(session.ram()[HELD_BUTTONS], Buttons::A.bits());
    let messages = session.messages();
    assert!(messages.len() == 1 && messages[0].contains("play by hand"), "{messages:?}");
    let state = session.save();
    retro_reset();
    session.run(10);
    assert!(session.restore(&state));
}
