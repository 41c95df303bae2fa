//! Which evaluator plays, and with which weights.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The choice of an evaluator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// One of [`NAMES`](super::NAMES).
    pub evaluator: String,
    /// A weights file instead of the evaluator's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { evaluator: "birken-v2".to_owned(), weights: None }
    }
}
