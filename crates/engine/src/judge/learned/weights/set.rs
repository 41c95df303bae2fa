//! Weights files of several nets that play together.

use super::layout::{Error, LONGEST, MAGIC, MOST_HEADS, NUMBER_OF_HEADS, NumberSize, ODD_HEAD, TrainedNet};
use super::reader::read_one;
use super::writer::write;
use super::{EMBEDDED, read};
use crate::judge::learned::head::TrainedFor;
use crate::judge::learned::set::{MOST_NETS, NetSet, Part, SoundFile};

/// The layout of several nets: their number, and then each with what its heads were trained for and its
/// length.
const SET: u8 = 3;
/// What is wrong with a file of several nets.
const NUMBER_OF_NETS: &str = "no net, or more than eight";

/// The bytes of a weights file of these nets. The first one says how the search plays. `packed` writes their
/// tables in 8 bits, that of the first net, which is needed at once, as [`NumberSize::Flat`], the others as
/// [`NumberSize::Short`].
///
/// # Errors
/// When there is none, or there are too many.
pub fn join(nets: &[TrainedNet], packed: bool) -> Result<Vec<u8>, Error> {
    if !(1..=MOST_NETS).contains(&nets.len()) {
        return Err(Error::Body { what: NUMBER_OF_NETS });
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend([SET, nets.len() as u8]);
    if nets.iter().any(|trained| trained.net.heads().len() > MOST_HEADS) {
        return Err(Error::Body { what: NUMBER_OF_HEADS });
    }
    let sizes = if packed { [NumberSize::Flat, NumberSize::Short] } else { [NumberSize::Sixteen; 2] };
    for (index, trained) in nets.iter().enumerate() {
        bytes.push(trained.net.heads().len() as u8);
        for head in trained.net.heads() {
            let text = head.trained_for.to_text();
            bytes.push(text.len() as u8);
            bytes.extend(text.as_bytes());
        }
        // Numbers of 8 bits do not become exact again.
        let size = if trained.net.is_packed() && !packed { NumberSize::Eight } else { sizes[index.min(1)] };
        let part = write(trained, size);
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part);
    }
    if bytes.len() as u64 > LONGEST {
        return Err(Error::Body { what: "more than 64 MiB" });
    }
    Ok(bytes)
}

/// The file of one net within a file.
struct PartOfFile<'a> {
    /// What its heads were trained for, where the file tells it.
    heads: Option<Vec<TrainedFor>>,
    bytes: &'a [u8],
}

/// The files of the nets of a file: several, or the file itself.
fn parts(bytes: &[u8]) -> Result<Vec<PartOfFile<'_>>, Error> {
    let Some(mut rest) = bytes.strip_prefix(&MAGIC).and_then(|rest| rest.strip_prefix(&[SET])) else {
        return Ok(vec![PartOfFile { heads: None, bytes }]);
    };
    // The next bytes of the file.
    let mut take = |length: usize| match rest.split_at_checked(length) {
        Some((taken, after)) => {
            rest = after;
            Ok(taken)
        }
        None => {
            let expected = (bytes.len() - rest.len()).saturating_add(length);
            Err(Error::Length { found: bytes.len(), expected })
        }
    };
    let mut parts = Vec::new();
    let count = take(1)?[0];
    if !(1..=MOST_NETS).contains(&count.into()) {
        return Err(Error::Body { what: NUMBER_OF_NETS });
    }
    for _ in 0..count {
        let mut heads = Vec::new();
        for _ in 0..take(1)?[0] {
            let length = take(1)?[0];
            let text = take(length.into())?;
            heads.push(TrainedFor::from_text(text).ok_or(Error::Body { what: ODD_HEAD })?);
        }
        let (length, _) = take(4)?.as_chunks();
        let bytes = take(u32::from_le_bytes(length[0]) as usize)?;
        parts.push(PartOfFile { heads: Some(heads), bytes });
    }
    if !rest.is_empty() {
        return Err(Error::Length { found: bytes.len(), expected: bytes.len() - rest.len() });
    }
    Ok(parts)
}

/// Reads the nets of a file, one or several, and where each comes from.
///
/// # Errors
/// As [`read`].
pub fn read_all(bytes: &[u8]) -> Result<Vec<TrainedNet>, Error> {
    let mut nets = Vec::new();
    for PartOfFile { heads, bytes } in parts(bytes)? {
        let trained = read_one(bytes)?;
        if heads.is_some_and(|heads| !heads.iter().eq(trained.net.heads().iter().map(|head| &head.trained_for))) {
            return Err(Error::Body { what: ODD_HEAD });
        }
        nets.push(trained);
    }
    Ok(nets)
}

/// Reads the nets of a file, one or several.
///
/// # Errors
/// As [`read`].
pub fn read_set(bytes: &[u8]) -> Result<NetSet, Error> {
    let nets = read_all(bytes)?.into_iter().map(|trained| trained.net).collect();
    NetSet::new(nets).ok_or(Error::Body { what: NUMBER_OF_NETS })
}

/// The nets that are built in. Each is read when it is first needed.
pub fn embedded_set() -> NetSet {
    let read = |bytes: &[u8]| read(bytes).expect("the weights that are built in are sound").net;
    let later = |PartOfFile { heads, bytes }: PartOfFile<'static>| {
        Part::later(heads.unwrap_or_else(|| vec![TrainedFor::PLATEAU]), SoundFile { bytes, read })
    };
    let parts = parts(EMBEDDED).map(|parts| parts.into_iter().map(later).collect());
    parts.ok().and_then(NetSet::of_parts).expect("the weights that are built in are sound")
}

/// The file of the first net of a file.
pub(super) fn first(bytes: &[u8]) -> Result<&[u8], Error> {
    let parts = parts(bytes)?;
    parts.first().map(|part| part.bytes).ok_or(Error::Body { what: NUMBER_OF_NETS })
}
