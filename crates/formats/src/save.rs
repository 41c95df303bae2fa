//! Logs and movies that are written at once.

use std::io;
use std::path::Path;

use super::fm2::Movie;
use super::whole::{Closing, GrowingFile, Packing};
use super::{FileFormat, Format, bk2};
use maxout_engine::bot::SinkError;

/// Writes a whole log or movie at once, compressed if its format is; without a path, to standard
/// output.
///
/// # Errors
/// When it cannot be written.
pub fn save(path: Option<&Path>, format: FileFormat, bytes: &[u8]) -> Result<(), SinkError> {
    let packing = if format.gzip { Packing::Gzip } else { Packing::Plain };
    let name = path.map_or("standard output".to_owned(), |path| path.display().to_string());
    let output = match path {
        Some(path) => GrowingFile::create(path, packing),
        None => Ok(GrowingFile::stream(Box::new(io::stdout()), packing)),
    };
    let written = output.and_then(|mut output| {
        output.append(bytes, Closing::default)?;
        output.finish()
    });
    written.map_err(|source| SinkError { context: format!("cannot write {name}"), source })
}

/// The bytes of a whole movie, not compressed.
///
/// # Errors
/// When the format has no room for it, or is not a movie format.
pub fn movie_bytes(movie: &Movie, format: Format) -> io::Result<Vec<u8>> {
    match format {
        Format::Fm2 => {
            let mut bytes = Vec::new();
            movie.write(&mut bytes)?;
            Ok(bytes)
        }
        Format::Bk2 => bk2::write(movie),
        Format::Csv | Format::JsonLines | Format::R08 | Format::Ngf => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "not a movie format"))
        }
    }
}
