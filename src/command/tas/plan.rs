//! `maxout tas --plan`: plans a game with freely chosen pieces first, and then finds the generator's pieces for it.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::anyhow;

use super::args::Tas;
use super::improve::{Rounds, play};
use super::kept::Kept;
use super::words::{Measured, Outcome, ShownImprovement, Summary};
use super::{Made, finish, write};
use crate::files::outputs::Claims;
use crate::system::failure::Failure;
use crate::system::interrupt::{Second, stop_on_interrupt};
use crate::system::output::say;
use maxout_lab::tas::improve::{ImproveError, Improvement};
use maxout_lab::tas::plan::{Planning, again, plan};
use maxout_lab::tas::stages::Plans;
use maxout_lab::tas::values::Tables;
use maxout_lab::tas::{Goal, Settings};

/// Games that a plan keeps after each piece, of those with as many ready rows and tetrises left. The first plan from level 18 to
/// 999,999 (`--menu-delay 8`) takes 10,859 frames with 20; 11,239 with 14, 10,884 with 16, 11,092 with 24 and 11,770 with
/// 80. The best 1,000 games of any kind come to 12,064.
const ALIKE: usize = 20;

/// What waiting for a piece costs, times the sum of 1 / chance over the pieces. In long stretches the generator takes 0.13 to 0.15 of
/// it for a game of 379 pieces, in short ones 0.3.
const WAIT: f32 = 0.15;

/// Plans, searches, writes the result and prints the summary.
pub(super) fn run(args: &Tas, settings: Settings, claims: &mut Claims) -> Result<ExitCode, Failure> {
    let Settings { goal, count, start_level, menu_delay, .. } = settings;
    let points_of_goal = check(goal, start_level)?;
    let improving = args.improving(&settings);
    let planning = Planning { goal, start_level, alike: ALIKE, menu_delay, wait: WAIT };
    let (replans, rounds) = (args.replans, args.replans as usize + 1);
    let (begun, stop) = (Instant::now(), stop_on_interrupt(Second::Kills)?);
    say(&format!(
        "tool-assisted search: {goal} from level {start_level}, a plan, parts of it planned again {replans} times"
    ));
    let tables = Tables::built_in();
    let mut shown = ShownImprovement::new(args.minutes, &stop);
    let of = format!("{improving:?} of {rounds} rounds of {planning:?}");
    let mut kept = Kept::begin(args, goal, Some(Plans { planning, rounds }), &of)?;
    let mut best = kept.stages.plan.as_ref().and_then(|numbers| planning.plan_of(numbers));
    shown.planning_begins(kept.stages.plans, rounds);
    while kept.stages.plans < rounds && !stop.load(Ordering::Relaxed) {
        let new = match &best {
            None => plan(planning, tables, args.threads(), &stop, |pieces, points| {
                shown.first_plan(pieces, points, points_of_goal);
            }),
            Some(best) => {
                let round = kept.stages.plans as u64;
                again(planning, best, round, tables, args.threads(), &stop, || shown.stop_in_time())
            }
        };
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let Some(new) = new {
            kept.stages.plan = Some(planning.numbers(&new));
            best = Some(new);
        }
        let Some(frames) = best.as_ref().and_then(|plan| planning.frames(plan)) else {
            return Err(Failure::run(anyhow!("found no plan that reaches {goal}: search without --plan")));
        };
        kept.stages.plans += 1;
        shown.round_of_planning(kept.stages.plans, frames);
        kept.save();
    }
    let mut interrupted = stop.load(Ordering::Relaxed);
    if let (false, None, Some(plan)) = (interrupted, &kept.stages.game, &best) {
        let found = Improvement::of_plan(plan, improving)
            .search(improving.stretches()[0], args.threads(), &stop, |progress| shown.piece(&progress))
            .map_err(|error| Failure::run(not_followed(error)))?;
        interrupted = found.is_none();
        if let Some(found) = found {
            let played = play(&found, goal)?;
            say(&format!("found the pieces for the plan: a game {}", Measured::of(&played).words(count)));
            kept.stages.game = Some(played);
            kept.save();
        }
    }
    if let Some(game) = kept.stages.game.as_ref().filter(|_| !interrupted) {
        let buttons = game.buttons.clone();
        interrupted = Rounds { args, improving, stop: &stop }.search(&mut shown, &mut kept, buttons)?;
    }
    let advice = kept.advice();
    let Some(played) = kept.stages.game else {
        return Err(Failure::run(anyhow!("stopped before a game that reaches {goal}: {advice}")));
    };
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let console = write(args, &settings, Made::Planned, &played, claims)?;
    let summary = Summary::new(&settings, outcome, None, &played, console, begun.elapsed().as_secs_f64());
    let code = finish(args, &summary, interrupted)?;
    kept.failure.map_or(Ok(code), Err)
}

/// Why no game follows the plan.
fn not_followed(error: ImproveError) -> anyhow::Error {
    match error {
        ImproveError::Lost { piece } => {
            let advice = "try a wider search (--width), with another --checkpoint";
            anyhow!("found no way to place piece {piece} as the plan does: {advice}")
        }
        error => anyhow::Error::new(error),
    }
}

/// The points of the goal.
fn check(goal: Goal, start_level: u8) -> Result<u32, Failure> {
    let levels = Tables::START_LEVELS;
    if !levels.contains(&start_level) {
        let (first, last) = (levels.start(), levels.end());
        return Err(Failure::input(anyhow!(
            "--plan: expected --start-level {first} to {last}, found {start_level}; search without --plan"
        )));
    }
    match goal {
        Goal::Score(points) => Ok(points),
        Goal::Lines(_) | Goal::Level(_) => {
            Err(Failure::input(anyhow!("--plan: expected a goal of points, found {goal}; search without --plan")))
        }
    }
}
