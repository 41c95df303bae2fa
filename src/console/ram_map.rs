//! The RAM map that decodes the RAM of a run.

use std::path::Path;

use anyhow::{Context, anyhow};

use crate::system::failure::Failure;
use crate::system::output::say;
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::limited;

/// The built-in map, or a file's.
pub(crate) fn map(path: Option<&Path>) -> Result<RamMap, Failure> {
    let Some(path) = path else { return Ok(RamMap::tetris_ntsc()) };
    let read =
        limited::read_text(path, limited::SETTINGS).context(format!("cannot read the RAM map {}", path.display()));
    RamMap::from_toml(&read.map_err(Failure::input)?)
        .map_err(|error| Failure::input(anyhow!("{}: {error}", path.display())))
}

/// The addresses of the built-in map, or of a file's. Says which values the file lacks.
pub(crate) fn decoder(path: Option<&Path>) -> Result<Decoder, Failure> {
    let name = path.map_or("the built-in map".to_owned(), |path| path.display().to_string());
    let decoder = Decoder::new(&map(path)?).map_err(|error| Failure::input(anyhow!("{name}: {error}")))?;
    if !decoder.missing().is_empty() {
        say(&format!("{name} has no {}: shown as 0, not needed to play", decoder.missing().join(", ")));
    }
    Ok(decoder)
}
