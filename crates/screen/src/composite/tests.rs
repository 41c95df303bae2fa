//! Sizes, sameness, and the pixels of ghosts, buttons and words.

use super::*;
use crate::model::{Cell, Status, Tile};
use crate::sample;
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;

fn layout(scale: usize) -> PictureLayout {
    PictureLayout { scale, ..PictureLayout::default() }
}

fn black() -> Picture {
    Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] }
}

/// Places of the console's picture, in its own pixels, that are not black.
fn lit(compositor: &Compositor) -> Vec<(usize, usize)> {
    let ((width, _), scale) = (compositor.size(), compositor.layout().scale);
    let is_lit = |x: usize, y: usize| {
        let at = 3 * (y * scale * width + x * scale);
        compositor.rgb()[at..at + 3] != [0, 0, 0]
    };
    let all = (0..Picture::HEIGHT).flat_map(|y| (0..Picture::WIDTH).map(move |x| (x, y)));
    all.filter(|&(x, y)| is_lit(x, y)).collect()
}

#[test]
fn sizes_are_multiples_of_the_console_s() {
    for scale in 1..=4 {
        assert_eq!(Compositor::new(layout(scale)).size(), (426 * scale, 240 * scale));
        assert_eq!(Compositor::new(PictureLayout { panel: false, ..layout(scale) }).size(), (256 * scale, 240 * scale));
    }
    assert_eq!(Compositor::new(layout(0)).layout().scale, 1);
    assert_eq!(Compositor::new(layout(99)).layout().scale, PictureLayout::MOST);
}

#[test]
fn the_same_moment_gives_the_same_bytes_whatever_was_drawn_before() {
    let (model, picture) = (sample::model(), black());
    let mut fresh = Compositor::new(layout(2));
    let mut used = Compositor::new(layout(2));
    used.draw(None, &ViewModel { help: true, status: Status::Paused, ..ViewModel::default() });
    assert!(fresh.draw(Some(&picture), &model) == used.draw(Some(&picture), &model));
    assert!(fresh.draw(None, &model) == used.draw(None, &model));
}

#[test]
fn a_ghost_is_an_outline_in_the_cells_of_the_placement() {
    let mut model = ViewModel::default();
    // Two cells side by side at the bottom left.
    model.cells[ROWS - 1][0] = Cell::Target(Tile::White);
    model.cells[ROWS - 1][1] = Cell::Target(Tile::White);
    let mut compositor = Compositor::new(PictureLayout { panel: false, ..layout(2) });
    compositor.draw(Some(&black()), &model);
    // Seven pixels and a gap, seven pixels and no gap.
    let shape: Vec<_> = (200..207).flat_map(|y| (96..111).map(move |x| (x, y))).collect();
    assert_eq!(lit(&compositor), shape);
    let pixel = |x: usize, y: usize| compositor.rgb()[3 * (2 * y * 512 + 2 * x)];
    for (x, y) in [(96, 200), (103, 200), (110, 206), (96, 203), (110, 203)] {
        assert_eq!(pixel(x, y), 255, "edge at {x}, {y}");
    }
    for (x, y) in [(97, 201), (103, 203), (109, 205)] {
        assert_eq!(pixel(x, y), 63, "inside at {x}, {y}");
    }
}

#[test]
fn corners_of_the_playfield_are_corners_of_ghosts() {
    let mut compositor = Compositor::new(PictureLayout { panel: false, ..layout(1) });
    for (row, column) in [(0, 0), (0, WIDTH - 1), (ROWS - 1, WIDTH - 1)] {
        let mut model = ViewModel::default();
        model.cells[row][column] = Cell::NextTarget(Tile::First);
        compositor.draw(Some(&black()), &model);
        let lit = lit(&compositor);
        let corner = (96 + 8 * column, 48 + 8 * row);
        assert_eq!((lit.first(), lit.last()), (Some(&corner), Some(&(corner.0 + 6, corner.1 + 6))));
        assert_eq!(lit.len(), 24, "an edge and nothing inside");
    }
}

#[test]
fn without_ghost_and_panel_the_picture_is_the_console_s_own() {
    let mut compositor = Compositor::new(PictureLayout { scale: 1, panel: false, ghost: false });
    let picture = Picture { pixels: (0..Picture::WIDTH * Picture::HEIGHT).map(|at| [at as u8, 7, 9]).collect() };
    assert_eq!(compositor.draw(Some(&picture), &sample::model()), picture.pixels.as_flattened());
}

#[test]
fn a_pressed_button_changes_the_panel_and_nothing_else() {
    let mut compositor = Compositor::new(layout(2));
    let up = compositor.draw(None, &ViewModel { buttons: Buttons::NONE, ..sample::model() }).to_vec();
    for bit in 0..8 {
        let down = compositor.draw(None, &ViewModel { buttons: Buttons::from_bits(1 << bit), ..sample::model() });
        let changed: Vec<usize> =
            (0..852 * 480).filter(|at| up[3 * at..3 * at + 3] != down[3 * at..3 * at + 3]).collect();
        assert!(changed.len() > 100, "button {bit}");
        assert!(changed.iter().all(|at| at % 852 > 512 && at / 852 > 360), "button {bit}");
    }
}

#[test]
fn words_too_long_stay_in_the_panel() {
    let mut model = sample::model();
    model.header.evaluator = "a player with a very long name ".repeat(9);
    model.say("something that takes many words to be said ".repeat(9), crate::Tone::Bad);
    let mut compositor = Compositor::new(layout(3));
    let pixels = compositor.draw(Some(&black()), &model);
    let margin = (1278 - 8 * 3)..1278;
    let paper = colours::PAPER;
    for row in pixels.chunks_exact(3 * 1278) {
        assert!(row[3 * margin.start..].chunks_exact(3).all(|pixel| pixel == paper), "the right margin stays free");
    }
}

#[test]
fn past_the_cap_the_panel_shows_the_score_without_it() {
    let mut model = sample::model();
    (model.score, model.tally.uncapped) = (999_999, 1_418_757);
    let mut compositor = Compositor::new(layout(2));
    let one = compositor.draw(None, &model).to_vec();
    model.tally.uncapped = 1_418_758;
    let changed: Vec<usize> = compositor
        .draw(None, &model)
        .iter()
        .zip(one)
        .enumerate()
        .filter(|(_, (new, old))| **new != *old)
        .map(|(at, _)| at / 3)
        .collect();
    assert!(!changed.is_empty());
    assert!(changed.iter().all(|at| at % 852 > 512 && (140..164).contains(&(at / 852))), "under the score");
}

#[test]
fn a_png_holds_the_pixels() {
    let mut compositor = Compositor::new(layout(1));
    compositor.draw(None, &sample::model());
    let mut file = Vec::new();
    compositor.write_png(&mut file).expect("a vector takes all");
    let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("a picture");
    assert!(pixels == compositor.rgb());
}
