//! From the values of frames to the lines of a page: games, placements, events, frames.

use super::line::{PageLine, PiecePlace, PlacementLine, PlanLine};
use super::runs::{RunFrame, Runs};
use crate::frame_log::{FrameValues, GameState, Note};
use crate::tiles::TileField;
use maxout_engine::bot::{Goal, Outcome, Standing};
use maxout_engine::game::{Orientation, Placement};
use maxout_engine::planner::Plan;
use maxout_engine::ram::PlayState;

/// Bytes of runs after which they are written even if no piece spawns, so that a run that is
/// killed in a menu or a pause loses little. Chosen by hand, not measured.
const MAX_RUNS: usize = 16 * 1024;
/// Alternatives of a plan that a page shows. Chosen by hand, not measured.
const MAX_ALTERNATIVES: usize = 8;

/// The game so far, and the lines that were not written yet.
#[derive(Debug, Default)]
pub(super) struct PageBuilder {
    lines: String,
    runs: Runs,
    /// The playfield; `None` where it is not known.
    field: Option<TileField>,
    piece: Option<PlacementLine>,
    /// Has the last piece locked, so that the next one spawns?
    awaits_spawn: bool,
    last: GameState,
    /// What the run played for, where it is known.
    goal: Option<Goal>,
    /// How it ended, where it is known.
    outcome: Option<Outcome>,
    /// Games that are over, and whether one is under way.
    games: u32,
    is_in_game: bool,
    /// Pieces of this game that locked.
    locks: u32,
    /// How often its level has gone from 255 to 0.
    rebirths: u32,
    /// Has the last frame topped out?
    is_topped_out: bool,
    is_ended: bool,
}

fn place(placement: Placement) -> PiecePlace {
    (placement.orientation.id(), placement.x, placement.y)
}

/// Where the falling piece is, while one is shown.
fn place_of_piece(state: &GameState) -> Option<PiecePlace> {
    Some((state.piece?.id(), state.x, state.y))
}

/// The score without the cap before and after, once it differs from the score.
fn past_the_cap(before: u64, now: &GameState) -> Option<(u64, u64)> {
    (now.uncapped != u64::from(now.score)).then_some((before, now.uncapped))
}

impl PageBuilder {
    /// A page of a run that played for this goal.
    pub(super) fn new(goal: Option<Goal>) -> PageBuilder {
        PageBuilder { goal, ..PageBuilder::default() }
    }

    /// Takes the lines that are to be written now.
    pub(super) fn take_lines(&mut self) -> String {
        std::mem::take(&mut self.lines)
    }

    /// Takes the next frame.
    pub(super) fn frame(&mut self, values: &FrameValues<'_>) {
        let state = values.state;
        self.is_topped_out = values.notes.contains(&Note::Topout);
        for note in &values.notes {
            self.take_note(*note, &state);
        }
        let spawned = self.awaits_spawn && state.in_game && state.play == PlayState::Control.byte();
        if let (true, Some(at)) = (spawned, place_of_piece(&state)) {
            self.close_piece(&state);
            self.field = TileField::at_spawn(self.field.take(), values.crc32(), values.cells.as_ref());
            self.spawn(&state, at);
        }
        self.runs.push(RunFrame {
            buttons: values.buttons,
            polled: values.polled,
            wrote: values.wrote,
            play: state.in_game.then_some(state.play),
            piece: state.piece.map_or(Orientation::HIDDEN_ID, Orientation::id),
            x: state.x as u8,
            y: state.y as u8,
        });
        if self.runs.len() > MAX_RUNS {
            self.add_runs();
        }
        self.last = state;
    }

    /// The plan of the piece that has just spawned, or that was planned again.
    pub(super) fn plan(&mut self, plan: Option<&Plan>) {
        let (Some(piece), Some(plan)) = (&mut self.piece, plan) else { return };
        let value = |value: f64| value.is_finite().then(|| (value * 1000.0).round() / 1000.0);
        let others = plan.alternatives.iter().filter(|other| other.placement != plan.placement);
        piece.plan = Some(PlanLine {
            at: place(plan.placement),
            value: value(plan.value),
            next: plan.next_placement.map(place),
            reachable: plan.reachable,
            others: others.take(MAX_ALTERNATIVES).map(|other| (place(other.placement), value(other.value))).collect(),
        });
    }

    /// Adds an event.
    pub(super) fn event(&mut self, frame: u64, words: String) {
        self.add(&PageLine::Note(frame, words));
    }

    /// Adds what still waits.
    pub(super) fn end(&mut self) {
        let last = self.last;
        self.close_piece(&last);
        self.add_runs();
        if !std::mem::replace(&mut self.is_ended, true) {
            self.add(&PageLine::End(self.result()));
        }
    }

    /// How the run ended, which not all frames show.
    pub(super) fn ended(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// How the run has ended, in words.
    fn result(&self) -> String {
        match (self.goal, self.outcome) {
            (Some(goal), Some(Outcome::Stuck(stuck))) => {
                return format!("{}: {stuck}", goal.result(Outcome::Stuck(stuck)));
            }
            (Some(goal), Some(Outcome::Goal)) => return goal.result(Outcome::Goal),
            _ => {}
        }
        let GameState { frame, in_game, lines, level, score, .. } = self.last;
        let (pieces, is_topped_out) = (self.locks, self.is_topped_out);
        let has_begun = in_game || is_topped_out;
        let (frames, rebirths) = (frame + 1, self.rebirths);
        let games = self.games;
        let standing = Standing { has_begun, frames, pieces, lines, level, rebirths, score, is_topped_out, games };
        match self.goal {
            Some(goal) => goal.result(goal.outcome(&standing).unwrap_or(Outcome::Stopped)),
            None => "end of the recording".to_owned(),
        }
    }

    fn take_note(&mut self, note: Note, state: &GameState) {
        match note {
            Note::Clear(rows) => {
                if let Some(piece) = &mut self.piece {
                    piece.clears = rows;
                }
            }
            Note::Level(level) => {
                // Levels only go up, but for that from 255.
                self.rebirths += u32::from(level == 0);
                self.event(state.frame, format!("level {level}"));
            }
            Note::Start => {
                self.close_piece(state);
                (self.locks, self.rebirths, self.is_in_game) = (0, 0, true);
                self.field = Some(TileField::default());
                self.awaits_spawn = true;
                self.add(&PageLine::Game { frame: state.frame, level: state.level });
            }
            Note::Lock => {
                self.locks += 1;
                let at = place_of_piece(&self.last);
                if let (Some(piece), Some(at)) = (&mut self.piece, at) {
                    (piece.at, piece.lock) = (at, Some(state.frame));
                    self.awaits_spawn = true;
                }
            }
            Note::Maxout => self.event(state.frame, "999,999".to_owned()),
            Note::Topout => {
                self.close_piece(state);
                self.awaits_spawn = false;
                self.end_game();
                self.event(state.frame, "topout".to_owned());
            }
            Note::Pass { .. } => {}
            Note::Jump => self.event(state.frame, "the state jumped".to_owned()),
            Note::Person => self.event(state.frame, "a person plays".to_owned()),
            Note::Bot => self.event(state.frame, "the bot plays".to_owned()),
            Note::Reset | Note::Power => {
                let last = self.last;
                self.close_piece(&last);
                self.end_game();
                self.awaits_spawn = false;
                self.field = None;
                self.event(state.frame, note.to_string());
            }
        }
    }

    fn end_game(&mut self) {
        self.games += u32::from(std::mem::take(&mut self.is_in_game));
    }

    fn spawn(&mut self, state: &GameState, at: PiecePlace) {
        self.awaits_spawn = false;
        self.piece = Some(PlacementLine {
            spawn: state.frame,
            lock: None,
            at,
            next: state.next,
            clears: 0,
            score: (state.score, state.score),
            uncapped: past_the_cap(state.uncapped, state),
            lines: (state.lines, state.lines),
            level: (state.level, state.level),
            field: self.field.as_ref().map(TileField::text),
            after: None,
            plan: None,
        });
    }

    /// Ends the present piece, if there is one, with this state.
    fn close_piece(&mut self, now: &GameState) {
        let Some(mut piece) = self.piece.take() else { return };
        self.add_runs();
        match piece.lock {
            Some(_) => self.lock(piece.at),
            None => piece.at = place_of_piece(now).unwrap_or(piece.at),
        }
        let before = piece.uncapped.map_or(piece.score.0.into(), |uncapped| uncapped.0);
        piece.uncapped = past_the_cap(before, now);
        (piece.score.1, piece.lines.1, piece.level.1) = (now.score, now.lines, now.level);
        if now.frame == self.last.frame {
            // Nothing comes after it.
            piece.after = self.field.as_ref().map(TileField::text);
        }
        self.add(&PageLine::Placement(Box::new(piece)));
    }

    fn lock(&mut self, (id, x, y): PiecePlace) {
        let known = self.field.take().zip(Orientation::from_id(id));
        self.field = known.and_then(|(field, orientation)| field.after(Placement { orientation, x, y }));
    }

    fn add(&mut self, line: &PageLine) {
        self.lines += &line.text();
        self.lines.push('\n');
    }

    fn add_runs(&mut self) {
        if let Some(runs) = self.runs.take() {
            self.add(&PageLine::Frames(runs));
        }
    }
}
