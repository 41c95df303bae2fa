//! Games made of the frames of a run, one after the other.

use super::recorded::RecordedGames;
use crate::frame_log::{FrameValues, GameState, LogColumn, LogFrames, LogRow, Note};
use crate::played::PlayedStep;
use crate::tiles::TileField;
use maxout_engine::analysis::{PlayedFrame, PlayedGame, PlayedPiece};
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::timing::FIRST_PIECE_HOLD;
use maxout_engine::game::{MAXOUT, Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::Falling;
use maxout_engine::ram::{GameType, PlayState};

/// Lines that a B-type game starts with (`$70`). An A-type game starts with none.
pub(super) const B_TYPE_LINES: u16 = 25;

/// Makes games of the steps of a run or of the rows of a log. It keeps the pieces and not the frames
/// between them.
#[derive(Debug, Default)]
pub struct GameCollector {
    frames: LogFrames,
    /// The playfield by the rules; `None` where it is not known.
    field: Option<TileField>,
    last: GameState,
    /// The buttons that the game read last.
    held: Buttons,
    game: Option<PlayedGame>,
    piece: Option<Controlled>,
    /// Does the game that runs count as another one?
    is_other: bool,
    found: RecordedGames,
}

/// A piece that has spawned and has not locked.
#[derive(Debug, Clone, PartialEq)]
pub struct Controlled {
    /// What the player saw at the spawn.
    pub position: Position,
    /// The piece at the sample of its spawn.
    pub falling: Falling,
    /// The frame of that sample.
    pub spawn_frame: u64,
    /// The frames in which it could be moved so far.
    pub frames: Vec<PlayedFrame>,
}

impl Controlled {
    /// Where the piece is.
    pub fn place(&self) -> Placement {
        let FallingPiece { orientation, x, y, .. } = self.falling.piece;
        match self.frames.last() {
            Some(frame) => Placement { orientation: frame.orientation, x: frame.x, y: frame.y },
            None => Placement { orientation, x, y },
        }
    }

    /// The piece as it has locked where it is.
    pub(super) fn locked(self) -> PlayedPiece {
        let placement = self.place();
        let Controlled { position, falling, spawn_frame, frames } = self;
        PlayedPiece { position, falling, spawn_frame, frames, placement }
    }
}

impl GameCollector {
    /// Takes the next step of a run, from power-on.
    pub fn step(&mut self, step: &PlayedStep<'_>) {
        let mut frames = std::mem::take(&mut self.frames);
        if let Some(frame) = frames.next(step) {
            self.frame(&FrameValues::from(frame));
        }
        self.frames = frames;
    }

    /// Takes the next row of a log.
    ///
    /// # Errors
    /// The column that the row lacks.
    pub fn row(&mut self, row: &LogRow) -> Result<(), LogColumn> {
        self.frame(&FrameValues::of_row(row)?);
        Ok(())
    }

    /// The piece that is under control after the last frame that was taken.
    pub fn piece(&self) -> Option<&Controlled> {
        self.piece.as_ref()
    }

    /// Does an A-type game run?
    pub(super) fn is_in_game(&self) -> bool {
        self.game.is_some()
    }

    /// Takes the games that are over.
    pub fn take_games(&mut self) -> Vec<PlayedGame> {
        std::mem::take(&mut self.found.games)
    }

    /// The end of the recording: all games that were not taken, and what was left out.
    pub fn finish(mut self) -> RecordedGames {
        self.close_game(false);
        self.found
    }

    fn frame(&mut self, values: &FrameValues<'_>) {
        let state = values.state;
        if values.polled {
            self.held = Buttons::from_bits(values.buttons);
        }
        if state.in_demo && !self.last.in_demo {
            self.found.other_games += 1;
        }
        let is_start = values.notes.contains(&Note::Start);
        if values.notes.iter().any(|note| matches!(note, Note::Reset | Note::Power)) || !state.in_game {
            self.close_game(false);
            (self.field, self.is_other) = (None, false);
        }
        if values.notes.contains(&Note::Jump) {
            // What comes next is no consequence of what was before.
            (self.field, self.piece) = (None, None);
        }
        if is_start {
            self.start(values);
        } else if state.in_game && !self.is_other {
            self.go_on(values);
        }
        self.last = state;
    }

    /// The sample before the first control frame of a game.
    fn start(&mut self, values: &FrameValues<'_>) {
        self.close_game(false);
        let is_b_type = match values.snapshot {
            Some(snapshot) => snapshot.game_type == GameType::B,
            None => values.state.lines == B_TYPE_LINES,
        };
        self.is_other = is_b_type;
        self.found.other_games += u64::from(is_b_type);
        self.field = Some(TileField::default());
        if !is_b_type {
            self.spawn(values, FIRST_PIECE_HOLD);
        }
    }

    fn go_on(&mut self, values: &FrameValues<'_>) {
        let state = values.state;
        let [before, now] = [self.last.play, state.play];
        let is = |play: u8, state: PlayState| play == state.byte();
        if is(before, PlayState::Control) && (is(now, PlayState::Control) || is(now, PlayState::Lock)) {
            self.move_piece(&state);
        }
        if is(before, PlayState::Lock) && is(now, PlayState::RowCheck) {
            self.lock();
        }
        if let (Some(game), false) = (&mut self.game, is(now, PlayState::Curtain)) {
            (game.score, game.lines, game.level) = (state.uncapped, state.lines, state.level);
        }
        if is(before, PlayState::Spawn) && is(now, PlayState::Control) {
            self.spawn(values, 0);
        }
        if is(now, PlayState::Curtain) && !is(before, PlayState::Curtain) {
            self.close_game(true);
            self.field = None;
        }
    }

    fn spawn(&mut self, values: &FrameValues<'_>, autorepeat_y: u8) {
        let state = values.state;
        self.piece = None;
        let (Some(playfield), Some(orientation)) = (self.playfield(values), state.piece) else { return };
        let Some(next) = state.next.and_then(piece_of) else { return };
        let snapshot = values.snapshot;
        if snapshot.is_some_and(|snapshot| snapshot.game_type == GameType::B) {
            return;
        }
        let game = self.game.get_or_insert_with(|| PlayedGame {
            first_frame: state.frame,
            start_level: state.level,
            pieces: Vec::new(),
            is_topped_out: false,
            score: state.uncapped,
            lines: state.lines,
            level: state.level,
        });
        if game.pieces.is_empty() {
            game.first_frame = state.frame;
        }
        let (level, lines, score) = (state.level, state.lines, state.score.min(MAXOUT));
        let piece = FallingPiece {
            orientation,
            x: state.x,
            y: state.y,
            fall_timer: state.fall.unwrap_or(0),
            das: state.das.unwrap_or(0),
            autorepeat_y: snapshot.map_or(autorepeat_y, |snapshot| snapshot.autorepeat_y),
            pushdown: snapshot.map_or(0, |snapshot| snapshot.pushdown),
        };
        self.piece = Some(Controlled {
            position: Position { playfield, piece: orientation.piece(), next, level, lines, score },
            falling: Falling { piece, held: self.held, control_frame: 0 },
            spawn_frame: state.frame,
            frames: Vec::new(),
        });
    }

    /// The playfield at a spawn: that of RAM, or else that of the rules and the log.
    fn playfield(&mut self, values: &FrameValues<'_>) -> Option<Playfield> {
        if let Some(snapshot) = values.snapshot {
            return Some(snapshot.playfield);
        }
        self.field = TileField::at_spawn(self.field.take(), values.crc32(), values.cells.as_ref());
        self.field.as_ref().map(TileField::playfield)
    }

    /// A frame in which the piece could be moved.
    fn move_piece(&mut self, state: &GameState) {
        let last = &self.last;
        let stands_still = state.play == last.play
            && state.fall.is_some()
            && (state.fall, state.piece, state.x, state.y) == (last.fall, last.piece, last.x, last.y);
        let Some(piece) = &mut self.piece else { return };
        let Some(orientation) = state.piece else {
            self.piece = None;
            return;
        };
        if !stands_still {
            piece.frames.push(PlayedFrame { orientation, x: state.x, y: state.y, buttons: Some(self.held) });
        }
    }

    /// The piece has locked where it was at the end of the last frame.
    fn lock(&mut self) {
        let GameState { piece, x, y, .. } = self.last;
        let placement = piece.map(|orientation| Placement { orientation, x, y });
        self.field = self.field.take().zip(placement).and_then(|(field, placement)| field.after(placement));
        match (self.piece.take(), &mut self.game) {
            (Some(piece), Some(game)) if Some(piece.place()) == placement => game.pieces.push(piece.locked()),
            _ => self.found.skipped_pieces += 1,
        }
    }

    fn close_game(&mut self, is_topped_out: bool) {
        self.piece = None;
        if let Some(mut game) = self.game.take().filter(|game| !game.pieces.is_empty()) {
            game.is_topped_out = is_topped_out;
            self.found.games.push(game);
        }
    }
}

fn piece_of(letter: char) -> Option<Piece> {
    Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
}
