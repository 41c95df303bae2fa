//! The setting that keeps the game from crashing.

/// Does the player keep the game from crashing?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Dodging {
    /// Where the game can crash.
    #[default]
    Auto,
    /// Never: it plays as if no lock were dangerous.
    Off,
}

impl Dodging {
    /// Is it the default?
    #[cfg(feature = "serde")]
    pub(super) fn is_auto(&self) -> bool {
        *self == Dodging::Auto
    }
}
