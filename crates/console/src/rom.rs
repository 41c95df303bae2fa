//! ROM files: what they are, by hash, and why one cannot be used.
//!
//! [`Rom::from_bytes`] alone decides what a dump is; everything else brings bytes to it.

mod archive;
mod error;
mod file;
mod folder;
mod header;
mod identity;
mod image;
mod panics;
mod seven_zip;
#[cfg(test)]
mod tests;
mod text;
mod unpack;

use std::path::Path;

pub use error::Error;
pub use identity::Identity;
pub use image::Rom;

impl Rom {
    /// Reads a ROM file, the known ROM of an archive (ZIP, gzip, 7z) or that of a folder.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::TooLong`], those of [`Rom::from_bytes`], and those of archives and
    /// folders.
    pub fn from_file(path: &Path) -> Result<Rom, Error> {
        if path.is_dir() { Rom::find_in(path) } else { file::read(path) }
    }

    /// The known ROM in a folder, found by its hash under any name; it may be in an archive.
    ///
    /// # Errors
    /// [`Error::NotInFolder`], which lists what is there.
    pub fn find_in(folder: &Path) -> Result<Rom, Error> {
        folder::find(folder)
    }
}
