//! R08: raw buttons for devices that replay them into a real console.
//!
//! No header: two bytes an entry, first and second gamepad, in the game's own button byte. An entry
//! is a frame that polls; lag frames have none. So it is written by playing, and played by
//! answering polls: a console holds an entry until it has been polled. This is for devices that
//! answer every latch within a frame alike ("windowed"); a device that steps on each latch needs
//! every entry twice, because the game latches twice a frame.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::fm2::Step;
use super::text::MAX_LINES;
use super::{Error, kind, limited};
use maxout_engine::gamepad::Buttons;

/// An entry's bytes.
const ENTRY: usize = 2;

/// The entries of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// The first gamepad's buttons, one for each frame that polls.
    pub buttons: Vec<Buttons>,
    /// Is a button ever down on the second gamepad?
    pub uses_other_gamepad: bool,
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read, or is a file of another kind.
pub fn open(path: &Path) -> Result<Entries, Error> {
    read(path, File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?)
}

/// Reads the bytes of a file; errors show `path`.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, input: impl Read) -> Result<Entries, Error> {
    let limit = MAX_LINES * ENTRY as u64;
    let bytes = limited::read_from(input, limit).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    // Any bytes are buttons, but nobody presses those of a picture or a text.
    if let Some(found) = kind::known(&bytes).filter(|_| !bytes.is_empty()) {
        let message = format!("expected an R08, which has two bytes for each frame that polls, found {found}");
        return Err(Error::Content { path: path.to_owned(), message });
    }
    if bytes.len() % ENTRY != 0 {
        let path = path.display();
        log::warn!("{path}: the last entry is cut off, as after a full disk or a kill; it is left out");
    }
    let entries = bytes.chunks_exact(ENTRY);
    Ok(Entries {
        uses_other_gamepad: entries.clone().any(|entry| entry[1] != 0),
        buttons: entries.map(|entry| Buttons::from_bits(entry[0])).collect(),
    })
}

/// The bytes of a step: an entry if the frame polled.
///
/// # Errors
/// A reset, which the format does not have.
pub(super) fn entry(step: Step, polled: bool) -> Result<Option<[u8; ENTRY]>, &'static str> {
    match step {
        Step::Frame(buttons) => Ok(polled.then_some([buttons.bits(), 0])),
        Step::Reset | Step::PowerCycle => {
            Err("an R08 has no reset and no power cycle: it runs from one power-on to its end")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::repeat;

    use super::*;

    fn read(bytes: impl Read) -> Result<Entries, String> {
        super::read(Path::new("x.r08"), bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn an_entry_is_the_buttons_of_two_gamepads() {
        let entries =
            |buttons: &[Buttons], uses_other_gamepad| Entries { buttons: buttons.to_vec(), uses_other_gamepad };
        assert_eq!(read(&[][..]), Ok(entries(&[], false)));
        assert_eq!(read(&[0x80, 0, 0x01, 0][..]), Ok(entries(&[Buttons::A, Buttons::RIGHT], false)));
        assert_eq!(read(&[0x80, 0, 0, 0x10][..]), Ok(entries(&[Buttons::A, Buttons::NONE], true)));
        // The second gamepad of a last entry that is cut off is not there.
        assert_eq!(read(&[0x80, 0, 0x01][..]), Ok(entries(&[Buttons::A], false)));
    }

    #[test]
    fn a_file_of_another_kind_is_refused_by_its_content() {
        for (bytes, found) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], "a PNG picture"),
            (b"# format: maxout-log 1\n", "a CSV log"),
            (b"PK\x03\x04\x0A\0\0\0Input Log.txt", "a BK2 movie"),
            (b"NES\x1A\x02\x01", "a NES ROM"),
            (b"\x1F\x8B\x08\0\0\0", "a gzip file"),
            (b"hello", "another text"),
        ] {
            let expected = "x.r08: expected an R08, which has two bytes for each frame that polls, found ";
            assert_eq!(read(bytes), Err(format!("{expected}{found}")));
        }
    }

    #[test]
    fn a_file_has_at_most_eight_million_entries() {
        let half = 1_u64 << 23;
        assert_eq!(read(repeat(0).take(half + 4)).map(|entries| entries.buttons.len()), Ok((1 << 22) + 2));
        let error = super::read(Path::new("x.r08"), repeat(0).take(2 * half + 1)).expect_err("too long");
        assert!(matches!(error, Error::Read { source, .. } if source.kind() == std::io::ErrorKind::FileTooLarge));
    }

    #[test]
    fn a_frame_that_polls_is_an_entry_and_a_reset_is_refused() {
        let frame = Step::Frame(Buttons::A | Buttons::RIGHT);
        assert_eq!((entry(frame, true), entry(frame, false)), (Ok(Some([0x81, 0])), Ok(None)));
        for step in [Step::Reset, Step::PowerCycle] {
            assert!(entry(step, true).expect_err("no such entry").contains("no reset"));
        }
    }
}
