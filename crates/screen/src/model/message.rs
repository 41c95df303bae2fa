//! The list of what happened.

/// The kind of a message, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Neither good nor bad.
    Plain,
    /// Good news.
    Good,
    /// The maxout.
    Great,
    /// Something went wrong.
    Bad,
}

/// A line in the list of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Frame in which it happened.
    pub frame: u64,
    /// What happened.
    pub text: String,
    /// Its kind.
    pub tone: Tone,
}
