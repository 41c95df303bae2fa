//! A piece that is followed from picture to picture.

use super::clock::MAX_SKIPPED;
use super::picture::{drawn, is_cleared};
use super::timing::{Landing, without_pauses};
use crate::games::collector::Controlled;
use crate::ngf::NgfRecord;
use maxout_engine::analysis::{PlayedFrame, PlayedPiece};
use maxout_engine::game::control::{FallingPiece, Obstacles};
use maxout_engine::game::{MAXOUT, Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::Falling;

/// The values of a record that stand still while a piece is under control.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Values {
    pub lines: Option<u16>,
    pub level: Option<u8>,
    pub score: Option<u32>,
    pub next: Option<Piece>,
}

impl Values {
    /// Takes over what is not known yet.
    fn add(&mut self, record: &NgfRecord) {
        self.lines = self.lines.or(record.lines);
        self.level = self.level.or(record.level);
        self.score = self.score.or(record.score);
        self.next = self.next.or(record.next);
    }
}

/// A piece from the first record that shows it on.
#[derive(Debug, Clone)]
pub(super) struct Track {
    piece: FallingPiece,
    spawn_frame: u64,
    /// Where it was at the end of every frame after the spawn.
    places: Vec<Placement>,
    pub last: Placement,
    /// Frame of the last record that shows it.
    last_frame: u64,
    /// First frame in the row where it is, and frames between its last two drops.
    since: u64,
    last_drop: Option<u64>,
    pub values: Values,
    pub wipe: Option<u64>,
}

/// A piece and the values before it, where a record does not tell them.
pub(super) struct Before {
    pub lines: u16,
    pub level: u8,
    pub score: u32,
}

impl Track {
    /// A piece that this record, of this frame, shows first.
    pub(super) fn new(record: &NgfRecord, frame: u64, place: Placement, autorepeat_y: u8) -> Track {
        let das = record.das.or(record.spawn_das);
        let piece = place.orientation.piece();
        let spawned = FallingPiece::spawned(piece.spawn(), das.unwrap_or(0));
        let mut track = Track {
            piece: FallingPiece { autorepeat_y, ..spawned },
            spawn_frame: frame,
            places: Vec::new(),
            last: Placement { orientation: spawned.orientation, x: spawned.x, y: spawned.y },
            last_frame: frame,
            since: frame,
            last_drop: None,
            values: Values::default(),
            wipe: None,
        };
        if place != track.last {
            // The sample of its spawn is missing.
            track.spawn_frame = frame.saturating_sub(1);
            track.last_frame = track.spawn_frame;
            track.see(record, frame, place);
        }
        track.values.add(record);
        track
    }

    /// The piece is there in this frame.
    pub(super) fn see(&mut self, record: &NgfRecord, frame: u64, place: Placement) {
        self.values.add(record);
        let skipped = frame.saturating_sub(self.last_frame + 1);
        if skipped <= MAX_SKIPPED {
            self.places.extend((0..skipped).map(|_| self.last));
        }
        if frame > self.last_frame {
            self.places.push(place);
        } else if let Some(last) = self.places.last_mut() {
            *last = place;
        }
        if place.y != self.last.y {
            (self.last_drop, self.since) = (Some(frame.saturating_sub(self.since)), frame);
        }
        (self.last, self.last_frame) = (place, frame);
    }

    /// Is it where locked cells are?
    pub(super) fn overlaps(&self, stack: &Playfield) -> bool {
        let Placement { orientation, x, y } = self.last;
        !stack.fits(orientation, x, y)
    }

    /// The piece as it is.
    pub(super) fn controlled(&self, stack: &Playfield, next: Piece, before: &Before) -> Controlled {
        let Values { lines, level, score, .. } = self.values;
        let position = Position {
            playfield: *stack,
            piece: self.piece.orientation.piece(),
            next: self.values.next.unwrap_or(next),
            level: level.unwrap_or(before.level),
            lines: lines.unwrap_or(before.lines),
            score: score.unwrap_or(before.score).min(MAXOUT),
        };
        let frame = |place: &Placement| {
            let Placement { orientation, x, y } = *place;
            PlayedFrame { orientation, x, y, buttons: None }
        };
        Controlled {
            position,
            falling: Falling { piece: self.piece, held: Buttons::NONE, control_frame: 0 },
            spawn_frame: self.spawn_frame,
            frames: self.places.iter().map(frame).collect(),
        }
    }

    /// Frames for which it hangs after its spawn: only the first piece of a game does.
    fn hang(&self) -> u64 {
        if self.piece.autorepeat_y == 0 { 0 } else { 256 - u64::from(self.piece.autorepeat_y) }
    }

    /// The piece after it has locked there, when the next one spawns.
    pub(super) fn locked(
        mut self,
        stack: &Playfield,
        placement: Placement,
        next: Piece,
        next_spawn: u64,
        before: &Before,
    ) -> PlayedPiece {
        if placement != self.last {
            // Its last frames are missing.
            self.places.push(placement);
            self.since = self.last_frame + 1;
        }
        let landing = Landing {
            y: placement.y,
            level: self.values.level.unwrap_or(before.level),
            since: self.since,
            hangs: if self.since == self.spawn_frame { self.hang() } else { 0 },
            last_drop: self.last_drop,
            completes: !is_cleared(&drawn(stack, placement), stack, placement),
            wipe: self.wipe,
            next_spawn,
        };
        let frames = landing.lock_frame().saturating_sub(self.spawn_frame).max(1);
        if frames <= self.places.len() as u64 + MAX_SKIPPED {
            self.places.resize(frames as usize, placement);
        }
        if let Some(last) = self.places.last_mut() {
            *last = placement;
        }
        if self.hang() == 0 {
            let FallingPiece { orientation, x, y, .. } = self.piece;
            without_pauses(&mut self.places, Placement { orientation, x, y }, landing.level);
        }
        self.controlled(stack, next, before).locked()
    }
}
