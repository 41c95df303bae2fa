//! Pieces in the picture of a field: what it shows beyond the locked cells.

use crate::shown::{is_apart, visible_cells, without};
use maxout_engine::game::control::Obstacles;
use maxout_engine::game::{FULL_ROW, Orientation, Piece, Placement, Playfield, ROWS, SPAWN_X, WIDTH};

/// Rows from the top in which a piece may be when it is first seen: a recording of few frames a second
/// misses its first ones. Chosen by hand, not measured.
const FIRST_SEEN_ROWS: i8 = 5;

/// The playfield with a piece drawn into it.
pub(super) fn drawn(stack: &Playfield, placement: Placement) -> Playfield {
    let mut field = *stack;
    for (row, column) in visible_cells(placement) {
        if row < ROWS as i8 && (0..WIDTH as i8).contains(&column) {
            field.set(row, column as usize);
        }
    }
    field
}

/// Do both show the same? Hidden rows are not shown.
pub(super) fn shows(field: &Playfield, other: &Playfield) -> bool {
    field.visible() == other.visible()
}

/// The cells of the field beyond the stack: one to four. `None` where a cell of the stack is missing.
fn beyond(field: &Playfield, stack: &Playfield) -> Option<Vec<(i8, i8)>> {
    let rows = || field.visible().iter().zip(stack.visible());
    let count: u32 = rows().map(|(field, stack)| (field & !stack).count_ones()).sum();
    if !(1..=4).contains(&count) || rows().any(|(field, stack)| stack & !field != 0) {
        return None;
    }
    let mut cells = Vec::with_capacity(4);
    for (row, (field, stack)) in (0..).zip(rows()) {
        cells.extend((0..WIDTH as i8).filter(|column| (field & !stack) >> column & 1 == 1).map(|column| (row, column)));
    }
    Some(cells)
}

/// How far apart two places are.
fn distance(one: Placement, other: Placement) -> u32 {
    let turned = u32::from(one.orientation != other.orientation);
    u32::from(one.x.abs_diff(other.x)) + u32::from(one.y.abs_diff(other.y)) + turned
}

/// Where the field shows a piece beyond the stack, the nearest to `near` where its cells above the top
/// leave a choice. `None` for `piece` means any.
pub(super) fn seen(field: &Playfield, stack: &Playfield, piece: Option<Piece>, near: Placement) -> Option<Placement> {
    let cells = beyond(field, stack)?;
    let (row, column) = *cells.first()?;
    let is_here = |place: &Placement| {
        (0..ROWS as i8).contains(&place.y)
            && (0..WIDTH as i8).contains(&place.x)
            && visible_cells(*place).count() == cells.len()
            && visible_cells(*place).all(|cell| cells.contains(&cell))
    };
    let places = Orientation::all().filter(|orientation| piece.is_none_or(|piece| orientation.piece() == piece));
    places
        .flat_map(|orientation| {
            orientation.cells().map(|(dy, dx)| Placement { orientation, x: column - dx, y: row - dy })
        })
        .filter(is_here)
        .min_by_key(|place| (distance(*place, near), place.orientation))
}

/// That piece, or any.
fn pieces(piece: Option<Piece>) -> impl Iterator<Item = Piece> {
    Piece::ALL.into_iter().filter(move |other| piece.is_none_or(|piece| piece == *other))
}

/// A piece where it spawns.
pub(super) const fn at_spawn(piece: Piece) -> Placement {
    Placement { orientation: piece.spawn(), x: SPAWN_X, y: 0 }
}

/// The playfield after the piece has locked there; `None` where it does not fit or does not rest.
fn after_lock(stack: &Playfield, placement: Placement) -> Option<Playfield> {
    let Placement { orientation, x, y } = placement;
    let rests = stack.fits(orientation, x, y) && !stack.fits(orientation, x, y + 1);
    rests.then(|| {
        let mut after = *stack;
        after.lock(placement);
        after
    })
}

/// A piece that has locked, and the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settled {
    /// Where the old one locked.
    pub placement: Placement,
    /// The playfield after that.
    pub stack: Playfield,
    /// Where the new one is.
    pub new: Placement,
}

/// What is known of the pieces around a lock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// Where the old piece was seen last.
    pub last: Placement,
    /// What the new piece should be, by two sources.
    pub new: [Option<Piece>; 2],
}

impl Around {
    /// The field as that after a lock with a new piece near the top: locked where the old piece was seen
    /// last, or else where it can have gone.
    pub(super) fn settled(&self, field: &Playfield, stack: &Playfield) -> Option<Settled> {
        self.settled_at(field, stack, self.last).or_else(|| {
            // A lock and the new piece add up to eight cells, and cleared rows take up to forty.
            let [field_cells, stack_cells] = [field, stack].map(Playfield::cell_count);
            if field_cells > stack_cells + 8 || field_cells + 40 < stack_cells {
                return None;
            }
            let piece = self.last.orientation.piece();
            let everywhere = piece.orientations().flat_map(|orientation| {
                (0..ROWS as i8).flat_map(move |y| (0..WIDTH as i8).map(move |x| Placement { orientation, x, y }))
            });
            everywhere
                .filter(|place| place.y >= self.last.y)
                .filter_map(|place| self.settled_at(field, stack, place))
                .min_by_key(|settled| distance(settled.placement, self.last))
        })
    }

    /// The same, locked there.
    pub(super) fn settled_at(&self, field: &Playfield, stack: &Playfield, placement: Placement) -> Option<Settled> {
        let after = after_lock(stack, placement)?;
        let [one, other] = self.new;
        let new = [one, other, None].into_iter().find_map(|piece| Around::new_piece(field, &after, piece))?;
        Some(Settled { placement, stack: after, new })
    }

    /// Where the new piece is; `None` for `piece` means any.
    fn new_piece(field: &Playfield, stack: &Playfield, piece: Option<Piece>) -> Option<Placement> {
        // Where it spawns it may overlap others.
        let spawned = pieces(piece).map(at_spawn).find(|place| shows(field, &drawn(stack, *place)));
        let near = at_spawn(piece.unwrap_or(Piece::T));
        spawned.or_else(|| seen(field, stack, piece, near).filter(|place| place.y < FIRST_SEEN_ROWS))
    }
}

/// Is this a step of the clear animation of a piece that locks here? Cells of completed rows are
/// missing, and nothing else is.
pub(super) fn is_wiped(field: &Playfield, stack: &Playfield, placement: Placement) -> bool {
    let Placement { orientation, x, y } = placement;
    if !stack.fits(orientation, x, y) {
        return false;
    }
    let locked = drawn(stack, placement);
    let mut wiped = false;
    for (&shown, &full) in field.visible().iter().zip(locked.visible()) {
        if shown == full {
            continue;
        }
        if full != FULL_ROW || shown & (1 << 4 | 1 << 5) != 0 {
            return false;
        }
        wiped = true;
    }
    wiped
}

/// Is this the playfield after the lock, before the next piece is shown?
pub(super) fn is_cleared(field: &Playfield, stack: &Playfield, placement: Placement) -> bool {
    after_lock(stack, placement).is_some_and(|after| shows(field, &after))
}

/// A piece where it spawns, with nothing beside it, and a playfield that can be without it: a
/// position from which a game can be followed.
pub(super) fn fresh(field: &Playfield, piece: Option<Piece>) -> Option<Placement> {
    pieces(piece)
        .map(at_spawn)
        .find(|place| is_apart(field, *place) && without(field, *place).visible().iter().all(|&row| row != FULL_ROW))
}

/// Does the topout curtain come down? It fills rows from the top.
pub(super) fn is_curtain(field: &Playfield) -> bool {
    field.row(0) == FULL_ROW && field.row(1) == FULL_ROW
}
