//! The games of a simulation, as `maxout merge` reads them.

use std::path::Path;

use maxout_lab::games::{Games, GamesWriter};

use crate::check;

/// A file of games.
pub(crate) fn rows(bytes: &[u8]) {
    let path = Path::new("file");
    let Some(games) = check::read(Games::read(bytes, path)) else { return };
    let mut written = Vec::new();
    let mut writer = GamesWriter::new(&mut written, path, &games.run).expect("memory can be written");
    for result in &games.results {
        writer.write(result).expect("memory can be written");
    }
    writer.flush().expect("memory can be written");
    drop(writer);
    let again = Games::read(&written[..], path).expect("games that were written can be read");
    assert_eq!((&again.run, &again.results, again.is_cut), (&games.run, &games.results, false));
}
