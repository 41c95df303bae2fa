//! Names of judges that more than one file needs.

/// The name of the learned judge. It has no weighted features, so it is not an
/// [`Evaluator`](super::handmade::Evaluator).
pub const LEARNED: &str = "learned";
