//! Steps against the simulation, movement against the slow search.

use std::collections::BTreeMap;

use super::slow;
use super::*;
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::memory::address::{GAME_TYPE, HOLD_DOWN_POINTS, PLAY_STATE, START_HEIGHT};
use crate::game::memory::{GameType, PlayState};
use crate::game::simulation::Simulation;
use crate::game::timing::frames_per_row;
use crate::game::{Obstacles, Piece, Placement, Playfield, ROWS};
use crate::gamepad::{Buttons, InputTimeline};

const A_18: MenuChoice = MenuChoice { level: 18, height: None };

/// Pseudo-random numbers below a bound.
fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

/// A playfield with random cells from a row on down, so that pieces meet walls and overhangs.
fn random_page(seed: &mut u64, top: usize) -> (Page, Playfield) {
    let mut field = Playfield::EMPTY;
    for row in top..ROWS {
        field.set_row(row as i8, (random(seed, 1024) | random(seed, 1024) & random(seed, 1024)) as u16);
    }
    let page = Page::from_cells(|cell| cell < 200 && field.occupied((cell / 10) as i8, cell % 10));
    (page, field)
}

fn landings(page: &Page, piece: Piece, level: u8, hangs: bool, most: u32) -> BTreeMap<Placement, u32> {
    let mut found = BTreeMap::new();
    Reach::new().landings(page, piece, frames_per_row(level), hangs, most, |landing| {
        assert_eq!(found.insert(landing.placement, landing.frames), None, "{landing:?} twice");
    });
    found
}

#[test]
fn every_placement_comes_as_early_as_any_buttons_bring_it() {
    let mut seed = 7;
    for case in 0..12 {
        let (page, field) = random_page(&mut seed, 3 + case % 4);
        let piece = Piece::ALL[random(&mut seed, 7) as usize];
        let level = [18, 19, 18, 29, 15][case % 5];
        let das = random(&mut seed, 17) as u8;
        let hangs = case % 6 == 5;
        // Left, Right, Down, A and B.
        let expected = slow::earliest(&field, piece, (das, hangs), level, (0xC7, false), 12);
        let found = landings(&page, piece, level, hangs, 12);
        assert_eq!(found, expected, "case {case}: {piece:?} at level {level}, das {das}\n{field}");
        assert!(!found.is_empty() || hangs, "case {case}");
    }
}

/// How many placements a stop reaches sooner, or at all, where every button may be down.
#[test]
fn a_stop_reaches_what_any_buttons_reach_with_it() {
    let (mut seed, mut gained) = (11, 0);
    for case in 0..10 {
        let (page, field) = random_page(&mut seed, 2 + case % 4);
        let piece = Piece::ALL[random(&mut seed, 7) as usize];
        let level = [18, 19, 18, 15][case % 4];
        let expected = slow::earliest(&field, piece, (0, false), level, (0xC7, true), 10);
        let mut found = BTreeMap::new();
        let mut reach = Reach::stopping();
        reach.landings(&page, piece, frames_per_row(level), false, 10, |landing| {
            found.insert(landing.placement, landing.frames);
        });
        assert_eq!(found, expected, "case {case}: {piece:?} at level {level}\n{field}");
        let without = landings(&page, piece, level, false, 10);
        gained += found.iter().filter(|&(placement, frames)| without.get(placement).is_none_or(|w| frames < w)).count();
    }
    assert!(gained > 0);
}

/// Plays the game from a spawn until the next one, with these buttons and none after them.
fn play_on(game: &mut Simulation, frame: &mut u32, mut buttons: impl FnMut(u32) -> Buttons) -> Option<Spawned> {
    let start = *frame;
    let mut was_control = true;
    for _ in 0..400 {
        game.step(buttons(*frame - start + 1));
        *frame += 1;
        let is_control = PlayState::from_byte(game.ram()[PLAY_STATE]) == Some(PlayState::Control);
        if is_control && !was_control {
            return Spawned::of(game, *frame);
        }
        was_control = is_control;
    }
    None
}

#[test]
fn steps_are_those_of_the_simulation() {
    let mut seed = 3;
    let (mut count, mut clears, mut cascades, mut paused, mut stopped) = (0, 0, 0, 0, 0);
    // A game ends where a high stack leaves no way: so there are many.
    for opening in openings(A_18, 2).iter().cycle().take(40) {
        let mut game = Simulation::power_on();
        opening.buttons.iter().for_each(|&buttons| game.step(buttons));
        let mut now = opening.first;
        let mut frame = now.frame;
        let mut reach = Reach::stopping();
        let mut locks = Vec::new();
        for piece in 0..220 {
            if piece % 9 == 4 {
                // A high stack without a full row: what is above it stays open.
                let top = 3 + random(&mut seed, 3) as i16;
                for row in 0..20 {
                    let hole = random(&mut seed, 10) as i16;
                    for column in 0..10 {
                        let is_block = row >= top && column != hole;
                        game.poke((0x0400 + 10 * row + column) as u16, if is_block { 0x7B } else { 0xEF });
                    }
                }
                now = Spawned::of(&game, frame).expect("a piece is under control");
            }
            let gravity = frames_per_row(now.progress.level);
            let hangs = piece == 0;
            let mut landings = |now: &Spawned| {
                let mut all = Vec::new();
                reach.landings(&now.page, now.piece, gravity, hangs, 60, |landing| all.push(landing));
                all
            };
            let mut all = landings(&now);
            if all.is_empty() {
                break;
            }
            let mut landing = all[random(&mut seed, all.len() as u64) as usize];
            if random(&mut seed, 2) == 0 {
                // Rows that this landing completes, if it is still within reach then.
                let cells = landing.placement.cells();
                let before = game.clone();
                for (row, _) in cells {
                    let fills = row >= 0 && random(&mut seed, 4) > 0;
                    for column in (0..10).filter(|&column| fills && !cells.contains(&(row, column))) {
                        game.poke(0x0400 + (10 * row as i16 + i16::from(column)) as u16, 0x7B);
                    }
                }
                let filled = Spawned::of(&game, frame).expect("a piece is under control");
                let still = landings(&filled).into_iter().find(|other| other.placement == landing.placement);
                match still {
                    Some(still) => (now, landing) = (filled, still),
                    None => game = before,
                }
            } else if all.len() > 3 && random(&mut seed, 3) > 0 {
                // High up, where cascades are.
                all.sort_by_key(|landing| landing.placement.y);
                landing = all[random(&mut seed, 3) as usize];
            }
            reach.locks(&now.page, now.piece, gravity, hangs, 60, &mut locks);
            let later = locks.iter().find(|lock| lock.0 == landing).expect("its earliest lock is one of its locks").1;
            let frames: Vec<u32> = (0..u64::BITS).filter(|later_by| later >> later_by & 1 == 1).collect();
            landing.frames += frames[random(&mut seed, frames.len() as u64) as usize];
            let way = reach.way(&now.page, now.piece, gravity, hangs, landing).expect("a landing has a way");
            assert_eq!(way.len(), landing.frames as usize);
            stopped += u32::from(way.frames().iter().any(|buttons| buttons.contains(Buttons::START)));
            let locked = now.lock(landing.placement, landing.frames, 0);
            let pause = Pause::new(random(&mut seed, u64::from(Pause::longest(locked.rows)) + 1) as u8, locked.rows)
                .expect("short enough");
            let held: BTreeMap<u32, Buttons> =
                pause.buttons(&locked).map(|(at, buttons)| (at + landing.frames, buttons)).collect();
            let before = game.clone();
            let mut pushdown = 0;
            let pressed = |at: u32| held.get(&at).copied().unwrap_or_else(|| way.get(at as usize - 1));
            let found = play_on(&mut game, &mut frame, pressed);
            // The push-down points are those of the way.
            let mut again = before;
            (1..=landing.frames).for_each(|at| again.step(pressed(at)));
            if PlayState::from_byte(again.ram()[PLAY_STATE]) != Some(PlayState::Control) {
                pushdown = again.ram()[HOLD_DOWN_POINTS];
            }
            let expected = now.lock(landing.placement, landing.frames, pushdown).spawn(pause);
            let Some(found) = found else { break };
            assert_eq!(found, expected, "{landing:?} {pause:?} {locked:?} from {now:?}");
            now = found;
            count += 1;
            clears += u32::from(locked.rows > 0);
            cascades += u32::from(locked.rows > 1 && landing.placement.y <= 2);
            paused += u32::from(pause.frames() > 0);
        }
    }
    let counts = [count, clears, cascades, paused, stopped];
    assert!(count > 150 && clears > 50 && cascades > 5 && paused > 60 && stopped > 20, "{counts:?}");
}

#[test]
fn the_fastest_openings_are_as_measured() {
    for (level, first_frame) in [(0, 285), (18, 289), (19, 288)] {
        let openings = openings(MenuChoice { level, height: None }, 0);
        assert_eq!(openings.len(), 1);
        assert_eq!(openings[0].first.frame + 1, first_frame, "level {level}");
        assert_eq!(openings[0].first.progress.level, level);
    }
    let more = openings(A_18, 2);
    assert!(more.len() > 5, "{}", more.len());
    assert!(more.iter().all(|opening| opening.first.progress.level == 18 && opening.first.frame <= 290));
}

#[test]
fn every_level_and_height_can_be_chosen() {
    for level in 0..=19 {
        for height in [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)] {
            let openings = openings(MenuChoice { level, height }, 0);
            let [opening] = &openings[..] else { panic!("level {level}, height {height:?}: {openings:?}") };
            let mut game = Simulation::power_on();
            opening.buttons.iter().for_each(|&pressed| game.step(pressed));
            let first = &opening.first;
            assert_eq!(
                (game.level(), first.progress.level, first.frame),
                (level, level, opening.buttons.len() as u32 - 1)
            );
            let Some(height) = height else {
                assert_eq!((first.game_type, first.progress.lines(), first.page), (GameType::A, 0, Page::EMPTY));
                continue;
            };
            assert_eq!((first.game_type, first.progress.lines()), (GameType::B, 25));
            assert_eq!((game.ram()[START_HEIGHT], game.ram()[GAME_TYPE]), (height, 1));
            // Measured: heights 0 to 5 have their first garbage in rows 20, 17, 15, 12, 10 and 8.
            let highest = [20, 17, 15, 12, 10, 8][usize::from(height)];
            assert_eq!((0..20).find(|&row| first.page.row(row) != 0).unwrap_or(20), highest, "height {height}");
            let before = Spawned::of(&game, first.frame).expect("a piece is under control");
            assert_eq!(Spawned { page: first.page, ..before }, *first);
            game.step(Buttons::NONE);
            assert!(game.in_game());
            assert_eq!(Spawned::of(&game, 0).map(|now| now.page), Some(first.page));
        }
    }
    // Level 0: Start in the frames 266, 271, 276 and 281, Right in frame 275; the game runs 17 frames later.
    let first = |level, height| openings(MenuChoice { level, height: Some(height) }, 0)[0].first.frame + 1;
    assert_eq!((first(0, 0), first(0, 5), first(18, 0), first(18, 5)), (298, 302, 302, 306));
}

/// Every set of Left, Right, Down, A and B.
fn five_buttons() -> Vec<Buttons> {
    (0..=255_u8).filter(|set| set & !0xC7 == 0).map(Buttons::from_bits).collect()
}

/// What decides how a piece goes on, but for its rows of pushdown.
fn key(piece: &FallingPiece, held: Buttons) -> (u8, i8, i8, u8, u8, u8, u8) {
    (piece.orientation.id(), piece.x, piece.y, piece.fall_timer, piece.das, piece.autorepeat_y, held.bits())
}

/// The piece as these buttons lock it; it must lock there, with the last of them and not before.
fn locked_by(way: &InputTimeline, field: &Playfield, level: u8, landing: Landing) -> FallingPiece {
    let mut falling = FallingPiece::spawned(landing.placement.orientation.piece().spawn(), 0);
    let mut held = Buttons::NONE;
    assert_eq!(way.len() as u32, landing.frames);
    for (index, &pressed) in way.frames().iter().enumerate() {
        let outcome = falling.step(field, pressed, pressed.newly_pressed(held), level);
        held = pressed;
        assert_eq!(outcome != ControlOutcome::Falling, index + 1 == way.len(), "{landing:?}");
    }
    assert_eq!(Placement { orientation: falling.orientation, x: falling.x, y: falling.y }, landing.placement);
    falling
}

/// Every placement and frame of a lock, with the fewest frames up to the last button, by trying every set of
/// five buttons in each of the first frames and none after them.
fn quiet_by_trying(field: &Playfield, piece: Piece, level: u8, most: u32) -> BTreeMap<(Placement, u32), u32> {
    let sets = five_buttons();
    let mut found = BTreeMap::new();
    let mut locked = |piece: &FallingPiece, frame: u32, presses: u32| {
        if Obstacles::fits(field, piece.orientation, piece.x, piece.y) {
            let placement = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
            found.entry((placement, frame)).or_insert(presses);
        }
    };
    let first = FallingPiece::spawned(piece.spawn(), 0);
    let mut layer = BTreeMap::from([(key(&first, Buttons::NONE), (first, Buttons::NONE))]);
    for presses in 0..=most {
        let mut next = BTreeMap::new();
        for &(falling, before) in layer.values() {
            let mut quiet = falling;
            let (mut frame, mut held) = (presses, before);
            loop {
                frame += 1;
                let outcome = quiet.step(field, Buttons::NONE, Buttons::NONE.newly_pressed(held), level);
                held = Buttons::NONE;
                if outcome != ControlOutcome::Falling {
                    locked(&quiet, frame, presses);
                    break;
                }
            }
        }
        for &(falling, before) in layer.values().filter(|_| presses < most) {
            for &held in &sets {
                let mut moved = falling;
                let outcome = moved.step(field, held, held.newly_pressed(before), level);
                moved.pushdown = 0;
                if outcome == ControlOutcome::Falling {
                    next.insert(key(&moved, held), (moved, held));
                } else {
                    locked(&moved, presses + 1, presses + 1);
                }
            }
        }
        layer = next;
    }
    found
}

#[test]
fn a_piece_that_falls_by_itself_locks_where_and_when_trying_everything_says() {
    let mut seed = 23;
    for case in 0..8 {
        let (page, field) = random_page(&mut seed, 5 + case % 4);
        let piece = Piece::ALL[random(&mut seed, 7) as usize];
        let level = [18, 19, 29, 15][case % 4];
        let gravity = frames_per_row(level);
        const MOST: u32 = 6;
        let expected = quiet_by_trying(&field, piece, level, MOST);
        let mut found = BTreeMap::new();
        let mut before = 0;
        let mut reach = Reach::new();
        reach.quiet(&page, piece, gravity, MOST, |Quiet { landing, presses }| {
            assert!(presses >= before, "those with fewer come first");
            before = presses;
            assert_eq!(found.insert((landing.placement, landing.frames), presses), None, "{landing:?} twice");
        });
        assert_eq!(found, expected, "case {case}: {piece:?} at level {level}\n{field}");
        // The buttons of some of them, also where the piece may be stopped.
        let mut reach = Reach::stopping();
        let mut listed = Vec::new();
        reach.quiet(&page, piece, gravity, MOST + 2, |quiet| listed.push(quiet));
        for &quiet in listed.iter().step_by(7) {
            let way = reach.quiet_way(&page, piece, gravity, quiet).expect("it was listed");
            assert_eq!(way.len() as u32, quiet.landing.frames);
            let last = way.frames().iter().rposition(|pressed| !pressed.is_empty());
            assert_eq!(last.map_or(0, |last| last as u32 + 1), quiet.presses, "{quiet:?}");
            if way.frames().iter().all(|pressed| !pressed.contains(Buttons::START)) {
                locked_by(&way, &field, level, quiet.landing);
            }
        }
    }
}

/// The most rows of pushdown for every placement and frame of a lock: any of five buttons in each frame, and then Down
/// alone up to the lock.
fn pushed_by_trying(field: &Playfield, piece: Piece, level: u8, most: u32) -> BTreeMap<(Placement, u32), u8> {
    let sets = five_buttons();
    let mut found: BTreeMap<(Placement, u32), u8> = BTreeMap::new();
    let first = FallingPiece::spawned(piece.spawn(), 0);
    let mut layer = BTreeMap::from([(key(&first, Buttons::NONE), (first, Buttons::NONE))]);
    for frames in 0..most {
        let mut next = BTreeMap::new();
        for &(falling, before) in layer.values() {
            // Down alone from here on, unless it was down before.
            let (mut pushed, mut frame, mut held) = (FallingPiece { pushdown: 0, ..falling }, frames, before);
            while !before.contains(Buttons::DOWN) && frame < most {
                frame += 1;
                let outcome = pushed.step(field, Buttons::DOWN, Buttons::DOWN.newly_pressed(held), level);
                held = Buttons::DOWN;
                if outcome != ControlOutcome::Falling {
                    if field.fits(pushed.orientation, pushed.x, pushed.y) {
                        let placement = Placement { orientation: pushed.orientation, x: pushed.x, y: pushed.y };
                        let rows = found.entry((placement, frame)).or_default();
                        *rows = (*rows).max(pushed.pushdown);
                    }
                    break;
                }
            }
            for &held in &sets {
                let mut moved = falling;
                let outcome = moved.step(field, held, held.newly_pressed(before), level);
                moved.pushdown = 0;
                if outcome == ControlOutcome::Falling {
                    next.insert(key(&moved, held), (moved, held));
                }
            }
        }
        layer = next;
    }
    found
}

#[test]
fn a_piece_is_pushed_down_as_far_as_trying_everything_says() {
    let (mut seed, mut rows_in_all, mut more) = (31, 0, 0);
    for case in 0..6 {
        let (page, field) = random_page(&mut seed, 4 + case % 3);
        let piece = Piece::ALL[random(&mut seed, 7) as usize];
        let level = [18, 19, 15][case % 3];
        let gravity = frames_per_row(level);
        const MOST: u32 = 9;
        let expected = pushed_by_trying(&field, piece, level, MOST);
        let mut reach = Reach::new();
        for (&(placement, frames), &rows) in &expected {
            let landing = Landing { placement, frames };
            let played = |way: InputTimeline| locked_by(&way, &field, level, landing).pushdown;
            let way = reach.pushing_way(&page, piece, gravity, false, landing).expect("it can be reached");
            let pushed = played(way);
            assert_eq!(pushed, rows, "case {case}: {piece:?} at level {level}, {landing:?}\n{field}");
            assert_eq!(reach.pushdowns(&page, piece, gravity, &[landing]), [u32::from(rows)]);
            let plain = played(reach.way(&page, piece, gravity, false, landing).expect("it can be reached"));
            rows_in_all += u32::from(pushed);
            more += u32::from(pushed > plain);
        }
    }
    assert!(rows_in_all > 50 && more > 5, "{rows_in_all} {more}");
}
