//! Small inputs for readers of large files: a large file of our own, and what is changed in it.
//!
//! A patch is a length (one byte), a place (four bytes, little-endian, modulo the length of the file)
//! and as many bytes as the length says. Patches follow each other up to the end of the input.

/// Bytes before those of a patch: length and place.
const HEAD: usize = 5;

/// The file with these patches.
pub fn patched(file: &[u8], patches: &[u8]) -> Vec<u8> {
    let mut patched = file.to_vec();
    patch_in_place(&mut patched, patches);
    patched
}

/// Changes the file itself by patches.
pub fn patch_in_place(file: &mut [u8], mut patches: &[u8]) {
    while let Some((&[length, a, b, c, d], rest)) = patches.split_first_chunk::<HEAD>() {
        let (bytes, rest) = rest.split_at(usize::from(length).min(rest.len()));
        if !file.is_empty() {
            let at = u32::from_le_bytes([a, b, c, d]) as usize % file.len();
            let count = bytes.len().min(file.len() - at);
            file[at..at + count].copy_from_slice(&bytes[..count]);
        }
        patches = rest;
    }
}

/// A patch: these bytes, of which the first 255 count, at this place.
pub fn patch(at: u32, bytes: &[u8]) -> Vec<u8> {
    let bytes = &bytes[..bytes.len().min(255)];
    [&[bytes.len() as u8][..], &at.to_le_bytes(), bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_change_what_they_name_and_nothing_else() {
        let patches = [patch(1, b"xy"), patch(9, b"z"), patch(3, b"12345")].concat();
        assert_eq!(patched(b"abcdef", &patches), b"axy123");
        assert_eq!(patched(b"abcdef", &[2, 4, 0, 0, 0, b'x']), b"abcdxf", "a patch that is cut");
        assert_eq!(patched(b"", &patches), b"");
        assert_eq!(patched(b"abc", &[1, 2, 3]), b"abc");
    }
}
