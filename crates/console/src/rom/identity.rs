//! Which program a ROM is: by the hashes of its PRG and CHR, and what is not known, by the tables
//! that NES Tetris has in its program.

use std::ops::Range;

use maxout_engine::game::crash::Crashes;
use maxout_engine::game::tables;
use sha1::{Digest, Sha1};

use super::header::{HEADER, TRAINER};

/// The program's own cartridge, built from `cartridge/`.
pub(super) const CARTRIDGE: &[u8] = include_bytes!("../../maxout.nes");

/// SHA-1 of PRG and CHR of the one original ROM that is known, NES Tetris (Nintendo, NTSC, 1989).
pub(super) const TETRIS_SHA1: &str = "fd9079cb5e8479eb06d93c2ae5175bfce871746a";
/// CRC-32 and SHA-1 of its PRG alone.
const TETRIS_PRG: (u32, &str) = (0x943D_FBBE, "3ef4b8d6c668c0de0cfdf508dd28e2ad8de9a2e9");
/// CRC-32 and SHA-1 of its CHR alone.
const TETRIS_CHR: (u32, &str) = (0x251A_F21C, "e3ee7056aba68ddb2770ece06127790fe9a57b74");

/// Bytes of PRG of the original and of the cartridge.
pub(super) const PRG: usize = 32 * 1024;
/// Bytes of CHR of both.
pub(super) const CHR: usize = 16 * 1024;
/// CHR is looked for at multiples of this after PRG: half of the smallest unit that dumpers repeat.
const STEP: usize = 4 * 1024;
/// Where PRG can begin: after a header, after a header and a trainer, without a header, after the
/// 512 bytes that copiers put before it.
const STARTS: [usize; 4] = [HEADER, HEADER + TRAINER, 0, 512];

/// Frames per row of the PAL version at levels 0 to 19.
const PAL_FRAMES_PER_ROW: [u8; 20] = [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1];
/// At least this many of the four tables of pieces make a Tetris: a hack may have changed the others.
const ENOUGH_TABLES: usize = 2;
/// Bytes of PRG that are searched for tables. No version of the game has more than 512 KiB, the most
/// that its board takes.
const MAX_SEARCHED: usize = 512 * 1024;

/// Which program a ROM is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// NES Tetris by Nintendo, NTSC: by the hash of its program.
    Tetris,
    /// The cartridge that comes with this program.
    Cartridge,
    /// NES Tetris for PAL consoles: by its table of frames per row.
    Pal,
    /// It has the tables of NES Tetris, but is none of the above: a hack, or a damaged dump.
    Changed,
    /// Something else.
    Unknown,
}

impl Identity {
    /// In words.
    pub const fn description(self) -> &'static str {
        match self {
            Identity::Tetris => "Tetris (Nintendo, NES NTSC, 1989)",
            Identity::Cartridge => "maxout's own cartridge",
            Identity::Pal => "the PAL version of NES Tetris",
            Identity::Changed => "a changed NES Tetris (a hack like TetrisGYM, or a damaged dump)",
            Identity::Unknown => "unknown",
        }
    }

    /// Is it a program whose RAM this program knows?
    pub const fn is_known(self) -> bool {
        matches!(self, Identity::Tetris | Identity::Cartridge)
    }

    /// Can it crash past level 154? `None` where that is not known: many changed versions cannot.
    pub const fn crashes(self) -> Option<bool> {
        match self {
            Identity::Tetris => Some(true),
            Identity::Cartridge => Some(false),
            Identity::Pal | Identity::Changed | Identity::Unknown => None,
        }
    }

    /// What it is taken for by those who play on it: as if it crashed where that is not known.
    pub const fn played_with(self) -> Crashes {
        match self.crashes() {
            Some(false) => Crashes::Off,
            Some(true) | None => Crashes::On,
        }
    }

    /// The same in words, after "it crashes".
    pub const fn crashes_in_words(self) -> &'static str {
        match self.crashes() {
            Some(true) => "from level 155 on, as the original does (see maxout crash)",
            Some(false) => "never",
            None => "not known: played as if it crashed like the original",
        }
    }

    /// Why it is not played, and what to do, in words; nothing for a known program.
    pub const fn advice(self) -> &'static str {
        match self {
            Identity::Tetris | Identity::Cartridge => "",
            Identity::Pal => {
                "its pieces fall and shift at other rates, which maxout does not know yet; use the NTSC version"
            }
            Identity::Changed => {
                "its menus and addresses may be others; use the unchanged ROM, or play --force to try this one"
            }
            Identity::Unknown => "it is not a ROM that maxout knows; to try it, give play FILE --force",
        }
    }

    /// In a few words, for lists of ROMs that are not used.
    pub(super) const fn in_short(self) -> &'static str {
        match self {
            Identity::Tetris | Identity::Cartridge => self.description(),
            Identity::Pal => "PAL version of Tetris",
            Identity::Changed => "a changed Tetris",
            Identity::Unknown => "a ROM that is not known",
        }
    }
}

/// A known program in a dump.
pub(super) struct Known {
    pub identity: Identity,
    /// Where its PRG is.
    pub prg: Range<usize>,
    /// Where its CHR is; `None` if it is not there.
    pub chr: Option<Range<usize>>,
    /// Is CHR the program's own? Other graphics change no rule.
    pub has_own_chr: bool,
}

/// The known program in a dump, wherever its header or repetitions have put it.
///
/// `declared_chr` is where CHR begins by the header. If the program's own is nowhere, the CHR there
/// is used, or that right after PRG if the file has none there.
pub(super) fn find_known(bytes: &[u8], declared_chr: usize) -> Option<Known> {
    let (identity, prg) = STARTS.into_iter().find_map(|start| {
        let prg = start..start + PRG;
        Some((by_prg(bytes.get(prg.clone())?)?, prg))
    })?;
    let last = bytes.len().saturating_sub(CHR);
    let mut places = (prg.end..=last).step_by(STEP).map(|start| start..start + CHR);
    let own = places.find(|place| is_chr_of(identity, &bytes[place.clone()]));
    let has_own_chr = own.is_some();
    // A header that is wrong about PRG is wrong about where CHR begins.
    let other = [declared_chr, prg.end].into_iter().find(|start| (prg.end..=last).contains(start));
    let chr = own.or_else(|| other.map(|start| start..start + CHR));
    Some(Known { identity, prg, chr, has_own_chr })
}

fn by_prg(prg: &[u8]) -> Option<Identity> {
    if prg == &CARTRIDGE[HEADER..HEADER + PRG] {
        Some(Identity::Cartridge)
    } else {
        has_hash(prg, TETRIS_PRG).then_some(Identity::Tetris)
    }
}

fn is_chr_of(identity: Identity, chr: &[u8]) -> bool {
    match identity {
        Identity::Cartridge => chr == &CARTRIDGE[HEADER + PRG..],
        _ => has_hash(chr, TETRIS_CHR),
    }
}

/// SHA-1 decides; CRC-32 is faster and rules out nearly everything.
fn has_hash(bytes: &[u8], (crc32, sha1): (u32, &str)) -> bool {
    crc32fast::hash(bytes) == crc32 && hexadecimal(&Sha1::digest(bytes)) == sha1
}

/// What a program is that no hash is known of.
pub(super) fn by_tables(prg: &[u8]) -> Identity {
    let prg = &prg[..prg.len().min(MAX_SEARCHED)];
    let has = |table: &[u8]| prg.windows(table.len()).any(|window| window == table);
    if has(&PAL_FRAMES_PER_ROW) {
        return Identity::Pal;
    }
    let tables = [tables::orientations(), tables::rotations(), tables::pieces(), tables::spawns_by_orientation()];
    if tables.iter().filter(|table| has(table)).count() >= ENOUGH_TABLES {
        Identity::Changed
    } else {
        Identity::Unknown
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_of_the_known_programs_it_is_known_whether_they_crash() {
        for identity in [Identity::Tetris, Identity::Cartridge, Identity::Pal, Identity::Changed, Identity::Unknown] {
            assert_eq!(identity.crashes().is_some(), identity.is_known());
            assert_eq!(identity.played_with() == Crashes::Off, identity == Identity::Cartridge);
            assert_eq!(identity.crashes_in_words().starts_with("from level 155"), identity == Identity::Tetris);
        }
    }

    #[test]
    fn a_hash_is_both_checksums() {
        // The check value of CRC-32, and SHA-1 as sha1sum gives it.
        let (crc32, sha1) = (0xCBF4_3926, "f7c3bc1d808e04732adf679965ccc34ca7ae3441");
        assert!(has_hash(b"123456789", (crc32, sha1)));
        assert!(!has_hash(b"123456789", (crc32 ^ 1, sha1)));
        assert!(!has_hash(b"123456789", (crc32, TETRIS_PRG.1)));
        assert_eq!(hexadecimal(&[0x0A, 0xF0]), "0af0");
    }
}
