//! Rounds the table and the spans of a net so that its file becomes short.

use maxout_engine::judge::learned::{Head, LANES, Net, OUTPUTS, Row, SPANS, SUMMED};

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

/// Rounds the rows of a net. The noise of the rounding that a playfield sees is least for a length when the steps of a row
/// are inversely proportional to the root of how often it is seen. `step` is that of a row of the table that every playfield
/// shows, in 1024ths; `visits` says how often each row of the table was seen, `span_visits` each row of the spans.
///
/// # Panics
/// When there are not as many visits as rows.
pub fn coarsen(net: &mut Net, visits: &[u32], span_visits: &[u32], step: f32) {
    assert_eq!((visits.len(), span_visits.len()), (net.table.len(), net.spans.len()));
    let largest = weight_of_sums(&net.heads).into_iter().fold(0.0, f32::max);
    // Every playfield has the six features of the widest windows.
    let playfields = visits[..6 * 9 * 9 * 9 * 9].iter().map(|&seen| f64::from(seen)).sum::<f64>() / 6.0;
    // One of seven direct lanes counts at a time, and counts as it is.
    let direct = largest * (7.0f32).sqrt() * (part(0) / part(LANES - 1));
    let rarity = |playfields: f64, seen: u32| (playfields / f64::from(seen.max(1))).sqrt() as f32;
    for (Row(row), &seen) in net.table.iter_mut().zip(visits) {
        let rarity = rarity(playfields, seen);
        let (summed, others) = row.split_at_mut(SUMMED);
        for (lanes, part, own) in [(summed, part(0), step * rarity), (others, part(SUMMED), direct * step * rarity)] {
            // A step is kept in 8 bits. Numbers that are more steps than fit into 8 bits make a row of 16.
            let own = own.ceil().clamp(1.0, 255.0) * part;
            lanes.iter_mut().for_each(|number| *number = (*number / own).round() * own);
        }
    }
    // The spans have one step for all rows, of which the steps of the rows are multiples.
    let largest = net.spans.iter().flatten().fold(0.0f32, |most, number| most.max(number.abs()));
    let shared = (largest / part(LANES - 1) / 127.0).ceil().max(1.0);
    // The net may have learned its spans from fewer playfields than its table.
    let playfields = span_visits.iter().map(|&seen| f64::from(seen)).sum::<f64>() / SPANS as f64;
    for (row, &seen) in net.spans.iter_mut().zip(span_visits) {
        let own = (direct * step * rarity(playfields, seen) / shared).ceil().max(1.0) * shared * part(LANES - 1);
        row.iter_mut().for_each(|number| *number = (*number / own).round() * own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::td::{HeadGames, Learner};
    use maxout_engine::judge::learned::SPAN_ROWS;

    #[test]
    fn rows_that_are_seldom_seen_become_coarse() {
        let mut learner = Learner::begin(1, &[HeadGames::PLATEAU]);
        for (index, Row(row)) in learner.net.table.iter_mut().enumerate() {
            *row = std::array::from_fn(|lane| ((index * 31 + lane * 17) % 2001) as f32 / 1000.0 - 1.0);
        }
        learner.net.spans = vec![[0.0; OUTPUTS]; SPAN_ROWS];
        for (index, row) in learner.net.spans.iter_mut().enumerate() {
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
        // Half a million playfields showed spans: one row for each.
        let mut span_visits = vec![0; exact.spans.len()];
        (0..9).for_each(|span| span_visits[span * 16_000] = 500_000);
        (span_visits[1], span_visits[2], span_visits[3]) = (125_000, 5_000, 20);
        coarsen(&mut net, &visits, &span_visits, 2.0);
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
        // Numbers up to 256 parts need steps of three parts to fit into 8 bits.
        for (row, factor) in [(0, 1.015), (1, 2.029), (2, 10.15), (3, 160.4), (4, 717.3)] {
            let step = (direct * 2.0 * factor / 3.0).ceil() * 3.0;
            for (found, exact) in net.spans[row].iter().zip(exact.spans[row]).map(|(a, b)| (a * 256.0, b * 256.0)) {
                assert!((found - exact).abs() <= step / 2.0 + 0.01, "row {row}: {found} for {exact}, steps of {step}");
                assert!(((found / step) - (found / step).round()).abs() < 1e-3, "row {row}: {found}, steps of {step}");
            }
        }
        assert_eq!(net.heads, exact.heads);
    }
}
