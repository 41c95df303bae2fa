//! How much a loss is.

/// How good a placement was, by the points that it lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Class {
    /// No placement within reach is worth more.
    Best,
    /// Lost less than [`Class::INACCURACY_FROM`]: nothing at all where the game is lost anyway.
    Good,
    /// Lost at least [`Class::INACCURACY_FROM`].
    Inaccuracy,
    /// Lost at least [`Class::MISTAKE_FROM`].
    Mistake,
    /// Lost at least [`Class::BLUNDER_FROM`].
    Blunder,
}

/// A loss that costs this share of the accuracy of a placement: 1 - 1/e. What one line of a tetris pays
/// at level 19: a quarter of 24,000 points. Chosen by hand, not measured.
const ACCURACY_SCALE: f64 = 6_000.0;

impl Class {
    /// All of them, the best first.
    pub const ALL: [Class; 5] = [Class::Best, Class::Good, Class::Inaccuracy, Class::Mistake, Class::Blunder];

    /// Expected points, a sixteenth of a tetris at level 19. Chosen by hand, not measured.
    pub const INACCURACY_FROM: f64 = 1_500.0;
    /// Expected points, a quarter of a tetris at level 19: one of its four lines. Chosen by hand, not
    /// measured.
    pub const MISTAKE_FROM: f64 = 6_000.0;
    /// Expected points, half a tetris at level 19. Chosen by hand, not measured.
    pub const BLUNDER_FROM: f64 = 12_000.0;

    /// The class of a loss in expected points.
    pub fn of_loss(loss: f64) -> Class {
        if loss <= 0.0 {
            Class::Best
        } else if loss < Class::INACCURACY_FROM {
            Class::Good
        } else if loss < Class::MISTAKE_FROM {
            Class::Inaccuracy
        } else if loss < Class::BLUNDER_FROM {
            Class::Mistake
        } else {
            Class::Blunder
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Best => "best",
            Class::Good => "good",
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }
}

/// Percent: 100 for a placement that lost nothing, 100 / e for one that lost 6,000 points.
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss.max(0.0) / ACCURACY_SCALE).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_threshold_begins_its_class() {
        let classes = [0.0, 0.01, 1_499.9, 1_500.0, 5_999.9, 6_000.0, 11_999.9, 12_000.0].map(Class::of_loss);
        use Class::{Best, Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(classes, [Best, Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder]);
    }

    #[test]
    fn accuracy_falls_from_100() {
        assert_eq!((accuracy(0.0), accuracy(-1.0)), (100.0, 100.0));
        assert!((accuracy(6_000.0) - 36.788).abs() < 1e-3);
    }
}
