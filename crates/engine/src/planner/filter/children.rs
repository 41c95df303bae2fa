//! What a filter is, and what filters ask of a placement.

use crate::game::{Placement, Playfield, ROWS};
use crate::movegen::Reached;

/// Refuses placements.
pub trait Filter: Send + Sync {
    /// The placements that are allowed, in their order; none when the filter refuses all of them.
    fn allowed(&self, playfield: &Playfield, reached: &[Reached]) -> Vec<Reached>;
}

/// The cells of a placement, `(row, column)`; rows above the top are negative.
pub(super) fn cells(placement: Placement) -> impl Iterator<Item = (i8, usize)> {
    placement.orientation.cells().iter().map(move |&(dy, dx)| (placement.y + dy, (placement.x + dx) as usize))
}

/// Would the placement cover an empty cell of `wanted` that nothing covers now?
pub(super) fn buries(playfield: &Playfield, placement: Placement, wanted: &[u16; ROWS]) -> bool {
    cells(placement).any(|(row, column)| {
        let below = (row + 1).max(0)..ROWS as i8;
        below
            .take_while(|&row| !playfield.occupied(row, column))
            .any(|row| wanted[row as usize] >> column & 1 == 1 && !cells(placement).any(|cell| cell == (row, column)))
    })
}

/// The lowest row with an empty cell of `wanted` that nothing covers.
pub(super) fn working_row(playfield: &Playfield, wanted: &[u16; ROWS]) -> Option<i8> {
    let mut covered = 0;
    let mut lowest = None;
    for (row, (cells, wanted)) in (0..).zip(playfield.visible().iter().zip(wanted)) {
        covered |= cells;
        if wanted & !covered != 0 {
            lowest = Some(row);
        }
    }
    lowest
}

/// The placements allowed by the first of `rules` that allows any; the strictest rule comes first.
pub(super) fn strictest(reached: &[Reached], rules: &[&dyn Fn(Placement) -> bool]) -> Vec<Reached> {
    let admitted = rules.iter().map(|rule| reached.iter().copied().filter(|r| rule(r.placement)).collect::<Vec<_>>());
    admitted.into_iter().find(|allowed| !allowed.is_empty()).unwrap_or_default()
}
