//! What a player may know of the game's piece generator.

use std::fmt;
use std::str::FromStr;

/// What a player does with the bytes of the game's piece generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RngUse {
    /// Nothing: it sees the falling piece and the next box, as a person does.
    #[default]
    Honest,
    /// It reads them, and so knows which pieces come after each placement. It moves as it would without.
    Seen,
    /// It reads them and also chooses when pieces lock, by pushing down or not, so that other pieces come.
    Steered,
}

impl RngUse {
    /// All, the honest one first.
    pub const ALL: [RngUse; 3] = [RngUse::Honest, RngUse::Seen, RngUse::Steered];

    /// Its name in flags and settings.
    pub const fn name(self) -> &'static str {
        match self {
            RngUse::Honest => "honest",
            RngUse::Seen => "seen",
            RngUse::Steered => "steered",
        }
    }

    /// Is it the default?
    pub const fn is_honest(&self) -> bool {
        matches!(self, RngUse::Honest)
    }

    /// Why a game with it is not honest; `None` for an honest one.
    pub const fn not_honest(self) -> Option<&'static str> {
        match self {
            RngUse::Honest => None,
            RngUse::Seen | RngUse::Steered => Some("reads the generator"),
        }
    }
}

impl fmt::Display for RngUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no use of the generator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected honest, seen or steered, found {0:?}")]
pub struct ParseRngUseError(String);

impl FromStr for RngUse {
    type Err = ParseRngUseError;

    fn from_str(text: &str) -> Result<RngUse, ParseRngUseError> {
        RngUse::ALL.into_iter().find(|rng_use| rng_use.name() == text).ok_or_else(|| ParseRngUseError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_refused() {
        for rng_use in RngUse::ALL {
            assert_eq!(rng_use.to_string().parse(), Ok(rng_use));
            assert_eq!(rng_use.not_honest().is_none(), rng_use.is_honest());
        }
        for text in ["", "Seen", "cheat"] {
            assert!(text.parse::<RngUse>().expect_err(text).to_string().contains(&format!("{text:?}")));
        }
    }
}
