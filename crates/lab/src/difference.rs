//! What two runs differ in.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// The first setting in which a run differs from another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The setting: its names from the outermost on, with points between them.
    pub setting: String,
    /// What the first run has there, as JSON; `nothing` if it has no such setting.
    pub expected: String,
    /// The same of the other run.
    pub found: String,
}

impl Difference {
    /// `None` if both are written as the same JSON. A `version` comes first: others may have other settings.
    pub(crate) fn between<T: Serialize>(expected: &T, found: &T) -> Option<Difference> {
        let [expected, found] = [expected, found].map(|run| serde_json::to_value(run).expect("settings are JSON"));
        let version = "version";
        first(version.to_owned(), expected.get(version), found.get(version))
            .or_else(|| first(String::new(), Some(&expected), Some(&found)))
    }
}

/// `settings.seed 3, found 4`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { setting, expected, found } = self;
        write!(f, "{setting} {expected}, found {found}")
    }
}

/// The first difference in or below a setting.
fn first(setting: String, expected: Option<&Value>, found: Option<&Value>) -> Option<Difference> {
    if expected == found {
        return None;
    }
    if let (Some(Value::Object(ours)), Some(Value::Object(theirs))) = (expected, found) {
        let below = |name: &String| {
            let below = if setting.is_empty() { name.clone() } else { format!("{setting}.{name}") };
            first(below, ours.get(name), theirs.get(name))
        };
        return ours.keys().chain(theirs.keys()).find_map(below);
    }
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    Some(Difference { setting, expected: text(expected), found: text(found) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_setting_that_differs_is_named() {
        let run = json!({"games": 3, "player": {"name": "a", "planner": {"taps": [2, 3]}}});
        assert_eq!(Difference::between(&run, &run.clone()), None);
        for (other, expected) in [
            (json!({"games": 4, "player": {"name": "b"}}), "games 3, found 4"),
            (json!({"games": 4, "version": "1.0"}), "version nothing, found \"1.0\""),
            (json!({"games": 3, "player": "a"}), r#"player {"name":"a","planner":{"taps":[2,3]}}, found "a""#),
            (
                json!({"games": 3, "player": {"name": "a", "planner": {"taps": [2]}}}),
                "player.planner.taps [2,3], found [2]",
            ),
            (json!({"games": 3, "player": {"name": "a"}}), r#"player.planner {"taps":[2,3]}, found nothing"#),
        ] {
            let found = Difference::between(&run, &other).map(|difference| difference.to_string());
            assert_eq!(found.as_deref(), Some(expected));
            assert!(Difference::between(&other, &run).is_some());
        }
        let more = json!({"games": 3, "player": {"name": "a", "planner": {"taps": [2, 3], "delay": 1}}});
        let found = Difference::between(&run, &more).map(|difference| difference.to_string());
        assert_eq!(found.as_deref(), Some("player.planner.delay nothing, found 1"));
    }
}
