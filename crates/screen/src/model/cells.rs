//! The cells of the shown playfield: locked cells, the falling piece, and where the plan puts it.

use maxout_engine::game::memory::tile;
use maxout_engine::game::{Obstacles, Orientation, Placement, Playfield, ROWS, WIDTH};
use maxout_engine::planner::Plan;
use maxout_engine::ram::{Phase, PlayState, RamSnapshot};

/// The colour class of an occupied cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// `$7B`: T, O and I.
    White,
    /// `$7C`: Z and L.
    Second,
    /// `$7D`: J and S.
    First,
    /// Any other tile: the topout curtain.
    Curtain,
}

impl Tile {
    /// The class of a playfield byte; `None` for an empty cell.
    pub const fn of(byte: u8) -> Option<Tile> {
        match byte {
            tile::WHITE => Some(Tile::White),
            tile::SECOND => Some(Tile::Second),
            tile::FIRST => Some(Tile::First),
            0x00..tile::EMPTY => Some(Tile::Curtain),
            _ => None,
        }
    }
}

/// One cell of the playfield.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cell {
    /// Nothing here.
    #[default]
    Empty,
    /// A locked cell.
    Locked(Tile),
    /// A cell of the falling piece.
    Falling(Tile),
    /// Where the plan puts the falling piece.
    Target(Tile),
    /// Where the plan would put the next piece.
    NextTarget(Tile),
}

/// The locked cells, over them the plan's targets, over all the falling piece.
pub(crate) fn cells(snapshot: &RamSnapshot, plan: Option<&Plan>) -> [[Cell; WIDTH]; ROWS] {
    let mut cells = [[Cell::Empty; WIDTH]; ROWS];
    for (index, &byte) in snapshot.tiles.iter().enumerate() {
        if let Some(tile) = Tile::of(byte) {
            cells[index / WIDTH][index % WIDTH] = Cell::Locked(tile);
        }
    }
    let Some(orientation) = snapshot.piece.filter(|_| is_in_flight(snapshot)) else { return cells };
    if let Some(plan) = plan.filter(|_| snapshot.phase() == Phase::Falling) {
        put_targets(&mut cells, &snapshot.playfield, plan);
    }
    put(&mut cells, placed(orientation, snapshot.x, snapshot.y), Cell::Falling(tile_of(orientation)));
    cells
}

/// Is there a piece that is not yet part of the playfield?
fn is_in_flight(snapshot: &RamSnapshot) -> bool {
    match snapshot.phase() {
        Phase::Falling => true,
        Phase::EntryDelay => snapshot.play_state == PlayState::Lock,
        _ => false,
    }
}

fn put_targets(cells: &mut [[Cell; WIDTH]; ROWS], playfield: &Playfield, plan: &Plan) {
    let Placement { orientation, x, y } = plan.placement;
    if let Some(next) = plan.next_placement {
        let row_now = rows_before_the_clear(playfield, plan);
        let target = placed(next.orientation, next.x, next.y);
        let target = target.filter_map(|(row, column)| Some((row_now(row)?, column)));
        put(cells, target, Cell::NextTarget(tile_of(next.orientation)));
    }
    put(cells, placed(orientation, x, y), Cell::Target(tile_of(orientation)));
}

/// The next piece's placement is meant for the playfield after the plan's clears; this finds the
/// present row of a row after the clears. The topmost rows after the clears have no present row.
fn rows_before_the_clear(playfield: &Playfield, plan: &Plan) -> impl Fn(i8) -> Option<i8> {
    let Placement { orientation, x, y } = plan.placement;
    let mut after = *playfield;
    // A piece that does not fit is the plan of another moment; then nothing is cleared.
    let cleared = if plan.clears > 0 && playfield.fits(orientation, x, y) {
        after.lock(plan.placement)
    } else {
        Default::default()
    };
    move |row| {
        (0..ROWS as i8).rev().filter(|now| !cleared.rows().contains(&(*now as u8))).nth((ROWS as i8 - 1 - row) as usize)
    }
}

fn placed(orientation: Orientation, x: i8, y: i8) -> impl Iterator<Item = (i8, i8)> {
    orientation.cells().iter().map(move |&(dy, dx)| (y + dy, x + dx))
}

/// Puts a cell at each place that is visible and not occupied by a locked cell.
fn put(cells: &mut [[Cell; WIDTH]; ROWS], places: impl Iterator<Item = (i8, i8)>, what: Cell) {
    for (row, column) in places {
        let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) else { continue };
        let cell = cells.get_mut(row).and_then(|row| row.get_mut(column));
        if let Some(cell) = cell.filter(|cell| !matches!(cell, Cell::Locked(_))) {
            *cell = what;
        }
    }
}

fn tile_of(orientation: Orientation) -> Tile {
    Tile::of(orientation.tile()).unwrap_or(Tile::White)
}
