//! Plans a part of a game again that leads back into the rest of the plan, and keeps the faster plan.
//!
//! What a playfield is worth is known badly, above all while a tower is built. A part that ends with the upper rows of the plan
//! needs no such value: the rest of the plan goes on from there. The rows below may differ, and the number of pieces. If a
//! placement of the rest then does not fit, the game goes back to the clear before it and leads back into the plan later.

use std::collections::{BTreeMap, HashSet};
use std::iter::once;
use std::ops::Range;

use maxout_engine::game::Placement;

use super::Plan;
use super::beam::{Beam, Candidate, Planned, keep_alike};
use super::round::Round;

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
/// How much worse than the best game that has cleared already a game may be to be kept, in frames.
const MARGINS: [f32; 3] = [100.0, 200.0, 300.0];
const REPAIR_MARGIN: f32 = 150.0;
/// Frames that a ready row counts more.
const HOLDS: [f32; 4] = [0.0, 0.0, 10.0, 25.0];
/// Most clears of a part.
const MOST_CLEARS: usize = 6;

/// A game that may be kept.
#[derive(Debug, Clone, Copy)]
struct Found {
    game: Planned,
    key: f32,
    /// The kept game that it goes on from; `None`: the first game of the search.
    parent: Option<usize>,
    /// Its last placement.
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
    round: Round<'a>,
    /// By tetrises left: the game after the clear, and the number of the next piece. The first one is the beginning.
    clears: BTreeMap<u32, (Planned, usize)>,
    frames: f32,
}

impl<'a> Course<'a> {
    fn of(round: Round<'a>) -> Option<Course<'a>> {
        let Round { planning, plan, .. } = round;
        let begin = planning.begin(plan);
        let games: Vec<Planned> = once(begin).chain(planning.games(begin, &plan.placements)).collect();
        let frames = games.last().filter(|last| last.is_at(planning.goal))?.frames;
        let mut clears = BTreeMap::new();
        // Of the games with as many tetrises left the first one is the one after the clear.
        for (pieces, game) in games.into_iter().enumerate() {
            clears.entry(game.left).or_insert((game, pieces));
        }
        Some(Course { round, clears, frames })
    }

    /// The game's frames more than those of the plan with as many tetrises left.
    fn more(&self, game: &Planned) -> Option<f32> {
        if game.is_at(self.round.planning.goal) {
            return Some(game.frames - self.frames);
        }
        self.clears.get(&game.left).map(|(theirs, _)| game.frames - theirs.frames)
    }

    /// The placements of the plan from a game with as many tetrises left on, as far as they fit, and the games after them.
    fn follow(&self, game: Planned) -> impl Iterator<Item = (Placement, Planned)> {
        let all = &self.round.plan.placements;
        let next = self.clears.get(&game.left).map_or(all.len(), |&(_, next)| next);
        all[next..].iter().copied().zip(self.round.planning.games(game, &all[next..]))
    }
}

/// Looks for games that lead back into a plan.
struct Search<'a> {
    course: &'a Course<'a>,
    beam: Beam,
    /// How much worse than the best game that has cleared already a game may be to be kept, in frames.
    margin: f32,
}

/// The games that a piece is placed in, and their numbers among the kept ones.
type Layer = (Vec<Planned>, Vec<Option<usize>>);

/// The games of a search.
#[derive(Default)]
struct Games {
    /// All that were kept: the one before, and the placement.
    kept: Vec<(Option<usize>, Placement)>,
    /// By tetrises left: those that have just cleared.
    cleared: BTreeMap<u32, Vec<Found>>,
    /// By tetrises left: those of them that lead back into the plan.
    back: BTreeMap<u32, Vec<Found>>,
    /// The fastest that reaches the goal.
    goal: Option<Found>,
}

impl Games {
    fn keep(&mut self, found: Vec<Found>) -> Layer {
        let keep = |it: Found| {
            self.kept.push((it.parent, it.last));
            (it.game, Some(self.kept.len() - 1))
        };
        found.into_iter().map(keep).unzip()
    }

    fn back(&self, it: &Found, more: f32) -> Back {
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
    /// Searches from a game just after a clear over this number of clears: all games that lead back into the plan, those that are
    /// fastest against it first.
    fn from(&self, start: Planned, clears: u32, mut shown: impl FnMut()) -> Vec<Back> {
        let mut games = Games::default();
        for left in (start.left.saturating_sub(clears) + 1..=start.left).rev() {
            let mut layer = if left == start.left {
                (vec![start], vec![None])
            } else {
                let cleared = games.cleared.remove(&left).unwrap_or_default();
                games.keep(self.choose(cleared))
            };
            for _ in 0..MOST_PIECES {
                if layer.0.is_empty() || self.course.round.is_stopped() {
                    break;
                }
                layer = self.piece(&layer, left, &mut games);
                shown();
            }
        }
        let more = |it: &Found| self.course.more(&it.game).unwrap_or(f32::INFINITY);
        let all = games.back.values().flatten().chain(&games.goal);
        let mut all: Vec<Back> = all.map(|it| games.back(it, more(it))).collect();
        all.sort_by(|a, b| a.more.total_cmp(&b.more));
        all
    }

    /// The games after one more piece that still have as many tetrises left.
    fn piece(&self, (before, numbers): &Layer, left: u32, games: &mut Games) -> Layer {
        let below = games.goal.map_or(self.beam.below, |goal| goal.game.frames);
        let after = |it: Candidate| {
            let parent = it.parent as usize;
            Found { game: it.play(&before[parent]), key: it.key, parent: numbers[parent], last: it.placement }
        };
        let mut same: Vec<Candidate> = Vec::new();
        let Round { tables, threads, .. } = self.course.round;
        for expanded in self.beam.expand(before, below, tables, threads) {
            let goal = expanded.goal.map(after);
            if goal.is_some_and(|it| games.goal.is_none_or(|best| it.game.frames < best.game.frames)) {
                games.goal = goal;
            }
            for it in expanded.candidates {
                if it.left == left {
                    same.push(it);
                } else {
                    let cleared = after(it);
                    self.lead_back(cleared, games);
                    games.cleared.entry(it.left).or_default().push(cleared);
                }
            }
        }
        let cleared = games.cleared.get(&(left - 1)).into_iter().flatten();
        let limit = cleared.map(|it| it.key).fold(f32::INFINITY, f32::min) + self.margin;
        let same = same.into_iter().filter(|it| it.key < limit).map(after).collect();
        games.keep(self.choose(same))
    }

    /// Keeps a game if it leads back into the plan: its upper rows are those of the plan, and the plan fits up to its next
    /// clear.
    fn lead_back(&self, it: Found, games: &mut Games) {
        let Some((theirs, _)) = self.course.clears.get(&it.game.left) else { return };
        let row = |game: &Planned, row: i8| game.now.page.row(row);
        if SAME_ROWS.into_iter().any(|at| row(&it.game, at) != row(theirs, at)) {
            return;
        }
        let back = games.back.entry(it.game.left).or_default();
        let at = back.partition_point(|other| other.game.frames <= it.game.frames);
        if at < BACK && self.course.follow(it.game).any(|(_, then)| then.left < it.game.left) {
            back.insert(at, it);
            back.truncate(BACK);
        }
    }

    /// The best ones of each kind, none twice.
    fn choose(&self, mut all: Vec<Found>) -> Vec<Found> {
        all.sort_by(|a, b| a.key.total_cmp(&b.key));
        let mut seen = HashSet::new();
        all.retain(|it| seen.insert(it.game.state()));
        keep_alike(&mut all, self.beam.alike, |it| (it.game.left, it.game.now.page));
        all
    }

    /// Follows the plan from a game that leads back into it to the goal; where the plan does not fit, it leaves it and comes
    /// back. The placements; `None` if that does not end in fewer frames.
    fn follow(&self, mut game: Planned, mut shown: impl FnMut()) -> Option<Vec<Placement>> {
        let course = self.course;
        let goal = course.round.planning.goal;
        let mut placements: Vec<Placement> = Vec::new();
        for _ in 0..REPAIRS {
            if game.is_at(goal) {
                break;
            }
            if course.more(&game)? >= self.beam.below - course.frames {
                return None;
            }
            let mut way: Vec<_> = course.follow(game).collect();
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

/// Plans some clears again, from one of them on. `None` if it was stopped, or finds nothing faster. `shown` is called after each
/// piece.
pub(super) fn again(round: Round<'_>, mut shown: impl FnMut()) -> Option<Plan> {
    let Round { planning, .. } = round;
    let mut dice = round.dice();
    let course = &Course::of(round)?;
    let starts: Vec<(Planned, usize)> = course.clears.range(1..).map(|(_, &start)| start).collect();
    let (start, pieces) = starts[dice.roll(starts.len())];
    let below = course.frames - LEAST;
    let beam = Beam {
        alike: planning.alike * WIDER[dice.roll(WIDER.len())],
        noise: (NOISES[dice.roll(NOISES.len())], dice.roll(1 << 30) as u64),
        hold: HOLDS[dice.roll(HOLDS.len())],
        below,
        ..planning.beam()
    };
    let margin = MARGINS[dice.roll(MARGINS.len())];
    let clears = 1 + dice.roll(MOST_CLEARS) as u32;
    let backs = Search { course, beam, margin }.from(start, clears, &mut shown);
    let narrow = Beam { alike: REPAIR_ALIKE, below, ..planning.beam() };
    let repair = Search { course, beam: narrow, margin: REPAIR_MARGIN };
    let mut faster = backs.into_iter().take_while(|back| back.more <= -LEAST).take(FOLLOWED);
    faster.find_map(|Back { game, placements, .. }| {
        let rest = repair.follow(game, &mut shown).filter(|_| !round.is_stopped())?;
        let new = round.with(pieces, placements.into_iter().chain(rest));
        planning.frames(&new).is_some_and(|frames| frames < course.frames).then_some(new)
    })
}
