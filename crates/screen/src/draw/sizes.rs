//! Sizes of both terminal views, in character cells.

/// Columns that a view needs. Chosen by hand, not measured.
pub const MIN_WIDTH: u16 = 60;
/// Rows that a view needs: the playfield with its border, a title and a footer.
pub const MIN_HEIGHT: u16 = 24;

/// Rows of the playfield with its border.
pub(super) const FIELD_HEIGHT: u16 = 22;
/// The largest width of a side panel. Chosen by hand, not measured.
pub(super) const MOST_SIDE: u16 = 31;
