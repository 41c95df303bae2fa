//! Standard input and output: the host has started this program.

use std::io;

use super::Open;
use crate::error::Error;
use crate::link::Link;

/// One host, which is there from the beginning.
#[derive(Default)]
pub(super) struct Stdio {
    is_taken: bool,
}

impl Open for Stdio {
    fn knock(&mut self) -> Result<Option<Box<dyn Link>>, Error> {
        if self.is_taken {
            return Err(Error::Unusable("expected a host at standard input, found its end".to_owned()));
        }
        self.is_taken = true;
        link().map(Some).map_err(|error| Error::endpoint("cannot use standard input and output", error))
    }

    fn close(&mut self) {}
}

#[cfg(unix)]
fn link() -> io::Result<Box<dyn Link>> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?.into();
    let output = io::stdout().as_fd().try_clone_to_owned()?.into();
    Ok(Box::new(crate::link::Descriptors { input, output }))
}

#[cfg(not(unix))]
fn link() -> io::Result<Box<dyn Link>> {
    Ok(Box::new(crate::link::Threads::start(io::stdin(), io::stdout())?))
}
