//! Draws how many frames the fastest tetris takes over rows that stay below it, with freely chosen pieces.
//!
//! ```text
//! cargo run --release -p maxout-lab --example tas_heights -- PICTURE.svg LEVEL...
//! ```
//!
//! Ten pieces fill the four rows above the ones that stay, and the last piece completes all four at once. The frames count from
//! the first spawn to the one after the clear. A beam keeps PLAYFIELDS playfields after each piece, those with the fewest frames
//! and no free cell below an occupied one: so there may be faster ways.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::path::Path;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, Piece, Placement, ROWS, WIDTH};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach};
use maxout_lab::plot;

const PIECES: usize = 10;
/// Rows of a tetris.
const FILLED: usize = 4;
/// Most rows that stay: the four above them are the uppermost ones.
const MOST_ROWS: usize = ROWS - FILLED;
/// Playfields kept after each piece. With 10,000 the frames of level 18 are the same.
const PLAYFIELDS: usize = 3000;
/// Frames of the shortest clear.
const CLEAR: u32 = 17;
/// More frames than any piece falls: 20 rows of 3 frames, and its last one.
const MOST_FALL: u32 = 63;

/// The playfields after some pieces, with the frames of the fastest way to each.
type Layer = Vec<(Page, u32)>;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [picture, levels @ ..] = &words[..] else { return Err("expected PICTURE.svg LEVEL...".into()) };
    plot::check(Path::new(picture))?;
    let threads = std::thread::available_parallelism()?.get();
    let mut series = Vec::new();
    for level in levels {
        let gravity = frames_per_row(level.parse()?);
        let fastest = parallel::map(threads, &mut Reach::new(), Reach::new, 0..=MOST_ROWS, |reach, rows| {
            fastest(reach, rows, gravity)
        });
        let name = format!("level {level}");
        println!("{name}");
        let mut found = Vec::new();
        for (rows, fastest) in fastest.into_iter().enumerate() {
            match fastest {
                Some(frames) => {
                    println!("{rows:2} rows stay: {frames} frames");
                    found.push((rows as f64, f64::from(frames)));
                }
                None => println!("{rows:2} rows stay: no way was found"),
            }
        }
        series.push((name, found));
    }
    let title = "Frames of the fastest tetris of ten freely chosen pieces";
    Ok(plot::curve(Path::new(picture), title, "rows that stay below", "frames", &series)?)
}

/// The frames of the fastest way over this many rows; `None` if none was found.
fn fastest(reach: &mut Reach, rows: usize, gravity: u8) -> Option<u32> {
    let floor = (ROWS - rows) as i8;
    // Each of the rows below has one hole, so that none of them is full. No piece may reach them.
    let below = Page::from_cells(|cell| cell >= floor as usize * WIDTH && cell < ROWS * WIDTH && cell % WIDTH != 0);
    let mut layer: Layer = vec![(below, 0)];
    for pieces in 1..=PIECES {
        let is_last = pieces == PIECES;
        let clear = if is_last { CLEAR } else { 0 };
        let mut next: HashMap<Page, u32> = HashMap::new();
        for (page, frames) in &layer {
            for piece in Piece::ALL {
                reach.landings(page, piece, gravity, false, MOST_FALL, |landing| {
                    if !lies_above(landing.placement, floor) {
                        return;
                    }
                    let mut after = *page;
                    let full = after.lock(landing.placement);
                    if is_last && full != FILLED as u8 || !is_last && (full > 0 || has_covered(&after, floor)) {
                        return;
                    }
                    let entry_delay = EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
                    let frames = frames + landing.frames + entry_delay + clear;
                    next.entry(after).and_modify(|best| *best = frames.min(*best)).or_insert(frames);
                });
            }
        }
        layer = next.into_iter().collect();
        layer.sort_unstable_by_key(|(page, frames)| (*frames, page.words()));
        layer.truncate(PLAYFIELDS);
    }
    layer.first().map(|(_, frames)| *frames)
}

/// Does a piece lie in the four rows above the floor?
fn lies_above(placement: Placement, floor: i8) -> bool {
    placement.cells().into_iter().all(|(row, _)| (floor - FILLED as i8..floor).contains(&row))
}

/// Is there a free cell below an occupied one, above the floor?
fn has_covered(page: &Page, floor: i8) -> bool {
    let mut occupied = 0;
    (floor - FILLED as i8..floor).any(|row| {
        let above = occupied;
        occupied |= page.row(row);
        above & !page.row(row) != 0
    })
}
