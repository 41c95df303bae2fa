//! A piece in the picture of a field, in which it cannot be told from locked cells by itself.

use maxout_engine::game::{Placement, Playfield, ROWS, WIDTH};

/// The cells of a piece that the screen shows. Some may be beside the field or below it.
pub(crate) fn visible_cells(placement: Placement) -> impl Iterator<Item = (i8, i8)> {
    let cells = placement.orientation.cells().iter();
    cells.map(move |(dy, dx)| (placement.y + dy, placement.x + dx)).filter(|(row, _)| *row >= 0)
}

/// The field without the cells of a piece, which are all inside.
pub(crate) fn without(field: &Playfield, placement: Placement) -> Playfield {
    let mut stack = *field;
    for (row, column) in visible_cells(placement) {
        stack.set_row(row, stack.row(row) & !(1 << column));
    }
    stack
}

/// Does the field show the piece there, with no other cell beside it?
pub(crate) fn is_apart(field: &Playfield, placement: Placement) -> bool {
    let is_full = |(row, column): (i8, i8)| {
        (0..ROWS as i8).contains(&row) && (0..WIDTH as i8).contains(&column) && field.occupied(row, column as usize)
    };
    let is_own = |cell: (i8, i8)| visible_cells(placement).any(|own| own == cell);
    visible_cells(placement).all(|(row, column)| {
        let beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
        is_full((row, column)) && beside.into_iter().all(|cell| is_own(cell) || !is_full(cell))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Piece;

    #[test]
    fn a_piece_is_apart_where_all_its_cells_are_full_and_none_beside_them() {
        let with =
            |rows: [u16; 3]| Playfield::from_rows(std::array::from_fn(|row| rows.get(row).copied().unwrap_or(0)));
        let at = |x, y| Placement { orientation: Piece::T.spawn(), x, y };
        let alone = with([0b111, 0b010, 0]);
        assert!(is_apart(&alone, at(1, 0)) && !is_apart(&alone, at(2, 0)) && !is_apart(&alone, at(1, 1)));
        assert_eq!(without(&alone, at(1, 0)), Playfield::EMPTY);
        // A cell at its corner touches nothing.
        for (rows, expected) in
            [([0b111, 0b010, 0b101], true), ([0b1111, 0b010, 0], false), ([0b111, 0b010, 0b010], false)]
        {
            assert_eq!(is_apart(&with(rows), at(1, 0)), expected, "{rows:?}");
        }
        // The cell above the top is not shown.
        let up = Piece::T.orientations().find(|orientation| orientation.cells().contains(&(-1, 0)));
        let up = Placement { orientation: up.expect("a T that points up"), x: 1, y: 0 };
        assert_eq!(visible_cells(up).count(), 3);
    }
}
