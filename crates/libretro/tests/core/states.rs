//! States: saved and loaded, a game plays on identically; damaged ones are refused.

use crate::front_end::Session;
use maxout_console::Rom;
use maxout_engine::ram::Ram;
use maxout_libretro::entry::retro_serialize_size;

/// RAM and picture of the next frames.
fn play(session: &Session, frames: usize) -> Vec<(Ram, Vec<u8>)> {
    (0..frames)
        .map(|_| {
            session.run(1);
            (session.ram(), session.look(|front_end| front_end.picture.clone()))
        })
        .collect()
}

#[test]
fn a_state_that_is_saved_and_loaded_plays_on_identically() {
    let session = Session::of_the_cartridge(&[("seed", "13")]);
    // In the menus, and in several frames of the way of a piece.
    for skipped in [200, 240, 17, 5] {
        session.run(skipped);
        let state = session.save();
        assert_eq!(state.len(), retro_serialize_size());
        let first = play(&session, 40);
        assert!(session.restore(&state), "{:?}", session.messages());
        for (frame, (again, first)) in play(&session, 40).iter().zip(&first).enumerate() {
            let differ = first.0.iter().zip(&again.0).position(|(first, again)| first != again);
            assert_eq!(differ, None, "RAM after {skipped} and {frame} frames");
            let differ = first.1.iter().zip(&again.1).position(|(first, again)| first != again);
            assert_eq!(differ, None, "picture after {skipped} and {frame} frames");
        }
    }
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn a_state_is_loaded_into_another_session() {
    let session = Session::in_the_game(&[]);
    session.run(13);
    let state = session.save();
    let first = play(&session, 100);
    drop(session);
    let session = Session::of_the_cartridge(&[("player", "el-tetris")]);
    assert!(session.restore(&state));
    assert!(play(&session, 100) == first);
}

#[test]
fn rewinding_frame_by_frame_goes_back_the_same_way() {
    let session = Session::in_the_game(&[]);
    let mut way = Vec::new();
    for _ in 0..90 {
        way.push((session.save(), session.ram()));
        session.run(1);
    }
    let end = session.ram();
    for (state, ram) in way.iter().rev() {
        assert!(session.restore(state));
        assert!(session.ram() == *ram);
    }
    session.run(90);
    assert!(session.ram() == end);
}

#[test]
fn a_state_of_another_player_is_loaded_and_the_wanted_player_goes_on() {
    let session = Session::in_the_game(&[]);
    let (state, ram) = (session.save(), session.ram());
    session.set(&[("player", "dellacherie")]);
    session.run(100);
    assert!(session.restore(&state), "{:?}", session.messages());
    assert!(session.ram() == ram);
    session.run(100);
    let by_bot = session.save();
    session.set(&[("bot", "disabled")]);
    session.run(10);
    let by_hand = session.save();
    assert!(session.restore(&by_bot) && session.restore(&by_hand));
    session.set(&[("bot", "enabled")]);
    assert!(session.restore(&by_hand));
    session.run(100);
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn damaged_states_are_refused_and_change_nothing() {
    let session = Session::in_the_game(&[]);
    let state = session.save();
    let used = state.iter().rposition(|&byte| byte != 0).expect("not all zero") + 1;
    println!("a state uses {used} bytes of {}", state.len());
    assert!(used < state.len() * 3 / 4, "{used} bytes");
    for end in (0..used).step_by(997) {
        assert!(!session.restore(&state[..end]), "{end} bytes");
        assert_eq!(session.messages().len(), 1);
    }
    for at in (0..100).chain((100..used).step_by(499)) {
        let mut damaged = state.clone();
        damaged[at] ^= 0x55;
        assert!(!session.restore(&damaged), "byte {at}");
        assert_eq!(session.messages().len(), 1, "byte {at}");
    }
    assert!(session.restore(&state));
    let first = play(&session, 40);
    let mut damaged = state.clone();
    damaged[used / 2] ^= 0x55;
    assert!(session.restore(&state) && !session.restore(&damaged));
    assert!(play(&session, 40) == first);
    assert!(!session.save_into(used / 2) && !session.restore(&[]));
}

#[test]
fn a_state_of_another_rom_is_refused() {
    let mut hack = Rom::cartridge().bytes().to_vec();
    hack[0x7000] ^= 0xFF;
    let session = Session::open(&[("bot", "disabled")]);
    assert!(session.load("/some/hack.nes", &hack), "{:?}", session.messages());
    session.run(10);
    let state = session.save();
    drop(session);
    let session = Session::of_the_cartridge(&[]);
    assert!(!session.restore(&state));
    assert!(session.messages()[0].contains("another ROM"));
}
