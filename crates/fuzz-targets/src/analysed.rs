//! What is analysed: NGF files and positions.

use std::io::Cursor;
use std::path::Path;

use maxout_engine::game::control::Obstacles;
use maxout_formats::games::read_ngf;
use maxout_formats::ngf::NgfReader;
use maxout_formats::position;

use crate::{check, pattern};

/// An NGF file, plain or gzip: every piece has locked where it fits and rests.
pub(crate) fn ngf(bytes: &[u8]) {
    let reader = NgfReader::new(Path::new("file"), Cursor::new(bytes.to_vec()));
    let Some(found) = check::read(reader.and_then(read_ngf)) else { return };
    for piece in found.games.iter().flat_map(|game| &game.pieces) {
        let (playfield, at) = (piece.position.playfield, piece.placement);
        assert!(playfield.fits(at.orientation, at.x, at.y), "it fits");
        assert!(!playfield.fits(at.orientation, at.x, at.y + 1), "it rests");
        assert_eq!(at.orientation.piece(), piece.position.piece);
        let last = piece.frames.last().expect("a piece has frames");
        assert_eq!((last.orientation, last.x, last.y), (at.orientation, at.x, at.y));
    }
}

/// A position as text or as a picture, the checksums of which are made right: what is read is one that
/// a game can have.
pub(crate) fn position(bytes: &[u8]) {
    for bytes in [bytes, &pattern::chunks(bytes)] {
        let Some(found) = check::read(position::read_bytes(bytes)) else { continue };
        check::read(position::check_playfield(&found.playfield)).expect("a playfield of a game");
        let again = position::read(&found.playfield.to_string()).expect("a drawing of a playfield can be read");
        assert_eq!(again.playfield, found.playfield);
    }
}
