//! Placements and clears in words.

use maxout_engine::game::Placement;

/// The columns of a placement, counted from 1: `3` or `3-5`.
pub(super) fn columns(placement: Placement) -> String {
    let columns = placement.orientation.cells().map(|(_, dx)| placement.x + dx + 1);
    let low = columns.iter().min().copied().unwrap_or_default();
    let high = columns.iter().max().copied().unwrap_or_default();
    if low == high { low.to_string() } else { format!("{low}-{high}") }
}

/// `T in columns 3-5, row 17`: columns and rows counted from 1, the row is that of the origin.
pub(super) fn place(placement: Placement) -> String {
    let columns = columns(placement);
    let plural = if columns.contains('-') { "s" } else { "" };
    format!("{} in column{plural} {columns}, row {}", placement.orientation.piece().letter(), placement.y + 1)
}
