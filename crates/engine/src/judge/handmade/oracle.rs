//! Slow, obvious answers for the tests: every feature on its own, cell by cell, straight from its
//! definition; and the seeded playfields on which both are compared.

use std::collections::{BTreeSet, VecDeque};

use super::evaluator::{Afterstate, Rank};
use super::weight_set::WeightSet;
use crate::game::{Obstacles, Orientation, Piece, Placement, Playfield};

/// How far floating-point sums may be apart.
const TOLERANCE: f64 = 1e-9;

/// Compares an evaluator with the slow answers on thousands of chains of one and of two pieces:
/// every feature; the value with the published weights and no rule, `direction` being -1 where
/// lower sums are better; and the value that each weight moves by itself. Every feature has to
/// take on several values on the way.
pub(super) fn compare<const N: usize>(
    evaluator: &str,
    direction: f64,
    features: impl Fn(&[Afterstate]) -> [f64; N],
    slow: impl Fn(&str, &[Afterstate]) -> f64,
) {
    let set = WeightSet::published(evaluator).unwrap().without_rules();
    let published = set.evaluator();
    let single = |weight| (0..N).map(|index| f64::from(u8::from(index == weight))).collect();
    let singles: Vec<_> = (0..N).map(|weight| set.with_values(single(weight)).unwrap().evaluator()).collect();
    let mut seen = vec![BTreeSet::new(); N];
    let mut compared = 0;
    for chain in chains(6000) {
        compared += 1;
        for chain in [&chain[..1], &chain[..]] {
            let expected: Vec<f64> = set.names().iter().map(|name| slow(name, chain)).collect();
            for (index, feature) in features(chain).into_iter().enumerate() {
                let name = set.names()[index];
                let is_near = |value: f64| (value - expected[index]).abs() < TOLERANCE;
                assert!(is_near(feature), "{name} is {feature}, expected {}: {chain:?}", expected[index]);
                let moved = direction * singles[index].judge(chain).value;
                assert!(is_near(moved), "{name} moves the value by {moved}, expected {}", expected[index]);
                seen[index].insert(feature.to_bits());
            }
            let sum: f64 = set.values().iter().zip(&expected).map(|(weight, feature)| weight * feature).sum();
            let verdict = published.judge(chain);
            assert!((direction * verdict.value - sum).abs() < TOLERANCE, "{verdict:?}, expected {sum}: {chain:?}");
            assert_eq!(verdict.rank, Rank::Normal);
        }
    }
    assert!(compared > 5000, "only {compared} chains");
    for (name, values) in set.names().iter().zip(seen) {
        assert!(values.len() > 4, "{name} hardly moves: {} values", values.len());
    }
}

/// Is the cell occupied? Cells outside the playfield are not.
fn occupied(playfield: &Playfield, row: i32, column: i32) -> bool {
    (0..20).contains(&row) && (0..10).contains(&column) && playfield.occupied(row as i8, column as usize)
}

/// Is the cell occupied, walls counting as occupied?
fn occupied_or_wall(playfield: &Playfield, row: i32, column: i32) -> bool {
    !(0..10).contains(&column) || occupied(playfield, row, column)
}

/// The cells for which something holds, as `(row, column)`.
fn cells(holds: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
    let all = (0..20).flat_map(|row| (0..10).map(move |column| (row, column)));
    all.filter(|&(row, column)| holds(row, column)).collect()
}

/// Row of the top-most occupied cell of a column; 20 when there is none.
fn top(playfield: &Playfield, column: i32) -> i32 {
    (0..20).find(|&row| occupied(playfield, row, column)).unwrap_or(20)
}

fn heights(playfield: &Playfield) -> Vec<i32> {
    (0..10).map(|column| 20 - top(playfield, column)).collect()
}

fn highest(playfield: &Playfield) -> i32 {
    heights(playfield).into_iter().max().unwrap()
}

fn lowest(playfield: &Playfield) -> i32 {
    heights(playfield).into_iter().min().unwrap()
}

/// Empty, with both horizontal neighbours occupied.
fn is_well(playfield: &Playfield, row: i32, column: i32) -> bool {
    !occupied(playfield, row, column)
        && occupied_or_wall(playfield, row, column - 1)
        && occupied_or_wall(playfield, row, column + 1)
}

/// Birken's: above all occupied cells of its column.
fn open_wells(playfield: &Playfield) -> Vec<(i32, i32)> {
    cells(|row, column| is_well(playfield, row, column) && row < top(playfield, column))
}

/// Birken's: directly below an occupied cell.
fn holes(playfield: &Playfield) -> Vec<(i32, i32)> {
    cells(|row, column| !occupied(playfield, row, column) && occupied(playfield, row - 1, column))
}

fn hole_depths(playfield: &Playfield) -> Vec<i32> {
    holes(playfield).into_iter().map(|(row, column)| row - top(playfield, column)).collect()
}

/// How far a piece could still fall if every other cell were removed.
fn lock_height(placement: &Placement) -> i32 {
    let fits = |y| Playfield::EMPTY.fits(placement.orientation, placement.x, y);
    (placement.y + 1..20).take_while(|&y| fits(y)).count() as i32
}

/// Changes along a row, the walls counted as occupied.
fn row_changes(playfield: &Playfield, row: i32) -> i32 {
    let differ = |column| occupied_or_wall(playfield, row, column) != occupied_or_wall(playfield, row, column + 1);
    (-1..10).filter(|&column| differ(column)).count() as i32
}

fn total_lines(chain: &[Afterstate]) -> i32 {
    chain.iter().map(|afterstate| afterstate.cleared.rows().len() as i32).sum()
}

/// A feature of `birken-v2` by its name.
pub(super) fn birken_v2(name: &str, chain: &[Afterstate]) -> f64 {
    let playfield = &chain.last().unwrap().playfield;
    let solid = || cells(|row, column| occupied(playfield, row, column));
    let value = match name {
        "total_lines_cleared" => total_lines(chain),
        "total_lock_height" => chain.iter().map(|afterstate| lock_height(&afterstate.placement)).sum(),
        "total_well_cells" => open_wells(playfield).len() as i32,
        "total_deep_wells" => {
            let wells = open_wells(playfield);
            let deep = |&column: &i32| wells.iter().filter(|well| well.1 == column).count() >= 3;
            (0..10).filter(deep).count() as i32
        }
        "total_column_holes" => holes(playfield).len() as i32,
        "total_weighted_column_holes" => holes(playfield).iter().map(|hole| hole.0 + 1).sum(),
        "total_column_hole_depths" => hole_depths(playfield).iter().sum(),
        "min_column_hole_depth" => hole_depths(playfield).into_iter().min().unwrap_or(20),
        "max_column_hole_depth" => hole_depths(playfield).into_iter().max().unwrap_or(0),
        "total_column_transitions" => {
            let differ = |row, column| occupied(playfield, row, column) != occupied(playfield, row + 1, column);
            let changes = |row, column| row < 19 && row >= top(playfield, column) && differ(row, column);
            cells(changes).len() as i32
        }
        "total_row_transitions" => {
            let begun = |&row: &i32| (0..10).any(|column| occupied(playfield, row, column));
            (0..20).filter(begun).map(|row| row_changes(playfield, row)).sum()
        }
        "total_column_heights" => heights(playfield).iter().sum(),
        "pile_height" => highest(playfield),
        "column_height_spread" => highest(playfield) - lowest(playfield),
        "total_solid_cells" => solid().len() as i32,
        "total_weighted_solid_cells" => solid().iter().map(|cell| 20 - cell.0).sum(),
        "column_height_variance" => heights(playfield).windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum(),
        _ => panic!("the oracle does not know {name}"),
    };
    f64::from(value)
}

/// A feature of `el-tetris` by its name.
pub(super) fn el_tetris(name: &str, chain: &[Afterstate]) -> f64 {
    let playfield = &chain.last().unwrap().playfield;
    let value = match name {
        "landing_height" => return chain.iter().map(|afterstate| landing_height(&afterstate.placement)).sum(),
        "rows_eliminated" => total_lines(chain),
        "row_transitions" => (0..20).map(|row| row_changes(playfield, row)).sum(),
        "column_transitions" => {
            let solid = |row, column| row == 20 || occupied(playfield, row, column);
            let changes = |column| (-1..20).filter(|&row| solid(row, column) != solid(row + 1, column)).count();
            (0..10).map(changes).sum::<usize>() as i32
        }
        "holes" => {
            let covered = |row, column| (0..row).any(|above| occupied(playfield, above, column));
            cells(|row, column| !occupied(playfield, row, column) && covered(row, column)).len() as i32
        }
        "well_sums" => {
            let wells = cells(|row, column| is_well(playfield, row, column));
            let run = |(row, column)| (row..20).take_while(|&row| !occupied(playfield, row, column)).count();
            wells.into_iter().map(run).sum::<usize>() as i32
        }
        _ => panic!("the oracle does not know {name}"),
    };
    f64::from(value)
}

/// A feature of `dellacherie` by its name.
pub(super) fn dellacherie(name: &str, chain: &[Afterstate]) -> f64 {
    match name {
        "eroded_piece_cells" => chain.iter().map(|afterstate| f64::from(eroded(afterstate))).sum(),
        "buried_holes" => el_tetris("holes", chain),
        _ => el_tetris(name, chain),
    }
}

/// Rows cleared times cells of the piece that vanished: the clear is played with rows that know
/// where they came from.
fn eroded(afterstate: &Afterstate) -> i32 {
    let mut rows: Vec<Option<i8>> = (0..20).map(Some).collect();
    let mut vanished = BTreeSet::new();
    for &row in afterstate.cleared.rows() {
        // A completed row 0 pushes the bottom row out instead of vanishing.
        let gone = rows.remove(if row == 0 { 19 } else { row.into() });
        vanished.extend(gone.filter(|_| row > 0));
        rows.insert(0, None);
    }
    let Placement { orientation, y, .. } = afterstate.placement;
    let cells = orientation.cells().iter().filter(|&&(dy, _)| vanished.contains(&(y + dy))).count();
    afterstate.cleared.rows().len() as i32 * cells as i32
}

/// The occupied cells of the end of a chain as `(height, column)`, the floor row being 0, with
/// all completed rows in place.
fn uncleared(chain: &[Afterstate]) -> BTreeSet<(i32, i32)> {
    let end = &chain.last().unwrap().playfield;
    let occupied = cells(|row, column| occupied(end, row, column));
    let mut stacked: BTreeSet<_> = occupied.into_iter().map(|(row, column)| (19 - row, column)).collect();
    for afterstate in chain.iter().rev() {
        let completed = afterstate.cleared.rows().iter().filter(|&&row| row > 0);
        let completed: Vec<i32> = completed.map(|&row| 19 - i32::from(row)).collect();
        // A cell that is now in the n-th row from below was in the n-th of those that stayed.
        let stayed: Vec<i32> = (0..40).filter(|height| !completed.contains(height)).collect();
        stacked = stacked.into_iter().map(|(height, column)| (stayed[height as usize], column)).collect();
        stacked.extend(completed.iter().flat_map(|&height| (0..10).map(move |column| (height, column))));
    }
    stacked
}

/// A feature of `exhaustive-pair` by its name.
pub(super) fn exhaustive_pair(name: &str, chain: &[Afterstate]) -> f64 {
    let stacked = uncleared(chain);
    let is_full = |&height: &i32| (0..10).all(|column| stacked.contains(&(height, column)));
    let full_rows = (0..40).filter(is_full).count() as f64;
    let height = |column| (0..40).rev().find(|&height| stacked.contains(&(height, column))).map_or(0, |top| top + 1);
    let heights: Vec<f64> = (0..10).map(|column| f64::from(height(column))).collect();
    let steps: Vec<f64> = heights.windows(2).map(|pair| pair[0] - pair[1]).collect();
    let highest = heights.iter().copied().fold(0.0, f64::max);
    // The mean of the squares less the square of the mean; rounding may bring it below 0.
    let deviation = |values: &[f64]| {
        let mean = |of: &dyn Fn(f64) -> f64| values.iter().map(|&value| of(value)).sum::<f64>() / values.len() as f64;
        (mean(&|value| value * value) - mean(&|value| value).powi(2)).max(0.0).sqrt()
    };
    let empty_below = |height, column| (0..height).filter(|&below| !stacked.contains(&(below, column))).count();
    match name {
        "full_rows" => full_rows,
        "v_holes" => (0..10).map(|column| (empty_below(height(column), column) as f64).powf(0.7)).sum(),
        "v_blocks" => stacked.iter().filter(|&&(height, column)| empty_below(height, column) > 0).count() as f64,
        "max_height" => (highest - full_rows).powf(1.5),
        "std_y" => deviation(&heights),
        "std_dy" => deviation(&steps),
        "abs_dy" => steps.iter().map(|step| step.abs()).sum(),
        "max_dy" => highest - heights.iter().copied().fold(40.0, f64::min),
        _ => panic!("the oracle does not know {name}"),
    }
}

/// The mean height of the piece's highest and lowest edge.
fn landing_height(placement: &Placement) -> f64 {
    let rows = placement.orientation.cells().map(|(dy, _)| 19 - placement.y - dy);
    let (bottom, top) = (rows.into_iter().min().unwrap(), rows.into_iter().max().unwrap() + 1);
    f64::from(bottom + top) / 2.0
}

/// Which empty cells a search from the spawn area reaches.
pub(super) fn reached(playfield: &Playfield) -> [[bool; 10]; 20] {
    let mut reached = [[false; 10]; 20];
    let spawns = Piece::ALL.iter().flat_map(|piece| piece.spawn().cells());
    let mut queue: VecDeque<(i32, i32)> = spawns.map(|&(dy, dx)| (i32::from(dy), 5 + i32::from(dx))).collect();
    while let Some((row, column)) = queue.pop_front() {
        if !(0..20).contains(&row) || !(0..10).contains(&column) || occupied(playfield, row, column) {
            continue;
        }
        if !std::mem::replace(&mut reached[row as usize][column as usize], true) {
            queue.extend([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]);
        }
    }
    reached
}

/// Is there a row with empty cells, all of them reached?
pub(super) fn lines_stay_reachable(playfield: &Playfield) -> bool {
    let reached = reached(playfield);
    (0..20).any(|row| {
        let empty: Vec<i32> = (0..10).filter(|&column| !occupied(playfield, row, column)).collect();
        !empty.is_empty() && empty.iter().all(|&column| reached[row as usize][column as usize])
    })
}

/// Does each piece fit where it spawns?
pub(super) fn all_types_can_spawn(playfield: &Playfield) -> bool {
    Piece::ALL.iter().all(|piece| playfield.fits(piece.spawn(), 5, 0))
}

/// Every occupied cell in rows 0 to 6 adds 7 - row.
pub(super) fn high_pile_penalty(playfield: &Playfield) -> u32 {
    cells(|row, column| row <= 6 && occupied(playfield, row, column)).iter().map(|cell| (7 - cell.0) as u32).sum()
}

/// The generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// 2014): a seed always gives the same playfields.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// 0 to `end` - 1.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// Playfields of six kinds in turn: noise of any density, low piles, even piles with a few holes,
/// high piles, towers with gaps up to the top, and rows that are full except one column.
pub(super) fn playfields(count: usize) -> impl Iterator<Item = Playfield> {
    let mut random = SplitMix(19_890_614);
    (0..count).map(move |index| {
        let mut playfield = Playfield::EMPTY;
        // The shortest column, how much taller others may be, and how likely a cell below its
        // column's top is occupied, out of 16.
        let (shortest, taller, density) = match index % 6 {
            0 => (20, 0, 1 + random.below(15)),
            1 => (0, 4, 16),
            2 => (random.below(14), 2, 15),
            3 => (14, 6, 14),
            4 => (0, 20, 13),
            _ => (random.below(16), 1, 16),
        };
        let well = if index % 6 == 5 { random.below(10) as usize } else { usize::MAX };
        for column in (0..10).filter(|&column| column != well) {
            let height = (shortest + random.below(taller + 1)) as i8;
            for row in 20 - height..20 {
                if random.below(16) < density {
                    playfield.set(row, column);
                }
            }
        }
        if index % 7 == 0 {
            playfield.set_row(-1, random.next() as u16);
        }
        playfield
    })
}

/// Chains of two pieces that fell straight down on such playfields: among many placements that fit,
/// one that clears the most rows.
pub(super) fn chains(count: usize) -> impl Iterator<Item = [Afterstate; 2]> {
    let mut random = SplitMix(6);
    let orientations: Vec<Orientation> = Orientation::all().collect();
    playfields(count).filter_map(move |before| {
        let mut drop_on = |before: &Playfield| {
            let drops = (0..60).filter_map(|_| {
                let orientation = orientations[random.below(19) as usize];
                let x = random.below(10) as i8;
                let y = (0..20).take_while(|&y| before.fits(orientation, x, y)).last()?;
                Some(Afterstate::of(before, Placement { orientation, x, y }))
            });
            drops.max_by_key(|afterstate| afterstate.cleared.count)
        };
        let first = drop_on(&before)?;
        let second = drop_on(&first.playfield)?;
        Some([first, second])
    })
}
