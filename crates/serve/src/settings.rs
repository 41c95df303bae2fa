//! What a server is told: where it listens, who may ask, and how much.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// What a server is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where it listens.
    pub address: SocketAddr,
    /// Other origins whose pages may ask, as `https://example.org`.
    pub allowed_origins: Vec<String>,
    /// How much may be asked.
    pub limits: Limits,
}

impl Settings {
    /// The default port. Chosen by hand: no other service is known for it.
    pub const PORT: u16 = 19989;
}

impl Default for Settings {
    /// The default port of this machine.
    fn default() -> Settings {
        let address = ([127, 0, 0, 1], Settings::PORT).into();
        Settings { address, allowed_origins: Vec::new(), limits: Limits::default() }
    }
}

/// How much may be asked. All but the times are numbers of things at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Answers that are computed, each on a thread.
    pub answers: usize,
    /// Requests that wait for their turn; more are refused.
    pub waiting: usize,
    /// Longest time to compute an answer, without the time it waits.
    pub answer_time: Duration,
    /// Longest time to send a request; also the longest time to fetch the answer.
    pub transfer_time: Duration,
    /// Connections; more are refused.
    pub connections: usize,
    /// Bytes of the first line and the headers of a request.
    pub head_bytes: usize,
    /// Bytes of a question.
    pub question_bytes: usize,
    /// Bytes of a game.
    pub game_bytes: usize,
    /// Bytes of all games in memory.
    pub all_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            answers: thread::available_parallelism().map_or(1, usize::from),
            // All but the time of an answer are chosen by hand, not measured.
            waiting: 100,
            answer_time: Duration::from_secs(60),
            transfer_time: Duration::from_secs(20),
            connections: 250,
            head_bytes: 16 * KIB,
            question_bytes: 64 * KIB,
            game_bytes: 64 * MIB,
            all_bytes: 256 * MIB,
        }
    }
}
