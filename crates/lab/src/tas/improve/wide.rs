//! Long stretches, which go on after their clears: the playfields at the clears between may change, too.
//!
//! All ways to fill the cells of such a stretch are too many. A beam over playfields finds some of them: those that are
//! worth most, and lead to nothing that the stretch does not end with.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::Piece;
use maxout_engine::game::scoring::Progress;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach, Spawned};

use super::shape::{Edge, Found, Shape};
use super::skeleton::Step;
use crate::tas::path::MOST_FALL;
use crate::tas::values::Tables;

/// What a clear counts, in frames: what it takes, at both speeds about. All playfields of a stretch have the same clears behind
/// them at its end, so it only says how soon they come.
const CLEAR: f32 = 250.0;
/// Playfields that a thread goes on from at a time. Chosen by hand, not measured.
const CHUNK: usize = 32;

/// How long stretches are listed.
pub(super) struct Wide<'a> {
    pub tables: &'a Tables,
    /// Playfields that are kept after each piece.
    pub playfields: usize,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// A playfield after some pieces of a stretch.
#[derive(Debug, Clone, Copy)]
struct Node {
    page: Page,
    /// Clears of the stretch so far.
    clears: usize,
    /// Frames of the fastest way to it, if every piece comes when it is wanted.
    frames: f32,
}

/// What one piece makes of a playfield.
#[derive(Debug, Clone, Copy)]
struct Child {
    found: Found,
    node: Node,
    key: f32,
}

/// Where the steps of a stretch lead.
struct Course {
    /// Of the clears so far: the cells that may be occupied.
    allowed: Vec<Page>,
    /// Of the clears so far: lines and level.
    progress: Vec<Progress>,
    /// Rows of each clear.
    rows: Vec<u8>,
    /// The playfield at the end.
    end: Page,
    /// Does the last piece bring the goal? Then the last clear does not come before it.
    goal: bool,
}

impl Course {
    fn of(steps: &[Step], goal: bool) -> Option<Course> {
        let (first, end) = (steps.first()?, steps.last()?.page);
        let mut course =
            Course { allowed: vec![end], progress: vec![first.spawned.progress], rows: Vec::new(), end, goal };
        let clears = || steps.iter().filter(|step| step.rows > 0);
        for step in clears() {
            let mut progress = step.spawned.progress;
            progress.count(step.spawned.game_type, step.rows);
            course.progress.push(progress);
            course.rows.push(step.rows);
        }
        let mut allowed = end;
        for step in clears().rev() {
            allowed = before(step, &allowed);
            course.allowed.push(allowed);
        }
        course.allowed.reverse();
        Some(course)
    }

    /// May a stretch go on from here, or end here after its last piece?
    fn goes_on(&self, node: &Node, is_last: bool) -> bool {
        let has_all_clears = node.clears == self.rows.len();
        if is_last { has_all_clears && node.page == self.end } else { !(self.goal && has_all_clears) }
    }
}

/// The cells that may be occupied before a step clears rows, if these may be occupied after it: its own ones, those that
/// vanish, and those that come to lie in such a cell.
fn before(step: &Step, after: &Page) -> Page {
    let mut allowed = step.spawned.page;
    step.placement.cells().into_iter().for_each(|(row, column)| allowed.occupy(row, column));
    let after = union(&step.page, after);
    for cell in 0..256 {
        let cell = Page::from_cells(|other| other == cell);
        let mut with = union(&step.spawned.page, &cell);
        if with.lock(step.placement) == step.rows && lies_within(&with, &after) {
            allowed = union(&allowed, &cell);
        }
    }
    allowed
}

/// The cells that are occupied in one of these pages, or in both.
fn union(one: &Page, other: &Page) -> Page {
    let (one, other) = (one.words(), other.words());
    Page::from_words(std::array::from_fn(|word| one[word] | other[word]))
}

/// Is each occupied cell occupied in the other page as well?
fn lies_within(page: &Page, other: &Page) -> bool {
    page.words().into_iter().zip(other.words()).all(|(cells, others)| cells & !others == 0)
}

impl Wide<'_> {
    /// Some ways from the first of these steps to the playfield after the last one, with the same clears; the steps are one of
    /// them. `hangs`: they begin with the first piece; `goal`: they end with the goal. `None` if it was stopped, or a step
    /// cannot be made.
    pub(super) fn shape(&self, steps: &[Step], hangs: bool, goal: bool) -> Option<Shape> {
        let course = Course::of(steps, goal)?;
        let first = steps[0].spawned;
        let mut nodes = vec![Node { page: first.page, clears: 0, frames: 0.0 }];
        let mut counts = vec![nodes.len()];
        let mut layers: Vec<Vec<Found>> = Vec::new();
        let mut clears = 0;
        for (layer, step) in steps.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let is_last = layer + 1 == steps.len();
            let chunks: Vec<(u32, &[Node])> = (0..).step_by(CHUNK).zip(nodes.chunks(CHUNK)).collect();
            let children = parallel::map(
                self.threads,
                &mut Reach::stopping(),
                Reach::stopping,
                chunks,
                |reach, (parents, chunk)| {
                    let mut children = Vec::new();
                    for (from, node) in (parents..).zip(chunk) {
                        self.children(&course, first, (from, node), hangs && layer == 0, reach, &mut children);
                    }
                    children.retain(|child: &Child| course.goes_on(&child.node, is_last));
                    children
                },
            );
            clears += usize::from(step.rows > 0);
            let (next, found) = self.choose(&children.concat(), (step.page, clears));
            counts.push(next.len());
            layers.push(found);
            nodes = next;
        }
        Shape::backwards(&counts, layers)
    }

    /// All that one piece makes of a playfield, as far as it may lead to the end.
    fn children(
        &self,
        course: &Course,
        first: Spawned,
        (from, node): (u32, &Node),
        hangs: bool,
        reach: &mut Reach,
        children: &mut Vec<Child>,
    ) {
        let progress = course.progress[node.clears];
        let gravity = frames_per_row(progress.level);
        let values = self.tables.of(gravity).parent(&node.page);
        for piece in Piece::ALL {
            let spawned = Spawned { page: node.page, piece, progress, ..first };
            reach.landings(&node.page, piece, gravity, hangs, MOST_FALL, |landing| {
                let locked = spawned.lock(landing.placement, landing.frames, 0);
                let (page, clears) = (*locked.page(), node.clears + usize::from(locked.rows > 0));
                let is_clear = locked.rows == 0 || course.rows.get(node.clears) == Some(&locked.rows);
                if !is_clear || !lies_within(&page, &course.allowed[clears]) {
                    return;
                }
                let edge = Edge::of(&locked, landing);
                let frames = node.frames + f32::from(edge.frames);
                let key = frames - self.tables.after(&values, &locked) - CLEAR * clears as f32;
                children.push(Child { found: Found { from, piece, edge }, node: Node { page, clears, frames }, key });
            });
        }
    }

    /// The playfields of the next layer, none twice, and all placements that lead to them. The stretch's own one is
    /// always among them.
    fn choose(&self, children: &[Child], own: (Page, usize)) -> (Vec<Node>, Vec<Found>) {
        let playfield = |child: &Child| (child.node.page, child.node.clears);
        let mut order: Vec<&Child> = children.iter().collect();
        order.sort_by(|a, b| {
            let is_other = |child: &Child| playfield(child) != own;
            is_other(a).cmp(&is_other(b)).then(a.key.total_cmp(&b.key))
        });
        let mut index: HashMap<(Page, usize), u32> = HashMap::new();
        let (mut nodes, mut all): (Vec<Node>, _) = (Vec::new(), Vec::new());
        // The first child with a playfield has the fewest frames of them: it is worth as much in all of them.
        for child in order {
            let to = match index.get(&playfield(child)) {
                Some(&to) => to,
                None if nodes.len() < self.playfields => {
                    nodes.push(child.node);
                    index.insert(playfield(child), nodes.len() as u32 - 1);
                    nodes.len() as u32 - 1
                }
                None => continue,
            };
            let edge = Edge { to, ..child.found.edge };
            all.push(Found { edge, ..child.found });
        }
        (nodes, all)
    }
}
