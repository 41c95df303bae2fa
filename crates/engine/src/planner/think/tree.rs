//! The tree below a placement: expectimax over the pieces that cannot be seen.

use std::time::Duration;

use super::shape::Beam;
use crate::clock::Clock;
use crate::game::scoring::{CLEAR_POINTS, Progress};
use crate::game::{KILLSCREEN, Obstacles, Piece, Placement, Playfield, Position, ROWS, Ruleset, SPAWN_X};
use crate::gamepad::PressStyle;
use crate::judge::REWARD_POINTS;
use crate::judge::learned::{
    Child, Expander, FINALE, Features, HeadOf, Heads, NetSet, Outlook, Values, keep_best_opening,
};
use crate::movegen::{Openings, Start, generate_free, sweep};
use crate::planner::effort::Effort;
use crate::planner::forecast::Forecast;

/// What clearing 0 to 4 rows pays, in rewards: the points at level 0.
const REWARDS: [f32; CLEAR_POINTS.len()] = {
    let mut rewards = [0.0; CLEAR_POINTS.len()];
    let mut rows = 0;
    while rows < rewards.len() {
        rewards[rows] = CLEAR_POINTS[rows] as f32 / REWARD_POINTS;
        rows += 1;
    }
    rewards
};

/// Lines before pieces begin to fall faster from which on a search looks at the value that a playfield has
/// then. Chosen by hand, not measured.
const NEAR: u8 = 24;

/// How fast the value at the next speed loses weight with the lines until then: it counts 1/e at this many lines.
/// 100 games from level 18 until 430 lines by the rules of ksx2 made 2,768,175 +- 40,745 points with 5, and 2,745,414 +- 42,998
/// with 12.
const LASTING: f32 = 5.0;

/// In the finale a row's reward counts the points of level 19: 20 times those of level 0.
const POINTS_AT: f32 = 20.0;

/// How much the net's value counts when the plateau has ended: enough to decide between
/// placements that are equal otherwise. Chosen by hand, not measured.
const AFTERWARDS: f32 = 0.1;

/// What a pile costs from level 29 on, in rewards, times the square of its height. A piece that
/// falls a row a frame crosses only a low pile, and a head of the net that was trained on the plateau does
/// not know that. With this cost 80 games until the topout came 1,257 lines past 230 on average, without it
/// 300 games came 310.
const HEIGHT_COST: f32 = 0.1;

/// Expansions between two readings of the clock. Chosen by hand, not measured: one expansion takes
/// microseconds, a budget of time milliseconds.
const CLOCK: u64 = 8;

/// What is known of every node of a tree.
#[derive(Clone, Copy)]
pub(in crate::planner) struct Rules<'a> {
    pub(super) nets: &'a NetSet,
    pub(super) heads: &'a Heads,
    pub(super) discount: f32,
    /// The rules that are played.
    pub(super) ruleset: Ruleset,
    /// Lines with which the game ends; `None` where it goes on until the topout.
    pub(super) last_line: Option<u16>,
    /// `None` where no button moves the piece.
    pub(super) style: Option<PressStyle>,
    /// The control frame before which nothing is pressed.
    pub(super) first_press: u32,
    /// The control frame from which on the next piece is known.
    pub(super) reaction_frames: u32,
    /// When to stop.
    pub(super) deadline: Option<Deadline<'a>>,
}

/// A moment on a clock at which the search must stop.
#[derive(Clone, Copy)]
pub(in crate::planner) struct Deadline<'a> {
    clock: &'a dyn Clock,
    at: Duration,
}

impl<'a> Deadline<'a> {
    /// The moment after this time; `None` where that is later than the clock can say.
    pub(super) fn after(clock: &'a dyn Clock, time: Duration) -> Option<Deadline<'a>> {
        clock.now().checked_add(time).map(|at| Deadline { clock, at })
    }

    pub(super) fn is_past(&self) -> bool {
        self.clock.now() >= self.at
    }
}

impl<'a> Rules<'a> {
    /// The head that judges at a level.
    fn head(&self, level: u8) -> HeadOf<'a> {
        self.nets.head(self.heads, self.ruleset.gravity(level))
    }

    /// Is there a head for level 29 and on?
    fn knows_killscreen(&self) -> bool {
        self.nets.trained_for(self.heads, self.ruleset.gravity(KILLSCREEN)).is_killscreen()
    }

    /// Turns the net's values of a placement into values of the rest of the plateau, by the
    /// lines that are left of it: they limit how many tetrises are still possible.
    fn play_finale(&self, left: u8, child: &mut Child) {
        let outlook = self.nets.outlook();
        let left = usize::from(left.saturating_sub(child.rows));
        let cells = child.playfield.cell_count();
        let weight = if left == 0 { AFTERWARDS } else { Outlook::weight(left) };
        let may_block = child.playfield.may_block_spawn();
        for next in Piece::ALL {
            // A piece that cannot spawn already has the value of a topout.
            if left > 0 && may_block && !child.playfield.fits(next.spawn(), SPAWN_X, 0) {
                continue;
            }
            let value = &mut child.values[next.index()];
            *value = outlook.finale[left] + weight * outlook.beyond(*value, cells);
        }
    }

    /// Turns the values of a placement into those of a playfield on which pieces soon fall faster. What a
    /// speed brings on average is left out: it comes wherever the piece goes.
    fn look_ahead(&self, judge: &Expander, Faster { left, level, gain }: Faster, child: &mut Child) {
        let values = judge.values(self.head(level), &child.playfield);
        let lasting = (-f32::from(left.saturating_sub(child.rows)) / LASTING).exp();
        let may_block = child.playfield.may_block_spawn();
        for next in Piece::ALL {
            if may_block && !child.playfield.fits(next.spawn(), SPAWN_X, 0) {
                continue;
            }
            let value = &mut child.values[next.index()];
            *value += lasting * (values[next.index()] - gain - *value);
        }
    }
}

/// A playfield and how far the game is.
#[derive(Clone, Copy)]
pub(in crate::planner) struct Node {
    pub(in crate::planner) playfield: Playfield,
    pub(in crate::planner) progress: Progress,
    /// What comes soon.
    ahead: Ahead,
}

/// What comes soon, and in how many lines.
#[derive(Clone, Copy)]
enum Ahead {
    /// Nothing that the net does not know of.
    Nothing,
    /// What a search plays for ends: the game, or the plateau where no head knows level 29. 0 when it has
    /// ended.
    Finale(u8),
    /// Pieces fall faster.
    Faster(Faster),
}

/// A level from which on another head judges.
#[derive(Clone, Copy)]
struct Faster {
    /// Lines until then. 0 when it is reached.
    left: u8,
    level: u8,
    /// What its head expects of the playfield at the root more than the head before it does.
    gain: f32,
}

impl Node {
    /// The root of a tree.
    pub(in crate::planner) fn of(position: &Position, rules: &Rules<'_>) -> Node {
        let progress = position.progress();
        Node { playfield: position.playfield, progress, ahead: Ahead::of(&position.playfield, progress, rules) }
    }

    /// What a placement leads to.
    pub(in crate::planner) fn after(&self, child: &Child) -> Node {
        let mut progress = self.progress;
        progress.count_a_type(child.rows);
        let ahead = match self.ahead {
            Ahead::Nothing => Ahead::Nothing,
            Ahead::Finale(left) => Ahead::Finale(left.saturating_sub(child.rows)),
            Ahead::Faster(faster) => Ahead::Faster(Faster { left: faster.left.saturating_sub(child.rows), ..faster }),
        };
        Node { playfield: child.playfield, progress, ahead }
    }

    /// Has the game ended, as far as the search goes?
    pub(in crate::planner) fn is_over(&self) -> bool {
        matches!(self.ahead, Ahead::Finale(0))
    }
}

impl Ahead {
    fn of(playfield: &Playfield, progress: Progress, rules: &Rules<'_>) -> Ahead {
        // The first of the next lines after which something is so.
        let first = |most: u8, is_so: &dyn Fn(Progress) -> bool| {
            let mut after = progress;
            (1..=most).find_map(|lines| {
                after.count_a_type(1);
                is_so(after).then_some((lines, after))
            })
        };
        let lines = progress.lines();
        let ends = |after: Progress| rules.last_line.is_some_and(|last| (lines + 1..=after.lines()).contains(&last));
        let is_over = |after| ends(after) || (after.level >= KILLSCREEN && !rules.knows_killscreen());
        if progress.level < KILLSCREEN
            && rules.nets.outlook().has_finale()
            && let Some((left, _)) = first(FINALE as u8, &is_over)
        {
            return Ahead::Finale(left);
        }
        let changes = |level: u8| {
            let [now, then] = [progress.level, level].map(|level| rules.ruleset.gravity(level));
            !rules.heads.are_same(now, then)
        };
        match first(NEAR, &|after| ends(after) || changes(after.level)) {
            Some((left, after)) if changes(after.level) && !ends(after) => {
                let features = Features::of(playfield);
                let [now, then] = [progress.level, after.level].map(|level| {
                    let HeadOf { net, head } = rules.head(level);
                    net.values(&features, head)[..Piece::COUNT].iter().sum::<f32>()
                });
                Ahead::Faster(Faster { left, level: after.level, gain: (then - now) / Piece::COUNT as f32 })
            }
            _ => Ahead::Nothing,
        }
    }
}

/// Searches below one placement after another, with memory that they share.
pub(in crate::planner) struct Tree<'a> {
    rules: Rules<'a>,
    judge: Expander,
    /// One for each depth, so that no node allocates.
    memory: Vec<Memory>,
    openings: Openings,
    effort: Effort,
    /// Most expansions that [`Tree::effort`] may reach.
    limit: u64,
}

#[derive(Default)]
struct Memory {
    children: Vec<Child>,
    order: Vec<(f32, usize)>,
}

impl<'a> Tree<'a> {
    pub(in crate::planner) fn new(rules: Rules<'a>) -> Tree<'a> {
        Tree {
            rules,
            judge: Expander::new(rules.nets.outlook().topout),
            memory: Vec::new(),
            openings: Openings::default(),
            effort: Effort::default(),
            limit: u64::MAX,
        }
    }

    /// What is known of every node.
    pub(super) fn rules(&self) -> Rules<'a> {
        self.rules
    }

    /// Starts the count of the effort at zero and limits it.
    pub(super) fn allow(&mut self, expansions: u64) {
        (self.effort, self.limit) = (Effort::default(), expansions);
    }

    /// What was done since the last [`Tree::allow`].
    pub(in crate::planner) fn effort(&self) -> Effort {
        self.effort
    }

    /// Replaces `children` by what these placements lead to. Their values become worths: for each
    /// next piece, the reward of the placement plus what the net expects after it. Only this and
    /// [`Tree::reward`] know what is to be maximised.
    pub(in crate::planner) fn judge(
        &mut self,
        node: &Node,
        placements: impl Iterator<Item = Placement>,
        children: &mut Vec<Child>,
    ) {
        let head = self.rules.head(node.progress.level);
        self.judge.expand(head, &node.playfield, placements, children);
        self.effort.expansions += 1;
        self.effort.judged += children.len() as u64;
        let knows_killscreen = head.trained_for().is_killscreen();
        for child in children {
            match node.ahead {
                Ahead::Nothing => {}
                Ahead::Finale(left) => self.rules.play_finale(left, child),
                Ahead::Faster(faster) => self.rules.look_ahead(&self.judge, faster, child),
            }
            if node.progress.level >= KILLSCREEN && !knows_killscreen {
                keep_low(child);
            }
            let worths = child.values.map(|value| self.worth(node, child, value));
            child.values = worths;
        }
    }

    /// What a placement is worth if `expected` comes after it.
    fn worth(&self, node: &Node, child: &Child, expected: f32) -> f32 {
        let (reward, weight) = self.reward(node, child);
        reward + weight * expected
    }

    /// What a placement wins, in rewards, and the weight of what comes after it. In the finale, where the lines are
    /// limited and not the pieces, nothing is discounted.
    pub(in crate::planner) fn reward(&self, node: &Node, child: &Child) -> (f32, f32) {
        let reward = REWARDS[usize::from(child.rows)];
        match node.ahead {
            Ahead::Finale(_) => (reward * (f32::from(node.after(child).progress.level) + 1.0) / POINTS_AT, 1.0),
            Ahead::Nothing | Ahead::Faster(_) => (reward, self.rules.discount),
        }
    }

    /// What a placement is worth by the search below it, if `next` comes and then the pieces of
    /// the forecast.
    pub(super) fn look_below<F: Forecast>(
        &mut self,
        node: &Node,
        child: &Child,
        next: Piece,
        forecast: &F,
        beams: &[Beam],
    ) -> Option<f32> {
        let after = node.after(child);
        if after.is_over() {
            return Some(child.values[next.index()]);
        }
        self.value(&after, next, forecast, beams).map(|value| self.worth(node, child, value))
    }

    /// All placements of a piece at its spawn; none where that is occupied, so that the player keeps it free.
    pub(in crate::planner) fn expand(&mut self, node: &Node, piece: Piece, children: &mut Vec<Child>) {
        children.clear();
        if !node.playfield.fits(piece.spawn(), SPAWN_X, 0) {
            self.effort.expansions += 1;
            return;
        }
        self.expand_as_in_the_game(node, piece, children);
    }

    /// All placements of a piece at its spawn. Where that is occupied, those to which it is shifted or turned
    /// before it falls.
    pub(super) fn expand_as_in_the_game(&mut self, node: &Node, piece: Piece, children: &mut Vec<Child>) {
        let start = Start::spawn(piece).not_before(self.rules.first_press);
        match self.rules.style {
            Some(style) => {
                self.judge(
                    node,
                    sweep(&node.playfield, &start, self.rules.ruleset.gravity(node.progress.level), style).iter(),
                    children,
                );
            }
            None => {
                let moves = generate_free(&node.playfield, &start);
                self.judge(node, moves.reached().iter().map(|reached| reached.placement), children);
            }
        }
    }

    /// Leaves of the placements of a piece at its spawn those within reach once the next piece is known, after the
    /// best that can be pressed before.
    pub(in crate::planner) fn react(
        &mut self,
        node: &Node,
        piece: Piece,
        forecast: &impl Forecast,
        children: &mut Vec<Child>,
    ) {
        let Rules { first_press, reaction_frames, style: Some(style), ruleset, .. } = self.rules else { return };
        let start = Start::spawn(piece).not_before(first_press);
        let gravity = ruleset.gravity(node.progress.level);
        if reaction_frames > 0 && self.openings.find(&node.playfield, &start, gravity, style, reaction_frames) {
            let mean = |worths: &Values| forecast.expect(piece, |next| worths[next.index()]);
            keep_best_opening(children, &self.openings, |child| child.values, mean);
        }
    }

    /// Has the time or the limit run out?
    fn is_over(&self) -> bool {
        let late = |deadline: Deadline<'_>| self.effort.expansions.is_multiple_of(CLOCK) && deadline.is_past();
        self.effort.expansions >= self.limit || self.rules.deadline.is_some_and(late)
    }

    /// What is expected of a playfield on which `piece` is to be placed, before the piece after
    /// it is known. Looks one piece further than there are beams. `None` when the time or the
    /// limit ran out first.
    fn value<F: Forecast>(&mut self, node: &Node, piece: Piece, forecast: &F, beams: &[Beam]) -> Option<f32> {
        if self.is_over() {
            return None;
        }
        if self.memory.len() <= beams.len() {
            self.memory.resize_with(beams.len() + 1, Memory::default);
        }
        let mut memory = std::mem::take(&mut self.memory[beams.len()]);
        self.expand(node, piece, &mut memory.children);
        self.react(node, piece, forecast, &mut memory.children);
        let value = match beams {
            _ if memory.children.is_empty() => Some(self.rules.nets.outlook().topout),
            [] => Some(expectation(&memory.children, piece, forecast)),
            [beam, inner @ ..] => self.look_into(node, piece, forecast, *beam, inner, &mut memory),
        };
        self.memory[beams.len()] = memory;
        value
    }

    /// The expected value of the best of the beam.
    fn look_into<F: Forecast>(
        &mut self,
        node: &Node,
        piece: Piece,
        forecast: &F,
        beam: Beam,
        inner: &[Beam],
        Memory { children, order }: &mut Memory,
    ) -> Option<f32> {
        forecast.try_expect(piece, |next| {
            beam.choose(children, next, order);
            let beyond = forecast.after(next);
            let mut most = f32::NEG_INFINITY;
            for &(_, index) in &*order {
                most = most.max(self.look_below(node, &children[index], next, &beyond, inner)?);
            }
            Some(most)
        })
    }
}

impl Beam {
    /// Replaces `order` by the children to look into if `next` comes, best first; of equal ones the
    /// earlier comes first.
    fn choose(self, children: &[Child], next: Piece, order: &mut Vec<(f32, usize)>) {
        let worth = |child: &Child| child.values[next.index()];
        let best = children.iter().map(worth).fold(f32::NEG_INFINITY, f32::max);
        order.clear();
        order.extend(children.iter().map(worth).zip(0..).filter(|&(worth, _)| worth >= best - self.margin));
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(self.width);
    }
}

/// Takes the cost of the pile's height, from level 29 on, off the net's values of a placement.
fn keep_low(child: &mut Child) {
    let height = ROWS - child.playfield.top();
    for value in &mut child.values {
        *value -= HEIGHT_COST * (height * height) as f32;
    }
}

/// What the best placement for each piece that may come is worth, on average.
fn expectation(children: &[Child], piece: Piece, forecast: &impl Forecast) -> f32 {
    let mut most = [f32::NEG_INFINITY; 8];
    for child in children {
        for (most, worth) in most.iter_mut().zip(&child.values) {
            *most = most.max(*worth);
        }
    }
    forecast.expect(piece, |next| most[next.index()])
}
