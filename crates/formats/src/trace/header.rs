//! The header above the rows of a trace.

use maxout_engine::game::memory::RAM_SIZE;

/// The first line, after its `# `.
pub(crate) const MAGIC: &str = "nes-tetris-trace 1";

/// The entry of a trace whose rows do not say whether the processor was busy.
pub(crate) const BUSY: &str = "busy";
/// Its value.
pub(crate) const UNKNOWN: &str = "unknown";

/// A byte that was overwritten after the row of `frame` had been sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poke {
    /// After this frame's sample.
    pub frame: u64,
    /// RAM address.
    pub address: u16,
    /// The new byte.
    pub value: u8,
}

/// One address that every row lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceColumn {
    /// RAM address.
    pub address: u16,
    /// Its name, for people.
    pub name: String,
}

/// The header above the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceHeader {
    /// Every `# key value` line but pokes and columns, in order.
    pub entries: Vec<(String, String)>,
    /// In the order of the file.
    pub pokes: Vec<Poke>,
    /// In row order.
    pub columns: Vec<TraceColumn>,
}

impl TraceHeader {
    /// The value of the first entry with this key.
    pub fn entry(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The name of an address, as far as a column has it.
    pub fn name(&self, address: u16) -> Option<&str> {
        self.columns.iter().find(|column| column.address == address).map(|column| column.name.as_str())
    }

    /// How many frames the trace has, if its header says it.
    pub fn frames(&self) -> Option<u64> {
        self.entry("frames").and_then(|frames| frames.parse().ok())
    }

    /// Do the rows say whether the processor was busy? Not where the header has `busy unknown`: what is in that column
    /// then means nothing.
    pub fn knows_busy(&self) -> bool {
        self.entry(BUSY) != Some(UNKNOWN)
    }

    /// The pokes after the sample of `frame`, in order.
    pub fn pokes_after(&self, frame: u64) -> impl Iterator<Item = Poke> + '_ {
        self.pokes.iter().copied().filter(move |poke| poke.frame == frame)
    }
}

impl TraceHeader {
    pub(super) fn read_entry(&mut self, entry: &str) -> Result<(), String> {
        let (key, value) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let value = value.trim();
        match key {
            "poke" => self.pokes.push(read_poke(value)?),
            "columns" => self.columns = read_columns(value)?,
            _ => self.entries.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }
}

fn read_poke(text: &str) -> Result<Poke, String> {
    let malformed = || format!("expected \"poke FRAME ADDRESS=VALUE\", found \"poke {text}\"");
    let (frame, assignment) = text.split_once(' ').ok_or_else(malformed)?;
    let (address, value) = assignment.trim().split_once('=').ok_or_else(malformed)?;
    Ok(Poke {
        frame: frame.parse().map_err(|_| malformed())?,
        address: hex_address(address).ok_or_else(malformed)?,
        value: hex_byte(value).map_err(|_| malformed())?,
    })
}

fn read_columns(text: &str) -> Result<Vec<TraceColumn>, String> {
    let mut words = text.split_ascii_whitespace();
    for expected in ["frame", "in", "busy"] {
        if words.next() != Some(expected) {
            return Err("expected the columns to begin with \"frame in busy\"".to_owned());
        }
    }
    words
        .map(|word| {
            let malformed = || format!("expected a column like 17:rng0, found {word:?}");
            let (address, name) = word.split_once(':').ok_or_else(malformed)?;
            let address = hex_address(address).ok_or_else(malformed)?;
            Ok(TraceColumn { address, name: name.to_owned() })
        })
        .collect()
}

pub(super) fn hex_byte(text: &str) -> Result<u8, String> {
    let digits = text.len() <= 2 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = if digits { u8::from_str_radix(text, 16).ok() } else { None };
    byte.ok_or_else(|| format!("expected a hex byte, found {text:?}"))
}

/// An address inside work RAM.
fn hex_address(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let address = if digits { u16::from_str_radix(text, 16).ok()? } else { return None };
    (usize::from(address) < RAM_SIZE).then_some(address)
}
