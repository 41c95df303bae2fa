//! Writes traces.

use std::io::{self, Write};

use super::header::{MAGIC, TraceColumn, TraceHeader};
use super::row::{FIELDS, WORK};
use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::game::memory::address::PLAYER;
use maxout_engine::gamepad::Buttons;

/// Writes a trace as plain text; fields are listed when they change.
pub struct TraceWriter<W: Write> {
    output: W,
    columns: Vec<TraceColumn>,
    next_frame: u64,
    last: Option<Box<[u8; RAM_SIZE]>>,
    work_differed: bool,
    /// The row under way.
    row: Vec<u8>,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header. Addresses of columns outside work RAM repeat every 2048 bytes.
    ///
    /// # Errors
    /// When `output` fails.
    pub fn new(mut output: W, header: &TraceHeader) -> io::Result<TraceWriter<W>> {
        let mut head = Vec::new();
        let (family, version) = MAGIC.split_once(' ').expect("the magic has two words");
        if header.entries.first() != Some(&(family.to_owned(), version.to_owned())) {
            writeln!(head, "# {MAGIC}")?;
        }
        for (key, value) in &header.entries {
            writeln!(head, "# {key} {value}")?;
        }
        for poke in &header.pokes {
            writeln!(head, "# poke {} {:04x}={:02x}", poke.frame, poke.address, poke.value)?;
        }
        write!(head, "# columns frame in busy")?;
        for column in &header.columns {
            write!(head, " {:02x}:{}", column.address, column.name)?;
        }
        writeln!(head)?;
        output.write_all(&head)?;
        let columns = header.columns.clone();
        Ok(TraceWriter { output, columns, next_frame: 0, last: None, work_differed: false, row: Vec::new() })
    }

    /// Writes the next frame's row.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write(&mut self, buttons: Buttons, busy: bool, ram: &[u8; RAM_SIZE]) -> io::Result<()> {
        self.row.clear();
        write!(self.row, "{} {:02x} {}", self.next_frame, buttons.bits(), u8::from(busy))?;
        for column in &self.columns {
            write!(self.row, " {:02x}", ram[usize::from(column.address) % RAM_SIZE])?;
        }
        for field in &FIELDS {
            let range = field.address..field.address + field.length;
            if self.last.as_ref().is_none_or(|last| last[range.clone()] != ram[range.clone()]) {
                write_field(&mut self.row, field.letter, &ram[range])?;
            }
        }
        let work = &ram[WORK.address..WORK.address + WORK.length];
        let differs = *work != ram[PLAYER..PLAYER + WORK.length];
        if differs {
            write_field(&mut self.row, WORK.letter, work)?;
        } else if self.work_differed {
            write_field(&mut self.row, WORK.letter, &[])?;
        }
        self.work_differed = differs;
        match &mut self.last {
            Some(last) => **last = *ram,
            None => self.last = Some(Box::new(*ram)),
        }
        self.next_frame += 1;
        self.row.push(b'\n');
        self.output.write_all(&self.row)
    }

    /// Flushes and gives the output back.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

fn write_field(output: &mut impl Write, letter: &str, bytes: &[u8]) -> io::Result<()> {
    write!(output, " {letter}=")?;
    bytes.iter().try_for_each(|byte| write!(output, "{byte:02x}"))
}
