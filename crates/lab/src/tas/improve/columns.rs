//! Columns of the holes of ready rows.

use std::fmt;
use std::str::FromStr;

use maxout_engine::game::WIDTH;
use serde::{Deserialize, Serialize};

use crate::tas::surface::columns_of;

/// Columns of the playfield, 0 to 9: at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Columns(u16);

/// Why these are no columns.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected columns, 0 to 9, each once and with commas between them, as in 3,5,9; found {0:?}")]
pub struct ColumnsError(String);

impl Columns {
    /// With chosen pieces a burst takes 357 to 360 frames up to its needle, whichever of these columns take turns. Burst and tower take 617
    /// over 9, 5, 9 and 5, and 659 over column 9 alone.
    pub const BUILT_IN: Columns = Columns(1 << 1 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 9);

    /// These and those.
    pub(super) fn with(self, columns: &[u8]) -> Columns {
        Columns(columns.iter().fold(self.0, |bits, column| bits | 1 << column))
    }

    /// A bit for each, that of column 0 is the lowest.
    pub(super) const fn bits(self) -> u16 {
        self.0
    }
}

impl FromStr for Columns {
    type Err = ColumnsError;

    fn from_str(text: &str) -> Result<Columns, ColumnsError> {
        let error = || ColumnsError(text.to_owned());
        let mut bits = 0_u16;
        for column in text.split(',') {
            let column: u8 = column.trim().parse().map_err(|_| error())?;
            let is_new = usize::from(column) < WIDTH && bits >> column & 1 == 0;
            is_new.then_some(()).ok_or_else(error)?;
            bits |= 1 << column;
        }
        Ok(Columns(bits))
    }
}

impl TryFrom<String> for Columns {
    type Error = ColumnsError;

    fn try_from(text: String) -> Result<Columns, ColumnsError> {
        text.parse()
    }
}

impl From<Columns> for String {
    fn from(columns: Columns) -> String {
        columns.to_string()
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<String> = columns_of(self.0).map(|column| column.to_string()).collect();
        f.write_str(&columns.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_read_back_and_others_are_refused() {
        for text in ["3,5,9", "0", "0,1", "0,1,2,3,4,5,6,7,8,9"] {
            assert_eq!(text.parse::<Columns>().map(|columns| columns.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("9, 3,5".parse(), "3,5,9".parse::<Columns>());
        assert_eq!("1,3,5,7,9".parse(), Ok(Columns::BUILT_IN));
        for text in ["", "3,3", "3,10", "3,5,", "3;5", "-1,3", "3,256"] {
            assert_eq!(text.parse::<Columns>(), Err(ColumnsError(text.to_owned())));
        }
    }
}
