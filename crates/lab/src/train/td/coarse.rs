//! Rounds the table of a net so that its file becomes short.

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
pub fn coarsen(net: &mut Net, visits: &[u32], step: f32) {
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
        // A million playfields: in each window of five columns they all show one row.
        let mut visits = vec![0; exact.table.len()];
        (0..6).for_each(|window| visits[window * 6561] = 1_000_000);
        (visits[1], visits[2], visits[3]) = (250_000, 10_000, 40);
        // The three other rows make 260,040 more views, which count as 43,340 playfields.
        let direct = weight_of_sums(&exact.heads).into_iter().fold(0.0, f32::max) * 7.0f32.sqrt() / 4.0;
        let mut net = exact.clone();
        coarsen(&mut net, &visits, 2.0);
        for (row, step, factor) in
            [(0, 3.0, 1.021), (1, 5.0, 2.043), (2, 21.0, 10.21), (3, 255.0, 161.5), (4, 255.0, 1021.4)]
        {
            let check = |lanes: std::ops::Range<usize>, step: f32, parts: f32| {
                let (mut worst, mut multiples) = (0.0f32, true);
                for lane in lanes {
                    let [found, exact] = [&net, &exact].map(|net| net.table[row].0[lane] * parts);
                    worst = worst.max((found - exact).abs());
                    multiples &= ((found / step) - (found / step).round()).abs() < 1e-3;
                }
                assert!(multiples && worst <= step / 2.0 + 0.01, "row {row}: {worst} of {step}");
                worst
            };
            let worst = check(0..SUMMED, step, 1024.0);
            assert!(worst > step / 4.0, "row {row}: {worst} of {step}");
            check(SUMMED..LANES, (direct * 2.0 * factor).ceil().clamp(1.0, 255.0), 256.0);
        }
        assert_eq!(net.heads, exact.heads);
    }
}
