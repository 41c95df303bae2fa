//! What the checkpoints of all searches have around them: magic, layout, settings and checksum.

use maxout_engine::seed::split_mix;

/// What a checkpoint begins with, before the byte of its layout.
const MAGIC: [u8; 7] = *b"mxtasck";
/// The layout of the [layers of a search](super::checkpoint). Layout 1 was an older one of the same.
pub(super) const LAYERS: u8 = 2;
/// The layout of a [search by stages](super::stages).
pub(super) const STAGES: u8 = 3;
/// The layout of the [lists of a search of parts](super::improve::Lists).
pub(super) const LISTS: u8 = 4;
/// Bytes before the content: magic, layout and the number of the settings.
pub(super) const HEADER: usize = MAGIC.len() + 1 + 8;

/// Why a search cannot go on from these bytes.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// They do not begin as one.
    #[error("it does not begin as a checkpoint of `maxout tas` does")]
    Magic,
    /// They are of a search with other settings.
    #[error(
        "it is of a search with other settings, or of another version of maxout: give the same flags, or another --checkpoint"
    )]
    Settings,
    /// They end too soon, or hold something that no search has.
    #[error("it is not whole, or damaged")]
    Damaged,
}

/// A number that only these settings have. They are any text that is another for another search.
fn number_of(settings: &str) -> u64 {
    settings.bytes().fold(0, |hash, byte| split_mix(hash ^ u64::from(byte)))
}

/// The header of a checkpoint; its content follows, and then [`seal`].
pub(super) fn header(layout: u8, settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(layout);
    bytes.extend(number_of(settings).to_le_bytes());
    bytes
}

/// Adds the checksum.
pub(super) fn seal(bytes: &mut Vec<u8>) {
    let checksum = crc32fast::hash(bytes);
    bytes.extend(checksum.to_le_bytes());
}

/// The content of a checkpoint of this layout and of a search with these settings.
///
/// # Errors
/// [`CheckpointError`] when the bytes are no such checkpoint.
pub(super) fn open<'b>(bytes: &'b [u8], layout: u8, settings: &str) -> Result<&'b [u8], CheckpointError> {
    let (sealed, checksum) = bytes.split_last_chunk().ok_or(CheckpointError::Magic)?;
    let rest = sealed.strip_prefix(&MAGIC).ok_or(CheckpointError::Magic)?;
    let (&[found], rest) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    if !(1..=LISTS).contains(&found) {
        return Err(CheckpointError::Magic);
    }
    if crc32fast::hash(sealed) != u32::from_le_bytes(*checksum) {
        return Err(CheckpointError::Damaged);
    }
    let (number, content) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    if found != layout || u64::from_le_bytes(*number) != number_of(settings) {
        return Err(CheckpointError::Settings);
    }
    Ok(content)
}
