//! A ZIP archive whose last member grows: it is not compressed, and the file is a whole archive at any
//! time, also between two writes and in the middle of one.
//!
//! While it grows, a gap of zeros follows the last member's data, and two closings follow the gap.
//! A closing is a central directory and its end record:
//!
//! ```text
//! members | header | data ... | gap | directory A, end A | directory B, end B
//! ```
//!
//! Readers look for the end record from the end of the file backwards. If end B begins with its
//! signature, directory B counts. If the first byte of end B is zero, end A is found, and closing B
//! is its comment. So data is added in three steps, of which only the last one is seen:
//!
//! 1. the data goes into the gap, which no directory mentions;
//! 2. the closing that does not count gets the new length and checksum;
//! 3. one byte, the first of end B, is switched on or off: now that closing counts.
//!
//! When the gap is used up, a new gap and two new closings are added to the end in one write. The
//! local header of the last member has flag bit 3, "see the directory", because it does not change.
//!
//! At the end, the closing of a plain archive is written into the gap, directly behind the data;
//! the header gets its length and checksum and loses the flag; and the file is cut behind the closing.
//! So a finished archive has no gap.
//!
//! Written to the published description of the format (PKWARE's APPNOTE, 4.3); without times, so
//! that the same content gives the same bytes.

use std::io;

use crc32fast::Hasher;

use crate::whole::Edit;

/// 1 January 1980 at midnight, the earliest date of the ZIP format.
const DATE: u16 = 1 << 5 | 1;
/// Position of the flags in a local header.
const FLAGS_OFFSET: u64 = 6;
/// Position of the CRC-32 in a local header; the two sizes follow.
const CRC_OFFSET: u64 = 14;
/// The flag of a member whose length and checksum are in the directory alone.
const IN_DIRECTORY: u16 = 1 << 3;
/// Bytes of an end record without its comment.
const END: usize = 22;
/// Bytes of a new gap: a thousand frames. More of them make an unfinished file longer, fewer of them
/// mean more writes. Chosen by hand, not measured. With its closings it must stay below 64 KiB, the
/// distance in which readers look for an end record. Tests have a small one, to use it up often.
const GAP: usize = if cfg!(test) { 640 } else { 16 * 1024 };
/// Bytes of the gap that are left for the closing of a finished archive. It has three or four
/// members, whose directory takes about 230 bytes. Some readers expect 16 bytes behind a member with
/// [`IN_DIRECTORY`].
const RESERVE: u64 = 512;
/// Room that is kept for what follows the data.
const ROOM: u32 = 64 * 1024;

/// A member as the directory describes it.
struct Member {
    name: &'static str,
    flags: u16,
    crc: u32,
    size: u32,
    position: u32,
}

impl Member {
    /// The fields that local header and directory share.
    fn description(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Version 1.0 reads it; stored; midnight; the date.
        for value in [10, self.flags, 0, 0, DATE] {
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

/// Which of the two closings counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Valid {
    A,
    B,
}

/// An archive under way.
pub(super) struct Archive {
    members: Vec<Member>,
    /// The header of the last member and what is before it.
    head: Vec<u8>,
    /// The checksum of the last member.
    crc: Hasher,
    /// Where closing A is in the file, and which closing counts; none before the first write.
    closings: Option<(u64, Valid)>,
    /// Bytes of a closing.
    closing_length: u64,
}

impl Archive {
    /// Starts an archive: these members, and the one that grows.
    pub(super) fn new(whole: &[(&'static str, String)], growing: &'static str) -> Archive {
        let mut head = Vec::new();
        let mut members = Vec::new();
        for (name, text) in whole {
            let (crc, size, position) = (crc32fast::hash(text.as_bytes()), text.len() as u32, head.len() as u32);
            let member = Member { name, flags: 0, crc, size, position };
            head.extend(member.local_header());
            head.extend(text.as_bytes());
            members.push(member);
        }
        let last = Member { name: growing, flags: IN_DIRECTORY, crc: 0, size: 0, position: head.len() as u32 };
        head.extend(last.local_header());
        members.push(last);
        let mut archive = Archive { members, head, crc: Hasher::new(), closings: None, closing_length: 0 };
        archive.closing_length = archive.closing(0, 0).len() as u64;
        archive
    }

    fn last(&self) -> &Member {
        &self.members[self.members.len() - 1]
    }

    /// The end of the last member's data in the file.
    fn end(&self) -> u64 {
        self.head.len() as u64 + u64::from(self.last().size)
    }

    /// Adds bytes to the last member; the changes that the file needs.
    ///
    /// # Errors
    /// When the archive would be longer than 4 GiB.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<Vec<Edit>> {
        self.check_room(bytes)?;
        let mut edits = Vec::new();
        let (start, added) = (self.end(), bytes.len() as u64);
        let is_first = self.closings.is_none();
        if let Some((at, _)) = self.closings
            && start + added + RESERVE > at
        {
            let behind = at + 2 * self.closing_length;
            edits.push(self.widened(behind, Vec::new(), bytes.len()));
        }
        self.take(bytes);
        if is_first {
            edits.push(self.widened(0, [&self.head, bytes].concat(), 0));
            return Ok(edits);
        }
        edits.push(Edit::Write { at: start, bytes: bytes.to_vec() });
        edits.extend(self.switched());
        Ok(edits)
    }

    fn check_room(&self, bytes: &[u8]) -> io::Result<()> {
        match (self.end() as u32).saturating_add(ROOM).checked_add(bytes.len() as u32) {
            Some(_) => Ok(()),
            None => Err(io::Error::new(io::ErrorKind::FileTooLarge, "a BK2 has room for 4 GiB")),
        }
    }

    /// Counts bytes of the last member.
    fn take(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        let crc = self.crc.clone().finalize();
        if let Some(last) = self.members.last_mut() {
            (last.crc, last.size) = (crc, last.size + bytes.len() as u32);
        }
    }

    /// Counts bytes of the last member that are kept elsewhere until its end is known.
    ///
    /// # Errors
    /// When the archive would be longer than 4 GiB.
    pub(super) fn count(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check_room(bytes)?;
        self.take(bytes);
        Ok(())
    }

    /// What is before the counted bytes in the finished archive, and behind them: `footer`, the last bytes of the last
    /// member, and the closing.
    pub(super) fn around(&mut self, footer: &[u8]) -> (Vec<u8>, Vec<u8>) {
        self.take(footer);
        if let Some(last) = self.members.last_mut() {
            last.flags = 0;
        }
        let mut head = self.head.clone();
        head.truncate(self.last().position as usize);
        head.extend(self.last().local_header());
        (head, [footer, &self.closing(self.end(), 0)].concat())
    }

    /// A new gap and two new closings of what there is now, of which B counts, at the end of the file,
    /// which is at this place, and behind this content.
    fn widened(&mut self, at: u64, content: Vec<u8>, added: usize) -> Edit {
        let mut bytes = content;
        bytes.resize(bytes.len() + GAP + added, 0);
        let first = at + bytes.len() as u64;
        bytes.extend(self.closing(first, self.closing_length as u16));
        bytes.extend(self.closing(first + self.closing_length, 0));
        self.closings = Some((first, Valid::B));
        Edit::Grow(bytes)
    }

    /// Brings the closing that does not count up to date, and lets it count.
    fn switched(&mut self) -> Vec<Edit> {
        let Some((first, valid)) = self.closings else { return Vec::new() };
        let length = self.closing_length;
        let switch = first + 2 * length - END as u64;
        let (now, closing, signature) = match valid {
            Valid::B => (Valid::A, Edit::Write { at: first, bytes: self.closing(first, length as u16) }, 0),
            Valid::A => {
                let mut bytes = self.closing(first + length, 0);
                let end = bytes.len() - END;
                bytes[end] = 0;
                (Valid::B, Edit::Write { at: first + length, bytes }, b'P')
            }
        };
        self.closings = Some((first, now));
        vec![closing, Edit::Write { at: switch, bytes: vec![signature] }]
    }

    /// A directory that begins at this position, and its end record with the length of a comment.
    fn closing(&self, position: u64, comment: u16) -> Vec<u8> {
        let directory = self.members.iter().map(Member::directory_entry).collect::<Vec<_>>().concat();
        let count = (self.members.len() as u16).to_le_bytes();
        let (length, position) = ((directory.len() as u32).to_le_bytes(), (position as u32).to_le_bytes());
        let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &position, &comment.to_le_bytes()].concat();
        [directory, end].concat()
    }

    /// The changes that end the archive behind these last bytes of the last member.
    pub(super) fn finish(&mut self, footer: &[u8]) -> Vec<Edit> {
        let end = self.end();
        self.take(footer);
        if let Some(last) = self.members.last_mut() {
            last.flags = 0;
        }
        let crc = self.last().crc;
        let bytes = [footer, &self.closing(self.end(), 0)].concat();
        let header = u64::from(self.last().position);
        let sizes = [crc, self.last().size, self.last().size].map(u32::to_le_bytes).concat();
        let length = end + bytes.len() as u64;
        vec![
            Edit::Write { at: end, bytes },
            Edit::Write { at: header + CRC_OFFSET, bytes: sizes },
            Edit::Write { at: header + FLAGS_OFFSET, bytes: vec![0] },
            Edit::Cut(length),
        ]
    }
}
