//! GIF: pictures of at most 256 colours, compressed by LZW.
//!
//! Players stop at the trailer, a single byte. So a picture is added in two steps: all bytes but the
//! first go behind the trailer, where nobody looks, with a new trailer after them; then the first
//! byte takes the place of the old trailer.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use gif::{Encoder, EncodingError, Frame, Repeat};

use super::colour::Rgb;
use super::encode::{Encode, Painted};
use super::reel::Reel;
use super::still::enlarged;
use crate::whole::Edit;

/// Places of a table of colours; the first stands for "as before" and is no colour.
const PLACES: usize = 256;
/// Position of the film's table: after the signature and the size of the screen.
const TABLE_AT: usize = 13;
/// The place that means "as before".
const AS_BEFORE: u8 = 0;
/// The last byte of every GIF.
const TRAILER: u8 = 0x3B;

/// Colours and their places in a table.
#[derive(Debug, Default)]
struct Palette {
    colours: Vec<Rgb>,
    places: HashMap<Rgb, u8>,
}

impl Palette {
    /// These colours, each once; those for which there is no room are left out.
    fn of(colours: impl IntoIterator<Item = Rgb>) -> Palette {
        let mut palette = Palette::default();
        colours.into_iter().for_each(|colour| palette.learn(colour));
        palette
    }

    /// Gives a colour a place, if it has none and there is one.
    fn learn(&mut self, colour: Rgb) {
        let place = self.colours.len() + 1;
        if place < PLACES && !self.knows(colour) {
            self.colours.push(colour);
            self.places.insert(colour, place as u8);
        }
    }

    fn knows(&self, colour: Rgb) -> bool {
        self.places.contains_key(&colour)
    }

    /// Red, green and blue of every place.
    fn table(&self) -> Vec<u8> {
        [[0; 3]].iter().chain(&self.colours).copied().flatten().collect()
    }

    /// The same with all places that there can be.
    fn full_table(&self) -> Vec<u8> {
        let mut table = self.table();
        table.resize(PLACES * 3, 0);
        table
    }

    /// The place of the colour that is nearest to this.
    fn nearest(&self, colour: Rgb) -> u8 {
        let distance =
            |other: &Rgb| -> u32 { other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
        let nearest = (1..=u8::MAX).zip(&self.colours).min_by_key(|(_, other)| distance(other));
        nearest.map_or(AS_BEFORE, |(place, _)| place)
    }
}

/// The encoder.
pub(super) struct Gif {
    encoder: Encoder<Vec<u8>>,
    /// The colours of the whole film.
    palette: Palette,
    /// May the table at the beginning of the file be rewritten?
    learns: bool,
    /// Colours in the table of the file.
    written: usize,
    width: usize,
    scale: usize,
}

impl Gif {
    /// An encoder; one that `learns` adds colours to the film's table as they come.
    pub(super) fn new(reel: &Reel, learns: bool) -> io::Result<Gif> {
        let palette = Palette::of(reel.colours.iter().copied());
        let size = |pixels: u32| {
            let error = |_| io::Error::other(format!("expected at most 65535 pixels in a GIF, found {pixels}"));
            u16::try_from(pixels).map_err(error)
        };
        let (width, height) = (size(reel.width * reel.scale)?, size(reel.height * reel.scale)?);
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.full_table()).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        let written = palette.colours.len();
        Ok(Gif { encoder, palette, learns, written, width: reel.width as usize, scale: reel.scale as usize })
    }

    /// The picture's own colours, if those of the film are not enough. More than a GIF can hold are
    /// replaced by the nearest of the most frequent.
    fn own_palette(&mut self, colours: impl Iterator<Item = Rgb>) -> Option<Palette> {
        let mut counts: HashMap<Rgb, usize> = HashMap::new();
        for colour in colours {
            *counts.entry(colour).or_default() += 1;
        }
        let mut colours: Vec<_> = counts.into_iter().collect();
        colours.sort_unstable_by_key(|&(colour, count)| (Reverse(count), colour));
        let colours = || colours.iter().map(|&(colour, _)| colour);
        if self.learns {
            colours().for_each(|colour| self.palette.learn(colour));
        }
        (!colours().all(|colour| self.palette.knows(colour))).then(|| Palette::of(colours()))
    }
}

impl Encode for Gif {
    fn picture(&mut self, painted: &Painted<'_>) -> io::Result<Vec<u8>> {
        let area = painted.area;
        let now: Vec<Rgb> = area.rows(painted.now, self.width).flatten().copied().collect();
        let before: Option<Vec<Rgb>> =
            painted.before.map(|before| area.rows(before, self.width).flatten().copied().collect());
        let is_new = |index: usize| before.as_ref().is_none_or(|before| before[index] != now[index]);
        let new = || (0..now.len()).filter(|&index| is_new(index)).map(|index| now[index]);
        let own = self.own_palette(new());
        let palette = own.as_ref().unwrap_or(&self.palette);
        let place = |colour: Rgb| palette.places.get(&colour).copied().unwrap_or_else(|| palette.nearest(colour));
        let mut places: Vec<u8> = Vec::with_capacity(now.len());
        // Neighbours are alike: most look-ups are saved.
        let mut last: Option<(Rgb, u8)> = None;
        for (index, &colour) in now.iter().enumerate() {
            places.push(match last {
                _ if !is_new(index) => AS_BEFORE,
                Some((known, place)) if known == colour => place,
                _ => last.insert((colour, place(colour))).1,
            });
        }
        let scale = self.scale;
        let frame = Frame {
            delay: painted.ticks,
            left: (area.left * scale) as u16,
            top: (area.top * scale) as u16,
            width: (area.width * scale) as u16,
            height: (area.height * scale) as u16,
            transparent: before.is_some().then_some(AS_BEFORE),
            palette: own.as_ref().map(Palette::table),
            buffer: enlarged(&places, area.width, scale).into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(io_error)?;
        Ok(std::mem::take(self.encoder.get_mut()))
    }

    fn trailer(&self) -> Vec<u8> {
        vec![TRAILER]
    }

    fn edits(&mut self, mut bytes: Vec<u8>, length: u64) -> Vec<Edit> {
        let learned = self.written..self.palette.colours.len();
        self.written = learned.end;
        bytes.push(TRAILER);
        if length == 0 {
            // The header was made before this picture's colours were known.
            let table = self.palette.full_table();
            bytes[TABLE_AT..][..table.len()].copy_from_slice(&table);
            return vec![Edit::Write { at: 0, bytes }];
        }
        let mut edits = Vec::new();
        if !learned.is_empty() {
            // No picture that can be seen uses these places yet.
            let at = (TABLE_AT + 3 * (1 + learned.start)) as u64;
            edits.push(Edit::Write { at, bytes: self.palette.colours[learned].as_flattened().to_vec() });
        }
        let rest = bytes.split_off(1);
        edits.push(Edit::Write { at: length, bytes: rest });
        edits.push(Edit::Write { at: length - 1, bytes });
        edits
    }

    fn last_edits(&self, _pictures: u64) -> Vec<Edit> {
        Vec::new()
    }

    fn can_stream(&self) -> bool {
        true
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    }
}
