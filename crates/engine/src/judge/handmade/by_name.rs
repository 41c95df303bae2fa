//! Evaluators by name.

use super::evaluator::Evaluator;
use super::weight_set::WeightSet;
use super::weights::Error;

/// Builds an evaluator by name: with the text of a weights file (TOML), or else with the
/// published weights.
///
/// # Errors
/// When no evaluator has this name or the text is not a weights file of this evaluator.
pub fn by_name(name: &str, weights: Option<&str>) -> Result<Box<dyn Evaluator>, Error> {
    let set = match weights {
        Some(text) => WeightSet::read(name, text)?,
        None => WeightSet::published(name)?,
    };
    Ok(set.evaluator())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::LEARNED;
    use crate::judge::handmade::{NAMES, birken_v2};

    #[test]
    fn every_name_builds_the_evaluator_of_that_name() {
        for &name in NAMES {
            let evaluator = by_name(name, None).unwrap();
            assert_eq!(evaluator.name(), name);
            assert!((1..=2).contains(&evaluator.plies()));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = by_name("stacker", None).err().expect("there is no such evaluator");
        assert_eq!(
            error.to_string(),
            format!("unknown evaluator `stacker`: choose one of {LEARNED}, {}", NAMES.join(", "))
        );
    }

    #[test]
    fn weights_of_another_evaluator_are_refused() {
        let error = by_name("el-tetris", Some(birken_v2::METHOD.published)).err().expect("another evaluator's weights");
        assert!(error.to_string().contains("weights of `birken-v2`"), "{error}");
    }
}
