//! A placement and its value, as a narrow panel shows them.

use maxout_engine::game::{Orientation, Placement};

use crate::numbers::value;

/// A placement with its value, in words that fit a narrow panel.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedPlacement {
    /// The orientation of the piece.
    pub orientation: Orientation,
    /// Columns that the piece covers, from 1: `4-6`.
    pub columns: String,
    /// Value; higher is better.
    pub value: f64,
}

impl RatedPlacement {
    pub(super) fn new(placement: Placement, value: f64) -> RatedPlacement {
        let (first, last) = placement.columns();
        let columns = if first == last { first.to_string() } else { format!("{first}-{last}") };
        RatedPlacement { orientation: placement.orientation, columns, value }
    }

    /// Its value in this unit, as text: `+1,084 points`.
    pub fn worth(&self, unit: &str) -> String {
        value(self.value, unit)
    }

    /// By how much its value is above or below that of the chosen placement, as text.
    pub fn behind(&self, chosen: &RatedPlacement, unit: &str) -> String {
        value(self.value - chosen.value, unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Piece;

    #[test]
    fn a_placement_is_compared_with_the_chosen_one() {
        let placement = Placement { orientation: Piece::O.spawn(), x: 5, y: 18 };
        let rated = |value| RatedPlacement::new(placement, value);
        assert_eq!(rated(-3.5).behind(&rated(-1.25), ""), "-2.25");
        assert_eq!(rated(2000.0).behind(&rated(1000.0), "points"), "+1,000 points");
        assert_eq!(rated(1084.4).worth("points"), "+1,084 points");
        assert_eq!(rated(f64::NEG_INFINITY).behind(&rated(f64::NEG_INFINITY), "points"), "-");
    }
}
