//! Waiting for a host, and its hello.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use maxout_engine::ram::RamMap;

use crate::driven::Driven;
use crate::endpoint::{Endpoint, Open};
use crate::error::Error;
use crate::protocol::{Answer, Hello, LONGEST_HELLO, RamKind};
use crate::settings::Settings;
use crate::talk::{Talk, Trouble};

/// How long a host may take from the connection to its hello. Chosen by hand, not measured.
const LONGEST_HELLO_TIME: Duration = Duration::from_secs(10);

/// An endpoint that is open for a host.
pub struct Waiting {
    endpoint: Endpoint,
    open: Box<dyn Open>,
}

impl Waiting {
    /// Opens an endpoint.
    ///
    /// # Errors
    /// When it cannot be made, or another program uses it.
    pub fn open(endpoint: &Endpoint) -> Result<Waiting, Error> {
        let (endpoint, open) = endpoint.open()?;
        Ok(Waiting { endpoint, open })
    }

    /// The endpoint; a TCP port 0 has become the one that the system has chosen.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Was a folder made for the endpoint, which is removed at the end?
    pub fn owns_folder(&self) -> bool {
        self.open.owns_folder()
    }

    /// Waits for a host and answers its hello. A host that comes and goes without a word is not one.
    ///
    /// # Errors
    /// When the host does not keep to the protocol, or the program is to end.
    pub fn greet(self, settings: Settings) -> Result<Driven, Error> {
        self.greet_unless(settings, || None)
    }

    /// The same. `lost` is asked again and again while there is no host; it says why there will be none.
    ///
    /// # Errors
    /// The same, and what `lost` says.
    pub fn greet_unless(
        mut self,
        settings: Settings,
        mut lost: impl FnMut() -> Option<String>,
    ) -> Result<Driven, Error> {
        let (mut talk, hello) = loop {
            if settings.stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            let Some(link) = self.open.knock()? else {
                if let Some(why) = lost() {
                    return Err(Error::Lost(why));
                }
                continue;
            };
            let patience = settings.patience.min(LONGEST_HELLO_TIME);
            let mut talk = Talk::new(link, patience, Arc::clone(&settings.stop));
            match hello(&mut talk) {
                Ok(Some(hello)) => break (talk, hello),
                Ok(None) => {}
                Err(Problem::Stopped) => return Err(Error::Stopped),
                Err(Problem::Line(problem)) => {
                    talk.send_at_once(Answer::Refused(problem.clone()).line().as_bytes());
                    return Err(Error::Hello { endpoint: self.endpoint.to_string(), problem });
                }
            }
        };
        self.open.close();
        let addresses = match hello.ram {
            RamKind::All => None,
            RamKind::List => Some(addresses(&settings.map)),
        };
        let answer = Answer::Welcome(addresses.clone()).line();
        talk.patience = settings.patience;
        talk.begin();
        if let Err(trouble) = talk.send(answer.as_bytes()) {
            return Err(match trouble {
                Trouble::Stopped => Error::Stopped,
                _ => {
                    let problem = "expected a host that reads the answer to its hello, found none".to_owned();
                    Error::Hello { endpoint: self.endpoint.to_string(), problem }
                }
            });
        }
        log::info!("{} plays at {}", hello.name, self.endpoint);
        Ok(Driven::new(talk, hello.name, addresses, settings, self.open))
    }
}

/// The addresses of everything that a RAM map names, in their order.
fn addresses(map: &RamMap) -> Vec<u16> {
    let mut addresses: Vec<u16> =
        map.entries().iter().flat_map(|entry| entry.address..entry.address + entry.size).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

enum Problem {
    Stopped,
    Line(String),
}

/// Reads the hello; `None` from one who says nothing and goes.
fn hello(talk: &mut Talk) -> Result<Option<Hello>, Problem> {
    let expected = "expected the hello of a host";
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; LONGEST_HELLO];
        let length = talk.receive(&mut chunk).map_err(|trouble| match trouble {
            Trouble::Stopped => Problem::Stopped,
            Trouble::TooSlow => {
                Problem::Line(format!("{expected}, found no whole line in {} s", talk.patience.as_secs_f64()))
            }
            Trouble::Gone => Problem::Line(format!("{expected}, found its end")),
            Trouble::System(error) => Problem::Line(format!("{expected}, found an error: {error}")),
        })?;
        if length == 0 && bytes.is_empty() {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk[..length]);
        if let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            let hello = Hello::read(&bytes[..end]).map_err(Problem::Line)?;
            return match bytes.len() - end - 1 {
                0 => Ok(Some(hello)),
                more => {
                    let expected = "expected nothing after the hello until maxout has answered";
                    Err(Problem::Line(format!("{expected}, found {more} bytes")))
                }
            };
        }
        if length == 0 || bytes.len() >= LONGEST_HELLO || !Hello::may_begin(&bytes) {
            return Err(Problem::Line(Hello::read(&bytes).err().unwrap_or_else(|| expected.to_owned())));
        }
        if talk.is_stopped() {
            return Err(Problem::Stopped);
        }
    }
}
