//! The table of a net as it plays: in whole numbers of 16 bits, or packed into 8.

use std::borrow::Cow;

use super::dense::{OUTPUTS, SUMMED};
use super::features::{FEATURES, Features};

/// Numbers in a row of the table: what is summed for the first layer, and what goes straight to
/// the outputs.
pub const LANES: usize = SUMMED + OUTPUTS;

/// A row of the table, aligned to what a processor fetches at once.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row<N>(pub [N; LANES]);

/// Table numbers are multiples of this part of one.
pub(super) const PARTS: f32 = 1024.0;
/// The direct lanes are multiples of this part of one.
pub(super) const DIRECT_PARTS: f32 = 256.0;
/// The largest whole number of 8 bits that is kept; its negative is the smallest.
pub(super) const LARGEST: i16 = 127;
/// Rows of 8 bits have multiples of this many parts at least, by default. With 1 only rows with
/// numbers above 127 parts would lose something, and files would be half as long again.
pub(super) const LEAST_STEP: u8 = 2;

/// The rows of a table, one for each feature.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Table {
    /// The summed lanes in 1024ths, the direct lanes in 256ths.
    Wide(Vec<Row<i16>>),
    /// Half the memory, and a little less exact.
    Packed(Packed),
}

/// The rows that are not all zero: in files in numbers of 8 bits, some in 16. In memory all have 16, since sums of 8 bits took
/// twice the time.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    /// For each feature the index of its row.
    index: Vec<u32>,
    /// First a row of zeros.
    rows: Vec<Row<i16>>,
    /// For each row what its numbers of 8 bits are multiplied by: those of the summed and of the direct lanes. One step
    /// for all rows would cut the largest numbers; with such a table the mean of 500 games from level 19 fell
    /// from 1,415,627 to 1,389,910. Rows that would lose too much in 8 bits have none.
    steps: Vec<[u8; 2]>,
}

impl PartialEq for Packed {
    fn eq(&self, other: &Packed) -> bool {
        self.rows().eq(other.rows())
    }
}

/// The steps of a row of 16 bits.
const OF_16: [u8; 2] = [0; 2];

/// The numbers of a row of a packed table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PackedNumbers<'a> {
    /// With the steps of the summed and of the direct lanes.
    Eight([i8; LANES], [u8; 2]),
    /// As in a table that is not packed.
    Sixteen(&'a [i16; LANES]),
}

impl PackedNumbers<'_> {
    /// The steps in a file; those of 16 bits are 0.
    pub fn steps(&self) -> [u8; 2] {
        match *self {
            PackedNumbers::Eight(_, steps) => steps,
            PackedNumbers::Sixteen(_) => OF_16,
        }
    }
}

/// The lanes that share a step.
fn group(lane: usize) -> usize {
    usize::from(lane >= SUMMED)
}

/// The number of 8 bits that is nearest, in steps; with a step of 0 all are 0.
pub(super) fn narrow(number: i16, step: i16) -> i8 {
    if step == 0 {
        return 0;
    }
    let steps = (f32::from(number) / f32::from(step)).round_ties_even();
    steps.clamp(-f32::from(LARGEST), f32::from(LARGEST)) as i8
}

/// The greatest common divisor; that of 0 and another number is the other.
pub(super) fn greatest_divisor(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

impl Packed {
    /// A table of zeros, with room for this many other rows.
    pub fn with_capacity(rows: usize) -> Packed {
        let mut packed = Packed {
            index: vec![0; FEATURES],
            rows: Vec::with_capacity(rows + 1),
            steps: Vec::with_capacity(rows + 1),
        };
        packed.rows.push(Row([0; LANES]));
        packed.steps.push(OF_16);
        packed
    }

    /// Adds the row of a feature that has none. Steps of 0 make no row.
    pub fn push(&mut self, feature: usize, row: &[i8; LANES], steps: [u8; 2]) {
        if steps != OF_16 {
            self.add(feature, widened(row, steps), steps);
        }
    }

    /// Adds the row of a feature that has none, in numbers of 16 bits.
    pub fn push_large(&mut self, feature: usize, row: [i16; LANES]) {
        self.add(feature, row, OF_16);
    }

    fn add(&mut self, feature: usize, row: [i16; LANES], steps: [u8; 2]) {
        self.index[feature] = self.rows.len() as u32;
        self.rows.push(Row(row));
        self.steps.push(steps);
    }

    /// The row of a feature.
    #[inline(always)]
    fn row(&self, feature: usize) -> &Row<i16> {
        &self.rows[self.index[feature] as usize]
    }

    /// Adds the row of a feature that has none, as exactly as can be: where all its numbers are multiples of a
    /// larger step, that is the step. With a least step of 1 nothing is lost: what does not fit into 8 bits stays in 16.
    fn push_wide(&mut self, feature: usize, Row(row): &Row<i16>, least_step: u8) {
        let (summed, direct) = row.split_at(SUMMED);
        let steps = [summed, direct].map(|lanes| {
            let largest = lanes.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
            let step = u8::try_from(largest.div_ceil(LARGEST as u16)).unwrap_or(u8::MAX).max(least_step);
            let shared = lanes.iter().fold(0, |shared, number| greatest_divisor(shared, number.unsigned_abs()));
            u8::try_from(shared).unwrap_or(0).max(step)
        });
        let narrowed: [i8; LANES] = std::array::from_fn(|lane| narrow(row[lane], steps[group(lane)].into()));
        if least_step == 1 && widened(&narrowed, steps) != *row {
            self.push_large(feature, *row);
        } else if narrowed != [0; LANES] {
            self.push(feature, &narrowed, steps);
        }
    }

    /// The rows with the numbers of their features, in rising order.
    pub fn rows(&self) -> impl Iterator<Item = (usize, PackedNumbers<'_>)> {
        let row = |(feature, &at): (usize, &u32)| {
            let at = at as usize;
            let (Row(row), steps) = (&self.rows[at], self.steps[at]);
            let numbers = match (at, steps) {
                (0, _) => return None,
                (_, OF_16) => PackedNumbers::Sixteen(row),
                _ => PackedNumbers::Eight(
                    std::array::from_fn(|lane| narrow(row[lane], steps[group(lane)].into())),
                    steps,
                ),
            };
            Some((feature, numbers))
        };
        self.index.iter().enumerate().filter_map(row)
    }
}

/// Adds a row of 16 bits to sums.
#[inline(always)]
fn add(sums: &mut [i16; LANES], Row(row): &Row<i16>) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*number);
    }
}

/// The numbers of a row of 8 bits.
fn widened(row: &[i8; LANES], steps: [u8; 2]) -> [i16; LANES] {
    std::array::from_fn(|lane| i16::from(row[lane]).wrapping_mul(steps[group(lane)].into()))
}

impl Table {
    /// The sums of the rows that a playfield shows: the summed lanes in 1024ths, the direct lanes in 256ths.
    #[inline(always)]
    pub fn sums(&self, features: &Features) -> [i16; LANES] {
        let mut sums = [0i16; LANES];
        match self {
            Table::Wide(table) => {
                for &feature in features.indices() {
                    add(&mut sums, &table[feature as usize]);
                }
            }
            Table::Packed(packed) => {
                for &feature in features.indices() {
                    add(&mut sums, packed.row(feature as usize));
                }
            }
        }
        sums
    }

    /// A row for each feature: the summed lanes in 1024ths, the direct lanes in 256ths.
    pub fn wide(&self) -> Cow<'_, [Row<i16>]> {
        match self {
            Table::Wide(table) => table.into(),
            Table::Packed(packed) => {
                let mut table = vec![Row([0; LANES]); FEATURES];
                for (feature, row) in table.iter_mut().enumerate() {
                    *row = *packed.row(feature);
                }
                table.into()
            }
        }
    }

    /// The same rows in numbers of 8 bits, multiples of `least_step` or more; rows that become zero are left
    /// out. With a least step of 1 rows that would lose something stay in 16 bits. Packed tables stay as they are.
    pub fn packed(&self, least_step: u8) -> Cow<'_, Packed> {
        match self {
            Table::Packed(packed) => Cow::Borrowed(packed),
            Table::Wide(table) => {
                let mut packed = Packed::with_capacity(table.len());
                for (feature, row) in table.iter().enumerate() {
                    packed.push_wide(feature, row, least_step);
                }
                Cow::Owned(packed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::{Playfield, ROWS};

    #[test]
    fn a_packed_table_loses_no_more_than_half_a_step_and_sums_up_what_it_has() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut table = vec![Row([0i16; LANES]); FEATURES];
        for row in table.iter_mut().step_by(3) {
            let reach = [100, 254, 255, 1000][random.random_range(0..4)];
            row.0 = std::array::from_fn(|_| random.random_range(-reach..=reach));
        }
        table[3].0[0] = i16::MIN;
        table[6].0[LANES - 1] = i16::MAX;
        let wide = Table::Wide(table);
        let packed = Table::Packed(wide.packed(LEAST_STEP).into_owned());
        let again = Table::Wide(packed.wide().into_owned());
        for (Row(exact), Row(found)) in wide.wide().iter().zip(&*again.wide()) {
            for lanes in [0..SUMMED, SUMMED..LANES] {
                let largest = exact[lanes.clone()].iter().map(|number| number.unsigned_abs()).max().unwrap();
                let step = largest.div_ceil(127).max(2);
                for lane in lanes {
                    let loss = (i32::from(exact[lane]) - i32::from(found[lane])).unsigned_abs();
                    let cut = if largest > 127 * 255 { 400 } else { 0 };
                    assert!(loss <= u32::from(step / 2) + cut, "{loss} {step}");
                }
            }
        }
        // Multiples of a larger step lose nothing.
        let mut row = Row([0; LANES]);
        row.0[..SUMMED].copy_from_slice(&std::array::from_fn::<_, SUMMED, _>(|lane| 24 * (lane as i16 - 44)));
        row.0[SUMMED] = -700;
        let mut one = Packed::with_capacity(1);
        one.push_wide(5, &row, 2);
        fn eight(packed: &Packed) -> ([i8; LANES], [u8; 2]) {
            match packed.rows().next() {
                Some((_, PackedNumbers::Eight(row, steps))) => (row, steps),
                other => panic!("{other:?}"),
            }
        }
        let (narrow, steps) = eight(&one);
        assert_eq!((steps, narrow[0], narrow[87], narrow[88]), ([24, 6], -44, 43, -117), "700 is no number of 8 bits");
        row.0[SUMMED] = -100;
        let mut one = Packed::with_capacity(1);
        one.push_wide(5, &row, 2);
        assert_eq!(eight(&one).1, [24, 100]);
        // With a least step of 1 nothing is lost.
        let exact = Table::Packed(wide.packed(1).into_owned());
        assert!(exact.wide() == wide.wide());
        let Table::Packed(parts) = &exact else { unreachable!() };
        let large = parts.rows().filter(|(_, numbers)| numbers.steps() == OF_16).count();
        assert!(large > 100 && parts.rows.len() > large + 100);
        for _ in 0..200 {
            let top = random.random_range(0..ROWS);
            let playfield =
                Playfield::from_rows(std::array::from_fn(|y| if y < top { 0 } else { random.random::<u16>() }));
            let features = Features::of(&playfield);
            let sums = packed.sums(&features);
            assert_eq!(sums, again.sums(&features));
            assert_ne!(sums, wide.sums(&features));
            assert_eq!(exact.sums(&features), wide.sums(&features));
        }
    }
}
