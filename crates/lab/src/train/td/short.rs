//! Rounds a net so that its file becomes short.

use maxout_engine::judge::learned::{Head, LANES, Net, OUTPUTS, Row, SUMMED};

/// What a whole number of a lane of the table stands for.
pub fn part(lane: usize) -> f32 {
    if lane < SUMMED { 1.0 / 1024.0 } else { 1.0 / 256.0 }
}

/// How much the values change with each sum, as a root of a mean of squares over the heads: along the weights, every
/// unit taken as active half of the time.
pub fn weight_of_sums(heads: &[Head]) -> [f32; SUMMED] {
    std::array::from_fn(|sum| {
        let of_head = |head: &Head| {
            let outs = |unit: usize| head.dense.out[..OUTPUTS - 1].iter().map(move |out| out[unit]);
            let square = |unit: usize| outs(unit).map(|out| out * out).sum::<f32>() / (OUTPUTS - 1) as f32;
            let weights = head.dense.hidden[sum].iter().enumerate();
            weights.map(|(unit, weight)| weight * weight * square(unit)).sum::<f32>() / 2.0
        };
        (heads.iter().map(of_head).sum::<f32>() / heads.len() as f32).sqrt()
    })
}

/// Rounds the rows of a table. The noise of the rounding that a playfield sees is least for a length when the steps of a row
/// are inversely proportional to the root of how often it is seen. `step` is that of a row that every playfield shows, in
/// 1024ths; `visits` says how often each row was seen.
///
/// # Panics
/// When there are not as many visits as rows.
pub fn shorten(net: &mut Net, visits: &[u32], step: f32) {
    assert_eq!(visits.len(), net.table.len());
    let largest = weight_of_sums(&net.heads).into_iter().fold(0.0, f32::max);
    // Every playfield has the six features of the widest windows.
    let playfields = visits[..6 * 9 * 9 * 9 * 9].iter().map(|&seen| f64::from(seen)).sum::<f64>() / 6.0;
    // One of seven direct lanes counts at a time, and counts as it is.
    let direct = largest * (7.0f32).sqrt() * (part(0) / part(LANES - 1));
    for (Row(row), &seen) in net.table.iter_mut().zip(visits) {
        let rarity = (playfields / f64::from(seen.max(1))).sqrt() as f32;
        let (summed, others) = row.split_at_mut(SUMMED);
        for (lanes, part, own) in [(summed, part(0), step * rarity), (others, part(SUMMED), direct * step * rarity)] {
            // A step is kept in 8 bits. Numbers that are more steps than fit into 8 bits make a row of 16.
            let own = own.ceil().clamp(1.0, 255.0) * part;
            lanes.iter_mut().for_each(|number| *number = (*number / own).round() * own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::td::{HeadGames, Learner};

    #[test]
    fn rows_that_are_seldom_seen_become_coarse() {
        let mut learner = Learner::begin(1, &[HeadGames::PLATEAU]);
        for (index, Row(row)) in learner.net.table.iter_mut().enumerate() {
            *row = std::array::from_fn(|lane| ((index * 31 + lane * 17) % 2001) as f32 / 1000.0 - 1.0);
        }
        let exact = learner.net.clone();
        // The first row is shown by every playfield, the others are seen in turn less and less often.
        let visits: Vec<u32> =
            (0..exact.table.len()).map(|row| if row == 0 { 6_000_000 } else { 100 * (row as u32 % 3) }).collect();
        let mut net = exact.clone();
        shorten(&mut net, &visits, 2.0);
        let worst = |row: usize| {
            let lanes = net.table[row].0.iter().zip(&exact.table[row].0);
            lanes.take(SUMMED).map(|(short, exact)| (short - exact).abs() * 1024.0).fold(0.0, f32::max)
        };
        let steps = |row: usize| net.table[row].0[..SUMMED].iter().map(|number| number * 1024.0).collect::<Vec<_>>();
        // 6 million times in all but for the other wide windows: each row of 100 is seen a thousandth of that.
        let playfields = visits[..6 * 6561].iter().map(|&seen| f64::from(seen)).sum::<f64>() / 6.0;
        for (row, seen) in [(0, 6_000_000.0), (1, 100.0), (2, 200.0), (3, 1.0)] {
            let step = (2.0 * (playfields / seen).sqrt() as f32).ceil().clamp(1.0, 255.0);
            assert!(worst(row) <= step / 2.0 + 0.01 && worst(row) > step / 4.0, "{row}: {} {step}", worst(row));
            assert!(steps(row).iter().all(|number| (number / step).fract().abs() < 1e-3), "{row}");
        }
        assert_eq!(net.heads, exact.heads);
    }
}
