//! The ends of cycles: a beam from one top finds what lies above the ready rows after the next clear.

use std::collections::{BTreeMap, HashSet};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{FULL_ROW, Piece, ROWS};
use maxout_engine::tas::{Page, Reach, Spawned};

use super::top::{FIRST, Top};
use super::upper::Upper;
use crate::tas::improve::shape::Edge;
use crate::tas::path::MOST_FALL;
use crate::tas::values::Tables;

/// Most pieces of a cycle: those with 11 complete a second row.
const MOST_PIECES: usize = 12;
/// Frames that a cycle takes longer than [`least`] at most.
const MOST_MORE: f32 = 24.0;

/// Frames of the fastest cycles of this many pieces at level 18: 232 with 9, 253 with 10 (`docs/tas.md`), in a line.
pub(in crate::tas) fn least(pieces: usize) -> f32 {
    42.0 + 21.1 * pieces as f32
}

/// How a cycle ends: the top, and the cells above row 0.
pub(in crate::tas) type End = (Top, Upper);

/// A playfield of the beam.
#[derive(Clone, Copy)]
struct Node {
    page: Page,
    frames: f32,
}

/// The ends of cycles from a top, with the frames of the fastest way to each that was found. `spawned` has the
/// level; `playfields` are kept after each piece. `all_ready`: only ends where all rows are ready that have sunk.
pub(in crate::tas) fn ends(
    reach: &mut Reach,
    spawned: Spawned,
    top: &Top,
    hole: usize,
    playfields: usize,
    all_ready: bool,
) -> BTreeMap<End, f32> {
    let gravity = frames_per_row(spawned.progress.level);
    let tables = Tables::built_in();
    let built = top.built();
    let mut found: BTreeMap<End, f32> = BTreeMap::new();
    let mut nodes = vec![Node { page: top.page(), frames: 0.0 }];
    for pieces in 1..=MOST_PIECES {
        let mut children: Vec<(f32, Node)> = Vec::new();
        for node in &nodes {
            let values = tables.of(gravity).parent(&node.page);
            for piece in Piece::ALL {
                let now = Spawned { page: node.page, piece, ..spawned };
                reach.landings(&node.page, piece, gravity, false, MOST_FALL, |landing| {
                    let cells = landing.placement.cells();
                    if cells.iter().any(|(row, _)| !built.contains(row)) {
                        return;
                    }
                    let locked = now.lock(landing.placement, landing.frames, 0);
                    let frames = node.frames + f32::from(Edge::of(&locked, landing).frames);
                    if locked.rows == 0 {
                        let occupied = Upper::of(locked.page());
                        if !occupied.is_closed() && occupied.leaves_open(Upper::COMPLETED.without(occupied)) {
                            let key = frames - tables.after(&values, &locked);
                            children.push((key, Node { page: *locked.page(), frames }));
                        }
                        return;
                    }
                    let mut before = node.page;
                    cells.into_iter().for_each(|(row, column)| before.occupy(row, column));
                    let is_cycle = locked.rows == 4 && before.row(0) == FULL_ROW;
                    if !is_cycle || frames - least(pieces) > MOST_MORE {
                        return;
                    }
                    // The rows below the top were ready down to the floor.
                    let is_whole = |(then, ready): &(Top, usize)| FIRST as usize + then.count() + ready > ROWS;
                    let then = Top::of(locked.page(), hole).filter(|then| !all_ready || is_whole(then));
                    if let Some((then, _)) = then {
                        let above = Upper::in_row(before.row(-1), -1);
                        let best = found.entry((then, above)).or_insert(frames);
                        *best = best.min(frames);
                    }
                });
            }
        }
        children.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut seen = HashSet::new();
        children.retain(|(_, node)| seen.insert(node.page));
        nodes = children.into_iter().take(playfields).map(|(_, node)| node).collect();
    }
    found
}
