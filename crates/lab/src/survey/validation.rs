//! The result of a validation: rows of a table.

use serde::Serialize;

/// How something was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Read from the ROM.
    Static,
    /// Experiments on the running game.
    Behavioural,
    /// The rules model beside a game of the bot.
    Agreement,
}

impl Layer {
    /// Its word in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Static => "static",
            Layer::Behavioural => "behavioural",
            Layer::Agreement => "agreement",
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckResult {
    /// It holds.
    Ok,
    /// It does not.
    Failed,
    /// A table that only the picture needs is missing.
    NotNeeded,
    /// There is nothing to compare with: an unknown ROM, a name without a rule, scratch.
    Unknown,
}

impl CheckResult {
    /// Its word in the table.
    pub const fn name(self) -> &'static str {
        match self {
            CheckResult::Ok => "ok",
            CheckResult::Failed => "FAILED",
            CheckResult::NotNeeded => "not needed",
            CheckResult::Unknown => "unknown",
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// An entry of the map, a table, or a rule.
    pub name: String,
    /// Where it was looked for, or found.
    pub address: Option<u16>,
    /// How it was checked.
    pub layer: Layer,
    /// The result.
    pub verdict: CheckResult,
    /// What was seen.
    pub evidence: String,
    /// The address that behaves as the entry must, where the map's does not.
    pub suggestion: Option<u16>,
}

/// A whole validation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Validation {
    /// The ROM's name.
    pub rom: String,
    /// The map's name.
    pub map: String,
    /// Frames of the experiments.
    pub tour_frames: u64,
    /// Frames of bot play beside the model.
    pub agreement_frames: u64,
    /// All checks, layer by layer.
    pub rows: Vec<Check>,
}

impl Validation {
    /// Has nothing failed?
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The rows that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.rows.iter().filter(|row| row.verdict == CheckResult::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_table_tell_every_layer_and_result_apart() {
        let layers = [Layer::Static, Layer::Behavioural, Layer::Agreement].map(Layer::name);
        assert_eq!(layers, ["static", "behavioural", "agreement"]);
        let results = [CheckResult::Ok, CheckResult::Failed, CheckResult::NotNeeded, CheckResult::Unknown];
        assert_eq!(results.map(CheckResult::name), ["ok", "FAILED", "not needed", "unknown"]);
    }
}
