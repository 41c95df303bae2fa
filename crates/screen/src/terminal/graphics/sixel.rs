//! Sixels: bands of six rows, one colour after the other, as in the VT330/VT340 programmer
//! reference manual.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maxout_engine::console::Picture;

/// Colours that a picture may have; the console has fewer.
const COLOURS: usize = 256;
/// Rows of a band.
const BAND: usize = 6;

/// Adds the commands that show a picture of this size at the cursor.
pub(super) fn show(text: &mut String, picture: &Picture, width: usize, height: usize) {
    let (colours, indices) = indexed(picture);
    // Writing into a string cannot fail.
    let _ = write!(text, "\x1bP0;1;0q\"1;1;{width};{height}");
    for (index, colour) in colours.iter().enumerate() {
        let [red, green, blue] = colour.map(|part| (u32::from(part) * 100 + 127) / 255);
        let _ = write!(text, "#{index};2;{red};{green};{blue}");
    }
    let columns: Vec<usize> = (0..width).map(|x| x * Picture::WIDTH / width).collect();
    let mut bits = vec![0_u8; width];
    for top in (0..height).step_by(BAND) {
        let rows: Vec<&[u8]> = (top..height.min(top + BAND))
            .map(|y| &indices[y * Picture::HEIGHT / height * Picture::WIDTH..][..Picture::WIDTH])
            .collect();
        let mut used = [false; COLOURS];
        rows.iter().for_each(|row| row.iter().for_each(|&index| used[usize::from(index)] = true));
        for (colour, _) in (0..=u8::MAX).zip(used).filter(|(_, is_used)| *is_used) {
            for (bits, &x) in bits.iter_mut().zip(&columns) {
                *bits = rows.iter().rev().fold(0, |bits, row| bits << 1 | u8::from(row[x] == colour));
            }
            let _ = write!(text, "#{colour}");
            runs(text, &bits);
            // Back to the band's beginning for the next colour.
            text.push('$');
        }
        text.push('-');
    }
    text.push_str("\x1b\\");
}

/// Columns of six pixels, equal ones together.
fn runs(text: &mut String, bits: &[u8]) {
    for run in bits.chunk_by(|a, b| a == b) {
        let character = char::from(b'?' + run[0]);
        if run.len() > 3 {
            let _ = write!(text, "!{}{character}", run.len());
        } else {
            text.extend(std::iter::repeat_n(character, run.len()));
        }
    }
}

/// The colours of a picture, and each pixel as one of them. If there are too many, the last one
/// replaces all that come later.
fn indexed(picture: &Picture) -> (Vec<[u8; 3]>, Vec<u8>) {
    let (mut colours, mut known) = (Vec::new(), BTreeMap::new());
    let index = |&pixel: &[u8; 3]| {
        *known.entry(pixel).or_insert_with(|| {
            if colours.len() < COLOURS {
                colours.push(pixel);
            }
            (colours.len() - 1) as u8
        })
    };
    let indices = picture.pixels.iter().map(index).collect();
    (colours, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal shows of it: colours in per cent, row by row.
    fn shown(text: &str, width: usize, height: usize) -> Vec<[u32; 3]> {
        let start = format!("\x1bP0;1;0q\"1;1;{width};{height}");
        let data = text.strip_prefix(&start).and_then(|text| text.strip_suffix("\x1b\\")).expect("one picture");
        let mut pixels = vec![[u32::MAX; 3]; width * height];
        let (mut colours, mut colour) = (BTreeMap::new(), 0);
        let (mut x, mut band) = (0, 0);
        let mut rest = data;
        let number = |rest: &mut &str| {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, tail) = rest.split_at(end);
            *rest = tail;
            digits.parse::<u32>().expect("a number")
        };
        while let Some(c) = rest.chars().next() {
            rest = &rest[1..];
            match c {
                '#' => {
                    colour = number(&mut rest);
                    if let Some(tail) = rest.strip_prefix(";2;") {
                        rest = tail;
                        let parts = [0; 3].map(|_| {
                            let part = number(&mut rest);
                            rest = rest.strip_prefix(';').unwrap_or(rest);
                            part
                        });
                        colours.insert(colour, parts);
                    }
                }
                '$' => x = 0,
                '-' => (x, band) = (0, band + 1),
                _ => {
                    let mut count = 1;
                    let mut character = c;
                    if c == '!' {
                        count = number(&mut rest) as usize;
                        character = rest.chars().next().expect("a column");
                        rest = &rest[1..];
                    }
                    for _ in 0..count {
                        for bit in (0..BAND).filter(|bit| (character as u8 - b'?') >> bit & 1 == 1) {
                            pixels[(band * BAND + bit) * width + x] = colours[&colour];
                        }
                        x += 1;
                    }
                }
            }
        }
        pixels
    }

    #[test]
    fn every_pixel_is_drawn_in_its_colour() {
        let colours = [[0, 0, 0], [255, 255, 255], [255, 0, 102]];
        let mut pixels = vec![colours[0]; Picture::WIDTH * Picture::HEIGHT];
        for (index, pixel) in pixels.iter_mut().enumerate() {
            *pixel = colours[(index % Picture::WIDTH / 10 + index / Picture::WIDTH / 7) % 3];
        }
        let picture = Picture { pixels };
        for (width, height) in [(256, 240), (100, 91), (512, 485)] {
            let mut text = String::new();
            show(&mut text, &picture, width, height);
            let shown = shown(&text, width, height);
            for (place, &found) in shown.iter().enumerate() {
                let (x, y) = (place % width * 256 / width, place / width * 240 / height);
                let expected = picture.pixels[y * 256 + x].map(|part| u32::from(part) * 100 / 255);
                assert_eq!(found, expected, "{place} of {width} x {height}");
            }
        }
    }

    #[test]
    fn more_colours_than_there_are_registers_do_not_break_it() {
        let pixels = (0..Picture::WIDTH * Picture::HEIGHT).map(|index| [(index >> 8) as u8, index as u8, 0]).collect();
        let mut text = String::new();
        show(&mut text, &Picture { pixels }, 256, 240);
        let definitions = text.split('#').skip(1).filter(|part| part.contains(';'));
        assert_eq!(definitions.count(), COLOURS);
    }
}
