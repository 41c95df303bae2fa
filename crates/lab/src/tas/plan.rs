//! Plans a game whose pieces may be chosen, as far as the generator could draw them: placements from the first piece to
//! the goal.
//!
//! A plan knows no frames of the generator. What it loses to waiting for pieces is estimated from the chance of each
//! draw. [`Improvement::of_plan`](super::improve::Improvement::of_plan) finds the real pieces for it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, Piece, Placement};
use maxout_engine::parallel;
use maxout_engine::tas::{Opening, Page, Reach, Spawned, openings};

use super::goal::Goal;
use super::odds::DrawOdds;
use super::path::{CLEAR_WAIT, MOST_FALL, POINTS, SHORTEST_CLEAR};
use super::values::{Parent, Tables};

/// What is planned. The same settings give the same plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planning {
    /// What is to be reached.
    pub goal: Goal,
    /// The level that is chosen in the menu.
    pub start_level: u8,
    /// Playfields that are kept after each piece.
    pub width: usize,
    /// Frames by which the menus may be delayed.
    pub menu_delay: u32,
    /// What waiting for a piece costs: this many frames for each frame in which it is drawn once on average. With 0.1 a
    /// piece that is drawn once in 7 frames costs 0.7 frames.
    pub wait: f32,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The menus, and the first two pieces.
    pub opening: Opening,
    /// The placements up to the goal.
    pub placements: Vec<Placement>,
}

/// A planned game. Frame and generator of `now` are those of the opening.
#[derive(Debug, Clone, Copy)]
struct Planned {
    now: Spawned,
    frames: f32,
    tetrises: f32,
    last: Option<Piece>,
}

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    key: f32,
    parent: u32,
    placement: Placement,
    page: Page,
    frames: f32,
    tetrises: f32,
}

impl Candidate {
    const fn piece(&self) -> Piece {
        self.placement.orientation.piece()
    }
}

/// What a tetris counts against a frame: what it takes, at both speeds about.
const TETRIS: f32 = 252.0;
/// Most pieces of a plan: no useful game needs as many.
const MOST_PIECES: usize = 700;
/// Pieces that are still planned after the first game has reached the goal: a game that needs them all is slower.
const MORE_PIECES: usize = 12;
/// Candidates of a layer that are compared by their playfields, for each game that is kept.
const COMPARED: usize = 8;
/// Games that a thread expands at a time.
const CHUNK: usize = 32;

/// Plans; `None` if it was stopped, or no game reaches the goal. `shown` gets the pieces so far and the points.
pub fn plan(
    settings: Planning,
    tables: &Tables,
    threads: usize,
    stop: &AtomicBool,
    mut shown: impl FnMut(usize, u32),
) -> Option<Plan> {
    let odds = DrawOdds::new();
    let mut opening: Vec<Opening> = Vec::new();
    for new in openings(settings.start_level, settings.menu_delay) {
        let pieces = |opening: &Opening| (opening.first.piece, opening.first.next);
        if opening.iter().all(|old| pieces(old) != pieces(&new)) {
            opening.push(new);
        }
    }
    let first = opening.first()?.first;
    let begin = |opening: &Opening| {
        let frames = (opening.first.frame as f32) - first.frame as f32;
        Planned { now: opening.first, frames, tetrises: 0.0, last: None }
    };
    let mut games: Vec<Planned> = opening.iter().map(begin).collect();
    let mut trail: Vec<Vec<(u32, Placement)>> = Vec::new();
    let mut best: Option<(Candidate, usize)> = None;
    while trail.len() < MOST_PIECES && best.is_none_or(|(_, layer)| trail.len() <= layer + MORE_PIECES) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        // The spawn of a piece has drawn the next one; the first two came with the opening.
        let layer = trail.len();
        let count = first.generator.spawn_count.wrapping_add(layer as u8).wrapping_sub(2);
        let chunks: Vec<(u32, &[Planned])> = (0..).step_by(CHUNK).zip(games.chunks(CHUNK)).collect();
        let found = parallel::map(threads, &mut Reach::new(), Reach::new, chunks, |reach, (parents, chunk)| {
            let mut found = Expanded::default();
            for (parent, game) in (parents..).zip(chunk) {
                let values = tables.of(frames_per_row(game.now.progress.level)).parent(&game.now.page);
                for piece in Piece::ALL {
                    let wait = match (layer, game.last) {
                        (0, _) if piece != game.now.piece => continue,
                        (1, _) if piece != game.now.next => continue,
                        (2.., Some(last)) => settings.wait / odds.of(count, last, piece),
                        _ => 0.0,
                    };
                    if wait.is_finite() {
                        let from = From { parent, game, values: &values, hangs: layer == 0, wait };
                        found.expand(reach, tables, settings.goal, &from, piece);
                    }
                }
            }
            found
        });
        let mut candidates = Vec::new();
        for expanded in found {
            candidates.extend(expanded.candidates);
            if let Some(goal) = expanded.goal
                && best.is_none_or(|(best, _)| goal.frames < best.frames)
            {
                best = Some((goal, layer));
            }
        }
        let chosen = choose(candidates, settings.width, layer == 0);
        if chosen.is_empty() {
            break;
        }
        games = chosen.iter().map(|candidate| candidate.play(&games)).collect();
        shown(layer + 1, games[0].now.score.value());
        trail.push(chosen.iter().map(|candidate| (candidate.parent, candidate.placement)).collect());
    }
    let (last, layer) = best?;
    let mut placements = vec![last.placement];
    let mut at = last.parent as usize;
    for layer in trail[..layer].iter().rev() {
        let (parent, placement) = layer[at];
        placements.push(placement);
        at = parent as usize;
    }
    placements.reverse();
    Some(Plan { opening: opening.swap_remove(at), placements })
}

/// Where a piece is placed.
struct From<'a> {
    parent: u32,
    game: &'a Planned,
    values: &'a Parent<'a>,
    hangs: bool,
    wait: f32,
}

#[derive(Default)]
struct Expanded {
    candidates: Vec<Candidate>,
    /// The fastest that reaches the goal.
    goal: Option<Candidate>,
}

impl Expanded {
    fn expand(&mut self, reach: &mut Reach, tables: &Tables, goal: Goal, from: &From<'_>, piece: Piece) {
        let now = Spawned { piece, ..from.game.now };
        let gravity = frames_per_row(now.progress.level);
        reach.landings(&now.page, piece, gravity, from.hangs, MOST_FALL, |landing| {
            let locked = now.lock(landing.placement, landing.frames, 0);
            let clear = if locked.rows > 0 { SHORTEST_CLEAR as f32 + CLEAR_WAIT } else { 0.0 };
            let delay = EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
            let frames = from.game.frames + (landing.frames + delay) as f32 + clear + from.wait;
            let tetrises = from.game.tetrises + POINTS[usize::from(locked.rows)];
            let then = frames_per_row(locked.progress().level);
            let value = if then == gravity {
                from.values.child(landing.placement, locked.page(), locked.rows)
            } else {
                tables.of(then).value(locked.page())
            };
            let (parent, placement, page) = (from.parent, landing.placement, *locked.page());
            let key = frames - value - TETRIS * tetrises;
            let candidate = Candidate { key, parent, placement, page, frames, tetrises };
            if !goal.is_reached(locked.score(), locked.progress()) {
                self.candidates.push(candidate);
            } else if self.goal.is_none_or(|goal| candidate.frames < goal.frames) {
                self.goal = Some(candidate);
            }
        });
    }
}

impl Candidate {
    /// The game after it.
    fn play(&self, games: &[Planned]) -> Planned {
        let now = &games[self.parent as usize].now;
        let locked = now.lock(self.placement, 0, 0);
        let now = Spawned { page: self.page, score: locked.score(), progress: locked.progress(), ..*now };
        Planned { now, frames: self.frames, tetrises: self.tetrises, last: Some(self.piece()) }
    }
}

/// The best candidates, none with the same playfield and last piece as another; of the first layer none of the same
/// opening.
fn choose(mut candidates: Vec<Candidate>, width: usize, is_first: bool) -> Vec<Candidate> {
    let order = |a: &Candidate, b: &Candidate| {
        let ties = |it: &Candidate| (it.parent, it.placement);
        a.key.total_cmp(&b.key).then_with(|| ties(a).cmp(&ties(b)))
    };
    let most = width.saturating_mul(COMPARED);
    if candidates.len() > most {
        candidates.select_nth_unstable_by(most, order);
        candidates.truncate(most);
    }
    candidates.sort_unstable_by(order);
    let mut seen = HashSet::new();
    candidates.retain(|it| {
        let parent = if is_first { it.parent } else { 0 };
        seen.insert((it.page, it.piece(), parent))
    });
    candidates.truncate(width);
    candidates
}

#[cfg(test)]
mod tests {
    use maxout_engine::tas::Pause;

    use super::*;
    use crate::tas::Count;
    use crate::tas::improve::{Improvement, Improving};

    const GOAL: Goal = Goal::Score(20_000);

    fn planned(threads: usize, stop: &AtomicBool) -> Option<Plan> {
        let planning = Planning { goal: GOAL, start_level: 18, width: 20, menu_delay: 1, wait: 0.1 };
        plan(planning, &Tables::built_in(), threads, stop, |_, _| ())
    }

    #[test]
    fn a_plan_reaches_the_goal_with_pieces_that_can_come_on_any_number_of_threads() {
        let stop = AtomicBool::new(false);
        let plan = planned(1, &stop).expect("a plan");
        assert_eq!(planned(3, &stop).as_ref(), Some(&plan));
        let mut now = plan.opening.first;
        let pieces: Vec<Piece> = plan.placements.iter().map(|placement| placement.orientation.piece()).collect();
        assert_eq!(pieces[..2], [now.piece, now.next]);
        let odds = DrawOdds::new();
        let mut reach = Reach::new();
        for (index, &placement) in plan.placements.iter().enumerate() {
            now.piece = pieces[index];
            let mut reached = false;
            let gravity = frames_per_row(now.progress.level);
            reach.landings(&now.page, now.piece, gravity, index == 0, MOST_FALL, |landing| {
                reached |= landing.placement == placement;
            });
            assert!(reached, "piece {index}");
            assert!(!GOAL.is_reached(now.score, now.progress), "the goal comes before the plan ends");
            // The spawn of a piece draws the next one. The spawn count grows by one for each piece.
            if let (1.., Some(&next)) = (index, pieces.get(index + 1)) {
                let count = plan.opening.first.generator.spawn_count + index as u8 - 1;
                assert!(odds.of(count, pieces[index], next) > 0.0, "piece {index}, then {next:?}");
            }
            now = now.lock(placement, 10, 0).spawn(Pause::default());
        }
        assert!(GOAL.is_reached(now.score, now.progress));

        let improving = Improving { goal: GOAL, count: Count::Goal, shape: 3, width: 50, menu_delay: 1 };
        let found = Improvement::of_plan(&plan, improving).search(0, 2, &stop, |_| ()).expect("a way through");
        found.expect("nothing stops it").play(GOAL).expect("the rules model agrees");

        stop.store(true, Ordering::Relaxed);
        assert_eq!(planned(2, &stop), None);
    }
}
