//! Reads a recording of the whole RAM: text, zstd-compressed. Lines that begin with `#` are the
//! header, with `# poke FRAME ADDRESS=VALUE` for each byte that was written after that frame's sample.
//! Then a row a frame: number, buttons, whether the processor was busy, and `AAA=VV` for each byte that
//! changed since the row before. Before row 0 all bytes are 0.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::Ram;
use ruzstd::decoding::StreamingDecoder;

pub struct Row {
    pub buttons: Buttons,
    pub ram: Box<Ram>,
}

pub struct Recording {
    pub rows: Vec<Row>,
    /// Frame, address, value.
    pub pokes: Vec<(u64, u16, u8)>,
}

fn hex(digits: &str) -> u16 {
    u16::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("expected hex digits, found {digits:?}"))
}

fn byte_at(text: &str) -> (u16, u8) {
    let (address, value) = text.split_once('=').unwrap_or_else(|| panic!("expected AAA=VV, found {text:?}"));
    (hex(address), u8::try_from(hex(value)).expect("a byte"))
}

impl Recording {
    pub fn open(name: &str) -> Recording {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/full").join(format!("{name}.full.zst"));
        let file = BufReader::new(File::open(&path).expect("the recording is there"));
        let mut text = String::new();
        StreamingDecoder::new(file).expect("zstd").read_to_string(&mut text).expect("text");
        assert!(text.starts_with("# nes-tetris-full-ram 1\n"), "{name}");
        let mut recording = Recording { rows: Vec::new(), pokes: Vec::new() };
        let mut ram: Box<Ram> = Box::new([0; 0x800]);
        for line in text.lines() {
            if let Some(header) = line.strip_prefix('#') {
                if let Some(poke) = header.trim().strip_prefix("poke ") {
                    let (frame, byte) = poke.split_once(' ').expect("a frame, a byte");
                    let (address, value) = byte_at(byte);
                    recording.pokes.push((frame.parse().expect("a frame"), address, value));
                }
                continue;
            }
            let mut words = line.split_ascii_whitespace();
            let frame: usize = words.next().expect("a frame").parse().expect("a number");
            assert_eq!(frame, recording.rows.len(), "{name}: no frame is missing");
            let buttons = u8::try_from(hex(words.next().expect("buttons"))).expect("a byte");
            words.next().expect("the busy mark");
            for (address, value) in words.map(byte_at) {
                ram[usize::from(address)] = value;
            }
            recording.rows.push(Row { buttons: Buttons::from_bits(buttons), ram: ram.clone() });
        }
        recording
    }
}
