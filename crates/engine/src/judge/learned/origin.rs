//! Where a net comes from: a few texts for people, which its file keeps as JSON.

use std::fmt::Write;

/// Where a net comes from, for people; an unknown field is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The command that makes it again.
    pub command: String,
    /// The schedule of the training, as TOML.
    pub schedule: String,
    /// Seed of the training.
    pub seed: String,
    /// Pieces placed in training.
    pub pieces: String,
    /// How long the training took, in seconds by the clock.
    pub wall_seconds: String,
    /// The program that trained it, with its version.
    pub program: String,
    /// Anything else.
    pub note: String,
}

/// The keys in the order in which they are written.
const KEYS: [&str; 7] = ["command", "schedule", "seed", "pieces", "wall_seconds", "program", "note"];

impl Origin {
    fn texts(&self) -> [&str; KEYS.len()] {
        let Origin { command, schedule, seed, pieces, wall_seconds, program, note } = self;
        [command, schedule, seed, pieces, wall_seconds, program, note]
    }

    /// One JSON object without spaces.
    pub(super) fn to_json(&self) -> String {
        let mut json = String::new();
        for (key, text) in KEYS.iter().zip(self.texts()) {
            json.push(if json.is_empty() { '{' } else { ',' });
            json.push_str(&quoted(key));
            json.push(':');
            json.push_str(&quoted(text));
        }
        json + "}"
    }

    /// Reads a JSON object of strings. A key may be missing; an unknown key, or one that appears
    /// twice, is refused.
    pub(super) fn from_json(json: &[u8]) -> Option<Origin> {
        let mut json = Json(std::str::from_utf8(json).ok()?);
        let mut texts: [Option<String>; KEYS.len()] = Default::default();
        json.expect('{')?;
        if json.expect('}').is_none() {
            loop {
                let key = json.string()?;
                let text = &mut texts[KEYS.iter().position(|known| *known == key)?];
                json.expect(':')?;
                if text.replace(json.string()?).is_some() {
                    return None;
                }
                if json.expect(',').is_none() {
                    json.expect('}')?;
                    break;
                }
            }
        }
        if !json.rest().is_empty() {
            return None;
        }
        let [command, schedule, seed, pieces, wall_seconds, program, note] = texts.map(Option::unwrap_or_default);
        Some(Origin { command, schedule, seed, pieces, wall_seconds, program, note })
    }
}

/// A JSON string; only what has to be escaped is.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Writing to a string does not fail.
            control @ '\0'..='\u{1f}' => _ = write!(quoted, "\\u{:04x}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Takes tokens off the front of a JSON text.
struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// What is left, without the space before it.
    fn rest(&self) -> &'a str {
        self.0.trim_start_matches([' ', '\t', '\n', '\r'])
    }

    fn expect(&mut self, token: char) -> Option<()> {
        self.0 = self.rest().strip_prefix(token)?;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.expect('"')?;
        let mut string = String::new();
        loop {
            match self.character()? {
                '"' => return Some(string),
                '\\' => string.push(self.escaped()?),
                '\0'..='\u{1f}' => return None,
                other => string.push(other),
            }
        }
    }

    fn character(&mut self) -> Option<char> {
        let mut characters = self.0.chars();
        let first = characters.next()?;
        self.0 = characters.as_str();
        Some(first)
    }

    fn escaped(&mut self) -> Option<char> {
        match self.character()? {
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'u' => self.unicode(),
            same @ ('"' | '\\' | '/') => Some(same),
            _ => None,
        }
    }

    /// After `\u`: one number of four digits, or two that make a pair of surrogates.
    fn unicode(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        self.0 = self.0.strip_prefix("\\u")?;
        let second = self.four_digits().filter(|second| (0xDC00..0xE000).contains(second))?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(4)?;
        self.0 = rest;
        let all_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        all_digits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_object_of_some_known_keys_is_read() {
        let text = br#" { "seed" : "7" , "note":"\u00e9\ud83d\ude00\/\n\u0041" } "#;
        let expected = Origin { seed: "7".to_owned(), note: "é😀/\nA".to_owned(), ..Origin::default() };
        assert_eq!(Origin::from_json(text), Some(expected));
        assert_eq!(Origin::from_json(b"{}"), Some(Origin::default()));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "{",
            "[]",
            "{} {}",
            r#"{"seed":7}"#,
            r#"{"seed":"7",}"#,
            r#"{"seed":"7" "note":""}"#,
            r#"{"seed":"7","seed":"7"}"#,
            r#"{"food":"7"}"#,
            r#"{"seed":"7"#,
            r#"{"seed":"\x"}"#,
            r#"{"seed":"\u12"}"#,
            r#"{"seed":"\u+123"}"#,
            r#"{"seed":"\ud83d"}"#,
            r#"{"seed":"\ude00"}"#,
            r#"{"seed":"\ud83d\u0041"}"#,
            "{\"seed\":\"\n\"}",
        ] {
            assert_eq!(Origin::from_json(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Origin::from_json(b"{\"seed\":\"\xff\"}"), None);
    }

    proptest! {
        #[test]
        fn the_text_is_the_one_of_a_json_library_and_is_read_back(texts in prop::array::uniform7("(?s).{0,20}")) {
            let [command, schedule, seed, pieces, wall_seconds, program, note] = texts.clone();
            let origin = Origin { command, schedule, seed, pieces, wall_seconds, program, note };
            let values = texts.iter().map(|text| serde_json::to_string(text).unwrap());
            let members: Vec<_> = KEYS.iter().zip(values).map(|(key, value)| format!("\"{key}\":{value}")).collect();
            prop_assert_eq!(origin.to_json(), format!("{{{}}}", members.join(",")));
            prop_assert_eq!(Origin::from_json(origin.to_json().as_bytes()), Some(origin));
        }
    }
}
