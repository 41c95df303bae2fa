//! Sums of products of whole numbers, on the widest vectors that a processor has. They are the same on all.

use super::dense::{HIDDEN, SUMMED};

/// Sums are multiplied two by two: each step adds the products of two sums and their weights.
pub(super) const PAIRS: usize = SUMMED / 2;
/// The weights of two sums for all units of the hidden layer.
pub(super) type PairWeights = [[i16; 2]; HIDDEN];

/// What multiplies.
pub(super) trait Vectors: Copy {
    /// For each unit the sum of all products of a sum and its weight, none of which may overflow.
    fn products(self, summed: &[i16; SUMMED], weights: &[PairWeights; PAIRS]) -> [i32; HIDDEN];
}

/// Plain numbers: for every processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn products(self, summed: &[i16; SUMMED], weights: &[PairWeights; PAIRS]) -> [i32; HIDDEN] {
        let mut products = [0; HIDDEN];
        for (&[first, second], weights) in summed.as_chunks::<2>().0.iter().zip(weights) {
            for (to, weights) in products.iter_mut().zip(weights) {
                *to += i32::from(first) * i32::from(weights[0]) + i32::from(second) * i32::from(weights[1]);
            }
        }
        products
    }
}

/// With an instruction that multiplies numbers of 16 bits and adds the products up two by two: `$multiply`, for `$width`
/// pairs at once.
///
/// All of it are operations on whole vectors: what checks each number for an overflow, as `+` does in tests, or moves them
/// through memory one by one takes five times as long there.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! by_pairs {
    ($simd: ty, $width: literal, $multiply: ident, $add: ident, $splat: ident) => {
        impl Vectors for $simd {
            #[inline(always)]
            fn products(self, summed: &[i16; SUMMED], weights: &[PairWeights; PAIRS]) -> [i32; HIDDEN] {
                let mut products = [self.$splat(0); HIDDEN / $width];
                for (&[first, second], weights) in summed.as_chunks::<2>().0.iter().zip(weights) {
                    // In memory the first number comes first.
                    let pair = pulp::cast(self.$splat(i32::from(second) << 16 | i32::from(first as u16)));
                    let weights = <$simd as pulp::Simd>::as_simd_i16s(weights.as_flattened()).0;
                    for (to, &weights) in products.iter_mut().zip(weights) {
                        *to = self.$add(*to, self.$multiply(pair, weights));
                    }
                }
                pulp::cast(products)
            }
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
by_pairs!(pulp::x86::V3, 8, multiply_wrapping_add_adjacent_i16x16, wrapping_add_i32x8, splat_i32x8);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
by_pairs!(pulp::x86::V4, 16, multiply_wrapping_add_adjacent_i16x32, wrapping_add_i32x16, splat_i32x16);

#[cfg(test)]
mod tests {
    use pulp::Arch;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// The sums by a loop over the units.
    fn slowly(summed: &[i16; SUMMED], weights: &[PairWeights; PAIRS]) -> [i32; HIDDEN] {
        std::array::from_fn(|unit| {
            (0..SUMMED).map(|lane| i32::from(summed[lane]) * i32::from(weights[lane / 2][unit][lane % 2])).sum()
        })
    }

    #[test]
    fn all_vectors_find_the_same() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        for round in 0..50 {
            // In the last round the largest numbers that do not overflow.
            let (most, weight) = if round < 49 { (20_000, 700) } else { (i16::MAX, 744) };
            let summed = std::array::from_fn(|_| if round < 49 { random.random_range(0..=most) } else { most });
            let sign: i16 = if round % 2 == 0 { 1 } else { -1 };
            let weights: [PairWeights; PAIRS] = std::array::from_fn(|_| {
                std::array::from_fn(|_| {
                    [0, 1].map(|_| if round < 49 { random.random_range(-weight..=weight) } else { sign * weight })
                })
            });
            let expected = slowly(&summed, &weights);
            assert_eq!(Plain.products(&summed, &weights), expected);
            match Arch::new() {
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                Arch::V4(simd) => {
                    assert_eq!(simd.products(&summed, &weights), expected);
                    let narrower: pulp::x86::V3 = *simd;
                    assert_eq!(narrower.products(&summed, &weights), expected);
                }
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                Arch::V3(simd) => assert_eq!(simd.products(&summed, &weights), expected),
                _ => {}
            }
        }
    }
}
