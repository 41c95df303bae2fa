//! Recordings of the original: RAM tells the truth about each playfield, whoever played.

use std::path::Path;

use maxout_engine::analysis::{PlayedGame, PlayedPiece};
use maxout_formats::games::{GameCollector, RecordedGames};
use maxout_formats::trace::TraceReader;
use maxout_formats::{Format, PlayedStep, Provenance, RunWriter};

use crate::{Frames, assert_is_same_game, decoder, games_of};

/// The games of a recording as RAM tells them, and the same of a log and an NGF file of it. Every file
/// of a trace begins at power-on.
fn read(name: &str) -> [RecordedGames; 3] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut trace = TraceReader::open(root.join(format!("{name}.trace.zst"))).expect("a trace");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |format: Format| folder.path().join("game").with_extension(format.extension());
    let formats = [Format::Csv, Format::Ngf];
    let mut files = formats.map(|format| {
        RunWriter::create(&path(format), format.into(), &Provenance::default(), Default::default()).expect("a file")
    });
    let decoder = decoder();
    let mut games = GameCollector::default();
    while let Some(row) = trace.next_row().expect("a row") {
        let snapshot = decoder.decode(&row.ram).expect("RAM of the game");
        // In the demo the game does not act on the gamepad.
        let polled = snapshot.held_buttons == row.buttons;
        let step = PlayedStep::Frame { buttons: row.buttons, polled, writes: &[], snapshot: &snapshot };
        games.step(&step);
        files.iter_mut().for_each(|file| file.take(&step).expect("written"));
    }
    files.iter_mut().for_each(|file| file.finish().expect("written"));
    let [log, pictures] = formats.map(|format| games_of(&path(format)));
    [games.finish(), log, pictures]
}

/// Every lock leads to the playfield of the next spawn, as RAM shows it.
fn assert_is_consistent(game: &PlayedGame) {
    for pair in game.pieces.windows(2) {
        let mut playfield = pair[0].position.playfield;
        playfield.lock(pair[0].placement);
        assert_eq!(playfield, pair[1].position.playfield, "frame {}", pair[0].spawn_frame);
        assert_eq!(pair[0].position.next, pair[1].position.piece);
        assert!(pair[0].spawn_frame + (pair[0].frames.len() as u64) < pair[1].spawn_frame);
    }
}

/// Reads a recording in all ways. Gives the pieces of each game, and the number of other games.
fn pieces(name: &str, frames: Frames) -> (Vec<usize>, u64) {
    let [truth, log, pictures] = read(name);
    truth.games.iter().for_each(assert_is_consistent);
    for found in [&truth, &log, &pictures] {
        assert_eq!((found.games.len(), found.skipped_pieces), (truth.games.len(), 0), "{name}");
    }
    for (log, truth) in log.games.iter().zip(&truth.games) {
        let placed = |game: &PlayedGame| -> Vec<_> {
            let of = |piece: &PlayedPiece| (piece.position, piece.spawn_frame, piece.frames.clone(), piece.placement);
            game.pieces.iter().map(of).collect()
        };
        assert!(placed(log) == placed(truth), "{name}");
    }
    for (pictures, truth) in pictures.games.iter().zip(&truth.games) {
        assert_is_same_game(pictures, truth, frames);
    }
    assert_eq!(log.other_games, truth.other_games);
    (truth.games.iter().map(|game| game.pieces.len()).collect(), truth.other_games)
}

#[test]
fn games_of_the_original_are_read_from_ram_logs_and_pictures() {
    assert_eq!(pieces("d05_level19_bot", Frames::Exact), (vec![335], 0));
    assert_eq!(pieces("d14_level19_taps", Frames::Exact), (vec![105], 0));
    let short = vec![9, 15, 12, 11, 10, 10, 11, 10, 13, 8, 12, 1];
    assert_eq!(pieces("d06_level19_mash", Frames::Exact), (short, 0));
}

#[test]
fn games_with_pauses_at_low_levels_and_resets_are_read() {
    assert_eq!(pieces("d01_level0_idle_mash", Frames::Any), (vec![15, 3], 0));
    assert_eq!(pieces("d11_level15_chaos", Frames::Any), (vec![49, 82], 0));
    assert_eq!(pieces("d18_menus_random", Frames::Any).1, 5);
}

#[test]
#[ignore = "36,000 frames and more; .ci/run runs it"]
fn long_games_of_the_original_are_read() {
    assert_eq!(pieces("d02_level5_bot_soft", Frames::Any), (vec![113], 0));
    assert_eq!(pieces("d04_level18_bot", Frames::Exact), (vec![267], 0));
    assert_eq!(pieces("d16_level18_to_29", Frames::Exact), (vec![712], 0));
}

#[test]
fn b_type_games_and_demos_are_counted_and_left_out() {
    let counts = |name| read(name).map(|found| (found.games.len(), found.other_games, found.skipped_pieces));
    assert_eq!(counts("d08_btype"), [(0, 3, 0); 3]);
    // The demo is none of the frames that an NGF file has.
    assert_eq!(counts("d10_demo_and_menus"), [(1, 1, 0), (1, 1, 0), (1, 0, 0)]);
}
