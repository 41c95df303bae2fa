//! How many frames a game still needs: what the search sorts by.

use super::clears_left::Left;
use super::surface::Surface;
use super::weights::{STEPS, Weights};
use maxout_engine::game::{FULL_ROW, ROWS, WIDTH};
use maxout_engine::tas::Page;

/// Rows that a tetris clears.
const TETRIS: usize = 4;
/// Tetrises from which on the height of the stack pays in full. Chosen by hand, not measured.
const CLEARS_FOR_HEIGHT: f32 = 5.0;

/// The columns from the spawn to the left wall, and to the right one.
const LEFT: [usize; 5] = [4, 3, 2, 1, 0];
const RIGHT: [usize; 5] = [5, 6, 7, 8, 9];
/// Rows in which blocked cells count.
const BLOCKED_ROWS: usize = 5;

/// The estimate with these weights.
#[derive(Debug, Clone)]
pub struct Estimate {
    weights: Weights,
}

impl Estimate {
    /// The estimate with these weights.
    pub const fn new(weights: Weights) -> Estimate {
        Estimate { weights }
    }

    /// Frames that are left with this playfield and so much to go.
    pub fn frames(&self, page: &Page, left: Left) -> f32 {
        if left.tetrises == 0.0 {
            return 0.0;
        }
        let weights = &self.weights;
        let surface = Surface::of(page);
        let Surface { rows, covered, tops } = surface;
        let mut open = [0_u16; ROWS + 1];
        let mut closed = page.row(-2) | page.row(-1);
        for (row, open) in open.iter_mut().enumerate() {
            *open = !closed & FULL_ROW;
            closed |= rows.get(row).copied().unwrap_or(FULL_ROW);
        }
        let mut best = f32::INFINITY;
        let mut above = 0;
        for top in 0..=ROWS - left.rows {
            // Row 0 counts twice.
            let height = if top == 0 { (left.rows - 1).max(1) } else { left.rows };
            let end = top + height;
            let (mut empty, mut hidden, mut gap) = (0, 0, 0);
            for row in top..end {
                empty += (!rows[row] & FULL_ROW).count_ones();
                hidden += covered[row].count_ones();
            }
            let mut row = end;
            while row < ROWS && open[row] & !rows[row] != 0 {
                gap += (open[row] & !rows[row]).count_ones();
                row += 1;
            }
            let cost = weights.cell * empty as f32
                + weights.covered * hidden as f32
                + weights.depth * (top as u32 * empty) as f32
                + weights.gap * gap as f32
                - weights.above * above as f32
                + if top == 0 { weights.cascade } else { 0.0 };
            best = best.min(cost);
            above += rows[top].count_ones();
        }
        let holes: u32 = covered[..6].iter().map(|row| row.count_ones()).sum();
        let steps: f32 =
            tops.windows(2).map(|pair| weights.step[usize::from(pair[0].abs_diff(pair[1])).min(STEPS - 1)]).sum();
        let height: f32 = tops.iter().map(|&top| (f32::from(top) - weights.floor_from).max(0.0)).sum();
        let sides: f32 = (0..WIDTH).map(|column| weights.side[column] * 3_u8.saturating_sub(tops[column]) as f32).sum();
        let mut blocked = 0.0;
        for side in [&LEFT[..], &RIGHT[..]] {
            let mut highest = ROWS as u8;
            for pair in side.windows(2) {
                highest = highest.min(tops[pair[0]]);
                if let Some(weight) = weights.blocked.get(usize::from(highest)) {
                    let upper = &rows[..BLOCKED_ROWS];
                    let empty = upper.iter().filter(|&&row| row >> pair[1] & 1 == 0).count();
                    blocked += weight * empty as f32;
                }
            }
        }
        let share = (left.tetrises / CLEARS_FOR_HEIGHT).min(1.0);
        weights.tetris * (left.tetrises - left.rows as f32 / TETRIS as f32)
            + best
            + weights.hole * holes as f32
            + steps
            + sides
            + blocked
            + weights.floor * height * share
    }
}
