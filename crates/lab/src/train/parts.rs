//! A long TOML text, parsed in parts: the parser takes up to 80 times the memory of the text.

use serde::de::DeserializeOwned;

use maxout_engine::toml_line;
use maxout_formats::limited;

/// Bytes after which a part ends where the next table begins. Chosen by hand, not measured.
const ENOUGH: usize = 64 * 1024;

/// A part, which is TOML by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'t> {
    text: &'t str,
    /// Lines of the text in front of it.
    before: usize,
}

impl Part<'_> {
    /// Its content.
    ///
    /// # Errors
    /// The line of the whole text, and what is wrong there.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, String> {
        toml::from_str(self.text).map_err(|error| toml_line::describe_after(&error, self.text, self.before))
    }

    fn checked(self, limit: u64) -> Result<Self, String> {
        if self.text.len() as u64 <= limit {
            return Ok(self);
        }
        Err(format!("line {}: expected at most {limit} bytes before the next table, found more", self.before + 1))
    }
}

/// What comes before the first of the tables that begin with the line `table`, at most `head` bytes,
/// and these tables, as many in each part as are in 64 KiB.
///
/// # Errors
/// When there is too much before the first, or in one table.
pub(super) fn split<'t>(
    text: &'t str,
    table: &'static str,
    head: u64,
) -> Result<(Part<'t>, impl Iterator<Item = Result<Part<'t>, String>>), String> {
    let line_start = move |from: usize| {
        let mut found = text[from..].match_indices(table).map(move |(at, _)| from + at);
        found.find(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n').unwrap_or(text.len())
    };
    let first = line_start(0);
    let head = Part { text: &text[..first], before: 0 }.checked(head)?;
    let (mut at, mut before) = (first, lines(head.text));
    let parts = std::iter::from_fn(move || {
        if at == text.len() {
            return None;
        }
        let mut enough = (at + ENOUGH).min(text.len());
        while !text.is_char_boundary(enough) {
            enough += 1;
        }
        let end = line_start(enough);
        let part = Part { text: &text[at..end], before };
        (at, before) = (end, before + lines(part.text));
        Some(part.checked(limited::SETTINGS))
    });
    Ok((head, parts))
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "[[point]]\n";

    fn text(points: usize) -> String {
        let points = (0..points).map(|number| format!("{TABLE}x = {number}\n"));
        std::iter::once("version = 1\n".to_owned()).chain(points).collect()
    }

    #[test]
    fn every_table_is_in_one_part_and_none_is_long() {
        let text = text(30_000);
        let (head, parts) = split(&text, TABLE, 1024).unwrap();
        let parts: Vec<_> = parts.collect::<Result<_, _>>().unwrap();
        assert_eq!(head.text, "version = 1\n");
        assert!(parts.len() > 5 && parts.iter().all(|part| part.text.len() < ENOUGH + 100));
        assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text[head.text.len()..]);
        let count = |part: &Part| part.read::<toml::Table>().unwrap()["point"].as_array().unwrap().len();
        assert_eq!(parts.iter().map(count).sum::<usize>(), 30_000);
    }

    #[test]
    fn a_problem_has_its_line_in_the_whole_text() {
        let text = text(30_000).replace("x = 29999", "x = ");
        let (_, parts) = split(&text, TABLE, 1024).unwrap();
        let problem = parts.map(|part| part?.read::<toml::Table>()).find_map(Result::err).unwrap();
        assert!(problem.starts_with("line 60001: "), "{problem}");
    }

    #[test]
    fn what_no_parser_should_be_given_is_refused() {
        let long = "#".repeat(limited::SETTINGS as usize + 1);
        assert!(split(&long, TABLE, 1024).is_err());
        let text = format!("a = 1\n{TABLE}{long}");
        let (_, mut parts) = split(&text, TABLE, 1024).unwrap();
        assert!(parts.next().unwrap().unwrap_err().starts_with("line 2: expected at most 1048576 bytes"));
        assert_eq!(split("", TABLE, 1024).unwrap().1.count(), 0);
        // Not at the start of a line.
        assert_eq!(split("a = '[[point]]\n'", TABLE, 1024).unwrap().1.count(), 0);
        assert_eq!(split("[[point]]\nx = 'ä'", TABLE, 1024).unwrap().1.count(), 1);
    }
}
