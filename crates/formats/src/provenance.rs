//! Where a log or a movie comes from: what is needed to make it again.

use crate::text::one_line;

/// Program and version, ROM, emulator, player and settings: names and values in a fixed order.
///
/// Logs carry them as their header, movies as comments; R08 and NGF have no room for them.
/// The keys that this program writes, in their order:
///
/// | key | value |
/// | --- | --- |
/// | `maxout` | version of this program |
/// | `commit` | git commit that it was built from; only if the build was given `MAXOUT_COMMIT` |
/// | `rom` | name of the ROM file |
/// | `crc32`, `md5`, `sha1` | hashes of PRG and CHR, hexadecimal |
/// | `emulator` | what ran the game, with its version; `simulated` is the rules model. Of a host, whose ROM is not known, it is the only entry of these |
/// | `region` | `NTSC` |
/// | `power-on-ram` | `zeros` |
/// | `seed`, `start-level`, `game-type` | which game |
/// | `player`, `settings` | who played, and its settings as JSON |
/// | `source` | the file that a conversion was made from |
/// | `offset` | how calls and movie lines go together |
/// | `frame-rate` | frames a second |
/// | `date` | only if the user gave one: otherwise two runs would not give the same bytes |
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance(Vec<(String, String)>);

/// The keys in their order.
const KEYS: [&str; 18] = [
    "maxout",
    "commit",
    "rom",
    "crc32",
    "md5",
    "sha1",
    "emulator",
    "region",
    "power-on-ram",
    "seed",
    "start-level",
    "game-type",
    "player",
    "settings",
    "source",
    "offset",
    "frame-rate",
    "date",
];

/// An MD5 of 32 hex digits.
pub(super) fn md5(digits: &str) -> Option<[u8; 16]> {
    let valid = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = if valid { u128::from_str_radix(digits, 16).ok()? } else { return None };
    Some(number.to_be_bytes())
}

impl Provenance {
    /// The first entries of every log and movie that this program makes on this ROM and console.
    ///
    /// `hashes` are CRC-32, MD5 and SHA-1 of PRG and CHR, hexadecimal.
    pub fn new(rom: &str, hashes: [&str; 3], emulator: &str) -> Provenance {
        let [crc32, md5, sha1] = hashes;
        Provenance::of_program()
            .with("rom", rom)
            .with("crc32", crc32)
            .with("md5", md5)
            .with("sha1", sha1)
            .with("emulator", emulator)
            .with("region", "NTSC")
            .with("power-on-ram", "zeros")
    }

    /// The first entries on somebody else's emulator, whose ROM is not known.
    pub fn of_host(emulator: &str) -> Provenance {
        Provenance::of_program().with("emulator", emulator).with("region", "NTSC")
    }

    fn of_program() -> Provenance {
        let provenance = Provenance::default().with("maxout", env!("CARGO_PKG_VERSION"));
        match option_env!("MAXOUT_COMMIT") {
            Some(commit) => provenance.with("commit", commit),
            None => provenance,
        }
    }

    /// Adds the last entries of every header.
    pub fn closed(self, date: Option<&str>) -> Provenance {
        let provenance = self.with("offset", "line = call + boots").with("frame-rate", "1008307711/16777216 = 60.0998");
        match date {
            Some(date) => provenance.dated(date),
            None => provenance,
        }
    }

    /// The same with this date, in place of another one.
    pub fn dated(mut self, date: &str) -> Provenance {
        self.0.retain(|(key, _)| key != "date");
        self.with("date", date)
    }

    /// The same with one entry more; line breaks in it become spaces.
    pub fn with(mut self, key: &str, value: impl ToString) -> Provenance {
        self.0.push((one_line(key), one_line(&value.to_string())));
        self
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| &value[..])
    }

    /// All entries in their order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (&key[..], &value[..]))
    }

    /// The MD5 of the ROM as bytes, where it is known.
    pub(super) fn rom_md5(&self) -> Option<[u8; 16]> {
        self.get("md5").and_then(md5)
    }

    /// The entries in the order in which this program writes them, others last: JSON objects
    /// have none.
    pub(super) fn in_order(mut self) -> Provenance {
        self.0.sort_by_key(|(key, _)| KEYS.iter().position(|known| known == key).unwrap_or(KEYS.len()));
        self
    }

    /// The entries as comments of a movie.
    pub(super) fn comments(&self) -> impl Iterator<Item = String> + '_ {
        self.entries().map(|(key, value)| format!("{key}: {value}"))
    }

    /// The entries in the comments of a movie, if this program wrote them.
    pub(super) fn from_comments<'a>(comments: impl Iterator<Item = &'a str>) -> Provenance {
        let entry = |comment: &'a str| comment.split_once(": ").filter(|(key, _)| KEYS.contains(key));
        comments.filter_map(entry).fold(Provenance::default(), |all, (key, value)| all.with(key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_as_comments_and_stay_on_their_line() {
        let hash = "5b0e571558c8c796937b96af469561c6";
        let provenance = Provenance::new("a\nb.nes", ["0", hash, "1"], "x 1").with("seed", 7).closed(Some("today"));
        assert_eq!(provenance.get("rom"), Some("a b.nes"));
        assert_eq!(provenance.rom_md5().map(|md5| md5[..2].to_vec()), Some(vec![0x5B, 0x0E]));
        let comments: Vec<String> = provenance.comments().collect();
        let others = ["author somebody", "note: not ours"];
        let all = others.into_iter().chain(comments.iter().map(String::as_str));
        assert_eq!(Provenance::from_comments(all), provenance);
    }

    #[test]
    fn without_a_date_there_is_none() {
        assert_eq!(Provenance::default().closed(None).get("date"), None);
    }
}
