//! Lists the fastest ways to score a tetris by filling the rows 0, 1 and 2, with freely chosen pieces.
//!
//! ```text
//! cargo run --release -p maxout-lab --example tas_cycles -- LEVEL PIECES [ROW...]
//! ```
//!
//! Row 0 counts twice, so three full rows are a tetris; the rows below sink by one. PIECES pieces fill the 30 cells of
//! those rows, the rest of their cells lies in row 3 and at most one of them above row 0. Nothing else is in the rows 0
//! to 3 before. ROW is row 4, `#` for an occupied cell and `.` for a free one; without it all rows are tried in turn.
//! No piece reaches row 4, and rows are completed by the last piece alone.

use std::collections::HashMap;
use std::env;
use std::error::Error;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, Orientation, Piece, Placement};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach};

/// The rows -1 to 3, ten bits each, and row 4 above them.
type Cells = u64;

/// The first row.
const FIRST: i8 = -1;
const WIDTH: u32 = 10;
const ROW: Cells = (1 << WIDTH) - 1;
/// The rows that are filled.
const FILLED: Cells = ((1 << (3 * WIDTH)) - 1) << WIDTH;
/// The cells of them.
const LEAST: u32 = 30;
/// Frames of the shortest clear.
const CLEAR: u32 = 17;
/// More frames than any lock in these rows takes.
const MOST_FALL: u32 = 30;
/// What stays free for the last piece.
const SPAWN: Cells = cell(0, 5) | cell(1, 5);
/// What the last piece may fill. All other cells of the rows are occupied when it spawns, so it can only turn in its
/// column and fall: a J, an L, or an I.
const LAST: [Cells; 4] = [
    cell(0, 5) | cell(1, 5) | cell(2, 5) | cell(0, 6),
    cell(0, 5) | cell(1, 5) | cell(2, 5) | cell(0, 4),
    cell(0, 5) | cell(1, 5) | cell(2, 5) | cell(3, 5),
    cell(0, 5) | cell(1, 5) | cell(2, 5) | cell(-1, 5),
];

const fn cell(row: i8, column: u32) -> Cells {
    1 << ((row - FIRST) as u32 * WIDTH + column)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [level, pieces, rows @ ..] = &words[..] else {
        return Err("expected LEVEL PIECES [ROW...]".into());
    };
    let (gravity, pieces): (u8, u32) = (frames_per_row(level.parse()?), pieces.parse()?);
    if !(8..=10).contains(&pieces) {
        return Err("expected 8 to 10 PIECES".into());
    }
    let rows: Vec<Cells> = match rows {
        [] => (1..=ROW).collect(),
        _ => rows.iter().map(|row| parse(row)).collect::<Result<_, _>>()?,
    };
    let more = 4 * pieces - LEAST;
    let mut targets = Vec::new();
    for above in [0, 1] {
        for below in (0..=ROW).filter(|row| row.count_ones() + above == more) {
            let top = if above == 0 { vec![0] } else { (0..WIDTH).map(|column| cell(-1, column)).collect() };
            targets.extend(top.into_iter().map(|top| (below, top)));
        }
    }
    let placements: Vec<Cells> = all_placements();
    let mut found_in_all = 0;
    for row in rows {
        let found = parallel::map(2, &mut Reach::new(), Reach::new, targets.clone(), |reach, (below, top)| {
            let cycle = Cycle { row, target: FILLED | below << (4 * WIDTH) | top, pieces, gravity };
            (cycle.fastest(reach, &placements), below)
        });
        let mut found: Vec<(u32, Cells)> =
            found.into_iter().filter_map(|(frames, below)| frames.map(|frames| (frames, below))).collect();
        found.sort_unstable();
        found_in_all += found.len();
        if let Some(&(frames, below)) = found.first() {
            println!("row 4 {}: {} ends, {frames} frames at least, row 3 then {}", show(row), found.len(), show(below));
        }
    }
    println!("{found_in_all} ends in all");
    Ok(())
}

/// One end: what is to be filled over a row 4.
struct Cycle {
    row: Cells,
    target: Cells,
    pieces: u32,
    gravity: u8,
}

impl Cycle {
    /// The frames of the fastest way, from the first spawn to the one after the clear; `None` if there is no way.
    fn fastest(&self, reach: &mut Reach, placements: &[Cells]) -> Option<u32> {
        let inside: Vec<Cells> = placements.iter().filter(|cells| *cells & !self.target == 0).copied().collect();
        let layers = self.layers(&inside)?;
        // Frames left, from the end to the beginning, by real movement.
        let mut left: HashMap<Cells, u32> = HashMap::from([(self.target, 0)]);
        for (layer, states) in layers.iter().enumerate().rev() {
            let is_last = layer + 1 == layers.len();
            let mut now = HashMap::new();
            for &state in states {
                if inside.iter().any(|&cells| self.holds(state, cells) && left.contains_key(&(state | cells))) {
                    let best = self.best(reach, state, &left, is_last);
                    now.extend(best.map(|frames| (state, frames)));
                }
            }
            left = now;
        }
        left.get(&0).copied()
    }

    /// What may be occupied after each number of pieces but the last, as far as cells alone say: every piece stands on
    /// something, and what is left can be divided by four.
    fn layers(&self, inside: &[Cells]) -> Option<Vec<Vec<Cells>>> {
        let mut layers = vec![vec![0]];
        for _ in 1..self.pieces {
            let mut next: HashMap<Cells, ()> = HashMap::new();
            for &state in layers.last()? {
                for &cells in inside.iter().filter(|&&cells| self.holds(state, cells)) {
                    let after = state | cells;
                    let completes = (1..=3).any(|row| after >> (row * WIDTH) & ROW == ROW);
                    let spoils = completes || after & SPAWN != 0 || next.contains_key(&after);
                    if !spoils && has_parts_of_four(self.target & !after) {
                        next.insert(after, ());
                    }
                }
            }
            layers.push(next.into_keys().collect());
        }
        let before_last = layers.last_mut()?;
        before_last.retain(|state| LAST.contains(&(self.target & !state)));
        (!before_last.is_empty()).then_some(layers)
    }

    /// May a piece be there, and does it stand on something?
    const fn holds(&self, state: Cells, cells: Cells) -> bool {
        cells & state == 0 && (cells << WIDTH) & (state | self.row << (5 * WIDTH)) != 0
    }

    fn best(&self, reach: &mut Reach, state: Cells, left: &HashMap<Cells, u32>, is_last: bool) -> Option<u32> {
        let page = self.page(state);
        let mut best: Option<u32> = None;
        for piece in Piece::ALL {
            reach.landings(&page, piece, self.gravity, false, MOST_FALL, |landing| {
                let Some(&rest) = cells_of(landing.placement).and_then(|cells| left.get(&(state | cells))) else {
                    return;
                };
                let mut after = page;
                let scores = after.lock(landing.placement) == 4;
                if scores != is_last {
                    return;
                }
                let delay = EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
                let frames = landing.frames + delay + if is_last { CLEAR } else { 0 } + rest;
                best = Some(best.map_or(frames, |best| best.min(frames)));
            });
        }
        best
    }

    /// The playfield; all rows from row 4 on are alike.
    fn page(&self, state: Cells) -> Page {
        let mut page = Page::EMPTY;
        for (row, column) in (FIRST..20).flat_map(|row| (0..WIDTH).map(move |column| (row, column))) {
            let occupied = if row < 4 { state & cell(row, column) != 0 } else { self.row >> column & 1 == 1 };
            if occupied {
                page.occupy(row, column as i8);
            }
        }
        page
    }
}

/// The cells of a placement, if it lies in the rows -1 to 3.
fn cells_of(placement: Placement) -> Option<Cells> {
    placement.cells().into_iter().try_fold(0, |cells, (row, column)| {
        let fits = (FIRST..=3).contains(&row) && (0..WIDTH as i8).contains(&column);
        fits.then(|| cells | cell(row, column as u32))
    })
}

fn all_placements() -> Vec<Cells> {
    let orientations = (0..=u8::MAX).filter_map(Orientation::from_id);
    let at = |orientation| (-2..7).flat_map(move |y| (-2..12).map(move |x| Placement { orientation, x, y }));
    orientations.flat_map(at).filter_map(cells_of).collect()
}

/// Does each part that hangs together have a multiple of four cells?
fn has_parts_of_four(mut rest: Cells) -> bool {
    let column: Cells = (0..5).map(|row| 1 << (row * WIDTH)).sum();
    let (not_first, not_last) = (!column, !(column << (WIDTH - 1)));
    while rest != 0 {
        let mut part = rest & rest.wrapping_neg();
        loop {
            let sides = (part & not_last) << 1 | (part & not_first) >> 1;
            let wider = (part | part << WIDTH | part >> WIDTH | sides) & rest;
            if wider == part {
                break;
            }
            part = wider;
        }
        if !part.count_ones().is_multiple_of(4) {
            return false;
        }
        rest &= !part;
    }
    true
}

fn parse(row: &str) -> Result<Cells, Box<dyn Error>> {
    let is_row = row.len() == WIDTH as usize && row.bytes().all(|cell| b"#.".contains(&cell));
    if !is_row {
        return Err(format!("expected a row like #########., found {row}").into());
    }
    Ok(row.bytes().enumerate().filter(|(_, cell)| *cell == b'#').map(|(column, _)| 1 << column).sum())
}

fn show(row: Cells) -> String {
    (0..WIDTH).map(|column| if row >> column & 1 == 1 { '#' } else { '.' }).collect()
}
