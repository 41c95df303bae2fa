//! Movies that people made: the movie, its log and its pictures give the same pieces.

use std::path::Path;

use maxout_engine::bot::Flow;
use maxout_engine::console::Simulated;
use maxout_engine::game::Position;
use maxout_formats::replay::play_movie;
use maxout_formats::{FileFormat, Format, InputFile, Provenance, RunWriter};

use crate::{Frames, assert_is_same_game, decoder, games_of, skipped, the_game};

/// A movie, its log and its NGF file. Gives the pieces, the score and the lines after the last one.
fn read(name: &str) -> Option<(usize, u64, u16)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movies").join(name);
    let path = skipped::beside("movies", &path)?;
    let folder = tempfile::tempdir().expect("a folder");
    let place = |format: Format| folder.path().join("game").with_extension(format.extension());
    let formats = [Format::Csv, Format::Ngf];
    let mut files = formats.map(|format| {
        RunWriter::create(&place(format), format.into(), &Provenance::default(), Default::default()).expect("a file")
    });
    let input = InputFile::open(&path, FileFormat::from(Format::Fm2)).expect("a movie");
    // A few frames past the end, so that the last piece locks.
    play_movie(&input.presses, &mut Simulated::power_on(), &decoder(), 100, |step, _| {
        files.iter_mut().for_each(|file| file.take(step).expect("written"));
        Ok(Flow::Continue)
    })
    .expect("it plays");
    files.iter_mut().for_each(|file| file.finish().expect("written"));
    let movie = the_game(games_of(&path));
    let [log, pictures] = formats.map(|format| the_game(games_of(&place(format))));
    let end = movie.pieces.len();
    assert!(log.pieces.len() >= end);
    for (log, movie) in log.pieces.iter().zip(&movie.pieces) {
        // Movies clear row 0 three times and more: what was at the bottom then comes back above the top, in
        // RAM alone.
        assert_eq!(log.position.playfield.visible(), movie.position.playfield.visible());
        let at = Position { playfield: log.position.playfield, ..movie.position };
        assert_eq!((log.position, log.placement, &log.frames), (at, movie.placement, &movie.frames));
    }
    // Pieces turn where they spawn into others: some of that cannot be seen.
    assert_is_same_game(&pictures, &log, Frames::Any);
    Some((end, movie.score, movie.lines))
}

#[test]
fn the_best_movies_are_read_piece_by_piece() {
    // Lines at 999,999, by the people who made them. The first one's last piece is pushed down after that, and has not locked at
    // the end.
    for (name, pieces, lines) in
        [("tasvideos_1596m.fm2", 382, 172), ("tasvideos_4853m.fm2", 371, 172), ("tasvideos_239m.fm2", 422, 164)]
    {
        let Some((found, score, lines_after)) = read(name) else { return };
        assert_eq!((found, lines_after), (pieces, lines), "{name}");
        assert!(score > 999_999, "{name}");
    }
}
