//! Logs and movies that are written at once.

use std::io::{self, Write};

use super::fm2::Movie;
use super::whole::{Claim, Closing, GrowingFile, Packing};
use super::{FileFormat, Format, bk2};
use maxout_engine::bot::SinkError;

/// Writes a whole log or movie at once into a claimed file, compressed if its format is.
///
/// # Errors
/// When it cannot be written.
pub fn save(claim: Claim, format: FileFormat, bytes: &[u8]) -> Result<(), SinkError> {
    let context = format!("cannot write {}", claim.path().display());
    let written = GrowingFile::start(claim, packing(format)).and_then(|output| write(output, bytes));
    written.map_err(|source| SinkError { context, source })
}

/// The same to a stream, such as standard output; errors show `name`.
///
/// # Errors
/// When it cannot be written.
pub fn save_to(stream: Box<dyn Write + Send>, name: &str, format: FileFormat, bytes: &[u8]) -> Result<(), SinkError> {
    let written = write(GrowingFile::stream(stream, packing(format)), bytes);
    written.map_err(|source| SinkError { context: format!("cannot write to {name}"), source })
}

fn packing(format: FileFormat) -> Packing {
    if format.gzip { Packing::Gzip } else { Packing::Plain }
}

fn write(mut output: GrowingFile, bytes: &[u8]) -> io::Result<()> {
    output.append(bytes, Closing::default)?;
    output.finish()
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
