//! Random states of a running game, as pokes at its first gameplay frame: playfields, pieces,
//! levels, lines, scores near their limits, counters. All of them are possible in some game.

use maxout_engine::game::memory::GameType;
use maxout_engine::game::memory::address::{
    ABOVE_PLAYFIELD, ALLEGRO, AUTOREPEAT_Y, FALL_TIMER, FRAME_COUNTER, GAME_TYPE, HIDE_NEXT, HIGH_SCORES, LEVEL_NUMBER,
    LINE_CLEAR_STATS, LINES, NEXT_PIECE, PAGE, PENDING_GARBAGE, PLAYFIELD, RNG, SCORE, SPAWN_ID, START_HEIGHT,
    START_LEVEL, STATISTICS, STATISTICS_SIZE, TETRIMINO_X,
};
use maxout_engine::game::memory::tile::{self, EMPTY};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::timing::{DAS_FULL, FIRST_PIECE_HOLD, frames_per_row};
use maxout_engine::game::{HIGHEST_START_LEVEL, Obstacles, Orientation, Piece, Placement, Playfield, ROWS, WIDTH};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::episode::Poke;

/// The purpose of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    /// Anything.
    Any,
    /// A deep well and pieces that fit: clears of every kind, lines next to a level-up, a
    /// score next to a limit.
    Limits,
    /// A stack up to the top, with cells above it.
    TopRows,
}

/// Index of row -2 in the playfield's page; rows -2 and -1 are its last twenty bytes.
const ROW_MINUS_2: usize = ABOVE_PLAYFIELD - PLAYFIELD;
/// The rows below the visible ones that a clear of row 0 can fill.
const HIDDEN_ROWS: [usize; 2] = [20, 21];

type Rng = Xoshiro256PlusPlus;

/// Any random number that a console can have.
pub fn random_number(rng: &mut Rng) -> Poke {
    Poke::new(RNG, &Randomizer::SEED.clocked_times(rng.random_range(0..Randomizer::PERIOD)).to_bytes())
}

/// A state of a game: `model` with some bytes changed.
pub fn random(rng: &mut Rng, model: &Simulation, scene: Scene) -> Vec<Poke> {
    let mut page = playfield(rng, scene);
    let fitted = (scene != Scene::Any && rng.random_ratio(1, 3)).then(|| carve(rng, &mut page, scene));
    let mut pokes = vec![Poke::new(PLAYFIELD, &page), random_number(rng)];
    let next = spawn_id(rng);
    let drawn = if rng.random_ratio(4, 5) { next } else { spawn_id(rng) };
    pokes.push(Poke::new(NEXT_PIECE, &[next]));
    pokes.push(Poke::new(SPAWN_ID, &[drawn, rng.random()]));
    pokes.push(Poke::new(FRAME_COUNTER, &rng.random::<[u8; 2]>()));
    let level = level(rng, scene);
    pokes.push(Poke::new(LEVEL_NUMBER, &[level]));
    pokes.push(Poke::new(START_LEVEL, &[level.min(HIGHEST_START_LEVEL)]));
    pokes.push(Poke::new(LINES, &lines(rng, scene)));
    pokes.push(Poke::new(SCORE, &score(rng, scene)));
    pokes.extend(counters(rng));
    if rng.random_ratio(1, 4) {
        pokes.extend(high_scores(rng));
    }
    let mut poked = model.clone();
    for (address, value) in pokes.iter().flat_map(Poke::writes) {
        poked.poke(address, value);
    }
    let spot = fitted.unwrap_or_else(|| spot(rng, &poked, scene));
    pokes.extend(piece(rng, spot, level));
    pokes
}

/// Changes to make it a B-type game: lines to clear, chosen height.
pub fn b_type(rng: &mut Rng) -> Vec<Poke> {
    let left = if rng.random_ratio(2, 3) { rng.random_range(1..=3) } else { rng.random_range(1..=25) };
    vec![
        Poke::new(GAME_TYPE, &[GameType::B.byte()]),
        Poke::new(LINES, &[bcd(left), 0]),
        Poke::new(LEVEL_NUMBER, &[rng.random_range(0..20)]),
        Poke::new(START_HEIGHT, &[rng.random_range(0..=5)]),
    ]
}

/// What a B-type menu has chosen: type, level, height.
pub fn b_type_menu(rng: &mut Rng) -> Vec<Poke> {
    vec![
        random_number(rng),
        Poke::new(GAME_TYPE, &[GameType::B.byte()]),
        Poke::new(START_LEVEL, &[rng.random_range(0..10)]),
        Poke::new(START_HEIGHT, &[rng.random_range(0..=5)]),
    ]
}

fn bcd(value: u8) -> u8 {
    value / 10 * 16 + value % 10
}

fn spawn_id(rng: &mut Rng) -> u8 {
    Piece::ALL[rng.random_range(0..Piece::ALL.len())].spawn().id()
}

fn level(rng: &mut Rng, scene: Scene) -> u8 {
    if scene == Scene::Limits && rng.random_ratio(1, 6) {
        return 255;
    }
    match rng.random_range(0..4) {
        0 => rng.random_range(0..19),
        1 => rng.random_range(18..=30),
        2 => rng.random_range(250..=255),
        _ => rng.random(),
    }
}

fn lines(rng: &mut Rng, scene: Scene) -> [u8; 2] {
    let tens = if rng.random_ratio(1, 3) { 9 } else { rng.random_range(0..10) };
    let ones = if scene == Scene::Limits { rng.random_range(6..10) } else { rng.random_range(0..10) };
    let hundreds = if rng.random_ratio(1, 2) { rng.random_range(0..4) } else { rng.random_range(0..0x30) };
    [tens << 4 | ones, hundreds]
}

fn score(rng: &mut Rng, scene: Scene) -> [u8; 3] {
    let [low, middle, high] = [(); 3].map(|()| bcd(rng.random_range(0..100)));
    match rng.random_range(0..4) {
        0 if scene == Scene::Limits => [low, middle, 0x99],
        1 if scene == Scene::Limits => [low, 0x90 | middle & 15, 0x99],
        2 if scene == Scene::Limits => [0x90 | low & 15, 0x90 | middle & 15, high],
        // Below the score for an ending, because endings are not modelled.
        3 => [low, middle, rng.random_range(0..3)],
        _ if scene == Scene::TopRows => [low, middle, rng.random_range(0..3)],
        _ => [low, middle, high],
    }
}

fn counters(rng: &mut Rng) -> Vec<Poke> {
    let mut statistics = [0; STATISTICS_SIZE];
    for entry in statistics.chunks_exact_mut(2) {
        let count = if rng.random_ratio(1, 4) { 99 } else { rng.random_range(0..100) };
        entry.copy_from_slice(&[bcd(count), rng.random_range(0..12)]);
    }
    let clears = [(); 4].map(|()| rng.random::<u8>() & 0xF0 | rng.random_range(0..10));
    vec![
        Poke::new(STATISTICS, &statistics),
        Poke::new(LINE_CLEAR_STATS, &clears),
        Poke::new(ALLEGRO, &[if rng.random() { 0xFF } else { 0 }]),
        Poke::new(PENDING_GARBAGE + 1, &[rng.random()]),
        Poke::new(HIDE_NEXT, &[rng.random_range(0..2)]),
    ]
}

/// A high-score table, sorted as the game sorts it.
fn high_scores(rng: &mut Rng) -> Vec<Poke> {
    (0..2)
        .map(|table| {
            let mut places = [(); 3].map(|()| [(); 3].map(|()| bcd(rng.random_range(0..100))));
            places.sort_unstable_by(|left, right| right.cmp(left));
            if rng.random_ratio(1, 2) {
                places[2] = [0; 3];
            }
            Poke::new(HIGH_SCORES + 12 * table, places.as_flattened())
        })
        .collect()
}

/// The place of the falling piece: mostly its spawn, else anywhere it fits.
fn spot(rng: &mut Rng, poked: &Simulation, scene: Scene) -> Placement {
    let mut orientation = Piece::ALL[rng.random_range(0..Piece::ALL.len())].spawn();
    if scene == Scene::Limits && rng.random_ratio(1, 2) {
        orientation = Piece::I.spawn();
    }
    let as_it_spawns = Placement { orientation, x: 5, y: 0 };
    if rng.random_ratio(1, 2) {
        return as_it_spawns;
    }
    let playfield = poked.playfield();
    let orientations: Vec<Orientation> = orientation.piece().orientations().collect();
    (0..20)
        .map(|_| {
            let orientation = orientations[rng.random_range(0..orientations.len())];
            Placement { orientation, x: rng.random_range(0..WIDTH as i8), y: rng.random_range(0..ROWS as i8) }
        })
        .find(|spot| playfield.fits(spot.orientation, spot.x, spot.y))
        .unwrap_or(as_it_spawns)
}

/// Makes rows with a gap that a piece completes, in the top rows including row 0.
fn carve(rng: &mut Rng, page: &mut [u8; PAGE], scene: Scene) -> Placement {
    let highest = if scene == Scene::TopRows { 3 } else { ROWS as i8 };
    let (spot, cells) = loop {
        let orientation = Orientation::from_id(rng.random_range(0..Orientation::COUNT as u8)).expect("an orientation");
        let (x, y) = (rng.random_range(0..WIDTH as i8), rng.random_range(0..highest));
        let cells = orientation.cells().map(|(dy, dx)| (y + dy, x + dx));
        if Playfield::EMPTY.fits(orientation, x, y) {
            break (Placement { orientation, x, y }, cells);
        }
    };
    for (row, _) in cells.into_iter().filter(|&(row, _)| row >= 0) {
        page[WIDTH * row as usize..][..WIDTH].copy_from_slice(&row_but(rng, &[]));
    }
    for (row, column) in cells {
        let index = row.wrapping_mul(WIDTH as i8).wrapping_add(column) as u8;
        page[usize::from(index)] = EMPTY;
    }
    spot
}

/// Puts the falling piece there, with random counters.
fn piece(rng: &mut Rng, spot: Placement, level: u8) -> Vec<Poke> {
    let Placement { orientation, x, y } = spot;
    let pushing = y > 0 && rng.random_ratio(1, 3);
    let (autorepeat_y, rows_pushed) = if pushing {
        (rng.random_range(1..=2), rng.random_range(0..=y as u8))
    } else if rng.random_ratio(1, 8) {
        (rng.random_range(FIRST_PIECE_HOLD..=0xFF), 0)
    } else {
        (0, 0)
    };
    vec![
        Poke::new(TETRIMINO_X, &[x as u8, y as u8, orientation.id()]),
        Poke::new(FALL_TIMER, &[rng.random_range(0..=frames_per_row(level)), rng.random_range(0..=DAS_FULL)]),
        Poke::new(AUTOREPEAT_Y, &[autorepeat_y, rows_pushed]),
    ]
}

fn tile(rng: &mut Rng) -> u8 {
    tile::BLOCKS[rng.random_range(0..3)]
}

/// A row in which each cell is filled with these odds out of ten.
fn sparse_row(rng: &mut Rng, density: u32) -> [u8; WIDTH] {
    [(); WIDTH].map(|()| if rng.random_ratio(density, 10) { tile(rng) } else { EMPTY })
}

/// A row without the cells of these columns.
fn row_but(rng: &mut Rng, holes: &[usize]) -> [u8; WIDTH] {
    std::array::from_fn(|column| if holes.contains(&column) { EMPTY } else { tile(rng) })
}

fn playfield(rng: &mut Rng, scene: Scene) -> [u8; PAGE] {
    let mut page = [EMPTY; PAGE];
    let height = match scene {
        Scene::Any => rng.random_range(0..=20),
        Scene::Limits => rng.random_range(2..=16),
        Scene::TopRows => rng.random_range(17..=20),
    };
    let density = rng.random_range(2..=9);
    let well = rng.random_range(0..WIDTH);
    let wells = scene != Scene::Any || rng.random_ratio(1, 2);
    for row in ROWS - height..ROWS {
        let cells = if wells && rng.random_ratio(5, 6) {
            row_but(rng, &[well])
        } else if wells {
            let hole = rng.random_range(0..WIDTH);
            row_but(rng, &[well, hole])
        } else {
            sparse_row(rng, density)
        };
        page[WIDTH * row..][..WIDTH].copy_from_slice(&cells);
    }
    if scene == Scene::TopRows {
        // Room for the piece to spawn, and rows that it can complete, including row 0.
        let (first, last) = (rng.random_range(2..=5), rng.random_range(5..=7));
        for row in 0..rng.random_range(0..=3) {
            page[WIDTH * row + first..=WIDTH * row + last].fill(EMPTY);
        }
        let density = rng.random_range(0..=5);
        for row in 0..2 {
            page[ROW_MINUS_2 + WIDTH * row..][..WIDTH].copy_from_slice(&sparse_row(rng, density));
        }
    }
    if rng.random_ratio(1, 12) {
        // The next lock that reaches complete rows clears them.
        let row = rng.random_range(0..ROWS);
        page[WIDTH * row..][..WIDTH].copy_from_slice(&row_but(rng, &[]));
    }
    if rng.random_ratio(1, 12) {
        // A tile number above the empty tile is not solid, but counts as filled in a row check.
        page[rng.random_range(0..WIDTH * ROWS)] = rng.random_range(EMPTY..=0xFF);
    }
    if rng.random_ratio(1, 10) {
        for row in HIDDEN_ROWS {
            page[WIDTH * row..][..WIDTH].copy_from_slice(&row_but(rng, &[well]));
        }
    }
    page
}
