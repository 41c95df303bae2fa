//! The query of a URL, `a=1&b=2`.

/// The pairs of a query, in their order, decoded.
///
/// # Errors
/// The part that cannot be decoded.
pub(crate) fn pairs(query: &str) -> Result<Vec<(String, String)>, String> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let wrong = || format!("expected UTF-8 in percent encoding in the query, found {part}");
            Ok((decoded(name).ok_or_else(wrong)?, decoded(value).ok_or_else(wrong)?))
        })
        .collect()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? << 4 | digit()?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_decoded() {
        let expected = [("a", "1 2"), ("b", "ä&="), ("c", ""), ("d", "")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(pairs("a=1+2&b=%C3%a4%26%3D&&c=&d").unwrap(), expected);
        assert_eq!(pairs("").unwrap(), []);
        for wrong in ["a=%", "a=%4", "a=%zz", "a=%ff", "%=1", "a=%+1"] {
            assert!(pairs(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
