//! The page of games that somebody played, with their grades.

use super::line::{GradeLine, PageLine, PiecePlace, PlacementLine};
use super::page;
use super::runs::{RunFrame, Runs, UNKNOWN_PLAY};
use crate::Provenance;
use crate::tiles::TileField;
use maxout_engine::analysis::grade::{Cause, GameGrade, GradedPiece, Within};
use maxout_engine::analysis::{PlayedGame, PlayedPiece};
use maxout_engine::game::{MAXOUT, Orientation, Placement};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::PlayState;

/// A game of a page.
#[derive(Debug, Clone, Copy)]
pub struct GradedGame<'a> {
    /// Is it the first game of its recording? The frames of a page count on from recording to
    /// recording.
    pub begins_recording: bool,
    /// The game.
    pub game: &'a PlayedGame,
    /// Its grade: as many pieces.
    pub grade: &'a GameGrade,
}

/// The page of games and their grades. Of the frames in which no piece is under control it knows
/// nothing.
pub fn graded_page(games: &[GradedGame<'_>], provenance: &Provenance) -> String {
    let mut page = GradedPage { text: page::titled(page::GRADED_TITLE, provenance), ..GradedPage::default() };
    for game in games {
        page.add_game(game);
    }
    page.add(&PageLine::End("end of the recording".to_owned()));
    page.text + page::TAIL
}

#[derive(Default)]
struct GradedPage {
    text: String,
    runs: Runs,
    /// Frames so far.
    frames: u64,
    /// What is added to the frames of the recording.
    offset: u64,
}

impl GradedPage {
    fn add(&mut self, line: &PageLine) {
        self.text += &line.text();
        self.text.push('\n');
    }

    fn add_game(&mut self, graded: &GradedGame<'_>) {
        let GradedGame { begins_recording, game, grade } = *graded;
        if begins_recording {
            self.offset = self.frames;
        }
        let first = self.offset + game.first_frame;
        self.add(&PageLine::Game { frame: first, level: game.start_level });
        let mut field = TileField::default();
        for (index, (piece, graded)) in game.pieces.iter().zip(&grade.pieces).enumerate() {
            if field.playfield() != piece.position.playfield {
                field = TileField::of_cells(piece.position.playfield.visible());
            }
            let before = field.text();
            field.lock(piece.placement);
            let next = grade.pieces.get(index + 1);
            let after = match next {
                Some(next) => (next.score, next.position.lines, next.position.level),
                None => (game.score, game.lines, game.level),
            };
            let is_last = next.is_none();
            self.add_frames(piece);
            self.add(&PageLine::Placement(Box::new(PlacementLine {
                spawn: self.offset + piece.spawn_frame,
                lock: Some(self.offset + graded.landing_frame),
                at: place(piece.placement),
                next: Some(piece.position.next.letter()),
                clears: graded.played.clears,
                score: (shown(graded.score), shown(after.0)),
                uncapped: (after.0 > MAXOUT.into()).then_some((graded.score, after.0)),
                lines: (piece.position.lines, after.1),
                level: (piece.position.level, after.2),
                field: Some(before),
                after: is_last.then(|| field.text()),
                plan: None,
            })));
            self.add(&PageLine::Grade(Box::new(line(graded))));
        }
        if game.is_topped_out {
            self.add(&PageLine::Note(self.frames.saturating_sub(1), "topout".to_owned()));
        }
    }

    /// The frames up to the landing of the piece.
    fn add_frames(&mut self, piece: &PlayedPiece) {
        let spawn = self.offset + piece.spawn_frame;
        let unknown = run_frame(Buttons::NONE, false, UNKNOWN_PLAY, None);
        self.push(unknown, spawn.saturating_sub(self.frames));
        let falling = piece.falling.piece;
        let at = Placement { orientation: falling.orientation, x: falling.x, y: falling.y };
        if self.frames == spawn {
            self.push(run_frame(piece.falling.held, true, PlayState::Control.byte(), Some(at)), 1);
        }
        for frame in &piece.frames {
            let at = Placement { orientation: frame.orientation, x: frame.x, y: frame.y };
            let buttons = frame.buttons.unwrap_or(Buttons::NONE);
            self.push(run_frame(buttons, frame.buttons.is_some(), PlayState::Control.byte(), Some(at)), 1);
        }
        if let Some(runs) = self.runs.take() {
            self.add(&PageLine::Frames(runs));
        }
    }

    fn push(&mut self, frame: RunFrame, frames: u64) {
        self.runs.push_many(frame, frames);
        self.frames += frames;
    }
}

fn run_frame(buttons: Buttons, polled: bool, play: u8, at: Option<Placement>) -> RunFrame {
    RunFrame {
        buttons: buttons.bits(),
        polled,
        wrote: false,
        play: Some(play),
        piece: at.map_or(Orientation::HIDDEN_ID, |at| at.orientation.id()),
        x: at.map_or(0, |at| at.x as u8),
        y: at.map_or(0, |at| at.y as u8),
    }
}

fn shown(score: u64) -> u32 {
    score.min(MAXOUT.into()) as u32
}

fn place(placement: Placement) -> PiecePlace {
    (placement.orientation.id(), placement.x, placement.y)
}

fn line(graded: &GradedPiece) -> GradeLine {
    let whole = |points: f64| points.round() as i64;
    let cause = graded.cause.map(Cause::name);
    let others = [
        ("burn", graded.is_burn()),
        ("missed tetris", graded.is_missed_tetris()),
        ("tuck not seen", graded.is_unseen_tuck()),
        ("out of reach", graded.within != Within::Hand),
    ];
    let others = others.into_iter().filter(|(_, is)| *is).map(|(name, _)| name);
    GradeLine {
        class: graded.class.name().to_owned(),
        loss: whole(graded.loss),
        kinds: cause.into_iter().chain(others).map(str::to_owned).collect(),
        best: place(graded.best.placement),
        aimed: graded.aimed.map(place),
        expected: (whole(graded.expected_score()), whole(graded.expected_after())),
        luck: whole(graded.luck),
        reachable: (graded.reachable, graded.better),
        checked: graded.checked.as_ref().map(|checked| {
            let difference = checked.difference;
            (whole(difference.value), whole(difference.low), whole(difference.high))
        }),
    }
}
