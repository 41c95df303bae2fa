//! Makes a recorded game faster: the same playfields at some points, and other pieces, placements and
//! delays between them.
//!
//! The game is cut into stretches that end with a clear, or after [`Improving::shape`] pieces. For each
//! stretch a shape lists every way to fill the cells that it fills. A beam search then goes through all
//! stretches with the game's own generator: a later lock, a stop or a pause brings other pieces.

mod error;
mod shape;
pub(super) mod skeleton;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::scoring::Score;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::gamepad::Buttons;
use maxout_engine::parallel;
use maxout_engine::tas::{Landing, Opening, Pause, Reach, Spawned, openings};

use super::beam::hash_of_game;
use super::count::Count;
use super::ending::Ending;
use super::goal::Goal;
use super::path::{Found, MOST_FALL, Move};
pub use error::ImproveError;
use shape::Shape;
use skeleton::{Skeleton, Step};

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Improving {
    /// What is to be reached.
    pub goal: Goal,
    /// Up to which frame a game is measured.
    pub count: Count,
    /// Most pieces of a stretch: 1 keeps all placements and changes only when pieces lock.
    pub shape: usize,
    /// Games kept after each piece.
    pub width: usize,
    /// Frames by which the menus may be delayed.
    pub menu_delay: u32,
}

/// Most frames that a piece takes longer than its fastest lock and entry delay. A piece is waited for no
/// longer: within 16 frames nearly all pieces are drawn.
const MOST_DELAY: u32 = 16;

/// A game of a layer.
#[derive(Debug, Clone, Copy)]
struct Game {
    now: Spawned,
    /// Its node in the layer of the shape.
    node: u32,
    parent: u32,
    last: Option<Move>,
}

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    key: f32,
    game: Game,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The ways to fill the cells of its stretches are being listed.
    Listed {
        /// The pieces in the stretches so far.
        pieces: usize,
        /// Pieces in all.
        of: usize,
    },
    /// Pieces have been placed.
    Placed {
        /// How many.
        pieces: usize,
        /// Pieces in all.
        of: usize,
        /// Frame of the fastest game so far.
        frame: u32,
        /// Frame of the movie there.
        movie: u32,
    },
}

/// Stretches that are listed between two calls for progress. Chosen by hand, not measured.
const SHAPES_AT_ONCE: usize = 8;

/// A recorded game that is being improved.
#[derive(Debug, Clone)]
pub struct Improvement {
    settings: Improving,
    skeleton: Skeleton,
}

impl Improvement {
    /// Takes a game apart: its buttons from power-on, one entry for each frame.
    ///
    /// # Errors
    /// When no game is played in it, or the goal is not reached.
    pub fn of(buttons: &[Buttons], settings: Improving) -> Result<Improvement, ImproveError> {
        let skeleton = Skeleton::of(buttons, settings.goal)?;
        Ok(Improvement { settings, skeleton })
    }

    /// The frame in which the recorded game reaches the goal.
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

    /// Searches with stretches that begin `shift` pieces later than the game; `None` if it was stopped.
    /// `shown` is called after each piece.
    ///
    /// # Errors
    /// When no game of the search reaches the movie's playfields.
    pub fn search(
        &self,
        shift: usize,
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(Progress),
    ) -> Result<Option<Found>, ImproveError> {
        let Some(shapes) = self.shapes(shift, threads, stop, &mut shown)? else { return Ok(None) };
        self.search_through(&shapes, threads, stop, &mut shown)
    }

    /// The shapes of all stretches; `None` if it was stopped.
    fn shapes(
        &self,
        shift: usize,
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Vec<Shape>>, ImproveError> {
        let steps = &self.skeleton.steps;
        let cuts = cuts(steps, self.settings.shape, shift);
        let pairs: Vec<(usize, usize)> = cuts.windows(2).map(|pair| (pair[0], pair[1])).collect();
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
        threads: usize,
        stop: &AtomicBool,
        shown: &mut impl FnMut(Progress),
    ) -> Result<Option<Found>, ImproveError> {
        let steps = &self.skeleton.steps;
        let openings = self.openings();
        let mut games: Vec<Game> = (0_u32..)
            .zip(&openings)
            .map(|(index, opening)| Game { now: opening.first, node: 0, parent: index, last: None })
            .collect();
        let mut trail: Vec<Vec<(u32, Move)>> = Vec::new();
        let mut best: Option<(u32, u32, Move)> = None;
        // The game whose last button comes first: its layer, and its index there.
        let mut ending: Option<(Ending, usize, u32)> = None;
        for (index, shape) in all.iter().enumerate() {
            for layer in 0..shape.pieces() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let is_goal = index + 1 == all.len() && layer + 1 == shape.pieces();
                let place = Place { shape, then: all.get(index + 1), layer, hangs: trail.is_empty(), is_goal };
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
                if is_goal {
                    break;
                }
                games = choose(candidates, self.settings.width);
                let piece = trail.len() + 1;
                let Some(first) = games.first() else { return Err(ImproveError::Lost { piece }) };
                let movie = steps.get(piece).map_or(self.skeleton.frame, |step| step.spawned.frame);
                shown(Progress::Placed { pieces: piece, of: steps.len(), frame: first.now.frame, movie });
                let moved = |game: &Game| game.last.map(|last| (game.parent, last));
                trail.push(games.iter().filter_map(moved).collect());
            }
        }
        let (frame, layers, mut at, mut moves) = match (ending, best) {
            (Some((ending, layers, at)), _) => {
                let moves: Vec<Move> = ending.moves().collect();
                (ending.frame, layers, at, moves.into_iter().rev().collect())
            }
            (None, Some((frame, at, last))) => (frame, trail.len(), at, vec![last]),
            (None, None) => return Err(self.unreached()),
        };
        for layer in trail[..layers].iter().rev() {
            let (parent, done) = layer[at as usize];
            moves.push(done);
            at = parent;
        }
        moves.reverse();
        Ok(Some(Found::new(openings[at as usize].clone(), moves, frame)))
    }

    /// Why the goal is not reached by the last lock.
    fn unreached(&self) -> ImproveError {
        let first = &self.skeleton.opening.first;
        let (mut score, mut progress) = (first.score, first.progress);
        for step in self.skeleton.steps.iter().filter(|step| step.rows > 0) {
            progress.count_a_type(step.rows);
            score.add_line_points(step.rows, progress.level);
        }
        let goal = self.settings.goal;
        if goal.is_reached(score, progress) {
            ImproveError::Lost { piece: self.pieces() }
        } else {
            ImproveError::Points { goal, score: score.value() }
        }
    }

    /// The movie's menus, and others that lead to the same two pieces sooner or a little later.
    fn openings(&self) -> Vec<Opening> {
        let first = &self.skeleton.opening.first;
        let mut all = vec![self.skeleton.opening.clone()];
        all.extend(openings(self.start_level(), self.settings.menu_delay));
        let fits = |now: &Spawned| (now.page, now.piece) == (first.page, first.piece);
        all.retain(|opening| fits(&opening.first));
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

    fn expand(&self, reach: &mut Reach, place: &Place<'_>, parent: u32, game: &Game, found: &mut Expanded) {
        let now = &game.now;
        let Place { shape, layer, .. } = *place;
        let node = &shape.layers[layer][game.node as usize];
        if node.edges.iter().all(|edge| edge.0 != now.piece) {
            return;
        }
        let gravity = frames_per_row(now.progress.level);
        reach.locks(&now.page, now.piece, gravity, place.hangs, MOST_FALL, &mut found.locks);
        for &(piece, placement, to) in &node.edges {
            if piece != now.piece {
                continue;
            }
            let Some(&(landing, later)) = found.locks.iter().find(|(landing, _)| landing.placement == placement) else {
                continue;
            };
            for after in (0..MOST_DELAY).filter(|after| later >> after & 1 == 1) {
                let landing = Landing { frames: landing.frames + after, ..landing };
                let locked = now.lock(placement, landing.frames, 0);
                if place.is_goal {
                    let frame = now.frame + locked.frames_to_score();
                    let reaches = self.settings.goal.is_reached(locked.score(), locked.progress());
                    if reaches && found.goal.is_none_or(|goal| frame < goal.0) {
                        found.goal = Some((frame, parent, Move { landing, pause: Pause::default(), presses: None }));
                    }
                    continue;
                }
                for pause in 0..=Pause::longest(locked.rows) {
                    let Some(pause) = Pause::new(pause, locked.rows) else { continue };
                    let next = locked.spawn(pause);
                    let left = place.left(to, &next);
                    if left.is_finite() {
                        let last = Some(Move { landing, pause, presses: None });
                        let key = next.frame as f32 + left;
                        let node = if layer + 1 == shape.pieces() { 0 } else { to };
                        found.candidates.push(Candidate { key, game: Game { now: next, node, parent, last } });
                    }
                }
            }
        }
    }
}

/// Where a search is.
struct Place<'a> {
    shape: &'a Shape,
    then: Option<&'a Shape>,
    layer: usize,
    hangs: bool,
    is_goal: bool,
}

impl Place<'_> {
    /// The frames that are left to the end of the shape, or of the next one where this one ends.
    fn left(&self, to: u32, next: &Spawned) -> f32 {
        let (shape, layer, node) = match self.then {
            Some(then) if self.layer + 1 == self.shape.pieces() => (then, 0, 0),
            _ => (self.shape, self.layer + 1, to as usize),
        };
        shape.layers[layer][node].with_pieces(&shape.layers, layer, next.piece, next.next)
    }
}

/// What the expansion of some games gives.
#[derive(Default)]
struct Expanded {
    candidates: Vec<Candidate>,
    /// The fastest that reaches the goal: its frame, where it comes from, and its last move.
    goal: Option<(u32, u32, Move)>,
    /// The one whose last button comes first, and where it comes from.
    ending: Option<(Ending, u32)>,
    locks: Vec<(Landing, u16)>,
}

/// The fastest looking games, none twice.
fn choose(mut candidates: Vec<Candidate>, width: usize) -> Vec<Game> {
    let order = |candidate: &Candidate| {
        let Game { parent, last, .. } = candidate.game;
        (parent, last.map(|last| (last.landing, last.pause)))
    };
    candidates.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then_with(|| order(a).cmp(&order(b))));
    let mut seen = HashSet::with_capacity(2 * width);
    let games = candidates.into_iter().map(|candidate| candidate.game);
    games.filter(|game| seen.insert(hash_of_game(&Spawned { score: Score([0; 3]), ..game.now }))).take(width).collect()
}

/// Where the stretches begin, and the end: after each clear, and after at most `most` pieces.
fn cuts(steps: &[Step], most: usize, shift: usize) -> Vec<usize> {
    let mut cuts = vec![0];
    let mut from = 0;
    let mut first = if shift == 0 { most } else { shift };
    for (index, step) in steps.iter().enumerate() {
        let is_last = index + 1 == steps.len();
        if step.rows > 0 || index + 1 - from >= first || is_last {
            cuts.push(index + 1);
            from = index + 1;
            first = most;
            if step.rows > 0 && shift > 0 {
                first = shift;
            }
        }
    }
    cuts
}
