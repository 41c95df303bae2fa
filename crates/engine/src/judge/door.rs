//! Every judge by its name.

use std::borrow::Cow;
use std::sync::Arc;

use super::handmade::{self, Evaluator};
use super::learned::{NetSet, weights};
use super::names::LEARNED;

/// Who judges placements; a search takes any of them.
#[derive(Clone)]
pub enum Judge {
    /// An evaluator with hand-made features: judges this piece and perhaps the next.
    Handmade(Arc<dyn Evaluator>),
    /// Learned nets: the search looks ahead with them.
    Learned(Arc<NetSet>),
}

/// The names of all judges, the learned one first.
pub const NAMES: &[&str] = &{
    let mut names = [LEARNED; 1 + handmade::NAMES.len()];
    let mut index = 0;
    while index < handmade::NAMES.len() {
        names[1 + index] = handmade::NAMES[index];
        index += 1;
    }
    names
};

/// Why there is no judge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No judge has this name, or the text is not a weights file of the evaluator.
    #[error(transparent)]
    Handmade(#[from] handmade::Error),
    /// The bytes are not a net.
    #[error(transparent)]
    Learned(#[from] weights::Error),
    /// A text that may hold weights does not say of which evaluator.
    #[error(
        "expected weights with a line `evaluator = \"NAME\"`, found a text without one; name it there or with --evaluator"
    )]
    Unnamed,
    /// The weights of an evaluator are not text.
    #[error("expected a text file of weights of `{evaluator}`, found other bytes")]
    NotText {
        /// The evaluator.
        evaluator: String,
    },
}

/// The judge of this name, with weights from the bytes of a file or else with its own.
///
/// ```
/// use maxout_engine::judge;
/// use maxout_engine::planner::{Search, Settings};
///
/// for name in judge::NAMES {
///     let search = Search::new(judge::by_name(name, None)?, Settings::default());
///     assert_eq!(search.judge_name(), *name);
/// }
/// # Ok::<(), judge::Error>(())
/// ```
///
/// # Errors
/// When no judge has this name, or the bytes are not a weights file of this judge.
pub fn by_name(name: &str, weights: Option<&[u8]>) -> Result<Judge, Error> {
    if name == LEARNED {
        let nets = match weights {
            Some(bytes) if !weights::are(bytes) && is_unnamed(bytes) => return Err(Error::Unnamed),
            Some(bytes) => weights::read_set(bytes)?,
            None => weights::embedded_set(),
        };
        return Ok(Judge::Learned(Arc::new(nets)));
    }
    let text = weights.map(std::str::from_utf8).transpose();
    let text = text.map_err(|_| Error::NotText { evaluator: name.to_owned() })?;
    Ok(handmade::by_name(name, text)?.into())
}

/// Is it the text of a table that names no judge?
fn is_unnamed(weights: &[u8]) -> bool {
    table_of(weights).is_some_and(|table| !table.is_empty() && !table.contains_key("evaluator"))
}

/// The bytes as a table, if they are the text of one.
fn table_of(weights: &[u8]) -> Option<toml::Table> {
    std::str::from_utf8(weights).ok()?.parse().ok()
}

/// The name of the judge for which a weights file was written, if the bytes say it. [`by_name`]
/// checks the rest of the bytes.
pub fn named_in(weights: &[u8]) -> Option<Cow<'_, str>> {
    if weights::are(weights) {
        return Some(LEARNED.into());
    }
    Some(table_of(weights)?.get("evaluator")?.as_str()?.to_owned().into())
}

impl Judge {
    /// Its name, one of [`NAMES`].
    pub fn name(&self) -> &'static str {
        match self {
            Judge::Handmade(evaluator) => evaluator.name(),
            Judge::Learned(_) => LEARNED,
        }
    }
}

impl From<Box<dyn Evaluator>> for Judge {
    fn from(evaluator: Box<dyn Evaluator>) -> Judge {
        Judge::Handmade(evaluator.into())
    }
}

impl From<Arc<NetSet>> for Judge {
    fn from(nets: Arc<NetSet>) -> Judge {
        Judge::Learned(nets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::handmade::{Notes, WeightSet};

    fn refusal(name: &str, weights: Option<&[u8]>) -> String {
        by_name(name, weights).err().expect("there is no such judge").to_string()
    }

    #[test]
    fn every_name_is_the_name_of_its_judge() {
        assert_eq!(NAMES.len(), 1 + handmade::NAMES.len());
        for name in NAMES {
            assert_eq!(by_name(name, None).expect("its own weights").name(), *name);
        }
    }

    #[test]
    fn weights_name_their_judge_and_make_it() {
        assert_eq!(named_in(weights::EMBEDDED).as_deref(), Some(LEARNED));
        assert!(by_name(LEARNED, Some(weights::EMBEDDED)).is_ok());
        let text = WeightSet::published("el-tetris").expect("known").to_toml(&Notes::default());
        assert_eq!(named_in(text.as_bytes()).as_deref(), Some("el-tetris"));
        assert!(by_name("el-tetris", Some(text.as_bytes())).is_ok());
        assert_eq!((named_in(b"\xff"), named_in(b"version = 1"), named_in(b"evaluator = 1")), (None, None, None));
    }

    #[test]
    fn what_is_no_judge_is_refused() {
        assert!(refusal("stacker", None).starts_with("unknown evaluator `stacker`: choose one of learned, birken-v1"));
        assert!(refusal(LEARNED, Some(b"version 1")).starts_with("no learned weights"));
        assert!(
            refusal(LEARNED, Some(b"version = 1")).starts_with("expected weights with a line `evaluator = \"NAME\"`")
        );
        assert!(refusal("el-tetris", Some(b"version = 2")).contains("evaluator"));
        assert_eq!(
            refusal("el-tetris", Some(weights::EMBEDDED)),
            "expected a text file of weights of `el-tetris`, found other bytes"
        );
    }
}
