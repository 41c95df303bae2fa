//! All published methods by name.

use super::method::Method;
use super::weights::Error;
use super::{birken_v1, birken_v2, dellacherie, dellacherie_ga, el_tetris, exhaustive_pair};
use crate::judge::LEARNED;

/// All methods, sorted by name.
pub(super) const METHODS: &[Method] = &[
    birken_v1::METHOD,
    birken_v2::METHOD,
    dellacherie::METHOD,
    dellacherie_ga::METHOD,
    el_tetris::METHOD,
    exhaustive_pair::METHOD,
];

/// The names of all evaluators.
pub const NAMES: &[&str] = &{
    let mut names = [""; METHODS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = METHODS[index].schema.evaluator;
        index += 1;
    }
    names
};

/// The method of this name.
pub(super) fn method(name: &str) -> Result<&'static Method, Error> {
    if name == LEARNED {
        return Err(Error::Learned);
    }
    let found = METHODS.iter().find(|method| method.schema.evaluator == name);
    found.ok_or_else(|| Error::UnknownEvaluator { found: name.to_owned(), known: NAMES })
}
