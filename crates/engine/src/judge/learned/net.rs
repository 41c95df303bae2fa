//! The net: a table summed over features, two layers, and one output a piece; and spans, which are added to the outputs.

use std::num::NonZeroU8;

use super::dense::{Activation, OUTPUTS, SUMMED, Values};
use super::features::{FEATURES, Features, SPAN_ROWS};
use super::head::{Head, nearest};
use super::outlook::Outlook;
use super::quick::QuickLayers;
use super::spans;
use super::table::{DIRECT_PARTS, LANES, PARTS, Row, Table};
use super::vectors::{Plain, Vectors};
use crate::game::{Gravity, Piece};
use crate::gamepad::Tapping;

/// The net in full precision, as it is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// One row for each feature.
    pub table: Vec<Row<f32>>,
    /// What each way that a span may look adds to the outputs: [`SPAN_ROWS`], or none for a net without spans.
    pub spans: Vec<[f32; OUTPUTS]>,
    /// The layers after it, at least one set.
    pub heads: Vec<Head>,
}

impl Net {
    /// Judges a playfield that shows these features, with one of the heads. The values are not multiplied
    /// by [`Head::scale`].
    #[inline(always)]
    pub fn activation(&self, features: &Features, head: usize) -> Activation {
        let dense = &self.heads[head].dense;
        let mut sums = [0.0; LANES];
        sums[..SUMMED].copy_from_slice(&dense.sum_bias);
        for &index in features.indices() {
            let Row(row) = &self.table[index as usize];
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum += number;
            }
        }
        if !self.spans.is_empty() {
            for &row in features.spans() {
                for (sum, number) in sums[SUMMED..].iter_mut().zip(&self.spans[row as usize]) {
                    *sum += number;
                }
            }
        }
        let (summed, direct) = sums.split_at(SUMMED);
        dense.forward(summed.try_into().expect("as long"), direct.try_into().expect("as long"))
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

/// The net as it plays: in whole numbers up to its hidden layer. While it is trained only its table is in whole numbers, so that a
/// training makes the same net as before.
#[derive(Debug, Clone)]
pub struct QuickNet {
    table: Table,
    /// In 256ths, as the direct lanes of the table; none for a net without spans.
    spans: Vec<[i16; OUTPUTS]>,
    heads: Vec<Head>,
    /// Those of the heads in whole numbers, if it plays by them.
    layers: Option<Vec<QuickLayers>>,
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

/// A row of a span in whole numbers.
fn rounded_span(row: &[f32; OUTPUTS]) -> [i16; OUTPUTS] {
    row.map(|number| (number * DIRECT_PARTS).round_ties_even() as i16)
}

impl PartialEq for QuickNet {
    fn eq(&self, other: &QuickNet) -> bool {
        self.table == other.table
            && self.spans == other.spans
            && self.heads == other.heads
            && self.outlook == other.outlook
    }
}

fn quick_layers(heads: &[Head]) -> Vec<QuickLayers> {
    heads.iter().map(|head| QuickLayers::of(&head.dense)).collect()
}

impl QuickNet {
    /// The net that plays like this one, except for rounding.
    pub fn of(net: &Net) -> QuickNet {
        QuickNet::of_rows(net, |_| true, |_| true)
    }

    /// The same with only these rows of the table and of the spans; the others are zero.
    pub fn of_rows(net: &Net, keeps: impl Fn(usize) -> bool, keeps_span: impl Fn(usize) -> bool) -> QuickNet {
        let kept = |(index, row)| if keeps(index) { rounded(row) } else { Row([0; LANES]) };
        let table = Table::Wide(net.table.iter().enumerate().map(kept).collect());
        let kept = |(index, row)| if keeps_span(index) { rounded_span(row) } else { [0; OUTPUTS] };
        let spans = net.spans.iter().enumerate().map(kept).collect();
        QuickNet { table, spans, heads: net.heads.clone(), layers: None, outlook: Outlook::default() }
    }

    /// A net of its parts; the table has a row for each feature, the spans have all rows or none, and there is a head.
    pub(super) fn from_parts(table: Table, spans: Vec<[i16; OUTPUTS]>, heads: Vec<Head>, outlook: Outlook) -> QuickNet {
        assert!(!heads.is_empty());
        assert!(spans.is_empty() || spans.len() == SPAN_ROWS);
        assert!(!matches!(&table, Table::Wide(rows) if rows.len() != FEATURES));
        let layers = Some(quick_layers(&heads));
        QuickNet { table, spans, heads, layers, outlook }
    }

    /// The table.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// The rows of its spans, in 256ths.
    pub(super) fn spans(&self) -> &[[i16; OUTPUTS]] {
        &self.spans
    }

    /// Has it spans?
    pub fn has_spans(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Has its table numbers of 8 bits?
    pub fn is_packed(&self) -> bool {
        matches!(self.table, Table::Packed(_))
    }

    /// The same net with its table in numbers of 8 bits: shorter files, and a little less exact. They
    /// are multiples of `least_step` parts, 1024ths of one: the larger it is, the shorter is a file. With 1 nothing is lost:
    /// rows for which 8 bits do not do keep 16. The step of the spans is at least as many 256ths. A table of 8 bits stays as it is, with its spans.
    pub fn packed(&self, least_step: NonZeroU8) -> QuickNet {
        let table = Table::Packed(self.table.packed(least_step.get()).into_owned());
        let spans = if self.is_packed() { self.spans.clone() } else { spans::packed(&self.spans, least_step.get()) };
        QuickNet { table, spans, heads: self.heads.clone(), layers: self.layers.clone(), outlook: self.outlook }
    }

    /// The sets of layers after the table, at least one.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Puts these heads, at least one, in the place of its own.
    ///
    /// # Panics
    /// When there is none.
    pub fn set_heads(&mut self, heads: Vec<Head>) {
        assert!(!heads.is_empty());
        self.layers = self.layers.as_ref().map(|_| quick_layers(&heads));
        self.heads = heads;
    }

    /// The index of the head that suits a gravity and a way of tapping best, the next piece known at the spawn.
    pub fn head_for(&self, gravity: Gravity, tapping: Tapping) -> usize {
        let games = self.heads.iter().map(|head| &head.trained_for);
        nearest(games.zip(0..), gravity, tapping, 0).expect("a net has a head")
    }

    /// The same net in full precision, but that numbers of 8 bits become whole 1024ths.
    pub fn to_net(&self) -> Net {
        let part = |lane: usize| if lane < SUMMED { PARTS } else { DIRECT_PARTS };
        let exact = |Row(row): &Row<i16>| Row(std::array::from_fn(|lane| f32::from(row[lane]) / part(lane)));
        let spans = self.spans.iter().map(|row| row.map(|number| f32::from(number) / DIRECT_PARTS)).collect();
        Net { table: self.table.wide().iter().map(exact).collect(), spans, heads: self.heads.clone() }
    }

    /// Takes over the layers and these rows of the table and of the spans.
    #[inline(always)]
    pub fn follow(&mut self, net: &Net, rows: impl Iterator<Item = u32>, spans: impl Iterator<Item = u32>) {
        for row in spans {
            self.spans[row as usize] = rounded_span(&net.spans[row as usize]);
        }
        if matches!(self.table, Table::Packed(_)) {
            self.table = Table::Wide(self.table.wide().into_owned());
        }
        if let Table::Wide(table) = &mut self.table {
            for row in rows {
                table[row as usize] = rounded(&net.table[row as usize]);
            }
        }
        self.heads.clone_from(&net.heads);
        self.layers = None;
    }

    /// The outputs of one of the heads for these features.
    #[inline(always)]
    pub fn values(&self, features: &Features, head: usize) -> Values {
        self.values_of(Plain, &self.sums(features), head)
    }

    /// The sums of the rows of the table that a playfield shows; those of its spans are in the direct lanes.
    #[inline(always)]
    pub(super) fn sums(&self, features: &Features) -> [i16; LANES] {
        let mut sums = self.table.sums(features);
        if !self.spans.is_empty() {
            for &row in features.spans() {
                for (sum, number) in sums[SUMMED..].iter_mut().zip(&self.spans[row as usize]) {
                    *sum = sum.wrapping_add(*number);
                }
            }
        }
        sums
    }

    /// The outputs of one of the heads for these sums.
    #[inline(always)]
    pub(super) fn values_of(&self, vectors: impl Vectors, sums: &[i16; LANES], head: usize) -> Values {
        let Head { dense, scale, .. } = &self.heads[head];
        let values = match &self.layers {
            Some(layers) => layers[head].values(vectors, sums),
            None => {
                let mut summed = dense.sum_bias;
                for (to, from) in summed.iter_mut().zip(sums) {
                    *to += f32::from(*from) * (1.0 / PARTS);
                }
                let mut direct = [0.0; OUTPUTS];
                for (to, from) in direct.iter_mut().zip(&sums[SUMMED..]) {
                    *to = f32::from(*from) * (1.0 / DIRECT_PARTS);
                }
                dense.forward(&summed, &direct).values
            }
        };
        values.map(|value| value * scale)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::{Playfield, ROWS};
    use crate::judge::learned::{HIDDEN, SPANS};

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
        let table = vec![Row([0.0; LANES]); Net::rows()];
        let mut net = Net { table, spans: vec![[0.0; OUTPUTS]; SPAN_ROWS], heads: vec![Head::zero()] };
        for row in &mut net.table {
            row.0 = std::array::from_fn(|_| number());
        }
        for row in &mut net.spans {
            *row = std::array::from_fn(|_| number());
        }
        for weight in net.heads[0].dense.numbers_mut() {
            *weight = number();
        }
        let exact = QuickNet::of(&net);
        let quick = QuickNet::from_parts(exact.table.clone(), exact.spans.clone(), exact.heads.clone(), exact.outlook);
        let mut worst = 0.0f32;
        for _ in 0..300 {
            let features = Features::of(&playfield(&mut random));
            let (exact, found) = (net.activation(&features, 0).values, quick.values(&features, 0));
            let count = (features.indices().len() + SPANS) as f32;
            for output in 0..OUTPUTS {
                // A ReLU passes on no more than its input.
                let reach: f32 = (0..HIDDEN)
                    .map(|unit| {
                        let into: f32 = net.heads[0].dense.hidden.iter().map(|row| row[unit].abs()).sum();
                        net.heads[0].dense.out[output][unit].abs() * into
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
        let table = vec![Row([0.25; LANES]); Net::rows()];
        let mut net = Net { table, spans: vec![[0.5; OUTPUTS]; SPAN_ROWS], heads: vec![Head::zero()] };
        let mut quick = QuickNet::of_rows(&net, |row| row % 2 == 0, |row| row % 3 == 0);
        assert_eq!([3, 4].map(|row| quick.spans()[row]), [[128; OUTPUTS], [0; OUTPUTS]]);
        assert_eq!([(4, 0), (4, LANES - 1), (5, 0)].map(|(row, lane)| quick.table().wide()[row].0[lane]), [256, 64, 0]);
        net.heads[0].dense.out_bias[3] = 1.5;
        // Numbers that are too large are cut.
        net.table[5] = Row([1e9; LANES]);
        net.spans[4][1] = -1.25;
        quick.follow(&net, [5].into_iter(), [4].into_iter());
        assert_eq!([quick.spans()[4][..2] == [128, -320], quick.spans()[5] == [0; OUTPUTS]], [true; 2]);
        assert_eq!(quick.table().wide()[5], Row([i16::MAX; LANES]));
        assert_eq!((quick.table().wide()[7].0[0], quick.heads()), (0, &net.heads[..]));
    }
}
