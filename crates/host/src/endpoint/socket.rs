//! A Unix socket.

use std::fs::{self, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use super::{Open, pause};
use crate::error::Error;
use crate::link::{Descriptors, Link};

/// Only the user may connect.
const PRIVATE: u32 = 0o600;

/// A socket at which a host can connect. Dropped, it removes its file.
pub(super) struct Socket {
    path: PathBuf,
    listener: Option<UnixListener>,
}

impl Socket {
    pub(super) fn bind(path: &Path) -> Result<Socket, Error> {
        let shown = path.display();
        let cannot = |error: io::Error| Error::endpoint(format!("cannot make the socket {shown}"), error);
        if let Ok(found) = fs::symlink_metadata(path) {
            if !found.file_type().is_socket() {
                return Err(Error::Unusable(format!(
                    "expected no file or a socket, found another file: {shown}; give another name"
                )));
            }
            match UnixStream::connect(path) {
                Ok(_) => {
                    let advice = "wait until it ends, or give this one another name";
                    return Err(Error::Unusable(format!("another program listens at the socket {shown}: {advice}")));
                }
                // A killed run has left it.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    fs::remove_file(path).map_err(cannot)?;
                }
                Err(error) => return Err(cannot(error)),
            }
        }
        let listener = UnixListener::bind(path).map_err(cannot)?;
        let socket = Socket { path: path.to_owned(), listener: Some(listener) };
        if let Some(listener) = &socket.listener {
            let private = fs::set_permissions(path, Permissions::from_mode(PRIVATE));
            private.and_then(|()| listener.set_nonblocking(true)).map_err(cannot)?;
        }
        Ok(socket)
    }
}

impl Open for Socket {
    fn knock(&mut self) -> Result<Option<Box<dyn Link>>, Error> {
        let Some(listener) = &self.listener else { return Ok(None) };
        let connected = match listener.accept() {
            Ok((stream, _)) => stream.try_clone().map(|copy| (stream, copy)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                pause();
                return Ok(None);
            }
            Err(error) => Err(error),
        };
        let (input, output) = connected.map_err(|error| {
            Error::endpoint(format!("cannot let a host in at the socket {}", self.path.display()), error)
        })?;
        let (input, output) = (OwnedFd::from(input).into(), OwnedFd::from(output).into());
        Ok(Some(Box::new(Descriptors { input, output })))
    }

    fn close(&mut self) {
        if self.listener.take().is_some() {
            // No caller can do anything about a socket that cannot be removed.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.close();
    }
}
