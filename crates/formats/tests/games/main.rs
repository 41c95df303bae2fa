//! Games are found in recordings: what the bot planned is what is read back from the log, the movie and
//! the NGF file of its run.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use maxout_engine::analysis::{PlayedFrame, PlayedGame, PlayedPiece};
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::Simulated;
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::{MAXOUT, Obstacles, Placement, Position, SPAWN_X};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, PlayState, RamMap};
use maxout_formats::games::{RecordedGames, open_games, read_games};
use maxout_formats::position::{self, Source};
use maxout_formats::{FileFormat, Format, Provenance, RunWriter};

mod damaged;
mod locks;
mod movies;
mod several;
mod traces;

#[path = "../../../../tests/skipped/mod.rs"]
mod skipped;

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}

fn decoder() -> Decoder {
    Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes")
}

/// What the bot meant to do with a piece, and when it did.
#[derive(Debug, PartialEq)]
struct Truth {
    position: Position,
    placement: Placement,
    spawn_frame: u64,
    lock_frame: u64,
    buttons: Vec<Buttons>,
}

/// Writes the pieces of a run down while it plays.
#[derive(Default)]
struct Witness {
    pieces: Vec<Truth>,
    planned: Option<(u64, Position, Placement)>,
    play_state: Option<PlayState>,
    buttons: Vec<Buttons>,
}

impl FrameSink for Witness {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let snapshot = report.snapshot;
        self.buttons.push(report.buttons);
        if let (true, Some(plan)) = (report.events.contains(&Event::Planned), report.plan) {
            let position = snapshot.position().expect("a piece falls");
            // A plan that is made again, with the next piece in sight, is of the same spawn.
            let spawn = match self.planned {
                Some((spawn, of, _)) if of == position => spawn,
                _ => report.frame,
            };
            self.planned = Some((spawn, position, plan.placement));
        }
        if self.play_state == Some(PlayState::Control)
            && snapshot.play_state == PlayState::Lock
            && let Some((spawn_frame, position, placement)) = self.planned.take()
        {
            let buttons = self.buttons[spawn_frame as usize + 1..].to_vec();
            self.pieces.push(Truth { position, placement, spawn_frame, lock_frame: report.frame, buttons });
        }
        self.play_state = Some(snapshot.play_state);
        Ok(Flow::Continue)
    }
}

const FORMATS: [Format; 6] = Format::ALL;

/// Plays a game, and writes it in every format. Gives what the bot did.
pub(crate) fn play(folder: &Path, judge: &str, level: u8, goal: Goal) -> Vec<Truth> {
    let player = Search::new(judge::by_name(judge, None).expect("a known player"), Settings::default());
    let pilot = Pilot::new(Box::new(player), level, 1);
    let provenance = Provenance::default();
    let mut witness = Witness::default();
    let mut files = FORMATS.map(|format| {
        let path = folder.join("game").with_extension(format.extension());
        RunWriter::create(&path, format.into(), &provenance, Default::default()).expect("a file")
    });
    let mut run = Run::new(Simulated::power_on(), decoder(), pilot, goal);
    {
        let [a, b, c, d, e, f] = &mut files;
        let sinks: &mut [&mut dyn FrameSink] = &mut [&mut witness, a, b, c, d, e, f];
        run.play(sinks, &AtomicBool::new(false)).expect("the rules model goes on");
    }
    files.iter_mut().for_each(|file| file.finish().expect("written"));
    witness.pieces
}

fn games_of(path: &Path) -> RecordedGames {
    let format = FileFormat::of_path(path).expect("a known name");
    open_games(path, format, &mut Simulated::power_on(), &decoder()).expect("a whole file")
}

fn the_game(found: RecordedGames) -> PlayedGame {
    assert_eq!((found.games.len(), found.other_games, found.skipped_pieces), (1, 0, 0));
    found.games.into_iter().next().expect("one")
}

fn lock_frame(piece: &PlayedPiece) -> u64 {
    piece.spawn_frame + piece.frames.len() as u64
}

fn assert_is_played(pieces: &[PlayedPiece], truth: &[Truth], name: &str) {
    assert!(truth.len() > 20);
    assert!((truth.len()..truth.len() + 2).contains(&pieces.len()), "{name}: {} of {}", pieces.len(), truth.len());
    for (number, (piece, truth)) in pieces.iter().zip(truth).enumerate() {
        let PlayedPiece { position, placement, spawn_frame, .. } = *piece;
        let buttons: Vec<_> = piece.frames.iter().filter_map(|frame| frame.buttons).collect();
        let lock_frame = lock_frame(piece);
        let found = Truth { position, placement, spawn_frame, lock_frame, buttons };
        assert_eq!(&found, truth, "{name}: piece {number}");
    }
}

#[test]
fn a_game_of_the_bot_is_read_from_its_log_and_its_movies() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = play(folder.path(), "el-tetris", 18, Goal::Lines(30));
    for extension in ["csv", "jsonl", "fm2", "bk2", "r08"] {
        let game = the_game(games_of(&folder.path().join("game").with_extension(extension)));
        assert_is_played(&game.pieces, &truth, extension);
        assert_eq!((game.start_level, game.first_frame), (18, truth[0].spawn_frame), "{extension}");
    }
}

#[test]
fn a_piece_that_has_not_locked_at_the_end_is_in_no_format_unless_the_movie_ends_with_its_move() {
    // A piece is pushed down in the first, and the next one is turned in the frame after its spawn.
    for (frames, is_cut_at_its_move) in [(1780, false), (1799, true), (1800, false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let truth = play(folder.path(), "el-tetris", 19, Goal::Frames(frames));
        let path = |extension| folder.path().join("game").with_extension(extension);
        let log = the_game(games_of(&path("csv")));
        assert_eq!(log.pieces.len(), truth.len());
        for extension in ["fm2", "bk2", "r08"] {
            let movie = the_game(games_of(&path(extension)));
            if !is_cut_at_its_move {
                assert_eq!(movie, log, "{extension}");
                continue;
            }
            assert_eq!(movie.pieces.len(), log.pieces.len() + 1, "{extension}");
            assert_eq!(movie.pieces[..log.pieces.len()], log.pieces, "{extension}");
        }
    }
}

#[test]
fn a_frame_whose_piece_spawned_into_others_is_a_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = play(folder.path(), "birken-v2", 29, Goal::Topout);
    let Truth { position, spawn_frame, .. } = truth.last().expect("a piece");
    assert!(!position.playfield.fits(position.piece.spawn(), SPAWN_X, 0), "it ends the game");
    for extension in ["csv", "fm2"] {
        let given = format!("{}@{spawn_frame}", folder.path().join("game").with_extension(extension).display());
        let found = position::open(&given, &mut Simulated::power_on(), &decoder()).expect("a position");
        assert_eq!((found.playfield, found.piece), (position.playfield, Some(position.piece)), "{extension}");
    }
}

/// How exact the frames of an NGF file must be.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Frames {
    /// All but those of pieces that were paused; a lock that clears rows may be up to three frames off.
    Exact,
    /// Not at all.
    Any,
}

/// The game of an NGF file against the same game as RAM tells it. There are no buttons.
pub(crate) fn assert_is_same_game(found: &PlayedGame, truth: &PlayedGame, frames: Frames) {
    let shift = truth.first_frame - found.first_frame;
    let [mut exact, mut off] = [0, 0];
    for (number, (found, truth)) in found.pieces.iter().zip(&truth.pieces).enumerate() {
        assert_eq!(found.position, truth.position, "piece {number}");
        assert_eq!(found.placement, truth.placement, "piece {number}");
        let piece = FallingPiece { pushdown: 0, ..truth.falling.piece };
        assert_eq!(found.falling.piece, piece, "piece {number}");
        assert_eq!(found.spawn_frame + shift, truth.spawn_frame, "piece {number}");
        // Pictures do not tell when a pause begins.
        let is_paused = |frame: &PlayedFrame| frame.buttons.is_some_and(|buttons| buttons.contains(Buttons::START));
        if frames == Frames::Any || truth.frames.iter().any(is_paused) {
            continue;
        }
        for (found, truth) in found.frames.iter().zip(&truth.frames) {
            assert_eq!(*found, PlayedFrame { buttons: None, ..*truth }, "piece {number}");
        }
        match found.frames.len().abs_diff(truth.frames.len()) {
            0 => exact += 1,
            1..=3 => off += 1,
            more => panic!("piece {number} locks {more} frames off"),
        }
    }
    assert!(off * 20 <= exact, "{off} of {}", off + exact);
    let PlayedGame { start_level, is_topped_out, score, lines, level, .. } = *truth;
    let last = (found.start_level, found.is_topped_out, found.score, found.lines, found.level);
    assert_eq!(last, (start_level, is_topped_out, score.min(MAXOUT.into()), lines, level));
    assert!(found.pieces.len() + 1 >= truth.pieces.len());
}

#[test]
fn a_game_of_the_bot_is_read_from_its_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    for (judge, level, goal) in [("el-tetris", 18, Goal::Lines(100)), ("birken-v2", 29, Goal::Topout)] {
        play(folder.path(), judge, level, goal);
        let path = |extension| folder.path().join("game").with_extension(extension);
        assert_is_same_game(&the_game(games_of(&path("ngf"))), &the_game(games_of(&path("csv"))), Frames::Exact);
    }
}

#[test]
fn a_reader_that_is_stopped_has_the_games_until_then() {
    let folder = tempfile::tempdir().expect("a folder");
    play(folder.path(), "el-tetris", 19, Goal::Lines(10));
    for extension in ["csv", "jsonl", "ngf"] {
        let path = folder.path().join("game").with_extension(extension);
        let read = |most: usize| {
            let mut asked = 0;
            let format = FileFormat::of_path(&path).expect("a known name");
            let mut goes_on = || {
                asked += 1;
                asked <= most
            };
            let games = read_games(&path, format, &mut goes_on).expect("a whole file").expect("a log or NGF");
            (games, asked)
        };
        let (whole, rows) = read(usize::MAX);
        assert_eq!(whole, games_of(&path));
        let (part, asked) = read(rows / 2);
        assert_eq!(asked, rows / 2 + 1, "{extension}: it is asked once a row");
        let (part, whole) = (the_game(part), the_game(whole));
        assert!(part.pieces.len() < whole.pieces.len() && whole.pieces.starts_with(&part.pieces), "{extension}");
    }
    let movie = folder.path().join("game.fm2");
    let format = FileFormat::of_path(&movie).expect("a known name");
    assert_eq!(read_games(&movie, format, &mut || true).expect("no error"), None, "a movie is played");
}

#[test]
fn a_frame_of_a_recording_is_the_position_of_its_piece() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = play(folder.path(), "el-tetris", 19, Goal::Lines(10));
    let at = |extension: &str, frame: u64| {
        let path = folder.path().join("game").with_extension(extension);
        let given = format!("{}@{frame}", path.display());
        position::open(&given, &mut Simulated::power_on(), &decoder())
    };
    let first = truth[0].spawn_frame;
    for piece in [&truth[0], &truth[7], &truth[20]] {
        let Truth { position, spawn_frame, lock_frame, placement, .. } = *piece;
        for (extension, shift) in [("csv", 0), ("jsonl", 0), ("fm2", 0), ("bk2", 0), ("r08", 0), ("ngf", first)] {
            for frame in [spawn_frame, spawn_frame + 5, lock_frame] {
                let found = at(extension, frame - shift).expect("a piece is under control");
                let source = Source::Frame { frame: frame - shift, spawn_frame: spawn_frame - shift };
                assert_eq!((found.playfield, found.source), (position.playfield, source), "{extension}");
                assert_eq!((found.piece, found.next), (Some(position.piece), Some(position.next)));
                assert_eq!((found.level, found.lines), (Some(position.level), Some(position.lines)));
                assert_eq!((found.score, found.notes.len()), (Some(position.score), 0));
                let place = found.place.expect("a piece falls");
                assert_eq!(place == placement, frame == lock_frame, "{extension} {frame}");
            }
        }
    }
    let refused = |extension: &str, frame| at(extension, frame).expect_err("no piece").to_string();
    for extension in ["csv", "fm2"] {
        let found = refused(extension, first - 1);
        let expected = format!(
            "@{}: no piece is under control in that frame of an A-type game; the next one spawns in \
                                frame {first}",
            first - 1
        );
        assert!(found.ends_with(&expected), "{found}");
        let frames = "@99999999: the recording ends before that frame: it has ";
        assert!(refused(extension, 99_999_999).contains(frames));
    }
    let whole = folder.path().join("game.csv").display().to_string();
    let error = position::open(&whole, &mut Simulated::power_on(), &decoder()).expect_err("no frame");
    assert_eq!(error.to_string(), format!("{whole}: which frame? expected FILE@FRAME, such as {whole}@12345"));
}
