//! Sizes of both terminal views, in character cells.

/// Columns that a view needs. Chosen by hand, not measured.
pub const MIN_WIDTH: u16 = 60;
/// Rows that a view needs: the playfield with its border, a title and a footer.
pub const MIN_HEIGHT: u16 = 24;

/// Rows of the playfield with its border, at the smallest scale.
pub(super) const FIELD_HEIGHT: u16 = field_height(1);
/// The largest scale of the playfield. Chosen by hand, not measured.
pub(super) const MOST_SCALE: u16 = 4;

/// Rows of the playfield with its border: a cell is `scale` rows high.
pub(super) const fn field_height(scale: u16) -> u16 {
    20 * scale + 2
}

/// Columns of the playfield with its border: a cell is twice as wide in characters as it is high.
pub(super) const fn field_width(scale: u16) -> u16 {
    20 * scale + 2
}
/// The smallest width of a side panel. Chosen by hand, not measured.
pub(super) const LEAST_SIDE: u16 = 19;
/// The largest width of a side panel. Chosen by hand, not measured.
pub(super) const MOST_SIDE: u16 = 31;
