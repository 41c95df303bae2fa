//! The parts of a header one by one, as 7zFormat.txt describes them.

use super::*;

/// What a part of a header gives, and the bytes behind it.
fn walked<'a, T>(header: &'a [u8], part: impl FnOnce(&mut Walk<'a>) -> Option<T>) -> Option<(T, &'a [u8])> {
    let mut walk = Walk { rest: header, most: 100 };
    part(&mut walk).map(|found| (found, walk.rest))
}

#[test]
fn a_number_says_in_its_first_byte_how_many_follow() {
    for (bytes, number) in [
        (&[0x00][..], 0),
        (&[0x7F], 0x7F),
        (&[0x80, 0x80], 0x80),
        (&[0xBF, 0xFF], 0x3FFF),
        (&[0xC1, 0x34, 0x12], 0x1_1234),
        (&[0xE1, 0x56, 0x34, 0x12], 0x112_3456),
        (&[0xF7, 1, 2, 3, 4], 0x7_0403_0201),
        (&[0xFB, 1, 2, 3, 4, 5], 0x305_0403_0201),
        (&[0xFD, 1, 2, 3, 4, 5, 6], 0x1_0605_0403_0201),
        (&[0xFE, 1, 2, 3, 4, 5, 6, 7], 0x7_0605_0403_0201),
        (&[0xFF, 1, 2, 3, 4, 5, 6, 7, 8], 0x807_0605_0403_0201),
    ] {
        let with_more = [bytes, &[9]].concat();
        assert_eq!(walked(&with_more, Walk::number), Some((number, &[9][..])), "{bytes:02X?}");
        assert_eq!(walked(&bytes[..bytes.len() - 1], Walk::number), None, "{bytes:02X?}");
    }
}

#[test]
fn of_nothing_are_there_more_than_bytes() {
    let count = |header: &[u8]| Walk::new(header).count();
    assert_eq!((count(&[3, 0, 0]), count(&[4, 0, 0])), (Some(3), None));
}

#[test]
fn checksums_are_for_all_or_for_those_whose_bit_is_set() {
    let of = |header: &'static [u8], count| walked(header, |walk| walk.checksums(count));
    assert_eq!(of(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 9], 2), Some((vec![true; 2], &[9][..])));
    assert_eq!(of(&[0, 0b0100_0000, 0, 0, 0, 0, 9], 3), Some((vec![false, true, false], &[9][..])));
    let nine = [false, false, false, false, false, false, false, true, true].to_vec();
    assert_eq!(of(&[0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 9], 9), Some((nine, &[9][..])));
    assert_eq!(of(&[1, 0, 0, 0], 1), None);
}

#[test]
fn packed_streams_have_a_place_and_may_have_sizes_and_checksums() {
    let of = |header: &'static [u8]| walked(header, Walk::packed);
    assert_eq!(of(&[0x80, 0x80, 2, 0x09, 5, 6, 0x0A, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]), Some((2, &[9][..])));
    assert_eq!(of(&[0, 0, 0, 9]), Some((0, &[9][..])));
    assert_eq!(of(&[0, 1, 0x09, 5, 6, 0]), None);
}

#[test]
fn a_coder_has_an_id_streams_and_properties() {
    let of = |header: &'static [u8]| walked(header, Walk::coder).map(|(inputs, rest)| (inputs, rest.len()));
    assert_eq!(of(&[0x01, 0x00, 9]), Some((1, 1)));
    assert_eq!(of(&[0x14, 3, 3, 1, 0x1B, 4, 1, 9]), Some((4, 1)));
    assert_eq!(of(&[0x14, 3, 3, 1, 0x1B, 5, 1, 9]), None);
    assert_eq!(of(&[0x14, 3, 3, 1, 0x1B, 0, 1, 9]), None);
    assert_eq!(of(&[0x14, 3, 3, 1, 0x1B, 4, 2, 9]), None);
    assert_eq!(of(&[0x21, 0x03, 2, 7, 7, 9]), Some((1, 1)));
    assert_eq!(of(&[0x81, 0x00, 9]), None, "an alternative method");
    // LZMA with a dictionary of 256 MiB, and a byte more.
    assert_eq!(of(&[0x23, 3, 1, 1, 5, 0x5D, 0, 0, 0, 0x10, 9]), Some((1, 1)));
    assert_eq!(of(&[0x23, 3, 1, 1, 5, 0x5D, 1, 0, 0, 0x10, 9]), None);
    // LZMA2 with 256 and with 384 MiB; 40 stands for the largest, 41 for nothing.
    assert_eq!(of(&[0x21, 0x21, 1, 32, 9]), Some((1, 1)));
    for size in [&[0x21, 0x21, 1, 33, 9], &[0x21, 0x21, 1, 40, 9], &[0x21, 0x21, 1, 255, 9]] {
        assert_eq!(of(size), None);
    }
}

#[test]
fn the_coders_of_a_block_are_bound_and_no_stream_twice() {
    let of = |header: &'static [u8]| walked(header, Walk::block).map(|(counts, rest)| (counts, rest.len()));
    assert_eq!(of(&[1, 1, 0, 9]), Some(((1, 1), 1)));
    // Two coders: input 0 reads output 1.
    assert_eq!(of(&[2, 1, 0, 1, 0, 0, 1, 9]), Some(((2, 1), 1)));
    assert_eq!(of(&[2, 1, 0, 1, 0, 2, 1, 9]), None, "there is no input 2");
    assert_eq!(of(&[2, 1, 0, 1, 0, 0, 2, 9]), None, "there is no output 2");
    // One with four inputs, which are all packed streams.
    assert_eq!(of(&[1, 0x11, 0, 4, 1, 3, 1, 0, 2, 9]), Some(((1, 4), 1)));
    assert_eq!(of(&[1, 0x11, 0, 4, 1, 3, 1, 0, 3, 9]), None);
    assert_eq!(of(&[1, 0x11, 0, 4, 1, 3, 1, 0, 4, 9]), None);
    // BCJ2: its inputs 1 and 2 read the outputs 1 and 2; the streams 0, 3, 4 and 5 are packed.
    let bcj2 = &[3, 0x11, 0, 4, 1, 1, 0, 1, 0, 1, 1, 2, 2, 0, 3, 4, 5, 9];
    assert_eq!(of(bcj2), Some(((3, 4), 1)));
    assert_eq!(of(&[3, 0x11, 0, 4, 1, 1, 0, 1, 0, 1, 1, 2, 1, 0, 3, 4, 5, 9]), None, "output 1 twice");
    let eight = [&[8][..], &[1, 0].repeat(8), &[0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 9]].concat();
    assert_eq!(walked(&eight, Walk::block), Some(((8, 1), &[9][..])));
    let nine = [&[9][..], &[1, 0].repeat(9), &[0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9]].concat();
    assert_eq!((walked(&nine, Walk::block), of(&[0, 9])), (None, None));
}

#[test]
fn blocks_have_sizes_and_may_have_checksums() {
    let of = |header: &'static [u8], packed| walked(header, |walk| walk.blocks(packed));
    let two = &[0x0B, 2, 0, 1, 1, 0, 1, 1, 0, 0x0C, 5, 6, 0x0A, 0, 0x40, 0, 0, 0, 0, 0, 9];
    // Each coder has one letter as its id.
    let two_plain = &[0x0B, 2, 0, 1, 1, 0, 1, 1, 0, 0x0C, 5, 6, 0, 9];
    assert_eq!(of(two, 2), Some((vec![false, true], &[9][..])));
    assert_eq!(of(two_plain, 2), Some((vec![false; 2], &[9][..])));
    assert_eq!((of(two_plain, 3).is_some(), of(two_plain, 1)), (true, None), "more inputs than packed streams");
    // A block of two coders has two sizes.
    let bound = &[0x0B, 1, 0, 2, 1, 0, 1, 0, 0, 1, 0x0C, 5, 6, 0, 9];
    assert_eq!(of(bound, 1), Some((vec![false], &[9][..])));
    assert_eq!(of(&[0x0B, 1, 1, 1, 1, 0, 0x0C, 5, 0], 1), None, "coders in another stream");
}

#[test]
fn members_are_counted_and_have_the_sizes_and_checksums_that_blocks_do_not_give() {
    let of = |header: &'static [u8]| walked(header, |walk| walk.members(&[true, false]));
    assert_eq!(of(&[0, 9]), Some((2, &[9][..])));
    // The first block has one member, the second three: two sizes, and all checksums but the first.
    let four = [&[0x0D, 1, 3, 0x09, 7, 8, 0x0A, 1][..], &[0; 12], &[0, 9]].concat();
    assert_eq!(walked(&four, |walk| walk.members(&[true, false])), Some((4, &[9][..])));
    // Two of the first block have checksums of their own.
    let all = [&[0x0D, 2, 0, 0x09, 7, 0x0A, 1][..], &[0; 8], &[0, 9]].concat();
    assert_eq!(walked(&all, |walk| walk.members(&[true, false])), Some((2, &[9][..])));
    let most = |most| Walk { rest: &[0x0D, 1, 2, 0x09, 7, 0], most }.members(&[false, false]);
    assert_eq!((most(3), most(2)), (Some(3), None));
}

#[test]
fn of_the_files_names_and_empty_ones_are_kept() {
    let of = |header: &'static [u8], members| walked(header, |walk| walk.files(members));
    // Two files, the first without content and a file, a time that is not needed, and their names.
    let files = &[2, 0x0E, 1, 0x80, 0x0F, 1, 0x80, 0x14, 2, 7, 7, 0x11, 5, 0, b'a', 0, b'b', 0, 0, 9];
    let kept = vec![2, 0x0E, 1, 0x80, 0x0F, 1, 0x80, 0x11, 5, 0, b'a', 0, b'b', 0, 0];
    assert_eq!(of(files, 1), Some((kept, &[9][..])));
    assert_eq!((of(files, 2), of(files, 0)), (None, None));
    assert_eq!(of(&[1, 0, 9], 1), Some((vec![1, 0], &[9][..])));
    assert_eq!(of(&[0x80, 1, 0, 9], 1), Some((vec![0x80, 1, 0], &[9][..])), "a count of two bytes");
    for wrong in [
        // Bits for 16 files, and for none of two; bits of nine empty files; an even name and one in another stream.
        &[1, 0x0E, 2, 0, 0, 0][..],
        &[1, 0x0E, 0, 0],
        &[1, 0x0F, 1, 0, 0],
        &[1, 0x11, 2, 0, b'a', 0],
        &[1, 0x11, 3, 1, b'a', 0, 0],
    ] {
        assert_eq!(walked(wrong, |walk| walk.files(1)), None, "{wrong:02X?}");
    }
}

#[test]
fn a_header_has_its_streams_and_files_and_nothing_else() {
    let of = |header: &[u8]| Walk::new(header).header();
    assert_eq!(of(&[1, 0]), Some(vec![1, 0]));
    // Properties of the archive are left out.
    assert_eq!(of(&[1, 2, 5, 2, 7, 7, 6, 0, 0, 0]), Some(vec![1, 0]));
    assert_eq!((of(&[2, 0]), of(&[1])), (None, None));
    // A block of two members, with its own checksums for them.
    let streams = [
        &[0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, 4, 0][..],
        &[0x08, 0x0D, 2, 0x09, 1, 0x0A, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    let files = [0x05, 2, 0];
    let whole = [&[0x01, 0x04][..], &streams, &files, &[0]].concat();
    assert_eq!(of(&whole), Some(whole.clone()));
    // Without a list of members, each block is one; the unpacking crate needs the list.
    let plain = [0x01, 0x04, 0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, 4, 0, 0, 0x05, 1, 0, 0];
    let listed = [0x01, 0x04, 0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, 4, 0, 0x08, 0, 0, 0x05, 1, 0, 0];
    assert_eq!(of(&plain), Some(listed.to_vec()));
}
