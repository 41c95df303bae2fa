//! Weights files of the learned net: round trips, and files that are refused.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;

/// Some rows of a table, most of them small, a few large.
fn weights() -> TrainedNet {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut table = vec![Row([0i16; LANES]); FEATURES];
    let mut row = 0;
    while row < FEATURES {
        let reach = if random.random_range(0..20) == 0 { 3000 } else { 200 };
        table[row].0 = std::array::from_fn(|_| random.random_range(-reach..=reach));
        row += random.random_range(1..700);
    }
    table[FEATURES - 1].0[0] = i16::MIN;
    table[FEATURES - 1].0[LANES - 1] = i16::MAX;
    let mut dense = Dense::zero();
    for number in dense.numbers_mut() {
        *number = random.random::<f32>() - 0.5;
    }
    let origin = Origin { command: "maxout \"train\"".to_owned(), note: "ä\n".to_owned(), ..Default::default() };
    TrainedNet {
        net: QuickNet::from_parts(
            table,
            dense,
            Outlook { discount: 0.99, topout: -3.0, gain: 0.3, ..Outlook::default() },
        ),
        origin,
    }
}

#[test]
fn sixteen_bits_are_read_back_exactly() {
    let weights = weights();
    let bytes = write(&weights, NumberSize::Sixteen);
    assert!(read(&bytes).unwrap() == weights);
    assert_eq!(write(&weights, NumberSize::Sixteen), bytes);
    let empty = TrainedNet {
        net: QuickNet::from_parts(vec![Row([0; LANES]); FEATURES], Dense::zero(), Outlook::default()),
        origin: Origin::default(),
    };
    for encoding in [NumberSize::Sixteen, NumberSize::Eight] {
        assert!(read(&write(&empty, encoding)).unwrap() == empty);
    }
}

#[test]
fn eight_bits_lose_no_more_than_half_a_scale_but_for_what_is_cut() {
    let mut weights = weights();
    for row in [FEATURES - 1, 0] {
        weights.net = {
            let mut table = weights.net.table().to_vec();
            table[row].0 = [0; LANES];
            QuickNet::from_parts(table, weights.net.dense().clone(), weights.net.outlook)
        };
    }
    let bytes = write(&weights, NumberSize::Eight);
    let found = read(&bytes).unwrap();
    assert_eq!((found.net.dense(), &found.origin), (weights.net.dense(), &weights.origin));
    let scaled = Scaled::of(weights.net.table());
    let mut cut = 0;
    for (Row(found), Row(expected)) in found.net.table().iter().zip(weights.net.table()) {
        for lane in 0..LANES {
            let scale = scaled.scales[group(lane)];
            if f32::from(expected[lane].unsigned_abs()) > LARGEST * scale {
                cut += 1;
            } else {
                assert!(f32::from((found[lane] - expected[lane]).abs()) <= scale / 2.0 + 0.5);
            }
        }
    }
    assert!(cut < 3000, "{cut}");
    // What has 8 bits already stays as it is.
    let small = vec![Row(std::array::from_fn(|lane| lane as i16 * 2 - 127)); FEATURES];
    let small = TrainedNet { net: QuickNet::from_parts(small, Dense::zero(), Outlook::default()), ..weights };
    assert!(read(&write(&small, NumberSize::Eight)).unwrap() == small);
}

#[test]
fn what_is_wrong_is_said_in_one_line_with_what_to_do() {
    let bytes = write(&weights(), NumberSize::Eight);
    let message = |at: usize, to: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = to;
        read(&bytes).unwrap_err().to_string()
    };
    let features = SHAPE[0].to_le_bytes();
    let cases = [
        (message(0, b'M'), vec!["expected `mxvalue`", "found `Mxvalue`", "give a file"]),
        (message(7, 9), vec!["version 9", "expected version 1", "write them again"]),
        (message(8, features[0] ^ 1), vec!["of a net of 14", "96 lanes and 64 hidden", "expected 14", "train them"]),
        (message(12, 95), vec!["95 lanes", "expected"]),
        (message(HEADER + 9, bytes[HEADER + 9] ^ 4), vec!["checksum", "expected", "damaged, copy it again"]),
        (read(&bytes[..HEADER + 99]).unwrap_err().to_string(), vec!["of 127 bytes, expected", "copy it again"]),
        (read(&bytes[..7]).unwrap_err().to_string(), vec!["of 7 bytes, expected 28", "copy it again"]),
        (read(&[]).unwrap_err().to_string(), vec!["found an empty file"]),
        (read(&[&bytes[..], b"x"].concat()).unwrap_err().to_string(), vec!["not whole"]),
    ];
    for (message, words) in cases {
        assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn damaged_bytes_never_give_a_net() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let whole = write(&weights(), NumberSize::Sixteen);
    for round in 0..300 {
        let mut bytes = whole.clone();
        match round % 4 {
            // Within the header, and anywhere.
            0 => bytes[random.random_range(0..HEADER)] ^= 1 << random.random_range(0..8),
            1 => {
                for _ in 0..random.random_range(1..6) {
                    let at = random.random_range(0..bytes.len());
                    bytes[at] = bytes[at].wrapping_add(random.random_range(1..=255));
                }
            }
            2 => bytes.truncate(random.random_range(0..bytes.len())),
            _ => {
                let at = random.random_range(0..bytes.len());
                bytes.insert(at, random.random());
            }
        }
        assert!(bytes == whole || read(&bytes).is_err(), "round {round}");
    }
}

#[test]
fn a_right_checksum_does_not_make_any_body_a_net() {
    let weights = weights();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for encoding in [NumberSize::Sixteen, NumberSize::Eight] {
        let whole = body(&weights, encoding);
        let layers = whole.len() - 40_000;
        for round in 0..200 {
            let mut body = whole.clone();
            // Mostly in front, where the lengths and indices are.
            let reach = if round % 4 == 0 { body.len() } else { layers.min(40_000) };
            for _ in 0..3 {
                body[random.random_range(0..reach)] = random.random();
            }
            if round % 3 == 0 {
                body.truncate(random.random_range(0..body.len()));
            }
            // It may be another net, but nothing panics.
            if let Ok(found) = Reader(&body[..]).weights() {
                assert!(found.net.dense().numbers().all(|number| number.is_finite()));
            }
        }
    }
}

/// A weights file with this body.
fn file_of(body: &[u8]) -> Vec<u8> {
    let deflated = deflated(body);
    let mut bytes = write(&weights(), NumberSize::Sixteen)[..HEADER].to_vec();
    bytes[20..24].copy_from_slice(&(deflated.len() as u32).to_le_bytes());
    bytes[24..28].copy_from_slice(&crc32(&deflated).to_le_bytes());
    bytes.extend(deflated);
    bytes
}

#[test]
fn a_body_that_is_too_long_or_cannot_be_inflated_is_refused() {
    let what = |bytes: &[u8]| match read(bytes) {
        Err(Error::Body { what }) => what,
        other => panic!("{:?}", other.map(|weights| weights.origin)),
    };
    let whole = body(&weights(), NumberSize::Sixteen);
    assert!(read(&file_of(&whole)).is_ok());
    assert_eq!(what(&file_of(&[&whole[..], b"x"].concat())), "more bytes than a net has");
    assert_eq!(what(&file_of(&whole[..whole.len() - 1])), "a body that ends too soon");
    assert_eq!(what(&file_of(&vec![0xFF; 50_000_000])), "a text about its origin that is too long");
    let mut bytes = file_of(&whole);
    // The first block has a kind that deflate does not have.
    bytes[HEADER] |= 0b110;
    let checksum = crc32(&bytes[HEADER..]);
    bytes[24..28].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(what(&bytes), "a body that cannot be inflated");
}

#[test]
fn the_weights_that_are_built_in_can_be_read() {
    let weights = TrainedNet::embedded();
    assert!(weights.net.table().iter().any(|row| row.0 != [0; LANES]));
    assert!(!weights.origin.command.is_empty());
}
