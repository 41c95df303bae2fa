//! Follows the games of records.

use super::picture::{Around, Settled, at_spawn, drawn, fresh, is_cleared, is_curtain, is_wiped, seen, shows};
use super::timing::WIPE_TO_SPAWN;
use super::track::{Before, Track};
use crate::games::collector::{B_TYPE_LINES, Controlled};
use crate::games::recorded::RecordedGames;
use crate::ngf::NgfRecord;
use crate::shown::without;
use maxout_engine::analysis::PlayedGame;
use maxout_engine::game::timing::FIRST_PIECE_HOLD;
use maxout_engine::game::{Piece, Placement, Playfield};

/// Records in a row that nothing explains, after which any position is taken from which the game can be
/// followed. The screen takes up to five frames to show a change. Chosen by hand, not measured.
const MAX_UNEXPLAINED: u32 = 6;

/// Makes games of records.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    /// Number of the game of the last record.
    number: Option<u16>,
    game: Option<Game>,
    found: RecordedGames,
}

/// A game that goes on.
#[derive(Debug)]
struct Game {
    played: PlayedGame,
    stack: Playfield,
    track: Option<Track>,
    unexplained: u32,
    /// Pieces by the counts of the last record that tells them, and when the last piece was seen first.
    counted: Option<u32>,
    counted_at_spawn: Option<u32>,
    skipped: u64,
    is_other: bool,
    is_over: bool,
}

impl Tracker {
    /// Takes the record of this frame.
    pub(super) fn take(&mut self, record: &NgfRecord, frame: u64) {
        let is_new = self.number.replace(record.game) != Some(record.game)
            || self.game.as_ref().is_none_or(|game| game.begins_anew(record));
        if is_new {
            self.close();
            self.game = Some(Game::new(record, frame));
        }
        if let Some(game) = &mut self.game {
            game.take(record, frame);
        }
    }

    /// The piece under control; none while the next piece is not known.
    pub(super) fn piece(&self) -> Option<Controlled> {
        let game = self.game.as_ref()?;
        let track = game.track.as_ref()?;
        Some(track.controlled(&game.stack, track.values.next?, &game.before()))
    }

    pub(super) fn finish(mut self) -> RecordedGames {
        self.close();
        self.found
    }

    fn close(&mut self) {
        let Some(mut game) = self.game.take() else { return };
        game.end();
        if game.is_other {
            self.found.other_games += 1;
            return;
        }
        self.found.skipped_pieces += game.skipped;
        if !game.played.pieces.is_empty() {
            self.found.games.push(game.played);
        }
    }
}

impl Game {
    fn new(record: &NgfRecord, frame: u64) -> Game {
        let (level, lines) = (record.level.unwrap_or(0), record.lines.unwrap_or(0));
        let played = PlayedGame {
            first_frame: frame,
            start_level: level,
            pieces: Vec::new(),
            is_topped_out: false,
            score: record.score.unwrap_or(0).into(),
            lines,
            level,
        };
        Game {
            played,
            stack: Playfield::EMPTY,
            track: None,
            unexplained: MAX_UNEXPLAINED,
            counted: None,
            counted_at_spawn: None,
            skipped: 0,
            is_other: lines == B_TYPE_LINES && record.score.unwrap_or(0) == 0,
            is_over: false,
        }
    }

    /// Does the record show another game than this one, which has the same number?
    fn begins_anew(&self, record: &NgfRecord) -> bool {
        let was_played = self.played.lines > 0 || self.played.score > 0 || self.is_over;
        was_played
            && !self.is_other
            && record.lines == Some(0)
            && record.score == Some(0)
            && record.playfield().cell_count() <= 4
    }

    fn take(&mut self, record: &NgfRecord, frame: u64) {
        if self.is_over || self.is_other {
            return;
        }
        self.count(record);
        let field = record.playfield();
        let Some(track) = &mut self.track else {
            self.join(record, &field, frame);
            return;
        };
        let last = track.last;
        let piece = last.orientation.piece();
        let around = Around { last, new: [record.piece, track.values.next] };
        // A piece that spawns into others may be hidden by them.
        let is_counted = self.counted > self.counted_at_spawn;
        if let Some(settled) = is_counted.then(|| around.settled_at(&field, &self.stack, last)).flatten() {
            self.settle(settled, record, frame);
            return;
        }
        let here = if shows(&field, &drawn(&self.stack, last)) {
            Some(last)
        } else {
            seen(&field, &self.stack, Some(piece), last).filter(|place| place.y >= last.y)
        };
        if let Some(place) = here {
            self.unexplained = 0;
            track.see(record, frame, place);
            return;
        }
        if is_wiped(&field, &self.stack, last) {
            self.unexplained = 0;
            track.wipe.get_or_insert(frame);
            return;
        }
        if is_cleared(&field, &self.stack, last) {
            self.unexplained = 0;
            return;
        }
        if let Some(settled) = around.settled(&field, &self.stack) {
            self.settle(settled, record, frame);
            return;
        }
        self.unexplained += 1;
        if is_curtain(&field) {
            self.is_over = true;
            self.played.is_topped_out = true;
        } else {
            self.join(record, &field, frame);
        }
    }

    fn settle(&mut self, settled: Settled, record: &NgfRecord, frame: u64) {
        self.lock(settled.placement, settled.new.orientation.piece(), frame);
        self.stack = settled.stack;
        self.spawn(record, frame, settled.new, 0);
    }

    /// Pieces that have been counted and seen since are told from those that were missed.
    fn count(&mut self, record: &NgfRecord) {
        let counts: Option<Vec<u32>> = record.counts.iter().map(|count| count.map(u32::from)).collect();
        self.counted = counts.map(|counts| counts.iter().sum()).or(self.counted);
        self.played.lines = record.lines.unwrap_or(self.played.lines);
        self.played.level = record.level.unwrap_or(self.played.level);
        self.played.score = record.score.map_or(self.played.score, u64::from);
    }

    /// Goes on from this record if it shows a position from which the game can be followed.
    fn join(&mut self, record: &NgfRecord, field: &Playfield, frame: u64) {
        if self.unexplained < MAX_UNEXPLAINED {
            return;
        }
        let near = at_spawn(record.piece.unwrap_or(Piece::T));
        let first = || seen(field, &Playfield::EMPTY, record.piece, near).filter(|_| self.track.is_none());
        let Some(place) = first().or_else(|| fresh(field, record.piece)) else { return };
        if self.track.is_some() {
            let counted = self.counted.zip(self.counted_at_spawn).map(|(now, then)| now.saturating_sub(then));
            self.skipped += u64::from(counted.unwrap_or(1).max(1));
        }
        self.stack = without(field, place);
        let is_first = self.played.pieces.is_empty() && self.stack == Playfield::EMPTY;
        self.spawn(record, frame, place, if is_first { FIRST_PIECE_HOLD } else { 0 });
    }

    fn spawn(&mut self, record: &NgfRecord, frame: u64, place: Placement, autorepeat_y: u8) {
        self.unexplained = 0;
        self.counted_at_spawn = self.counted;
        let track = Track::new(record, frame, place, autorepeat_y);
        self.track = Some(track);
    }

    fn lock(&mut self, placement: Placement, next: Piece, next_spawn: u64) {
        let before = self.before();
        if let Some(track) = self.track.take() {
            self.played.pieces.push(track.locked(&self.stack, placement, next, next_spawn, &before));
        }
    }

    /// A recording may end in the clear animation of a lock, or before the curtain.
    fn end(&mut self) {
        let Some(track) = &self.track else { return };
        self.played.is_topped_out |= track.overlaps(&self.stack);
        let (last, next) = (track.last, track.values.next);
        if let (Some(wipe), Some(next)) = (track.wipe, next) {
            self.lock(last, next, wipe + WIPE_TO_SPAWN);
        }
    }

    fn before(&self) -> Before {
        Before {
            lines: self.played.lines,
            level: self.played.level,
            score: u32::try_from(self.played.score).unwrap_or(u32::MAX),
        }
    }
}
