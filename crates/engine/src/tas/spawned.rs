//! The game at the sample of a spawn, and the step to the next one.

use super::page::Page;
use crate::game::memory::address::{
    CURRENT_PIECE, FRAME_COUNTER, LEVEL_NUMBER, NEXT_PIECE, PAGE, PLAYFIELD, RNG, SPAWN_COUNT,
};
use crate::game::memory::tile::EMPTY;
use crate::game::memory::{GameType, RAM_SIZE};
use crate::game::randomizer::Randomizer;
use crate::game::scoring::{Progress, Score};
use crate::game::simulation::{HALF_SPEED, Simulation};
use crate::game::{EntryDelay, Generator, Orientation, Piece, Placement};
use crate::gamepad::Buttons;

/// Everything that decides how a game goes on, at the sample of a spawn.
///
/// The DAS counter is left out: [`Reach`](super::Reach) shifts by new presses alone, which set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spawned {
    /// The playfield and what is hidden around it.
    pub page: Page,
    /// The piece under control from the next frame on.
    pub piece: Piece,
    /// The piece after it. Its orientation is `spawnID`, too.
    pub next: Piece,
    /// The generator.
    pub generator: Generator,
    /// Frames since power-on: the number of this sample.
    pub frame: u32,
    /// Its type: lines count up or down.
    pub game_type: GameType,
    /// Lines and level.
    pub progress: Progress,
    /// The score.
    pub score: Score,
}

/// How long the entry delay is drawn out, in frames: so another piece is drawn.
///
/// There are two ways. While exactly Left, Right and Down are held, the game runs in every second frame only:
/// held in frames of the row checks, this delays the spawn frame by frame. And Start stops the game, pressed
/// again two frames later lets it go on: in the last five frames before the spawn, in which the playfield is
/// drawn, that takes the two frames and those in which it had been drawn so far, since it is drawn again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Pause(u8);

impl Pause {
    /// The longest one after a lock that clears nothing, in frames.
    pub const LONGEST: u8 = Pause::CHECKS + Pause::LONGEST_STOP;
    /// The longest one after a clear, in frames: the animation waits for the frame counter, so that row checks
    /// that take longer do not count.
    pub const LONGEST_AFTER_CLEAR: u8 = Pause::LONGEST_STOP;
    /// How many of the frames come in row checks: the fourth check is followed by waiting anyway.
    const CHECKS: u8 = 3;
    /// Frames that a stop by Start takes at least.
    const SHORTEST_STOP: u8 = 2;
    /// The same where all five frames of drawing had passed but the last. Longer ones begin there, too, and last longer.
    const LATEST_STOP: u8 = 6;
    /// The longest stop. The game could stand for any time; nobody waits longer for a piece.
    const LONGEST_STOP: u8 = 40;

    /// A pause of this many frames; `None` where there is none so long.
    pub const fn new(frames: u8, rows: u8) -> Option<Pause> {
        if frames <= Pause::longest(rows) { Some(Pause(frames)) } else { None }
    }

    /// The longest one after a lock that clears so many rows, in frames.
    pub const fn longest(rows: u8) -> u8 {
        if rows == 0 { Pause::LONGEST } else { Pause::LONGEST_AFTER_CLEAR }
    }

    /// Its length in frames.
    pub const fn frames(self) -> u8 {
        self.0
    }

    /// The frames of it in row checks, before the spawn with half speed, and in a stop.
    fn parts(self, rows: u8) -> (u8, bool, u8) {
        match (rows, self.0) {
            (0, frames @ 0..=Pause::CHECKS) => (frames, false, 0),
            (0, frames) if frames == Pause::CHECKS + 1 => (Pause::CHECKS, true, 0),
            (0, frames) => {
                let stop = frames.min(Pause::LONGEST_STOP);
                (frames - stop, false, stop)
            }
            (_, frames) if frames < Pause::SHORTEST_STOP => (0, frames > 0, 0),
            (_, frames) => (0, false, frames),
        }
    }

    /// The buttons for it, by frames counted from the lock, which is frame 0; in all others up to the spawn no
    /// button is pressed.
    pub fn buttons(self, locked: &Locked) -> impl Iterator<Item = (u32, Buttons)> {
        let (in_checks, before_spawn, stop) = self.parts(locked.rows);
        let first = 2 * EntryDelay::rows_to_send(locked.placement.y);
        let spawn = locked.entry_delay + u32::from(in_checks);
        let checks = (0..u32::from(in_checks)).map(move |check| first + 2 * check);
        let halves = checks.chain(before_spawn.then(|| spawn - 1)).map(|at| (at, HALF_SPEED));
        let stops = (stop > 0).then(|| {
            let passed = stop.clamp(Pause::SHORTEST_STOP, Pause::LATEST_STOP) - Pause::SHORTEST_STOP;
            let at = spawn - EntryDelay::RESEND + u32::from(passed);
            [at, at + u32::from(stop - passed)]
        });
        let starts = stops.into_iter().flatten().map(|at| (at, Buttons::START));
        halves.chain(starts)
    }
}

/// A lock, before the next piece is drawn: all pauses have it in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locked {
    /// The game at the lock with the new playfield, lines and score. Frame and generator are still those
    /// of the spawn.
    after: Spawned,
    /// Where the piece has locked.
    pub placement: Placement,
    /// Rows that it cleared.
    pub rows: u8,
    /// Frames from the spawn to the frame in which the drop failed.
    pub frames: u32,
    /// Frames from the lock to the next spawn, without a pause.
    pub entry_delay: u32,
}

impl Spawned {
    /// The game at this sample; `None` where no piece has just come under control.
    pub fn of(game: &Simulation, frame: u32) -> Option<Spawned> {
        let ram: &[u8; RAM_SIZE] = game.ram();
        game.falling_piece()?;
        let piece = |address: usize| Orientation::from_id(ram[address]).map(Orientation::piece);
        Some(Spawned {
            page: Page::from_cells(|cell| cell < PAGE && ram[PLAYFIELD + cell] != EMPTY),
            piece: piece(CURRENT_PIECE)?,
            next: piece(NEXT_PIECE)?,
            generator: Generator {
                randomizer: Randomizer::from_bytes([ram[RNG], ram[RNG + 1]]),
                spawn_count: ram[SPAWN_COUNT],
                frame_counter: ram[FRAME_COUNTER],
            },
            frame,
            game_type: if game.is_b_type() { GameType::B } else { GameType::A },
            progress: Progress { level: ram[LEVEL_NUMBER], ..game.progress() },
            score: game.score(),
        })
    }

    /// Locks the piece `frames` frames after this sample, with so many rows of pushdown (`$6F`).
    pub fn lock(&self, placement: Placement, frames: u32, pushdown: u8) -> Locked {
        let mut after = *self;
        let rows = after.page.lock(placement);
        if rows > 0 {
            after.progress.count(self.game_type, rows);
        }
        if rows > 0 || pushdown > 1 {
            after.score.add_pushdown(pushdown);
            after.score.add_line_points(rows, after.progress.level);
        }
        let counter_at_lock = u32::from(self.generator.frame_counter) + frames;
        let entry_delay = EntryDelay::after(placement.y, rows, counter_at_lock).to_spawn;
        Locked { after, placement, rows, frames, entry_delay }
    }
}

impl Locked {
    /// The playfield after the lock and the clear.
    pub const fn page(&self) -> &Page {
        &self.after.page
    }

    /// The score after the lock.
    pub fn score(&self) -> Score {
        self.after.score
    }

    /// Lines and level after the lock.
    pub fn progress(&self) -> Progress {
        self.after.progress
    }

    /// Frames from the lock to the next spawn, had it cleared nothing.
    pub fn plain_entry_delay(&self) -> u32 {
        EntryDelay::after(self.placement.y, 0, 0).to_spawn
    }

    /// Frames from the spawn before to the frame whose sample has the points.
    pub fn frames_to_score(&self) -> u32 {
        let counter_at_lock = u32::from(self.after.generator.frame_counter) + self.frames;
        self.frames + EntryDelay::after(self.placement.y, self.rows, counter_at_lock).to_score
    }

    /// The next spawn.
    pub fn spawn(&self, pause: Pause) -> Spawned {
        let frames = self.frames + self.entry_delay + u32::from(pause.0);
        self.spawn_drawing(frames, self.after.generator.randomizer.clocked_times(frames as u16))
    }

    /// The next spawn with the generator as it is in the spawn's frame, before the draw.
    pub fn spawn_drawing(&self, frames: u32, randomizer: Randomizer) -> Spawned {
        let (next, generator) = self.after.generator.spawn_drawing(frames, randomizer, self.after.next);
        Spawned { piece: self.after.next, next, generator, frame: self.after.frame + frames, ..self.after }
    }
}
