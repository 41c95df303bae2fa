//! The layers of the net after its table.

/// Numbers summed up from the table before the first layer. Chosen by hand, not measured.
pub const SUMMED: usize = 88;
/// Width of the hidden layer. Chosen by hand, not measured.
pub const HIDDEN: usize = 64;
/// Outputs: one for each piece, and one that is never used and fills the vector.
pub const OUTPUTS: usize = 8;

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
pub(super) fn product(a: &[f32; HIDDEN], b: &[f32; HIDDEN]) -> f32 {
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
