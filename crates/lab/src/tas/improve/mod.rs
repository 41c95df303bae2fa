//! Makes a recorded game faster: the same playfields at some points, and other pieces, placements and
//! delays between them.
//!
//! The game is cut into [`Stretches`]: short ones that end with a clear, or after [`Improving::shape`] pieces, and long
//! ones that go on after their clears. For each stretch a shape lists ways to get from its first playfield to its last
//! one: of a short stretch all of them. A beam search then goes through all stretches with the game's own generator: a later
//! lock, a stop or a pause brings other pieces.

mod cells;
mod columns;
mod cycles;
mod done;
mod error;
mod frames_left;
mod parts;
mod progress;
mod shape;
pub(super) mod skeleton;
mod stretches;
#[cfg(test)]
pub(super) mod tests;
mod wide;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::scoring::Score;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::gamepad::Buttons;
use maxout_engine::parallel;
use maxout_engine::tas::{Landing, Locked, Opening, Page, Reach, Spawned, openings};

use super::beam::{hash_of_game, in_order, packed};
use super::count::Count;
use super::ending::Ending;
use super::goal::Goal;
use super::path::{Found, MOST_FALL, Move};
use super::plan::{Plan, Planning};
use super::values::Tables;
pub use columns::{Columns, ColumnsError};
use cycles::{Effort, Library, Listing};
use done::{Done, MOST_DELAY, pauses};
pub use error::ImproveError;
use frames_left::{ByPieces, FramesLeft, LUCK};
use parts::Remake;
pub use parts::{Lists, ListsError};
pub use progress::Progress;
use shape::{Edge, Layer, Shape};
use skeleton::{Skeleton, playfields};
use stretches::{LONG, long_cuts, short_cuts};
pub use stretches::{SearchOfParts, Stretches};
use wide::Wide;

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Improving {
    /// What is to be reached.
    pub goal: Goal,
    /// Up to which frame a game is measured.
    pub count: Count,
    /// Most pieces of a short stretch: 1 keeps all placements and changes only when pieces lock.
    pub shape: usize,
    /// Playfields that are kept after each piece of a long stretch; 0: there are none.
    pub across: usize,
    /// Are all cycles of a run searched at once?
    pub cycles: bool,
    /// Are the towers, the burst and the runs of cycles searched from scratch, with other numbers of cycles?
    pub parts: Option<SearchOfParts>,
    /// Games kept after each piece.
    pub width: usize,
    /// Frames by which the menus may be delayed.
    pub menu_delay: u32,
}

/// What a point of pushdown is worth in frames where the clears alone do not reach the goal: tried in turn until a game
/// has enough of them. The first is enough for the movie 239M, which needs 399 points (stretches of 4 pieces, 1,000 games):
/// its game has them in the frame of the one that was found without looking at points, which had 275.
const WORTHS: [f32; 3] = [0.1, 0.4, 1.6];

/// Delays of a lock for which its rows of pushdown are counted, in frames; they count as none for longer ones. With 8
/// the movie 239M comes to frame 14,241 in twice the time, with 4 to frame 14,249.
const PUSHED_DELAYS: u32 = 4;

impl Improving {
    /// Most stretches of [`Improving::stretches`].
    pub const MOST_STRETCHES: usize = 7;

    /// The stretches of its searches, in turn: stretches that begin elsewhere find what others cut in two.
    pub fn stretches(&self) -> Vec<Stretches> {
        let firsts: &[usize] = if self.across > 0 { &[0, LONG / 3, 2 * LONG / 3] } else { &[] };
        let shifts: &[usize] = if self.shape > 1 { &[0, self.shape / 2] } else { &[0] };
        let long = firsts.iter().map(|&first| Stretches::Long { first });
        let cycles = self.cycles.then_some(Stretches::Cycles);
        let parts = self.parts.map(Stretches::Parts);
        parts
            .into_iter()
            .chain(cycles)
            .chain(long)
            .chain(shifts.iter().map(|&shift| Stretches::Short { shift }))
            .collect()
    }
}

/// A game of a layer.
#[derive(Debug, Clone, Copy)]
struct Game {
    now: Spawned,
    /// Its playfield in the layer of the shape.
    node: u32,
}

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    key: f32,
    done: Done,
    node: u32,
}

/// Stretches that are listed between two calls for progress. Chosen by hand, not measured.
const SHAPES_AT_ONCE: usize = 8;

/// A recorded game that is being improved.
#[derive(Debug, Clone)]
pub struct Improvement {
    settings: Improving,
    skeleton: Skeleton,
    /// The points that pushdown must bring, since the clears alone do not reach the goal.
    pushdown: u32,
    library: Library,
    lists: Lists,
    /// Playfields of other games after their clears.
    others: Vec<Page>,
}

impl Improvement {
    /// Takes a game apart: its buttons from power-on, one entry for each frame.
    ///
    /// # Errors
    /// When no game is played in it, or the goal is not reached.
    pub fn of(buttons: &[Buttons], settings: Improving) -> Result<Improvement, ImproveError> {
        let skeleton = Skeleton::of(buttons, settings.goal)?;
        let score = skeleton.points_of_clears().last().map_or(0, |&(_, points)| points);
        let pushdown = match settings.goal {
            Goal::Score(points) => points.saturating_sub(score),
            Goal::Lines(_) | Goal::Level(_) | Goal::BType(_) => 0,
        };
        if pushdown > 0 && skeleton.steps.last().is_none_or(|last| last.rows == 0) {
            return Err(ImproveError::NoClear { goal: settings.goal, score });
        }
        Ok(Improvement::new(settings, skeleton, pushdown))
    }

    fn new(settings: Improving, skeleton: Skeleton, pushdown: u32) -> Improvement {
        let (library, lists) = (Library::default(), Lists::default());
        Improvement { settings, skeleton, pushdown, library, lists, others: Vec::new() }
    }

    /// The same for another game; the cycles that were listed, and the playfields of other games, stay.
    ///
    /// # Errors
    /// As for [`Improvement::of`].
    pub fn of_another(&self, buttons: &[Buttons]) -> Result<Improvement, ImproveError> {
        Ok(Improvement {
            library: self.library.clone(),
            lists: self.lists.clone(),
            others: self.others.clone(),
            ..Improvement::of(buttons, self.settings)?
        })
    }

    /// The same with the lists of other searches.
    #[must_use]
    pub fn with_lists(self, lists: Lists) -> Improvement {
        Improvement { lists, ..self }
    }

    /// The same with playfields of other games: a search of parts lists the cycles between them, too.
    #[must_use]
    pub fn with_playfields(self, others: Vec<Page>) -> Improvement {
        Improvement { others, ..self }
    }

    /// The playfields after its clears.
    pub fn playfields(&self) -> Vec<Page> {
        playfields(&self.skeleton.steps)
    }

    /// A plan, which has no frames yet.
    pub fn of_plan(plan: &Plan, settings: Improving) -> Improvement {
        Improvement::new(settings, Skeleton::of_plan(plan), 0)
    }

    /// The game as a plan, which may be planned again. `None` if its clears alone do not make the goal, or no opening has its first
    /// two pieces.
    pub fn plan(&self, planning: Planning) -> Option<Plan> {
        let first = self.skeleton.opening.first;
        let opening = planning.opening((first.piece, first.next))?;
        let plan = Plan { opening, placements: self.skeleton.steps.iter().map(|step| step.placement).collect() };
        planning.frames(&plan).is_some().then_some(plan)
    }

    /// The frame in which the recorded game reaches the goal; of a plan it means nothing.
    pub const fn frame(&self) -> u32 {
        self.skeleton.frame
    }

    /// The frames up to the last one with a button pressed, up to the goal.
    pub fn length(&self) -> u32 {
        self.skeleton.length
    }

    /// The level that it starts from.
    pub const fn start_level(&self) -> u8 {
        self.skeleton.opening.first.progress.level
    }

    /// The pieces up to the goal.
    pub fn pieces(&self) -> usize {
        self.skeleton.steps.len()
    }

    /// Searches with these stretches; `None` if it was stopped before it had a game, which only a search of parts has before its end. `shown` is called after each piece.
    ///
    /// # Errors
    /// When no game of the search reaches the movie's playfields, or the one that does lacks points of pushdown.
    pub fn search(
        &self,
        stretches: Stretches,
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(Progress),
    ) -> Result<Option<Found>, ImproveError> {
        let shapes = match stretches {
            Stretches::Short { shift } => self.short_shapes(0..self.pieces(), shift, threads, stop, &mut shown)?,
            Stretches::Long { first } => self.long_shapes(0..self.pieces(), first, threads, stop, &mut shown)?,
            Stretches::Cycles => self.shapes_with_cycles(threads, stop, &mut shown)?,
            Stretches::Parts(parts) => return self.remake(parts, threads, stop, &mut shown),
        };
        let Some(shapes) = shapes else { return Ok(None) };
        if self.pushdown == 0 {
            return self.search_through(&shapes, 0.0, threads, stop, &mut shown);
        }
        for worth in WORTHS {
            match self.search_through(&shapes, worth, threads, stop, &mut shown) {
                Ok(Some(mut found)) => {
                    found.pushes = true;
                    // Pieces that wait long may be pushed down further than was counted, and a carry loses points.
                    if matches!(self.settings.goal, Goal::Score(points) if found.score() >= Some(points)) {
                        return Ok(Some(found));
                    }
                }
                Ok(None) => return Ok(None),
                Err(ImproveError::Lost { piece }) if piece == self.pieces() => {}
                Err(error) => return Err(error),
            }
        }
        Err(ImproveError::Pushdown { goal: self.settings.goal, points: self.pushdown })
    }

    /// Searches the parts of the game from scratch; `None` if it was stopped before it had a game.
    fn remake(
        &self,
        parts: SearchOfParts,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Found>, ImproveError> {
        let Improving { goal, width, .. } = self.settings;
        let shapes = |pieces, shown: &mut dyn FnMut(Progress)| {
            self.shapes_between(pieces, threads, stop, &mut |progress| shown(progress)).ok().flatten()
        };
        let (steps, openings) = (&self.skeleton.steps, &self.openings());
        let (lists, others) = (&self.lists, &self.others);
        Remake { steps, openings, others, shapes: &shapes, parts, goal, width, lists, threads, stop }.search(shown)
    }

    /// The shapes of all runs of cycles, and of the stretches between them; `None` if it was stopped.
    fn shapes_with_cycles(
        &self,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Vec<Shape>>, ImproveError> {
        let steps = &self.skeleton.steps;
        let mut all = Vec::new();
        let mut from = 0;
        let runs = cycles::runs(steps);
        for run in runs.iter().map(Some).chain([None]) {
            let to = run.map_or(steps.len(), |run| run.pieces.start);
            let Some(between) = self.shapes_between(from..to, threads, stop, shown)? else { return Ok(None) };
            all.extend(between);
            let Some(run) = run else { break };
            let listing = Listing { effort: Effort::BUILT_IN, library: &self.library, threads, stop };
            match listing.shape(steps, run, |cycles, of| shown(Progress::Cycles { cycles, of })) {
                Some(shape) => {
                    all.push(shape);
                    from = run.pieces.end;
                }
                None if stop.load(Ordering::Relaxed) => return Ok(None),
                // It is no run for the list of cycles.
                None => from = run.pieces.start,
            }
        }
        Ok(Some(all))
    }

    /// The shapes of all stretches of these pieces, long ones if the settings allow them; `None` if it was stopped.
    fn shapes_between(
        &self,
        pieces: Range<usize>,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Vec<Shape>>, ImproveError> {
        match self.settings.across {
            0 => self.short_shapes(pieces, 0, threads, stop, shown),
            _ => self.long_shapes(pieces, 0, threads, stop, shown),
        }
    }

    /// The shapes of all long stretches of these pieces; `None` if it was stopped.
    fn long_shapes(
        &self,
        pieces: Range<usize>,
        first: usize,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Vec<Shape>>, ImproveError> {
        let steps = &self.skeleton.steps;
        let wide = Wide { tables: Tables::built_in(), playfields: self.settings.across, threads, stop };
        let mut all = Vec::new();
        for pair in long_cuts(&steps[pieces.clone()], LONG, first).windows(2) {
            let (from, to) = (pieces.start + pair[0], pieces.start + pair[1]);
            let shape = wide.shape(&steps[from..to], from == 0, to == steps.len());
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            all.push(shape.ok_or(ImproveError::Lost { piece: from + 1 })?);
            shown(Progress::Listed { pieces: to, of: steps.len() });
        }
        Ok(Some(all))
    }

    /// The shapes of all short stretches of these pieces; `None` if it was stopped.
    fn short_shapes(
        &self,
        pieces: Range<usize>,
        shift: usize,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Vec<Shape>>, ImproveError> {
        let steps = &self.skeleton.steps;
        let cuts = short_cuts(&steps[pieces.clone()], self.settings.shape, shift);
        let pairs: Vec<(usize, usize)> =
            cuts.windows(2).map(|pair| (pieces.start + pair[0], pieces.start + pair[1])).collect();
        let mut all = Vec::with_capacity(pairs.len());
        for some in pairs.chunks(SHAPES_AT_ONCE) {
            let shapes =
                parallel::map(threads, &mut Reach::stopping(), Reach::stopping, some.to_vec(), |reach, (from, to)| {
                    if stop.load(Ordering::Relaxed) {
                        return Err(None);
                    }
                    Shape::of(&steps[from..to], from == 0, reach).ok_or(Some(ImproveError::Lost { piece: from + 1 }))
                });
            for shape in shapes {
                match shape {
                    Ok(shape) => all.push(shape),
                    Err(None) => return Ok(None),
                    Err(Some(error)) => return Err(error),
                }
            }
            shown(Progress::Listed { pieces: some.last().map_or(0, |&(_, to)| to), of: steps.len() });
        }
        Ok(Some(all))
    }

    fn search_through(
        &self,
        all: &[Shape],
        worth: f32,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Found>, ImproveError> {
        let steps = &self.skeleton.steps;
        let by_clears = self.skeleton.points_of_clears();
        let frames_left = FramesLeft::of(all, LUCK, self.skeleton.opening.first.generator.spawn_count);
        let openings = self.openings();
        let mut games: Vec<Game> = openings.iter().map(|opening| Game { now: opening.first, node: 0 }).collect();
        let mut trail: Vec<Vec<Done>> = Vec::new();
        let mut best: Option<(u32, Done)> = None;
        // The game whose last button comes first: its layer, and its index there.
        let mut ending: Option<(Ending, usize, u32)> = None;
        for (index, shape) in all.iter().enumerate() {
            for (at, layer) in shape.layers.iter().enumerate() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let then = if at + 1 < shape.pieces() {
                    Some(frames_left.by_pieces(index, at + 1, &shape.layers[at + 1]))
                } else {
                    all.get(index + 1).map(|then| frames_left.by_pieces(index + 1, 0, &then.layers[0]))
                };
                let hangs = trail.is_empty();
                let place = Place { layer, then: then.as_deref(), hangs, worth, clears: &by_clears };
                let chunks: Vec<(u32, &[Game])> = (0..).step_by(64).zip(games.chunks(64)).collect();
                let found =
                    parallel::map(threads, &mut Reach::stopping(), Reach::stopping, chunks, |reach, (first, chunk)| {
                        let mut found = Expanded::default();
                        for (parent, game) in (first..).zip(chunk) {
                            self.expand(reach, &place, parent, game, &mut found);
                            if self.settings.count == Count::Input && !place.hangs {
                                self.end(reach, parent, game, &mut found);
                            }
                        }
                        found
                    });
                let mut candidates = Vec::new();
                for expanded in found {
                    candidates.extend(expanded.candidates);
                    if let Some((found, parent)) = expanded.ending
                        && found.is_before(ending.as_ref().map(|(best, ..)| best))
                    {
                        ending = Some((found, trail.len(), parent));
                    }
                    if let Some(goal) = expanded.goal
                        && best.is_none_or(|best| goal.0 < best.0)
                    {
                        best = Some(goal);
                    }
                }
                if place.then.is_none() {
                    break;
                }
                let chosen = choose(&games, candidates, self.settings.width);
                let piece = trail.len() + 1;
                let Some((_, first)) = chosen.first() else { return Err(ImproveError::Lost { piece }) };
                let movie = steps.get(piece).map_or(self.skeleton.frame, |step| step.spawned.frame);
                shown(Progress::Placed { pieces: piece, of: steps.len(), frame: first.now.frame, movie });
                let done;
                (done, games) = chosen.into_iter().unzip();
                trail.push(done);
            }
        }
        let (frame, layers, mut at, mut moves) = match (ending, best) {
            (Some((ending, layers, at)), _) => {
                let moves: Vec<Move> = ending.moves().collect();
                (ending.frame, layers, at, moves.into_iter().rev().collect())
            }
            (None, Some((frame, done))) => (frame, trail.len(), done.parent, vec![done.as_move()]),
            (None, None) => return Err(ImproveError::Lost { piece: self.pieces() }),
        };
        for layer in trail[..layers].iter().rev() {
            let done = layer[at as usize];
            moves.push(done.as_move());
            at = done.parent;
        }
        moves.reverse();
        Ok(Some(Found::new(openings[at as usize].clone(), moves, frame)))
    }

    /// The movie's menus, and others that lead to the same playfield sooner or a little later.
    fn openings(&self) -> Vec<Opening> {
        let first = &self.skeleton.opening.first;
        let mut all = vec![self.skeleton.opening.clone()];
        all.extend(openings(self.settings.goal.choice(self.start_level()), self.settings.menu_delay));
        all.retain(|opening| opening.first.page == first.page);
        all
    }

    /// The end of this game, if its last button comes sooner than that of the others.
    fn end(&self, reach: &mut Reach, parent: u32, game: &Game, found: &mut Expanded) {
        let best = found.ending.as_ref().map(|(best, _)| best);
        let before = best.map(|best| best.input + 1);
        if let Some(ending) = Ending::of(reach, &game.now, self.settings.goal, before)
            && ending.is_before(best)
        {
            found.ending = Some((ending, parent));
        }
    }

    /// What the points of pushdown so far are worth, in frames. Those beyond what is needed are worth nothing.
    fn worth_of_pushdown(&self, place: &Place<'_>, locked: &Locked) -> f32 {
        if self.pushdown == 0 {
            return 0.0;
        }
        let (lines, score) = (locked.progress().lines(), locked.score());
        let by_clears = place.clears.iter().find(|(then, _)| *then == lines).map_or(0, |&(_, points)| points);
        place.worth * score.value().saturating_sub(by_clears).min(self.pushdown) as f32
    }

    fn expand(&self, reach: &mut Reach, place: &Place<'_>, parent: u32, game: &Game, found: &mut Expanded) {
        let now = &game.now;
        let edges = place.layer.edges(game.node, now.piece);
        if edges.is_empty() {
            return;
        }
        let gravity = frames_per_row(now.progress.level);
        reach.locks(&now.page, now.piece, gravity, place.hangs, MOST_FALL, &mut found.locks);
        let lock_of =
            |edge: &Edge| found.locks.iter().find(|(landing, _)| landing.placement == edge.placement).copied();
        let ways: Vec<(&Edge, (Landing, u64))> = edges.iter().filter_map(|edge| Some((edge, lock_of(edge)?))).collect();
        // One entry for each way and delay; 0 where the piece does not lock.
        let pushdowns = if place.worth > 0.0 && !place.hangs {
            let delayed = |&(_, (landing, _)): &(&Edge, (Landing, u64))| {
                (0..PUSHED_DELAYS).map(move |delay| Landing { frames: landing.frames + delay, ..landing })
            };
            let locks: Vec<Landing> = ways.iter().flat_map(delayed).collect();
            reach.pushdowns(&now.page, now.piece, gravity, &locks)
        } else {
            Vec::new()
        };
        for (way, &(edge, (landing, later))) in ways.iter().enumerate() {
            let done =
                Done { parent, placement: packed(edge.placement), frames: landing.frames as u8, pause: 0, pushdown: 0 };
            let pushdowns = pushdowns.chunks(PUSHED_DELAYS as usize).nth(way).unwrap_or_default();
            let soonest = now.lock(edge.placement, landing.frames, 0).entry_delay + landing.frames;
            // What each delay has brought: rows of pushdown and one.
            let mut delays = [0_u32; MOST_DELAY as usize];
            for after in (0..MOST_DELAY).filter(|after| later >> after & 1 == 1) {
                let frames = landing.frames + after;
                let pushdown = pushdowns.get(after as usize).map_or(0, |&rows| rows as u8);
                let done = Done { frames: frames as u8, pushdown, ..done };
                let locked = now.lock(edge.placement, frames, pushdown);
                let Some(then) = place.then else {
                    let frame = now.frame + locked.frames_to_score();
                    let reaches = self.settings.goal.is_reached(locked.score(), locked.progress());
                    if reaches && found.goal.is_none_or(|goal| frame < goal.0) {
                        found.goal = Some((frame, done));
                    }
                    continue;
                };
                let bonus = self.worth_of_pushdown(place, &locked);
                for (delay, pause) in pauses(&locked, soonest) {
                    let is_new = delays[delay as usize] <= u32::from(pushdown);
                    delays[delay as usize] = delays[delay as usize].max(u32::from(pushdown) + 1);
                    if !is_new {
                        continue;
                    }
                    let next = locked.spawn(pause);
                    let left = then[edge.to as usize][next.piece.index()][next.next.index()];
                    if left.is_finite() {
                        let key = next.frame as f32 + left - bonus;
                        let done = Done { pause: pause.frames(), ..done };
                        found.candidates.push(Candidate { key, done, node: edge.to });
                    }
                }
            }
        }
    }
}

/// Where a search is.
struct Place<'a> {
    layer: &'a Layer,
    /// The frames left from the playfields of the next layer. `None`: the goal is to be reached.
    then: Option<&'a [ByPieces]>,
    hangs: bool,
    /// What a point of pushdown is worth, in frames.
    worth: f32,
    /// The lines after each clear of the game, and the points of all clears up to it.
    clears: &'a [(u16, u32)],
}

/// What the expansion of some games gives.
#[derive(Default)]
struct Expanded {
    candidates: Vec<Candidate>,
    /// The fastest that reaches the goal: its frame, and its last piece.
    goal: Option<(u32, Done)>,
    /// The one whose last button comes first, and where it comes from.
    ending: Option<(Ending, u32)>,
    locks: Vec<(Landing, u64)>,
}

/// The fastest looking games, none twice.
fn choose(games: &[Game], mut candidates: Vec<Candidate>, width: usize) -> Vec<(Done, Game)> {
    let order = |a: &Candidate, b: &Candidate| a.key.total_cmp(&b.key).then_with(|| a.done.cmp(&b.done));
    let mut seen = HashSet::with_capacity(2 * width);
    let mut chosen = Vec::with_capacity(width);
    in_order(&mut candidates, 2 * width, order, |&Candidate { done, node, .. }| {
        let now = done.played(&games[done.parent as usize].now);
        if seen.insert(hash_of_game(&Spawned { score: Score([0; 3]), ..now })) {
            chosen.push((done, Game { now, node }));
        }
        chosen.len() < width
    });
    chosen
}
