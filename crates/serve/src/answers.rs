//! What the server asks the program for.

use std::sync::atomic::AtomicBool;

/// Where answers come from. The functions are called on several threads at once.
///
/// They look at `stop` now and then. It is set when the answer takes too long, when nobody waits for it any
/// more, and when the server ends: then they return as soon as they can, with anything.
pub trait Answers: Send + Sync {
    /// The answer to a question about a position, as JSON. The question is a JSON object, not yet checked;
    /// its values are texts where it came as a query.
    ///
    /// # Errors
    /// What is wrong with the question, or why there is no answer.
    fn analyze(&self, question: &[u8], stop: &AtomicBool) -> Result<String, Refusal>;

    /// The grade of a game, as JSON.
    ///
    /// # Errors
    /// What is wrong with the file, or why there is no grade.
    fn grade(&self, game: &Game, stop: &AtomicBool) -> Result<String, Refusal>;
}

/// A game file that somebody sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Its name, whose end tells the format, if one was sent with `?name=`.
    pub name: Option<String>,
    /// Its content type, if one was sent.
    pub content_type: Option<String>,
    /// Its bytes, not yet checked.
    pub bytes: Vec<u8>,
}

/// No answer. The words are for the person who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The question or the file is wrong: what was expected, what was found.
    Input(String),
    /// The program failed.
    Failed(String),
}
