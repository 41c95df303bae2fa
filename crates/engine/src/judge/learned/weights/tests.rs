//! Weights files of the learned net: round trips, and files that are refused.

use std::num::NonZeroU8;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::layout::{BY_LANES, BY_STEPS, FLAT, HEADER, OF_8, SHAPE, SHORT, VERSION, WITH_HEADS};
use super::reader::Reader;
use super::writer::{body, deflated, packed_by_lzma};
use super::*;
use crate::judge::learned::dense::OUTPUTS;
use crate::judge::learned::features::{FEATURES, SPAN_ROWS};
use crate::judge::learned::head::{Head, TrainedFor};
use crate::judge::learned::outlook::Outlook;
use crate::judge::learned::table::{LANES, LEAST_STEP, PackedNumbers, Row, Table};
use crate::state::crc32;

const TWO: NonZeroU8 = NonZeroU8::new(LEAST_STEP).unwrap();

fn wide(net: &QuickNet) -> Vec<Row<i16>> {
    net.table().wide().into_owned()
}

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
    let mut head = Head::zero();
    for number in head.dense.numbers_mut() {
        *number = random.random::<f32>() - 0.5;
    }
    let origin = Origin { command: "maxout \"train\"".to_owned(), note: "ä\n".to_owned(), ..Default::default() };
    TrainedNet {
        net: QuickNet::from_parts(
            Table::Wide(table),
            Vec::new(),
            vec![head],
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
        net: QuickNet::from_parts(
            Table::Wide(vec![Row([0; LANES]); FEATURES]),
            Vec::new(),
            vec![Head::zero()],
            Outlook::default(),
        ),
        origin: Origin::default(),
    };
    assert!(read(&write(&empty, NumberSize::Sixteen)).unwrap() == empty);
    assert!(read(&write(&empty, NumberSize::Eight)).unwrap().net == empty.net.packed(TWO));
}

#[test]
fn eight_bits_are_read_back_as_the_packed_net() {
    let mut weights = weights();
    let head = Head { scale: 0.5, ..weights.net.heads()[0].clone() };
    let (plain, others) = (weights.net.clone(), vec![head]);
    for net in [plain, QuickNet::from_parts(Table::Wide(wide(&weights.net)), Vec::new(), others, weights.net.outlook)] {
        weights.net = net;
        for (size, versions) in [
            (NumberSize::Eight, [VERSION, WITH_HEADS]),
            (NumberSize::Flat, [FLAT, FLAT]),
            (NumberSize::Short, [SHORT, SHORT]),
        ] {
            let bytes = write(&weights, size);
            assert!(versions.contains(&bytes[MAGIC.len()]));
            let found = read(&bytes).unwrap();
            assert!(found.net == weights.net.packed(TWO) && found.origin == weights.origin);
            // Its numbers stay as they are.
            assert!(write(&found, size) == bytes);
            assert!(wide(&read(&write(&found, NumberSize::Sixteen)).unwrap().net) == wide(&found.net));
            let mut damaged = bytes.clone();
            let last = damaged.len() - 1;
            damaged[last] ^= 1;
            assert!(matches!(read(&damaged), Err(Error::Checksum { .. })));
        }
    }
}

#[test]
fn rows_that_lose_something_in_8_bits_are_read_back_in_16() {
    let mut weights = weights();
    weights.net = weights.net.packed(NonZeroU8::MIN);
    let exact = wide(&weights.net);
    assert!(exact.iter().flat_map(|Row(row)| row).any(|number| number.unsigned_abs() > 127 && number % 2 != 0));
    for size in [NumberSize::Eight, NumberSize::Flat, NumberSize::Short] {
        let bytes = write(&weights, size);
        let found = read(&bytes).unwrap();
        assert!(found == weights && wide(&found.net) == exact);
        assert!(write(&found, size) == bytes);
    }
}

#[test]
fn files_of_before_with_the_steps_of_a_row_before_it_can_be_read() {
    let weights = weights();
    let mut body = body(&weights, NumberSize::Flat);
    let Table::Packed(packed) = weights.net.packed(TWO).table().clone() else { unreachable!() };
    let rows = packed.rows().count();
    body.truncate(body.len() - rows * (LANES + 2) - 1);
    body.push(OF_8);
    for (_, numbers) in packed.rows() {
        let PackedNumbers::Eight(row, steps) = numbers else { panic!("a row of 16 bits") };
        body.extend(steps);
        body.extend(row.iter().map(|&number| number as u8));
    }
    assert!(Reader(&body[..]).weights(FLAT).unwrap().net == weights.net.packed(TWO));
}

#[test]
fn files_of_before_with_one_row_after_another_can_be_read() {
    let mut weights = weights();
    weights.net = weights.net.packed(NonZeroU8::MIN);
    let mut body = body(&weights, NumberSize::Flat);
    let Table::Packed(packed) = weights.net.table() else { unreachable!() };
    let mut rows: Vec<PackedNumbers<'_>> = packed.rows().map(|(_, numbers)| numbers).collect();
    let steps = rows.iter().flat_map(PackedNumbers::steps);
    let bytes = |numbers: &PackedNumbers<'_>| match numbers {
        PackedNumbers::Eight(row, _) => row.iter().map(|&number| number as u8).collect::<Vec<_>>(),
        PackedNumbers::Sixteen(row) => {
            let part = |part: usize| row.iter().map(move |number| number.to_le_bytes()[part]);
            part(0).chain(part(1)).collect()
        }
    };
    let mut before = vec![BY_STEPS];
    before.extend(steps);
    rows.sort_by_key(PackedNumbers::steps);
    before.extend(rows.iter().flat_map(bytes));
    let front = body.len() - before.len();
    assert_eq!(body[front], BY_LANES);
    body.truncate(front);
    body.extend(before);
    assert!(Reader(&body[..]).weights(FLAT).unwrap() == weights);
}

#[test]
fn spans_are_read_back() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut weights = weights();
    let mut rows = vec![[0i16; OUTPUTS]; SPAN_ROWS];
    rows.iter_mut().step_by(3).for_each(|row| *row = std::array::from_fn(|_| random.random_range(-600..=600)));
    let heads = weights.net.heads().to_vec();
    weights.net = QuickNet::from_parts(Table::Wide(wide(&weights.net)), rows.clone(), heads, weights.net.outlook);
    let bytes = write(&weights, NumberSize::Sixteen);
    assert!(read(&bytes).unwrap() == weights);
    let packed = weights.net.packed(TWO);
    let worst = packed.spans().iter().flatten().zip(rows.iter().flatten()).map(|(a, b)| a.abs_diff(*b)).max();
    assert_eq!(worst, Some(2), "multiples of 5");
    assert!(read(&write(&weights, NumberSize::Eight)).unwrap().net == packed);
    // With a least step of 1 they keep 16 bits, and a packed net stays as it is.
    let six = NonZeroU8::new(6).unwrap();
    assert!(weights.net.packed(NonZeroU8::MIN).packed(six) == weights.net.packed(NonZeroU8::MIN));
    for net in [weights.net.packed(NonZeroU8::MIN), packed] {
        weights.net = net;
        for size in [NumberSize::Eight, NumberSize::Flat, NumberSize::Short] {
            let bytes = write(&weights, size);
            let found = read(&bytes).unwrap();
            assert!(found == weights && write(&found, size) == bytes);
        }
    }
    let body = body(&weights, NumberSize::Flat);
    let what = |body: &[u8]| Reader(body).weights(FLAT).unwrap_err();
    assert_eq!(what(&body[..body.len() - 1]), "a body that ends too soon");
    assert_eq!(what(&[&body[..], b"x"].concat()), "more bytes than a net has");
}

#[test]
fn heads_are_read_back_with_the_games_that_they_were_trained_for() {
    let mut weights = weights();
    let plain = write(&weights, NumberSize::Sixteen);
    assert_eq!(plain[MAGIC.len()], VERSION);
    let mut heads = weights.net.heads().to_vec();
    for (level, taps, reaction) in [(29, "30", 0), (39, "X.X..", 21), (18, "10", TrainedFor::NEVER)] {
        let mut head = Head::zero();
        head.trained_for = TrainedFor { level, tap_rate: taps.parse().unwrap(), reaction };
        (head.dense.out_bias[3], head.scale) = (f32::from(level), 0.25);
        heads.push(head);
    }
    weights.net = QuickNet::from_parts(Table::Wide(wide(&weights.net)), Vec::new(), heads.clone(), weights.net.outlook);
    let bytes = write(&weights, NumberSize::Sixteen);
    assert_eq!(bytes[MAGIC.len()], WITH_HEADS);
    assert!(read(&bytes).unwrap() == weights);
    // One head that is not for the plateau is told, too.
    weights.net =
        QuickNet::from_parts(Table::Wide(wide(&weights.net)), Vec::new(), heads[1..2].to_vec(), weights.net.outlook);
    assert!(read(&write(&weights, NumberSize::Eight)).unwrap().net.heads() == &heads[1..2]);
}

#[test]
fn files_of_nets_are_joined_and_read_back_and_a_damaged_one_is_refused() {
    let first = weights();
    let mut second = weights();
    let trained_for = TrainedFor { level: 29, tap_rate: "12".parse().unwrap(), reaction: 0 };
    let head = Head { trained_for, scale: 0.5, ..second.net.heads()[0].clone() };
    second.net = QuickNet::from_parts(Table::Wide(wide(&second.net)), Vec::new(), vec![head], second.net.outlook);
    let nets = [first.clone(), second.clone()];
    let both = join(&nets, false).unwrap();
    let set = read_set(&both).unwrap();
    assert!(set.nets().eq([&first.net, &second.net]) && read_all(&both).unwrap() == nets);
    assert!(read(&both).unwrap() == first, "the first net is the one that is read alone");
    assert!(read_set(&write(&second, NumberSize::Sixteen)).unwrap().nets().eq([&second.net]));
    let flat = read_set(&join(&nets, true).unwrap()).unwrap();
    assert!(flat.nets().eq([&first.net.packed(TWO), &second.net.packed(TWO)]));
    assert!(join(&[], false).is_err() && join(&vec![first; 9], true).is_err());

    for length in [8, 9, 10, 20, both.len() / 2, both.len() - 1] {
        assert!(read_set(&both[..length]).is_err(), "{length}");
    }
    let mut longer = both.clone();
    longer.push(0);
    assert!(matches!(read_set(&longer), Err(Error::Length { .. })));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..100 {
        let mut bytes = both.clone();
        // Mostly in front, where the lengths and the games of the heads are.
        let reach = if random.random() { 60 } else { bytes.len() };
        bytes[random.random_range(8..reach)] ^= 1 << random.random_range(0..8);
        assert!(read_set(&bytes).is_err());
    }
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
        (message(7, 9), vec!["version 9", "expected version 1 to 5", "write them again"]),
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
    for encoding in [NumberSize::Sixteen, NumberSize::Eight, NumberSize::Flat] {
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
            if let Ok(found) = Reader(&body[..]).weights(if encoding == NumberSize::Flat { FLAT } else { VERSION }) {
                assert!(found.net.heads()[0].dense.numbers().all(|number| number.is_finite()));
            }
        }
    }
}

#[test]
fn a_right_checksum_does_not_make_any_bytes_of_lzma_a_net() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let sound = packed_by_lzma(&body(&weights(), NumberSize::Short));
    let file = |packed: &[u8]| {
        let mut bytes = write(&weights(), NumberSize::Short)[..HEADER].to_vec();
        bytes[HEADER - 8..HEADER - 4].copy_from_slice(&(packed.len() as u32).to_le_bytes());
        bytes[HEADER - 4..].copy_from_slice(&crc32(packed).to_le_bytes());
        bytes.extend(packed);
        bytes
    };
    assert!(read(&file(&sound)).is_ok());
    let mut refused = 0;
    for _ in 0..60 {
        let mut packed = sound.clone();
        packed.truncate(random.random_range(0..packed.len()));
        match read(&file(&packed)) {
            Err(Error::Body { .. }) => refused += 1,
            // Where only the very end is missing, the decoder may guess it.
            Ok(guessed) => assert!(guessed != weights() && packed.len() + 1000 > sound.len()),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 50, "{refused}");
    // A window of 4 GiB is not made room for.
    let mut greedy = sound;
    greedy[1..5].fill(0xFF);
    assert!(matches!(read(&file(&greedy)), Err(Error::Body { .. })));
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
    assert!(weights.net.table().wide().iter().any(|row| row.0 != [0; LANES]));
    assert!(!weights.origin.command.is_empty());
}
