//! Child filters: which placements of a search may be looked at at all, whoever judges them.
//!
//! A filter sees the playfield and what is within reach on it, for the current piece and again
//! for the next one. Where it allows nothing the search takes what it refuses, and says so.

mod pattern;
mod picture;
mod well;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::{Placement, Playfield, ROWS};
use crate::movegen::Reached;

pub use pattern::Pattern;
pub use picture::{Picture, PictureError};
pub use well::Well;

/// Refuses placements.
pub trait Filter: Send + Sync {
    /// Those of the placements that are allowed, in their order; none of them when the filter has
    /// nothing to offer.
    fn allowed(&self, playfield: &Playfield, reached: &[Reached]) -> Vec<Reached>;
}

/// Which filter, as people type it: `well` or `pattern:FILE`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum FilterChoice {
    /// [`Well`]
    Well,
    /// [`Pattern`], of this picture.
    Pattern(PathBuf),
}

/// A filter that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The picture cannot be read.
    #[error("cannot read the pattern {path}")]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The picture is none that can be drawn.
    #[error("pattern {path}: {problem}")]
    Picture {
        /// Its path.
        path: String,
        /// What is wrong with it.
        problem: PictureError,
    },
}

impl FilterChoice {
    /// The filter, its picture read.
    ///
    /// # Errors
    /// When the picture cannot be read or cannot be drawn.
    pub fn load(&self) -> Result<Arc<dyn Filter>, Error> {
        let path = match self {
            FilterChoice::Well => return Ok(Arc::new(Well)),
            FilterChoice::Pattern(path) => path,
        };
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| Error::Read { path: name.clone(), source })?;
        let picture = Picture::from_png(&bytes).map_err(|problem| Error::Picture { path: name, problem })?;
        Ok(Arc::new(Pattern::new(picture)))
    }
}

impl fmt::Display for FilterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilterChoice::Well => f.write_str("well"),
            FilterChoice::Pattern(path) => write!(f, "pattern:{}", path.display()),
        }
    }
}

impl From<FilterChoice> for String {
    fn from(choice: FilterChoice) -> String {
        choice.to_string()
    }
}

/// A filter that does not read as one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected well or pattern:FILE.png, found {found:?}")]
pub struct ParseFilterError {
    found: String,
}

impl FromStr for FilterChoice {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<FilterChoice, ParseFilterError> {
        match text.split_once(':') {
            None if text == "well" => Ok(FilterChoice::Well),
            Some(("pattern", path)) if !path.is_empty() => Ok(FilterChoice::Pattern(path.into())),
            _ => Err(ParseFilterError { found: text.to_owned() }),
        }
    }
}

impl TryFrom<String> for FilterChoice {
    type Error = ParseFilterError;

    fn try_from(text: String) -> Result<FilterChoice, ParseFilterError> {
        text.parse()
    }
}

/// The cells of a placement, `(row, column)`; rows above the top are negative.
fn cells(placement: Placement) -> impl Iterator<Item = (i8, usize)> {
    placement.orientation.cells().iter().map(move |&(dy, dx)| (placement.y + dy, (placement.x + dx) as usize))
}

/// Would the placement shut off an empty cell of `wanted` that is open to the sky above it?
fn buries(playfield: &Playfield, placement: Placement, wanted: &[u16; ROWS]) -> bool {
    cells(placement).any(|(row, column)| {
        let below = (row + 1).max(0)..ROWS as i8;
        below
            .take_while(|&row| !playfield.occupied(row, column))
            .any(|row| wanted[row as usize] >> column & 1 == 1 && !cells(placement).any(|cell| cell == (row, column)))
    })
}

/// The lowest row with an empty cell of `wanted` that is open to the sky.
fn working_row(playfield: &Playfield, wanted: &[u16; ROWS]) -> Option<i8> {
    let mut covered = 0;
    let mut lowest = None;
    for (row, (cells, wanted)) in (0..).zip(playfield.visible().iter().zip(wanted)) {
        covered |= cells;
        if wanted & !covered != 0 {
            lowest = Some(row);
        }
    }
    lowest
}

/// The strictest of `rules` that allows anything, and what it allows.
fn strictest(reached: &[Reached], rules: &[&dyn Fn(Placement) -> bool]) -> Vec<Reached> {
    let admitted = rules.iter().map(|rule| reached.iter().copied().filter(|r| rule(r.placement)).collect::<Vec<_>>());
    admitted.into_iter().find(|allowed| !allowed.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_survive_their_text_and_others_are_refused() {
        for text in ["well", "pattern:a.png", "pattern:C:/a:b.png"] {
            assert_eq!(text.parse::<FilterChoice>().map(|filter| filter.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "Well", "pattern", "pattern:", "well:3"] {
            let error = text.parse::<FilterChoice>().expect_err(text).to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }

    #[test]
    fn a_missing_picture_is_named() {
        let error = FilterChoice::Pattern("no-such.png".into()).load().err().expect("there is none");
        assert_eq!(error.to_string(), "cannot read the pattern no-such.png");
    }
}
