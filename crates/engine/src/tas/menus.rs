//! The menus from power-on to the first piece, as fast as possible or with frames of delay.

use super::spawned::Spawned;
use crate::game::HIGHEST_START_LEVEL;
use crate::game::simulation::Simulation;
use crate::gamepad::Buttons;

/// The buttons from power-on to the frame before the first control frame, and the game there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// One entry for each frame from power-on.
    pub buttons: Vec<Buttons>,
    /// The game at the sample after them. Its piece hangs until Down is pressed.
    pub first: Spawned,
}

/// The first frame whose Start the legal screen takes.
const LEGAL: usize = 266;
/// Frames from there to the first Start that the title takes.
const TITLE: usize = 5;
/// The same for the game type.
const GAME_TYPE: usize = 4;
/// The same for the first press in the level menu.
const LEVEL_MENU: usize = 5;
/// Frames from the Start that is accepted to the sample before the first gameplay frame.
const GAME: usize = 4;
/// Levels in the menu; A held with Start adds as many.
const MENU_LEVELS: u8 = 10;
/// Levels in a row of the menu.
const MENU_ROW: u8 = 5;

/// The presses that move the cursor from level 0 to a level: one in each frame where two that follow
/// differ, otherwise with a frame without between them.
fn cursor(level: u8) -> Vec<Buttons> {
    let level = level % MENU_LEVELS;
    // Down and Right take turns, so that each is new. From the right of level 4 lies level 5.
    let (downs, rights) = if level >= MENU_ROW { (1, level - MENU_ROW) } else { (0, level) };
    let mut presses = Vec::new();
    let mut downs_left = downs;
    for _ in 0..rights {
        if presses.last() == Some(&Buttons::RIGHT) {
            if downs_left > 0 {
                presses.push(Buttons::DOWN);
                downs_left -= 1;
            } else {
                presses.push(Buttons::NONE);
            }
        }
        presses.push(Buttons::RIGHT);
    }
    for _ in 0..downs_left {
        presses.push(Buttons::DOWN);
    }
    presses
}

/// The openings of a start level with up to `most` frames of delay in all, those with fewer first.
///
/// A delay before each of the four presses that leave a screen brings other random numbers: the level
/// menu clocks the generator several times a frame. Openings that lead to the same game are listed once,
/// the fastest.
pub fn openings(start_level: u8, most: u32) -> Vec<Opening> {
    let start_level = start_level.min(HIGHEST_START_LEVEL);
    let mut all: Vec<Opening> = Vec::new();
    for total in 0..=most as usize {
        for legal in 0..=total {
            for title in 0..=total - legal {
                for game_type in 0..=total - legal - title {
                    let level_menu = total - legal - title - game_type;
                    let buttons = presses(start_level, [legal, title, game_type, level_menu]);
                    if let Some(opening) = play(buttons)
                        && all.iter().all(|known| known.first != opening.first)
                    {
                        all.push(opening);
                    }
                }
            }
        }
    }
    all
}

fn presses(start_level: u8, [legal, title, game_type, mut level_menu_left]: [usize; 4]) -> Vec<Buttons> {
    let mut buttons = Vec::new();
    let mut press = |frame: usize, pressed: Buttons| {
        buttons.resize(frame, Buttons::NONE);
        buttons.push(pressed);
        frame
    };
    let at = press(LEGAL + legal, Buttons::START);
    let at = press(at + TITLE + title, Buttons::START);
    let at = press(at + GAME_TYPE + game_type, Buttons::START);
    let mut at = at + LEVEL_MENU;
    let adds_ten = start_level >= MENU_LEVELS;
    let mut steps = cursor(start_level);
    if adds_ten && !steps.contains(&Buttons::NONE) {
        steps.push(Buttons::NONE);
    }
    // A is pressed where no other button is, and held from there on.
    let mut with_a = Buttons::NONE;
    for step in steps {
        if adds_ten && step.is_empty() {
            with_a = Buttons::A;
        }
        press(at, step | with_a);
        at += 1;
    }
    while adds_ten && level_menu_left > 0 {
        press(at, with_a);
        at += 1;
        level_menu_left -= 1;
    }
    at += level_menu_left;
    let at = press(at, Buttons::START | with_a);
    buttons.resize(at + GAME + 1, Buttons::NONE);
    buttons
}

/// Plays the presses; `None` if they do not end right before the first control frame.
fn play(buttons: Vec<Buttons>) -> Option<Opening> {
    let mut game = Simulation::power_on();
    for &pressed in &buttons {
        game.step(pressed);
    }
    let first = Spawned::of(&game, buttons.len() as u32 - 1)?;
    Some(Opening { buttons, first })
}
