//! What is shown of a run that is over.

/// The keys of the card, in every view.
pub(crate) const CARD_KEYS: &str = "q or Enter: leave   s: screenshot";

/// The result of a run that is over, as far as the model does not have it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndCard {
    /// How it ended: `maxout reached`.
    pub outcome: String,
    /// The files that were written.
    pub saved: Vec<String>,
}
