//! What goes with a net so that a search can play by it.

/// Lines before the end of the plateau from which on they are counted.
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
    /// What the net says on average in the finale, the cells of the playfield paid for.
    pub centre: f32,
    /// What is still to be won, in rewards at level 19, when so many lines are left of the
    /// plateau; the bonus for its end included. 0 at 0 where that was not measured.
    pub finale: [f32; FINALE + 1],
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook { discount: 0.9935, topout: 0.0, gain: 0.0, centre: 0.0, finale: [0.0; FINALE + 1] }
    }
}

impl Outlook {
    /// What coming alive to the end of the plateau is worth, in rewards at level 19.
    pub const BONUS: f32 = 20.0;

    /// Is it known how the last lines are to be played?
    pub fn has_finale(&self) -> bool {
        self.finale[0] > 0.0
    }

    /// How much of the net's opinion counts when so many lines are left: the fewer, the less of
    /// what it hopes for is still to come.
    pub fn weight(lines: usize) -> f32 {
        0.6 + 0.02 * lines as f32
    }

    /// What the net's opinion of a playfield comes to beyond the average one: rows that are
    /// filled already bring the end nearer, and are no gain.
    #[inline(always)]
    pub fn beyond(&self, value: f32, cells: u32) -> f32 {
        value - self.gain / 4.0 * cells as f32 - self.centre
    }

    /// All numbers in one fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        [self.discount, self.topout, self.gain, self.centre].into_iter().chain(self.finale)
    }

    /// The one with these numbers; `None` when there are too few.
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
