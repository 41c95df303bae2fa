//! What a survey needs to know of a ROM.

/// A ROM's program and what is known of it. The code that loads the ROM fills this in, so that a
/// survey needs no emulator and no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program<'a> {
    /// The ROM's name, for the result.
    pub name: &'a str,
    /// What the ROM is, in words.
    pub description: &'a str,
    /// SHA-1 of the ROM file, in hexadecimal.
    pub sha1: &'a str,
    /// Is it a ROM whose hash is known?
    pub is_known: bool,
    /// Its program (PRG), which ends at CPU address $FFFF.
    pub prg: &'a [u8],
}
