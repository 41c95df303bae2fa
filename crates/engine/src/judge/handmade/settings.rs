//! Which evaluator plays, and with which weights.

use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

/// The choice of an evaluator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// [`LEARNED`](super::LEARNED), or one of [`NAMES`](super::NAMES).
    pub evaluator: String,
    /// A weights file instead of the evaluator's own.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    pub weights: Option<PathBuf>,
}

/// A path as text, whatever it is made of: serde refuses one that is not UTF-8.
fn as_text<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { evaluator: super::LEARNED.to_owned(), weights: None }
    }
}
