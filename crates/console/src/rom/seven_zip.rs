//! The header of a 7z archive, checked before the unpacking crate reads it.
//!
//! The crate allocates memory by counts of the header that it has not checked. An allocation that
//! fails ends the program, so that no caller can catch it. The format: 7zFormat.txt of the LZMA SDK.

use std::io::{self, Cursor, Read};

use sevenz_rust2::{ArchiveReader, Password};

/// The signature, the version, the start header's CRC-32 and the start header.
const SIGNATURE_HEADER: usize = 32;
/// Most bytes that are unpacked of a packed header. One of 10,000 members with long names has about
/// 1 MiB. Chosen by hand, not measured.
const MAX_HEADER: u64 = 16 * 1024 * 1024;
/// Most coders of a block. 7-Zip writes at most 5: BCJ2, three LZMA and AES.
const MAX_CODERS: usize = 8;
/// Most inputs of a coder: BCJ2 has 4, all others have 1.
const MAX_INPUTS: u64 = 4;
/// Most bytes of a dictionary: 7-Zip's highest level takes 256 MiB.
const MAX_DICTIONARY: u64 = 256 * 1024 * 1024;

/// Property numbers of the format.
mod id {
    pub const END: u8 = 0x00;
    pub const HEADER: u8 = 0x01;
    pub const ARCHIVE_PROPERTIES: u8 = 0x02;
    pub const MAIN_STREAMS: u8 = 0x04;
    pub const FILES: u8 = 0x05;
    pub const PACK_INFO: u8 = 0x06;
    pub const UNPACK_INFO: u8 = 0x07;
    pub const SUB_STREAMS: u8 = 0x08;
    pub const SIZE: u8 = 0x09;
    pub const CRC: u8 = 0x0A;
    pub const FOLDER: u8 = 0x0B;
    pub const UNPACK_SIZE: u8 = 0x0C;
    pub const UNPACK_STREAMS: u8 = 0x0D;
    pub const EMPTY_STREAM: u8 = 0x0E;
    pub const EMPTY_FILE: u8 = 0x0F;
    pub const NAME: u8 = 0x11;
    pub const ENCODED_HEADER: u8 = 0x17;
}

/// Coders whose first property bytes give the size of a dictionary.
const LZMA: [u8; 3] = [3, 1, 1];
const LZMA2: [u8; 1] = [0x21];

/// The same archive with a plain header in which every count has been checked and which has only
/// what unpacking needs. `None` if the archive is empty.
///
/// # Errors
/// In words, when the archive is damaged.
pub(super) fn checked(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let (content, header) = split(bytes).ok_or_else(damaged)?;
    if header.is_empty() {
        return Ok(None);
    }
    let unpacked;
    let header = if header[0] == id::ENCODED_HEADER {
        unpacked = unpack_header(content, &header[1..])?;
        &unpacked
    } else {
        header
    };
    let header = Walk::new(header).header().ok_or_else(damaged)?;
    Ok(Some(archive(content, &header)))
}

/// The message for damage that no checksum has found.
pub(super) fn damaged() -> String {
    "it is damaged".to_owned()
}

/// The packed bytes and the header.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = bytes.get(12..SIGNATURE_HEADER)?;
    if crc32fast::hash(start).to_le_bytes() != bytes[8..12] {
        return None;
    }
    let number = |at: usize| u64::from_le_bytes(start[at..at + 8].try_into().ok()?).try_into().ok();
    let (offset, size): (usize, usize) = (number(0)?, number(8)?);
    let from = offset.checked_add(SIGNATURE_HEADER)?;
    let header = bytes.get(from..from.checked_add(size)?)?;
    (crc32fast::hash(header).to_le_bytes() == start[16..20]).then_some((&bytes[SIGNATURE_HEADER..from], header))
}

/// An archive of packed bytes and a plain header.
fn archive(content: &[u8], header: &[u8]) -> Vec<u8> {
    let mut start = (content.len() as u64).to_le_bytes().to_vec();
    start.extend((header.len() as u64).to_le_bytes());
    start.extend(crc32fast::hash(header).to_le_bytes());
    let signature = b"7z\xBC\xAF\x27\x1C\0\x04";
    [signature, &crc32fast::hash(&start).to_le_bytes()[..], &start, content, header].concat()
}

/// Unpacks a packed header: as the only member of an archive.
fn unpack_header(content: &[u8], streams: &[u8]) -> Result<Vec<u8>, String> {
    let mut walk = Walk::new(streams);
    let streams = walk.streams().filter(|streams| streams.members == 1).ok_or_else(damaged)?;
    let mut header = vec![id::HEADER, id::MAIN_STREAMS];
    header.extend(&streams.bytes);
    header.extend([id::FILES, 1, id::END, id::END]);
    let mut reader = ArchiveReader::new(Cursor::new(archive(content, &header)), Password::empty()).map_err(in_words)?;
    reader.set_thread_count(1);
    let mut unpacked = Vec::new();
    let read = reader.for_each_entries(|_, member| {
        member.take(MAX_HEADER).read_to_end(&mut unpacked)?;
        Ok(true)
    });
    read.map_err(in_words)?;
    Ok(unpacked)
}

/// The crate's errors, in words.
pub(super) fn in_words(error: sevenz_rust2::Error) -> String {
    words(&error)
}

fn words(error: &sevenz_rust2::Error) -> String {
    use sevenz_rust2::Error as E;
    match error {
        E::Io(error, _) => io_in_words(error),
        E::ChecksumVerificationFailed | E::NextHeaderCrcMismatch => "wrong checksum".to_owned(),
        // Decryption is not compiled in, so that it is one more method that is not read.
        E::UnsupportedCompressionMethod(method) if method.starts_with("AES") => "it is encrypted".to_owned(),
        E::UnsupportedCompressionMethod(method) => format!("compression {method} is not read"),
        _ => damaged(),
    }
}

/// An error while a member is read. The crate wraps its own errors in it.
pub(super) fn io_in_words(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    inner.map_or_else(|| error.to_string(), words)
}

/// A streams section, as its bytes, and what other sections need of it.
struct Streams {
    bytes: Vec<u8>,
    /// Members that have content.
    members: usize,
}

/// Reads a header from front to back. `None` means that it is damaged.
struct Walk<'a> {
    rest: &'a [u8],
    /// Of nothing are there more than bytes of the header.
    most: usize,
}

impl<'a> Walk<'a> {
    fn new(header: &'a [u8]) -> Walk<'a> {
        Walk { rest: header, most: header.len() }
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn expect(&mut self, expected: u8) -> Option<()> {
        (self.byte()? == expected).then_some(())
    }

    /// Takes the next byte if it is `expected`.
    fn has(&mut self, expected: u8) -> bool {
        let found = self.rest.first() == Some(&expected);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// A number of 1 to 9 bytes: the leading ones of the first say how many follow.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let more = first.leading_ones() as usize;
        let mut bytes = [0; 8];
        bytes[..more].copy_from_slice(self.bytes(more)?);
        let high = u64::from(first) & (0x7F >> more);
        Some(u64::from_le_bytes(bytes) + high.unbounded_shl(8 * more as u32))
    }

    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.most).then_some(count)
    }

    /// For which of `count` things a checksum follows; the checksums are skipped.
    fn checksums(&mut self, count: usize) -> Option<Vec<bool>> {
        let mut defined = vec![true; count];
        if self.byte()? == 0 {
            let bits = self.bytes(count.div_ceil(8))?;
            for (index, defined) in defined.iter_mut().enumerate() {
                *defined = bits[index / 8] & (0x80 >> (index % 8)) != 0;
            }
        }
        self.bytes(4 * defined.iter().filter(|&&defined| defined).count())?;
        Some(defined)
    }

    /// The header with the properties that unpacking needs.
    fn header(&mut self) -> Option<Vec<u8>> {
        self.expect(id::HEADER)?;
        if self.has(id::ARCHIVE_PROPERTIES) {
            while self.byte()? != id::END {
                let size = self.count()?;
                self.bytes(size)?;
            }
        }
        let mut header = vec![id::HEADER];
        let mut members = 0;
        if self.has(id::MAIN_STREAMS) {
            let streams = self.streams()?;
            header.push(id::MAIN_STREAMS);
            header.extend(streams.bytes);
            members = streams.members;
        }
        if self.has(id::FILES) {
            header.push(id::FILES);
            header.extend(self.files(members)?);
        }
        self.expect(id::END)?;
        header.push(id::END);
        Some(header)
    }

    fn streams(&mut self) -> Option<Streams> {
        let from = self.rest;
        let mut packed = 0;
        if self.has(id::PACK_INFO) {
            packed = self.packed()?;
        }
        let blocks = if self.has(id::UNPACK_INFO) { self.blocks(packed)? } else { Vec::new() };
        let mut bytes = from[..from.len() - self.rest.len()].to_vec();
        let mut members = blocks.len();
        let from = self.rest;
        if self.has(id::SUB_STREAMS) {
            members = self.members(&blocks)?;
            bytes.extend(&from[..from.len() - self.rest.len()]);
        } else {
            // The crate needs it, even if it is empty.
            bytes.extend([id::SUB_STREAMS, id::END]);
        }
        self.expect(id::END)?;
        bytes.push(id::END);
        Some(Streams { bytes, members })
    }

    /// The count of packed streams.
    fn packed(&mut self) -> Option<usize> {
        self.number()?;
        let count = self.count()?;
        if self.has(id::SIZE) {
            for _ in 0..count {
                self.number()?;
            }
        }
        if self.has(id::CRC) {
            self.checksums(count)?;
        }
        self.expect(id::END)?;
        Some(count)
    }

    /// For each block, whether it has a checksum.
    fn blocks(&mut self, packed: usize) -> Option<Vec<bool>> {
        self.expect(id::FOLDER)?;
        let count = self.count()?;
        self.expect(0)?;
        let (mut outputs, mut inputs) = (0, 0);
        for _ in 0..count {
            let (coders, packed) = self.block()?;
            outputs += coders;
            inputs += packed;
        }
        if inputs > packed {
            return None;
        }
        self.expect(id::UNPACK_SIZE)?;
        for _ in 0..outputs {
            self.number()?;
        }
        let checksums = if self.has(id::CRC) { self.checksums(count)? } else { vec![false; count] };
        self.expect(id::END)?;
        Some(checksums)
    }

    /// The counts of coders and packed streams of a block. Each coder has one output, and no stream
    /// is bound twice, so that no coder reads what it has written itself.
    fn block(&mut self) -> Option<(usize, usize)> {
        let coders = self.count().filter(|coders| (1..=MAX_CODERS).contains(coders))?;
        let mut inputs = 0;
        for _ in 0..coders {
            inputs += self.coder()?;
        }
        let bound = coders - 1;
        let (mut ins, mut outs) = (Vec::new(), Vec::new());
        for _ in 0..bound {
            ins.push(self.number().filter(|&index| index < inputs)?);
            outs.push(self.number().filter(|&index| index < coders as u64)?);
        }
        let packed = usize::try_from(inputs).ok()?.checked_sub(bound)?;
        if packed != 1 {
            for _ in 0..packed {
                ins.push(self.number().filter(|&index| index < inputs)?);
            }
        }
        for bound in [&mut ins, &mut outs] {
            bound.sort_unstable();
            if bound.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
        }
        Some((coders, packed))
    }

    /// The count of a coder's inputs.
    fn coder(&mut self) -> Option<u64> {
        let flags = self.byte()?;
        let method = self.bytes(usize::from(flags & 0x0F))?;
        let mut inputs = 1;
        if flags & 0x10 != 0 {
            inputs = self.number().filter(|inputs| (1..=MAX_INPUTS).contains(inputs))?;
            self.number().filter(|&outputs| outputs == 1)?;
        }
        let mut properties = &[][..];
        if flags & 0x20 != 0 {
            let size = self.count()?;
            properties = self.bytes(size)?;
        }
        let dictionary = if method == LZMA {
            u64::from(u32::from_le_bytes(properties.get(1..5)?.try_into().ok()?))
        } else if method == LZMA2 {
            // 0 is 4 KiB, 1 is 6 KiB, 2 is 8 KiB and so on.
            let size = properties.first().filter(|&&size| size <= 40)?;
            u64::from(2 + size % 2) << (size / 2 + 11)
        } else {
            0
        };
        (flags & 0x80 == 0 && dictionary <= MAX_DICTIONARY).then_some(inputs)
    }

    /// The count of members with content.
    fn members(&mut self, blocks: &[bool]) -> Option<usize> {
        let mut members = vec![1; blocks.len()];
        if self.has(id::UNPACK_STREAMS) {
            for members in &mut members {
                *members = self.count()?;
            }
        }
        let total = members.iter().sum();
        if total > self.most {
            return None;
        }
        if self.has(id::SIZE) {
            for _ in 0..members.iter().map(|members: &usize| members.saturating_sub(1)).sum() {
                self.number()?;
            }
        }
        if self.has(id::CRC) {
            let known = members.iter().zip(blocks).filter(|&(&members, &has_checksum)| members == 1 && has_checksum);
            self.checksums(total - known.count())?;
        }
        self.expect(id::END)?;
        Some(total)
    }

    /// The files section: their names and which of them have no content.
    fn files(&mut self, members: usize) -> Option<Vec<u8>> {
        let from = self.rest;
        let count = self.count()?;
        let mut files = from[..from.len() - self.rest.len()].to_vec();
        let mut empty = 0;
        loop {
            let from = self.rest;
            let property = self.byte()?;
            if property == id::END {
                break;
            }
            let size = self.count()?;
            let value = self.bytes(size)?;
            let is_needed = match property {
                id::EMPTY_STREAM => {
                    empty = value.iter().map(|bits| bits.count_ones() as usize).sum();
                    (size == count.div_ceil(8)).then_some(true)?
                }
                id::EMPTY_FILE => (size == empty.div_ceil(8)).then_some(true)?,
                id::NAME => (size % 2 == 1 && value[0] == 0).then_some(true)?,
                // Times, attributes and padding. The crate reads some of them past their size.
                _ => false,
            };
            if is_needed {
                files.extend(&from[..from.len() - self.rest.len()]);
            }
        }
        files.push(id::END);
        (count.checked_sub(empty)? == members).then_some(files)
    }
}

#[cfg(test)]
mod tests;
