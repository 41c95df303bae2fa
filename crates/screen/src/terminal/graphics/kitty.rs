//! The protocol of the terminal kitty: compressed pixels as base64 in escape sequences (its
//! documentation: "Terminal graphics protocol", sw.kovidgoyal.net/kitty/graphics-protocol).

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use maxout_engine::console::Picture;

/// Bytes of base64 in one sequence: the most that the protocol allows.
const CHUNK: usize = 4096;
/// Removes both pictures and frees their memory.
pub(super) const ERASE: &str = "\x1b_Ga=d,d=I,i=1,q=2\x1b\\\x1b_Ga=d,d=I,i=2,q=2\x1b\\";

/// Two picture numbers take turns: the new picture is shown before the old one is removed, so
/// nothing flickers.
#[derive(Debug, Default)]
pub(crate) struct Kitty {
    is_second: bool,
}

impl Kitty {
    /// Adds the commands that show a picture at the cursor, over these columns and rows.
    pub(super) fn show(&mut self, text: &mut String, picture: &Picture, (columns, rows): (u16, u16)) {
        let (new, old) = if self.is_second { (2, 1) } else { (1, 2) };
        self.is_second = !self.is_second;
        let data = base64(&compressed(picture.pixels.as_flattened()));
        let (width, height) = (Picture::WIDTH, Picture::HEIGHT);
        let mut keys = format!("a=T,f=24,o=z,s={width},v={height},i={new},p=1,c={columns},r={rows},C=1,q=2,");
        let mut rest = data.as_str();
        loop {
            let (chunk, tail) = rest.split_at(rest.len().min(CHUNK));
            // Writing into a string cannot fail.
            let _ = write!(text, "\x1b_G{keys}m={};{chunk}\x1b\\", u8::from(!tail.is_empty()));
            keys.clear();
            rest = tail;
            if rest.is_empty() {
                break;
            }
        }
        let _ = write!(text, "\x1b_Ga=d,d=I,i={old},q=2\x1b\\");
    }
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(if digit > group.len() { '=' } else { char::from(DIGITS[index as usize]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (length, expected) in vectors.into_iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..length]), expected);
        }
    }

    fn decoded(text: &str) -> Vec<u8> {
        let digit = |c: u8| match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        let mut bytes = Vec::new();
        for group in text.trim_end_matches('=').as_bytes().chunks(4) {
            let bits = group.iter().fold(0_u32, |bits, &c| bits << 6 | u32::from(digit(c))) << (6 * (4 - group.len()));
            bytes.extend(&bits.to_be_bytes()[1..group.len()]);
        }
        bytes
    }

    #[test]
    fn a_picture_comes_out_of_its_chunks_as_it_went_in() {
        // Noise does not compress: several chunks.
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let pixels: Vec<_> = (0..Picture::WIDTH * Picture::HEIGHT).map(|_| [noise(), noise(), noise()]).collect();
        let picture = Picture { pixels };
        let mut text = String::new();
        Kitty::default().show(&mut text, &picture, (50, 20));
        let commands: Vec<&str> = text.split("\x1b\\").filter_map(|part| part.strip_prefix("\x1b_G")).collect();
        let (data, erase) = commands.split_at(commands.len() - 1);
        assert!(data.len() > 10 && data[0].contains("c=50,r=20") && data[0].contains("i=1,"), "{}", data[0]);
        assert_eq!(erase, ["a=d,d=I,i=2,q=2"]);
        let chunks: Vec<(&str, &str)> = data.iter().filter_map(|command| command.split_once(';')).collect();
        assert!(chunks[..chunks.len() - 1].iter().all(|(keys, data)| keys.ends_with("m=1") && data.len() == CHUNK));
        assert!(chunks[chunks.len() - 1].0.ends_with("m=0"));
        let bytes = decoded(&chunks.iter().map(|(_, data)| *data).collect::<String>());
        let mut pixels = Vec::new();
        ZlibDecoder::new(&*bytes).read_to_end(&mut pixels).expect("whole");
        assert_eq!(pixels, picture.pixels.as_flattened());
    }
}
