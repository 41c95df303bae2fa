//! Plans a part of a game again that leads back into the rest of the plan, and keeps the faster plan.
//!
//! What a playfield is worth is known badly, above all while a tower is built. A part that ends with the upper rows of the plan
//! needs no such value: the rest of the plan goes on from there. The rows below may differ, and the number of pieces. If a
//! placement of the rest then does not fit, the game goes back to the clear before it and leads back into the plan later.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::Placement;
use maxout_engine::seed::split_mix;
use maxout_engine::tas::{Page, Reach};

use super::beam::{Beam, Candidate, Planned, keep_alike};
use super::{Plan, Planning};
use crate::tas::values::Tables;

/// The rows that are as in the plan where a game leads back into it. Pieces lock in the rows 0 to 3, and what sinks lies below
/// them. Chosen by hand, not measured: whether the rest of the plan fits is tried anyway.
const SAME_ROWS: Range<i8> = -2..7;
/// Pieces from one clear to the next at most: the longest tower of the plans that were looked at has 21.
const MOST_PIECES: usize = 22;
/// Games that are kept of those that lead back into the plan with as many tetrises left.
const BACK: usize = 3;
/// Games that lead back into the plan sooner than it, and then follow it: the best ones are tried.
const FOLLOWED: usize = 4;
/// How often a game that follows the plan may leave it and come back.
const REPAIRS: usize = 5;
/// Clears within which it comes back: a burst and the tower after it have five.
const REPAIR_CLEARS: u32 = 6;
/// Games of each kind that are kept for it.
const REPAIR_ALIKE: usize = 10;
/// A faster plan is faster by more than this: sums of frames are not exact.
const LEAST: f32 = 0.01;

// Each round takes one number from each list; chosen by hand, not measured.

/// Noise on what playfields are worth, in frames.
const NOISES: [f32; 4] = [0.0, 5.0, 15.0, 30.0];
/// The number of games of each kind is multiplied by one of these.
const WIDER: [usize; 3] = [1, 2, 4];
/// A game is left that is worse by so many frames than the best one that has cleared already.
const MARGINS: [f32; 3] = [100.0, 200.0, 300.0];
const REPAIR_MARGIN: f32 = 150.0;
/// Frames that a ready row counts more.
const HOLDS: [f32; 4] = [0.0, 0.0, 10.0, 25.0];
/// Most clears of a part.
const MOST_CLEARS: usize = 6;

/// A game that has just cleared rows: where it comes from, and its last placement.
#[derive(Debug, Clone, Copy)]
struct Cleared {
    game: Planned,
    key: f32,
    parent: Option<usize>,
    last: Placement,
}

/// A game that leads back into the plan, or reaches the goal.
#[derive(Debug, Clone)]
struct Back {
    game: Planned,
    placements: Vec<Placement>,
    /// Its frames more than those of the plan there.
    more: f32,
}

/// A plan by its clears.
struct Course<'a> {
    planning: Planning,
    plan: &'a Plan,
    /// By tetrises left: the game after the clear, and the number of the next piece. The first one is the beginning.
    clears: BTreeMap<u32, (Planned, usize)>,
    frames: f32,
}

impl<'a> Course<'a> {
    fn of(planning: Planning, plan: &'a Plan) -> Option<Course<'a>> {
        let (clears_left, mut reach) = (planning.clears_left(), Reach::stopping());
        let mut game = Planned::begin(plan.opening.first, &clears_left);
        let mut clears = BTreeMap::from([(game.left, (game, 0))]);
        for (index, &placement) in plan.placements.iter().enumerate() {
            let next = game.play(placement, planning.wait, &clears_left, &mut reach)?;
            if next.left < game.left {
                clears.insert(next.left, (next, index + 1));
            }
            game = next;
        }
        Some(Course { planning, plan, clears, frames: game.frames })
    }

    /// The game's frames more than those of the plan with as many tetrises left.
    fn more(&self, game: &Planned) -> Option<f32> {
        if game.is_at(self.planning.goal) {
            return Some(game.frames - self.frames);
        }
        self.clears.get(&game.left).map(|(theirs, _)| game.frames - theirs.frames)
    }

    /// The placements of the plan from a game with as many tetrises left on, as far as they fit, and the games after them.
    fn follow(&self, game: Planned) -> Vec<(Placement, Planned)> {
        let Some(&(_, next)) = self.clears.get(&game.left) else { return Vec::new() };
        let (clears_left, mut reach) = (self.planning.clears_left(), Reach::stopping());
        let rest = self.plan.placements[next..].iter();
        rest.scan(game, |game, &placement| {
            *game = game.play(placement, self.planning.wait, &clears_left, &mut reach)?;
            Some((placement, *game))
        })
        .collect()
    }
}

/// What all searches of a round share.
#[derive(Clone, Copy)]
struct Round<'a> {
    course: &'a Course<'a>,
    tables: &'a Tables,
    threads: usize,
    stop: &'a AtomicBool,
}

/// Looks for games that lead back into a plan.
struct Search<'a> {
    round: Round<'a>,
    beam: Beam,
    /// A game is left that is worse by so many frames than the best one that has cleared already.
    margin: f32,
}

/// The games of a search.
#[derive(Default)]
struct Games {
    /// All that were kept: the one before, and the placement.
    kept: Vec<(Option<usize>, Placement)>,
    /// By tetrises left: those that have just cleared.
    cleared: BTreeMap<u32, Vec<Cleared>>,
    /// By tetrises left: those of them that lead back into the plan.
    back: BTreeMap<u32, Vec<Cleared>>,
    /// The fastest that reaches the goal.
    goal: Option<Cleared>,
}

impl Games {
    fn keep(&mut self, parent: Option<usize>, placement: Placement) -> Option<usize> {
        self.kept.push((parent, placement));
        Some(self.kept.len() - 1)
    }

    fn back(&self, it: &Cleared, more: f32) -> Back {
        let mut placements = vec![it.last];
        let mut at = it.parent;
        while let Some((parent, placement)) = at.map(|at| self.kept[at]) {
            placements.push(placement);
            at = parent;
        }
        placements.reverse();
        Back { game: it.game, placements, more }
    }
}

impl Search<'_> {
    /// Goes on from a game just after a clear, over so many clears: all games that lead back into the plan, those that are
    /// fastest against it first.
    fn from(&self, start: Planned, clears: u32, mut shown: impl FnMut()) -> Vec<Back> {
        let mut games = Games::default();
        for left in (start.left.saturating_sub(clears) + 1..=start.left).rev() {
            let mut nodes = if left == start.left {
                vec![(start, None)]
            } else {
                let mut cleared = games.cleared.remove(&left).unwrap_or_default();
                self.choose(&mut cleared, |it| it.key, |it| it.game);
                cleared.into_iter().map(|it| (it.game, games.keep(it.parent, it.last))).collect()
            };
            for _ in 0..MOST_PIECES {
                if nodes.is_empty() || self.round.stop.load(Ordering::Relaxed) {
                    break;
                }
                nodes = self.piece(&nodes, left, &mut games);
                shown();
            }
        }
        let more = |it: &Cleared| self.round.course.more(&it.game).unwrap_or(f32::INFINITY);
        let all = games.back.values().flatten().chain(&games.goal);
        let mut all: Vec<Back> = all.map(|it| games.back(it, more(it))).collect();
        all.sort_by(|a, b| a.more.total_cmp(&b.more));
        all
    }

    /// The games after one more piece that still have as many tetrises left.
    fn piece(&self, nodes: &[(Planned, Option<usize>)], left: u32, games: &mut Games) -> Vec<(Planned, Option<usize>)> {
        let below = games.goal.map_or(self.beam.below, |goal| goal.game.frames);
        let before: Vec<Planned> = nodes.iter().map(|&(game, _)| game).collect();
        let mut same: Vec<(Candidate, Planned)> = Vec::new();
        for expanded in self.beam.expand(&before, below, self.round.tables, self.round.threads) {
            let after = |it: Candidate| {
                let (game, parent) = &nodes[it.parent as usize];
                Cleared { game: it.play(game), key: it.key, parent: *parent, last: it.placement }
            };
            let goal = expanded.goal.map(after);
            if goal.is_some_and(|it| games.goal.is_none_or(|best| it.game.frames < best.game.frames)) {
                games.goal = goal;
            }
            for it in expanded.candidates {
                if it.left == left {
                    same.push((it, before[it.parent as usize]));
                } else {
                    let cleared = after(it);
                    self.lead_back(cleared, games);
                    games.cleared.entry(it.left).or_default().push(cleared);
                }
            }
        }
        let cleared = games.cleared.get(&(left - 1)).into_iter().flatten();
        let limit = cleared.map(|it| it.key).fold(f32::INFINITY, f32::min) + self.margin;
        same.retain(|(it, _)| it.key < limit);
        let mut played: Vec<(Candidate, Planned)> = same.iter().map(|(it, game)| (*it, it.play(game))).collect();
        self.choose(&mut played, |(it, _)| it.key, |&(_, game)| game);
        let kept = played.into_iter();
        kept.map(|(it, game)| (game, games.keep(nodes[it.parent as usize].1, it.placement))).collect()
    }

    /// Keeps a game if it leads back into the plan: its upper rows are those of the plan, and the plan fits up to its next
    /// clear.
    fn lead_back(&self, it: Cleared, games: &mut Games) {
        let Some((theirs, _)) = self.round.course.clears.get(&it.game.left) else { return };
        let row = |game: &Planned, row: i8| game.now.page.row(row);
        if SAME_ROWS.into_iter().any(|at| row(&it.game, at) != row(theirs, at)) {
            return;
        }
        let back = games.back.entry(it.game.left).or_default();
        let at = back.partition_point(|other| other.game.frames <= it.game.frames);
        if at < BACK && self.round.course.follow(it.game).last().is_some_and(|(_, then)| then.left < it.game.left) {
            back.insert(at, it);
            back.truncate(BACK);
        }
    }

    /// The best ones of each kind, none twice.
    fn choose<T>(&self, all: &mut Vec<T>, key: impl Fn(&T) -> f32, game: impl Fn(&T) -> Planned) {
        all.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let mut seen = HashSet::new();
        all.retain(|it| seen.insert(game(it).state()));
        let kind = |it: &T| -> (u32, Page) {
            let game = game(it);
            (game.left, game.now.page)
        };
        keep_alike(all, self.beam.alike, kind);
    }

    /// Follows the plan from a game that leads back into it to the goal; where the plan does not fit, it leaves it and comes
    /// back. The placements; `None` if that does not end in fewer frames.
    fn follow(&self, mut game: Planned, mut shown: impl FnMut()) -> Option<Vec<Placement>> {
        let Round { course, .. } = self.round;
        let goal = course.planning.goal;
        let mut placements: Vec<Placement> = Vec::new();
        for _ in 0..REPAIRS {
            if game.is_at(goal) {
                break;
            }
            if course.more(&game)? >= self.beam.below - course.frames {
                return None;
            }
            let mut way = course.follow(game);
            let at_goal = way.last().is_some_and(|(_, last)| last.is_at(goal));
            if !at_goal {
                // Back to the last clear.
                let left = way.last().map_or(game.left, |(_, last)| last.left);
                let length = if left < game.left { 1 + way.partition_point(|(_, then)| then.left > left) } else { 0 };
                way.truncate(length);
            }
            game = way.last().map_or(game, |&(_, last)| last);
            placements.extend(way.into_iter().map(|(placement, _)| placement));
            if at_goal {
                break;
            }
            let back = self.from(game, REPAIR_CLEARS, &mut shown).into_iter().next()?;
            placements.extend(back.placements);
            game = back.game;
        }
        (game.is_at(goal) && game.frames < self.beam.below).then_some(placements)
    }
}

/// Plans some clears again, from one of them on, with other numbers in each round. `None` if it was stopped, or finds nothing
/// faster. `shown` is called after each piece.
pub(super) fn again(
    planning: Planning,
    plan: &Plan,
    round: u64,
    tables: &Tables,
    threads: usize,
    stop: &AtomicBool,
    mut shown: impl FnMut(),
) -> Option<Plan> {
    let mut dice = split_mix(round);
    let mut roll = |sides: usize| {
        dice = split_mix(dice);
        (dice >> 20) as usize % sides
    };
    let course = Course::of(planning, plan)?;
    let starts: Vec<(Planned, usize)> = course.clears.range(1..).map(|(_, &start)| start).collect();
    let (start, pieces) = starts[roll(starts.len())];
    let round = Round { course: &course, tables, threads, stop };
    let below = course.frames - LEAST;
    let beam = Beam {
        alike: planning.alike * WIDER[roll(WIDER.len())],
        noise: (NOISES[roll(NOISES.len())], roll(1 << 30) as u64),
        hold: HOLDS[roll(HOLDS.len())],
        below,
        ..planning.beam()
    };
    let margin = MARGINS[roll(MARGINS.len())];
    let clears = 1 + roll(MOST_CLEARS) as u32;
    let backs = Search { round, beam, margin }.from(start, clears, &mut shown);
    let narrow = Beam { alike: REPAIR_ALIKE, below, ..planning.beam() };
    let repair = Search { round, beam: narrow, margin: REPAIR_MARGIN };
    let mut faster = backs.into_iter().take_while(|back| back.more <= -LEAST).take(FOLLOWED);
    faster.find_map(|Back { game, placements, .. }| {
        let rest = repair.follow(game, &mut shown).filter(|_| !stop.load(Ordering::Relaxed))?;
        let placements = plan.placements[..pieces].iter().copied().chain(placements).chain(rest).collect();
        let new = Plan { opening: plan.opening.clone(), placements };
        planning.frames(&new).is_some_and(|frames| frames < course.frames).then_some(new)
    })
}
