//! What an encoder of pictures is given, and what it gives.

use std::io;

use super::change::Area;
use super::colour::Rgb;
use crate::whole::Closing;

/// A picture for an encoder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painted<'a> {
    /// The picture that is shown until now.
    pub before: Option<&'a [Rgb]>,
    /// The picture that is shown from now on.
    pub now: &'a [Rgb],
    /// The rectangle in which they differ.
    pub area: Area,
    /// How long it is shown.
    pub ticks: u16,
}

/// An encoder of one film format.
pub(super) trait Encode: Send {
    /// The bytes of a picture; those of the first one begin with the header of the file.
    fn picture(&mut self, painted: &Painted<'_>) -> io::Result<Vec<u8>>;

    /// What makes the film whole after it.
    fn closing(&self) -> Closing;
}
