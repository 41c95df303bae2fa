//! The net: a table summed over features, two layers, and one output a piece.

use super::features::{FEATURES, Features};
use super::outlook::Outlook;
use crate::game::Piece;

/// Numbers summed up from the table before the first layer. Chosen by hand, not measured.
pub const SUMMED: usize = 88;
/// Width of the hidden layer. Chosen by hand, not measured.
pub const HIDDEN: usize = 64;
/// Outputs: one for each piece, and one that is never used and fills the vector.
pub const OUTPUTS: usize = 8;
/// Numbers in a row of the table: what is summed for the first layer, and what goes straight to
/// the outputs.
pub const LANES: usize = SUMMED + OUTPUTS;

/// The layers after the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Added to the sums.
    pub sum_bias: [f32; SUMMED],
    /// From the sums to the hidden layer: one row for each sum.
    pub hidden: Vec<[f32; HIDDEN]>,
    /// Added to the hidden layer.
    pub hidden_bias: [f32; HIDDEN],
    /// From the hidden layer to the outputs: one row for each output.
    pub out: [[f32; HIDDEN]; OUTPUTS],
    /// Added to the outputs.
    pub out_bias: [f32; OUTPUTS],
}

/// A row of the table, aligned to what a processor fetches at once.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row<N>(pub [N; LANES]);

/// The net in full precision, as it is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// One row for each feature.
    pub table: Vec<Row<f32>>,
    /// The layers after it.
    pub dense: Dense,
}

/// A net's values of a playfield: for each piece that may come next, the rewards still to be won
/// if it does.
pub type Values = [f32; OUTPUTS];

/// The state inside the net while it judges.
#[derive(Debug, Clone, Copy)]
pub struct Activation {
    /// The sums after the first ReLU.
    pub summed: [f32; SUMMED],
    /// The hidden layer after its ReLU.
    pub hidden: [f32; HIDDEN],
    /// The outputs.
    pub values: Values,
}

impl Dense {
    /// All zero.
    pub fn zero() -> Dense {
        Dense {
            sum_bias: [0.0; SUMMED],
            hidden: vec![[0.0; HIDDEN]; SUMMED],
            hidden_bias: [0.0; HIDDEN],
            out: [[0.0; HIDDEN]; OUTPUTS],
            out_bias: [0.0; OUTPUTS],
        }
    }

    /// All numbers in one fixed order, layer by layer.
    #[inline(always)]
    pub fn layers_mut(&mut self) -> [&mut [f32]; 5] {
        [
            &mut self.sum_bias,
            self.hidden.as_flattened_mut(),
            &mut self.hidden_bias,
            self.out.as_flattened_mut(),
            &mut self.out_bias,
        ]
    }

    /// All numbers in the order of [`Dense::layers_mut`].
    #[inline(always)]
    pub fn layers(&self) -> [&[f32]; 5] {
        [&self.sum_bias, self.hidden.as_flattened(), &self.hidden_bias, self.out.as_flattened(), &self.out_bias]
    }

    /// All numbers in the order of [`Dense::layers_mut`].
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.layers_mut().into_iter().flatten()
    }

    /// All numbers in the order of [`Dense::layers_mut`].
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.layers().into_iter().flatten()
    }

    /// The layers, from the sums (bias included) on.
    #[inline(always)]
    pub fn forward(&self, sums: &[f32; SUMMED], direct: &[f32; OUTPUTS]) -> Activation {
        let mut summed = [0.0; SUMMED];
        for (to, from) in summed.iter_mut().zip(sums) {
            *to = from.max(0.0);
        }
        let mut hidden = self.hidden_bias;
        for (&x, weights) in summed.iter().zip(&self.hidden) {
            for (to, weight) in hidden.iter_mut().zip(weights) {
                *to += x * weight;
            }
        }
        for x in &mut hidden {
            *x = x.max(0.0);
        }
        let mut values = [0.0; OUTPUTS];
        for (output, value) in values.iter_mut().enumerate() {
            *value = self.out_bias[output] + direct[output] + product(&hidden, &self.out[output]);
        }
        Activation { summed, hidden, values }
    }
}

/// The inner product, summed by halves: an order that suits vectors of every width.
#[inline(always)]
fn product(a: &[f32; HIDDEN], b: &[f32; HIDDEN]) -> f32 {
    let mut sums = [0.0; HIDDEN];
    for lane in 0..HIDDEN {
        sums[lane] = a[lane] * b[lane];
    }
    let mut half = HIDDEN / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

impl Net {
    /// Judges a playfield that shows these features.
    #[inline(always)]
    pub fn activation(&self, features: &Features) -> Activation {
        let mut sums = [0.0; LANES];
        sums[..SUMMED].copy_from_slice(&self.dense.sum_bias);
        for &index in features.indices() {
            let Row(row) = &self.table[index as usize];
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum += number;
            }
        }
        let (summed, direct) = sums.split_at(SUMMED);
        self.dense.forward(summed.try_into().expect("as long"), direct.try_into().expect("as long"))
    }

    /// The number of rows in a table.
    pub fn rows() -> usize {
        FEATURES
    }
}

/// The output for a piece.
#[inline(always)]
pub fn value_for(values: &Values, next: Piece) -> f32 {
    values[next.index()]
}

/// Table numbers are multiples of this part of one, in a [`QuickNet`].
const PARTS: f32 = 1024.0;
/// The direct lanes are multiples of this part of one.
const DIRECT_PARTS: f32 = 256.0;

/// The net as it plays: its table in whole numbers of 16 bits.
#[derive(Debug, Clone, PartialEq)]
pub struct QuickNet {
    table: Vec<Row<i16>>,
    dense: Dense,
    /// The numbers that a search needs to play by it.
    pub outlook: Outlook,
}

/// A table row in whole numbers; numbers that are too large are cut.
#[inline(always)]
fn rounded(row: &Row<f32>) -> Row<i16> {
    let mut whole = [0; LANES];
    for (to, from) in whole[..SUMMED].iter_mut().zip(&row.0) {
        *to = (from * PARTS).round_ties_even() as i16;
    }
    for (to, from) in whole[SUMMED..].iter_mut().zip(&row.0[SUMMED..]) {
        *to = (from * DIRECT_PARTS).round_ties_even() as i16;
    }
    Row(whole)
}

impl QuickNet {
    /// The net that plays like this one, except for rounding.
    pub fn of(net: &Net) -> QuickNet {
        QuickNet {
            table: net.table.iter().map(rounded).collect(),
            dense: net.dense.clone(),
            outlook: Outlook::default(),
        }
    }

    /// The same with only these rows of the table; the others are zero.
    pub fn of_rows(net: &Net, keeps: impl Fn(usize) -> bool) -> QuickNet {
        let kept = |(index, row)| if keeps(index) { rounded(row) } else { Row([0; LANES]) };
        QuickNet {
            table: net.table.iter().enumerate().map(kept).collect(),
            dense: net.dense.clone(),
            outlook: Outlook::default(),
        }
    }

    /// A net of its parts; the table has a row for each feature.
    pub(super) fn from_parts(table: Vec<Row<i16>>, dense: Dense, outlook: Outlook) -> QuickNet {
        assert_eq!(table.len(), FEATURES);
        QuickNet { table, dense, outlook }
    }

    /// One row for each feature: the summed lanes in 1024ths, the direct lanes in 256ths.
    pub fn table(&self) -> &[Row<i16>] {
        &self.table
    }

    /// The layers after the table.
    pub fn dense(&self) -> &Dense {
        &self.dense
    }

    /// Takes over the layers and these rows of the table.
    #[inline(always)]
    pub fn follow(&mut self, net: &Net, rows: impl Iterator<Item = u32>) {
        for row in rows {
            self.table[row as usize] = rounded(&net.table[row as usize]);
        }
        self.dense.clone_from(&net.dense);
    }

    /// The outputs for these features.
    #[inline(always)]
    pub fn values(&self, features: &Features) -> Values {
        let mut sums = [0i16; LANES];
        for &index in features.indices() {
            let Row(row) = &self.table[index as usize];
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*number);
            }
        }
        let mut summed = self.dense.sum_bias;
        for (to, from) in summed.iter_mut().zip(&sums) {
            *to += f32::from(*from) * (1.0 / PARTS);
        }
        let mut direct = [0.0; OUTPUTS];
        for (to, from) in direct.iter_mut().zip(&sums[SUMMED..]) {
            *to = f32::from(*from) * (1.0 / DIRECT_PARTS);
        }
        self.dense.forward(&summed, &direct).values
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::{Playfield, ROWS};

    fn playfield(random: &mut impl RngExt) -> Playfield {
        let top = random.random_range(0..ROWS);
        Playfield::from_rows(std::array::from_fn(|y| {
            if y < top { 0 } else { random.random::<u16>() | random.random::<u16>() }
        }))
    }

    #[test]
    fn a_quick_net_says_what_the_net_says_but_for_rounding() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut number = || random.random::<f32>() - 0.5;
        let mut net = Net { table: vec![Row([0.0; LANES]); Net::rows()], dense: Dense::zero() };
        for row in &mut net.table {
            row.0 = std::array::from_fn(|_| number());
        }
        for weight in net.dense.numbers_mut() {
            *weight = number();
        }
        let quick = QuickNet::of(&net);
        let mut worst = 0.0f32;
        for _ in 0..300 {
            let features = Features::of(&playfield(&mut random));
            let (exact, found) = (net.activation(&features).values, quick.values(&features));
            let count = features.indices().len() as f32;
            for output in 0..OUTPUTS {
                // A ReLU passes on no more than its input.
                let reach: f32 = (0..HIDDEN)
                    .map(|unit| {
                        let into: f32 = net.dense.hidden.iter().map(|row| row[unit].abs()).sum();
                        net.dense.out[output][unit].abs() * into
                    })
                    .sum();
                let bound = count * (0.5 / DIRECT_PARTS + reach * 0.5 / PARTS) + 0.01;
                let loss = (exact[output] - found[output]).abs();
                assert!(loss <= bound, "{loss} {bound}");
                worst = worst.max(loss);
            }
        }
        assert!(worst > 0.0 && worst < 0.5, "{worst}");
    }

    #[test]
    fn rows_that_are_not_kept_are_zero_and_rows_can_be_taken_over() {
        let mut net = Net { table: vec![Row([0.25; LANES]); Net::rows()], dense: Dense::zero() };
        let mut quick = QuickNet::of_rows(&net, |row| row % 2 == 0);
        assert_eq!((quick.table()[4].0[0], quick.table()[4].0[LANES - 1], quick.table()[5].0[0]), (256, 64, 0));
        net.dense.out_bias[3] = 1.5;
        // Numbers that are too large are cut.
        net.table[5] = Row([1e9; LANES]);
        quick.follow(&net, [5].into_iter());
        assert_eq!(quick.table()[5], Row([i16::MAX; LANES]));
        assert_eq!((quick.table()[7].0[0], quick.dense()), (0, &net.dense));
    }
}
