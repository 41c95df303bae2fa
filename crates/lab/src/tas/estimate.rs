//! How many frames a game still needs: what the search sorts by.

use super::goal::Goal;
use super::surface::Surface;
use super::weights::{STEPS, Weights};
use maxout_engine::game::scoring::{Progress, Score, clear_points};
use maxout_engine::game::{FULL_ROW, ROWS, WIDTH};
use maxout_engine::tas::Page;

/// Lines up to which the table of clears goes.
const MOST_LINES: usize = 400;
/// Tetrises up to which it goes.
const MOST_CLEARS: usize = 120;
/// Rows that a tetris clears.
const TETRIS: usize = 4;
/// Rows that a tetris at the top clears: row 0 counts twice.
const CASCADE: usize = 3;
/// Tetrises from which on the height of the stack pays in full. Chosen by hand, not measured.
const CLEARS_FOR_HEIGHT: f32 = 5.0;

/// The columns from the spawn to the left wall, and to the right one.
const LEFT: [usize; 5] = [4, 3, 2, 1, 0];
const RIGHT: [usize; 5] = [5, 6, 7, 8, 9];
/// Rows in which blocked cells count.
const BLOCKED_ROWS: usize = 5;

/// The estimate for one goal.
#[derive(Debug, Clone)]
pub struct Estimate {
    weights: Weights,
    goal: Goal,
    /// `points[lines][n]`: points of `n` tetrises in a row, after so many lines.
    points: Vec<Vec<u32>>,
}

impl Estimate {
    /// The estimate for this goal in games from this level.
    pub fn new(weights: Weights, goal: Goal, start_level: u8) -> Estimate {
        let mut levels = vec![start_level];
        let mut progress = Progress { lines_low: 0, lines_high: 0, level: start_level };
        for _ in 1..MOST_LINES + TETRIS * MOST_CLEARS {
            progress.count_a_type(1);
            levels.push(progress.level);
        }
        let points = (0..MOST_LINES).map(|lines| {
            let clears = (0..MOST_CLEARS).scan(0_u32, |sum, clears| {
                let before = *sum;
                let level = levels.get(lines + TETRIS * (clears + 1)).copied().unwrap_or(u8::MAX);
                *sum = sum.saturating_add(clear_points(TETRIS as u8, level));
                Some(before)
            });
            clears.collect()
        });
        Estimate { weights, goal, points: points.collect() }
    }

    /// The tetrises that are left to the goal.
    pub fn clears_left(&self, score: Score, progress: Progress) -> u32 {
        let lines = progress.lines();
        match self.goal {
            Goal::Score(goal) => {
                let left = goal.saturating_sub(score.value());
                let points = &self.points[usize::from(lines).min(MOST_LINES - 1)];
                points.partition_point(|&sum| sum < left) as u32
            }
            Goal::Lines(goal) => u32::from(goal.saturating_sub(lines)).div_ceil(TETRIS as u32),
            Goal::Level(goal) => {
                let more = u32::from(goal.saturating_sub(progress.level)) * 10;
                more.saturating_sub(u32::from(lines % 10)).div_ceil(TETRIS as u32)
            }
        }
    }

    /// Frames that are left with this playfield and so many tetrises to go.
    pub fn frames(&self, page: &Page, clears_left: u32) -> f32 {
        if clears_left == 0 {
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
        for top in 0..=ROWS - TETRIS {
            let height = if top == 0 { CASCADE } else { TETRIS };
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
        let share = (clears_left as f32 / CLEARS_FOR_HEIGHT).min(1.0);
        weights.tetris * (clears_left - 1) as f32
            + best
            + weights.hole * holes as f32
            + steps
            + sides
            + blocked
            + weights.floor * height * share
    }
}
