//! The ghosts of the plan lie on the playfield that the console draws.

use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::{Console, Picture, Video};
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_screen::{Cell, Compositor, PictureLayout, Tile, ViewModel};

/// Rows that a new piece does not reach before the picture is checked.
const STILL: std::ops::Range<usize> = 5..ROWS;

#[test]
fn ghosts_cover_the_blocks_that_the_cartridge_draws() {
    let mut console = Emulator::with_video(&Rom::cartridge(), Video::On).expect("a console");
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the map");
    let settings = Settings { input: Input::EvenFrames, ..Settings::default() };
    let search = Search::new(maxout_engine::judge::handmade::by_name("el-tetris", None).expect("a player"), settings);
    let pilot = Pilot::new(Box::new(search), 0, 1);
    let mut run = Run::new(&mut console, decoder.clone(), pilot, Goal::Pieces(12));
    run.play(&mut [], &AtomicBool::new(false)).expect("a game");
    // A locked piece is drawn some frames later.
    for _ in 0..20 {
        console.step(Buttons::NONE).expect("a frame");
    }
    let tiles = decoder.decode(console.ram()).expect("a sample").tiles;
    let picture = console.picture().expect("a picture");
    // The console's black, which differs slightly from the black of the colour table.
    let black = maxout_console::colours()[0x0F];
    let is_lit = |x: usize, y: usize| picture.pixels[y * Picture::WIDTH + x] != black;

    let mut compositor = Compositor::new(PictureLayout { scale: 1, panel: false, ghost: true });
    let mut blocks = 0;
    for (row, column) in STILL.flat_map(|row| (0..WIDTH).map(move |column| (row, column))) {
        let mut model = ViewModel::default();
        model.cells[row][column] = Cell::Target(Tile::White);
        let drawn = compositor.draw(Some(&picture), &model).as_chunks::<3>().0.to_vec();
        let changed: Vec<_> = (0..drawn.len())
            .filter(|&at| drawn[at] != picture.pixels[at])
            .map(|at| (at % Picture::WIDTH, at / Picture::WIDTH))
            .collect();
        let is_block = Tile::of(tiles[row * WIDTH + column]).is_some();
        blocks += usize::from(is_block);
        assert!(changed.iter().all(|&(x, y)| is_lit(x, y) == is_block), "row {row}, column {column}: {changed:?}");
        // An empty cell is completely dark; a block may have pixels in the colour of the ghost.
        assert!(changed.len() == 49 || is_block, "row {row}, column {column}");
    }
    assert!(blocks > 20, "{blocks} blocks");
}
