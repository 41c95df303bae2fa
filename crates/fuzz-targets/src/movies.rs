//! Movies.

use std::io::{Cursor, Write};
use std::path::Path;

use maxout_formats::fm2::Movie;
use maxout_formats::{Format, movie_bytes};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::check;

/// Between the members of a BK2 that is given as text.
const BETWEEN: &[u8] = b"\n----\n";
/// The members of a BK2 that is given as text, in their order.
const MEMBERS: [&str; 4] = ["Header.txt", "Comments.txt", "Subtitles.txt", "Input Log.txt"];

/// A movie of FCEUX as text.
pub(crate) fn fm2(bytes: &[u8]) {
    if let Some(movie) = check::read(Movie::read("file", bytes)) {
        survives(&movie, Format::Fm2);
    }
}

/// A movie of BizHawk: an archive, or the texts of its members, for which an archive is made whose
/// checksums are right.
pub(crate) fn bk2(bytes: &[u8]) {
    let archive = if bytes.starts_with(b"PK") { bytes.to_vec() } else { archived(bytes) };
    if let Some(movie) = check::read(maxout_formats::bk2::read(Path::new("file"), Cursor::new(archive))) {
        survives(&movie, Format::Bk2);
    }
}

/// Is a movie the same after writing and reading?
fn survives(movie: &Movie, format: Format) {
    let written = |movie: &Movie| {
        let bytes = movie_bytes(movie, format).expect("a movie that was read can be written");
        let read = match format {
            Format::Fm2 => Movie::read("file", &bytes[..]),
            _ => maxout_formats::bk2::read(Path::new("file"), Cursor::new(bytes)),
        };
        read.expect("a movie that was written can be read")
    };
    let again = written(movie);
    assert_eq!(again.lines, movie.lines);
    assert!(again.steps().eq(movie.steps()));
    if format == Format::Bk2 {
        // Its author has a place of its own, and stands before the comments when it is read.
        let sorted = |movie: &Movie| {
            let mut comments = movie.header.comments.clone();
            comments.sort();
            comments.dedup();
            comments
        };
        assert_eq!(sorted(&again), sorted(movie));
        assert_eq!(written(&again), again, "a BK2 is another one after writing");
    } else {
        assert_eq!(&again, movie, "an FM2 is another one after writing");
    }
}

fn archived(texts: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in MEMBERS.into_iter().zip(split(texts, BETWEEN)) {
        writer.start_file(name, options).and_then(|()| Ok(writer.write_all(text)?)).expect("memory can be written");
    }
    writer.finish().expect("memory can be written").into_inner()
}

fn split<'a>(mut bytes: &'a [u8], between: &'static [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        match bytes.windows(between.len()).position(|window| window == between) {
            Some(at) => {
                let part = &bytes[..at];
                bytes = &bytes[at + between.len()..];
                Some(part)
            }
            None => {
                done = true;
                Some(bytes)
            }
        }
    })
}

/// Buttons of replay devices.
pub(crate) fn r08(bytes: &[u8]) {
    let Some(entries) = check::read(maxout_formats::r08::read(Path::new("file"), bytes)) else { return };
    // Half an entry at the end, as after a full disk, is left out.
    let (whole, _) = bytes.as_chunks::<2>();
    let written: Vec<u8> = entries.buttons.iter().flat_map(|buttons| [buttons.bits(), 0]).collect();
    let uses_other = whole.iter().any(|entry| entry[1] != 0);
    assert_eq!(entries.uses_other_gamepad, uses_other);
    assert!(uses_other || written == whole.as_flattened(), "the entries are those of the file");
}
