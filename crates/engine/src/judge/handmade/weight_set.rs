//! The weights of any evaluator as a list of numbers: what a trainer fits, reads and writes.

use super::evaluator::Evaluator;
use super::method::Method;
use super::methods::method;
use super::weights::{Error, Values, WeightsFile};

/// All that can be set on an evaluator: a number for each weight, a switch for each rule.
///
/// ```
/// use maxout_engine::judge::handmade::{Notes, WeightSet};
///
/// let published = WeightSet::published("el-tetris")?;
/// assert_eq!(published.names()[1], "rows_eliminated");
/// let doubled = published.with_values(published.values().iter().map(|weight| 2.0 * weight).collect())?;
/// assert_eq!(doubled.evaluator().name(), "el-tetris");
///
/// let text = doubled.to_toml(&Notes::default().with("command", "by hand"));
/// assert_eq!(WeightSet::from_toml(&text)?, doubled);
/// # Ok::<(), maxout_engine::judge::handmade::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WeightSet {
    method: &'static Method,
    values: Values,
}

/// Equal sets build evaluators that judge alike: the same method with the same numbers and
/// switches.
impl PartialEq for WeightSet {
    fn eq(&self, other: &WeightSet) -> bool {
        self.evaluator_name() == other.evaluator_name() && self.values == other.values
    }
}

impl WeightSet {
    /// The published weights of a named evaluator.
    ///
    /// # Errors
    /// When no evaluator has this name.
    pub fn published(name: &str) -> Result<WeightSet, Error> {
        WeightSet::read(name, method(name)?.published)
    }

    /// Reads the text of a weights file of whichever evaluator it names.
    ///
    /// # Errors
    /// When the text is not a weights file, or not one of the evaluator that it names.
    pub fn from_toml(text: &str) -> Result<WeightSet, Error> {
        let file = WeightsFile::parse(text)?;
        let method = method(file.evaluator())?;
        Ok(WeightSet { method, values: file.values(&method.schema)? })
    }

    /// Reads the text of a weights file that has to be for the evaluator of this name.
    ///
    /// # Errors
    /// When no evaluator has this name or the text is not a weights file of this evaluator.
    pub fn read(name: &str, text: &str) -> Result<WeightSet, Error> {
        let method = method(name)?;
        Ok(WeightSet { method, values: WeightsFile::parse(text)?.values(&method.schema)? })
    }

    /// The same evaluator and rules with these weights, in the order of [`WeightSet::names`].
    ///
    /// # Errors
    /// When the number of values is not that of its weights, or a value is not finite.
    pub fn with_values(&self, values: Vec<f64>) -> Result<WeightSet, Error> {
        let evaluator = self.evaluator_name();
        if values.len() != self.names().len() {
            return Err(Error::Count { evaluator, expected: self.names().len(), found: values.len() });
        }
        let mut named = self.names().iter().zip(&values);
        if let Some((&key, &found)) = named.find(|(_, value)| !value.is_finite()) {
            return Err(Error::NotFinite { key, evaluator, found });
        }
        Ok(WeightSet { method: self.method, values: Values { weights: values, ..self.values.clone() } })
    }

    /// Name of the evaluator.
    pub fn evaluator_name(&self) -> &'static str {
        self.method.schema.evaluator
    }

    /// Names of the weights, in the order of [`WeightSet::values`].
    pub fn names(&self) -> &'static [&'static str] {
        self.method.schema.features
    }

    /// The weights, all finite. Each is what one unit of its feature adds to the published sum,
    /// in which for some evaluators higher and for others lower is better.
    pub fn values(&self) -> &[f64] {
        &self.values.weights
    }

    /// The rules and whether they are switched on.
    pub fn rules(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.method.schema.rules.iter().copied().zip(self.values.switches.iter().copied())
    }

    /// The evaluator with these weights and rules.
    pub fn evaluator(&self) -> Box<dyn Evaluator> {
        (self.method.build)(&self.values)
    }

    /// The same weights with every rule off.
    #[cfg(test)]
    pub(super) fn without_rules(&self) -> WeightSet {
        let switches = vec![false; self.values.switches.len()];
        WeightSet { method: self.method, values: Values { switches, ..self.values.clone() } }
    }

    /// Text of a weights file that is read back as exactly this set: the published file, its
    /// comments included, with the values of this set and with a `[provenance]` if there is any.
    pub fn to_toml(&self, provenance: &Notes) -> String {
        let published = WeightsFile::parse(self.method.published).expect("the published weights are well-formed");
        let is_published = published.values(&self.method.schema).is_ok_and(|values| values == self.values);
        let values = if is_published { "the published ones" } else { "not the published ones" };
        let from = if provenance.0.is_empty() { "" } else { "; [provenance] tells where they come from" };
        let remark = format!("# Written by maxout: these values are {values}{from}.\n\n");
        published.rewritten(&self.method.schema, &self.values, &remark) + &provenance.to_toml()
    }
}

/// Notes in a weights file about where its values come from (command, seed, version, score), for
/// people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(Vec<(String, String)>);

impl Notes {
    /// Adds a note at the end, or replaces the one with the same key.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Notes {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some(note) => note.1 = value,
            None => self.0.push((key, value)),
        }
        self
    }

    /// The table of a weights file; nothing without a note.
    fn to_toml(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let lines = self.0.iter().map(|(key, value)| {
            let note = toml::Table::from_iter([(key.clone(), toml::Value::from(value.as_str()))]);
            // The text of this table is its lines: one note, quoted and escaped where it has to be.
            format!("{}\n", note.to_string().trim_end_matches('\n'))
        });
        format!("\n# where these values come from\n[provenance]\n{}", lines.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::judge::LEARNED;
    use crate::judge::handmade::methods::{METHODS, NAMES};

    fn el_tetris() -> WeightSet {
        WeightSet::published("el-tetris").unwrap()
    }

    #[test]
    fn the_published_sets_have_the_names_and_rules_of_their_files() {
        let set = WeightSet::published("birken-v2").unwrap();
        assert_eq!((set.evaluator_name(), set.names().len(), set.values().len()), ("birken-v2", 17, 17));
        assert_eq!((set.names()[1], set.values()[1]), ("total_lock_height", 1.701_233_676_909_959_2));
        let rules = ["force_tetris", "high_pile_penalty", "all_types_can_spawn", "lines_stay_reachable"];
        assert!(set.rules().eq(rules.map(|rule| (rule, true))));
        assert_eq!(el_tetris().rules().count(), 0);
    }

    #[test]
    fn no_two_weights_or_rules_of_a_method_have_the_same_name() {
        for method in METHODS {
            let mut keys = method.schema.features.to_vec();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), method.schema.features.len(), "{}", method.schema.evaluator);
        }
    }

    #[test]
    fn a_file_of_any_evaluator_is_read_by_the_name_in_it() {
        for &name in NAMES {
            let published = WeightSet::published(name).unwrap();
            assert_eq!(WeightSet::from_toml(published.method.published).unwrap(), published);
            assert_eq!(published.evaluator_name(), name);
        }
    }

    #[test]
    fn an_evaluator_that_does_not_exist_is_refused_by_either_way_in() {
        let message = format!("unknown evaluator `stacker`: choose one of {LEARNED}, {}", NAMES.join(", "));
        assert_eq!(WeightSet::published("stacker").unwrap_err().to_string(), message);
        let text = "version = 1\nevaluator = \"stacker\"\n";
        assert_eq!(WeightSet::from_toml(text).unwrap_err().to_string(), message);
        let other = WeightSet::read("el-tetris", text).unwrap_err().to_string();
        assert!(other.starts_with("line 2: these are weights of `stacker`"), "{other}");
    }

    #[test]
    fn a_missing_or_an_unknown_weight_is_named_in_one_line() {
        for &name in NAMES {
            let set = WeightSet::published(name).unwrap();
            let text = set.to_toml(&Notes::default());
            let first = set.names()[0];
            let message = WeightSet::from_toml(&text.replace(&format!("\n{first} = "), "\nnonsense = ")).unwrap_err();
            let message = message.to_string();
            assert!(message.contains(&format!("`nonsense` in [weights] is unknown to `{name}`")), "{message}");
            assert!(message.contains(first) && !message.contains('\n'), "{message}");
            let message = WeightSet::from_toml(&text.replace(&format!("\n{first} = "), "\n# ")).unwrap_err();
            assert_eq!(
                message.to_string(),
                format!("`{first}` is missing in [weights]: the weights of `{name}` name every key of it")
            );
        }
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let message = |values| el_tetris().with_values(values).unwrap_err().to_string();
        assert_eq!(message(vec![1.0; 5]), "`el-tetris` has 6 weights, not 5");
        assert_eq!(
            message(vec![1.0, 2.0, f64::NAN, f64::INFINITY, 5.0, 6.0]),
            "weight `row_transitions` of `el-tetris` has to be a finite number, not NaN"
        );
    }

    #[test]
    fn a_written_file_keeps_the_comments_and_says_where_its_values_come_from() {
        let set = el_tetris().with_values(vec![-1.0, 2.5, -3.0, -4.0, 1e-9, -0.1]).unwrap();
        let provenance = Notes::default().with("command", "maxout train").with("seed", "1").with("seed", "2");
        let text = set.to_toml(&provenance);
        for part in [
            "# Direction: the weighted sum is a score and HIGHER is better",
            "# Written by maxout: these values are not the published ones; [provenance] tells where they come from.\n",
            "# rows cleared\nrows_eliminated = 2.5\n",
            "holes = 1e-9\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
        let end = "\n# where these values come from\n[provenance]\ncommand = \"maxout train\"\nseed = \"2\"\n";
        assert!(text.ends_with(end), "{text}");
        let unchanged = el_tetris().to_toml(&Notes::default());
        assert!(unchanged.contains("these values are the published ones.\n"), "{unchanged}");
        assert!(!unchanged.contains("[provenance]"));
    }

    /// Any evaluator with any finite weights and switches.
    fn any_set() -> impl Strategy<Value = WeightSet> {
        (0..METHODS.len()).prop_flat_map(|index| {
            let method = &METHODS[index];
            let finite = any::<f64>().prop_filter("finite", |value| value.is_finite());
            let weights = prop::collection::vec(finite, method.schema.features.len());
            let switches = prop::collection::vec(any::<bool>(), method.schema.rules.len());
            (weights, switches)
                .prop_map(move |(weights, switches)| WeightSet { method, values: Values { weights, switches } })
        })
    }

    /// Any notes: keys and values of any characters, control characters included.
    fn any_provenance() -> impl Strategy<Value = Notes> {
        let notes = prop::collection::vec(("(?s).{0,12}", "(?s).{0,40}"), 0..5);
        notes.prop_map(|notes| {
            notes.into_iter().fold(Notes::default(), |provenance, (key, value)| provenance.with(key, value))
        })
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back_exactly(set in any_set(), provenance in any_provenance()) {
            let text = set.to_toml(&provenance);
            let read = WeightSet::from_toml(&text).unwrap();
            prop_assert_eq!(&read, &set);
            // Equality does not distinguish -0 from 0.
            let bits = |set: &WeightSet| set.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read), bits(&set));

            let table: toml::Table = text.parse().unwrap();
            let notes = table.get("provenance").and_then(toml::Value::as_table).cloned().unwrap_or_default();
            prop_assert_eq!(notes.len(), provenance.0.len());
            for (key, value) in &provenance.0 {
                prop_assert_eq!(notes[key].as_str(), Some(value.as_str()));
            }
        }
    }
}
