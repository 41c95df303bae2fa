//! RAM maps: which address holds what, as TOML.

use std::sync::LazyLock;

use toml::Value;

use crate::game::memory::RAM_SIZE;
use crate::toml_fields::Fields;

/// The map of the original game. The project's own cartridge keeps the same addresses.
const DEFAULT: &str = include_str!("../../config/rammap/tetris-ntsc.toml");

/// The version of the map file that this program reads.
const FORMAT: u32 = 1;

/// How the bytes of an entry are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// One byte, plain binary.
    U8,
    /// Two bytes, low byte first.
    U16,
    /// Two decimal digits a byte, low byte first.
    Bcd,
    /// A byte of two decimal digits, then the hundreds in plain binary.
    BcdHundreds,
    /// Orientation id, `$13` = none.
    Orientation,
    /// Gamepad bits.
    Buttons,
    /// Playfield cells.
    Tiles,
    /// A BCD byte and a binary hundreds byte for each piece.
    Counts,
    /// One row number a byte.
    Rows,
    /// Plain bytes.
    Bytes,
}

impl Encoding {
    const ALL: [Encoding; 10] = [
        Encoding::U8,
        Encoding::U16,
        Encoding::Bcd,
        Encoding::BcdHundreds,
        Encoding::Orientation,
        Encoding::Buttons,
        Encoding::Tiles,
        Encoding::Counts,
        Encoding::Rows,
        Encoding::Bytes,
    ];

    /// Its name in a map file.
    const fn name(self) -> &'static str {
        match self {
            Encoding::U8 => "u8",
            Encoding::U16 => "u16",
            Encoding::Bcd => "bcd",
            Encoding::BcdHundreds => "bcd-hundreds",
            Encoding::Orientation => "orientation",
            Encoding::Buttons => "buttons",
            Encoding::Tiles => "tiles",
            Encoding::Counts => "counts",
            Encoding::Rows => "rows",
            Encoding::Bytes => "bytes",
        }
    }

    /// The size in bytes that the encoding fixes, if it does.
    const fn fixed_size(self) -> Option<u16> {
        match self {
            Encoding::U8 | Encoding::Orientation | Encoding::Buttons => Some(1),
            Encoding::U16 | Encoding::BcdHundreds => Some(2),
            Encoding::Counts => Some(14),
            Encoding::Bcd | Encoding::Tiles | Encoding::Rows | Encoding::Bytes => None,
        }
    }
}

/// One value in RAM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name of the value.
    pub name: String,
    /// Address of its first byte, `$0000-$07FF`.
    pub address: u16,
    /// Bytes.
    pub size: u16,
    /// How the bytes are read.
    pub encoding: Encoding,
    /// What the value means, for people.
    pub meaning: String,
}

impl Entry {
    fn read(mut fields: Fields) -> Result<Entry, String> {
        const NUMBER: &str = "a whole number from 0 to 65535";
        let encoding =
            |value: Value| Encoding::ALL.into_iter().find(|encoding| value.as_str() == Some(encoding.name()));
        let encodings = format!("one of {}", Encoding::ALL.map(Encoding::name).join(", "));
        Ok(Entry {
            name: fields.string("name")?.into_inner(),
            address: fields.number("address", NUMBER)?.into_inner(),
            size: fields.number("size", NUMBER)?.into_inner(),
            encoding: fields.take("encoding", &encodings, encoding)?.into_inner(),
            meaning: fields.string("meaning")?.into_inner(),
        })
    }
}

/// A whole map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RamMap {
    format: u32,
    /// Name of the map.
    pub name: String,
    entries: Vec<Entry>,
}

/// Why a RAM map is refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not TOML, or unknown or missing keys.
    #[error("RAM map: {0}")]
    Toml(String),
    /// Another version of the format.
    #[error("RAM map: expected format = {FORMAT}, found {found}")]
    Format {
        /// The version in the file.
        found: u32,
    },
    /// Two entries have the same name.
    #[error("RAM map: entry \"{name}\" is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// An entry that reaches outside the work RAM.
    #[error("RAM map: entry \"{name}\" covers ${address:04X} and {size} bytes; work RAM is $0000-$07FF")]
    Outside {
        /// The name.
        name: String,
        /// Its first address.
        address: u16,
        /// Its size in bytes.
        size: u16,
    },
    /// A size that does not fit the encoding or the use.
    #[error("RAM map: entry \"{name}\" has size {found}, expected {expected}")]
    Size {
        /// The name.
        name: String,
        /// Bytes it must have.
        expected: u16,
        /// Bytes it has.
        found: u16,
    },
    /// An encoding that does not fit the use.
    #[error("RAM map: entry \"{name}\" has encoding {found:?}, expected {expected:?}")]
    Encoding {
        /// The name.
        name: String,
        /// The encoding it must have.
        expected: Encoding,
        /// The encoding it has.
        found: Encoding,
    },
    /// An entry that the program needs is missing.
    #[error("RAM map: entry \"{name}\" is missing; add its name, address, size, encoding and meaning")]
    Missing {
        /// The name.
        name: &'static str,
    },
}

impl RamMap {
    /// The embedded map of the original game.
    pub fn tetris_ntsc() -> RamMap {
        // Read once: a copy costs a hundredth of reading the text, and callers ask for one in every frame.
        static MAP: LazyLock<RamMap> =
            LazyLock::new(|| RamMap::from_toml(DEFAULT).expect("the embedded RAM map is valid: a test reads it"));
        MAP.clone()
    }

    /// Reads and checks a map.
    ///
    /// # Errors
    /// The first mistake; for a mistake in the TOML, with its line.
    pub fn from_toml(text: &str) -> Result<RamMap, Error> {
        let map = RamMap::read(text).map_err(Error::Toml)?;
        if map.format != FORMAT {
            return Err(Error::Format { found: map.format });
        }
        for (index, entry) in map.entries.iter().enumerate() {
            if map.entries[..index].iter().any(|other| other.name == entry.name) {
                return Err(Error::Twice { name: entry.name.clone() });
            }
            if entry.size == 0 || entry.address as usize + entry.size as usize > RAM_SIZE {
                return Err(Error::Outside { name: entry.name.clone(), address: entry.address, size: entry.size });
            }
            if let Some(expected) = entry.encoding.fixed_size()
                && expected != entry.size
            {
                return Err(Error::Size { name: entry.name.clone(), expected, found: entry.size });
            }
        }
        Ok(map)
    }

    fn read(text: &str) -> Result<RamMap, String> {
        let mut fields = Fields::parse(text, &["format", "name", "entry"])?;
        let format = fields.number("format", "a whole number from 0 to 4294967295")?.into_inner();
        let name = fields.string("name")?.into_inner();
        let entries = fields.tables("entry", &["name", "address", "size", "encoding", "meaning"])?;
        Ok(RamMap { format, name, entries: entries.into_iter().map(Entry::read).collect::<Result<_, _>>()? })
    }

    /// The map as TOML, which [`RamMap::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let head = format!("format = {}\nname = {}\n", self.format, quoted(&self.name));
        let entry = |entry: &Entry| {
            let Entry { name, address, size, encoding, meaning } = entry;
            let (name, encoding, meaning) = (quoted(name), quoted(encoding.name()), quoted(meaning));
            format!(
                "\n[[entry]]\nname = {name}\naddress = {address}\nsize = {size}\nencoding = {encoding}\nmeaning = {meaning}\n"
            )
        };
        if self.entries.is_empty() {
            return head + "entry = []\n";
        }
        head + &self.entries.iter().map(entry).collect::<String>()
    }

    /// The same map under another name and with other addresses. Entries for which `address`
    /// returns `None` are left out.
    pub fn relocated(&self, name: &str, address: impl Fn(&Entry) -> Option<u16>) -> RamMap {
        let entries = self.entries.iter().filter_map(|entry| Some(Entry { address: address(entry)?, ..entry.clone() }));
        RamMap { format: FORMAT, name: name.to_owned(), entries: entries.collect() }
    }

    /// All entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The entry that covers `address`, if any.
    pub fn entry_at(&self, address: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| (entry.address..entry.address + entry.size).contains(&address))
    }

    /// The address of a value that the program itself reads, checked for size and encoding.
    pub(super) fn require(&self, name: &'static str, encoding: Encoding, size: u16) -> Result<usize, Error> {
        let entry = self.entry(name).ok_or(Error::Missing { name })?;
        if entry.encoding != encoding {
            return Err(Error::Encoding { name: name.to_owned(), expected: encoding, found: entry.encoding });
        }
        if entry.size != size {
            return Err(Error::Size { name: name.to_owned(), expected: size, found: entry.size });
        }
        Ok(entry.address as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::memory::address::{self, name};
    use crate::game::{HIDDEN_ROWS, ROWS, WIDTH};

    #[test]
    fn the_embedded_map_is_valid_and_survives_a_round_trip() {
        let map = RamMap::tetris_ntsc();
        assert_eq!(map.entry("score").expect("score").address, 0x73);
        assert_eq!(map.entry_at(0x75).expect("$75").name, "score");
        assert_eq!(RamMap::from_toml(&map.to_toml()).expect("own text"), map);
    }

    #[test]
    fn no_two_entries_overlap() {
        let map = RamMap::tetris_ntsc();
        for address in 0..RAM_SIZE as u16 {
            let covering = map.entries().iter().filter(|e| (e.address..e.address + e.size).contains(&address));
            assert!(covering.count() <= 1, "${address:04X}");
        }
    }

    #[test]
    fn the_embedded_map_has_the_addresses_and_names_of_the_rules() {
        let map = RamMap::tetris_ntsc();
        let in_map: Vec<_> = map.entries().iter().map(|entry| (entry.name.as_str(), entry.address as usize)).collect();
        assert_eq!(in_map, address::NAMED);
    }

    #[test]
    fn the_sizes_of_the_rules_are_those_of_the_embedded_map() {
        let map = RamMap::tetris_ntsc();
        let size = |name| map.entry(name).map(|entry| usize::from(entry.size));
        assert_eq!(size(name::SCORE), Some(address::SCORE_SIZE));
        assert_eq!(size(name::STATISTICS), Some(address::STATISTICS_SIZE));
        assert_eq!(size(name::WARM_MARK), Some(address::WARM_MARK_SIZE));
        assert_eq!(size(name::HIGH_SCORE_NAMES), Some(address::NAME_SIZE * address::HIGH_SCORE_PLACES));
        assert_eq!(size(name::HIGH_SCORES), Some(address::SCORE_SIZE * address::HIGH_SCORE_PLACES));
        assert_eq!(size(name::HIGH_SCORE_LEVELS), Some(address::HIGH_SCORE_PLACES));
        assert_eq!(size(name::PLAYFIELD), Some(ROWS * WIDTH));
        assert_eq!(size(name::ABOVE_PLAYFIELD), Some(HIDDEN_ROWS * WIDTH));
    }

    fn refusal(change: impl Fn(&mut RamMap)) -> String {
        let mut map = RamMap::tetris_ntsc();
        change(&mut map);
        let map = match RamMap::from_toml(&map.to_toml()) {
            Ok(map) => map,
            Err(error) => return error.to_string(),
        };
        crate::ram::Decoder::new(&map).expect_err("a wrong map is refused").to_string()
    }

    #[test]
    fn a_wrong_map_is_refused_by_name() {
        let position = |map: &RamMap, name: &str| map.entries.iter().position(|e| e.name == name).expect("entry");
        assert!(refusal(|m| m.format = 2).contains("format = 1"));
        assert!(refusal(|m| m.entries.push(m.entries[0].clone())).contains("given twice"));
        assert!(refusal(|m| m.entries[0].address = 0x7FE).contains("$07FE"));
        assert!(
            refusal(|m| {
                m.entries.remove(position(m, "score"));
            })
            .contains("\"score\" is missing")
        );
        assert!(refusal(|m| m.entries[1].size = 1).contains("\"rng\" has size 1, expected 2"));
        assert!(
            refusal(|m| {
                let i = position(m, "score");
                m.entries[i].encoding = Encoding::Bytes;
            })
            .contains("Bcd")
        );
    }

    #[test]
    fn a_map_is_written_as_text_that_keeps_its_form() {
        let entry = |name: &str, encoding: Encoding, meaning: &str| Entry {
            name: name.to_owned(),
            address: 255,
            size: encoding.fixed_size().unwrap_or(1),
            encoding,
            meaning: meaning.to_owned(),
        };
        let entries = vec![entry("a", Encoding::BcdHundreds, "it's \"b\""), entry("c", Encoding::U8, "two\nlines\\")];
        let map = RamMap { format: FORMAT, name: "x \"y\"".to_owned(), entries };
        let expected = "format = 1\nname = 'x \"y\"'\n\n\
             [[entry]]\nname = \"a\"\naddress = 255\nsize = 2\nencoding = \"bcd-hundreds\"\n\
             meaning = \"\"\"it's \"b\"\"\"\"\n\n\
             [[entry]]\nname = \"c\"\naddress = 255\nsize = 1\nencoding = \"u8\"\n\
             meaning = '''\ntwo\nlines\\'''\n";
        assert_eq!(map.to_toml(), expected);
        assert_eq!(RamMap::from_toml(expected).expect("own text"), map);
        let empty = RamMap { entries: Vec::new(), ..map };
        assert_eq!(empty.to_toml(), "format = 1\nname = 'x \"y\"'\nentry = []\n");
        assert_eq!(RamMap::from_toml(&empty.to_toml()).expect("own text"), empty);
    }

    #[test]
    fn a_wrong_encoding_names_those_there_are() {
        let text = DEFAULT.replacen("encoding = \"bytes\"", "encoding = \"octets\"", 1);
        let error = RamMap::from_toml(&text).expect_err("unknown encoding").to_string();
        assert!(error.contains("line 28: `encoding` has to be one of u8, u16, bcd"), "{error}");
        assert!(error.contains("not \"octets\""), "{error}");
    }

    #[test]
    fn an_unknown_key_names_itself_and_its_line() {
        let text = DEFAULT.replacen("name = \"tetris-ntsc\"", "nome = \"x\"", 1);
        let error = RamMap::from_toml(&text).expect_err("unknown key").to_string();
        assert!(error.contains("nome") && error.contains("line"), "{error}");
    }
}
