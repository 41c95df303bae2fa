//! How many tetrises a game still needs.

use super::goal::Goal;
use maxout_engine::game::level::level_after;
use maxout_engine::game::scoring::{Progress, Score, clear_points};

/// Lines up to which the table of clears goes.
const MOST_LINES: usize = 400;
/// Tetrises up to which it goes.
const MOST_CLEARS: usize = 120;
/// Rows that a tetris clears.
const TETRIS: usize = 4;

/// What is left up to a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Left {
    /// Tetrises; a part of one near the end of a B-type game.
    pub tetrises: f32,
    /// Rows that the next clear should have, 0 to 4.
    pub rows: usize,
}

/// The lines with which a level begins that is the goal of games from another level; 0 for other goals.
fn lines_to(goal: Goal, start_level: u8) -> u16 {
    let Goal::Level(goal) = goal else { return 0 };
    let lines = (0..u16::MAX).find(|&lines| level_after(start_level, lines) >= goal);
    lines.expect("every ten lines bring a level")
}

/// The tetrises up to a goal, if nothing smaller is cleared.
#[derive(Debug, Clone)]
pub struct ClearsLeft {
    goal: Goal,
    /// The lines with which a level that is the goal begins.
    lines: u16,
    /// `points[lines][n]`: points of `n` tetrises in a row, after so many lines.
    points: Vec<Vec<u32>>,
}

impl ClearsLeft {
    /// Of games from this level to this goal.
    pub fn new(goal: Goal, start_level: u8) -> ClearsLeft {
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
        ClearsLeft { goal, lines: lines_to(goal, start_level), points: points.collect() }
    }

    /// What is left with this score and these lines. Each of the last four lines of a B-type game counts, not only whole tetrises:
    /// at level 18 and the heights 0, 2, 3 and 5, with 1,000 games a layer, that comes to 10,216 frames in all. Counted from
    /// eight lines on it is 10,248, from twelve 10,312, from sixteen 10,328, and from the first one 10,696.
    pub fn left(&self, score: Score, progress: Progress) -> Left {
        let lines = usize::from(progress.lines());
        match self.goal {
            Goal::BType(_) if lines <= TETRIS => Left { tetrises: lines as f32 / TETRIS as f32, rows: lines },
            _ => Left { tetrises: self.of(score, progress) as f32, rows: TETRIS },
        }
    }

    /// The tetrises that are left with this score and these lines.
    pub fn of(&self, score: Score, progress: Progress) -> u32 {
        let lines = progress.lines();
        match self.goal {
            Goal::Score(goal) => {
                let left = goal.saturating_sub(score.value());
                let points = &self.points[usize::from(lines).min(MOST_LINES - 1)];
                points.partition_point(|&sum| sum < left) as u32
            }
            Goal::Lines(goal) => u32::from(goal.saturating_sub(lines)).div_ceil(TETRIS as u32),
            Goal::BType(_) => u32::from(lines).div_ceil(TETRIS as u32),
            Goal::Level(_) => u32::from(self.lines.saturating_sub(lines)).div_ceil(TETRIS as u32),
        }
    }
}
