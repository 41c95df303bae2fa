//! Numbers as people read them, and texts of strangers as they may be shown.

use std::borrow::Cow;

/// Digits in groups of three: `1234567` becomes `1,234,567`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number with its digits in groups of three: `1,234,567`.
pub fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// A number rounded to a whole one (halves away from 0), its digits in groups of three: `-1,235`.
pub fn rounded(number: f64) -> String {
    let sign = if number.round() < 0.0 { "-" } else { "" };
    format!("{sign}{}", thousands(number.abs().round() as u64))
}

/// A number of things: `1 line`, `1,200 lines`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// The clears of a game by their kinds, singles first: `1 single, 3 doubles, 0 triples, 40 tetrises`.
pub fn clears(counts: [u32; 4]) -> String {
    let kinds = [("single", "singles"), ("double", "doubles"), ("triple", "triples"), ("tetris", "tetrises")];
    let told = counts
        .into_iter()
        .zip(kinds)
        .map(|(count, (one, more))| format!("{} {}", thousands(count.into()), if count == 1 { one } else { more }));
    told.collect::<Vec<_>>().join(", ")
}

/// Is it a character that a terminal obeys, or that changes the order or the lines of the text
/// around it? These are the control characters (C0, DEL, C1), the line and paragraph separators, the
/// characters that set the direction of writing, and the mark of the byte order.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{206F}' | '\u{FEFF}')
}

/// A text on one line, every hidden character of which is written as in Rust: `\n`, `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The same, but lines stay lines and tabs stay tabs.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| is_hidden(letter) && !matches!(letter, '\n' | '\t'))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            _ if !is_escaped(letter) => visible.push(letter),
            '\n' | '\r' | '\t' => visible.extend(letter.escape_default()),
            _ => visible.extend(letter.escape_unicode()),
        }
    }
    Cow::Owned(visible)
}

/// A text of at most `most` characters: of a longer one, the middle is left out.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    const GAP: &str = " ... ";
    let length = text.chars().count();
    if length <= most {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(GAP.len());
    let front = kept / 2;
    let place = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("{}{GAP}{}", &text[..place(front)], &text[place(length - (kept - front))..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(thousands), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }

    #[test]
    fn rounded_numbers_keep_their_sign_but_nothing_is_minus_zero() {
        assert_eq!(clears([1, 0, 2_000, 1]), "1 single, 0 doubles, 2,000 triples, 1 tetris");
        assert_eq!([-1234.5, -0.4, 0.0, 0.5, 999_999.4].map(rounded), ["-1,235", "0", "0", "1", "999,999"]);
    }

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        let planted = [
            '\0', '\u{7}', '\u{8}', '\r', '\u{1B}', '\u{7F}', '\u{80}', '\u{85}', '\u{9B}', '\u{9D}', '\u{200E}',
            '\u{200F}', '\u{2028}', '\u{2029}', '\u{202A}', '\u{202E}', '\u{2066}', '\u{2069}', '\u{FEFF}',
        ];
        for letter in planted {
            let text = format!("a{letter}b");
            let shown = visible(&text);
            assert!(shown.starts_with("a\\") && shown.ends_with('b') && !shown.contains(letter), "{letter:?}: {shown}");
            assert_eq!(visible_lines(&text), shown);
        }
        assert_eq!(visible("\u{1B}]0;title\u{7}\n"), r"\u{1b}]0;title\u{7}\n");
        assert_eq!(visible_lines("a\n\tb\u{9B}1m"), "a\n\tb\\u{9b}1m");
        for plain in ["", "Überlänge – 100 % \"quoted\" \\path", "日本語", "▀█ é", "👨\u{200D}👩"] {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn the_middle_of_a_long_text_is_left_out() {
        assert_eq!(shortened("12345678", 8), "12345678");
        assert_eq!(shortened("123456789", 8), "1 ... 89");
        let long = "ä".repeat(100) + "end";
        let short = shortened(&long, 50);
        assert_eq!(short.chars().count(), 50);
        assert!(short.starts_with("äääää") && short.ends_with("äend"), "{short}");
        assert_eq!(shortened("123456789", 3), " ... ");
    }
}
