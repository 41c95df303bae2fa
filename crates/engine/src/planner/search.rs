//! The search itself: every reachable placement of the current piece, every reachable
//! placement of the next one, and the evaluator's choice among them.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use super::cheat::Cheat;
use super::filter::Filter;
use super::plan::{Alternative, Plan, Promise, landing, play_out};
use super::player::{Player, PlayerError};
use super::reach::{Reach, Sight, react};
use super::settings::{Input, Settings};
use super::target::{Standing, Target};
use super::think::{Effort, Shape, Think, Thinker};
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::scoring::Progress;
use crate::game::{Placement, Playfield, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle, TapRate};
use crate::judge::handmade::{Afterstate, Evaluator, LEARNED, Rank, Verdict};
use crate::judge::learned::QuickNet;
use crate::movegen::{Moves, Reached, Start};

/// How many of the other placements a [`Plan`] keeps.
const ALTERNATIVES: usize = 3;

/// A falling piece at a sample, about to be controlled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Falling {
    /// The piece and its counters.
    pub piece: FallingPiece,
    /// Buttons down in the frame of the sample.
    pub held: Buttons,
    /// Number of the next control frame; 0 for the frame after the spawn.
    pub control_frame: u32,
}

/// A planner: who judges, and a way to move.
pub struct Search {
    mind: Mind,
    settings: Settings,
    filter: Option<Arc<dyn Filter>>,
}

/// Who judges.
enum Mind {
    /// By this piece and the next.
    Evaluator(Box<dyn Evaluator>),
    /// By looking ahead.
    Learned(Box<Thinker>),
}

/// A judged placement of the current piece.
struct Candidate {
    reached: Reached,
    afterstate: Afterstate,
    next: Option<Placement>,
    verdict: Verdict,
    /// Compared before the verdict: how it stands to the target score, ...
    standing: Standing,
    /// ... whether the filter allows a placement of the next piece, ...
    filtered: bool,
    /// ... and how many plies found the verdict.
    plies: u8,
}

impl Candidate {
    /// What is compared before the verdict; more is better.
    fn constraints(&self) -> (Standing, bool) {
        (self.standing, self.filtered)
    }
}

/// How a candidate's placement is brought about.
struct Course {
    timeline: InputTimeline,
    cheat: Option<Cheat>,
    promises: Vec<Promise>,
    /// Rows of pushdown that the lock pays for.
    pushed: u8,
}

impl Search {
    /// A planner with this evaluator. The settings' filter is [`Search::filtered`]'s to add.
    pub fn new(evaluator: Box<dyn Evaluator>, settings: Settings) -> Search {
        Search { mind: Mind::Evaluator(evaluator), settings, filter: None }
    }

    /// The learned planner. The settings' filter is [`Search::filtered`]'s to add.
    pub fn learned(net: Arc<QuickNet>, settings: Settings) -> Search {
        let thinker = Thinker {
            net,
            shape: Shape::default(),
            style: settings.style(),
            think: settings.think.unwrap_or_default(),
            threads: settings.think_threads.map_or(1, |threads| threads.get().into()),
        };
        Search { mind: Mind::Learned(Box::new(thinker)), settings, filter: None }
    }

    /// Looks at no placement that the filter refuses while it allows any.
    pub fn filtered(self, filter: Option<Arc<dyn Filter>>) -> Search {
        Search { filter, ..self }
    }

    /// The evaluator's name.
    pub fn evaluator_name(&self) -> &'static str {
        match &self.mind {
            Mind::Evaluator(evaluator) => evaluator.name(),
            Mind::Learned(_) => LEARNED,
        }
    }

    /// How it moves pieces.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Plans the falling piece; `None` when no placement can be reached, as after a spawn into
    /// blocks.
    pub fn plan(&self, position: &Position, falling: &Falling) -> Option<Plan> {
        if self.settings.style().is_none() {
            // No hand moves the piece, so none is slow.
            return self.plan_from(position, falling, &[], Sight::WithNext);
        }
        let Ok(plan) = react(&self.settings, falling, |opening, sight| {
            Ok::<_, Infallible>(self.plan_from(position, falling, opening, sight))
        });
        plan
    }

    /// Plans what comes after the opening.
    fn plan_from(&self, position: &Position, falling: &Falling, opening: &[Buttons], sight: Sight) -> Option<Plan> {
        let reach = Reach::of(position, falling, opening, &self.settings)?;
        let (admitted, filtered) = self.admitted(&position.playfield, reach.reached());
        if !filtered {
            log::info!("the filter allows no placement of the {}: all are looked at", position.piece.letter());
        }
        let (mut candidates, effort) = match &self.mind {
            Mind::Evaluator(evaluator) => {
                let mut effort = Effort { plies: evaluator.plies() as u8, expansions: 1, judged: 0 };
                let judge = |&reached| self.judge(&**evaluator, position, reached, sight, &mut effort);
                (admitted.iter().map(judge).collect(), effort)
            }
            Mind::Learned(thinker) => self.think(thinker, position, &admitted, sight),
        };
        // A stable sort: among equals the one that locks first stays in front.
        candidates.sort_by(|a, b| {
            let constraints = a.constraints().cmp(&b.constraints()).reverse();
            constraints.then(b.plies.cmp(&a.plies)).then(b.verdict.compare(&a.verdict))
        });
        let (chosen, course) = self.choose(&reach, opening, &candidates, sight)?;
        let best = &candidates[chosen];
        let next_placement = match &self.mind {
            Mind::Learned(thinker) if sight == Sight::WithNext => {
                thinker.next_placement(position, best.reached.placement)
            }
            Mind::Learned(_) | Mind::Evaluator(_) => best.next,
        };
        debug_assert_eq!(landing(&course.promises), best.reached.placement);
        let others = candidates.iter().enumerate().filter(|&(index, _)| index != chosen).map(|(_, other)| other);
        Some(Plan {
            placement: best.reached.placement,
            next_placement,
            timeline: course.timeline,
            cheat: course.cheat,
            promises: course.promises,
            playfield: best.afterstate.playfield,
            clears: best.afterstate.cleared.count,
            value: best.verdict.value,
            alternatives: others
                .take(ALTERNATIVES)
                .map(|other| Alternative { placement: other.reached.placement, value: other.verdict.value })
                .collect(),
            reachable: reach.reached().len(),
            effort,
        })
    }

    /// What the filter leaves of the placements within reach, and whether it left any; all of them
    /// where it does not.
    fn admitted<'a>(&self, playfield: &Playfield, reached: &'a [Reached]) -> (Cow<'a, [Reached]>, bool) {
        let Some(filter) = &self.filter else { return (Cow::Borrowed(reached), true) };
        let allowed = filter.allowed(playfield, reached);
        if allowed.is_empty() { (Cow::Borrowed(reached), reached.is_empty()) } else { (Cow::Owned(allowed), true) }
    }

    /// The first candidate, and how it is brought about; with a target score the first whose
    /// pushdown on the way does not overshoot it.
    fn choose(
        &self,
        reach: &Reach<'_>,
        opening: &[Buttons],
        candidates: &[Candidate],
        sight: Sight,
    ) -> Option<(usize, Course)> {
        let position = reach.position();
        let course = |candidate| self.course(reach, opening, candidate, sight);
        let first = course(candidates.first()?);
        let Some(target) = self.target() else { return Some((0, first)) };
        let stays_below = |candidate: &Candidate, course: &Course| {
            target.standing(position, candidate.afterstate.cleared.count, course.pushed) != Standing::Overshoots
        };
        if stays_below(&candidates[0], &first) {
            return Some((0, first));
        }
        let others = candidates.iter().enumerate().skip(1).take_while(|(_, c)| c.standing != Standing::Overshoots);
        let below = others.map(|(index, candidate)| (index, candidate, course(candidate)));
        let found = below.into_iter().find(|(_, candidate, course)| stays_below(candidate, course));
        Some(found.map_or((0, first), |(index, _, course)| (index, course)))
    }

    /// How a candidate's placement is brought about.
    fn course(&self, reach: &Reach<'_>, opening: &[Buttons], candidate: &Candidate, sight: Sight) -> Course {
        let (position, falling) = (reach.position(), reach.falling());
        let goal = candidate.reached.placement;
        let cheat = match self.settings.input {
            Input::Teleport => Some(Cheat::teleport(goal, position.level)),
            Input::Drag => Some(Cheat::drag(&reach.steps(&candidate.reached))),
            Input::EvenFrames | Input::Gamepad | Input::Taps => None,
        };
        if let Some(cheat) = cheat {
            let promises = cheat.play_out(&position.playfield, falling.piece, position.level);
            return Course { timeline: InputTimeline::default(), cheat: Some(cheat), promises, pushed: 0 };
        }
        let cleared = candidate.afterstate.cleared.count;
        let admits = |pushed| self.target().is_none_or(|target| target.admits(position, cleared, pushed));
        let press = |reach: &Reach<'_>, reached| {
            let timeline = reach.timeline(reached, sight, admits);
            let (promises, landed) =
                play_out(&position.playfield, falling.piece, falling.held, position.level, timeline.frames());
            Course { timeline, cheat: None, promises, pushed: landed.pushdown }
        };
        let course = press(reach, &candidate.reached);
        if self.settings.input == Input::Gamepad && !admits(course.pushed) {
            // The quickest way there pushes down. Taps at 30 Hz keep the same hold rules without.
            let taps = Settings { input: Input::Taps, tap_rate: TapRate::FASTEST, ..self.settings.clone() };
            let reach = Reach::of(position, falling, opening, &taps);
            let same = |reach: &Reach<'_>| reach.reached().iter().find(|reached| reached.placement == goal).copied();
            if let Some((reach, reached)) = reach.and_then(|reach| same(&reach).map(|reached| (reach, reached))) {
                return press(&reach, &reached);
            }
        }
        course
    }

    fn target(&self) -> Option<Target> {
        let pushes = self.settings.style().is_some();
        self.settings.target_score.map(|score| Target { score, pushes })
    }

    /// Looks ahead from the placements of which target and filter leave most to hope for; the
    /// others are judged as they are.
    fn think(
        &self,
        thinker: &Thinker,
        position: &Position,
        admitted: &[Reached],
        sight: Sight,
    ) -> (Vec<Candidate>, Effort) {
        let mut candidates: Vec<Candidate> =
            admitted.iter().map(|&reached| self.constrained(position, reached, sight)).collect();
        let most = candidates.iter().map(Candidate::constraints).max();
        let (best, others): (Vec<usize>, Vec<usize>) =
            (0..candidates.len()).partition(|&index| Some(candidates[index].constraints()) == most);
        let at_once = Thinker { think: Think::Plies(1), ..thinker.clone() };
        let mut effort = Effort::default();
        for (thinker, indices) in [(&at_once, others), (thinker, best)] {
            if indices.is_empty() {
                continue;
            }
            let placements: Vec<Placement> = indices.iter().map(|&at| candidates[at].reached.placement).collect();
            let (ranked, cost) = thinker.rank(position, &placements, sight);
            effort.add(&cost);
            effort.plies = cost.plies;
            for ranked in ranked {
                let candidate = &mut candidates[indices[ranked.index]];
                (candidate.verdict, candidate.plies) = (Verdict::of_value(ranked.value), ranked.plies);
            }
        }
        (candidates, effort)
    }

    /// A placement that nobody has judged yet: how it stands to target and filter if the next
    /// piece does its best by them.
    fn constrained(&self, position: &Position, reached: Reached, sight: Sight) -> Candidate {
        let afterstate = Afterstate::of(&position.playfield, reached.placement);
        let standing = self.standing(position, &afterstate);
        let verdict = Verdict::of_value(f64::NEG_INFINITY);
        let candidate = Candidate { reached, afterstate, next: None, verdict, standing, filtered: true, plies: 0 };
        if sight == Sight::WithoutNext || (self.filter.is_none() && self.target().is_none()) {
            return candidate;
        }
        let (moves, after) = self.seconds(position, &afterstate);
        let (admitted, filtered) = self.admitted(&afterstate.playfield, moves.reached());
        let overshoots = |second: &Reached| {
            self.overshoots(after.as_ref(), &Afterstate::of(&afterstate.playfield, second.placement))
        };
        let standing = standing.with_next(admitted.iter().all(overshoots));
        Candidate { standing, filtered: filtered && !admitted.is_empty(), ..candidate }
    }

    /// What the next piece can reach after a lock, and with a target the position for it.
    fn seconds(&self, position: &Position, lock: &Afterstate) -> (Moves, Option<Position>) {
        let mut progress = Progress::from_lines(position.level, position.lines);
        progress.count_a_type(lock.cleared.count);
        let moves = self.settings.moves(&lock.playfield, &Start::spawn(position.next), progress.level);
        (moves, self.target().map(|target| target.position_after(position, lock, &progress)))
    }

    /// Would this lock of the next piece pass the target?
    fn overshoots(&self, after: Option<&Position>, second: &Afterstate) -> bool {
        after.is_some_and(|after| self.standing(after, second) == Standing::Overshoots)
    }

    /// Judges one placement of the current piece by the best that the next piece makes of it.
    fn judge(
        &self,
        evaluator: &dyn Evaluator,
        position: &Position,
        reached: Reached,
        sight: Sight,
        effort: &mut Effort,
    ) -> Candidate {
        let afterstate = Afterstate::of(&position.playfield, reached.placement);
        let standing = self.standing(position, &afterstate);
        let candidate =
            |next, verdict| Candidate { reached, afterstate, next, verdict, standing, filtered: true, plies: 0 };
        if evaluator.plies() == 1 || sight == Sight::WithoutNext {
            effort.judged += 1;
            return candidate(None, evaluator.judge(&[afterstate]));
        }
        let (moves, after) = self.seconds(position, &afterstate);
        let (admitted, filtered) = self.admitted(&afterstate.playfield, moves.reached());
        effort.expansions += 1;
        effort.judged += admitted.len() as u64;
        let judged = admitted.iter().map(|second| {
            let second_afterstate = Afterstate::of(&afterstate.playfield, second.placement);
            let overshoots = self.overshoots(after.as_ref(), &second_afterstate);
            (second.placement, overshoots, evaluator.judge(&[afterstate, second_afterstate]))
        });
        let best = judged.reduce(|best, other| {
            let better = if other.1 == best.1 { other.2.is_better_than(&best.2) } else { best.1 };
            if better { other } else { best }
        });
        match best {
            Some((next, overshoots, verdict)) => {
                let standing = standing.with_next(overshoots);
                Candidate { standing, filtered, ..candidate(Some(next), verdict) }
            }
            // The next piece tops out: worse than anything it could still do.
            None => {
                let verdict = Verdict { rank: Rank::Refused, ..Verdict::of_value(f64::NEG_INFINITY) };
                Candidate { standing: standing.with_next(true), filtered: false, ..candidate(None, verdict) }
            }
        }
    }

    /// How a lock stands to the target score, pushdown aside.
    fn standing(&self, position: &Position, afterstate: &Afterstate) -> Standing {
        self.target().map_or(Standing::Short, |target| target.standing(position, afterstate.cleared.count, 0))
    }
}

impl Player for Search {
    fn name(&self) -> &str {
        self.evaluator_name()
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        Ok(Search::plan(self, position, falling))
    }

    /// The search remembers nothing: each plan depends on the position alone.
    fn save(&self) -> Result<Vec<u8>, PlayerError> {
        Ok(Vec::new())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), PlayerError> {
        if saved.is_empty() {
            return Ok(());
        }
        let problem = format!("expected no saved state, found {} bytes", saved.len());
        Err(PlayerError { player: Player::name(self).to_owned(), problem })
    }
}

/// Frames that must pass before the movement search can begin.
pub(super) struct Prefix {
    pub(super) frames: Vec<Buttons>,
    pub(super) start: Start,
}

impl Prefix {
    /// No button is held and none has to be let go.
    pub(super) fn without_buttons(falling: &Falling) -> Prefix {
        let start = Start { piece: falling.piece, control_frame: falling.control_frame, rest: 0 };
        Prefix { frames: Vec::new(), start }
    }

    /// After `opening`, frames that are settled already: the first piece of a game hangs until
    /// Down is pressed; and a button that is still held has to be released before it can be
    /// pressed anew. `None` if the piece lands meanwhile.
    pub(super) fn of(position: &Position, falling: &Falling, opening: &[Buttons], style: PressStyle) -> Option<Prefix> {
        let mut piece = falling.piece;
        let mut held = falling.held;
        let mut frames = Vec::new();
        let mut opening = opening.iter();
        loop {
            let hangs = piece.autorepeat_y >= 0x80;
            let buttons = match opening.next() {
                Some(&buttons) => buttons,
                None if hangs && !held.contains(Buttons::DOWN) => Buttons::DOWN,
                None if hangs || !held.is_empty() => Buttons::NONE,
                None => break,
            };
            let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), position.level);
            if outcome == ControlOutcome::Landed {
                return None;
            }
            held = buttons;
            frames.push(buttons);
        }
        let control_frame = falling.control_frame + frames.len() as u32;
        let rest = rest_after(falling.held, &frames, style);
        Some(Prefix { frames, start: Start { piece, control_frame, rest } })
    }
}

/// For how many frames more the hand rests from its last tap in `frames`, or in the frame
/// `before` them.
fn rest_after(before: Buttons, frames: &[Buttons], style: PressStyle) -> u8 {
    const TAPPED: Buttons =
        Buttons::from_bits(Buttons::LEFT.bits() | Buttons::RIGHT.bits() | Buttons::A.bits() | Buttons::B.bits());
    let PressStyle::Taps(rate) = style else { return 0 };
    let since_tap = std::iter::once(&before).chain(frames).rev().position(|buttons| buttons.intersects(TAPPED));
    since_tap.map_or(0, |frames| usize::from(rate.frames() - 1).saturating_sub(frames) as u8)
}
