//! The core through its C functions, in a front end of our own.

mod front_end;
mod games;
mod layout;
mod people;
mod states;

use front_end::{FrontEnd, Session, infos};
use maxout_console::Rom;
use maxout_libretro::entry::*;

#[test]
fn the_core_says_what_it_is() {
    let (info, texts, av) = infos();
    assert_eq!(texts, ["maxout", env!("CARGO_PKG_VERSION"), "nes"]);
    assert_eq!((info.need_fullpath, info.block_extract), (false, false));
    assert_eq!((av.base_width, av.base_height, av.sample_rate), (256, 240, 48_000.0));
    assert!((av.fps - 60.0988).abs() < 0.0001);
    assert_eq!((retro_api_version(), retro_get_region()), (1, 0));
}

#[test]
fn every_form_of_options_has_the_same_options() {
    let offered = |options_version| {
        let front_end = FrontEnd { options_version, formats: vec![1], ..FrontEnd::default() };
        let session = Session::open_in(front_end, &[]);
        assert!(session.look(|front_end| front_end.runs_without_content));
        let mut offered = session.look(|front_end| front_end.offered.clone());
        assert!(offered.iter().all(|(_, values, default)| values.contains(default)));
        // The oldest form puts the default first.
        offered.iter_mut().for_each(|(_, values, _)| values.sort());
        offered
    };
    let newest = offered(2);
    assert_eq!(newest.len(), 10);
    assert_eq!(offered(1), newest);
    assert_eq!(offered(0), newest);
}

#[test]
fn a_front_end_gets_the_pixels_that_it_takes() {
    for (formats, agreed, pitch) in [(vec![0, 1, 2], Some(1), 1024), (vec![0, 2], Some(2), 512), (vec![], None, 512)] {
        let front_end = FrontEnd { options_version: 2, formats, ..FrontEnd::default() };
        let session = Session::open_in(front_end, &[]);
        assert!(session.load_nothing());
        session.run(60);
        session.look(|front_end| {
            assert_eq!((front_end.format, front_end.pitch), (agreed, pitch));
            assert!(front_end.picture.iter().any(|&byte| byte != 0));
        });
    }
}

#[test]
fn a_bot_earns_no_achievements_and_ram_can_be_looked_at() {
    let session = Session::of_the_cartridge(&[]);
    session.look(|front_end| {
        assert_eq!(front_end.may_earn_achievements, Some(false));
        assert_eq!(front_end.memory, Some((retro_get_memory_data(2) as usize, 2048)));
    });
    assert!(retro_get_memory_data(0).is_null() && retro_get_memory_size(0) == 0);
}

/// Content, and words of the message that refuses it.
const BAD: [(&[u8], &str); 4] = [
    (b"", "is not an iNES ROM"),
    (b"this is a text about NES ROMs", "is not an iNES ROM"),
    (b"NES\x1A\x02\x02\x10\x00", "truncated"),
    (b"NES\x1A\x02\x02\x10\x00\0\0\0\0\0\0\0\0 and no program", "truncated"),
];

#[test]
fn bad_content_is_refused_and_good_content_is_loaded_after_it() {
    let session = Session::open(&[]);
    for (bytes, words) in BAD {
        assert!(!session.load("/some/game.nes", bytes), "{words}");
        let messages = session.messages();
        assert!(messages.len() == 1 && messages[0].contains(words), "{messages:?}");
        session.run(3);
        assert!(session.look(|front_end| front_end.picture.iter().all(|&byte| byte == 0)));
        assert!(!session.restore(&[0; 100]) && !session.save_into(1 << 17));
        retro_reset();
    }
    assert!(!session.load_path("/nowhere/game.nes"));
    assert!(session.messages()[0].contains("cannot read the ROM"));
    let mut other_board = Rom::cartridge().bytes().to_vec();
    other_board[16..16 + 0x8000].fill(0xEA);
    other_board[6] = 0x40;
    assert!(!session.load("/some/game.nes", &other_board));
    assert!(session.messages()[0].contains("mapper 4"));
    assert!(session.load("/some/game.nes", Rom::cartridge().bytes()), "{:?}", session.messages());
    session.run(60);
    assert_eq!(session.messages(), [""; 0]);
}

#[test]
fn calls_before_content_do_nothing() {
    let session = Session::open(&[]);
    session.run(2);
    retro_reset();
    retro_unload_game();
    retro_set_controller_port_device(0, 1);
    retro_cheat_reset();
    retro_cheat_set(0, 1, c"SXIOPO".as_ptr());
    assert!(!retro_load_game_special(1, std::ptr::null(), 0));
    assert!(!session.restore(&[]) && !session.save_into(1 << 17));
    drop(session);
    let _turn = front_end::take_turn();
    // A front end that has given no function at all.
    retro_run();
    retro_reset();
}
