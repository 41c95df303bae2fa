//! Logs and movies that are written at once.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use super::fm2::Movie;
use super::whole::{self, Claim};
use super::{Error, FileFormat, Format, bk2};
use maxout_engine::bot::SinkError;

/// Writes a whole log or movie at once into a claimed file, compressed if its format is. The file is
/// replaced: one that was there stays if the new one cannot be written.
///
/// # Errors
/// When it cannot be written.
pub fn save(claim: Claim, format: FileFormat, bytes: &[u8]) -> Result<(), SinkError> {
    let context = format!("cannot write {}", claim.path().display());
    let written = packed(format, bytes).and_then(|packed| claim.replace(&packed));
    written.map_err(|source| SinkError { context, source })
}

/// The same to a stream, such as standard output; errors show `name`.
///
/// # Errors
/// When it cannot be written.
pub fn save_to(
    mut stream: Box<dyn Write + Send>,
    name: &str,
    format: FileFormat,
    bytes: &[u8],
) -> Result<(), SinkError> {
    let packed = packed(format, bytes);
    let written = packed.and_then(|packed| stream.write_all(&packed).and_then(|()| stream.flush()));
    written.map_err(|source| SinkError { context: format!("cannot write to {name}"), source })
}

/// Why a file that is written in parts is not.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// What it is made from cannot be read.
    #[error(transparent)]
    Read(#[from] Error),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes a log part by part into a claimed file, as [`save()`].
///
/// # Errors
/// When a part is an error, or the file cannot be written.
pub fn save_parts(
    claim: Claim,
    format: FileFormat,
    parts: impl Iterator<Item = Result<Vec<u8>, Error>>,
) -> Result<(), PartsError> {
    claim.replace_with(|file| write_parts(file, format, parts))
}

/// The same to a stream, such as standard output. After an error the parts before it are written.
///
/// # Errors
/// As [`save_parts()`].
pub fn write_parts(
    output: &mut dyn Write,
    format: FileFormat,
    mut parts: impl Iterator<Item = Result<Vec<u8>, Error>>,
) -> Result<(), PartsError> {
    let mut output = BufWriter::new(output);
    if format.gzip {
        let mut gzip = whole::GzipWriter::new(output);
        parts.try_for_each(|part| Ok::<_, PartsError>(gzip.write_all(&part?)?))?;
        output = gzip.finish()?;
    } else {
        parts.try_for_each(|part| Ok::<_, PartsError>(output.write_all(&part?)?))?;
    }
    Ok(output.flush()?)
}

fn packed(format: FileFormat, bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if format.gzip { whole::gzip(bytes).map(Cow::Owned) } else { Ok(Cow::Borrowed(bytes)) }
}

/// The bytes of a whole movie, not compressed.
///
/// # Errors
/// When the format has no room for it, it is not a movie format, or the movie has more text than is read again.
pub fn movie_bytes(movie: &Movie, format: Format) -> io::Result<Vec<u8>> {
    movie.header.check().map_err(|message| io::Error::new(io::ErrorKind::InvalidData, message))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fm2::MovieHeader;

    #[test]
    fn a_movie_with_more_text_than_is_read_again_is_not_written() {
        let mut movie = Movie::from_steps(MovieHeader::new("game", [0; 16], "nobody"), []);
        movie.header.comments = vec!["x".to_owned(); 10_001];
        for format in [Format::Fm2, Format::Bk2] {
            let error = movie_bytes(&movie, format).expect_err("too many comments").to_string();
            assert_eq!(error, "expected at most 10000 lines of comment, found more");
        }
        movie.header.comments.pop();
        assert!(movie_bytes(&movie, Format::Fm2).is_ok() && movie_bytes(&movie, Format::Bk2).is_ok());
    }
}
