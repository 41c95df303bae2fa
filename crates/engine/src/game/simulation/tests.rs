//! Quirks of the game, one sentence each. The golden traces prove the rest.

use proptest::prelude::*;

use super::model::Simulation;
use super::start::Error;
use crate::game::memory::address::{
    ABOVE_PLAYFIELD, AUTOREPEAT_X, AUTOREPEAT_Y, BELOW_PLAYFIELD, COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE,
    CURTAIN_ROW, FALL_TIMER, FRAME_COUNTER, GAME_MODE, GAME_MODE_STATE, GAME_TYPE, GARBAGE_HOLE, HIDE_NEXT,
    HIGH_SCORE_NAMES, HIGH_SCORES, LEVEL_NUMBER, LINE_CLEAR_STATS, LINE_INDEX, LINES, NAME_PLACE, NEXT_PIECE, PAGE,
    PENDING_GARBAGE, PLAY_STATE, PLAYER, PLAYER_SIZE, PLAYFIELD, RENDER_MODE, SCORE, START_HEIGHT, START_LEVEL,
    TETRIMINO_X, TETRIMINO_Y, VRAM_ROW,
};
use crate::game::memory::tile::{self, EMPTY};
use crate::game::memory::{ALL_ROWS_SENT, CURTAIN_DOWN, GameMode, GameModeState, GameType, PlayState, RenderMode};
use crate::game::placement::Placement;
use crate::game::timing::{FIRST_PIECE_HOLD, ROWS_SENT_PER_FRAME};
use crate::game::{Orientation, Piece, ROWS};
use crate::gamepad::Buttons;

const NONE: Buttons = Buttons::NONE;
const START: Buttons = Buttons::START;
const VERTICAL_I: u8 = 0x11;

/// Presses a button and lets go of it.
fn tap(game: &mut Simulation, buttons: Buttons) {
    game.step(buttons);
    game.step(NONE);
}

/// The level menu in the first frame in which it reads the buttons.
fn level_menu() -> Simulation {
    let mut game = Simulation::power_on();
    while game.peek(GAME_MODE as u16) != GameMode::LevelMenu.byte() {
        tap(&mut game, START);
    }
    game.advance(NONE, 10);
    game
}

/// A game at its first gameplay frame, the hang of the first piece ended.
fn game(level: u8) -> Simulation {
    let mut game = level_menu();
    game.poke(START_LEVEL as u16, level);
    game.step(START);
    while !game.in_game() {
        game.step(NONE);
    }
    game.step(NONE);
    game.poke(AUTOREPEAT_Y as u16, 0);
    game
}

/// Makes the present piece this one, at this place.
fn place(game: &mut Simulation, id: u8, x: u8, y: u8) {
    game.poke(CURRENT_PIECE as u16, id);
    game.poke(TETRIMINO_X as u16, x);
    game.poke(TETRIMINO_Y as u16, y);
}

/// Fills a row except one column.
fn fill_row(game: &mut Simulation, row: u16, hole: u16) {
    for column in (0..10).filter(|&column| column != hole) {
        game.poke(PLAYFIELD as u16 + 10 * row + column, tile::WHITE);
    }
}

/// Steps until a byte has this value; returns the frames.
fn wait_for(game: &mut Simulation, address: usize, value: u8) -> u32 {
    for frames in 0..2000 {
        if game.ram[address] == value {
            return frames;
        }
        game.step(NONE);
    }
    panic!("${address:04X} never became ${value:02X}");
}

/// Frames from the failed drop to the spawn, at level 29.
fn lock_at(game: &mut Simulation) -> u32 {
    wait_for(game, PLAY_STATE, PlayState::Lock.byte());
    wait_for(game, PLAY_STATE, PlayState::Control.byte())
}

/// Entry delay in frames from the failed drop to the next spawn, without a row clear.
///
/// `y` is the piece's row when it locks. The game waits twice for the playfield rows from
/// `y - 2` down to be sent to the screen, four a frame, then eight frames more: 10 for the
/// lowest rows, 18 for the highest.
fn entry_delay(y: u8) -> u8 {
    let first_row = y.saturating_sub(2);
    2 * (ROWS as u8 - first_row).div_ceil(ROWS_SENT_PER_FRAME) + 8
}

#[test]
fn entry_delay_depends_on_the_band_of_rows() {
    for (rows, delay) in [(0..=5, 18), (6..=9, 16), (10..=13, 14), (14..=17, 12), (18..=19, 10)] {
        for y in rows {
            assert_eq!(entry_delay(y), delay, "y {y}");
        }
    }
}

#[test]
fn the_fastest_start_reaches_play_at_frame_285_and_level_19_at_292() {
    let play = |presses: &[(u32, Buttons)]| {
        let mut game = Simulation::power_on();
        (0..).find(|&frame| {
            let buttons = presses.iter().find(|&&(at, _)| at == frame).map_or(NONE, |&(_, buttons)| buttons);
            game.step(buttons);
            game.peek(GAME_MODE_STATE as u16) == GameModeState::Running.byte()
        })
    };
    let to_menu = [(266, START), (271, START), (275, START)];
    assert_eq!(play(&[&to_menu[..], &[(280, START)]].concat()), Some(285));
    let (right, a) = (Buttons::RIGHT, Buttons::A);
    let to_19 =
        [(280, right), (281, Buttons::DOWN), (282, right), (284, right), (285, a), (286, a | right), (287, a | START)];
    assert_eq!(play(&[&to_menu[..], &to_19].concat()), Some(292));
    assert_eq!(play(&[&to_menu[..], &[(279, START), (281, START)]].concat()), Some(286), "279 comes too early");
}

#[test]
fn drawing_the_level_menu_swallows_one_interrupt() {
    let mut game = Simulation::power_on();
    while game.peek(GAME_MODE as u16) != GameMode::LevelMenu.byte() {
        tap(&mut game, START);
    }
    let before = game.ram[FRAME_COUNTER];
    game.advance(NONE, 4);
    assert_eq!(game.ram[FRAME_COUNTER], before.wrapping_add(3));
}

#[test]
fn the_level_menu_clocks_the_generator_at_least_three_times_a_frame() {
    let mut game = level_menu();
    let before = game.randomizer();
    game.step(NONE);
    let clocks = (0..100).find(|&times| before.clocked_times(times) == game.randomizer());
    assert!(clocks.expect("the generator was clocked") >= 3);
}

#[test]
fn a_held_with_start_adds_ten_levels_and_any_other_button_does_not() {
    for (held, level) in [(Buttons::A, 10), (Buttons::A | Buttons::UP, 0), (NONE, 0)] {
        let mut game = level_menu();
        game.step(held);
        game.step(held | START);
        assert_eq!(game.ram[START_LEVEL], level, "{held}");
    }
}

#[test]
fn a_game_without_the_menus_is_the_same_game() {
    let mut menus = level_menu();
    menus.advance(Buttons::A, 3);
    menus.step(Buttons::A | START);
    menus.advance(NONE, 3);
    let mut game = Simulation::new_game(10, menus.randomizer().clocked());
    menus.step(NONE);
    // DAS, the frame counter and what the menu leaves in RAM may differ.
    menus.ram[GARBAGE_HOLE] = 0;
    for _ in 0..400 {
        menus.step(Buttons::LEFT);
        game.step(Buttons::LEFT);
        assert_eq!(game.ram[PLAYER..PLAYER + PLAYER_SIZE], menus.ram[PLAYER..PLAYER + PLAYER_SIZE]);
        assert_eq!((game.randomizer(), game.playfield()), (menus.randomizer(), menus.playfield()));
    }
    assert_eq!(game.level(), 10);
}

#[test]
fn the_first_piece_hangs_for_96_frames() {
    let mut game = game(29);
    game.poke(AUTOREPEAT_Y as u16, FIRST_PIECE_HOLD);
    game.advance(NONE, 96);
    assert_eq!(game.ram[TETRIMINO_Y], 0);
    game.step(NONE);
    assert_eq!(game.ram[TETRIMINO_Y], 1);
}

#[test]
fn a_pause_lasts_at_least_two_frames_while_the_generator_runs_on() {
    let mut game = game(0);
    let before = game.randomizer();
    game.step(START);
    let timer = game.ram[FALL_TIMER];
    assert!(game.paused() && game.in_game());
    game.step(NONE);
    game.step(START);
    assert!(!game.paused());
    assert_eq!(game.ram[FALL_TIMER], timer, "no play update until the next frame");
    assert_eq!(game.randomizer(), before.clocked_times(3));
}

#[test]
fn only_start_alone_ends_a_pause_and_the_screen_is_then_drawn_anew() {
    let mut game = game(0);
    tap(&mut game, START);
    tap(&mut game, START | Buttons::A);
    assert!(game.paused());
    game.step(START);
    assert!(!game.paused());
    assert_eq!(game.ram[VRAM_ROW], 0);
}

#[test]
fn left_right_and_down_together_halve_the_speed() {
    let mut game = game(0);
    let timer = game.ram[FALL_TIMER];
    game.advance(Buttons::LEFT | Buttons::RIGHT | Buttons::DOWN, 10);
    assert_eq!(game.ram[FALL_TIMER], timer + 5);
}

#[test]
fn the_reset_combination_leads_to_the_legal_screen_for_259_frames() {
    let combination = Buttons::A | Buttons::B | Buttons::SELECT | START;
    let mut game = game(0);
    let scores = game.ram[HIGH_SCORES..HIGH_SCORES + 24].to_vec();
    game.step(combination);
    assert_eq!(game.ram[GAME_MODE], GameMode::Legal.byte());
    game.advance(NONE, 258);
    game.step(START);
    assert_eq!(game.ram[GAME_MODE], GameMode::Title.byte());
    assert_eq!(game.ram[HIGH_SCORES..HIGH_SCORES + 24], scores);
}

#[test]
fn select_hides_the_next_piece_and_the_title_shows_it_again() {
    let mut game = game(0);
    tap(&mut game, Buttons::SELECT);
    assert_eq!(game.ram[HIDE_NEXT], 1);
    game.step(Buttons::A | Buttons::B | Buttons::SELECT | START);
    game.advance(NONE, 258);
    game.step(START);
    assert_eq!(game.ram[HIDE_NEXT], 0);
}

#[test]
fn the_entry_delay_depends_on_the_lock_row_as_the_timing_table_says() {
    for y in 1..=18 {
        let mut game = game(29);
        game.advance(NONE, 5);
        // A platform under the O piece, open at the right.
        if y < 18 {
            fill_row(&mut game, y + 2, 9);
        }
        place(&mut game, 0x0A, 5, y as u8);
        assert_eq!(lock_at(&mut game), u32::from(entry_delay(y as u8)), "y {y}");
    }
}

#[test]
fn a_row_clear_adds_17_to_20_frames_by_the_phase_of_the_frame_counter() {
    let mut delays = Vec::new();
    for phase in 0..4 {
        let mut game = game(29);
        game.advance(NONE, 5 + phase);
        fill_row(&mut game, 19, 9);
        place(&mut game, VERTICAL_I, 9, 18);
        delays.push(lock_at(&mut game) - u32::from(entry_delay(19)));
    }
    delays.sort_unstable();
    assert_eq!(delays, [17, 18, 19, 20]);
}

#[test]
fn das_charge_survives_the_entry_delay() {
    let mut game = game(29);
    game.advance(NONE, 5);
    place(&mut game, 0x0A, 5, 18);
    game.poke(AUTOREPEAT_X as u16, 15);
    wait_for(&mut game, PLAY_STATE, PlayState::Lock.byte());
    game.step(Buttons::LEFT);
    game.skip_entry_delay(Buttons::LEFT);
    game.step(Buttons::LEFT);
    assert_eq!(game.ram[TETRIMINO_X], 4);
}

#[test]
fn a_completed_top_row_moves_the_whole_page() {
    let mut game = game(0);
    game.advance(NONE, 5);
    fill_row(&mut game, 0, 9);
    game.poke(PLAYFIELD as u16 + 190, tile::FIRST);
    game.poke(ABOVE_PLAYFIELD as u16, tile::SECOND);
    place(&mut game, VERTICAL_I, 9, 1);
    game.poke(PLAYFIELD as u16 + 39, tile::WHITE);
    game.poke(FALL_TIMER as u16, 47);
    wait_for(&mut game, PLAY_STATE, PlayState::Lock.byte());
    wait_for(&mut game, PLAY_STATE, PlayState::ClearAnimation.byte());
    assert_eq!(game.ram[BELOW_PLAYFIELD], tile::FIRST, "row 19 became the hidden row 20");
    assert_eq!(
        (game.ram[ABOVE_PLAYFIELD + 10], game.ram[ABOVE_PLAYFIELD]),
        (tile::SECOND, EMPTY),
        "row -2 became row -1"
    );
    assert_eq!(game.ram[COMPLETED_ROW], 0);
    assert_eq!(game.ram[PLAYFIELD + PAGE + 9], tile::WHITE, "row -1 went on to the next page");
}

#[test]
fn cells_above_the_top_stay_through_clears_below() {
    let mut game = game(0);
    game.advance(NONE, 5);
    place(&mut game, VERTICAL_I, 0, 1);
    game.poke(PLAYFIELD as u16 + 30, tile::WHITE);
    game.poke(FALL_TIMER as u16, 47);
    lock_at(&mut game);
    assert_eq!(game.ram[ABOVE_PLAYFIELD + 10], tile::WHITE);
    assert!(game.playfield().occupied(-1, 0));
    assert!(!game.topped_out(), "a lock above the top does not end the game");
}

#[test]
fn level_255_is_followed_by_level_0() {
    let mut game = game(29);
    game.advance(NONE, 5);
    game.poke(LEVEL_NUMBER as u16, 255);
    // 3309 lines: the tens, $14A modulo 256, are "above" level 255.
    game.poke(LINES as u16, 0x09);
    game.poke(LINES as u16 + 1, 33);
    fill_row(&mut game, 19, 9);
    place(&mut game, VERTICAL_I, 9, 18);
    lock_at(&mut game);
    assert_eq!((game.level(), game.progress().lines()), (0, 3310));
}

#[test]
fn a_spawn_into_blocks_can_be_saved_by_a_shift() {
    let blocked = |held: Buttons| {
        let mut game = game(0);
        game.advance(NONE, 5);
        place(&mut game, 0x0A, 5, 0);
        game.poke(PLAYFIELD as u16 + 14, tile::WHITE);
        game.poke(FALL_TIMER as u16, 46);
        game.step(held);
        game.step(NONE);
        game.step(NONE);
        game.topped_out()
    };
    assert!(blocked(NONE));
    assert!(!blocked(Buttons::RIGHT));
}

/// A game in the frame that finds no room, with this score.
fn topped_out(score: [u8; 3]) -> Simulation {
    let mut game = game(29);
    game.advance(NONE, 5);
    game.ram[SCORE..SCORE + 3].copy_from_slice(&score);
    place(&mut game, 0x0A, 5, 0);
    game.poke(PLAYFIELD as u16 + 15, tile::WHITE);
    wait_for(&mut game, PLAY_STATE, PlayState::Curtain.byte());
    game
}

#[test]
fn the_curtain_takes_141_to_144_frames() {
    let mut game = topped_out([0; 3]);
    let frames = wait_for(&mut game, CURTAIN_ROW, CURTAIN_DOWN);
    assert!((141..=144).contains(&frames), "{frames}");
    assert!(game.page()[..200].iter().all(|&tile| tile == tile::CURTAIN));
}

#[test]
fn start_after_the_curtain_opens_the_level_menu_eight_frames_later() {
    let mut game = topped_out([0; 3]);
    wait_for(&mut game, CURTAIN_ROW, CURTAIN_DOWN);
    tap(&mut game, Buttons::A | START);
    assert!(game.in_game(), "only Start alone counts");
    game.step(START);
    game.advance(NONE, 6);
    game.step(NONE);
    let mut too_early = game.clone();
    too_early.step(START);
    assert_eq!(game.ram[GAME_MODE], GameMode::LevelMenu.byte());
    assert_eq!(too_early.ram[GAME_MODE], GameMode::Play.byte(), "frame 8 is the first that counts");
    assert_eq!(game.ram[RENDER_MODE], RenderMode::Menu.byte());
}

#[test]
fn a_score_equal_to_an_entry_ranks_above_it_and_a_lower_one_gets_no_name() {
    for (score, place) in [([0x00, 0x50, 0x00], 2), ([0x99, 0x49, 0x00], 3), ([0x00, 0x00, 0x01], 0)] {
        let mut game = topped_out(score);
        wait_for(&mut game, CURTAIN_ROW, CURTAIN_DOWN);
        tap(&mut game, START);
        assert_eq!(game.ram[NAME_PLACE], place);
        assert_eq!(game.ram[RENDER_MODE] == RenderMode::NameEntry.byte(), place < 3);
        if place < 3 {
            let entry = HIGH_SCORES + 3 * place as usize;
            assert_eq!(game.ram[entry..entry + 3], [score[2], score[1], score[0]]);
            assert_eq!(game.ram[HIGH_SCORE_NAMES + 6 * place as usize..][..6], [0; 6]);
        }
    }
}

#[test]
fn a_name_is_entered_with_held_directions_every_eighth_frame() {
    let mut game = topped_out([0x00, 0x00, 0x01]);
    wait_for(&mut game, CURTAIN_ROW, CURTAIN_DOWN);
    game.step(START);
    game.advance(NONE, 6);
    game.advance(Buttons::UP, 32);
    game.step(Buttons::LEFT);
    game.advance(Buttons::DOWN, 16);
    assert_eq!(game.ram[HIGH_SCORE_NAMES..HIGH_SCORE_NAMES + 6], [4, 0, 0, 0, 0, 0x2A]);
    tap(&mut game, START);
    game.advance(NONE, 10);
    assert_eq!((game.ram[GAME_MODE], game.ram[RENDER_MODE]), (GameMode::LevelMenu.byte(), RenderMode::Menu.byte()));
}

#[test]
fn thirty_thousand_points_lead_into_an_ending_that_is_not_modelled() {
    let mut game = topped_out([0x00, 0x00, 0x03]);
    wait_for(&mut game, CURTAIN_ROW, CURTAIN_DOWN);
    assert_eq!(game.out_of_scope(), None);
    assert_eq!(wait_for(&mut game, RENDER_MODE, RenderMode::Ending.byte()), 129);
    assert_eq!(game.out_of_scope(), Some("the A-type ending"));
    for _ in 0..400 {
        tap(&mut game, START);
    }
    assert!(
        game.ram[GAME_MODE] == GameMode::LevelMenu.byte() || game.ram[RENDER_MODE] != RenderMode::Ending.byte(),
        "Start leads on"
    );
}

#[test]
fn a_b_type_game_has_25_lines_and_garbage_by_height() {
    for (height, highest) in [(0, 20), (1, 17), (3, 12), (5, 8)] {
        let mut game = level_menu();
        game.poke(GAME_TYPE as u16, GameType::B.byte());
        game.poke(START_HEIGHT as u16, height);
        game.step(START);
        game.advance(NONE, 17);
        assert_eq!(game.peek(GAME_MODE_STATE as u16), GameModeState::Running.byte(), "the first gameplay frame");
        assert_eq!(game.ram[LINES], 0x25);
        let first = game.playfield().visible().iter().position(|&row| row != 0).unwrap_or(20);
        assert!(first >= highest, "height {height}: row {first}");
        assert_eq!(game.ram[PLAYFIELD + 10 * highest.min(19)], EMPTY, "the leftmost cell is blanked too");
    }
}

#[test]
fn the_last_b_type_line_brings_the_success_box_and_then_the_ending() {
    let mut game = game(29);
    game.poke(GAME_TYPE as u16, GameType::B.byte());
    game.poke(LINES as u16, 0x01);
    game.advance(NONE, 5);
    fill_row(&mut game, 19, 9);
    place(&mut game, VERTICAL_I, 9, 18);
    wait_for(&mut game, GAME_MODE_STATE, GameModeState::PlayUpdate.byte());
    assert_eq!((game.ram[LINES], game.ram[PLAYFIELD + 70]), (0, 0x38));
    assert_eq!(game.out_of_scope(), None);
    assert_eq!(wait_for(&mut game, RENDER_MODE, RenderMode::Ending.byte()), 148);
    assert_eq!(game.out_of_scope(), Some("the B-type ending"));
}

#[test]
fn the_title_gives_way_to_the_demo_and_start_comes_back_from_it() {
    let mut game = Simulation::power_on();
    game.advance(NONE, 1796);
    assert_eq!((game.ram[GAME_MODE], game.out_of_scope()), (GameMode::Demo.byte(), Some("the demo")));
    game.advance(NONE, 500);
    tap(&mut game, START);
    assert_eq!(game.ram[GAME_MODE], GameMode::Title.byte());
    game.advance(NONE, 10);
    game.step(START);
    assert_eq!(game.ram[GAME_MODE], GameMode::GameType.byte());
}

#[test]
fn pending_garbage_counts_doubles_triples_and_tetrises() {
    let mut game = game(29);
    game.advance(NONE, 5);
    for row in 16..20 {
        fill_row(&mut game, row, 9);
    }
    place(&mut game, VERTICAL_I, 9, 18);
    lock_at(&mut game);
    assert_eq!(game.ram[PENDING_GARBAGE + 1], 4);
    assert_eq!(game.ram[LINE_CLEAR_STATS..LINE_CLEAR_STATS + 4], [0, 0, 0, 1]);
    assert_eq!(game.score().value(), 1200 * 30);
}

#[test]
fn a_sample_of_a_menu_or_of_nonsense_is_refused() {
    assert!(matches!(Simulation::from_ram(level_menu().ram()), Err(Error::NotInGame { game_mode: 3, .. })));
    let mut game = game(0);
    game.poke(NEXT_PIECE as u16, 0x13);
    assert_eq!(Simulation::from_ram(game.ram()).err(), Some(Error::NotAPiece { address: NEXT_PIECE, found: 0x13 }));
    game.poke(NEXT_PIECE as u16, 0x12);
    game.poke(TETRIMINO_X as u16, 10);
    assert!(matches!(Simulation::from_ram(game.ram()), Err(Error::PieceOutside { x: 10, .. })));
}

#[test]
fn the_position_is_what_the_player_sees() {
    let game = game(5);
    let position = game.position().expect("a piece is under control");
    assert_eq!(Some(position.piece), Orientation::from_id(game.ram[CURRENT_PIECE]).map(Orientation::piece));
    assert_eq!((position.level, position.lines), (5, 0));
    assert!(Piece::ALL.contains(&position.next));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The fast `Playfield::lock` of the search, against the game's own rows of bytes.
    #[test]
    fn a_lock_does_to_the_playfield_what_the_search_thinks(
        rows in prop::collection::vec(0_u16..1024, 20),
        full in prop::collection::vec(any::<bool>(), 20),
        id in 0_u8..19, x in 0_u8..10, y in 0_u8..20,
    ) {
        let mut game = game(29);
        game.advance(NONE, 5);
        let Some(orientation) = Orientation::from_id(id) else { return Ok(()) };
        for row in 0..20_u16 {
            let bits = if full[row as usize] { 1023 } else { rows[row as usize] };
            for column in 0..10 {
                let tile = if bits >> column & 1 == 1 { tile::WHITE } else { EMPTY };
                game.poke(PLAYFIELD as u16 + 10 * row + column, tile);
            }
        }
        let placement = Placement { orientation, x: x as i8, y: y as i8 };
        let inside = orientation.cells().iter().all(|&(dy, dx)| {
            (-2..20).contains(&(placement.y + dy)) && (0..10).contains(&(placement.x + dx))
        });
        if !inside {
            return Ok(());
        }
        // Room for the piece.
        for cell in super::page::cells(placement) {
            game.poke(PLAYFIELD as u16 + u16::from(cell), EMPTY);
        }
        let mut expected = game.playfield();
        let cleared = expected.lock(placement);
        place(&mut game, id, x, y);
        game.poke(PLAY_STATE as u16, PlayState::Lock.byte());
        game.poke(VRAM_ROW as u16, ALL_ROWS_SENT);
        wait_for(&mut game, LINE_INDEX, 4);
        prop_assert_eq!(game.ram[COMPLETED_LINES], cleared.count);
        prop_assert_eq!(game.playfield(), expected);
    }

    /// With any pokes and any buttons: no panic, and bulk equals stepping.
    #[test]
    fn nothing_that_is_poked_or_pressed_breaks_the_frame(
        level in any::<u8>(),
        pokes in prop::collection::vec((prop_oneof![0x60_u16..0x80, 0x10_u16..0x100, 0_u16..2048], any::<u8>()), 0..8),
        presses in prop::collection::vec((any::<u8>(), 0_u32..80), 0..40),
    ) {
        let mut stepped = game(level);
        for (address, value) in pokes {
            stepped.poke(address, value);
        }
        let mut bulk = stepped.clone();
        for (buttons, frames) in presses {
            let buttons = Buttons::from_bits(buttons);
            bulk.advance(buttons, frames);
            (0..frames).for_each(|_| stepped.step(buttons));
            prop_assert!(bulk.ram() == stepped.ram());
        }
    }
}
