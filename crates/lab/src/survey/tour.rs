//! The tour: presses that lead a game from power-on through everything that its RAM can show.
//!
//! The presses are chosen by looking at the rules model alone, which gets the same ones: the
//! console is driven blindly, so it does not matter where it keeps anything.

use super::Error;
use super::recording::{Lab, Moment};
use maxout_engine::bot::Pilot;
use maxout_engine::game::memory::address::PLAYFIELD;
use maxout_engine::game::memory::{CURTAIN_DOWN, tile};
use maxout_engine::game::{Piece, ROWS, SPAWN_X, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade as eval;
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{GameMode, GameModeState, Phase, PlayState, RamSnapshot};

const NONE: Buttons = Buttons::NONE;
/// Exactly these make the game run at half speed.
const HALF_SPEED: Buttons = Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::DOWN);
/// Frames before an attempt counts as failed.
const PATIENCE: usize = 6000;
/// The A-type game goes on until so many lines.
const LINES: u16 = 10;
/// The demo is watched for so many frames.
const DEMO_FRAMES: usize = 500;
/// `vramRow` in the last frame in which the spawn waits for the screen.
const LAST_ROWS_UNSENT: u8 = 0x10;

/// Moments of the tour that later experiments start from.
pub(super) struct Moments {
    /// A piece is under control in an A-type game.
    pub control: Moment,
    /// The drop has failed; the piece locks in the next frames.
    pub lock: Moment,
    /// The next frame's sample shows a new piece.
    pub before_spawn: Moment,
    /// A piece that is no O has just spawned.
    pub spawn: Moment,
    /// The demo plays.
    pub demo: Moment,
}

/// Drives the whole tour.
pub(super) fn drive(lab: &mut Lab<'_>) -> Result<Moments, Error> {
    let title = start_screens(lab)?;
    b_type(lab)?;
    name_entry(lab)?;
    let (control, lock) = by_hand(lab)?;
    let (before_spawn, spawn) = next_spawns(lab)?;
    lab.begin("a bot plays to ten lines: clears, points, statistics, the next level");
    until(lab, |_| NONE, falls)?;
    play(lab, |snapshot| falls(snapshot) && snapshot.lines >= LINES)?;
    let demo = demo(lab, &title)?;
    Ok(Moments { control, lock, before_spawn, spawn, demo })
}

/// Steps until the rules show something.
fn until(
    lab: &mut Lab<'_>,
    mut press: impl FnMut(&RamSnapshot) -> Buttons,
    done: impl Fn(&RamSnapshot) -> bool,
) -> Result<(), Error> {
    for _ in 0..PATIENCE {
        let snapshot = lab.snapshot();
        if done(&snapshot) {
            return Ok(());
        }
        lab.step(press(&snapshot))?;
    }
    Err(Error::Stuck)
}

/// Taps Start until the mode is reached.
fn start_until(lab: &mut Lab<'_>, mode: GameMode) -> Result<(), Error> {
    let mut down = false;
    let press = |_: &RamSnapshot| {
        down = !down;
        if down { Buttons::START } else { NONE }
    };
    until(lab, press, |snapshot| snapshot.game_mode == mode)?;
    lab.step(NONE)
}

/// The new screen is drawn before it looks at buttons.
fn wait_for_screen(lab: &mut Lab<'_>) -> Result<(), Error> {
    lab.hold(NONE, 8)
}

fn start_screens(lab: &mut Lab<'_>) -> Result<Moment, Error> {
    lab.begin("power-on, no button for 320 frames: the legal screen sleeps 255 frames and then counts down from 255");
    lab.hold(NONE, 320)?;
    lab.begin("every button but Start, held 3 frames each, then in pairs");
    for bit in [0x80, 0x40, 0x20, 0x08, 0x04, 0x02, 0x01] {
        lab.hold(Buttons::from_bits(bit), 3)?;
        lab.step(NONE)?;
        lab.step(Buttons::from_bits(bit))?;
        lab.step(Buttons::from_bits(bit | 0xA0))?;
    }
    lab.begin("Start, on to the title and the game type");
    lab.hold(NONE, 4)?;
    start_until(lab, GameMode::Title)?;
    wait_for_screen(lab)?;
    let title = lab.save()?;
    start_until(lab, GameMode::GameType)?;
    lab.begin("game type: Right and Left choose B-type and A-type, Down and Up the music, B leads back");
    wait_for_screen(lab)?;
    for button in [Buttons::RIGHT, Buttons::LEFT, Buttons::RIGHT] {
        lab.tap(button)?;
    }
    for button in [Buttons::DOWN; 4].into_iter().chain([Buttons::UP; 2]) {
        lab.tap(button)?;
    }
    lab.tap(Buttons::B)?;
    wait_for_screen(lab)?;
    start_until(lab, GameMode::GameType)?;
    wait_for_screen(lab)?;
    lab.begin("level menu: A chooses between level and height, the directions move, A with Start adds ten");
    start_until(lab, GameMode::LevelMenu)?;
    wait_for_screen(lab)?;
    lab.tap(Buttons::A)?;
    for button in [Buttons::RIGHT, Buttons::RIGHT, Buttons::DOWN, Buttons::UP, Buttons::LEFT, Buttons::LEFT] {
        lab.tap(button)?;
        lab.hold(NONE, 2)?;
    }
    lab.tap(Buttons::RIGHT)?;
    lab.tap(Buttons::A)?;
    for button in [Buttons::DOWN, Buttons::UP, Buttons::RIGHT, Buttons::DOWN, Buttons::LEFT] {
        lab.tap(button)?;
    }
    for _ in 0..4 {
        lab.tap(Buttons::RIGHT)?;
    }
    lab.step(Buttons::A)?;
    lab.step(Buttons::A | Buttons::START)?;
    Ok(title)
}

/// A bot that sees the rules model only.
fn pilot() -> Pilot {
    let evaluator = eval::by_name("birken-v2", None).expect("a built-in evaluator");
    let settings = Settings { input: Input::Gamepad, ..Settings::default() };
    Pilot::new(Box::new(Search::new(evaluator, settings)), 0, 0)
}

/// Lets the bot play until the rules show something at the end of a frame.
fn play(lab: &mut Lab<'_>, done: impl Fn(&RamSnapshot) -> bool) -> Result<(), Error> {
    let mut pilot = pilot();
    for frame in 0..PATIENCE as u64 {
        let snapshot = lab.snapshot();
        if done(&snapshot) {
            return Ok(());
        }
        pilot.observe(frame, snapshot).map_err(|_| Error::Stuck)?;
        lab.step(pilot.buttons())?;
    }
    Err(Error::Stuck)
}

fn falls(snapshot: &RamSnapshot) -> bool {
    snapshot.phase() == Phase::Falling && snapshot.game_mode_state == GameModeState::Running
}

fn b_type(lab: &mut Lab<'_>) -> Result<(), Error> {
    lab.begin("B-type, level 19, height 1: garbage is built, 25 lines count down, a clear scores");
    until(lab, |_| NONE, falls)?;
    play(lab, |snapshot| falls(snapshot) && snapshot.score >= 500)?;
    lab.begin("no button: pieces pile up until there is no room, and the curtain falls");
    until(lab, |_| NONE, |snapshot| snapshot.play_state == PlayState::Curtain)?;
    until(lab, |_| NONE, |snapshot| snapshot.curtain_row == CURTAIN_DOWN)?;
    lab.hold(NONE, 5)
}

fn name_entry(lab: &mut Lab<'_>) -> Result<(), Error> {
    lab.begin("Start: the score enters the table; Right and Left move, Up and Down change the letter");
    lab.tap(Buttons::START)?;
    wait_for_screen(lab)?;
    for button in [Buttons::RIGHT, Buttons::RIGHT, Buttons::LEFT, Buttons::B, Buttons::A] {
        lab.tap(button)?;
        lab.hold(NONE, 1)?;
    }
    lab.hold(Buttons::UP, 30)?;
    lab.tap(Buttons::RIGHT)?;
    lab.hold(Buttons::DOWN, 20)?;
    lab.begin("Start, back to the level menu, B to the game type, Left for A-type, level 0");
    start_until(lab, GameMode::LevelMenu)?;
    wait_for_screen(lab)?;
    lab.tap(Buttons::B)?;
    wait_for_screen(lab)?;
    lab.tap(Buttons::LEFT)?;
    start_until(lab, GameMode::LevelMenu)?;
    wait_for_screen(lab)?;
    lab.tap(Buttons::UP)?;
    for _ in 0..5 {
        lab.tap(Buttons::LEFT)?;
    }
    start_until(lab, GameMode::Play)?;
    lab.begin("A-type, level 0: a new game is set up, and its first piece hangs");
    until(lab, |_| NONE, falls)?;
    lab.hold(NONE, 12)
}

/// The first pieces of the A-type game, and two moments: under control, and about to lock.
fn by_hand(lab: &mut Lab<'_>) -> Result<(Moment, Moment), Error> {
    lab.begin("Left, Left, Right, with a frame between them: the piece moves a column each");
    for button in [Buttons::LEFT, Buttons::LEFT, Buttons::RIGHT, Buttons::LEFT] {
        lab.tap(button)?;
    }
    lab.begin("A four times, then B four times: the orientation follows the rotation table");
    for button in [Buttons::A; 4].into_iter().chain([Buttons::B; 4]) {
        lab.tap(button)?;
    }
    lab.begin("Right held: it repeats after 16 frames and then every 6, up to the wall");
    lab.hold(Buttons::RIGHT, 44)?;
    lab.begin("Down held: the hang ends, the row rises every second frame, the piece locks and its cells appear");
    lab.hold(NONE, 1)?;
    until(lab, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    until(lab, |_| NONE, |snapshot| snapshot.play_state == PlayState::Control)?;
    lab.begin("no button for 110 frames: the fall timer counts and wraps at 48, the row rises");
    lab.hold(NONE, 110)?;
    let control = lab.save()?;
    lab.begin("Select hides the next piece and shows it again");
    lab.tap(Buttons::SELECT)?;
    lab.hold(NONE, 3)?;
    lab.begin("Start pauses: timers stand still, interrupts go on; Start ends the pause");
    lab.tap(Buttons::START)?;
    lab.hold(Buttons::LEFT, 4)?;
    lab.hold(NONE, 3)?;
    lab.tap(Buttons::START)?;
    lab.begin("Left, Right and Down together: the game runs at half speed");
    lab.hold(HALF_SPEED, 8)?;
    lab.hold(NONE, 2)?;
    lab.tap(Buttons::SELECT)?;
    lab.begin("Down held until the piece locks; the next piece becomes current");
    until(lab, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    Ok((control, lab.save()?))
}

/// Lets pieces drop until one spawns that has a cell above its origin when it is turned; the
/// moments before and after that spawn.
fn next_spawns(lab: &mut Lab<'_>) -> Result<(Moment, Moment), Error> {
    let spawns_next =
        |snapshot: &RamSnapshot| snapshot.play_state == PlayState::Spawn && snapshot.vram_row == LAST_ROWS_UNSENT;
    loop {
        until(lab, |_| NONE, spawns_next)?;
        let before_spawn = lab.save()?;
        lab.step(NONE)?;
        if lab.snapshot().piece.is_some_and(|piece| piece.piece() != Piece::O) {
            return Ok((before_spawn, lab.save()?));
        }
        lab.step(NONE)?;
        until(lab, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    }
}

/// A page of blocks is poked around the piece of a fresh spawn, so that it locks above the top
/// and completes row 0: the one clear that moves the rows that nobody sees.
///
/// `playfield` is where the console keeps it.
pub(super) fn row_zero(lab: &mut Lab<'_>, spawn: &Moment, playfield: u16) -> Result<(), Error> {
    lab.restore(spawn)?;
    lab.begin(
        "rows 0 and 2 to 19 filled by pokes: a turned piece locks above the top, and row 0 clears the whole page down",
    );
    let turned = lab.snapshot().piece.ok_or(Error::Stuck)?.clockwise();
    let in_row_zero = |column: i8| turned.cells().contains(&(0, column - SPAWN_X));
    for row in (0..ROWS as u16).filter(|&row| row != 1) {
        for column in 0..WIDTH as u16 {
            let filled = if row == 0 { !in_row_zero(column as i8) } else { column != 0 };
            if filled {
                let cell = row * WIDTH as u16 + column;
                let block = tile::BLOCKS[usize::from(row + column) % tile::BLOCKS.len()];
                lab.poke(playfield + cell, PLAYFIELD as u16 + cell, block);
            }
        }
    }
    lab.tap(Buttons::A)?;
    until(lab, |_| Buttons::DOWN, |snapshot| snapshot.play_state != PlayState::Control)?;
    lab.hold(NONE, 45)
}

fn demo(lab: &mut Lab<'_>, title: &Moment) -> Result<Moment, Error> {
    lab.restore(title)?;
    lab.begin("title, no button: after five times 256 frames the demo starts and plays from its table");
    until(lab, |_| NONE, |snapshot| snapshot.game_mode == GameMode::Demo)?;
    lab.hold(NONE, DEMO_FRAMES)?;
    lab.save()
}
