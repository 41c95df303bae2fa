//! Writes the file of one net.

use std::borrow::Cow;
use std::io::Write;

use lzma_rust2::{LzmaOptions, LzmaWriter};
use zlib_rs::{Deflate, DeflateFlush, Status};

use super::layout::{
    BY_LANES, FLAT, HEADER, MAGIC, NumberSize, OF_8, OF_16, ROWS_BY_LANES, SHAPE, SHORT, TrainedNet, VERSION,
    WITH_HEADS,
};
use crate::judge::learned::dense::OUTPUTS;
use crate::judge::learned::head::TrainedFor;
use crate::judge::learned::inflate::WINDOW_BITS;
use crate::judge::learned::net::QuickNet;
use crate::judge::learned::spans;
use crate::judge::learned::table::{LANES, LEAST_STEP, PackedNumbers, narrow};
use crate::state::crc32;

/// How hard deflate packs: as hard as it can.
const BEST: i32 = 9;
/// How hard LZMA packs, 0 to 9. Chosen by hand, not measured: most of the numbers' bytes are as good as random.
const LZMA_PRESET: u32 = 6;

/// The bytes of a weights file.
pub fn write(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let version = version(&weights.net, encoding);
    let body = body(weights, encoding);
    let body = match version {
        FLAT => body,
        SHORT => packed_by_lzma(&body),
        _ => deflated(&body),
    };
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.push(version);
    for number in SHAPE {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(crc32(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The layout of a net's file.
fn version(net: &QuickNet, encoding: NumberSize) -> u8 {
    match net.heads() {
        _ if encoding == NumberSize::Flat => FLAT,
        _ if encoding == NumberSize::Short => SHORT,
        [head] if head.trained_for == TrainedFor::PLATEAU && head.scale == 1.0 => VERSION,
        _ => WITH_HEADS,
    }
}

pub(super) fn body(weights: &TrainedNet, encoding: NumberSize) -> Vec<u8> {
    let is_plain = version(&weights.net, encoding) == VERSION;
    let (table, packed) = (weights.net.table().wide(), weights.net.table().packed(LEAST_STEP));
    let rows: Vec<usize> = match encoding {
        NumberSize::Sixteen => (0..table.len()).filter(|&row| table[row].0.iter().any(|&number| number != 0)).collect(),
        NumberSize::Eight | NumberSize::Flat | NumberSize::Short => packed.rows().map(|(row, ..)| row).collect(),
    };
    let mut body = Vec::with_capacity(100_000 + rows.len() * (2 * LANES + 2));
    let origin = weights.origin.to_json();
    body.extend((origin.len() as u32).to_le_bytes());
    body.extend(origin.as_bytes());
    if !is_plain {
        body.push(weights.net.heads().len() as u8);
    }
    for head in weights.net.heads() {
        if !is_plain {
            let text = head.trained_for.to_text();
            body.extend((text.len() as u32).to_le_bytes());
            body.extend(text.as_bytes());
            body.extend(head.scale.to_le_bytes());
        }
        for number in head.dense.numbers() {
            body.extend(number.to_le_bytes());
        }
    }
    for number in weights.net.outlook.numbers() {
        body.extend(number.to_le_bytes());
    }
    body.extend((rows.len() as u32).to_le_bytes());
    let mut before = 0;
    for &row in &rows {
        // Seven bits a byte, the low ones first; the eighth says that there are more.
        let mut delta = row - before;
        before = row;
        while delta >= 0x80 {
            body.push(delta as u8 | 0x80);
            delta >>= 7;
        }
        body.push(delta as u8);
    }
    match encoding {
        // Lane by lane, with high bytes apart from low ones, so that similar bytes are neighbours.
        NumberSize::Sixteen => {
            body.push(OF_16);
            add_lanes(&mut body, rows.iter().map(|&row| &table[row].0));
        }
        NumberSize::Eight | NumberSize::Flat | NumberSize::Short => {
            body.push(BY_LANES);
            let mut sorted: Vec<PackedNumbers<'_>> = packed.rows().map(|(_, numbers)| numbers).collect();
            body.extend(sorted.iter().flat_map(PackedNumbers::steps));
            sorted.sort_by_key(PackedNumbers::steps);
            let (mut large, mut small) = (Vec::new(), Vec::new());
            for numbers in sorted {
                match numbers {
                    PackedNumbers::Sixteen(row) => large.push(row),
                    PackedNumbers::Eight(row, _) => small.push(row),
                }
            }
            for part in 0..2 {
                for lane in 0..LANES {
                    body.extend(large.iter().map(|row| row[lane].to_le_bytes()[part]));
                }
            }
            for rows in small.chunks(ROWS_BY_LANES) {
                for lane in 0..LANES {
                    body.extend(rows.iter().map(|row| row[lane] as u8));
                }
            }
        }
    }
    if weights.net.has_spans() {
        let rows = weights.net.spans();
        let is_exact = encoding == NumberSize::Sixteen || weights.net.is_packed();
        let rows = if is_exact { rows.into() } else { Cow::from(spans::packed(rows, LEAST_STEP)) };
        let step = if encoding == NumberSize::Sixteen { None } else { spans::exact_step(&rows) };
        add_spans(&mut body, &rows, step);
    }
    body
}

/// Adds the numbers of spans lane by lane: in 8 bits if there is a step, else in 16.
fn add_spans(body: &mut Vec<u8>, rows: &[[i16; OUTPUTS]], step: Option<i16>) {
    if let Some(step) = step {
        body.push(OF_8);
        body.extend(step.to_le_bytes());
        for lane in 0..OUTPUTS {
            body.extend(rows.iter().map(|row| narrow(row[lane], step) as u8));
        }
        return;
    }
    body.push(OF_16);
    add_lanes(body, rows.iter());
}

/// Adds numbers of 16 bits lane by lane: of each lane all low bytes, then all high ones.
fn add_lanes<'a, const WIDTH: usize>(body: &mut Vec<u8>, rows: impl Iterator<Item = &'a [i16; WIDTH]> + Clone) {
    for lane in 0..WIDTH {
        for part in 0..2 {
            body.extend(rows.clone().map(|row| row[lane].to_le_bytes()[part]));
        }
    }
}

pub(super) fn deflated(body: &[u8]) -> Vec<u8> {
    let mut deflate = Deflate::new(BEST, false, WINDOW_BITS);
    // What cannot be deflated grows by five bytes in 16,000.
    let mut bytes = vec![0; body.len() + body.len() / 1000 + 1024];
    let status = deflate.compress(body, &mut bytes, DeflateFlush::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all");
    bytes.truncate(deflate.total_out() as usize);
    bytes
}

pub(super) fn packed_by_lzma(body: &[u8]) -> Vec<u8> {
    let options = LzmaOptions::with_preset(LZMA_PRESET);
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(body.len() as u64)).expect("sound options");
    writer.write_all(body).and_then(|()| writer.finish()).expect("memory can be written")
}
