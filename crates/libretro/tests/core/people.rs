//! A person at the gamepad, in the menu of the front end, and with cheats.

use crate::front_end::Session;
use maxout_console::{Emulator, Rom};
use maxout_engine::console::Console;
use maxout_engine::game::memory::address::{
    GAME_MODE, HELD_BUTTONS, LEVEL_NUMBER, PLAY_STATE, SCORE, SPAWN_COUNT, TETRIMINO_Y,
};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RAM_SIZE;
use maxout_libretro::api::joypad;
use maxout_libretro::entry::{retro_reset, retro_unload_game};

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
        let session = Session::in_the_game(&[]);
        session.press(pad);
        session.run(100);
        session.ram()
    };
    assert!(ram(&[joypad::A, joypad::DOWN, joypad::START]) == ram(&[]));
}

#[test]
fn a_person_takes_over_and_the_bot_goes_on_two_seconds_later() {
    let session = Session::in_the_game(&[("play_with_me", "enabled")]);
    session.press(&[joypad::DOWN]);
    session.run(3);
    assert_eq!(session.ram()[HELD_BUTTONS], Buttons::DOWN.bits());
    session.press(&[]);
    for frame in 0..118 {
        session.run(1);
        assert_eq!(session.ram()[HELD_BUTTONS], 0, "frame {frame} after the last button");
        if frame == 50 {
            let state = session.save();
            session.run(20);
            assert!(session.restore(&state));
            session.set(&[("play_with_me", "disabled")]);
            assert!(presses(&session, 60), "nobody takes over any more");
            assert!(session.restore(&state));
            assert!(presses(&session, 60), "not by a state either");
            session.set(&[("play_with_me", "enabled")]);
            session.run(1);
            assert!(session.restore(&state));
        }
    }
    assert!(presses(&session, 100), "the bot goes on");
    assert_eq!(session.messages(), [""; 0]);
}

/// Is a button down in one of these frames?
fn presses(session: &Session, frames: usize) -> bool {
    let is_down = |_| {
        session.run(1);
        session.ram()[HELD_BUTTONS] != 0
    };
    (0..frames).filter(|&frame| is_down(frame)).count() > 0
}

#[test]
fn a_bot_plays_the_falling_piece_from_where_it_is() {
    let session = Session::in_the_game(&[("bot", "disabled")]);
    // The piece after the next lock, some rows below its spawn.
    let pieces = |session: &Session| session.ram()[SPAWN_COUNT];
    let before = pieces(&session);
    while pieces(&session) == before || session.ram()[PLAY_STATE] != 1 || session.ram()[TETRIMINO_Y] < 4 {
        session.run(1);
    }
    let piece = pieces(&session);
    session.set(&[("bot", "enabled")]);
    assert!(presses(&session, 12), "the bot moves it");
    assert_eq!((pieces(&session), session.ram()[PLAY_STATE]), (piece, 1), "the same piece");
}

#[test]
fn a_topout_by_hand_is_said_and_the_next_game_begins_by_hand_or_later() {
    let session = Session::in_the_game(&[("play_with_me", "enabled")]);
    session.press(&[joypad::DOWN]);
    let mut frames = 0;
    let said = loop {
        session.press(&[joypad::DOWN]);
        session.run(1);
        frames += 1;
        if let Some(said) = session.messages().pop() {
            break said;
        }
        assert!(frames < 2_000, "a topout");
    };
    assert_eq!(said, format!("maxout: topout before maxout, seed 13; since power-on {frames} frames by hand"));
    press_start_until_a_game(&session);
    session.press(&[]);
    for frame in 0..730 {
        session.run(1);
        assert_eq!(session.ram()[GAME_MODE], 4, "frame {frame} of the game that was begun by hand");
    }
}

fn press_start_until_a_game(session: &Session) {
    let mut has_left = false;
    for _ in 0..200 {
        session.press(&[joypad::START]);
        session.run(2);
        session.press(&[]);
        session.run(8);
        let is_game = session.ram()[GAME_MODE] == 4;
        if has_left && is_game {
            return;
        }
        has_left |= !is_game;
    }
    panic!("no game");
}

#[test]
fn a_bot_leaves_a_game_that_has_ended_by_hand() {
    let session = Session::in_the_game(&[("bot", "disabled")]);
    // Nobody presses anything: pieces fall in the middle until the curtain, state 10.
    while session.ram()[PLAY_STATE] != 10 {
        session.run(1);
    }
    session.set(&[("bot", "enabled")]);
    let left = (0..600).any(|_| {
        session.run(1);
        session.ram()[GAME_MODE] != 4
    });
    assert!(left, "to the menu");
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn points_by_cheats_are_said() {
    let session = Session::in_the_game(&[("bot", "disabled")]);
    session.run(1);
    (0..3).for_each(|byte| session.cheat(SCORE + byte, 0x99));
    session.run(1);
    let state = session.save();
    session.run(1);
    assert!(session.restore(&state));
    session.set(&[("bot", "enabled")]);
    session.run(2);
    let said = "maxout: maxout reached, seed 13; since power-on 2 frames by hand, 3 RAM writes";
    assert_eq!(session.messages(), [said]);
}

#[test]
fn a_console_begins_without_what_was_in_the_ram_of_another_one() {
    let session = Session::in_the_game(&[("bot", "disabled")]);
    session.run(10);
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge");
    console.step(Buttons::NONE).expect("a frame");
    assert!(session.load_nothing());
    session.run(1);
    assert!(session.ram() == *console.ram(), "loaded twice");
    session.run(20);
    retro_unload_game();
    assert!(session.ram() == [0; RAM_SIZE], "unloaded");
    assert!(session.load_nothing());
    session.run(1);
    assert!(session.ram() == *console.ram(), "loaded again");
}

#[test]
fn a_crash_by_hand_is_said() {
    let mut crashed = Rom::cartridge().bytes().to_vec();
    // An opcode that stops the processor; the vectors stay.
    crashed[16..16 + 0x7FFA].fill(0x02);
    let session = Session::open(&[("bot", "disabled")]);
    assert!(session.load("/some/game.nes", &crashed), "{:?}", session.messages());
    session.run(20);
    let said = session.messages();
    assert_eq!(said.len(), 2, "that the ROM is not known, and: {said:?}");
    assert_eq!(said[1..], ["maxout: the program has crashed the processor; reset to begin again"]);
    retro_reset();
    session.run(30);
    assert_eq!(session.messages().len(), 1);
}

#[test]
fn options_change_while_the_game_runs() {
    let session = Session::in_the_game(&[]);
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
        session.run(1);
        let is_by_hand = options == [("bot", "disabled")];
        assert_eq!(presses(&session, 40), !is_by_hand, "{options:?}");
        assert_eq!(session.ram()[GAME_MODE], 4, "{options:?}: still in the game");
        assert_eq!(session.ram()[LEVEL_NUMBER], 19, "{options:?}");
    }
    assert_eq!(session.messages(), [""; 0]);
    retro_reset();
    session.run(IN_GAME);
    assert_eq!((session.ram()[GAME_MODE], session.ram()[LEVEL_NUMBER]), (4, 0));
}

#[test]
fn cheats_work_by_hand_only() {
    let session = Session::in_the_game(&[]);
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
    let session = Session::in_the_game(&[("bot", "disabled"), ("at_end", "play-on")]);
    session.run(1);
    // What the game never writes there.
    session.cheat(PLAY_STATE, 0xC8);
    session.run(1);
    session.set(&[("bot", "enabled")]);
    session.run(60);
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
    session.run(300);
    assert_eq!(session.ram()[HELD_BUTTONS], Buttons::A.bits());
    let messages = session.messages();
    assert!(messages.len() == 1 && messages[0].contains("play by hand"), "{messages:?}");
    let state = session.save();
    retro_reset();
    session.run(10);
    assert!(session.restore(&state));
}
