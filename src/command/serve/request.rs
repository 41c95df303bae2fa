//! A request as JSON or as a query becomes a [`Request`]: names and values that programs of the field use.

use serde_json::{Map, Value};

use crate::command::analyze::request::Request;
use maxout_engine::planner::Think;

/// The most pieces to look ahead. A search that is under way is finished, so that one that looks further
/// would go on long after the time limit.
const MOST_PLIES: u8 = 3;

/// Other names that are taken for a key.
const NAMES: [(&str, &str); 8] = [
    ("tapRate", "tap_rate"),
    ("tap-rate", "tap_rate"),
    ("reactionFrames", "reaction_frames"),
    ("reaction-frames", "reaction_frames"),
    ("reaction", "reaction_frames"),
    ("firstPress", "first_press"),
    ("first-press", "first_press"),
    ("playOuts", "playouts"),
];

/// Keys whose values are whole numbers, with the most that fits.
const NUMBERS: [(&str, u64); 9] = [
    ("level", u8::MAX as u64),
    ("lines", u16::MAX as u64),
    ("score", u32::MAX as u64),
    ("reaction_frames", u32::MAX as u64),
    ("first_press", u32::MAX as u64),
    ("playouts", u32::MAX as u64),
    ("pieces", u32::MAX as u64),
    ("best", u32::MAX as u64),
    ("seed", u64::MAX),
];

/// Reads a request. Numbers may be texts, as in a query; a playfield may be a list of rows; a next piece that
/// is null is not known.
///
/// # Errors
/// What is wrong, in one line.
pub(super) fn read(bytes: &[u8]) -> Result<Request, String> {
    let json: Value = serde_json::from_slice(bytes).map_err(|error| format!("expected a JSON object: {error}"))?;
    let Value::Object(given) = json else { return Err("expected a JSON object, found another value".to_owned()) };
    let mut object = Map::new();
    for (given, value) in given {
        let key = NAMES.iter().find(|(other, _)| *other == given).map_or(given.as_str(), |(_, key)| key);
        let value = match key {
            "playfield" => playfield(value)?,
            "next" => next(value),
            "tap_rate" => tap_rate(value),
            "think" => think(value)?,
            _ => match NUMBERS.iter().find(|(name, _)| *name == key) {
                Some(&(_, most)) => number(key, value, most)?,
                None => value,
            },
        };
        if object.insert(key.to_owned(), value).is_some() {
            return Err(format!("expected \"{key}\" once, found it again as \"{given}\""));
        }
    }
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

/// How far to look ahead: not as far as the command line.
fn think(value: Value) -> Result<Value, String> {
    let is_allowed = match &value {
        Value::Null => true,
        Value::String(text) => matches!(text.parse(), Ok(Think::Plies(plies)) if plies <= MOST_PLIES),
        _ => false,
    };
    if is_allowed {
        return Ok(value);
    }
    Err(format!(
        "expected \"fixed:1\" to \"fixed:{MOST_PLIES}\" as \"think\", found {value}: the command line looks further ahead"
    ))
}

fn number(key: &str, value: Value, most: u64) -> Result<Value, String> {
    let number = match &value {
        Value::Null => return Ok(value),
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    };
    match number.filter(|number| *number <= most) {
        Some(number) => Ok(number.into()),
        None => Err(format!("expected a whole number of 0 to {most} as \"{key}\", found {value}")),
    }
}

/// Rows become lines.
fn playfield(value: Value) -> Result<Value, String> {
    let Value::Array(rows) = value else { return Ok(value) };
    let row = |row: &Value| match row {
        Value::String(text) => Ok(text.clone()),
        other => Err(format!("expected texts as rows of \"playfield\", found {other}")),
    };
    let rows: Result<Vec<String>, String> = rows.iter().map(row).collect();
    Ok(Value::String(rows?.join("\n")))
}

fn next(value: Value) -> Value {
    match value {
        Value::Null => "unknown".into(),
        Value::String(text) if text.is_empty() || text == "null" => "unknown".into(),
        other => other,
    }
}

/// A rhythm stays a text; a number of a query becomes one.
fn tap_rate(value: Value) -> Value {
    match &value {
        Value::String(text) => text.parse::<u64>().map_or(value, Value::from),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::game::Piece;

    use super::*;
    use crate::command::analyze::request::Next;

    #[test]
    fn json_and_a_query_ask_the_same() {
        let json = br#"{"playfield":"x","piece":"T","next":null,"level":19,"lines":60,"tap_rate":"X....","reaction_frames":18,"playouts":5}"#;
        let query = br#"{"playfield":"x","piece":"t","next":"","level":"19","lines":"60","tapRate":"X....","reaction":"18","playOuts":"5"}"#;
        let request = read(json).unwrap();
        assert_eq!(request, read(query).unwrap());
        assert_eq!((request.piece, request.next), (Some(Piece::T), Some(Next::Unknown)));
        assert_eq!((request.level, request.reaction_frames, request.playouts), (Some(19), Some(18), Some(5)));
        assert!(request.tap_rate.is_some());
        let rates = [br#"{"tapRate":"12"}"#.as_slice(), br#"{"tap_rate":12}"#].map(|json| read(json).unwrap());
        assert_eq!(rates[0], rates[1]);
        assert_eq!(read(br#"{"playfield":["01","10"]}"#).unwrap().playfield.as_deref(), Some("01\n10"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, words) in [
            ("", "expected a JSON object"),
            ("[]", "expected a JSON object, found another value"),
            ("{\"level\":}", "expected value at line 1 column 10"),
            (r#"{"level":"high"}"#, "expected a whole number of 0 to 255 as \"level\", found \"high\""),
            (r#"{"level":256}"#, "found 256"),
            (r#"{"lines":-1}"#, "\"lines\", found -1"),
            (r#"{"playouts":1.5}"#, "found 1.5"),
            (r#"{"piece":"X"}"#, "expected a piece T, J, Z, O, S, L or I, found \"X\""),
            (r#"{"next":7}"#, "expected a string"),
            (r#"{"playfield":[1]}"#, "expected texts as rows of \"playfield\", found 1"),
            (r#"{"tap_rate":31}"#, "1 to 30"),
            (r#"{"tapRate":12,"tap_rate":12}"#, "expected \"tap_rate\" once"),
            (r#"{"think":"fixed:4"}"#, "expected \"fixed:1\" to \"fixed:3\" as \"think\", found \"fixed:4\""),
            (r#"{"think":"10"}"#, "expected \"fixed:1\" to \"fixed:3\" as \"think\", found \"10\""),
            (r#"{"think":3}"#, "expected \"fixed:1\" to \"fixed:3\" as \"think\", found 3"),
            (r#"{"speed":1}"#, "unknown field `speed`"),
        ] {
            let error = read(json.as_bytes()).unwrap_err();
            assert!(error.contains(words) && error.lines().count() == 1, "{json}: {error}");
        }
    }
}
