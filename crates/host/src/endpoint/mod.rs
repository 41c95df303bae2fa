//! Where a host meets maxout: made, waited at, and taken away again.

#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod socket;
mod stdio;
mod tcp;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::Error;
use crate::link::Link;

/// How often an endpoint looks for a host while it waits: a host is let in within this time.
const LOOK: Duration = Duration::from_millis(10);

/// Where a host meets maxout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// Two named pipes in this folder: `to-host` and `from-host`. Unix only.
    Pipes(PathBuf),
    /// A Unix socket. Unix only.
    Socket(PathBuf),
    /// A TCP port of this machine, on a loopback address.
    Tcp(SocketAddr),
    /// Standard input and output of this program: the host has started it.
    Stdio,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Pipes(folder) => write!(f, "the pipes in {}", folder.display()),
            Endpoint::Socket(path) => write!(f, "the socket {}", path.display()),
            Endpoint::Tcp(address) => write!(f, "TCP {address}"),
            Endpoint::Stdio => f.write_str("standard input and output"),
        }
    }
}

/// An endpoint that is open. Dropped, it leaves nothing behind.
pub(crate) trait Open: Send {
    /// The next host that knocks: `None` while there is none. It returns within a moment.
    fn knock(&mut self) -> Result<Option<Box<dyn Link>>, Error>;

    /// No other host is let in: the names of pipes and sockets are removed. Other runs are still kept away
    /// from the folder of the pipes, but not from a socket or a port.
    fn close(&mut self);

    /// Was a folder made for it, which is removed at the end?
    fn owns_folder(&self) -> bool {
        false
    }
}

impl Endpoint {
    /// Pipes in a folder of the user's own that hosts know, too: `maxout` in `$XDG_RUNTIME_DIR`, else
    /// `maxout-UID` in the folder for temporary files. `None` on systems without pipes.
    pub fn default_pipes() -> Option<Endpoint> {
        #[cfg(unix)]
        {
            let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
            let folder = runtime.map(|folder| folder.join("maxout"));
            let temporary = || std::env::temp_dir().join(format!("maxout-{}", nix::unistd::Uid::effective()));
            Some(Endpoint::Pipes(folder.unwrap_or_else(temporary)))
        }
        #[cfg(not(unix))]
        None
    }

    /// Opens it: the endpoint as it is now (a TCP port 0 has become a real one), and what waits there.
    pub(crate) fn open(&self) -> Result<(Endpoint, Box<dyn Open>), Error> {
        match self {
            #[cfg(unix)]
            Endpoint::Pipes(folder) => {
                let is_default = Endpoint::default_pipes().as_ref() == Some(self);
                Ok((self.clone(), Box::new(pipes::Pipes::make(folder, is_default)?)))
            }
            #[cfg(unix)]
            Endpoint::Socket(path) => Ok((self.clone(), Box::new(socket::Socket::bind(path)?))),
            #[cfg(not(unix))]
            Endpoint::Pipes(_) | Endpoint::Socket(_) => {
                let here = "named pipes and Unix sockets are not supported on this system: use --tcp or --stdio";
                Err(Error::Unusable(here.to_owned()))
            }
            Endpoint::Tcp(address) => {
                let port = tcp::Port::bind(*address)?;
                Ok((Endpoint::Tcp(port.address()), Box::new(port)))
            }
            Endpoint::Stdio => Ok((Endpoint::Stdio, Box::new(stdio::Stdio::default()))),
        }
    }
}

/// Waits a moment before the next look.
fn pause() {
    std::thread::sleep(LOOK);
}
