//! The learning rule: how samples move the net.

use pulp::{Arch, NullaryFnOnce};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::game::{Actor, Sample};
use super::round::{GAMES, SEGMENT};
use super::schedule::{HeadGames, Rates};
use maxout_engine::judge::learned::{Dense, HIDDEN, Head, LANES, Net, OUTPUTS, QuickNet, Row, SPAN_ROWS, SUMMED};

// The five rates below are those of the training with the best start in a comparison of short
// runs (a mean of 570,000 points after 75 s on one core); none was varied on its own.

/// Decay of the mean of the gradients (Adam), as in Adam's publication.
const MEAN_DECAY: f32 = 0.9;
/// Decay of the mean of their squares (Adam), as in Adam's publication.
const SQUARE_DECAY: f32 = 0.999;
/// Step of the table as a share of the step of the layers.
const TABLE_STEP: f32 = 0.2;
/// Step of the table's direct lanes as a multiple of the step of its other lanes.
const DIRECT_STEP: f32 = 4.0;
/// Decay of the mean square of a table row's gradients.
const ROW_DECAY: f32 = 0.999;
/// Square roots are divided by no less than this: Adam's for the layers, and the table's. Only
/// against a division by zero.
const LAYER_EPSILON: f32 = 1e-8;
const TABLE_EPSILON: f32 = 1e-6;

/// One round of learning, compiled for each width of vectors. Not a closure: a closure that may be
/// called twice is not inlined, and would stay compiled for the oldest processor.
struct Lesson<'a> {
    learner: &'a mut Learner,
    actors: &'a [Actor],
    rates: &'a Rates,
}

impl NullaryFnOnce for Lesson<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        self.learner.learn_inlined(self.actors, self.rates)
    }
}

/// A training whose numbers have grown beyond all bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the training has diverged: a number of the net is not finite")]
pub struct Diverged;

/// Are all of these numbers finite? In whole numbers and without a way out of the loop, which the
/// compiler turns into vectors.
#[inline(always)]
fn are_finite<'n>(rows: impl Iterator<Item = &'n [f32]>) -> bool {
    const EXPONENT: u32 = 0x7F80_0000;
    let mut odd = 0;
    for row in rows {
        for number in row {
            odd |= u32::from(number.to_bits() & EXPONENT == EXPONENT);
        }
    }
    odd == 0
}

/// Counts a visit of a row, and returns how much its sample counts in the row's mean: a plain mean over the first thousand
/// samples, then one that forgets.
#[inline(always)]
fn share(visits: &mut u32) -> f32 {
    *visits = visits.saturating_add(1);
    (1.0 / *visits as f32).max(1.0 - ROW_DECAY)
}

/// A net, and the state of its learning rule.
#[derive(Debug, Clone)]
pub struct Learner {
    /// The net.
    pub net: Net,
    /// The same net in the form that plays.
    pub quick: QuickNet,
    /// Of the gradients of each head (Adam).
    pub(super) mean: Vec<Dense>,
    pub(super) square: Vec<Dense>,
    /// Batches that each head has learned from.
    pub(super) batches: Vec<u64>,
    /// Mean square of the gradients of each row: of its sums, and of its direct lanes.
    pub rows: Vec<[f32; 2]>,
    /// How often each row occurred in a sample.
    pub visits: Vec<u32>,
    /// Mean square of the errors of each row of the spans, if the net has some.
    pub(super) span_squares: Vec<f32>,
    /// How often each of these rows occurred in a sample.
    pub span_visits: Vec<u32>,
    /// Sum of the squared errors and their number since the last call of `take_error`.
    error: (f64, u64),
    /// Rows that changed in this round, some more than once.
    moved: Vec<u32>,
    /// The same of the spans.
    moved_spans: Vec<u32>,
}

impl Learner {
    /// A net that knows nothing; all heads are equal.
    pub fn begin(seed: u64, heads: &[HeadGames]) -> Learner {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x006E_6574);
        let mut normal = || {
            // The sum of twelve uniform numbers is close enough to normal.
            (0..12).map(|_| random.random::<f32>()).sum::<f32>() - 6.0
        };
        let mut dense = Dense::zero();
        dense.sum_bias = std::array::from_fn(|_| 0.5 + 0.2 * normal());
        for number in dense.hidden.iter_mut().flatten() {
            *number = normal() * (2.0 / SUMMED as f32).sqrt();
        }
        for number in dense.out.iter_mut().flatten() {
            *number = normal() * (1.0 / HIDDEN as f32).sqrt();
        }
        let table = vec![Row([0.0; LANES]); Net::rows()];
        let head =
            |games: &HeadGames| Head { trained_for: games.trained_for(), scale: games.scale, dense: dense.clone() };
        Learner::of(Net { table, spans: Vec::new(), heads: heads.iter().map(head).collect() })
    }

    /// The numbers of another net. A head begins as the one of that net that suits its games best.
    pub fn begin_from(heads: &[HeadGames], from: &QuickNet) -> Learner {
        let head = |games: &HeadGames| {
            let nearest = from.head_for(games.trained_for().gravity(), games.tap_rate);
            Head { trained_for: games.trained_for(), scale: games.scale, dense: from.heads()[nearest].dense.clone() }
        };
        Learner::of(Net { heads: heads.iter().map(head).collect(), ..from.to_net() })
    }

    fn of(net: Net) -> Learner {
        let zeros = || vec![Dense::zero(); net.heads.len()];
        let span_rows = net.spans.len();
        Learner {
            quick: QuickNet::of(&net),
            mean: zeros(),
            square: zeros(),
            batches: vec![0; net.heads.len()],
            net,
            rows: vec![[0.0; 2]; Net::rows()],
            visits: vec![0; Net::rows()],
            span_squares: vec![0.0; span_rows],
            span_visits: vec![0; span_rows],
            error: (0.0, 0),
            moved: Vec::new(),
            moved_spans: Vec::new(),
        }
    }

    /// Gives the net spans of zeros, if it has none.
    pub fn add_spans(&mut self) {
        if self.net.spans.is_empty() {
            self.net.spans = vec![[0.0; OUTPUTS]; SPAN_ROWS];
            (self.span_squares, self.span_visits) = (vec![0.0; SPAN_ROWS], vec![0; SPAN_ROWS]);
            let outlook = self.quick.outlook;
            self.quick = QuickNet::of(&self.net);
            self.quick.outlook = outlook;
        }
    }

    /// Root of the mean squared error since the last call.
    pub fn take_error(&mut self) -> f64 {
        let (sum, count) = std::mem::take(&mut self.error);
        (sum / count.max(1) as f64).sqrt()
    }

    /// Learns from the actors' last segments, with the widest vectors that the processor has. The
    /// result is the same with all of them.
    ///
    /// # Errors
    /// When a number that was learned is not finite: the net is of no use then.
    pub(super) fn learn(&mut self, actors: &[Actor], rates: &Rates) -> Result<(), Diverged> {
        if Arch::new().dispatch(Lesson { learner: self, actors, rates }) { Ok(()) } else { Err(Diverged) }
    }

    /// Are all numbers that were learned finite?
    #[inline(always)]
    fn learn_inlined(&mut self, actors: &[Actor], rates: &Rates) -> bool {
        for head in 0..self.net.heads.len() {
            let actors: Vec<&Actor> = actors.iter().filter(|actor| actor.head() == head).collect();
            // A head with few games learns from several steps of them at once, so that batches are alike.
            let steps = (GAMES / actors.len()).min(SEGMENT);
            for first in (0..SEGMENT).step_by(steps) {
                let some = first..(first + steps).min(SEGMENT);
                let batch = some.flat_map(|step| actors.iter().map(move |actor| &actor.samples()[step]));
                self.batch(head, batch, rates);
            }
            let extras: Vec<&Sample> = actors.iter().flat_map(|actor| actor.extras()).collect();
            for batch in extras.chunks(GAMES) {
                self.batch(head, batch.iter().copied(), rates);
            }
        }
        self.moved.sort_unstable();
        self.moved.dedup();
        let heads = self.net.heads.iter().map(|head| &head.dense);
        let layers = heads.chain(&self.mean).chain(&self.square).flat_map(Dense::layers);
        let rows = self.moved.iter().map(|&row| row as usize);
        self.moved_spans.sort_unstable();
        self.moved_spans.dedup();
        let spans = self.moved_spans.iter().map(|&row| row as usize);
        let is_finite = are_finite(layers)
            && are_finite(rows.flat_map(|row| [&self.net.table[row].0[..], &self.rows[row]]))
            && are_finite(spans.flat_map(|row| [&self.net.spans[row][..], &self.span_squares[row..=row]]));
        self.quick.follow(&self.net, self.moved.drain(..), self.moved_spans.drain(..));
        is_finite
    }

    #[inline(always)]
    fn batch<'a>(&mut self, head: usize, samples: impl Iterator<Item = &'a Sample>, rates: &Rates) {
        let mut gradient = Dense::zero();
        for sample in samples {
            self.sample(head, sample, rates, &mut gradient);
        }
        // The number of a checkpoint may be any.
        self.batches[head] = self.batches[head].saturating_add(1);
        // Later, both scales are 1 to the last bit.
        let batches = self.batches[head].min(100_000) as i32;
        let mean_scale = 1.0 / (1.0 - MEAN_DECAY.powi(batches));
        let square_scale = 1.0 / (1.0 - SQUARE_DECAY.powi(batches));
        let numbers = self.net.heads[head].dense.layers_mut().into_iter().zip(gradient.layers());
        let moments = self.mean[head].layers_mut().into_iter().zip(self.square[head].layers_mut());
        // Layer by layer in plain loops, which the compiler turns into vectors.
        for ((numbers, gradients), (means, squares)) in numbers.zip(moments) {
            let moments = means.iter_mut().zip(squares);
            for ((number, &gradient), (mean, square)) in numbers.iter_mut().zip(gradients).zip(moments) {
                let gradient = gradient / GAMES as f32;
                *mean += (gradient - *mean) * (1.0 - MEAN_DECAY);
                *square += (gradient * gradient - *square) * (1.0 - SQUARE_DECAY);
                *number += rates.step * *mean * mean_scale / ((*square * square_scale).sqrt() + LAYER_EPSILON);
            }
        }
    }

    /// Moves the table rows towards a sample, and adds the gradient of the layers.
    #[inline(always)]
    fn sample(&mut self, head: usize, sample: &Sample, rates: &Rates, gradient: &mut Dense) {
        let Head { dense, scale, .. } = &self.net.heads[head];
        let at = self.net.activation(&sample.features, head);
        let output = sample.next.index();
        // In the unit of the head, so that heads with small and with large rewards count alike.
        let raw = sample.target / scale - at.values[output];
        self.error.0 += f64::from(raw) * f64::from(raw);
        self.error.1 += 1;
        let error = raw.clamp(-rates.clip, rates.clip);
        gradient.out_bias[output] += error;
        let mut to_hidden = [0.0; HIDDEN];
        for (unit, to) in to_hidden.iter_mut().enumerate() {
            gradient.out[output][unit] += error * at.hidden[unit];
            *to = if at.hidden[unit] > 0.0 { error * dense.out[output][unit] } else { 0.0 };
        }
        for (sum, to) in gradient.hidden_bias.iter_mut().zip(&to_hidden) {
            *sum += to;
        }
        let mut to_sums = [0.0; LANES];
        for (unit, to_sum) in to_sums[..SUMMED].iter_mut().enumerate() {
            let x = at.summed[unit];
            if x > 0.0 {
                let weights = &dense.hidden[unit];
                let sums = &mut gradient.hidden[unit];
                let mut lanes = [0.0f32; 16];
                for part in 0..HIDDEN / 16 {
                    for lane in 0..16 {
                        let to = to_hidden[part * 16 + lane];
                        lanes[lane] += to * weights[part * 16 + lane];
                        sums[part * 16 + lane] += x * to;
                    }
                }
                *to_sum = lanes.iter().sum();
            }
        }
        for (sum, to) in gradient.sum_bias.iter_mut().zip(&to_sums) {
            *sum += to;
        }
        to_sums[SUMMED + output] = error;
        let square = to_sums[..SUMMED].iter().map(|x| x * x).sum::<f32>() / SUMMED as f32;
        let direct = error * error / OUTPUTS as f32;
        if !self.net.spans.is_empty() {
            self.move_spans(sample, error, rates);
        }
        if rates.table == 0.0 {
            return;
        }
        self.moved.extend(sample.features.indices());
        for &index in sample.features.indices() {
            let index = index as usize;
            let [row_square, row_direct] = &mut self.rows[index];
            let share = share(&mut self.visits[index]);
            *row_square += (square - *row_square) * share;
            *row_direct += (direct - *row_direct) * share;
            let step = rates.step * TABLE_STEP * rates.table;
            let sum_step = step / (row_square.sqrt() + TABLE_EPSILON);
            let direct_step = step * DIRECT_STEP / (row_direct.sqrt() + TABLE_EPSILON);
            let Row(row) = &mut self.net.table[index];
            for unit in 0..SUMMED {
                row[unit] += sum_step * to_sums[unit];
            }
            for unit in SUMMED..LANES {
                row[unit] += direct_step * to_sums[unit];
            }
        }
    }

    /// Moves the spans towards a sample.
    #[inline(always)]
    fn move_spans(&mut self, sample: &Sample, error: f32, rates: &Rates) {
        let output = sample.next.index();
        self.moved_spans.extend(sample.features.spans());
        for &row in sample.features.spans() {
            let row = row as usize;
            let square = &mut self.span_squares[row];
            *square += (error * error - *square) * share(&mut self.span_visits[row]);
            self.net.spans[row][output] += rates.step * rates.spans * error / (square.sqrt() + TABLE_EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::{Piece, Playfield};
    use maxout_engine::judge::learned::Features;

    const RATES: Rates = Rates {
        discount: 0.99,
        lambda: 0.5,
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

    fn sample(target: f32) -> Sample {
        let playfield = Playfield::drawn(
            "
            ##.....#..
            ####.####.
            #########.
            ",
        );
        Sample { features: Features::of(&playfield), next: Piece::ALL[4], target }
    }

    fn value(learner: &Learner, sample: &Sample) -> f32 {
        learner.net.activation(&sample.features, 0).values[sample.next.index()]
    }

    #[test]
    fn one_sample_is_learned() {
        for target in [-3.0, 0.0, 6.5] {
            let mut learner = Learner::begin(1, &[HeadGames::PLATEAU]);
            let sample = sample(target);
            let before = (value(&learner, &sample) - target).abs();
            learner.batch(0, [&sample].into_iter(), &RATES);
            assert!((value(&learner, &sample) - target).abs() < before, "the first step leads there");
            for _ in 0..400 {
                learner.batch(0, [&sample].into_iter(), &RATES);
            }
            let after = value(&learner, &sample);
            assert!((after - target).abs() < 0.1, "{target}: {after}");
            let seen = learner.visits.iter().filter(|&&visits| visits == 401).count();
            assert_eq!(seen, sample.features.indices().len());
            assert_eq!(learner.visits.iter().filter(|&&visits| visits > 0).count(), seen);
        }
    }

    #[test]
    fn the_layers_move_along_the_gradient() {
        let mut learner = Learner::begin(2, &[HeadGames::PLATEAU]);
        let sample = sample(3.0);
        for _ in 0..20 {
            learner.batch(0, [&sample].into_iter(), &RATES);
        }
        let mut net = learner.net.clone();
        let error = sample.target - value(&learner, &sample);
        let mut gradient = Dense::zero();
        learner.sample(0, &sample, &RATES, &mut gradient);
        let gradient: Vec<f32> = gradient.numbers().copied().collect();
        let mut differing = 0;
        let mut moving = 0;
        for (index, &gradient) in gradient.iter().enumerate() {
            let mut at = |change: f32| {
                let number = net.heads[0].dense.numbers_mut().nth(index).expect("as many");
                let kept = *number;
                *number += change;
                let value = net.activation(&sample.features, 0).values[sample.next.index()];
                *net.heads[0].dense.numbers_mut().nth(index).expect("as many") = kept;
                value
            };
            let slope = error * (at(0.01) - at(-0.01)) / 0.02;
            moving += usize::from(slope.abs() > 0.01);
            differing += usize::from((slope - gradient).abs() > 0.002 + 0.02 * slope.abs());
        }
        // A few cross the corner of a ReLU.
        assert!(moving > 1000 && differing < 60, "{differing} of {moving}");
    }

    #[test]
    fn spans_are_learned_where_the_schedule_says_so() {
        let sample = sample(5.0);
        let mut learner = Learner::begin(1, &[HeadGames::PLATEAU]);
        let with_spans = Rates { spans: 100.0, ..RATES };
        learner.batch(0, [&sample].into_iter(), &with_spans);
        assert!(learner.net.spans.is_empty(), "a net without spans gets none");
        learner.add_spans();
        learner.add_spans();
        learner.batch(0, [&sample].into_iter(), &RATES);
        assert!(learner.net.spans.iter().flatten().all(|&number| number == 0.0), "a step of 0 leaves them as they are");
        let error = sample.target - value(&learner, &sample);
        learner.batch(0, [&sample].into_iter(), &with_spans);
        let moved: Vec<usize> = (0..SPAN_ROWS).filter(|&row| learner.net.spans[row] != [0.0; OUTPUTS]).collect();
        let mut shown: Vec<usize> = sample.features.spans().iter().map(|&row| row as usize).collect();
        shown.sort_unstable();
        assert_eq!(moved, shown);
        for row in moved {
            // The error is nearly as large as the root of the mean square.
            let [at, others] = [4, 3].map(|output| learner.net.spans[row][output]);
            assert!((0.09..0.1).contains(&(at * error.signum())) && others == 0.0, "{at} {others}");
            assert_eq!(learner.span_visits[row], 2);
        }
        let frozen = Rates { table: 0.0, ..with_spans };
        let table = learner.net.table.clone();
        for _ in 0..200 {
            learner.batch(0, [&sample].into_iter(), &frozen);
        }
        assert!((value(&learner, &sample) - sample.target).abs() < 0.1);
        assert!(learner.net.table == table);
    }

    #[test]
    fn errors_beyond_the_clip_count_no_more() {
        let gradient = |target| {
            let mut learner = Learner::begin(1, &[HeadGames::PLATEAU]);
            let mut gradient = Dense::zero();
            learner.sample(0, &sample(target), &Rates { clip: 2.0, ..RATES }, &mut gradient);
            assert!(learner.take_error() > 2.0 && learner.take_error() == 0.0);
            gradient
        };
        assert!(gradient(50.0) == gradient(500.0));
    }
}
