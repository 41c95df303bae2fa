//! A game that a search has found: its placements, its buttons, and where its frames go.

use serde::{Deserialize, Serialize};

use maxout_engine::game::scoring::CLEAR_POINTS;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, Piece, Placement, ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::tas::{Landing, Opening, Page, Pause, Quiet, Reach};

use super::goal::Goal;

/// The earliest lock of a piece in a placement; `None` if it cannot get there. `hangs`: it is the first piece of a game.
pub(super) fn landing_in(
    reach: &mut Reach,
    page: &Page,
    placement: Placement,
    gravity: u8,
    hangs: bool,
) -> Option<Landing> {
    let mut found = None;
    reach.landings(page, placement.orientation.piece(), gravity, hangs, MOST_FALL, |landing| {
        if landing.placement == placement {
            found = Some(landing);
        }
    });
    found
}

/// What one piece does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub landing: Landing,
    pub pause: Pause,
    /// Frames from the spawn after which no button is pressed up to the lock. `None`: any way that locks in time.
    pub presses: Option<u32>,
}

/// A game to the goal, as placements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The buttons up to the first piece.
    pub(super) opening: Opening,
    pub(super) moves: Vec<Move>,
    /// Pieces are pushed down as far as they can be in the same frames: the clears alone do not reach the goal.
    pub(super) pushes: bool,
    /// The frame whose sample has the goal, counted from power-on.
    pub frame: u32,
}

/// Where the frames of a game go. They add up to the frame of the goal and one, since frames count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Power-on to the first control frame.
    pub menus: u32,
    /// Falling: the least for the rows that the pieces lock in.
    pub fall_least: u32,
    /// Falling: more than that.
    pub fall_more: u32,
    /// Entry delays and row checks: the least for those rows.
    pub entry_least: u32,
    /// The same, more than that.
    pub entry_more: u32,
    /// Clears: the least, 17 frames each.
    pub clear_least: u32,
    /// Clears: more, since the animation waits for the frame counter.
    pub clear_more: u32,
    /// From the last lock to the goal.
    pub last: u32,
}

/// A game as buttons, played on the rules model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// One entry for each frame from power-on to the one whose sample has the goal.
    pub buttons: Vec<Buttons>,
    /// Frames up to the last one with a button pressed: the length of a movie that ends there.
    pub length: u32,
    /// Pieces that have locked.
    pub pieces: u32,
    /// Singles, doubles, triples and tetrises.
    pub clears: [u32; 4],
    /// Where the frames go.
    pub parts: Parts,
    /// The score then.
    pub score: u32,
    /// The lines then.
    pub lines: u16,
    /// The level then.
    pub level: u8,
}

/// Frames of the shortest clear animation.
pub(super) const SHORTEST_CLEAR: u32 = 17;
/// Frames that a clear waits for the frame counter on average: 0 to 3.
const CLEAR_WAIT: f32 = 1.5;
/// What clears of 0 to 4 rows score, against a tetris.
pub(super) const POINTS: [f32; CLEAR_POINTS.len()] = {
    let mut points = [0.0; CLEAR_POINTS.len()];
    let mut rows = 0;
    while rows < points.len() {
        points[rows] = CLEAR_POINTS[rows] as f32 / CLEAR_POINTS[4] as f32;
        rows += 1;
    }
    points
};

/// The frames of a game after a placement that clears so many rows, up to the next spawn: those before its spawn, and those
/// that its piece was waited for. It is not known when the frame counter lets a clear begin.
pub(super) fn frames_after(before: f32, landing: Landing, rows: u8, wait: f32) -> f32 {
    let delay = EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
    let clear = if rows > 0 { SHORTEST_CLEAR as f32 + CLEAR_WAIT } else { 0.0 };
    before + (landing.frames + delay) as f32 + clear + wait
}

/// The fewest frames from a spawn to a lock in a row.
fn least_fall(reach: &mut Reach, level: u8, row: i8) -> u32 {
    let floor = |cell: usize| cell < WIDTH * ROWS && (cell / WIDTH) as i8 > row;
    let page = Page::from_cells(floor);
    let spawn = Piece::I.spawn();
    let mut least = 0;
    reach.landings(&page, Piece::I, frames_per_row(level), false, MOST_FALL, |landing| {
        if landing.placement.orientation == spawn && landing.placement.y == row && least == 0 {
            least = landing.frames;
        }
    });
    least
}

/// More frames than any fall with pushdown takes: 20 rows, 2 frames each, and the first press.
pub(super) const MOST_FALL: u32 = 64;

impl Found {
    /// Makes the buttons and plays them from power-on on the rules model.
    ///
    /// # Errors
    /// One line, when the model does not reach the goal in the promised frame: then the search is at fault.
    pub fn play(&self, goal: Goal) -> Result<Played, String> {
        let (buttons, clears, parts) = self.press()?;
        replay(self.frame, goal, buttons, self.moves.len() as u32, clears, parts)
    }

    /// The score in its frame on the rules model; `None` where a piece has no way to its place.
    pub(super) fn score(&self) -> Option<u32> {
        let (buttons, ..) = self.press().ok()?;
        let mut game = Simulation::power_on();
        buttons.iter().for_each(|&pressed| game.step(pressed));
        Some(game.score().value())
    }

    /// The buttons up to its frame, singles to tetrises, and where the frames go.
    fn press(&self) -> Result<(Vec<Buttons>, [u32; 4], Parts), String> {
        let mut buttons = self.opening.buttons.clone();
        let mut reach = Reach::stopping();
        let mut now = self.opening.first;
        let mut parts = Parts { menus: now.frame + 1, ..Parts::default() };
        let mut clears = [0; 4];
        for (index, &Move { landing, pause, presses }) in self.moves.iter().enumerate() {
            if landing.placement.orientation.piece() != now.piece {
                return Err(format!("piece {} of the game is another one", index + 1));
            }
            let level = now.progress.level;
            let gravity = frames_per_row(level);
            let way = match presses {
                None if self.pushes => reach.pushing_way(&now.page, now.piece, gravity, index == 0, landing),
                None => reach.way(&now.page, now.piece, gravity, index == 0, landing),
                Some(presses) => reach.quiet_way(&now.page, now.piece, gravity, Quiet { landing, presses }),
            };
            let way = way.ok_or_else(|| format!("piece {} of the game has no way to its place", index + 1))?;
            buttons.extend(way.frames());
            let locked = now.lock(landing.placement, landing.frames, 0);
            let least = least_fall(&mut reach, level, landing.placement.y);
            parts.fall_least += least.min(landing.frames);
            parts.fall_more += landing.frames.saturating_sub(least);
            if let Some(count) = usize::from(locked.rows).checked_sub(1).and_then(|rows| clears.get_mut(rows)) {
                *count += 1;
            }
            if index + 1 == self.moves.len() {
                parts.last = locked.frames_to_score() - landing.frames;
                buttons.resize(self.frame as usize + 1, Buttons::NONE);
                break;
            }
            let locked_at = buttons.len() - 1;
            buttons.resize(locked_at + 1 + locked.entry_delay as usize + usize::from(pause.frames()), Buttons::NONE);
            for (at, pressed) in pause.buttons(&locked) {
                buttons[locked_at + at as usize] = pressed;
            }
            let plain = locked.plain_entry_delay();
            parts.entry_least += plain;
            parts.entry_more += u32::from(pause.frames());
            if locked.rows > 0 {
                parts.clear_least += SHORTEST_CLEAR;
                parts.clear_more += locked.entry_delay - plain - SHORTEST_CLEAR;
            }
            now = locked.spawn(pause);
        }
        Ok((buttons, clears, parts))
    }
}

impl Played {
    /// The level in the first frame of the game; `None` without a game.
    pub(super) fn start_level(&self) -> Option<u8> {
        let mut game = Simulation::power_on();
        self.buttons.iter().find_map(|&pressed| {
            game.step(pressed);
            game.in_game().then(|| game.level())
        })
    }

    /// Does it reach the goal in its last frame, and do its parts add up? Which parts, pieces and clears it has is not
    /// looked at.
    pub(super) fn is_sound(&self, goal: Goal) -> bool {
        let Some(frame) = self.buttons.len().checked_sub(1) else { return false };
        let Parts { menus, fall_least, fall_more, entry_least, entry_more, clear_least, clear_more, last } = self.parts;
        let parts = [menus, fall_least, fall_more, entry_least, entry_more, clear_least, clear_more, last];
        if parts.into_iter().map(u64::from).sum::<u64>() != self.buttons.len() as u64 {
            return false;
        }
        let played = replay(frame as u32, goal, self.buttons.clone(), self.pieces, self.clears, self.parts);
        played.as_ref() == Ok(self)
    }
}

/// Frames up to the last one with a button pressed.
pub(super) fn length(buttons: &[Buttons]) -> u32 {
    buttons.iter().rposition(|pressed| !pressed.is_empty()).map_or(0, |last| last as u32 + 1)
}

/// Plays the buttons on the rules model.
fn replay(
    frame: u32,
    goal: Goal,
    buttons: Vec<Buttons>,
    pieces: u32,
    clears: [u32; 4],
    parts: Parts,
) -> Result<Played, String> {
    let mut game = Simulation::power_on();
    let reached = buttons.iter().position(|&pressed| {
        game.step(pressed);
        game.in_game() && goal.is_reached(game.score(), game.progress())
    });
    match reached {
        Some(reached) if reached as u32 == frame => Ok(Played {
            length: length(&buttons),
            buttons,
            pieces,
            clears,
            parts,
            score: game.score().value(),
            lines: game.progress().lines(),
            level: game.level(),
        }),
        Some(reached) => Err(format!("expected {goal} in frame {frame}, the rules model has it in frame {reached}")),
        None => Err(format!(
            "expected {goal} in frame {frame}, the rules model has {} points and {} lines there",
            game.score().value(),
            game.progress().lines()
        )),
    }
}
