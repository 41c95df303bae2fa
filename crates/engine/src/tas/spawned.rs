//! The game at the sample of a spawn, and the step to the next one.

use super::page::Page;
use crate::game::memory::RAM_SIZE;
use crate::game::memory::address::{
    CURRENT_PIECE, FRAME_COUNTER, LEVEL_NUMBER, NEXT_PIECE, PAGE, PLAYFIELD, RNG, SPAWN_COUNT,
};
use crate::game::memory::tile::EMPTY;
use crate::game::randomizer::Randomizer;
use crate::game::scoring::{Progress, Score};
use crate::game::simulation::Simulation;
use crate::game::timing::ROWS_SENT_PER_FRAME;
use crate::game::{Orientation, Piece, Placement, ROWS};

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
    /// `spawnCount`, `$1A`.
    pub spawn_count: u8,
    /// The generator, `$17,$18`.
    pub randomizer: Randomizer,
    /// Frames since power-on: the number of this sample.
    pub frame: u32,
    /// The low byte of `frameCounter`, `$B1`.
    pub frame_counter: u8,
    /// Lines and level.
    pub progress: Progress,
    /// The score.
    pub score: Score,
}

/// How long the entry delay is drawn out, in frames.
///
/// While exactly Left, Right and Down are held, the game runs in every second frame only. Held in frames
/// of the row checks, this delays the spawn frame by frame, and so chooses another piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Pause(u8);

impl Pause {
    /// The longest one after a lock that clears nothing, in frames.
    pub const LONGEST: u8 = 4;
    /// The longest one after a clear: the animation waits for the frame counter, so that only the last
    /// frame before the spawn counts.
    pub const LONGEST_AFTER_CLEAR: u8 = 1;
    /// How many of the frames come in row checks: the fourth check is followed by waiting anyway.
    const CHECKS: u8 = 3;

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

    /// The frames in which Left, Right and Down are held, counted from the lock, which is frame 0.
    pub fn held(self, locked: &Locked) -> impl Iterator<Item = u32> {
        let in_checks = if locked.rows == 0 { self.0.min(Pause::CHECKS) } else { 0 };
        let first = 2 * rows_to_send(locked.placement.y);
        let last = (self.0 > in_checks).then(|| locked.entry_delay + u32::from(in_checks) - 1);
        (0..u32::from(in_checks)).map(move |check| first + 2 * check).chain(last)
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

/// Frames in which the screen gets the rows from a piece's uppermost on: `w` of the timelines.
const fn rows_to_send(y: i8) -> u32 {
    let first = if y > 2 { y as u32 - 2 } else { 0 };
    (ROWS as u32 - first).div_ceil(ROWS_SENT_PER_FRAME as u32)
}

/// Frames from the fourth row check to the score without a clear.
const SCORE: u32 = 1;
/// Frames from the score's predecessor to the spawn: the whole screen is sent again.
const RESEND: u32 = 5;
/// Frames of the clear animation after its first step.
const ANIMATION: u32 = 16;
/// The animation goes on where the frame counter has this remainder at the sample.
const ANIMATION_PHASE: u32 = 1;
/// Frames between two steps of the animation.
const ANIMATION_STEP: u32 = 4;

/// Frames from the lock to the score, and to the next spawn.
const fn delays(y: i8, rows: u8, counter_at_lock: u32) -> (u32, u32) {
    let last_check = 2 * rows_to_send(y) + 3;
    if rows == 0 {
        return (last_check + SCORE, last_check + RESEND);
    }
    let phase = (counter_at_lock + last_check + 1) % ANIMATION_STEP;
    let wait = (ANIMATION_PHASE + ANIMATION_STEP - phase) % ANIMATION_STEP;
    let score = last_check + 1 + wait + ANIMATION;
    (score, score + RESEND)
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
            spawn_count: ram[SPAWN_COUNT],
            randomizer: Randomizer::from_bytes([ram[RNG], ram[RNG + 1]]),
            frame,
            frame_counter: ram[FRAME_COUNTER],
            progress: Progress { level: ram[LEVEL_NUMBER], ..game.progress() },
            score: game.score(),
        })
    }

    /// Locks the piece `frames` frames after this sample, with so many rows of pushdown (`$6F`).
    pub fn lock(&self, placement: Placement, frames: u32, pushdown: u8) -> Locked {
        let mut after = *self;
        let rows = after.page.lock(placement);
        if rows > 0 {
            after.progress.count_a_type(rows);
        }
        if rows > 0 || pushdown > 1 {
            after.score.add_pushdown(pushdown);
            after.score.add_line_points(rows, after.progress.level);
        }
        let counter_at_lock = u32::from(self.frame_counter) + frames;
        let (_, entry_delay) = delays(placement.y, rows, counter_at_lock);
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
        let (_, entry_delay) = delays(self.placement.y, 0, 0);
        entry_delay
    }

    /// Frames from the spawn before to the frame whose sample has the points.
    pub fn frames_to_score(&self) -> u32 {
        let counter_at_lock = u32::from(self.after.frame_counter) + self.frames;
        let (score, _) = delays(self.placement.y, self.rows, counter_at_lock);
        self.frames + score
    }

    /// The next spawn.
    pub fn spawn(&self, pause: Pause) -> Spawned {
        let frames = self.frames + self.entry_delay + u32::from(pause.0);
        self.spawn_drawing(frames, self.after.randomizer.clocked_times(frames as u16))
    }

    /// The next spawn with the generator as it is in the spawn's frame, before the draw.
    pub fn spawn_drawing(&self, frames: u32, randomizer: Randomizer) -> Spawned {
        let draw = randomizer.draw(self.after.next.spawn().id(), self.after.spawn_count);
        Spawned {
            piece: self.after.next,
            next: draw.orientation.piece(),
            spawn_count: draw.spawn_count,
            randomizer: draw.randomizer,
            frame: self.after.frame + frames,
            frame_counter: self.after.frame_counter.wrapping_add(frames as u8),
            ..self.after
        }
    }
}
