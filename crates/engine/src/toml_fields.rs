//! TOML read by hand: the fields of a table, each with its place in the text. Needs no derive.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

use crate::toml_line;

/// A table as it was read: keys and values with their places in the text.
pub(crate) type Entries = BTreeMap<Spanned<String>, Spanned<Value>>;

/// The fields of a table that has a fixed set of keys.
pub(crate) struct Fields<'t> {
    text: &'t str,
    table: DeTable<'t>,
    /// Where the table stands; `None` for the top level.
    place: Option<Range<usize>>,
}

impl<'t> Fields<'t> {
    /// Reads a text whose top level has no other keys than `known`.
    ///
    /// # Errors
    /// When the text is not TOML or has an unknown key; one line that begins with `line N:`.
    pub(crate) fn parse(text: &'t str, known: &[&str]) -> Result<Fields<'t>, String> {
        let table = DeTable::parse(text).map_err(|error| toml_line::describe(&error, text))?;
        Fields::of(text, table.into_inner(), None, known)
    }

    fn of(
        text: &'t str,
        table: DeTable<'t>,
        place: Option<Range<usize>>,
        known: &[&str],
    ) -> Result<Fields<'t>, String> {
        let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Fields { text, table, place }),
            Some(key) => {
                let known: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
                let problem = format!("unknown field `{}`, expected one of {}", key.get_ref(), known.join(", "));
                Err(toml_line::at(text, &key.span(), &problem))
            }
        }
    }

    fn take_any(&mut self, key: &str) -> Option<Spanned<DeValue<'t>>> {
        self.table.remove(key)
    }

    fn missing(&self, key: &str) -> String {
        let problem = format!("missing field `{key}`");
        match &self.place {
            Some(place) => toml_line::at(self.text, place, &problem),
            None => problem,
        }
    }

    fn wrong(&self, place: &Range<usize>, key: &str, expected: &str, found: &str) -> String {
        toml_line::at(self.text, place, &format!("`{key}` has to be {expected}, not {found}"))
    }

    /// Takes the value of a key; `convert` knows what is `expected` of it.
    ///
    /// # Errors
    /// When the key is missing or `convert` gives `None`.
    pub(crate) fn take<T>(
        &mut self,
        key: &str,
        expected: &str,
        convert: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Spanned<T>, String> {
        let found = self.take_any(key).ok_or_else(|| self.missing(key))?;
        let (place, value) = (found.span(), value_of(found.into_inner()));
        let shown = value.to_string();
        let converted = convert(value).ok_or_else(|| self.wrong(&place, key, expected, &shown))?;
        Ok(Spanned::new(place, converted))
    }

    /// Takes a whole number that fits the type.
    ///
    /// # Errors
    /// When the key is missing or its value is another one.
    pub(crate) fn number<T: TryFrom<i64>>(&mut self, key: &str, expected: &str) -> Result<Spanned<T>, String> {
        self.take(key, expected, |value| T::try_from(value.as_integer()?).ok())
    }

    /// Takes a string.
    ///
    /// # Errors
    /// When the key is missing or its value is not a string.
    pub(crate) fn string(&mut self, key: &str) -> Result<Spanned<String>, String> {
        self.take(key, "a string", |value| match value {
            Value::String(string) => Some(string),
            _ => None,
        })
    }

    /// Takes a table of any keys; an empty one where the key is missing.
    ///
    /// # Errors
    /// When the value is not a table.
    pub(crate) fn entries(&mut self, key: &str) -> Result<Entries, String> {
        let Some(found) = self.take_any(key) else { return Ok(Entries::new()) };
        let place = found.span();
        match found.into_inner() {
            DeValue::Table(table) => Ok(table.into_iter().map(entry).collect()),
            other => Err(self.wrong(&place, key, "a table", &value_of(other).to_string())),
        }
    }

    /// Takes an array of tables that have no other keys than `known`.
    ///
    /// # Errors
    /// When the key is missing, or its value is not such an array.
    pub(crate) fn tables(&mut self, key: &str, known: &[&str]) -> Result<Vec<Fields<'t>>, String> {
        let found = self.take_any(key).ok_or_else(|| self.missing(key))?;
        let place = found.span();
        let array = match found.into_inner() {
            DeValue::Array(array) => array,
            other => return Err(self.wrong(&place, key, "an array of tables", &value_of(other).to_string())),
        };
        let fields = |element: Spanned<DeValue<'t>>| {
            let place = element.span();
            match element.into_inner() {
                DeValue::Table(table) => Fields::of(self.text, table, Some(place), known),
                other => Err(self.wrong(&place, key, "an array of tables", &value_of(other).to_string())),
            }
        };
        array.into_iter().map(fields).collect()
    }
}

fn entry((key, value): (Spanned<toml::de::DeString<'_>>, Spanned<DeValue<'_>>)) -> (Spanned<String>, Spanned<Value>) {
    let (key_place, value_place) = (key.span(), value.span());
    let key = Spanned::new(key_place, key.into_inner().into_owned());
    (key, Spanned::new(value_place, value_of(value.into_inner())))
}

/// The value without its places. A number that does not fit 64 bits stays the text that it is.
fn value_of(value: DeValue) -> Value {
    match value {
        DeValue::String(string) => Value::String(string.into_owned()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or_else(|_| Value::String(integer.to_string()), Value::Integer),
        DeValue::Float(float) => float.as_str().parse().map_or_else(|_| Value::String(float.to_string()), Value::Float),
        DeValue::Boolean(boolean) => Value::Boolean(boolean),
        DeValue::Datetime(datetime) => Value::Datetime(datetime),
        DeValue::Array(array) => Value::Array(array.into_iter().map(|value| value_of(value.into_inner())).collect()),
        DeValue::Table(table) => Value::Table(
            table
                .into_iter()
                .map(|(key, value)| (key.into_inner().into_owned(), value_of(value.into_inner())))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 3] = ["count", "name", "item"];

    fn fields(text: &str) -> Result<Fields<'_>, String> {
        Fields::parse(text, &KNOWN)
    }

    #[test]
    fn fields_are_taken_with_their_places() {
        let mut found = fields("name = 'a'\ncount = 0x1_0\n[item]\nb = -1_000\n\"c d\" = [1.5, {e = nan}]\n").unwrap();
        let count = found.number::<u8>("count", "a byte").unwrap();
        assert_eq!((count.span(), *count.get_ref()), (19..24, 16));
        assert_eq!(found.string("name").unwrap().into_inner(), "a");
        let item = found.entries("item").unwrap();
        assert_eq!(item["b"].get_ref(), &Value::Integer(-1000));
        assert_eq!(item["c d"].get_ref().to_string(), "[1.5, { e = nan }]");
        assert!(found.entries("item").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let refusal = |text| fields(text).err().expect("it is wrong");
        assert!(refusal("count = \n").starts_with("line 1: "));
        assert!(refusal("count = 1\ncount = 2\n").starts_with("line 2: "));
        assert_eq!(refusal("\nb = 1\na = 1\n"), "line 2: unknown field `b`, expected one of `count`, `name`, `item`");

        let mut wrong = fields("count = 256\nname = 1\nitem = 2").unwrap();
        assert_eq!(wrong.number::<u8>("count", "a byte").unwrap_err(), "line 1: `count` has to be a byte, not 256");
        assert_eq!(wrong.string("name").unwrap_err(), "line 2: `name` has to be a string, not 1");
        assert_eq!(wrong.string("name").unwrap_err(), "missing field `name`");
        assert_eq!(wrong.entries("item").unwrap_err(), "line 3: `item` has to be a table, not 2");
    }

    #[test]
    fn tables_in_an_array_have_their_own_fields() {
        let mut found = fields("[[item]]\nx = 1\n[[item]]\nx = 2\n").unwrap();
        let items = found.tables("item", &["x"]).unwrap();
        let values: Vec<u8> =
            items.into_iter().map(|mut item| item.number("x", "a byte").unwrap().into_inner()).collect();
        assert_eq!(values, [1, 2]);
        let mut items = fields("[[item]]\nx = 1\n[[item]]\n").unwrap().tables("item", &["x"]).unwrap();
        assert_eq!(items[1].number::<u8>("x", "a byte").unwrap_err(), "line 3: missing field `x`");
        let refusal = |text| fields(text).unwrap().tables("item", &["x"]).err().expect("it is wrong");
        assert_eq!(refusal("[[item]]\nx = 1\n[[item]]\ny = 2"), "line 4: unknown field `y`, expected one of `x`");
        assert_eq!(refusal("item = [1]"), "line 1: `item` has to be an array of tables, not 1");
        assert_eq!(refusal("item = 1"), "line 1: `item` has to be an array of tables, not 1");
        assert_eq!(refusal(""), "missing field `item`");
    }

    #[test]
    fn a_number_that_is_too_large_is_shown_as_it_is_written() {
        let mut found = fields("count = 99999999999999999999").unwrap();
        let error = found.number::<u8>("count", "a byte").unwrap_err();
        assert!(error.contains("99999999999999999999"), "{error}");
    }
}
