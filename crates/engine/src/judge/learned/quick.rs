//! The layers of a net as it plays: whole numbers up to the hidden layer, the same on every processor.

use super::dense::{Dense, HIDDEN, OUTPUTS, SUMMED, Values, product};
use super::table::{DIRECT_PARTS, LANES, PARTS};
use super::vectors::{PAIRS, PairWeights, Vectors};

/// The layers after the table. The weights of a unit of the hidden layer are whole numbers, so large that no sum of
/// products overflows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QuickLayers {
    /// Added to the sums, in their parts.
    sum_bias: [i16; SUMMED],
    /// For each pair of sums and each unit the weights of both.
    pairs: Box<[PairWeights; PAIRS]>,
    /// What a unit's sum of products is multiplied by.
    scale: [f32; HIDDEN],
    hidden_bias: [f32; HIDDEN],
    /// From the hidden layer to each output.
    out: [[f32; HIDDEN]; OUTPUTS],
    out_bias: [f32; OUTPUTS],
}

impl QuickLayers {
    /// The layers that say what these say, but for rounding.
    pub fn of(dense: &Dense) -> QuickLayers {
        let factor: [f32; HIDDEN] = std::array::from_fn(|unit| factor(dense.hidden.iter().map(|row| row[unit])));
        let weight = |lane: usize, unit: usize| (dense.hidden[lane][unit] * factor[unit]).round_ties_even() as i16;
        let pair = |pair: usize| std::array::from_fn(|unit| [0, 1].map(|second| weight(2 * pair + second, unit)));
        QuickLayers {
            sum_bias: dense.sum_bias.map(|bias| (bias * PARTS).round_ties_even() as i16),
            pairs: Box::new(std::array::from_fn(pair)),
            scale: factor.map(|factor| 1.0 / (factor * PARTS)),
            hidden_bias: dense.hidden_bias,
            out: dense.out,
            out_bias: dense.out_bias,
        }
    }

    /// The outputs for these sums of the table's rows.
    #[inline(always)]
    pub fn values(&self, vectors: impl Vectors, sums: &[i16; LANES]) -> Values {
        let mut summed = [0i16; SUMMED];
        for (to, (sum, bias)) in summed.iter_mut().zip(sums.iter().zip(&self.sum_bias)) {
            *to = sum.saturating_add(*bias).max(0);
        }
        let products = vectors.products(&summed, &self.pairs);
        let mut hidden = [0.0f32; HIDDEN];
        for unit in 0..HIDDEN {
            hidden[unit] = (products[unit] as f32 * self.scale[unit] + self.hidden_bias[unit]).max(0.0);
        }
        std::array::from_fn(|output| {
            let direct = f32::from(sums[SUMMED + output]) * (1.0 / DIRECT_PARTS);
            self.out_bias[output] + direct + product(&hidden, &self.out[output])
        })
    }
}

/// The largest [`factor`], for weights that are all zero or nearly so.
const MOST_FACTOR: f32 = 16_384.0;

/// What the weights of a unit are multiplied by before they become whole numbers: the largest power of two with which
/// neither a weight nor a sum of products overflows, whatever the sums are.
fn factor(weights: impl Iterator<Item = f32>) -> f32 {
    let (total, largest) =
        weights.map(f32::abs).fold((0.0f32, 0.0f32), |(total, largest), weight| (total + weight, largest.max(weight)));
    // Less half a step for each weight that is rounded up.
    let most_in_all = (i32::MAX / i32::from(i16::MAX)) as f32 - SUMMED as f32;
    let mut factor = MOST_FACTOR;
    while factor > f32::MIN_POSITIVE && (total * factor > most_in_all || largest * factor > f32::from(i16::MAX)) {
        factor /= 2.0;
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_as_large_as_no_overflow_allows() {
        assert_eq!(factor([0.0; SUMMED].into_iter()), MOST_FACTOR);
        // 88 of 0.5 are 44: times 1,024 that is 45,056, times 2,048 more than 65,538.
        assert_eq!(factor([0.5; SUMMED].into_iter()), 1024.0);
        // One weight alone must be a number of 16 bits.
        assert_eq!(factor([-3.0].into_iter()), 8192.0);
        for weight in [f32::MAX, 1e30, 7e3, 0.01, 1e-20, f32::MIN_POSITIVE] {
            let mut dense = Dense::zero();
            dense.hidden.fill([-weight; HIDDEN]);
            let layers = QuickLayers::of(&dense);
            let total: i64 = layers.pairs.iter().flat_map(|pair| pair[0]).map(|weight| i64::from(weight).abs()).sum();
            assert!(total * i64::from(i16::MAX) <= i64::from(i32::MAX), "{weight}");
            // Larger weights are cut by the smallest factor, smaller ones by the largest.
            if (0.1..=1e30).contains(&weight) {
                assert!(total * 4 * i64::from(i16::MAX) > i64::from(i32::MAX), "{weight}");
            }
        }
    }
}
