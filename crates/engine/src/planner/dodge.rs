//! Which of the candidates the game survives, and what keeps it from crashing: another placement, other rows of
//! pushdown, or Select.

use std::cmp::Reverse;
use std::iter;

use super::candidate::Candidate;
use super::course::Course;
use super::limits::Limits;
use super::reach::Reach;
use super::sight::Sight;
use crate::game::crash::{Danger, Lock, MARGIN, PHASES, PushdownRows, Scene, Verdict};
use crate::game::{Placement, Position};
use crate::gamepad::Buttons;

/// What a plan does so that its lock does not crash the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dodge {
    /// It chose another placement than the best.
    pub placement: bool,
    /// It pushes down other rows than it would.
    pub pushdown: bool,
    /// It presses Select.
    pub select: bool,
}

impl Dodge {
    /// Is there nothing to dodge?
    pub fn is_none(self) -> bool {
        self == Dodge::default()
    }
}

/// The lock of a plan, as far as the length of the pass that scores it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedLock {
    /// T: the length of the pass in cycles. Of a tetris, whose flash may take some more, the nearer to a danger.
    pub cycles: u32,
    /// Is the next box hidden then?
    pub next_hidden: bool,
    /// What the plan does to dodge a danger.
    pub dodge: Dodge,
}

impl PlannedLock {
    /// The lock at this placement with this many rows of pushdown, in this scene. Of a tetris, the nearer to a danger
    /// with and without the flash.
    pub fn of(position: &Position, placement: Placement, pushed: u8, scene: Scene) -> PlannedLock {
        let lock = Lock::planned(&position.playfield, placement, position.progress(), pushed, scene.clears);
        let lock = Lock { next_hidden: scene.next_hidden, ..lock };
        let flashing = Lock { flash: lock.rows == 4, ..lock };
        let evil = |verdict: &Verdict| (risk(verdict), Reverse(verdict.margin));
        let [verdict, flashing] = [lock, flashing].map(|lock| Verdict::of(&lock));
        let worse = if evil(&flashing) > evil(&verdict) { flashing } else { verdict };
        PlannedLock { cycles: worse.cycles, next_hidden: scene.next_hidden, dodge: Dodge::default() }
    }

    /// What comes of it.
    pub fn verdict(&self) -> Verdict {
        Verdict::at(self.cycles, self.next_hidden)
    }
}

/// What may come of a lock, the least evil first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Risk {
    /// Nothing, and some placement of the next piece is safe, too.
    None,
    /// Nothing, but after it no placement of the next piece is known to be safe.
    Later,
    /// A hang, which A ends.
    Hang,
    /// A crash on some consoles: in how many of the phases, fewer than all, and how much of the margin is missing.
    MayCrash { phases: u32, missing: u32 },
    /// The next piece can go nowhere, so that the game tops out.
    Topout,
    /// A crash in all phases.
    Crash,
}

/// How likely a lock on the very border of a crash crashes on some console. Of 1,060 measured cases at most 8, all
/// within the margin, were other than the model says. Chosen by hand, not measured.
const CHANCE_ON_THE_BORDER: f64 = 0.05;
/// How much of the game is lost, in the mean, after a lock that leaves no safe lock of the next piece. Chosen by
/// hand, not measured.
const CHANCE_LATER: f64 = 0.02;

impl Risk {
    /// What it costs, in points; `value` is what the rest of the game is worth. A hang that A ends costs some frames
    /// and nothing else, so its price is a single. A topout costs nothing more: the value of the placement knows it.
    fn price(self, value: f64, single: f64) -> f64 {
        let value = value.max(single);
        match self {
            Risk::None | Risk::Topout => 0.0,
            Risk::Later => CHANCE_LATER * value,
            Risk::Hang => single,
            Risk::MayCrash { phases: 0, missing } => {
                CHANCE_ON_THE_BORDER * value * f64::from(missing) / f64::from(MARGIN)
            }
            Risk::MayCrash { phases, .. } => value * f64::from(phases) / f64::from(PHASES),
            Risk::Crash => value,
        }
    }
}

/// A way to lock.
struct Way {
    course: Course,
    lock: PlannedLock,
    risk: Risk,
}

/// The choice of a plan.
pub(super) struct Choice {
    /// Index of the candidate.
    pub(super) index: usize,
    pub(super) course: Course,
    pub(super) lock: Option<PlannedLock>,
}

/// The ways to lock a piece.
pub(super) struct Ways<'a> {
    pub(super) reach: &'a Reach<'a>,
    /// Frames that are settled already.
    pub(super) opening: &'a [Buttons],
    pub(super) limits: &'a Limits,
    pub(super) sight: Sight,
    /// The scene after the frames of the opening; `None` where RAM does not show it: nothing is dodged then.
    scene: Option<Scene>,
    /// Does the opening press Select?
    is_selected: bool,
}

impl<'a> Ways<'a> {
    /// `scene` is that before the frames of `opening`, which may press Select.
    pub(super) fn new(
        reach: &'a Reach<'a>,
        opening: &'a [Buttons],
        limits: &'a Limits,
        sight: Sight,
        scene: Option<&Scene>,
    ) -> Ways<'a> {
        let before = iter::once(&reach.falling().held).chain(opening);
        let is_press = |(now, before): (&Buttons, &Buttons)| now.newly_pressed(*before).contains(Buttons::SELECT);
        let presses = opening.iter().zip(before).filter(|&pair| is_press(pair)).count();
        let is_changed = presses % 2 == 1;
        let scene = scene.map(|scene| Scene { next_hidden: scene.next_hidden != is_changed, ..*scene });
        Ways { reach, opening, limits, sight, scene, is_selected: presses > 0 }
    }

    /// The scene, if the lock can crash the game in it and the player dodges.
    pub(super) fn dangerous(&self) -> Option<Scene> {
        self.scene.filter(|_| self.limits.settings.dodges(self.reach.position().level))
    }

    /// The best candidate that a way to lock keeps from crashing the game. `single`: the points of a single, where
    /// the values are points. A risk is then weighed against what a safer placement loses: a pile that tops out
    /// ends the game, too. Where values are no points, the candidate with the least risk.
    pub(super) fn safest(&self, candidates: &[Candidate], scene: Scene, single: Option<f64>) -> Option<Choice> {
        let rated: Vec<(f64, u8)> =
            candidates.iter().map(|candidate| (candidate.verdict.value, candidate.plies)).collect();
        let (index, way) = safest(&rated, single, |index| {
            let way = self.way(&candidates[index], scene);
            (way.risk, way)
        })?;
        let Way { course, mut lock, .. } = way;
        lock.dodge.placement = index > 0;
        Some(Choice { index, course, lock: Some(lock) })
    }

    /// The safest way to lock a candidate: without doing anything, with other rows of pushdown, with Select, with
    /// both.
    fn way(&self, candidate: &Candidate, scene: Scene) -> Way {
        let plain = self.plain(candidate);
        let way = |course: &Course, hidden: bool, dodge: Dodge| {
            let lock =
                PlannedLock { dodge, ..self.lock(candidate, course.pushed, Scene { next_hidden: hidden, ..scene }) };
            let risk = risk(&lock.verdict());
            Way { course: course.clone(), lock, risk }
        };
        let mut best = way(&plain, scene.next_hidden, Dodge { select: self.is_selected, ..Dodge::default() });
        if best.risk != Risk::None {
            let pushed = PushdownRows::ALL.into_iter().filter_map(|rows| self.pushing(candidate, &plain, rows));
            let mut courses = vec![(plain.clone(), false)];
            courses.extend(pushed.map(|course| (course, true)));
            for select in [false, true] {
                for (course, pushdown) in &courses {
                    let course = if select { self.selecting(course) } else { Some(course.clone()) };
                    let Some(course) = course else { continue };
                    let dodge = Dodge { select: select || self.is_selected, pushdown: *pushdown, placement: false };
                    let other = way(&course, scene.next_hidden != select, dodge);
                    // Of equals the first, which does the least.
                    if other.risk < best.risk {
                        best = other;
                    }
                }
            }
        }
        best.risk = best.risk.max(self.risk_of_replies(candidate, scene));
        best
    }

    /// The course that is taken where nothing is dangerous.
    fn plain(&self, candidate: &Candidate) -> Course {
        Course::to(candidate, self.reach, self.opening, self.limits, self.sight, |_| true)
    }

    /// The course with other rows of pushdown; `None` where there is none.
    fn pushing(&self, candidate: &Candidate, plain: &Course, rows: PushdownRows) -> Option<Course> {
        if PushdownRows::of(plain.pushed) == rows || plain.cheat.is_some() {
            return None;
        }
        let is_such = |pushed| PushdownRows::of(pushed) == rows;
        let course = Course::to(candidate, self.reach, self.opening, self.limits, self.sight, is_such);
        is_such(course.pushed).then_some(course)
    }

    /// The course with Select in its first frame; `None` where it presses no buttons.
    fn selecting(&self, course: &Course) -> Option<Course> {
        if course.cheat.is_some() {
            return None;
        }
        course.with_select(self.reach)
    }

    /// Of a tetris, the nearer to a danger with and without the flash.
    fn lock(&self, candidate: &Candidate, pushed: u8, scene: Scene) -> PlannedLock {
        PlannedLock::of(self.reach.position(), candidate.reached.placement, pushed, scene)
    }

    /// The lock of this course, where the game can crash, from the level on from which plans say it.
    pub(super) fn timed(&self, candidate: &Candidate, course: &Course) -> Option<PlannedLock> {
        let scene = self.scene?;
        let settings = &self.limits.settings;
        settings.times_locks(self.reach.position().level).then(|| {
            let lock = self.lock(candidate, course.pushed, scene);
            PlannedLock { dodge: Dodge { select: self.is_selected, ..lock.dodge }, ..lock }
        })
    }

    /// What the next piece's locks leave: is there a safe one without pushdown, the next box shown or hidden?
    fn risk_of_replies(&self, candidate: &Candidate, scene: Scene) -> Risk {
        if self.sight == Sight::WithoutNext {
            return Risk::None;
        }
        let position = self.reach.position();
        let after = after(position, candidate);
        let scene = scene.after(candidate.afterstate.cleared.count);
        let (moves, _) = self.limits.seconds(position, &candidate.afterstate, position.next);
        let is_safe = |placement: Placement, next_hidden| {
            PlannedLock::of(&after, placement, 0, Scene { next_hidden, ..scene }).verdict().is_safe()
        };
        let reached = moves.reached();
        let mut locks = reached.iter().flat_map(|reached| [false, true].map(|hidden| (reached.placement, hidden)));
        match locks.any(|(placement, hidden)| is_safe(placement, hidden)) {
            true => Risk::None,
            false if reached.is_empty() => Risk::Topout,
            false => Risk::Later,
        }
    }
}

/// The first of these with the best worth, or without points with the least risk, and the way to lock it. `rated` are
/// the value of each, best first, and the plies that found it; `way` says what it risks.
fn safest<W>(rated: &[(f64, u8)], single: Option<f64>, mut way: impl FnMut(usize) -> (Risk, W)) -> Option<(usize, W)> {
    let &(most, plies_of_most) = rated.first()?;
    let mut floor = f64::INFINITY;
    let mut best: Option<(usize, W, Risk, f64)> = None;
    for (index, &(value, plies)) in rated.iter().enumerate() {
        let (risk, way) = way(index);
        // The search has given the others up, so they are worth no more than those it has looked into.
        let value = value.min(floor);
        if plies == plies_of_most {
            floor = value;
        }
        let worth = value - single.map_or(0.0, |single| risk.price(most, single));
        let is_better = |(_, _, least, most): &(usize, W, Risk, f64)| match single {
            Some(_) => worth > *most,
            None => risk < *least,
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some((index, way, risk, worth));
        }
        if risk == Risk::None {
            break;
        }
    }
    best.map(|(index, way, ..)| (index, way))
}

/// The position of the next piece, whose own next piece is not known.
fn after(position: &Position, candidate: &Candidate) -> Position {
    let after = position.after(candidate.afterstate.playfield, candidate.afterstate.cleared.count);
    Position { piece: position.next, ..after }
}

fn risk(verdict: &Verdict) -> Risk {
    match verdict.danger {
        None => Risk::None,
        Some(Danger::Crash) if verdict.is_certain() => Risk::Crash,
        Some(Danger::Crash) => {
            Risk::MayCrash { phases: verdict.phases, missing: MARGIN.saturating_sub(verdict.margin) }
        }
        Some(Danger::HangUntilCounter | Danger::HangUntilButton) => Risk::Hang,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::scoring::Progress;
    use crate::game::{Orientation, Piece, Playfield};

    const RISKS: [Risk; 8] = [
        Risk::None,
        Risk::Later,
        Risk::Hang,
        Risk::MayCrash { phases: 0, missing: 3 },
        Risk::MayCrash { phases: 0, missing: 15 },
        Risk::MayCrash { phases: 4, missing: 15 },
        Risk::Topout,
        Risk::Crash,
    ];

    /// Which is chosen of candidates with these values and risks, all found by three plies.
    fn chosen(single: Option<f64>, candidates: &[(f64, Risk)]) -> Option<usize> {
        let rated: Vec<(f64, u8)> = candidates.iter().map(|candidate| (candidate.0, 3)).collect();
        safest(&rated, single, |index| (candidates[index].1, ())).map(|(index, ())| index)
    }

    #[test]
    fn a_price_is_the_chance_times_what_is_lost() {
        let prices = RISKS.map(|risk| risk.price(80_000.0, 6_000.0));
        assert_eq!(prices, [0.0, 1_600.0, 6_000.0, 800.0, 4_000.0, 40_000.0, 0.0, 80_000.0]);
        // The rest of the game is worth a single at least.
        assert_eq!(Risk::Crash.price(-5.0, 6_000.0), 6_000.0);
    }

    #[test]
    fn without_points_the_least_risk_is_chosen_whatever_it_loses() {
        for (less, &more) in RISKS.iter().skip(1).enumerate() {
            let less = RISKS[less];
            assert_eq!(chosen(None, &[(9.0, more), (-9.0, less)]), Some(1), "{less:?} and {more:?}");
            assert_eq!(chosen(None, &[(9.0, less), (-9.0, more)]), Some(0), "{less:?} and {more:?}");
            assert_eq!(chosen(None, &[(9.0, more), (-9.0, more)]), Some(0), "of equals the better: {more:?}");
        }
        assert_eq!(chosen(None, &[]), None);
    }

    #[test]
    fn with_points_a_risk_is_weighed_against_what_a_safer_placement_loses() {
        let single = Some(6_000.0);
        for (risk, price) in [(Risk::Later, 1_600.0), (Risk::Hang, 6_000.0), (Risk::Crash, 80_000.0)] {
            let against = |value| chosen(single, &[(80_000.0, risk), (value, Risk::None)]);
            assert_eq!(against(80_000.0 - price + 1.0), Some(1), "{risk:?}");
            assert_eq!(against(80_000.0 - price - 1.0), Some(0), "{risk:?}");
        }
    }

    #[test]
    fn a_candidate_that_the_search_gave_up_is_worth_no_more_than_one_it_looked_into() {
        let rated = [(80_000.0, 3), (60_000.0, 3), (90_000.0, 1)];
        let risks = [Risk::Crash, Risk::Later, Risk::None];
        let chosen = safest(&rated, Some(6_000.0), |index| (risks[index], index));
        assert_eq!(chosen, Some((2, 2)), "60,000 without a price against 58,400");
        let risks = [Risk::Crash, Risk::None, Risk::None];
        assert_eq!(safest(&rated, Some(6_000.0), |index| (risks[index], ())), Some((1, ())));
        let risks = [Risk::Later, Risk::Crash, Risk::None];
        assert_eq!(safest(&rated, Some(6_000.0), |index| (risks[index], ())), Some((0, ())), "78,400 against 60,000");
    }

    #[test]
    fn of_a_tetris_with_and_without_the_flash_the_nearer_to_a_danger_counts() {
        let mut playfield = Playfield::EMPTY;
        (16..20).for_each(|row| playfield.set_row(row, 0b01_1111_1111));
        let upright = (0..19)
            .filter_map(Orientation::from_id)
            .flat_map(|orientation| (0..20).map(move |y| Placement { orientation, x: 9, y }))
            .find(|placement| placement.cells().iter().all(|&(row, column)| (16..20).contains(&row) && column == 9))
            .expect("an upright I");
        let mut nearer = [0, 0];
        for level in 150..=255 {
            let before = Progress { level, ..Progress::from_lines(level, 1_512) };
            let lines = before.lines();
            let position = Position { playfield, piece: Piece::I, next: Piece::T, score: 0, lines, level };
            let lock = Lock::planned(&playfield, upright, before, 0, [0; 4]);
            let [plain, flashing] = [false, true].map(|flash| Verdict::of(&Lock { flash, ..lock }));
            let planned = PlannedLock::of(&position, upright, 0, Scene::default());
            let worse = if (risk(&flashing), Reverse(flashing.margin)) > (risk(&plain), Reverse(plain.margin)) {
                nearer[1] += 1;
                flashing
            } else {
                nearer[0] += 1;
                plain
            };
            assert_eq!((planned.cycles, planned.verdict().margin), (worse.cycles, worse.margin), "level {level}");
            if plain.is_safe() && flashing.is_safe() {
                assert_eq!(planned.verdict().margin, plain.margin.min(flashing.margin), "level {level}");
            }
        }
        assert!(nearer.iter().all(|&levels| levels > 5), "{nearer:?}");
    }
}
