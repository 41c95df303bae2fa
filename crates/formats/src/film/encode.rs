//! What an encoder of pictures is given, and what it gives.

use std::io;

use super::change::Area;
use super::colour::Rgb;
use crate::whole::Edit;

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

    /// The bytes after the last picture.
    fn trailer(&self) -> Vec<u8>;

    /// The changes that add the bytes of a picture to a file of this length, which ends with the
    /// trailer. After each of them the film can be played.
    fn edits(&mut self, bytes: Vec<u8>, length: u64) -> Vec<Edit>;

    /// The changes that end a film of this many pictures.
    fn last_edits(&self, pictures: u64) -> Vec<Edit>;

    /// Can it be written in one go, without those changes?
    fn can_stream(&self) -> bool;
}
