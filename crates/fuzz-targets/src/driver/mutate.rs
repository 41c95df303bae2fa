//! Damage to files.

use super::seeds::Seeds;
use maxout_engine::seed::split_mix;

/// Numbers at which a reader might go wrong, as text.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "1e9",
    "-0.0",
    "nan",
    "inf",
    "1e308",
];
/// The same in bytes.
const BYTES: [u64; 14] = [
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    u64::MAX,
];
/// Bytes and characters that end something, or that a terminal obeys.
const ODD: [&str; 16] = [
    "\n",
    "\r\n",
    "\0",
    "\t",
    " ",
    "\"",
    "'",
    ",",
    "|",
    "=",
    "#",
    "\u{1b}]0;x\u{7}",
    "\u{202E}",
    "\u{FEFF}",
    "ä",
    "\u{FF11}",
];
/// Longest input that is made, in bytes: a longer one is cut. Chosen by hand, not measured.
const LONGEST: usize = 32 * 1024;
/// Most changes of one input.
const MOST_CHANGES: u64 = 8;
/// Most words that are kept of the corpus. Chosen by hand, not measured.
const MOST_WORDS: usize = 2_000;

/// Random numbers: SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Those of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        let number = split_mix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        number
    }

    /// Below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A place among this many bytes, and how many of the bytes from there on; most often few.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let at = self.below(length + 1);
        let most = [4, 16, 64, length][self.below(4)];
        let count = self.below(most + 1).min(length - at);
        at..at + count
    }
}

/// Makes inputs of the files of a corpus.
#[derive(Debug, Clone)]
pub struct Mutator {
    random: Random,
    files: Vec<Vec<u8>>,
    /// Words of the files, each once.
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// Makes inputs of these files.
    pub fn new(seeds: &Seeds, random: Random) -> Mutator {
        let files: Vec<_> = seeds.files.iter().map(|(_, bytes)| bytes.clone()).collect();
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let words = files.iter().flat_map(|file| file.split(|byte| !is_letter(byte)));
        let mut words: Vec<Vec<u8>> = words.filter(|word| (2..40).contains(&word.len())).map(<[u8]>::to_vec).collect();
        words.sort();
        words.dedup();
        words.truncate(MOST_WORDS);
        Mutator { random, files, words }
    }

    /// The next input.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> Vec<u8> {
        let mut bytes = self.random.one_of(&self.files).clone();
        // One change more often than several.
        let most = 1 + self.random.below(MOST_CHANGES as usize);
        for _ in 0..=self.random.below(most) {
            self.change(&mut bytes);
            bytes.truncate(LONGEST);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let random = &mut self.random;
        let length = bytes.len();
        if length == 0 {
            bytes.extend((0..random.below(64)).map(|_| random.next() as u8));
            return;
        }
        let at = random.below(length);
        match random.below(18) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 | 3 => bytes[at] = random.next() as u8,
            4 => bytes[at] = bytes[at].wrapping_add(random.below(17) as u8).wrapping_sub(8),
            5 => {
                let number = random.one_of(&BYTES).to_le_bytes();
                let count = [1, 2, 4, 8][random.below(4)].min(length - at);
                let is_turned = random.below(2) == 1;
                for (index, byte) in bytes[at..at + count].iter_mut().enumerate() {
                    *byte = number[if is_turned { count - 1 - index } else { index }];
                }
            }
            6 => bytes.truncate(at),
            7 => drop(bytes.drain(random.range(length))),
            8 => {
                let more: Vec<u8> = (0..1 + random.below(16)).map(|_| random.next() as u8).collect();
                bytes.splice(at..at, more);
            }
            9 => {
                let more = bytes[random.range(length)].repeat(1 + random.below(8));
                bytes.splice(at..at, more);
            }
            10 => {
                // A part of another file in place of a part of this one.
                let other = random.one_of(&self.files);
                let part = other[random.range(other.len())].to_vec();
                bytes.splice(random.range(length), part);
            }
            11 => {
                let other = random.one_of(&self.files);
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
            12 | 13 => number(bytes, at, NUMBERS[random.below(NUMBERS.len())]),
            14 => {
                let odd = ODD[random.below(ODD.len())].repeat([1, 1, 1, 600][random.below(4)]);
                bytes.splice(at..at, odd.bytes());
            }
            15 => drop(bytes.drain(line(bytes, at))),
            16 => {
                let line = line(bytes, at);
                let more = bytes[line.clone()].repeat(1 + random.below(40));
                bytes.splice(line.end..line.end, more);
            }
            _ if self.words.is_empty() => bytes[at] = 0,
            _ => {
                let word = random.one_of(&self.words).clone();
                let old = word_at(bytes, at);
                bytes.splice(old, word);
            }
        }
    }
}

/// The line that contains this byte, with its end.
fn line(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let begin = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
    begin..end
}

/// Letters and digits around this byte.
fn word_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_other = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-');
    let begin = bytes[..at].iter().rposition(is_other).map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(is_other).map_or(bytes.len(), |end| at + end);
    begin..end.max(begin)
}

/// Puts a number in the place of the next one.
fn number(bytes: &mut Vec<u8>, at: usize, number: &str) {
    let Some(begin) = bytes[at..].iter().position(u8::is_ascii_digit).map(|ahead| at + ahead) else { return };
    let digits = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.splice(begin..begin + digits, number.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutator(seed: u64) -> Mutator {
        let file = |bytes: &[u8]| (String::new(), bytes.to_vec());
        let files = vec![file(b"seed = 12\nname = \"x\"\n"), file(&[0; 300]), file(b"")];
        Mutator::new(&Seeds { files }, Random::new(seed))
    }

    fn inputs(seed: u64, count: usize) -> Vec<Vec<u8>> {
        let mut mutator = mutator(seed);
        (0..count).map(|_| mutator.next()).collect()
    }

    #[test]
    fn a_seed_gives_the_same_inputs_again_and_another_seed_others() {
        assert_eq!(inputs(1, 2_000), inputs(1, 2_000));
        assert_ne!(inputs(1, 2_000), inputs(2, 2_000));
        let mut different = inputs(1, 2_000);
        different.sort();
        different.dedup();
        assert!(different.len() > 1_500, "{} of 2000", different.len());
    }

    #[test]
    fn every_kind_of_damage_is_done() {
        let all = inputs(3, 20_000);
        let text: Vec<_> = all.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        for part in ["seed = 18446744073709551615", "\u{202E}", "name = \"x\"\nname = \"x\"", "seed = 12\n\""] {
            assert!(text.iter().any(|text| text.contains(part)), "{part:?}");
        }
        let mut lengths: Vec<_> = all.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert!(lengths[0] == 0 && lengths[lengths.len() - 1] > 600 && lengths[lengths.len() - 1] <= LONGEST);
        assert!(all.iter().any(|bytes| bytes.contains(&0xFF) && bytes.len() == 300));
    }
}
