//! A position that is read from the console's picture is the one that is in RAM.

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Picture, Video};
use maxout_engine::game::control::Obstacles;
use maxout_engine::game::{Placement, Playfield};
use maxout_engine::judge;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, Phase, RamMap, RamSnapshot};
use maxout_formats::position::{self, PositionError, ReadPosition};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A PNG of the picture: `scale` pixels for each of the console, some rows left out at the top and the
/// bottom.
fn png(picture: &Picture, scale: usize, left_out: usize) -> Vec<u8> {
    let rows = left_out * scale..(Picture::HEIGHT - left_out) * scale;
    let pixel = |row: usize, x: usize| picture.pixels[row / scale * Picture::WIDTH + x / scale];
    let data: Vec<u8> =
        rows.clone().flat_map(|row| (0..Picture::WIDTH * scale).flat_map(move |x| pixel(row, x))).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, (Picture::WIDTH * scale) as u32, rows.len() as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&data).expect("as many bytes as the size says");
    writer.finish().expect("in memory");
    bytes
}

/// Does the piece touch a locked cell or the floor? Then a picture cannot tell it apart.
fn touches(playfield: &Playfield, Placement { orientation, x, y }: Placement) -> bool {
    let beside = |(dx, dy): (i8, i8)| {
        orientation.cells().iter().any(|(cell_y, cell_x)| {
            let (row, column) = (y + cell_y + dy, x + cell_x + dx);
            (0..20).contains(&row) && (0..10).contains(&column) && playfield.occupied(row, column as usize)
        })
    };
    [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().any(beside) || !playfield.fits(orientation, x, y + 1)
}

fn place(snapshot: &RamSnapshot) -> Placement {
    Placement { orientation: snapshot.piece.expect("a piece falls"), x: snapshot.x, y: snapshot.y }
}

#[derive(Default)]
struct Reader {
    pictures: u32,
    apart: u32,
    before: Option<RamSnapshot>,
    /// Frames of a game in a row.
    in_game: u32,
    frames: u32,
}

impl Reader {
    fn check(&mut self, found: &ReadPosition, truth: &RamSnapshot) {
        let place = place(truth);
        assert_eq!(found.next, truth.next, "level {}", truth.level);
        self.pictures += 1;
        if touches(&truth.playfield, place) {
            assert!(found.place.is_none() && found.notes.len() == 1);
            return;
        }
        self.apart += 1;
        assert_eq!(found.playfield, truth.playfield);
        // A piece that is partly above the top may look like others.
        let is_whole = place.orientation.cells().iter().all(|(dy, _)| place.y + dy >= 0);
        if is_whole || found.notes.is_empty() {
            assert_eq!((found.place, found.piece), (Some(place), Some(place.orientation.piece())));
            assert!(found.notes.is_empty());
        }
    }
}

impl FrameSink for Reader {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        // The picture is drawn before the frame's work: it shows RAM of the frame before.
        let shown = self.before.replace(report.snapshot.clone());
        self.frames += 1;
        let Some(shown) = shown else { return Ok(Flow::Continue) };
        // The first picture of a game shows no pieces yet.
        self.in_game = if shown.phase() == Phase::Falling { self.in_game + 1 } else { 0 };
        let Some(picture) = report.picture else { return Ok(Flow::Continue) };
        if self.in_game > 1 && report.snapshot.phase() == Phase::Falling {
            for (scale, left_out) in [(1, 0), (2, 8), (3, 0)] {
                match position::read_bytes(&png(picture, scale, left_out)) {
                    Ok(found) => self.check(&found, &shown),
                    // The piece rests in the row that it will complete.
                    Err(PositionError::FullRow { .. }) if touches(&shown.playfield, place(&shown)) => {}
                    Err(error) => panic!("level {}: {error}\n{:?}", shown.level, shown.playfield),
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        // A picture takes time: every eleventh is enough.
        self.frames % 11 == 10
    }
}

/// Plays the beginning of a game from each of these levels; gives the pictures that were read, and in how many of them the piece
/// stands apart.
fn read_pictures(levels: Range<u8>) -> (u32, u32) {
    let mut reader = Reader::default();
    for level in levels {
        let player = Search::new(judge::by_name("el-tetris", None).expect("a known player"), Settings::default());
        let pilot = Pilot::new(Box::new(player), level, u64::from(level));
        let console = Emulator::with_video(&Rom::cartridge(), Video::On).expect("the cartridge runs");
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
        let mut run = Run::new(console, decoder, pilot, Goal::Pieces(4));
        reader.before = None;
        run.play(&mut [&mut reader], &AtomicBool::new(false)).expect("it plays");
    }
    (reader.pictures, reader.apart)
}

#[test]
fn a_picture_shows_the_playfield_the_piece_and_the_next_one() {
    let (pictures, apart) = read_pictures(13..14);
    assert!(apart > 5, "{apart} of {pictures}");
}

#[test]
#[ignore = "ten games on the emulator; .ci/run runs it"]
fn a_picture_of_every_colour_shows_the_playfield_the_piece_and_the_next_one() {
    let (pictures, apart) = read_pictures(10..20);
    eprintln!("{apart} of {pictures}");
    assert!(apart > 80 && apart * 10 > pictures * 7, "{apart} of {pictures}");
}
