//! Plans a game whose pieces may be chosen, as far as the generator could draw them: placements from the first piece to
//! the goal.
//!
//! A plan knows no frames of the generator. What it loses to waiting for pieces is estimated from the chance of each
//! draw. [`Improvement::of_plan`](super::improve::Improvement::of_plan) finds the real pieces for it.

mod again;
mod beam;
mod part;
mod rest;
mod round;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use maxout_engine::game::{Orientation, Piece, Placement};
use maxout_engine::tas::{Opening, Reach, openings};

use super::clears_left::ClearsLeft;
use super::goal::Goal;
use super::values::Tables;
pub use again::again;
use beam::{Beam, Planned};

/// What is planned. The same settings give the same plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planning {
    /// What is to be reached.
    pub goal: Goal,
    /// The level that is chosen in the menu.
    pub start_level: u8,
    /// Games that are kept after each piece with as many ready rows and tetrises left.
    pub alike: usize,
    /// Frames by which the menus may be delayed.
    pub menu_delay: u32,
    /// What waiting for a piece costs: this many frames for each frame in which it is drawn once on average. With 0.1 a
    /// piece that is drawn once in 7 frames costs 0.7 frames.
    pub wait: f32,
    /// Another one plans other parts again, from 1 on.
    pub seed: u64,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The menus, and the first two pieces.
    pub opening: Opening,
    /// The placements up to the goal.
    pub placements: Vec<Placement>,
}

/// A plan in numbers, for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanNumbers {
    /// Which opening.
    opening: usize,
    /// Of each placement the orientation's id, the column and the row.
    placements: Vec<(u8, i8, i8)>,
}

impl Planning {
    /// The menus with the fewest frames for each pair of first pieces.
    fn openings(&self) -> Vec<Opening> {
        let mut found: Vec<Opening> = Vec::new();
        for new in openings(self.goal.choice(self.start_level), self.menu_delay) {
            let pieces = |opening: &Opening| (opening.first.piece, opening.first.next);
            if found.iter().all(|old| pieces(old) != pieces(&new)) {
                found.push(new);
            }
        }
        found
    }

    /// The menus with the fewest frames for these first two pieces.
    pub(super) fn opening(&self, pieces: (Piece, Piece)) -> Option<Opening> {
        self.openings().into_iter().find(|opening| (opening.first.piece, opening.first.next) == pieces)
    }

    fn clears_left(&self) -> ClearsLeft {
        ClearsLeft::new(self.goal, self.start_level)
    }

    fn beam(&self) -> Beam {
        Beam {
            goal: self.goal,
            clears_left: self.clears_left(),
            wait: self.wait,
            alike: self.alike,
            first: (0, 0),
            noise: (0.0, 0),
            hold: 0.0,
            below: f32::INFINITY,
        }
    }

    /// The numbers of a plan, which [`Planning::plan_of`] reads.
    pub fn numbers(&self, plan: &Plan) -> PlanNumbers {
        let opening = self.openings().iter().position(|opening| *opening == plan.opening);
        let opening = opening.expect("a plan begins with one of the openings");
        let placements = plan.placements.iter().map(|it| (it.orientation.id(), it.x, it.y)).collect();
        PlanNumbers { opening, placements }
    }

    /// The plan of these numbers; `None` if its placements do not lead to the goal with pieces that can come.
    pub fn plan_of(&self, numbers: &PlanNumbers) -> Option<Plan> {
        let opening = self.openings().into_iter().nth(numbers.opening)?;
        let placement = |&(id, x, y): &(u8, i8, i8)| Some(Placement { orientation: Orientation::from_id(id)?, x, y });
        let placements: Option<Vec<Placement>> = numbers.placements.iter().map(placement).collect();
        let plan = Plan { opening, placements: placements? };
        self.frames(&plan).is_some().then_some(plan)
    }

    /// The frames of a plan from power-on, with what waiting for its pieces is thought to cost; `None` if its placements
    /// do not lead to the goal with pieces that can come.
    pub fn frames(&self, plan: &Plan) -> Option<f32> {
        let game = self.game(plan, plan.placements.len())?;
        game.is_at(self.goal).then_some(game.frames)
    }

    /// The game after the first pieces of a plan. `None` if one of them cannot come, cannot get to its place, or comes after
    /// the goal.
    fn game(&self, plan: &Plan, pieces: usize) -> Option<Planned> {
        let (mut game, mut played) = (self.begin(plan), 0);
        for next in self.games(game, &plan.placements[..pieces]) {
            if game.is_at(self.goal) {
                return None;
            }
            (game, played) = (next, played + 1);
        }
        (played == pieces).then_some(game)
    }

    /// A plan's game before its first piece.
    fn begin(&self, plan: &Plan) -> Planned {
        Planned::begin(plan.opening.first, &self.clears_left())
    }

    /// The games after each of these placements, up to the first one whose piece cannot come or cannot get there.
    fn games(&self, from: Planned, placements: &[Placement]) -> impl Iterator<Item = Planned> {
        let (wait, clears_left, mut reach) = (self.wait, self.clears_left(), Reach::stopping());
        placements.iter().scan(from, move |game, &placement| {
            *game = game.play(placement, wait, &clears_left, &mut reach)?;
            Some(*game)
        })
    }
}

/// Plans; `None` if it was stopped, or no game reaches the goal. `shown` gets the pieces so far and the points.
pub fn plan(
    planning: Planning,
    tables: &Tables,
    threads: usize,
    stop: &AtomicBool,
    shown: impl FnMut(usize, u32),
) -> Option<Plan> {
    let mut openings = planning.openings();
    let beam = planning.beam();
    let games = openings.iter().map(|opening| Planned::begin(opening.first, &beam.clears_left)).collect();
    let (at, placements) = beam.search(games, tables, threads, stop, shown)?;
    Some(Plan { opening: openings.swap_remove(at), placements })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use maxout_engine::game::timing::frames_per_row;
    use maxout_engine::tas::Pause;

    use super::round::Round;
    use super::*;
    use crate::tas::improve::{self, Improvement, Improving, Stretches};
    use crate::tas::odds::DrawOdds;
    use crate::tas::path::MOST_FALL;

    const GOAL: Goal = Goal::Score(20_000);
    const PLANNING: Planning = Planning { goal: GOAL, start_level: 18, alike: 4, menu_delay: 1, wait: 0.1, seed: 1 };
    const IMPROVING: Improving = Improving { width: 50, ..improve::tests::IMPROVING };

    fn planned(threads: usize, stop: &AtomicBool) -> Option<Plan> {
        plan(PLANNING, Tables::built_in(), threads, stop, |_, _| ())
    }

    /// Plays a plan with the steps of a search: it reaches the goal with its last piece, and each piece can come.
    fn check(plan: &Plan, goal: Goal) {
        let mut now = plan.opening.first;
        let pieces: Vec<Piece> = plan.placements.iter().map(|placement| placement.orientation.piece()).collect();
        assert_eq!(pieces[..2], [now.piece, now.next]);
        let odds = DrawOdds::get();
        let mut reach = Reach::stopping();
        for (index, &placement) in plan.placements.iter().enumerate() {
            now.piece = pieces[index];
            let mut reached = false;
            let gravity = frames_per_row(now.progress.level);
            reach.landings(&now.page, now.piece, gravity, index == 0, MOST_FALL, |landing| {
                reached |= landing.placement == placement;
            });
            assert!(reached, "piece {index}");
            assert!(!goal.is_reached(now.score, now.progress), "the goal comes before the plan ends");
            // The spawn of a piece draws the next one. The spawn count grows by one for each piece.
            if let (1.., Some(&next)) = (index, pieces.get(index + 1)) {
                let count = plan.opening.first.generator.spawn_count + index as u8 - 1;
                assert!(odds.of(count, pieces[index], next) > 0.0, "piece {index}, then {next:?}");
            }
            now = now.lock(placement, 10, 0).spawn(Pause::default());
        }
        assert!(goal.is_reached(now.score, now.progress));
    }

    #[test]
    fn a_plan_reaches_the_goal_with_pieces_that_can_come_on_any_number_of_threads() {
        let stop = AtomicBool::new(false);
        let plan = planned(1, &stop).expect("a plan");
        assert_eq!(planned(3, &stop).as_ref(), Some(&plan));
        check(&plan, GOAL);

        let improving = Improving { shape: 3, ..IMPROVING };
        let found = Improvement::of_plan(&plan, improving)
            .search(Stretches::Short { shift: 0 }, 2, &stop, |_| ())
            .expect("a way through");
        found.expect("nothing stops it").play(GOAL).expect("the rules model agrees");

        stop.store(true, Ordering::Relaxed);
        assert_eq!(planned(2, &stop), None);
    }

    #[test]
    #[ignore = "a search of ten seconds and more; .ci/run runs it"]
    fn another_seed_plans_other_parts_again() {
        let (stop, tables) = (AtomicBool::new(false), Tables::built_in());
        let first = planned(1, &stop).expect("a plan");
        let plans = [1, 2, 3].map(|seed| {
            let planning = Planning { seed, ..PLANNING };
            assert_eq!(plan(planning, tables, 1, &stop, |_, _| ()).as_ref(), Some(&first), "the first plan");
            let then = |best: Plan, round| again(planning, &best, round, tables, 2, &stop, || ()).unwrap_or(best);
            (0..12).fold(first.clone(), then)
        });
        plans.iter().for_each(|plan| check(plan, GOAL));
        assert!(plans[0] != plans[1] || plans[0] != plans[2], "three seeds, one plan");
    }

    #[test]
    fn planning_again_keeps_what_is_faster_on_any_number_of_threads() {
        let (stop, tables) = (AtomicBool::new(false), Tables::built_in());
        let mut best = planned(1, &stop).expect("a plan");
        let mut least = PLANNING.frames(&best).expect("the frames of a plan");
        let mut faster = 0;
        for round in 0..12 {
            let [one, two] = [1, 2].map(|threads| again(PLANNING, &best, round, tables, threads, &stop, || ()));
            assert_eq!(one, two, "round {round}");
            let Some(new) = one else { continue };
            check(&new, GOAL);
            let frames = PLANNING.frames(&new).expect("the frames of a plan");
            assert!(frames < least, "{frames} frames after {least}");
            (best, least, faster) = (new, frames, faster + 1);
        }
        assert!(faster > 0, "no round found a faster plan");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(again(PLANNING, &best, 0, tables, 1, &stop, || ()), None);
    }

    /// Pieces of two plans that are the same at their ends.
    fn same_at_the_end(one: &Plan, other: &Plan) -> usize {
        let pairs = one.placements.iter().rev().zip(other.placements.iter().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }

    #[test]
    #[ignore = "a search of ten seconds and more; .ci/run runs it"]
    fn a_part_that_is_planned_again_leads_back_into_the_plan() {
        let (stop, tables) = (AtomicBool::new(false), Tables::built_in());
        // A bad plan, so that there is something to find.
        let planning = Planning { goal: Goal::Score(300_000), alike: 2, ..PLANNING };
        let bad = plan(planning, tables, 1, &stop, |_, _| ()).expect("a plan");
        let better = Planning { alike: 4, ..planning };
        let mut back = 0;
        for number in 0..12 {
            let round = Round { planning: better, plan: &bad, number, tables, threads: 2, stop: &stop };
            let Some(new) = part::again(round, || ()) else { continue };
            check(&new, planning.goal);
            assert!(planning.frames(&new) < planning.frames(&bad), "round {number}");
            let same = same_at_the_end(&bad, &new);
            // It leads back before the last tetris, whose pieces are the same.
            back += usize::from(same >= 5 && same < new.placements.len());
        }
        assert!(back > 0, "no round led back into the plan");
    }

    #[test]
    fn a_game_is_a_plan_and_another_goal_or_other_menus_are_none() {
        let stop = AtomicBool::new(false);
        let made = planned(1, &stop).expect("a plan");
        let found = Improvement::of_plan(&made, IMPROVING).search(Stretches::Short { shift: 0 }, 2, &stop, |_| ());
        let game = found.expect("a way through").expect("nothing stops it").play(GOAL).expect("the model agrees");
        let recorded = Improvement::of(&game.buttons, IMPROVING).expect("a game");
        let plan = recorded.plan(PLANNING).expect("the game as a plan");
        assert_eq!(plan.placements, made.placements);
        assert_eq!(recorded.plan(Planning { goal: Goal::Score(40_000), ..PLANNING }), None);
        let openings = PLANNING.openings();
        assert!(openings.iter().all(|it| PLANNING.opening((it.first.piece, it.first.next)).as_ref() == Some(it)));
    }

    #[test]
    fn a_plan_survives_its_numbers_and_others_are_refused() {
        let plan = planned(1, &AtomicBool::new(false)).expect("a plan");
        let numbers = PLANNING.numbers(&plan);
        assert_eq!(PLANNING.plan_of(&numbers), Some(plan));
        let damaged = |damage: &dyn Fn(&mut PlanNumbers)| {
            let mut numbers = numbers.clone();
            damage(&mut numbers);
            PLANNING.plan_of(&numbers)
        };
        assert_eq!(damaged(&|it| it.opening += 1000), None, "no such opening");
        assert_eq!(damaged(&|it| it.placements[3].0 = 200), None, "no such orientation");
        assert_eq!(damaged(&|it| it.placements[3].2 -= 1), None, "it hangs in the air");
        assert_eq!(damaged(&|it| it.placements.truncate(5)), None, "no goal");
        assert_eq!(damaged(&|it| it.placements.extend([(0, 5, 1)])), None, "it goes on after the goal");
        assert_eq!(damaged(&|it| it.placements.swap(0, 1)), None, "other first pieces");
        let plain = Planning { goal: Goal::Score(40_000), ..PLANNING };
        assert_eq!(plain.plan_of(&numbers), None, "another goal");
    }
}
