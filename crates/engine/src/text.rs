//! Numbers as people read them.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(thousands), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }
}
