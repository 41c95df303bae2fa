//! Why an external player cannot be started.

use std::io;

use maxout_engine::planner::PlayerError;

/// An external player cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The shell cannot be started.
    #[error("cannot start the player {command:?}: {source}; does the command run in a shell?")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// The input writes RAM instead of pressing buttons: only the built-in search can use it.
    #[error("expected an input that presses buttons, found one with which {0}; choose another input")]
    Cheat(&'static str),
    /// It does not answer the hello correctly.
    #[error(transparent)]
    Hello(#[from] PlayerError),
}

impl From<StartError> for PlayerError {
    fn from(error: StartError) -> PlayerError {
        match error {
            StartError::Spawn { command, source } => {
                PlayerError { player: format!("{command:?}"), problem: format!("cannot be started: {source}") }
            }
            StartError::Cheat(_) => PlayerError { player: "exec".to_owned(), problem: error.to_string() },
            StartError::Hello(error) => error,
        }
    }
}
