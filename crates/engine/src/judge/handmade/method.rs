//! A published method: its weights, and how they become an evaluator.

use super::evaluator::Evaluator;
use super::weights::{Schema, Values};

/// One published method: what its weights file has to name, and how it becomes an evaluator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Method {
    /// Its name, features and rules.
    pub schema: Schema,
    /// Text of the weights file with the published values.
    pub published: &'static str,
    /// Builds the evaluator with values of the schema.
    pub build: fn(&Values) -> Box<dyn Evaluator>,
}
