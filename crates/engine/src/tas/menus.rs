//! The menus from power-on to the first piece, as fast as possible or with frames of delay.

use super::spawned::Spawned;
use crate::game::simulation::Simulation;
use crate::game::{HIGHEST_START_HEIGHT, HIGHEST_START_LEVEL};
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
/// Frames more in a B-type game: one for each row of garbage, and rows above the height are built, too.
const GARBAGE: usize = 12;
/// Levels in the menu; A held with Start adds as many.
const MENU_LEVELS: u8 = 10;

/// What is chosen in the menus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MenuChoice {
    /// The start level, 0 to 19.
    pub level: u8,
    /// The height of a B-type game, 0 to 5; `None` for A-type.
    pub height: Option<u8>,
}

const NONE: Buttons = Buttons::NONE;
const R: Buttons = Buttons::RIGHT;
const L: Buttons = Buttons::LEFT;
const D: Buttons = Buttons::DOWN;

/// The presses that move the cursor from 0 to each level of the menu: in two rows, those below the first one five more. A button
/// counts in a frame in which it is new, and nothing else is.
const TO_LEVEL: [&[Buttons]; MENU_LEVELS as usize] =
    [&[], &[R], &[R, NONE, R], &[D, L, NONE, L], &[D, L], &[D], &[D, R], &[R, D, R], &[D, L, D, L], &[D, L, D]];
/// The same to each height, in rows of three.
const TO_HEIGHT: [&[Buttons]; HIGHEST_START_HEIGHT as usize + 1] = [&[], &[R], &[D, L], &[D], &[D, R], &[R, D, R]];

/// The openings of what is chosen with up to `most` frames of delay in all, those with fewer first.
///
/// A delay before each of the four presses that leave a screen brings other random numbers: the level
/// menu clocks the generator several times a frame. Openings that lead to the same game are listed once,
/// the fastest.
pub fn openings(choice: MenuChoice, most: u32) -> Vec<Opening> {
    let choice = MenuChoice {
        level: choice.level.min(HIGHEST_START_LEVEL),
        height: choice.height.map(|height| height.min(HIGHEST_START_HEIGHT)),
    };
    let mut all: Vec<Opening> = Vec::new();
    for total in 0..=most as usize {
        for legal in 0..=total {
            for title in 0..=total - legal {
                for game_type in 0..=total - legal - title {
                    let level_menu = total - legal - title - game_type;
                    let buttons = presses(choice, [legal, title, game_type, level_menu]);
                    if let Some(opening) = Opening::of(buttons)
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

fn presses(choice: MenuChoice, [legal, title, game_type, mut level_menu_left]: [usize; 4]) -> Vec<Buttons> {
    let mut buttons = Vec::new();
    let mut press = |frame: usize, pressed: Buttons| {
        buttons.resize(frame, Buttons::NONE);
        buttons.push(pressed);
        frame
    };
    let at = press(LEGAL + legal, Buttons::START);
    let at = press(at + TITLE + title, Buttons::START);
    let mut at = at + GAME_TYPE;
    if choice.height.is_some() {
        // B-type stands to the right of A-type.
        at = press(at, Buttons::RIGHT) + 1;
    }
    let at = press(at + game_type, Buttons::START);
    let mut at = at + LEVEL_MENU;
    // A adds ten to the level: it must have been pressed before Start, and may be before the menu takes any button. In B-type
    // A leads from the levels to the heights, too, if it is new when the menu takes it.
    let adds_ten = choice.level >= MENU_LEVELS;
    let height = choice.height.filter(|&height| height > 0);
    let mut with_a = NONE;
    if adds_ten && height.is_none() {
        with_a = Buttons::A;
        press(at - 1, with_a);
    }
    for &step in TO_LEVEL[usize::from(choice.level % MENU_LEVELS)] {
        at = press(at, step | with_a) + 1;
    }
    if let Some(height) = height {
        at = press(at, Buttons::A) + 1;
        if adds_ten {
            with_a = Buttons::A;
        }
        for &step in TO_HEIGHT[usize::from(height)] {
            at = press(at, step | with_a) + 1;
        }
    }
    while adds_ten && level_menu_left > 0 {
        at = press(at, with_a) + 1;
        level_menu_left -= 1;
    }
    at += level_menu_left;
    let at = press(at, Buttons::START | with_a);
    let garbage = if choice.height.is_some() { GARBAGE } else { 0 };
    buttons.resize(at + GAME + garbage + 1, Buttons::NONE);
    buttons
}

impl Opening {
    /// The opening with these presses; `None` if they do not end right before the first control frame.
    pub fn of(buttons: Vec<Buttons>) -> Option<Opening> {
        let mut game = Simulation::power_on();
        buttons.iter().for_each(|&pressed| game.step(pressed));
        let frame = (buttons.len() as u32).checked_sub(1)?;
        let first = Spawned::of(&game, frame)?;
        // B-type's garbage above the height goes only with the first control frame.
        game.step(Buttons::NONE);
        let page = Spawned::of(&game, frame + 1)?.page;
        Some(Opening { buttons, first: Spawned { page, ..first } })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashSet, VecDeque};

    use super::*;

    const DIRECTIONS: [Buttons; 4] = [Buttons::UP, Buttons::DOWN, Buttons::LEFT, Buttons::RIGHT];

    /// Where the cursor is after a frame in which these buttons are down: what is new counts, and only alone.
    fn moved(number: u8, row: u8, held: Buttons, pressed: Buttons) -> u8 {
        match pressed.newly_pressed(held) {
            Buttons::RIGHT if number + 1 < 2 * row => number + 1,
            Buttons::LEFT if number > 0 => number - 1,
            Buttons::DOWN if number < row => number + row,
            Buttons::UP if number >= row => number - row,
            _ => number,
        }
    }

    /// The fewest frames to each number, with any of the four directions in each.
    fn fewest(number: u8, row: u8) -> usize {
        let sets = (0..16).map(|set| {
            let held = DIRECTIONS.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
            held.fold(Buttons::NONE, |all, (_, &button)| all | button)
        });
        let sets: Vec<Buttons> = sets.collect();
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(0, Buttons::NONE, 0)]);
        while let Some((at, held, frames)) = queue.pop_front() {
            if at == number {
                return frames;
            }
            if seen.insert((at, held.bits())) {
                queue.extend(sets.iter().map(|&pressed| (moved(at, row, held, pressed), pressed, frames + 1)));
            }
        }
        unreachable!("every number is reached")
    }

    #[test]
    fn the_cursor_takes_as_few_frames_as_any_buttons() {
        for (row, presses) in [(5, &TO_LEVEL[..]), (3, &TO_HEIGHT[..])] {
            for (number, presses) in (0..).zip(presses) {
                let mut held = NONE;
                let at = presses.iter().fold(0, |at, &pressed| {
                    let at = moved(at, row, held, pressed);
                    held = pressed;
                    at
                });
                assert_eq!((at, presses.len()), (number, fewest(number, row)), "{number} in rows of {row}");
            }
        }
    }
}
