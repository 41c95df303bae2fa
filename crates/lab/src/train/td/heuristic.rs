//! The hand-made player of the first phase of a training: it stacks nine columns and keeps the
//! tenth open for the I.
//!
//! Without it, a training from nothing learned to survive by singles (17 % tetrises after 150 s on
//! one core); with it for the first 15 s, 53 % of the lines were tetrises after 75 s. Its weights
//! were chosen by hand: a player of this kind reached a mean of 329,602 points and 22.5 % tetrises
//! in 1,000 games. It only has to show what a tetris is worth; the later phases do without it.

use maxout_engine::game::{Playfield, ROWS, WIDTH};

/// The column that stays open.
const WELL: usize = WIDTH - 1;

/// The value of a placement; higher is better. All weights chosen by hand, not tuned.
pub(super) fn judge(after: &Playfield, cleared: u8) -> f32 {
    let rows = after.visible();
    let mut heights = [0i32; WIDTH];
    let mut covered = 0u16;
    let mut holes = 0;
    let mut over_holes = 0;
    for (y, &row) in rows.iter().enumerate() {
        let fresh = row & !covered;
        for (column, height) in heights.iter_mut().enumerate() {
            if fresh >> column & 1 == 1 {
                *height = (ROWS - y) as i32;
            }
        }
        let here = covered & !row;
        holes += here.count_ones();
        over_holes += u32::from(here != 0);
        covered |= row;
    }
    let tallest = *heights[..WELL].iter().max().expect("nine columns");
    let mut roughness = 0;
    let mut pits = 0;
    for column in 0..WELL {
        let left = if column == 0 { ROWS as i32 } else { heights[column - 1] };
        let right = if column + 1 == WELL { ROWS as i32 } else { heights[column + 1] };
        let pit = left.min(right) - heights[column];
        pits += (pit - 1).max(0);
        if column + 1 < WELL {
            let step = (heights[column + 1] - heights[column]).abs();
            roughness += step + (step - 2).max(0);
        }
    }
    let danger = (tallest - 10).max(0);
    let lines = match cleared {
        4 => 60.0,
        0 => 0.0,
        lines => {
            if tallest > 9 || holes > 0 {
                f32::from(lines)
            } else {
                -4.0
            }
        }
    };
    lines
        - 7.0 * holes as f32
        - 4.0 * over_holes as f32
        - roughness as f32
        - 2.5 * pits as f32
        - 0.4 * (danger * danger) as f32
        - 5.0 * heights[WELL] as f32 * if tallest > 11 { 0.2 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::game::Actor;
    use super::super::{Behaviour, Rates};
    use super::*;
    use crate::train::td::{HeadGames, Learner};

    #[test]
    fn it_keeps_the_well_open_for_tetrises() {
        let net = Learner::begin(1, &[HeadGames::PLATEAU]).quick;
        let rates = Rates {
            discount: 0.9,
            lambda: 0.0,
            step: 1e-3,
            explore: 0.0,
            strap: 0.0,
            clip: 8.0,
            topout: 0.0,
            strays: 0.0,
            messy: 0.0,
            table: 1.0,
            spans: 0.0,
        };
        let mut actor = Actor::begin(1, 1, 0);
        let mut open = [0; WIDTH];
        for segment in 0..200 {
            actor.play(&net, Behaviour::Heuristic, &rates, segment, &[]);
            let rows = actor.standing().playfield.visible();
            for (column, open) in open.iter_mut().enumerate() {
                *open += u32::from(rows.iter().all(|row| row >> column & 1 == 0));
            }
        }
        let tally = actor.take_tally();
        assert!(open[WELL] > 80 && open[..WELL].iter().all(|&other| other < open[WELL] / 4), "{open:?} {tally:?}");
        assert!(tally.lines > 800 && tally.tetris_rate() > Some(0.3), "{tally:?}");
    }
}
