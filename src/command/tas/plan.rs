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
use maxout_lab::tas::improve::{Improvement, Improving};
use maxout_lab::tas::plan::{Planning, plan};
use maxout_lab::tas::values::Tables;
use maxout_lab::tas::{Goal, Settings};

/// The plans that are tried: playfields kept after each piece, and what waiting for a piece costs. Which of them gives
/// the fastest game is luck: from level 18 to 999,999, with stretches of 5 pieces and width 2,000, 12 plans of 100, 300
/// and 1,000 playfields with costs of 0.1, 0.2, 0.35 and 0.5 gave frames 12,113 to 12,877. These are the fastest for
/// each number of playfields.
const PLANS: [(usize, f32); 3] = [(300, 0.1), (100, 0.35), (1000, 0.35)];

/// Plans, searches, writes the result and prints the summary.
pub(super) fn run(args: &Tas, settings: Settings, claims: &mut Claims) -> Result<ExitCode, Failure> {
    let Settings { goal, count, start_level, width, menu_delay, .. } = settings;
    let points_of_goal = check(goal, start_level)?;
    let improving = Improving { goal, count, shape: args.shape.into(), width, menu_delay };
    let (begun, stop) = (Instant::now(), stop_on_interrupt(Second::Kills)?);
    say(&format!("tool-assisted search: {goal} from level {start_level}, {} plans", PLANS.len()));
    let tables = Tables::built_in();
    let mut shown = ShownImprovement::new(args.minutes, &stop);
    let of = format!("{improving:?} from level {start_level} of plans {PLANS:?}");
    let mut kept = Kept::begin(args, goal, PLANS.len(), &of)?;
    let mut interrupted = false;
    for (index, (width, wait)) in PLANS.into_iter().enumerate().skip(kept.stages.plans) {
        shown.plan(index + 1, PLANS.len());
        let planning = Planning { goal, start_level, width, menu_delay, wait };
        let plan = plan(planning, &tables, args.threads(), &stop, |pieces, points| {
            shown.planned(pieces, points, points_of_goal);
        });
        interrupted = stop.load(Ordering::Relaxed);
        if interrupted {
            break;
        }
        let found = plan.map(|plan| {
            let improvement = Improvement::of_plan(&plan, improving);
            improvement.search(0, args.threads(), &stop, |progress| shown.piece(&progress))
        });
        match found {
            Some(Ok(Some(found))) => {
                let played = play(&found, goal)?;
                let measured = Measured::of(&played);
                say(&format!("plan {}: a game {}", index + 1, measured.words(count)));
                let best = kept.stages.game.as_ref();
                if best.is_none_or(|best| measured.is_less(Measured::of(best), count)) {
                    kept.stages.game = Some(played);
                }
            }
            Some(Ok(None)) => {
                interrupted = true;
                break;
            }
            Some(Err(error)) => say(&format!("plan {}: {error}", index + 1)),
            None => {}
        }
        kept.stages.plans = index + 1;
        kept.save();
    }
    if let Some(game) = kept.stages.game.as_ref().filter(|_| !interrupted) {
        let buttons = game.buttons.clone();
        interrupted = Rounds { args, improving, stop: &stop }.search(&mut shown, &mut kept, buttons)?;
    }
    let advice = kept.advice(interrupted, "try a wider search (--width), or one without --plan");
    let Some(played) = kept.stages.game else {
        let how = if interrupted { "stopped before" } else { "no plan led to" };
        return Err(Failure::run(anyhow!("{how} a game that reaches {goal}: {advice}")));
    };
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let console = write(args, &settings, Made::Planned, &played, claims)?;
    let summary = Summary::new(&settings, outcome, None, &played, console, begun.elapsed().as_secs_f64());
    let code = finish(args, &summary, interrupted)?;
    kept.failure.map_or(Ok(code), Err)
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
