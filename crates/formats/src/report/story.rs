//! From rows to what is told: games, placements, notes, frames.

use super::pile::{Pile, orientation};
use super::runs::{Runs, Told};
use super::told::{Line, Place, Placement, Plan};
use crate::frame_log::{Column, NO_WRITES, NOTE_SEPARATOR, Row};
use maxout_engine::game::{self, Orientation};
use maxout_engine::planner;
use maxout_engine::ram::{GameMode, PlayState};

/// The columns that a report cannot do without.
const NEEDED: [Column; 11] = [
    Column::Polled,
    Column::Mode,
    Column::Play,
    Column::Piece,
    Column::X,
    Column::Y,
    Column::Next,
    Column::Level,
    Column::Lines,
    Column::Score,
    Column::Note,
];
/// Bytes of frames that are not held back any longer, whatever the game does.
const MOST_FRAMES: usize = 16 * 1024;
/// Alternatives that are told of a plan.
const OTHERS: usize = 8;

/// A needed column that a row lacks.
pub(super) fn missing(row: &Row) -> Option<Column> {
    NEEDED.into_iter().find(|column| row.get(*column).is_none())
}

/// What is told of a game so far, and what waits to be.
#[derive(Debug, Default)]
pub(super) struct Story {
    told: String,
    runs: Runs,
    /// The playfield; `None` where the log does not tell.
    pile: Option<Pile>,
    piece: Option<Placement>,
    /// Has the last piece locked, so that the next one spawns?
    awaits_spawn: bool,
    last: Seen,
}

/// What a row shows.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    frame: u64,
    play: u8,
    in_game: bool,
    piece: Option<Orientation>,
    x: i8,
    y: i8,
    next: Option<char>,
    level: u8,
    lines: u16,
    score: u32,
}

impl Seen {
    fn of(row: &Row) -> Seen {
        Seen {
            frame: number(row, Column::Call, i64::MAX) as u64,
            play: number(row, Column::Play, 15) as u8,
            in_game: number(row, Column::Mode, 255) == GameMode::Play as i64,
            piece: row.get(Column::Piece).and_then(orientation),
            x: number(row, Column::X, 35) as i8,
            y: number(row, Column::Y, 35) as i8,
            next: row.get(Column::Next).and_then(|text| text.chars().next()).filter(|letter| *letter != '-'),
            level: number(row, Column::Level, 255) as u8,
            lines: number(row, Column::Lines, i64::from(u16::MAX)) as u16,
            score: number(row, Column::Score, i64::from(u32::MAX)) as u32,
        }
    }

    fn place(&self) -> Option<Place> {
        Some((self.piece?.id(), self.x, self.y))
    }
}

/// A number from 0 to the most that it can be; somebody else's log may say anything.
fn number(row: &Row, column: Column, most: i64) -> i64 {
    row.get(column).and_then(|text| text.parse().ok()).unwrap_or(0).clamp(0, most)
}

fn place(placement: game::Placement) -> Place {
    (placement.orientation.id(), placement.x, placement.y)
}

impl Story {
    /// The lines that are to be written now.
    pub(super) fn told(&mut self) -> String {
        std::mem::take(&mut self.told)
    }

    /// Takes the next row.
    pub(super) fn row(&mut self, row: &Row) {
        let seen = Seen::of(row);
        for note in row.get(Column::Note).unwrap_or("").split(NOTE_SEPARATOR) {
            self.take_note(note, &seen);
        }
        let spawned = self.awaits_spawn && seen.in_game && seen.play == PlayState::Control.byte();
        if let (true, Some(at)) = (spawned, seen.place()) {
            self.close_piece(&seen);
            self.check_pile(row);
            self.spawn(&seen, at);
        }
        self.runs.push(Told {
            buttons: row.get(Column::Buttons).and_then(|text| u8::from_str_radix(text, 16).ok()).unwrap_or(0),
            polled: row.polled() == Some(true),
            wrote: row.get(Column::CheatWrites).is_some_and(|writes| writes != NO_WRITES),
            play: seen.in_game.then_some(seen.play),
            piece: seen.piece.map_or(Orientation::HIDDEN_ID, Orientation::id),
            x: seen.x as u8,
            y: seen.y as u8,
        });
        if self.runs.len() > MOST_FRAMES {
            self.tell_frames();
        }
        self.last = seen;
    }

    /// The plan of the piece that has just spawned, or that was planned anew.
    pub(super) fn plan(&mut self, plan: Option<&planner::Plan>) {
        let (Some(piece), Some(plan)) = (&mut self.piece, plan) else { return };
        let value = |value: f64| value.is_finite().then(|| (value * 1000.0).round() / 1000.0);
        let others = plan.alternatives.iter().filter(|other| other.placement != plan.placement);
        piece.plan = Some(Plan {
            at: place(plan.placement),
            value: value(plan.value),
            next: plan.next_placement.map(place),
            reachable: plan.reachable,
            others: others.take(OTHERS).map(|other| (place(other.placement), value(other.value))).collect(),
        });
    }

    /// Something worth a word.
    pub(super) fn note(&mut self, frame: u64, words: String) {
        self.tell(&Line::Note(frame, words));
    }

    /// Tells what still waits.
    pub(super) fn end(&mut self) {
        let last = self.last;
        self.close_piece(&last);
        self.tell_frames();
    }

    fn take_note(&mut self, note: &str, seen: &Seen) {
        match note.split_once(' ') {
            Some(("clear", rows)) => {
                if let (Some(piece), Ok(rows)) = (&mut self.piece, rows.parse()) {
                    piece.clears = rows;
                }
                return;
            }
            Some(("level", level)) => self.note(seen.frame, format!("level {level}")),
            _ => {}
        }
        match note {
            "start" => {
                self.close_piece(seen);
                self.pile = Some(Pile::default());
                self.awaits_spawn = true;
                self.tell(&Line::Game { frame: seen.frame, level: seen.level });
            }
            "lock" => {
                let at = self.last.place();
                if let (Some(piece), Some(at)) = (&mut self.piece, at) {
                    (piece.at, piece.lock) = (at, Some(seen.frame));
                    self.awaits_spawn = true;
                }
            }
            "999999" => self.note(seen.frame, "999,999".to_owned()),
            "topout" => {
                self.close_piece(seen);
                self.awaits_spawn = false;
                self.note(seen.frame, "topout".to_owned());
            }
            "reset" | "power" => {
                self.close_piece(&self.last.clone());
                self.awaits_spawn = false;
                self.pile = None;
                self.note(seen.frame, note.to_owned());
            }
            _ => {}
        }
    }

    fn spawn(&mut self, seen: &Seen, at: Place) {
        self.awaits_spawn = false;
        self.piece = Some(Placement {
            spawn: seen.frame,
            lock: None,
            at,
            next: seen.next,
            clears: 0,
            score: (seen.score, seen.score),
            lines: (seen.lines, seen.lines),
            level: (seen.level, seen.level),
            field: self.pile.as_ref().map(Pile::text),
            after: None,
            plan: None,
        });
    }

    /// Tells the piece, if there is one, with what is true now.
    fn close_piece(&mut self, now: &Seen) {
        let Some(mut piece) = self.piece.take() else { return };
        self.tell_frames();
        match piece.lock {
            Some(_) => self.lock(piece.at),
            None => piece.at = now.place().unwrap_or(piece.at),
        }
        (piece.score.1, piece.lines.1, piece.level.1) = (now.score, now.lines, now.level);
        if now.frame == self.last.frame {
            // Nothing comes after it.
            piece.after = self.pile.as_ref().map(Pile::text);
        }
        self.tell(&Line::Placement(Box::new(piece)));
    }

    fn lock(&mut self, (id, x, y): Place) {
        let locks = |pile: &mut Pile| {
            Orientation::from_id(id).is_some_and(|orientation| pile.lock(game::Placement { orientation, x, y }))
        };
        if !self.pile.as_mut().is_some_and(locks) {
            self.pile = None;
        }
    }

    /// At a spawn the rules and the log agree on the playfield, or the log's cells are right, or
    /// nobody knows.
    fn check_pile(&mut self, row: &Row) {
        let logged = row.get(Column::Field).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(logged) = logged
            && self.pile.as_ref().is_none_or(|pile| pile.crc32() != logged)
        {
            self.pile = row.get(Column::Cells).and_then(Pile::of_cells);
        }
    }

    fn tell(&mut self, line: &Line) {
        self.told += &line.text();
        self.told.push('\n');
    }

    fn tell_frames(&mut self) {
        if let Some(runs) = self.runs.take() {
            self.tell(&Line::Frames(runs));
        }
    }
}
