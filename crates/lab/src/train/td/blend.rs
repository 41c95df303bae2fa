//! The mean of a net and the one that its training began with.

use maxout_engine::judge::learned::{Net, OUTPUTS, Row};

/// Takes every number of a net back towards that of another with as many heads: with a `share` of 0 it becomes the other one, with 1 it stays
/// (but for the rounding of numbers). The spans of a net without spans count as zeros.
///
/// # Panics
/// When the nets have other numbers of heads, or only `from` has spans.
pub fn blend(net: &mut Net, from: &Net, share: f32) {
    assert_eq!(net.heads.len(), from.heads.len());
    assert!(from.spans.is_empty() || from.spans.len() == net.spans.len());
    let between = |number: &mut f32, from: f32| *number = from + share * (*number - from);
    for (head, from) in net.heads.iter_mut().zip(&from.heads) {
        head.dense.numbers_mut().zip(from.dense.numbers()).for_each(|(number, &from)| between(number, from));
    }
    for (Row(row), Row(from)) in net.table.iter_mut().zip(&from.table) {
        row.iter_mut().zip(from).for_each(|(number, &from)| between(number, from));
    }
    for (index, row) in net.spans.iter_mut().enumerate() {
        let from = from.spans.get(index).unwrap_or(&[0.0; OUTPUTS]);
        row.iter_mut().zip(from).for_each(|(number, &from)| between(number, from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::td::{HeadGames, Learner};
    use maxout_engine::judge::learned::SPAN_ROWS;

    #[test]
    fn a_blend_is_a_mean_number_by_number() {
        let from = Learner::begin(1, &[HeadGames::PLATEAU]).net;
        let mut net = Learner::begin(2, &[HeadGames::PLATEAU]).net;
        net.table[5].0[7] = 8.0;
        net.spans = vec![[1.0; OUTPUTS]; SPAN_ROWS];
        let blended = |share| {
            let mut blended = net.clone();
            blend(&mut blended, &from, share);
            blended
        };
        let all = blended(1.0);
        let mut numbers = all.heads[0].dense.numbers().zip(net.heads[0].dense.numbers());
        assert!(numbers.all(|(found, number)| (found - number).abs() < 1e-6));
        assert!(all.table == net.table && all.spans == net.spans);
        let none = blended(0.0);
        assert!(none.heads == from.heads && none.table == from.table);
        assert!(none.spans.iter().flatten().all(|&number| number == 0.0));
        let quarter = blended(0.25);
        assert_eq!((quarter.table[5].0[7], quarter.spans[9][3]), (2.0, 0.25));
        let bias = [&net, &from, &quarter].map(|net| net.heads[0].dense.sum_bias[11]);
        assert!((bias[2] - (0.25 * bias[0] + 0.75 * bias[1])).abs() < 1e-6, "{bias:?}");
        // Both may have spans.
        let mut twice = net.clone();
        blend(&mut twice, &quarter, 0.5);
        assert_eq!(twice.spans[0][0], 0.625);
    }
}
