//! The tour: presses that lead a game from power-on through everything that its RAM can show.
//!
//! The presses are chosen from the rules model alone, which gets the same ones. The console's RAM is
//! not read for that, so it does not matter where it keeps anything.

use super::error::Error;
use super::lockstep::{Lockstep, Savepoint};
use maxout_engine::bot::Pilot;
use maxout_engine::game::memory::address::PLAYFIELD;
use maxout_engine::game::memory::{CURTAIN_DOWN, tile};
use maxout_engine::game::simulation::HALF_SPEED;
use maxout_engine::game::{Piece, ROWS, SPAWN_X, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{self, Input, Search};
use maxout_engine::ram::{GameMode, GameModeState, Phase, PlayState, RamSnapshot};

const NONE: Buttons = Buttons::NONE;
/// Frames after which an attempt counts as failed: more than any part of the tour takes. Chosen by
/// hand, not measured.
const PATIENCE: usize = 6000;
/// Lines of the A-type game: enough for the first level-up.
const LINES: u16 = 10;
/// Frames of the demo that are observed. Chosen by hand, not measured.
const DEMO_FRAMES: usize = 500;
/// `vramRow` in the last frame in which the spawn waits for the rows to be drawn.
const LAST_ROWS_UNSENT: u8 = 0x10;

/// Savepoints of the tour that later experiments start from.
pub(super) struct Savepoints {
    /// The title reads the buttons.
    pub title: Savepoint,
    /// The level menu of a B-type reads the buttons.
    pub level_menu: Savepoint,
    /// A piece is under control in an A-type game.
    pub control: Savepoint,
    /// A piece could not drop; it locks in the next frames.
    pub lock: Savepoint,
    /// The next frame's sample shows a new piece.
    pub before_spawn: Savepoint,
    /// A piece other than O has just spawned.
    pub spawn: Savepoint,
    /// The demo plays.
    pub demo: Savepoint,
}

/// Drives the whole tour.
pub(super) fn drive(lockstep: &mut Lockstep<'_>) -> Result<Savepoints, Error> {
    let (title, level_menu) = start_screens(lockstep)?;
    b_type(lockstep)?;
    name_entry(lockstep)?;
    let (control, lock) = by_hand(lockstep)?;
    let (before_spawn, spawn) = next_spawns(lockstep)?;
    lockstep.begin("a bot plays to ten lines: clears, points, statistics, the next level");
    until(lockstep, |_| NONE, falls)?;
    play(lockstep, |snapshot| falls(snapshot) && snapshot.lines >= LINES)?;
    let demo = demo(lockstep, &title)?;
    Ok(Savepoints { title, level_menu, control, lock, before_spawn, spawn, demo })
}

/// Steps until the model's RAM fulfils a condition.
fn until(
    lockstep: &mut Lockstep<'_>,
    mut press: impl FnMut(&RamSnapshot) -> Buttons,
    done: impl Fn(&RamSnapshot) -> bool,
) -> Result<(), Error> {
    for _ in 0..PATIENCE {
        let snapshot = lockstep.snapshot();
        if done(&snapshot) {
            return Ok(());
        }
        lockstep.step(press(&snapshot))?;
    }
    Err(Error::Stuck)
}

/// Taps Start until the mode is reached.
fn start_until(lockstep: &mut Lockstep<'_>, mode: GameMode) -> Result<(), Error> {
    let mut down = false;
    let press = |_: &RamSnapshot| {
        down = !down;
        if down { Buttons::START } else { NONE }
    };
    until(lockstep, press, |snapshot| snapshot.game_mode == mode)?;
    lockstep.step(NONE)
}

/// A new screen is drawn before the game reads buttons.
fn wait_for_screen(lockstep: &mut Lockstep<'_>) -> Result<(), Error> {
    lockstep.hold(NONE, 8)
}

/// Returns savepoints in the title and in the level menu.
fn start_screens(lockstep: &mut Lockstep<'_>) -> Result<(Savepoint, Savepoint), Error> {
    lockstep
        .begin("power-on, no button for 320 frames: the legal screen sleeps 255 frames and then counts down from 255");
    lockstep.hold(NONE, 320)?;
    lockstep.begin("every button but Start, held 3 frames each, then in pairs");
    for bit in [0x80, 0x40, 0x20, 0x08, 0x04, 0x02, 0x01] {
        lockstep.hold(Buttons::from_bits(bit), 3)?;
        lockstep.step(NONE)?;
        lockstep.step(Buttons::from_bits(bit))?;
        lockstep.step(Buttons::from_bits(bit | 0xA0))?;
    }
    lockstep.begin("Start, on to the title and the game type");
    lockstep.hold(NONE, 4)?;
    start_until(lockstep, GameMode::Title)?;
    wait_for_screen(lockstep)?;
    let title = lockstep.save()?;
    start_until(lockstep, GameMode::GameType)?;
    lockstep.begin("game type: Right and Left choose B-type and A-type, Down and Up the music, B leads back");
    wait_for_screen(lockstep)?;
    for button in [Buttons::RIGHT, Buttons::LEFT, Buttons::RIGHT] {
        lockstep.tap(button)?;
    }
    for button in [Buttons::DOWN; 4].into_iter().chain([Buttons::UP; 2]) {
        lockstep.tap(button)?;
    }
    lockstep.tap(Buttons::B)?;
    wait_for_screen(lockstep)?;
    start_until(lockstep, GameMode::GameType)?;
    wait_for_screen(lockstep)?;
    lockstep.begin("level menu: A chooses between level and height, the directions move, A with Start adds ten");
    start_until(lockstep, GameMode::LevelMenu)?;
    wait_for_screen(lockstep)?;
    let level_menu = lockstep.save()?;
    lockstep.tap(Buttons::A)?;
    for button in [Buttons::RIGHT, Buttons::RIGHT, Buttons::DOWN, Buttons::UP, Buttons::LEFT, Buttons::LEFT] {
        lockstep.tap(button)?;
        lockstep.hold(NONE, 2)?;
    }
    lockstep.tap(Buttons::RIGHT)?;
    lockstep.tap(Buttons::A)?;
    for button in [Buttons::DOWN, Buttons::UP, Buttons::RIGHT, Buttons::DOWN, Buttons::LEFT] {
        lockstep.tap(button)?;
    }
    for _ in 0..4 {
        lockstep.tap(Buttons::RIGHT)?;
    }
    lockstep.step(Buttons::A)?;
    lockstep.step(Buttons::A | Buttons::START)?;
    Ok((title, level_menu))
}

/// A bot that sees only the rules model.
fn pilot() -> Pilot {
    let evaluator = handmade::by_name("birken-v2", None).expect("a built-in evaluator");
    let settings = planner::Settings { input: Input::Gamepad, ..planner::Settings::default() };
    Pilot::new(Box::new(Search::new(evaluator, settings)), 0, 0)
}

/// Lets the bot play until the model's RAM fulfils a condition.
fn play(lockstep: &mut Lockstep<'_>, done: impl Fn(&RamSnapshot) -> bool) -> Result<(), Error> {
    let mut pilot = pilot();
    for frame in 0..PATIENCE as u64 {
        let snapshot = lockstep.snapshot();
        if done(&snapshot) {
            return Ok(());
        }
        pilot.observe(frame, snapshot).map_err(|_| Error::Stuck)?;
        lockstep.step(pilot.buttons())?;
    }
    Err(Error::Stuck)
}

fn falls(snapshot: &RamSnapshot) -> bool {
    snapshot.phase() == Phase::Falling && snapshot.game_mode_state == GameModeState::Running
}

fn b_type(lockstep: &mut Lockstep<'_>) -> Result<(), Error> {
    lockstep.begin("B-type, level 19, height 1: garbage is built, 25 lines count down, a clear scores");
    until(lockstep, |_| NONE, falls)?;
    play(lockstep, |snapshot| falls(snapshot) && snapshot.score >= 500)?;
    lockstep.begin("no button: pieces pile up until there is no room, and the curtain falls");
    until(lockstep, |_| NONE, |snapshot| snapshot.play_state == PlayState::Curtain)?;
    until(lockstep, |_| NONE, |snapshot| snapshot.curtain_row == CURTAIN_DOWN)?;
    lockstep.hold(NONE, 5)
}

fn name_entry(lockstep: &mut Lockstep<'_>) -> Result<(), Error> {
    lockstep.begin("Start: the score enters the table; Right and Left move, Up and Down change the letter");
    lockstep.tap(Buttons::START)?;
    wait_for_screen(lockstep)?;
    for button in [Buttons::RIGHT, Buttons::RIGHT, Buttons::LEFT, Buttons::B, Buttons::A] {
        lockstep.tap(button)?;
        lockstep.hold(NONE, 1)?;
    }
    lockstep.hold(Buttons::UP, 30)?;
    lockstep.tap(Buttons::RIGHT)?;
    lockstep.hold(Buttons::DOWN, 20)?;
    lockstep.begin("Start, back to the level menu, B to the game type, Left for A-type, level 0");
    start_until(lockstep, GameMode::LevelMenu)?;
    wait_for_screen(lockstep)?;
    lockstep.tap(Buttons::B)?;
    wait_for_screen(lockstep)?;
    lockstep.tap(Buttons::LEFT)?;
    start_until(lockstep, GameMode::LevelMenu)?;
    wait_for_screen(lockstep)?;
    lockstep.tap(Buttons::UP)?;
    for _ in 0..5 {
        lockstep.tap(Buttons::LEFT)?;
    }
    start_until(lockstep, GameMode::Play)?;
    lockstep.begin("A-type, level 0: a new game is set up, and its first piece hangs");
    until(lockstep, |_| NONE, falls)?;
    lockstep.hold(NONE, 12)
}

/// The first pieces of the A-type game, and two savepoints: under control, and about to lock.
fn by_hand(lockstep: &mut Lockstep<'_>) -> Result<(Savepoint, Savepoint), Error> {
    lockstep.begin("Left, Left, Right, with a frame between them: the piece moves a column each");
    for button in [Buttons::LEFT, Buttons::LEFT, Buttons::RIGHT, Buttons::LEFT] {
        lockstep.tap(button)?;
    }
    lockstep.begin("A four times, then B four times: the orientation follows the rotation table");
    for button in [Buttons::A; 4].into_iter().chain([Buttons::B; 4]) {
        lockstep.tap(button)?;
    }
    lockstep.begin("Right held: it repeats after 16 frames and then every 6, up to the wall");
    lockstep.hold(Buttons::RIGHT, 44)?;
    lockstep.begin("Down held: the hang ends, the row rises every second frame, the piece locks and its cells appear");
    lockstep.hold(NONE, 1)?;
    until(lockstep, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    until(lockstep, |_| NONE, |snapshot| snapshot.play_state == PlayState::Control)?;
    lockstep.begin("no button for 110 frames: the fall timer counts and wraps at 48, the row rises");
    lockstep.hold(NONE, 110)?;
    let control = lockstep.save()?;
    lockstep.begin("Select hides the next piece and shows it again");
    lockstep.tap(Buttons::SELECT)?;
    lockstep.hold(NONE, 3)?;
    lockstep.begin("Start pauses: timers stand still, interrupts go on; Start ends the pause");
    lockstep.tap(Buttons::START)?;
    lockstep.hold(Buttons::LEFT, 4)?;
    lockstep.hold(NONE, 3)?;
    lockstep.tap(Buttons::START)?;
    lockstep.begin("Left, Right and Down together: the game runs at half speed");
    lockstep.hold(HALF_SPEED, 8)?;
    lockstep.hold(NONE, 2)?;
    lockstep.tap(Buttons::SELECT)?;
    lockstep.begin("Down held until the piece locks; the next piece becomes current");
    until(lockstep, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    Ok((control, lockstep.save()?))
}

/// Lets pieces drop until one spawns that has a cell above its origin when it is turned. Returns
/// savepoints before and after that spawn.
fn next_spawns(lockstep: &mut Lockstep<'_>) -> Result<(Savepoint, Savepoint), Error> {
    let spawns_next =
        |snapshot: &RamSnapshot| snapshot.play_state == PlayState::Spawn && snapshot.vram_row == LAST_ROWS_UNSENT;
    loop {
        until(lockstep, |_| NONE, spawns_next)?;
        let before_spawn = lockstep.save()?;
        lockstep.step(NONE)?;
        if lockstep.snapshot().piece.is_some_and(|piece| piece.piece() != Piece::O) {
            return Ok((before_spawn, lockstep.save()?));
        }
        lockstep.step(NONE)?;
        until(lockstep, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    }
}

/// Fills the playfield by pokes around a piece that has just spawned, so that it locks above the top
/// and completes row 0: the only clear that moves the hidden rows.
///
/// `playfield` is the address of the console's playfield.
pub(super) fn row_zero(lockstep: &mut Lockstep<'_>, spawn: &Savepoint, playfield: u16) -> Result<(), Error> {
    lockstep.restore(spawn)?;
    lockstep.begin(
        "rows 0 and 2 to 19 filled by pokes: a turned piece locks above the top, and row 0 clears the whole page down",
    );
    let turned = lockstep.snapshot().piece.ok_or(Error::Stuck)?.clockwise();
    let in_row_zero = |column: i8| turned.cells().contains(&(0, column - SPAWN_X));
    for row in (0..ROWS as u16).filter(|&row| row != 1) {
        for column in 0..WIDTH as u16 {
            let filled = if row == 0 { !in_row_zero(column as i8) } else { column != 0 };
            if filled {
                let cell = row * WIDTH as u16 + column;
                let block = tile::BLOCKS[usize::from(row + column) % tile::BLOCKS.len()];
                lockstep.poke(playfield + cell, PLAYFIELD as u16 + cell, block);
            }
        }
    }
    lockstep.tap(Buttons::A)?;
    until(lockstep, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    lockstep.hold(NONE, 45)
}

fn demo(lockstep: &mut Lockstep<'_>, title: &Savepoint) -> Result<Savepoint, Error> {
    lockstep.restore(title)?;
    lockstep.begin("title, no button: after five times 256 frames the demo starts and plays from its table");
    until(lockstep, |_| NONE, |snapshot| snapshot.game_mode == GameMode::Demo)?;
    lockstep.hold(NONE, DEMO_FRAMES)?;
    lockstep.save()
}
