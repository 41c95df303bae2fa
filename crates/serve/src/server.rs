//! The server: listens, and ends when it is asked to.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::answers::Answers;
use crate::connection;
use crate::reply::Reply;
use crate::routes::Shared;
use crate::settings::Settings;

/// How often it is looked whether the server is to end. A person does not notice the delay.
const POLL: Duration = Duration::from_millis(50);
/// How long computations may take to notice that the server ends. Chosen by hand, not measured.
const FAREWELL: Duration = Duration::from_secs(1);

/// The server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address belongs to another program.
    #[error("another program listens at {0}: end it, or give another port with --listen")]
    Taken(SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen at {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// Something else of the system.
    #[error("cannot run the server")]
    Run(#[from] io::Error),
}

/// A server that listens. Connections wait until it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

impl Server {
    /// Listens at the address of the settings; with port 0 the system chooses a port.
    ///
    /// # Errors
    /// When it cannot be had.
    pub fn bind(settings: Settings) -> Result<Server, Error> {
        let address = settings.address;
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        });
        match bound {
            Ok((address, listener)) => Ok(Server { listener, address, settings }),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(Error::Taken(address)),
            Err(source) => Err(Error::Listen { address, source }),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is set. Then it takes no more requests, tells the computations to end, and
    /// returns within seconds.
    ///
    /// # Errors
    /// When the system refuses what a server needs.
    pub fn run(self, answers: Arc<dyn Answers>, stop: &AtomicBool) -> Result<(), Error> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let shared = Arc::new(Shared::new(self.settings, answers));
        let served = runtime.block_on(serve(self.listener, shared, stop));
        // The computations know that nobody waits for them.
        runtime.shutdown_timeout(FAREWELL);
        Ok(served?)
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut connections = JoinSet::new();
    while !stop.load(Ordering::Relaxed) {
        let (stream, peer) = match timeout(POLL, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok(accepted)) => accepted,
            Ok(Err(error)) => {
                // As when all file descriptors are in use.
                log::warn!("cannot accept a connection: {error}");
                sleep(POLL).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        if connections.len() < shared.settings.limits.connections {
            connections.spawn(connection::serve(stream, peer, Arc::clone(&shared)));
            continue;
        }
        log::info!("{peer}: too many connections");
        let busy = Reply::error(StatusCode::SERVICE_UNAVAILABLE, "too many connections: ask again later");
        // What does not fit at once is not sent.
        let _ = stream.try_write(&busy.into_bytes());
    }
    connections.shutdown().await;
    Ok(())
}
