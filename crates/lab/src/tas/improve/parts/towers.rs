//! Towers: a beam over playfields with freely chosen pieces, from the empty playfield or from a burst to the first cycles.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{HIDDEN_ROWS, Piece, ROWS, WIDTH};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach, Spawned};

use super::course::{Course, Entry, Layer, Way};
use crate::tas::beam::packed;
use crate::tas::improve::shape::Edge;
use crate::tas::path::MOST_FALL;
use crate::tas::values::Tables;

/// A playfield of a beam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Built {
    pub page: Page,
    /// The clears up to it.
    pub clears: u8,
    /// Was its last piece an I, and is no I wanted after it?
    pub after_i: bool,
}

impl Built {
    /// A playfield before the first piece of a beam.
    pub(super) fn first(page: Page) -> Built {
        Built { page, clears: 0, after_i: false }
    }
}

/// The frames of a playfield, less what it is worth: the playfield, the frames, and what the table says that it is worth.
type Key<'a> = &'a (dyn Fn(&Page, f32, f32) -> f32 + Sync);
/// What an end counts: the playfield and its clears. `None`: it is no end.
type End<'a> = &'a (dyn Fn(&Page, u8) -> Option<f32> + Sync);

/// A beam over playfields.
pub(super) struct Beam<'a> {
    /// A game before its first piece here: its level counts.
    pub first: Spawned,
    /// Is its first piece the first of the game?
    pub hangs: bool,
    pub most_pieces: usize,
    /// No piece is placed after this many clears.
    pub most_clears: u8,
    /// Playfields that are kept after each piece with as many clears.
    pub kept: usize,
    pub key: Key<'a>,
    pub end: End<'a>,
    /// May an I come after an I? The generator draws that with few spawn counts only.
    pub repeats_i: bool,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// Playfields that a thread goes on from at a time. Chosen by hand, not measured.
const CHUNK: usize = 32;

/// What one piece makes of a playfield.
#[derive(Debug, Clone, Copy)]
struct Child {
    key: f32,
    from: u32,
    way: Way,
    built: Built,
    frames: f32,
}

impl Beam<'_> {
    /// The ways that were found from these playfields; each of them has the frames that it comes later than the first one. Left out is what
    /// takes over `more` frames more than the fastest way. `None` if there is none, or it was stopped.
    pub(super) fn course(&self, starts: &[(Built, f32)], more: f32) -> Option<Course> {
        let mut built: Vec<Built> = starts.iter().map(|start| start.0).collect();
        let mut frames: Vec<f32> = starts.iter().map(|start| start.1).collect();
        let mut course = Course::default();
        for pieces in 0..=self.most_pieces {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let end = |it: &Built| (self.end)(&it.page, it.clears).filter(|_| pieces > 0);
            let mut layer = Layer { ways: vec![Vec::new(); built.len()], ends: built.iter().map(end).collect() };
            let (mut next, mut then) = (Vec::new(), Vec::new());
            if pieces < self.most_pieces {
                for child in self.children(&built, &frames, pieces) {
                    layer.ways[child.from as usize].push(child.way);
                    if child.way.to as usize == next.len() {
                        next.push(child.built);
                        then.push(child.frames);
                    }
                    let fewest: &mut f32 = &mut then[child.way.to as usize];
                    *fewest = fewest.min(child.frames);
                }
            }
            course.layers.push(layer);
            (built, frames) = (next, then);
        }
        let entries: Vec<Entry> = (0..).zip(starts).map(|(at, start)| (0, at, start.1)).collect();
        course.pruned(&entries, more)
    }

    /// All ways to the playfields that are kept, the best first. Each way to a new one comes after those to all before it.
    fn children(&self, built: &[Built], frames: &[f32], pieces: usize) -> Vec<Child> {
        let tables = Tables::built_in();
        let level = self.first.progress.level;
        let gravity = frames_per_row(level);
        let chunks: Vec<(u32, &[Built])> = (0..).step_by(CHUNK).zip(built.chunks(CHUNK)).collect();
        let found =
            parallel::map(self.threads, &mut Reach::stopping(), Reach::stopping, chunks, |reach, (first, chunk)| {
                let mut found = Vec::new();
                for (from, &Built { page, clears, after_i }) in (first..).zip(chunk) {
                    if clears >= self.most_clears {
                        continue;
                    }
                    let values = tables.of(gravity).parent(&page);
                    for piece in Piece::ALL.into_iter().filter(|&piece| !(after_i && piece == Piece::I)) {
                        let now = Spawned { page, piece, ..self.first };
                        reach.landings(&page, piece, gravity, self.hangs && pieces == 0, MOST_FALL, |landing| {
                            let locked = now.lock(landing.placement, landing.frames, 0);
                            let clears = clears + u8::from(locked.rows > 0);
                            if !matches!(locked.rows, 0 | 4) {
                                return;
                            }
                            let edge = Edge::of(&locked, landing);
                            let frames = frames[from as usize] + f32::from(edge.frames);
                            let key = (self.key)(locked.page(), frames, tables.after(&values, &locked));
                            let placement = packed(landing.placement);
                            let way = Way { piece, placement, frames: edge.frames, clears: locked.rows > 0, to: 0 };
                            let after_i = piece == Piece::I && !self.repeats_i;
                            let built = Built { page: *locked.page(), clears, after_i };
                            found.push(Child { key, from, way, built, frames });
                        });
                    }
                }
                found
            });
        let mut all = found.concat();
        let ties = |child: &Child| (child.from, child.way.placement);
        all.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then_with(|| ties(a).cmp(&ties(b))));
        let mut index: HashMap<Built, u32> = HashMap::new();
        let mut kept: HashMap<u8, usize> = HashMap::new();
        all.retain_mut(|child| {
            let new = index.len() as u32;
            let to = index.get(&child.built).copied().or_else(|| {
                let kept = kept.entry(child.built.clears).or_default();
                *kept += 1;
                (*kept <= self.kept).then(|| *index.entry(child.built).or_insert(new))
            });
            child.way.to = to.unwrap_or(0);
            to.is_some()
        });
        all
    }
}

/// The uppermost row with an occupied cell; 20: there is none.
pub(super) fn top_row(page: &Page) -> i8 {
    (0..ROWS as i8).find(|&row| page.row(row) != 0).unwrap_or(ROWS as i8)
}

/// The playfield with a straight needle below its highest row, one column wide. What stands that deep decides nothing more, but
/// the learned values see holes below every step of a needle.
pub(super) fn straightened(page: &Page) -> Page {
    let top = top_row(page);
    let mut straight = Page::EMPTY;
    let mut occupy = |row: i8, cells: u16| {
        (0..WIDTH as i8).filter(|column| cells >> column & 1 == 1).for_each(|column| straight.occupy(row, column));
    };
    (-(HIDDEN_ROWS as i8)..(top + 1).min(ROWS as i8)).for_each(|row| occupy(row, page.row(row)));
    if top + 1 < ROWS as i8 {
        let held = page.row(top) & page.row(top + 1);
        let cells = if held == 0 { page.row(top) } else { held };
        (top + 1..ROWS as i8).for_each(|row| occupy(row, cells & cells.wrapping_neg()));
    }
    straight
}
