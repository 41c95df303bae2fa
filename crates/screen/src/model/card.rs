//! What is shown of a run that is over.

#[cfg(any(feature = "terminal", feature = "window"))]
use maxout_engine::text;

/// The keys of the card, in every view.
pub(crate) const CARD_KEYS: &str = "q or Enter: leave   s: screenshot";

/// The result of a run that is over, as far as the model does not have it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndCard {
    /// How it ended: `maxout reached`.
    pub outcome: String,
    /// What stood still, in a run that is stuck: at most 31 letters.
    pub stuck: Option<String>,
    /// The files that were written.
    pub saved: Vec<String>,
}

impl EndCard {
    /// The same card with these files, too, each of them once.
    #[cfg(any(feature = "terminal", feature = "window"))]
    pub(crate) fn with_saved(mut self, names: impl IntoIterator<Item = String>) -> EndCard {
        for name in names {
            let name = text::visible(&name).into_owned();
            if !self.saved.contains(&name) {
                self.saved.push(name);
            }
        }
        self
    }
}
