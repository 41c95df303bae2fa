//! The numbers beside a net that a search needs to play by it.

/// Lines before the end of the plateau (level 29) from which on a search counts them: four tetrises.
/// Chosen by hand, not measured.
pub const FINALE: usize = 16;

/// Numbers that a training leaves beside the net.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// What a reward that comes one piece later is worth, 0 to 1.
    pub discount: f32,
    /// What topping out is worth, in rewards: 0 or less.
    pub topout: f32,
    /// Rewards that a piece brings on average.
    pub gain: f32,
    /// Mean of the net's values in the finale, less what the full cells of the playfield bring.
    pub centre: f32,
    /// `finale[n]`: what is still to be won, in rewards at level 19, with `n` lines left of the
    /// plateau; [`Outlook::BONUS`] is included. All 0 for a net that was not calibrated.
    pub finale: [f32; FINALE + 1],
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook { discount: 0.9935, topout: 0.0, gain: 0.0, centre: 0.0, finale: [0.0; FINALE + 1] }
    }
}

impl Outlook {
    /// What reaching the end of the plateau is worth, in rewards at level 19: as much as five
    /// tetrises, so that no single one is worth a topout. Chosen by hand, not measured.
    pub const BONUS: f32 = 20.0;

    /// Was [`Outlook::finale`] measured for this net?
    pub fn has_finale(&self) -> bool {
        self.finale[0] > 0.0
    }

    /// How much of the net's value counts with this many lines left. The fewer are left, the less
    /// of what the net expects can still come: 0.92 at 16 lines, 0.62 at the last one. Chosen by
    /// hand, not measured.
    pub fn weight(lines: usize) -> f32 {
        0.6 + 0.02 * lines as f32
    }

    /// How much better than the average one a playfield is by the net's value. Full cells are
    /// taken off at a quarter of [`Outlook::gain`] each, since a piece has four: they bring the end
    /// nearer and win nothing.
    #[inline(always)]
    pub fn beyond(&self, value: f32, cells: u32) -> f32 {
        value - self.gain / 4.0 * cells as f32 - self.centre
    }

    /// All numbers in one fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        [self.discount, self.topout, self.gain, self.centre].into_iter().chain(self.finale)
    }

    /// The outlook with these numbers; `None` when there are too few.
    pub fn from_numbers(mut numbers: impl Iterator<Item = f32>) -> Option<Outlook> {
        let mut next = || numbers.next();
        let (discount, topout, gain, centre) = (next()?, next()?, next()?, next()?);
        let mut finale = [0.0; FINALE + 1];
        for value in &mut finale {
            *value = next()?;
        }
        Some(Outlook { discount, topout, gain, centre, finale })
    }

    /// How many numbers there are.
    pub const NUMBERS: usize = 4 + FINALE + 1;
}
