//! The weights file: one number per feature and one switch per rule, as TOML.
//!
//! Each evaluator names its features and rules; [`read`] gives their values in that order. A
//! file has to name all of them and nothing else, so that a run never depends on a weight that
//! nobody wrote down.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::toml_line;

/// The layout of the weights files that are read here.
const VERSION: i64 = 1;

/// Why there is no evaluator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No evaluator has this name.
    #[error("unknown evaluator `{found}`: choose one of {}", known.join(", "))]
    UnknownEvaluator {
        /// The name asked for.
        found: String,
        /// The names there are.
        known: &'static [&'static str],
    },
    /// The text is not TOML, or not laid out as a weights file.
    #[error("this is no weights file: {0}")]
    Layout(String),
    /// The file is of another layout.
    #[error("line {line}: weights file of version {found}, but only version {VERSION} can be read")]
    Version {
        /// Line of the key, from 1.
        line: usize,
        /// The version it claims.
        found: i64,
    },
    /// The file is for another evaluator.
    #[error("line {line}: these are weights of `{found}`, but `{expected}` was to be built: give it its own file")]
    OtherEvaluator {
        /// Line of the key, from 1.
        line: usize,
        /// The evaluator that the file names.
        found: String,
        /// The evaluator that was asked for.
        expected: &'static str,
    },
    /// A key is not in the file.
    #[error("`{key}` is missing in [{table}]: the weights of `{evaluator}` name every key of it")]
    Missing {
        /// Table of the key: `weights` or `rules`.
        table: &'static str,
        /// The missing key.
        key: &'static str,
        /// The evaluator that needs it.
        evaluator: &'static str,
    },
    /// The evaluator does not know a key of the file.
    #[error("line {line}: `{key}` in [{table}] is unknown to `{evaluator}`, which has {}", list(known))]
    Unknown {
        /// Line of the key, from 1.
        line: usize,
        /// Table of the key: `weights` or `rules`.
        table: &'static str,
        /// The key.
        key: String,
        /// The evaluator.
        evaluator: &'static str,
        /// The keys that it has in this table.
        known: Vec<&'static str>,
    },
    /// A value is of the wrong kind.
    #[error("line {line}: `{key}` in [{table}] has to be {expected}, not {found}")]
    Kind {
        /// Line of the value, from 1.
        line: usize,
        /// Table of the key: `weights` or `rules`.
        table: &'static str,
        /// The key.
        key: &'static str,
        /// What was expected.
        expected: &'static str,
        /// The value found.
        found: String,
    },
}

fn list(keys: &[&str]) -> String {
    if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
}

/// A table whose keys and values know where they stand in the text.
type Entries = BTreeMap<Spanned<String>, Spanned<Value>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<i64>,
    evaluator: Spanned<String>,
    #[serde(default)]
    weights: Entries,
    #[serde(default)]
    rules: Entries,
}

/// What an evaluator's file has to name.
pub(crate) struct Schema<const FEATURES: usize, const RULES: usize> {
    /// Name of the evaluator.
    pub evaluator: &'static str,
    /// Keys of `[weights]`, in the order of the evaluator's features.
    pub features: [&'static str; FEATURES],
    /// Keys of `[rules]`, in the order of the evaluator's rules.
    pub rules: [&'static str; RULES],
}

/// Reads a weights file: the weights and the switches, in the order of the schema.
///
/// # Errors
/// The first thing in the text that is not as the schema wants it.
pub(crate) fn read<const FEATURES: usize, const RULES: usize>(
    text: &str,
    schema: &Schema<FEATURES, RULES>,
) -> Result<([f64; FEATURES], [bool; RULES]), Error> {
    let file: File = toml::from_str(text).map_err(|error| Error::Layout(toml_line::describe(&error, text)))?;
    if *file.version.get_ref() != VERSION {
        return Err(Error::Version { line: line_of(text, &file.version), found: file.version.into_inner() });
    }
    if file.evaluator.get_ref() != schema.evaluator {
        return Err(Error::OtherEvaluator {
            line: line_of(text, &file.evaluator),
            found: file.evaluator.into_inner(),
            expected: schema.evaluator,
        });
    }
    let weights = Table { text, name: "weights", entries: &file.weights, evaluator: schema.evaluator };
    let rules = Table { text, name: "rules", entries: &file.rules, evaluator: schema.evaluator };
    Ok((
        weights.values(&schema.features, "a finite number", number)?,
        rules.values(&schema.rules, "true or false", Value::as_bool)?,
    ))
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Integer(number) => *number as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Line of a value in the text, from 1.
fn line_of<T>(text: &str, spanned: &Spanned<T>) -> usize {
    1 + text.bytes().take(spanned.span().start).filter(|&byte| byte == b'\n').count()
}

/// One table of the file, with what an error about it has to say.
struct Table<'a> {
    text: &'a str,
    name: &'static str,
    entries: &'a Entries,
    evaluator: &'static str,
}

impl Table<'_> {
    /// The values of exactly these keys, in their order.
    fn values<T: Copy + Default, const N: usize>(
        &self,
        keys: &[&'static str; N],
        expected: &'static str,
        convert: impl Fn(&Value) -> Option<T>,
    ) -> Result<[T; N], Error> {
        let unknown = self.entries.keys().filter(|key| !keys.contains(&key.get_ref().as_str()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            return Err(Error::Unknown {
                line: line_of(self.text, key),
                table: self.name,
                key: key.get_ref().clone(),
                evaluator: self.evaluator,
                known: keys.to_vec(),
            });
        }
        let mut values = [T::default(); N];
        for (value, &key) in values.iter_mut().zip(keys) {
            let Some(found) = self.entries.get(key) else {
                return Err(Error::Missing { table: self.name, key, evaluator: self.evaluator });
            };
            *value = convert(found.get_ref()).ok_or_else(|| Error::Kind {
                line: line_of(self.text, found),
                table: self.name,
                key,
                expected,
                found: found.get_ref().to_string(),
            })?;
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema<2, 1> = Schema { evaluator: "test", features: ["height", "holes"], rules: ["calm"] };

    const GOOD: &str = "version = 1\nevaluator = \"test\"\n[weights]\nholes = -3\nheight = 0.5\n[rules]\ncalm = true\n";

    /// The error of the good file with one piece of text replaced by another.
    fn error(from: &str, to: &str) -> String {
        assert_eq!(GOOD.matches(from).count(), 1, "{from:?} is not one place of the good file");
        read(&GOOD.replace(from, to), &SCHEMA).expect_err("the file is wrong").to_string()
    }

    #[test]
    fn values_come_in_the_order_of_the_schema_and_integers_are_numbers() {
        assert_eq!(read(GOOD, &SCHEMA).unwrap(), ([0.5, -3.0], [true]));
    }

    #[test]
    fn tables_without_keys_may_be_left_out() {
        let schema = Schema { evaluator: "test", features: [], rules: [] };
        assert_eq!(read("version = 1\nevaluator = \"test\"", &schema).unwrap(), ([], []));
    }

    #[test]
    fn a_missing_key_is_named() {
        let message = "`holes` is missing in [weights]: the weights of `test` name every key of it";
        assert_eq!(error("holes = -3\n", ""), message);
        assert!(error("calm = true\n", "").starts_with("`calm` is missing in [rules]"));
        assert!(error("[rules]\ncalm = true\n", "").starts_with("`calm` is missing in [rules]"));
    }

    #[test]
    fn the_first_unknown_key_is_named_with_its_line() {
        assert_eq!(
            error("height = 0.5", "height = 0.5\nzeal = 1\nangst = 2"),
            "line 6: `zeal` in [weights] is unknown to `test`, which has height, holes"
        );
        assert_eq!(
            error("calm = true", "calm = true\nfury = false"),
            "line 8: `fury` in [rules] is unknown to `test`, which has calm"
        );
    }

    #[test]
    fn an_evaluator_without_rules_refuses_rules() {
        let schema = Schema { evaluator: "test", features: ["height", "holes"], rules: [] };
        assert_eq!(
            read(GOOD, &schema).unwrap_err().to_string(),
            "line 7: `calm` in [rules] is unknown to `test`, which has none"
        );
    }

    #[test]
    fn a_weight_that_is_no_finite_number_is_named_with_its_line() {
        for (text, shown) in [("\"deep\"", "\"deep\""), ("nan", "nan"), ("-inf", "-inf"), ("true", "true")] {
            assert_eq!(
                error("-3", text),
                format!("line 4: `holes` in [weights] has to be a finite number, not {shown}")
            );
        }
    }

    #[test]
    fn a_switch_that_is_neither_on_nor_off_is_named_with_its_line() {
        assert_eq!(error("true", "1"), "line 7: `calm` in [rules] has to be true or false, not 1");
    }

    #[test]
    fn another_evaluator_or_version_is_named_before_its_keys() {
        assert_eq!(
            error("\"test\"", "\"toast\""),
            "line 2: these are weights of `toast`, but `test` was to be built: give it its own file"
        );
        assert_eq!(error("= 1\n", "= 2\n"), "line 1: weights file of version 2, but only version 1 can be read");
    }

    #[test]
    fn text_that_is_no_weights_file_says_where() {
        assert!(error("holes = -3", "holes = = 3").contains("line 4"));
        assert!(error("holes = -3", "height = 1").contains("line 5"), "a key given twice");
        let other_table = error("[rules]", "[switches]");
        assert!(other_table.contains("line 6") && other_table.contains("`switches`"), "{other_table}");
        assert!(error("evaluator = \"test\"\n", "").contains("`evaluator`"));
    }
}
