//! A picture of the console's screen.
//!
//! Emulators show colours differently, so a cell is told by its brightness alone. Cells are seven pixels
//! of eight, with a dark gap to the right and below.

use std::collections::BTreeSet;

use super::error::PositionError;
use super::{ReadPosition, Source};
use crate::pixels::{Pixels, PixelsError};
use crate::shown::{is_apart, visible_cells, without};
use maxout_engine::game::control::Obstacles;
use maxout_engine::game::{Orientation, Piece, Placement, Playfield, ROWS, WIDTH};

/// Pixels of the console's picture.
const PICTURE: (u32, u32) = (256, 240);
/// Rows of it that an emulator shows that leaves out eight at the top and at the bottom, as FCEUX does.
const CROPPED: u32 = 224;
/// Width of the picture with the panel that maxout shows beside it.
const WITH_PANEL: u32 = 426;
/// The largest scale that is read; maxout makes none larger.
const MOST: u32 = 16;
/// Pixels of a cell.
const CELL: usize = 8;
/// Where the playfield begins.
const FIELD_AT: (usize, usize) = (96, 48);
/// The inside of the next box: first pixels and the pixels after the last. The pictures that maxout draws itself have the frame of
/// the box in the rows 133 and 134.
const NEXT_BOX: [(usize, usize); 2] = [(201, 104), (231, 132)];
/// A pixel whose brightest colour is above this is of a cell. The darkest colour of a piece, $00 at levels 6,
/// 16 and so on, has 84 and more in the palettes of FCEUX and tetanes; a cell of a plan that maxout draws has
/// 64.
const LIT: u8 = 75;
/// The frame around the playfield differs from its background by this at least. Chosen by hand, not
/// measured.
const FRAME: u8 = 24;
/// Of the 16 pixels inside a cell as many are lit in a full one, and at most the rest in an empty one.
const MOSTLY: usize = 12;
/// Of 20 rows of cells as many have the frame at their side: text may be in the others. Chosen by hand, not
/// measured.
const FRAMED_ROWS: usize = 15;

/// A picture, and how its pixels are those of the console.
struct Screen {
    pixels: Pixels,
    scale: usize,
    /// Rows of the console that are missing at the top.
    missing: usize,
}

/// Scale and missing rows of a picture of this size.
fn layout(width: u32, height: u32) -> Option<(u32, u32)> {
    (1..=MOST).find_map(|scale| {
        let is = |(across, down): (u32, u32)| (width, height) == (across * scale, down * scale);
        if is(PICTURE) || is((WITH_PANEL, PICTURE.1)) {
            Some((scale, 0))
        } else {
            is((PICTURE.0, CROPPED)).then_some((scale, (PICTURE.1 - CROPPED) / 2))
        }
    })
}

impl Screen {
    fn read(png: &[u8]) -> Result<Screen, PositionError> {
        let mut found = None;
        let check = |width, height| {
            found = layout(width, height);
            if found.is_some() { Ok(()) } else { Err(PositionError::PictureSize { width, height }) }
        };
        let pixels = Pixels::read(png, check).map_err(|error| match error {
            PixelsError::NotPng(message) => PositionError::Picture(message),
            PixelsError::Size(error) => error,
        })?;
        let (scale, missing) = found.unwrap_or((1, 0));
        Ok(Screen { pixels, scale: scale as usize, missing: missing as usize })
    }

    /// The brightest of red, green and blue at a pixel of the console; what is transparent is dark.
    fn brightness(&self, x: usize, y: usize) -> u8 {
        let middle = |pixel: usize| pixel * self.scale + self.scale / 2;
        let Some(y) = y.checked_sub(self.missing) else { return 0 };
        let [red, green, blue, opacity] = self.pixels.at(middle(x), middle(y));
        if opacity < 128 { 0 } else { red.max(green).max(blue) }
    }

    fn is_lit(&self, x: usize, y: usize) -> bool {
        self.brightness(x, y) > LIT
    }

    /// Is the cell full? `None` where it is neither full nor empty.
    fn cell(&self, row: usize, column: usize) -> Option<bool> {
        let (left, top) = (FIELD_AT.0 + CELL * column, FIELD_AT.1 + CELL * row);
        let inside = (2..6).flat_map(|dy| (2..6).map(move |dx| (left + dx, top + dy)));
        let lit = inside.filter(|&(x, y)| self.is_lit(x, y)).count();
        // The gaps to the next cells.
        let gap = (2..6).flat_map(|along| [(left + along, top + CELL - 1), (left + CELL - 1, top + along)]);
        let is_parted = gap.filter(|&(x, y)| self.is_lit(x, y)).count() == 0;
        match lit {
            _ if !is_parted => None,
            MOSTLY.. => Some(true),
            _ if lit <= 16 - MOSTLY => Some(false),
            _ => None,
        }
    }

    /// All full cells.
    fn cells(&self) -> Result<Playfield, PositionError> {
        let mut playfield = Playfield::EMPTY;
        for row in 0..ROWS {
            for column in 0..WIDTH {
                let Some(is_full) = self.cell(row, column) else {
                    let message = format!(
                        "row {row}, column {column} of the playfield (0 is the top and the left) is neither a full nor \
                         an empty cell"
                    );
                    return Err(PositionError::Picture(message));
                };
                if is_full {
                    playfield.set(row as i8, column);
                }
            }
        }
        Ok(playfield)
    }

    /// Is there a frame at both sides of the playfield?
    fn is_framed(&self) -> bool {
        let right = FIELD_AT.0 + CELL * WIDTH;
        [FIELD_AT.0 - CELL, right].into_iter().all(|left| {
            let has_frame = |row: usize| {
                let top = FIELD_AT.1 + CELL * row;
                let ground = self.brightness(FIELD_AT.0 + CELL - 1, top + CELL - 1);
                (left..left + CELL).any(|x| self.brightness(x, top + CELL / 2).abs_diff(ground) >= FRAME)
            };
            (0..ROWS).filter(|row| has_frame(*row)).count() >= FRAMED_ROWS
        })
    }

    /// The piece in the next box, by the shape of its cells.
    fn next(&self) -> Option<Piece> {
        let [(left, top), (right, bottom)] = NEXT_BOX;
        let lit: Vec<(usize, usize)> = (top..bottom)
            .flat_map(|y| (left..right).map(move |x| (x, y)))
            .filter(|&(x, y)| self.is_lit(x, y))
            .collect();
        let first = |of: fn(&(usize, usize)) -> usize| lit.iter().map(of).min();
        let (left, top) = (first(|at| at.0)?, first(|at| at.1)?);
        let mut cells: Vec<(i8, i8)> =
            lit.iter().map(|(x, y)| (((y - top) / CELL) as i8, ((x - left) / CELL) as i8)).collect();
        cells.sort_unstable();
        cells.dedup();
        Piece::ALL.into_iter().find(|piece| from_corner(piece.spawn().cells()) == cells)
    }
}

/// Cells, counted from the top and the left of them, in order.
fn from_corner(cells: &[(i8, i8)]) -> Vec<(i8, i8)> {
    let [top, left] =
        [|cell: &(i8, i8)| cell.0, |cell: &(i8, i8)| cell.1].map(|of| cells.iter().map(of).min().unwrap_or(0));
    let mut cells: Vec<_> = cells.iter().map(|(row, column)| (row - top, column - left)).collect();
    cells.sort_unstable();
    cells
}

/// The playfield, the falling piece where it can be told apart, and the next piece.
pub(super) fn read(png: &[u8]) -> Result<ReadPosition, PositionError> {
    let screen = Screen::read(png)?;
    if !screen.is_framed() {
        let message = "there is no frame at the sides of the playfield, which begins 96 pixels from the left and 48 from the \
                       top of 240";
        return Err(PositionError::Picture(message.to_owned()));
    }
    let cells = screen.cells()?;
    let mut position = ReadPosition::of(cells, Source::Picture);
    take_falling(&mut position, &floating(&cells));
    position.next = screen.next();
    if position.next.is_none() {
        position.notes.push("the next box shows no piece".to_owned());
    }
    Ok(position)
}

/// Takes the highest of these pieces out of the cells.
fn take_falling(position: &mut ReadPosition, floating: &[Placement]) {
    let Some(first) = floating.first() else {
        let note = "no falling piece is apart from the other cells: all cells are taken for locked ones";
        return position.notes.push(note.to_owned());
    };
    position.playfield = without(&position.playfield, *first);
    // Of a piece that is partly above the top, the same cells may show.
    let (same, others): (Vec<Placement>, Vec<Placement>) =
        floating.iter().copied().partition(|place| visible(*place) == visible(*first));
    if !others.is_empty() {
        let note = "more than one piece hangs in the air: the highest is taken for the one that falls";
        position.notes.push(note.to_owned());
    }
    let letters: BTreeSet<char> = same.iter().map(|place| place.orientation.piece().letter()).collect();
    if let [only] = same.as_slice() {
        position.place = Some(*only);
    }
    if letters.len() == 1 {
        position.piece = Some(first.orientation.piece());
    } else {
        let letters = letters.into_iter().map(String::from).collect::<Vec<_>>().join(", ");
        position.notes.push(format!("the falling piece is partly above the top: it may be any of {letters}"));
    }
}

/// The cells of a piece that the screen shows, in order.
fn visible(place: Placement) -> Vec<(i8, i8)> {
    let mut cells: Vec<_> = visible_cells(place).collect();
    cells.sort_unstable();
    cells
}

/// Pieces that touch no other cell and do not rest, from the top.
fn floating(cells: &Playfield) -> Vec<Placement> {
    let everywhere = (0..ROWS as i8).flat_map(|y| (0..WIDTH as i8).map(move |x| (x, y)));
    let mut places: Vec<Placement> = everywhere
        .flat_map(|(x, y)| Orientation::all().map(move |orientation| Placement { orientation, x, y }))
        .filter(|place| is_floating(cells, *place))
        .collect();
    places.sort_by_key(|place| visible(*place).first().copied());
    places
}

fn is_floating(cells: &Playfield, place: Placement) -> bool {
    let Placement { orientation, x, y } = place;
    is_apart(cells, place) && without(cells, place).fits(orientation, x, y + 1)
}
