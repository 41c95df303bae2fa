//! Files that are packed as a whole.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use maxout_formats::trace::TraceReader;
use maxout_formats::{FileFormat, Format, InputFile};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::{check, traces};

/// How gzip and Zstandard begin.
const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTANDARD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A log or a movie that is packed with gzip: the first byte chooses the format. What does not begin
/// like gzip is packed first, so that the checksum is right.
pub(crate) fn gzip(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let format = [Format::Csv, Format::JsonLines, Format::Fm2][usize::from(first) % 3];
    let format = FileFormat { format, gzip: true };
    if bytes.starts_with(&GZIP) {
        check::read(InputFile::open(&check::file(&format.to_string(), bytes), format));
        return;
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).expect("memory can be written");
    let packed = packed.finish().expect("memory can be written");
    let read = |format: FileFormat, bytes: &[u8]| {
        let file = check::file(&format.to_string(), bytes);
        InputFile::open(&file, format).map_err(|error| {
            check::message(&error);
            error.to_string().replace(&*file.to_string_lossy(), "file")
        })
    };
    // Packed or not, it is the same file.
    assert_eq!(read(format, &packed), read(format.format.into(), bytes));
}

/// A trace that is packed with Zstandard. What does not begin so is packed first.
pub(crate) fn trace_zst(bytes: &[u8]) {
    if bytes.starts_with(&ZSTANDARD) {
        if let Some(trace) = check::read(TraceReader::open(check::file("trace.zst", bytes))) {
            traces::rows(trace);
        }
        return;
    }
    let read = |ending: &str, bytes: &[u8]| -> Result<Vec<_>, String> {
        let file = check::file(ending, bytes);
        let plain = |error: maxout_formats::Error| {
            check::message(&error);
            error.to_string().replace(&*file.to_string_lossy(), "file")
        };
        let mut trace = TraceReader::open(Path::new(&file)).map_err(plain)?;
        let mut rows = Vec::new();
        while let Some(row) = trace.next_row().map_err(plain)? {
            rows.push((row.frame, row.buttons, row.ram));
        }
        Ok(rows)
    };
    let packed = compress_to_vec(bytes, CompressionLevel::Fastest);
    assert!(read("trace.zst", &packed) == read("trace", bytes), "packed or not, it is the same trace");
}
