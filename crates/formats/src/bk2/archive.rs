//! A ZIP archive whose last member grows: it is not compressed, and after every piece the central
//! directory is written again after it. So the file is a whole archive at any time.
//!
//! Written to the published description of the format (PKWARE's APPNOTE, 4.3); without times, so
//! that the same content gives the same bytes.

use std::io;

use crc32fast::Hasher;

use crate::whole::Closing;

/// 1 January 1980 at midnight, the earliest date of the ZIP format.
const DATE: u16 = 1 << 5 | 1;
/// Position of the CRC-32 in a local header; the two sizes follow.
const CRC_OFFSET: u64 = 14;
/// Room that is kept for the directory and its end: both take less than 1 KiB.
const ROOM: u32 = 64 * 1024;

/// A member as the directory describes it.
struct Member {
    name: &'static str,
    crc: u32,
    size: u32,
    position: u32,
}

impl Member {
    /// The fields that local header and directory share.
    fn description(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Version 1.0 reads it; no flags; stored; midnight; the date.
        for value in [10, 0, 0, 0, DATE] {
            bytes.extend(u16::to_le_bytes(value));
        }
        for value in [self.crc, self.size, self.size, self.name.len() as u32] {
            bytes.extend(u32::to_le_bytes(value));
        }
        // The name's length is followed by that of an extra field, zero: 32 bits in all.
        bytes
    }

    fn local_header(&self) -> Vec<u8> {
        [b"PK\x03\x04", &self.description()[..], self.name.as_bytes()].concat()
    }

    fn directory_entry(&self) -> Vec<u8> {
        // Made by version 1.0 on MS-DOS; no comment, disk 0, no attributes.
        [
            b"PK\x01\x02",
            &10_u16.to_le_bytes()[..],
            &self.description(),
            &[0; 10],
            &self.position.to_le_bytes(),
            self.name.as_bytes(),
        ]
        .concat()
    }
}

/// An archive under way.
pub(super) struct Archive {
    members: Vec<Member>,
    /// The checksum of the last member.
    crc: Hasher,
}

impl Archive {
    /// Starts an archive: these members, and the header of the one that grows. The bytes go to
    /// the beginning of the file.
    pub(super) fn new(whole: &[(&'static str, String)], growing: &'static str) -> (Archive, Vec<u8>) {
        let mut bytes = Vec::new();
        let mut members = Vec::new();
        for (name, text) in whole {
            let (crc, size, position) = (crc32fast::hash(text.as_bytes()), text.len() as u32, bytes.len() as u32);
            let member = Member { name, crc, size, position };
            bytes.extend(member.local_header());
            bytes.extend(text.as_bytes());
            members.push(member);
        }
        let last = Member { name: growing, crc: 0, size: 0, position: bytes.len() as u32 };
        bytes.extend(last.local_header());
        members.push(last);
        (Archive { members, crc: Hasher::new() }, bytes)
    }

    fn last(&self) -> &Member {
        &self.members[self.members.len() - 1]
    }

    /// Takes note of bytes that are added to the last member.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        if let Some(last) = self.members.last_mut() {
            last.size = last.size.saturating_add(bytes.len() as u32);
        }
    }

    /// Checks that there is room for `more` bytes.
    ///
    /// # Errors
    /// When the archive would be longer than 4 GiB.
    pub(super) fn check_length(&self, more: usize) -> io::Result<()> {
        let length = self.last().position.saturating_add(self.last().size).saturating_add(ROOM);
        match length.checked_add(more as u32) {
            Some(_) => Ok(()),
            None => Err(io::Error::new(io::ErrorKind::FileTooLarge, "a BK2 has room for 4 GiB")),
        }
    }

    /// The end of the last member, the directory, and the fields of the last member's header
    /// that change.
    pub(super) fn closing(&self, footer: &[u8]) -> Closing {
        let mut crc = self.crc.clone();
        crc.update(footer);
        let last = self.last();
        let last = Member { crc: crc.finalize(), size: last.size + footer.len() as u32, ..*last };
        let data = last.position + last.local_header().len() as u32 + last.size;
        let before = &self.members[..self.members.len() - 1];
        let directory: Vec<u8> = before.iter().chain([&last]).flat_map(Member::directory_entry).collect();
        let count = self.members.len() as u16;
        let tail = [
            footer,
            &directory,
            b"PK\x05\x06\0\0\0\0",
            &count.to_le_bytes(),
            &count.to_le_bytes(),
            &(directory.len() as u32).to_le_bytes(),
            &data.to_le_bytes(),
            &[0, 0],
        ];
        let sizes = [last.crc, last.size, last.size].map(u32::to_le_bytes);
        Closing { tail: tail.concat(), patch: Some((u64::from(last.position) + CRC_OFFSET, sizes.concat())) }
    }
}
