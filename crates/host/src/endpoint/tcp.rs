//! A TCP port of this machine, for hosts on this machine.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};

use super::{Open, pause};
use crate::error::Error;
use crate::link::Link;

/// A port at which a host can connect.
pub(super) struct Port {
    address: SocketAddr,
    listener: Option<TcpListener>,
}

impl Port {
    pub(super) fn bind(address: SocketAddr) -> Result<Port, Error> {
        if !address.ip().is_loopback() {
            let expected = "expected a loopback address such as 127.0.0.1:19999: nobody else may press the buttons";
            return Err(Error::Unusable(format!("{expected}; found {address}")));
        }
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(Port { address: listener.local_addr()?, listener: Some(listener) })
        });
        bound.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => Error::Unusable(format!(
                "another program listens at TCP {address}: wait until it ends, or give another port with --tcp"
            )),
            _ => Error::endpoint(format!("cannot listen at TCP {address}"), error),
        })
    }

    /// The address, with the port that the system has chosen for port 0.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Open for Port {
    fn knock(&mut self) -> Result<Option<Box<dyn Link>>, Error> {
        let Some(listener) = &self.listener else { return Ok(None) };
        let connected = match listener.accept() {
            Ok((stream, _)) => link(stream),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                pause();
                return Ok(None);
            }
            Err(error) => Err(error),
        };
        let address = self.address;
        connected.map(Some).map_err(|error| Error::endpoint(format!("cannot let a host in at TCP {address}"), error))
    }

    fn close(&mut self) {
        self.listener = None;
    }
}

/// The stream as a link. A message must not wait for more of them: the host waits for it.
fn link(stream: TcpStream) -> io::Result<Box<dyn Link>> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    let output = stream.try_clone()?;
    #[cfg(unix)]
    {
        use std::os::fd::OwnedFd;
        let (input, output) = (OwnedFd::from(stream).into(), OwnedFd::from(output).into());
        Ok(Box::new(crate::link::Descriptors { input, output }))
    }
    #[cfg(not(unix))]
    Ok(Box::new(crate::link::Threads::start(stream, output)?))
}
