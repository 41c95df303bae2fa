//! Films on disks that break at every byte: what was accepted can be played.

use std::io::Cursor;

use super::colour::Rgb;
use super::format::FilmFormat;
use super::reel::Reel;
use super::strip::{Strip, UNIT};
use crate::whole::{Fault, GrowingFile, Packing, TestDisk};

const WIDTH: usize = 8;
const HEIGHT: usize = 6;
const PICTURES: usize = 9;

/// A picture in which some pixels change, with a colour that comes up later.
fn picture(number: usize) -> Vec<Rgb> {
    let mut picture = vec![[0, 0, 60]; WIDTH * HEIGHT];
    for at in 0..5 {
        picture[(number * 7 + at * at) % (WIDTH * HEIGHT)] = [255, number as u8 * 20, at as u8];
    }
    picture
}

/// Films all pictures. How many of them were written, and whether the film was finished.
fn film(disk: &TestDisk, format: FilmFormat) -> (usize, bool) {
    let output = GrowingFile::on(Box::new(disk.clone()), Packing::Plain, UNIT);
    let mut strip = Strip::new(output, &Reel::new(WIDTH as u32, HEIGHT as u32, 20.0, format)).unwrap();
    for number in 0..PICTURES {
        // Each call writes the picture before.
        if let Err(error) = strip.show(number as u64, picture(number)) {
            let words = error.to_string();
            assert!(words.ends_with(&format!("; the file holds {} pictures", number - 1)), "{words}");
            assert!(strip.finish(number as u64).is_err(), "the error stays");
            return (number - 1, false);
        }
    }
    let finished = strip.finish(PICTURES as u64);
    (if finished.is_ok() { PICTURES } else { PICTURES - 1 }, finished.is_ok())
}

/// The pixels of each picture that another program's decoder finds before the end or an error.
fn played(content: &[u8], format: FilmFormat) -> Option<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    if format == FilmFormat::Gif {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(content).ok()?;
        while let Ok(Some(frame)) = decoder.read_next_frame() {
            let mut bytes = [frame.left, frame.top, frame.width, frame.delay].map(|value| value as u8).to_vec();
            bytes.extend_from_slice(&frame.buffer);
            found.push(bytes);
        }
        return Some(found);
    }
    let mut reader = png::Decoder::new(Cursor::new(content)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    while reader.next_frame(&mut pixels).is_ok() {
        found.push(pixels.clone());
    }
    Some(found)
}

fn check_all(format: FilmFormat) {
    let whole = TestDisk::new(None);
    assert_eq!(film(&whole, format), (PICTURES, true));
    let all = played(&whole.content(), format).unwrap();
    assert_eq!(all.len(), PICTURES);
    for most in [1, 2, 3, 100] {
        let short = TestDisk::new(Some(Fault::Short(most)));
        assert!(film(&short, format).1 && short.content() == whole.content());
    }
    let (bytes, calls) = whole.load();
    for place in 0..=bytes.max(calls) {
        for fault in Fault::all_at(place) {
            let disk = TestDisk::new(Some(fault));
            let (accepted, finished) = film(&disk, format);
            let content = disk.content();
            // What cannot be helped in an APNG: half of the twelve bytes with which a picture begins, or
            // half of the number of pictures at the end, if nothing can be written after that.
            let is_torn = format == FilmFormat::Apng && matches!(fault, Fault::Dead(_) | Fault::Kill(_));
            let in_count = is_torn && accepted >= PICTURES - 1 && bytes.saturating_sub(place) <= 20;
            let found = played(&content, format).unwrap_or_default();
            let least = accepted - usize::from(is_torn && accepted > 0 && !finished);
            let is_there = (least..=accepted + 1).contains(&found.len());
            assert!(is_there || in_count, "{format:?} {fault:?}: {} of {accepted} pictures", found.len());
            assert!(all.starts_with(&found), "{format:?} {fault:?}");
            if !fault.kills() && !is_torn {
                // The end adds the last picture, and may fail before it or after it.
                let is_exact = found.len() == accepted || accepted == PICTURES - 1;
                assert!(is_exact, "{format:?} {fault:?}: {} of {accepted}", found.len());
            }
        }
    }
}

#[test]
fn a_gif_survives_a_fault_at_every_byte() {
    check_all(FilmFormat::Gif);
}

#[test]
fn an_animated_png_survives_a_fault_at_every_byte() {
    check_all(FilmFormat::Apng);
}
