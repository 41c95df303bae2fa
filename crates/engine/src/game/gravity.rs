//! How fast a piece falls: by the level, and by the rules that are played.

use std::fmt;
use std::str::FromStr;

use super::level::DOUBLE_KILLSCREEN;
use super::timing::frames_per_row;

/// Which rules are played. They differ in gravity only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ruleset {
    /// Those of the original.
    #[default]
    Original,
    /// The original's, but from [`DOUBLE_KILLSCREEN`] on a piece falls two rows in every frame, as
    /// in the practice cartridge TetrisGYM under the name KSX2.
    Ksx2,
}

impl Ruleset {
    /// All rulesets.
    pub const ALL: [Ruleset; 2] = [Ruleset::Original, Ruleset::Ksx2];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Ruleset::Original => "original",
            Ruleset::Ksx2 => "ksx2",
        }
    }

    /// Are they those of the original?
    pub const fn is_original(&self) -> bool {
        matches!(self, Ruleset::Original)
    }

    /// The gravity of a level.
    pub const fn gravity(self, level: u8) -> Gravity {
        let rows = if matches!(self, Ruleset::Ksx2) && level >= DOUBLE_KILLSCREEN { 2 } else { 1 };
        Gravity { frames: frames_per_row(level), rows }
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A text that names no ruleset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected original or ksx2, found {0:?}")]
pub struct RulesetError(String);

impl FromStr for Ruleset {
    type Err = RulesetError;

    fn from_str(text: &str) -> Result<Ruleset, RulesetError> {
        let named = Ruleset::ALL.into_iter().find(|ruleset| ruleset.name() == text);
        named.ok_or_else(|| RulesetError(text.to_owned()))
    }
}

/// How often a piece drops by itself, and how far. A level converts into its gravity by the rules of
/// the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gravity {
    frames: u8,
    rows: u8,
}

impl Gravity {
    /// Frames from one drop to the next, 1 to 48.
    pub const fn frames(self) -> u8 {
        self.frames
    }

    /// Rows of a drop, 1 or 2. A piece falls them one by one in the same frame, and each is tested: it
    /// locks in the row from which it cannot fall. A pushdown drops the piece as far.
    pub const fn rows(self) -> u8 {
        self.rows
    }
}

impl From<u8> for Gravity {
    fn from(level: u8) -> Gravity {
        Ruleset::Original.gravity(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_a_frame_begin_at_level_39_and_only_with_ksx2() {
        for level in 0..=u8::MAX {
            let original = Gravity { frames: frames_per_row(level), rows: 1 };
            assert_eq!((Ruleset::Original.gravity(level), Gravity::from(level)), (original, original));
            let expected = if level < 39 { original } else { Gravity { frames: 1, rows: 2 } };
            assert_eq!(Ruleset::Ksx2.gravity(level), expected, "level {level}");
        }
    }

    #[test]
    fn a_ruleset_is_read_by_its_name() {
        for ruleset in Ruleset::ALL {
            assert_eq!(ruleset.to_string().parse(), Ok(ruleset));
        }
        let error = "KSX2".parse::<Ruleset>().expect_err("names are lower case").to_string();
        assert_eq!(error, "expected original or ksx2, found \"KSX2\"");
    }
}
