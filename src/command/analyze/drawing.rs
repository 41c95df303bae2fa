//! The playfield as text, with a placement in it.

use maxout_engine::game::{Placement, Playfield, ROWS, WIDTH};

/// A cell of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Empty,
    Locked,
    /// The placement.
    Ghost,
}

/// The rows from row `first` down, with the cells of a placement marked.
pub(crate) fn marks(playfield: &Playfield, ghost: Option<Placement>, first: usize) -> Vec<[Mark; WIDTH]> {
    let mut rows: Vec<[Mark; WIDTH]> = playfield
        .visible()
        .iter()
        .map(|row| std::array::from_fn(|column| if row >> column & 1 == 1 { Mark::Locked } else { Mark::Empty }))
        .collect();
    for (row, column) in ghost.into_iter().flat_map(Placement::cells) {
        let cell = usize::try_from(row).ok().and_then(|row| rows.get_mut(row));
        if let Some(cell) = cell.and_then(|row| row.get_mut(usize::try_from(column).ok()?)) {
            *cell = Mark::Ghost;
        }
    }
    rows.split_off(first.min(rows.len()))
}

/// The drawing as lines: `#` is occupied, `@` the placement. The empty rows above are left out, but for two.
pub(crate) fn lines(playfield: &Playfield, ghost: Option<Placement>) -> Vec<String> {
    let highest = ghost.map_or(ROWS, |ghost| {
        ghost.cells().into_iter().map(|(row, _)| usize::try_from(row).unwrap_or(0)).min().unwrap_or(ROWS)
    });
    let first = playfield.top().min(highest).saturating_sub(2).min(ROWS - 4);
    let letter = |mark: &Mark| match mark {
        Mark::Empty => '.',
        Mark::Locked => '#',
        Mark::Ghost => '@',
    };
    marks(playfield, ghost, first).iter().map(|row| row.iter().map(letter).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Piece;

    #[test]
    fn a_placement_is_drawn_into_its_playfield() {
        let playfield = Playfield::drawn("####..####\n####.#####");
        let ghost = Placement { orientation: Piece::O.spawn(), x: 5, y: 17 };
        let drawn = ["..........", "..........", "....@@....", "####@@####", "####.#####"];
        assert_eq!(lines(&playfield, Some(ghost)), drawn);
        assert_eq!(lines(&Playfield::EMPTY, None).len(), 4);
    }
}
