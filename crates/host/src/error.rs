//! Why a host cannot be reached.

use std::io;

/// Why there is no host to play on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The pipes, the socket or the port cannot be made.
    #[error("{context}")]
    Endpoint {
        /// What was being made, and where.
        context: String,
        /// What the system says.
        source: io::Error,
    },
    /// They cannot be used, and what to do.
    #[error("{0}")]
    Unusable(String),
    /// The host does not keep to the protocol.
    #[error("{endpoint}: {problem}")]
    Hello {
        /// Where it was met.
        endpoint: String,
        /// What was expected, and what was found.
        problem: String,
    },
    /// The program that was to be the host has ended, or does not become one.
    #[error("{0}")]
    Lost(String),
    /// The program was asked to end while it waited.
    #[error("stopped before a host came")]
    Stopped,
}

impl Error {
    pub(crate) fn endpoint(context: impl Into<String>, source: impl Into<io::Error>) -> Error {
        Error::Endpoint { context: context.into(), source: source.into() }
    }
}
