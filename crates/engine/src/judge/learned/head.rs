//! One set of layers after the table, for games of one speed and one way of tapping.

use super::dense::Dense;
use crate::game::{Gravity, PLATEAU, ROWS, Ruleset};
use crate::gamepad::Tapping;

/// The games that a [`Head`] was trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TrainedFor {
    /// The level that sets the gravity; from 39 on two rows a frame, as by [`Ruleset::Ksx2`].
    pub level: u8,
    /// How the player taps.
    pub tap_rate: Tapping,
    /// Frames from the spawn until the next piece is known, as in
    /// [`Settings::reaction_frames`](crate::planner::Settings::reaction_frames); [`TrainedFor::NEVER`] if it is
    /// not known before the lock.
    #[cfg_attr(feature = "serde", serde(default))]
    pub reaction: u8,
}

impl TrainedFor {
    /// The plateau, taps at 30 Hz.
    pub const PLATEAU: TrainedFor = TrainedFor { level: PLATEAU, tap_rate: Tapping::FASTEST, reaction: 0 };

    /// A reaction time that is longer than any fall.
    pub const NEVER: u8 = u8::MAX;

    /// The level and the taps, and the reaction time if there is one, as `29 X.X..` or `19 30 21`.
    pub(super) fn to_text(self) -> String {
        match self.reaction {
            0 => format!("{} {}", self.level, self.tap_rate),
            reaction => format!("{} {} {reaction}", self.level, self.tap_rate),
        }
    }

    /// Reads what [`TrainedFor::to_text`] writes.
    pub(super) fn from_text(text: &[u8]) -> Option<TrainedFor> {
        let mut words = std::str::from_utf8(text).ok()?.split(' ');
        let (level, tap_rate) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let reaction = words.next().map_or(Some(0), |word| word.parse().ok())?;
        words.next().is_none().then_some(TrainedFor { level, tap_rate, reaction })
    }

    /// How far these games are from those of a gravity, a way of tapping and a reaction time: the ratio of the
    /// taps that fit into the fall of a row, as a logarithm; where these are equal, the frames of a row; and
    /// where these are equal too, the share of a fall that passes before the next piece is known.
    pub(super) fn distance(self, gravity: Gravity, tapping: Tapping, reaction_frames: u32) -> (f64, u8, f64) {
        let taps = |gravity: Gravity, tapping: Tapping| {
            f64::from(gravity.frames()) / f64::from(gravity.rows()) / tapping.mean_frames()
        };
        let own = self.gravity();
        let ratio = taps(own, self.tap_rate) / taps(gravity, tapping);
        let rows = |frames: u32| f64::from(frames) * f64::from(gravity.rows()) / f64::from(gravity.frames());
        let share = |frames: u32| (rows(frames) / ROWS as f64).min(1.0);
        (
            ratio.ln().abs(),
            own.frames().abs_diff(gravity.frames()) + own.rows().abs_diff(gravity.rows()),
            (share(self.reaction.into()) - share(reaction_frames)).abs(),
        )
    }

    /// The games in words, as `level 19, taps 30 Hz`.
    pub fn describe(&self) -> String {
        let known = match self.reaction {
            0 => String::new(),
            TrainedFor::NEVER => ", next piece not known".to_owned(),
            frames => format!(", next piece known after {frames} frames"),
        };
        format!("level {}, taps {}{known}", self.level, self.tap_rate.describe())
    }

    /// The gravity of its games.
    pub fn gravity(self) -> Gravity {
        Ruleset::Ksx2.gravity(self.level)
    }

    /// Do its pieces fall at least a row in every frame?
    pub fn is_killscreen(self) -> bool {
        self.gravity().frames() == 1
    }
}

/// The layers after the table of a net, for some games.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The games.
    pub trained_for: TrainedFor,
    /// What the outputs of the layers are multiplied by to become rewards. The heads share the table, but
    /// pieces that fall fast win a fraction of the rewards of others.
    pub scale: f32,
    /// The layers.
    pub dense: Dense,
}

impl Head {
    /// Layers of zeros for the plateau.
    pub fn zero() -> Head {
        Head { trained_for: TrainedFor::PLATEAU, scale: 1.0, dense: Dense::zero() }
    }
}

/// The place of the games that suit a gravity, a way of tapping and a reaction time best; of equal ones the first.
/// `None` where there are none.
pub(super) fn nearest<'a, Place>(
    games: impl Iterator<Item = (&'a TrainedFor, Place)>,
    gravity: Gravity,
    tapping: Tapping,
    reaction_frames: u32,
) -> Option<Place> {
    let distances = games.map(|(games, place)| (games.distance(gravity, tapping, reaction_frames), place));
    distances.reduce(|best, other| if other.0 < best.0 { other } else { best }).map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_head_has_as_many_taps_for_a_row() {
        let head = |level, text: &str| Head {
            trained_for: TrainedFor { level, tap_rate: text.parse().unwrap(), reaction: 0 },
            ..Head::zero()
        };
        let heads = [head(19, "30"), head(19, "12"), head(29, "30"), head(29, "15"), head(18, "10"), head(19, "15")];
        let nearest =
            |gravity, tapping| nearest(heads.iter().map(|head| &head.trained_for).zip(0..), gravity, tapping, 0);
        let found = |level: u8, text: &str| nearest(level.into(), text.parse().unwrap()).unwrap();
        assert_eq!([found(19, "30"), found(28, "20"), found(25, "14"), found(22, "X....")], [0, 5, 1, 1]);
        // Half a tap for a row: the one with the same gravity.
        assert_eq!([found(29, "30"), found(18, "10"), found(19, "15")], [2, 4, 5]);
        assert_eq!([found(40, "24"), found(255, "10"), found(18, "20"), found(0, "30")], [1, 3, 0, 0]);
        assert_eq!(nearest(Ruleset::Ksx2.gravity(39), Tapping::FASTEST), Some(3), "a quarter of a tap");
    }
}
