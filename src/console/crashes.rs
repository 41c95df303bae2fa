//! Slow frames and crashes of the simulated console, by a flag.

use maxout_engine::game::crash::Crashes;

/// When the simulated console has slow frames and crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum CrashesChoice {
    /// With the rules of the original.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl From<CrashesChoice> for Option<Crashes> {
    fn from(choice: CrashesChoice) -> Option<Crashes> {
        match choice {
            CrashesChoice::Auto => None,
            CrashesChoice::On => Some(Crashes::On),
            CrashesChoice::Off => Some(Crashes::Off),
        }
    }
}

impl CrashesChoice {
    /// The choice for the simulated console, which plays by the rules of the original.
    pub(super) fn simulated(self) -> Crashes {
        Option::from(self).unwrap_or(Crashes::On)
    }
}
