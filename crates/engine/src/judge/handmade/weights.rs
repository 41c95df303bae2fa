//! The weights file: one number per feature and one switch per rule, as TOML.
//!
//! Each evaluator names its features and rules; [`WeightsFile::values`] gives their values in that
//! order. A file has to name all of them and nothing else, so that a run never depends on a weight
//! that its file does not state. The origin of the values may be noted in `[provenance]`, under
//! keys of any name.

use toml::{Spanned, Value};

use crate::judge::LEARNED;
use crate::toml_fields::{Entries, Fields};
use crate::toml_line;

/// The layout of the weights files that are read here.
const VERSION: i64 = 1;

/// Why there is no evaluator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No evaluator has this name.
    #[error("unknown evaluator `{found}`: choose one of {LEARNED}, {}", known.join(", "))]
    UnknownEvaluator {
        /// The requested name.
        found: String,
        /// The names that exist.
        known: &'static [&'static str],
    },
    /// The learned player was named where an evaluator with weighted features is needed.
    #[error("`{LEARNED}` is no vector of weights: `maxout train td` trains it")]
    Learned,
    /// The text is not TOML, or not laid out as a weights file.
    #[error("this is no weights file: {0}; config/weights/ has those to start from")]
    Layout(String),
    /// The file is of another layout.
    #[error(
        "line {line}: weights file of version {found}, but only version {VERSION} can be read; \
         config/weights/ has those to start from"
    )]
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
    /// There are more or fewer values than the evaluator has weights.
    #[error("`{evaluator}` has {expected} weights, not {found}")]
    Count {
        /// The evaluator.
        evaluator: &'static str,
        /// How many weights it has.
        expected: usize,
        /// How many values there were.
        found: usize,
    },
    /// A value is infinite or not a number.
    #[error("weight `{key}` of `{evaluator}` has to be a finite number, not {found}")]
    NotFinite {
        /// The weight.
        key: &'static str,
        /// The evaluator.
        evaluator: &'static str,
        /// The value.
        found: f64,
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
        /// Table of the key: `weights`, `rules` or `provenance`.
        table: &'static str,
        /// The key.
        key: String,
        /// What was expected.
        expected: &'static str,
        /// The value found.
        found: String,
    },
}

fn list(keys: &[&str]) -> String {
    if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
}

struct File {
    version: Spanned<i64>,
    evaluator: Spanned<String>,
    weights: Entries,
    rules: Entries,
    provenance: Entries,
}

impl File {
    fn read(text: &str) -> Result<File, String> {
        let mut fields = Fields::parse(text, &["version", "evaluator", "weights", "rules", "provenance"])?;
        Ok(File {
            version: fields.number("version", "a whole number")?,
            evaluator: fields.string("evaluator")?,
            weights: fields.entries("weights")?,
            rules: fields.entries("rules")?,
            provenance: fields.entries("provenance")?,
        })
    }
}

/// What an evaluator's file has to name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schema {
    /// Name of the evaluator.
    pub evaluator: &'static str,
    /// Keys of `[weights]`, in the order of the evaluator's features.
    pub features: &'static [&'static str],
    /// Keys of `[rules]`, in the order of the evaluator's rules.
    pub rules: &'static [&'static str],
}

/// The values of an evaluator's file, in the order of its schema.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Values {
    /// One number for each feature, all of them finite.
    pub weights: Vec<f64>,
    /// One switch for each rule.
    pub switches: Vec<bool>,
}

impl Values {
    /// The weights of an evaluator that knows how many it has.
    ///
    /// # Panics
    /// When it has another number of weights than its schema has features.
    pub(crate) fn weights<const N: usize>(&self) -> [f64; N] {
        self.weights.as_slice().try_into().expect("an evaluator has as many weights as its schema has features")
    }

    /// The switches of an evaluator that knows how many it has.
    ///
    /// # Panics
    /// When it has another number of switches than its schema has rules.
    pub(crate) fn switches<const N: usize>(&self) -> [bool; N] {
        self.switches.as_slice().try_into().expect("an evaluator has as many switches as its schema has rules")
    }
}

/// A text that is laid out as a weights file of the version that can be read.
pub(crate) struct WeightsFile<'a> {
    text: &'a str,
    file: File,
}

impl<'a> WeightsFile<'a> {
    /// Reads the layout; [`WeightsFile::values`] checks the keys.
    pub(crate) fn parse(text: &'a str) -> Result<WeightsFile<'a>, Error> {
        let file = File::read(text).map_err(Error::Layout)?;
        if *file.version.get_ref() != VERSION {
            return Err(Error::Version { line: line_of(text, &file.version), found: file.version.into_inner() });
        }
        Ok(WeightsFile { text, file })
    }

    /// The evaluator that the file names.
    pub(crate) fn evaluator(&self) -> &str {
        self.file.evaluator.get_ref()
    }

    /// The weights and the switches.
    ///
    /// # Errors
    /// The first thing in the file that does not fit the schema.
    pub(crate) fn values(&self, schema: &Schema) -> Result<Values, Error> {
        if self.evaluator() != schema.evaluator {
            return Err(Error::OtherEvaluator {
                line: line_of(self.text, &self.file.evaluator),
                found: self.evaluator().to_owned(),
                expected: schema.evaluator,
            });
        }
        let weights = self.table("weights", &self.file.weights, schema);
        let rules = self.table("rules", &self.file.rules, schema);
        let values = Values {
            weights: weights.values(schema.features, "a finite number", number)?,
            switches: rules.values(schema.rules, "true or false", Value::as_bool)?,
        };
        let provenance = self.table("provenance", &self.file.provenance, schema);
        for (key, value) in &self.file.provenance {
            provenance.value(key.get_ref(), value, "a string or a number", note)?;
        }
        Ok(values)
    }

    /// The text of the file with these values instead of its own; `remark`, one or more comment
    /// lines, comes before its version.
    ///
    /// # Panics
    /// When the file does not have the keys of the schema.
    pub(crate) fn rewritten(&self, schema: &Schema, values: &Values, remark: &str) -> String {
        // Debug has the shortest digits that are read back as the same number.
        let weights = schema.features.iter().zip(&values.weights);
        let weights = weights.map(|(&key, weight)| (&self.file.weights[key], format!("{weight:?}")));
        let switches = schema.rules.iter().zip(&values.switches);
        let switches = switches.map(|(&key, switch)| (&self.file.rules[key], switch.to_string()));
        let mut edits: Vec<_> = weights.chain(switches).map(|(old, new)| (old.span(), new)).collect();
        let version = self.file.version.span().start;
        let version_line = self.text[..version].rfind('\n').map_or(0, |end| end + 1);
        edits.push((version_line..version_line, remark.to_owned()));
        // From the back, so that the places still to be edited stay where they are.
        edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        let mut text = self.text.to_owned();
        for (place, new) in edits {
            text.replace_range(place, &new);
        }
        text
    }

    fn table<'t>(&'t self, name: &'static str, entries: &'t Entries, schema: &Schema) -> Table<'t> {
        Table { text: self.text, name, entries, evaluator: schema.evaluator }
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Integer(number) => *number as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn note(value: &Value) -> Option<()> {
    matches!(value, Value::String(_) | Value::Integer(_) | Value::Float(_)).then_some(())
}

/// Line of a value in the text, from 1.
fn line_of<T>(text: &str, spanned: &Spanned<T>) -> usize {
    toml_line::line_of(text, &spanned.span())
}

/// One table of the file, with what an error about it names.
struct Table<'a> {
    text: &'a str,
    name: &'static str,
    entries: &'a Entries,
    evaluator: &'static str,
}

impl Table<'_> {
    /// The values of exactly these keys, in their order.
    fn values<T>(
        &self,
        keys: &'static [&'static str],
        expected: &'static str,
        convert: impl Fn(&Value) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
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
        let value_of = |&key: &&'static str| {
            let missing = Error::Missing { table: self.name, key, evaluator: self.evaluator };
            self.value(key, self.entries.get(key).ok_or(missing)?, expected, &convert)
        };
        keys.iter().map(value_of).collect()
    }

    /// One value of the table.
    fn value<T>(
        &self,
        key: &str,
        found: &Spanned<Value>,
        expected: &'static str,
        convert: impl Fn(&Value) -> Option<T>,
    ) -> Result<T, Error> {
        convert(found.get_ref()).ok_or_else(|| Error::Kind {
            line: line_of(self.text, found),
            table: self.name,
            key: key.to_owned(),
            expected,
            found: found.get_ref().to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema = Schema { evaluator: "test", features: &["height", "holes"], rules: &["calm"] };

    const GOOD: &str = "version = 1\nevaluator = \"test\"\n[weights]\nholes = -3\nheight = 0.5\n[rules]\ncalm = true\n";

    fn read(text: &str, schema: &Schema) -> Result<Values, Error> {
        WeightsFile::parse(text)?.values(schema)
    }

    /// The error of the good file with one piece of text replaced by another.
    fn error(from: &str, to: &str) -> String {
        assert_eq!(GOOD.matches(from).count(), 1, "{from:?} is not one place of the good file");
        read(&GOOD.replace(from, to), &SCHEMA).expect_err("the file is wrong").to_string()
    }

    #[test]
    fn values_come_in_the_order_of_the_schema_and_integers_are_numbers() {
        let values = read(GOOD, &SCHEMA).unwrap();
        assert_eq!(values, Values { weights: vec![0.5, -3.0], switches: vec![true] });
        assert_eq!((values.weights(), values.switches()), ([0.5, -3.0], [true]));
    }

    #[test]
    fn tables_without_keys_may_be_left_out() {
        let schema = Schema { evaluator: "test", features: &[], rules: &[] };
        let values = read("version = 1\nevaluator = \"test\"", &schema).unwrap();
        assert_eq!(values, Values { weights: vec![], switches: vec![] });
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
        let schema = Schema { evaluator: "test", features: &["height", "holes"], rules: &[] };
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
        assert_eq!(
            error("= 1\n", "= 2\n"),
            "line 1: weights file of version 2, but only version 1 can be read; config/weights/ has those to start from"
        );
    }

    #[test]
    fn text_that_is_no_weights_file_says_where() {
        assert!(error("holes = -3", "holes = = 3").contains("line 4"));
        assert!(error("holes = -3", "height = 1").contains("line 5"), "a key given twice");
        let other_table = error("[rules]", "[switches]");
        assert!(other_table.contains("line 6") && other_table.contains("`switches`"), "{other_table}");
        assert!(error("evaluator = \"test\"\n", "").contains("`evaluator`"));
    }

    #[test]
    fn provenance_may_have_any_keys_with_strings_and_numbers() {
        let noted = format!("{GOOD}[provenance]\nseed = 7\nscore = 1.5\n\"written by\" = \"hand\"\n");
        assert_eq!(read(&noted, &SCHEMA).unwrap(), read(GOOD, &SCHEMA).unwrap());
        for (value, shown) in [("true", "true"), ("[1]", "[1]"), ("2020-01-02", "2020-01-02")] {
            let wrong = format!("{GOOD}[provenance]\nseed = {value}\n");
            assert_eq!(
                read(&wrong, &SCHEMA).unwrap_err().to_string(),
                format!("line 9: `seed` in [provenance] has to be a string or a number, not {shown}")
            );
        }
    }

    #[test]
    fn rewritten_values_leave_everything_else_as_it_was() {
        let file = "# About.\n\nversion = 1 # the first\nevaluator = \"test\"\n[weights]\n# how high\nholes = -3\n\
                    height = 0.5e0 # rows\n[rules]\n# keep calm\ncalm = true\n";
        let values = Values { weights: vec![-1e300, 7.0], switches: vec![false] };
        let rewritten = WeightsFile::parse(file).unwrap().rewritten(&SCHEMA, &values, "# Remark.\n");
        assert_eq!(
            rewritten,
            "# About.\n\n# Remark.\nversion = 1 # the first\nevaluator = \"test\"\n[weights]\n# how high\n\
             holes = 7.0\nheight = -1e300 # rows\n[rules]\n# keep calm\ncalm = false\n"
        );
        assert_eq!(read(&rewritten, &SCHEMA).unwrap(), values);
    }
}
