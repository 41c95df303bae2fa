//! `maxout tas --plan`: plans a game with freely chosen pieces first, and then finds the generator's pieces for it. With `--improve`
//! and `--replans` the first plan is a movie's.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::anyhow;

use super::args::Tas;
use super::best::Best;
use super::improve::{Recorded, Rounds, bits, play};
use super::kept::Kept;
use super::lists::KeptLists;
use super::words::{Measured, Outcome, ShownImprovement, Summary};
use super::{Made, finish, write, write_result};
use crate::files::outputs::Claims;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::say;
use maxout_lab::tas::improve::{ImproveError, Improvement, Improving};
use maxout_lab::tas::plan::{Plan, Planning, again, plan};
use maxout_lab::tas::shard::{PlanRun, SeedsRun};
use maxout_lab::tas::stages::Plans;
use maxout_lab::tas::values::Tables;
use maxout_lab::tas::{Goal, Played, Settings};

/// Games that a plan keeps after each piece, of those with as many ready rows and tetrises left. The first plan from level 18 to
/// 999,999 (`--menu-delay 8`) takes 10,859 frames with 20; 11,239 with 14, 10,884 with 16, 11,092 with 24 and 11,770 with
/// 80. The best 1,000 games of any kind come to 12,064.
const ALIKE: usize = 20;

/// What waiting for a piece costs, times the sum of 1 / chance over the pieces. In long stretches the generator takes 0.13 to 0.15 of
/// it for a game of 379 pieces, in short ones 0.3.
const WAIT: f32 = 0.15;

/// Rounds of planning after the first plan. The plan from level 18 to 999,999 comes from 10,859 frames to 10,718 in 150 rounds, to
/// 10,701 in 350 and to 10,678 in 690; 400 rounds take about 5 minutes on two cores.
const REPLANS: u32 = 400;

/// The movie, and its game as a plan.
struct Movie {
    recorded: Recorded,
    plan: Plan,
}

/// Plans, searches, writes the result and prints the summary. The first plan is that of the movie, if there is one.
pub(super) fn run(
    args: &Tas,
    movie: Option<&Path>,
    settings: Settings,
    claims: &mut Claims,
) -> Result<ExitCode, Failure> {
    let improving = args.improving(&settings);
    let recorded = movie.map(|movie| Recorded::open(movie, improving)).transpose()?;
    let start_level = recorded.as_ref().map_or(settings.start_level, |recorded| recorded.first.start_level());
    let settings = Settings { start_level, ..settings };
    let Settings { goal, count, menu_delay, .. } = settings;
    let points_of_goal = check(goal, start_level, recorded.is_some())?;
    let planning = Planning { goal, start_level, alike: ALIKE, menu_delay, wait: WAIT, seed: settings.seed };
    let movie = recorded.map(|recorded| Movie::of(recorded, planning)).transpose()?;
    let replans = args.replans.unwrap_or(REPLANS);
    let rounds = replans as usize + 1;
    let (begun, stop) = (Instant::now(), stop_on_interrupt());
    let at = movie.as_ref().map(|movie| Measured::of_movie(&movie.recorded.first));
    let from = match at {
        Some(at) => format!("faster than the movie, {}, which is the first plan", at.words(count)),
        None => format!("from level {start_level}, a plan"),
    };
    say(&format!("tool-assisted search: {goal} {from}, parts of it planned again {replans} times"));
    let mut lists = KeptLists::begin(args)?;
    let mut shown = ShownImprovement::new(args.minutes, &stop);
    let mut best: Option<Best> = None;
    let (mut interrupted, mut advice, mut failure) = (false, "give it more time", None);
    let mut failed = None;
    for seed in args.seeds() {
        let planning = Planning { seed, ..planning };
        let movie = movie.as_ref();
        let search = PlanSearch { args, improving, planning, points_of_goal, rounds, movie, stop: &stop };
        let ended = match search.run(&mut shown, &mut lists) {
            Ok(ended) => ended,
            // The games of other seeds are good.
            Err(no_game) if args.seeds > 1 => {
                say(&format!("seed {seed}: no game"));
                failed = failed.or(Some(no_game));
                continue;
            }
            Err(no_game) => return Err(no_game),
        };
        (interrupted, advice, failure) = (ended.interrupted, ended.advice, ended.failure);
        if let Some(played) = ended.game {
            best = Best::faster(best, Best { settings: Settings { seed, ..settings.clone() }, played }.say(args));
        }
        if interrupted {
            break;
        }
    }
    let Improving { shape, across, cycles, parts, .. } = improving;
    let plan = PlanRun { replans, shape, across, cycles, parts };
    write_result(args, SeedsRun::new(&settings, args.seeds, Some(plan)), interrupted, best.as_ref())?;
    let Some(Best { settings, played }) = best else {
        if let (false, Some(no_game)) = (interrupted, failed) {
            return Err(no_game);
        }
        return Err(Failure::run(anyhow!("stopped before a game that reaches {goal}: {advice}")));
    };
    if let Some(at) = at.filter(|&at| !Measured::of(&played).is_less(at, count)) {
        let how = if interrupted { "stopped before anything" } else { "found nothing" };
        let advice = if interrupted { advice } else { "try more rounds of planning (--replans), or without them" };
        return Err(Failure::run(anyhow!("{how} faster than the movie, {}: {advice}", at.words(count))));
    }
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let made = match &movie {
        Some(movie) => Made::Improves { movie: &movie.recorded.name, replans: Some(replans) },
        None => Made::Planned,
    };
    let console = write(args, &settings, made, &played, claims)?;
    let summary = Summary::new(&settings, outcome, at, &played, console, begun.elapsed().as_secs_f64());
    let code = finish(args, &summary, interrupted)?;
    failure.or(lists.failure).map_or(Ok(code), Err)
}

/// A search from a plan on, with one seed.
struct PlanSearch<'a> {
    args: &'a Tas,
    improving: Improving,
    planning: Planning,
    points_of_goal: u32,
    /// Rounds of planning, with the first plan.
    rounds: usize,
    movie: Option<&'a Movie>,
    stop: &'a AtomicBool,
}

/// How it ended.
struct Ended {
    /// The fastest game.
    game: Option<Played>,
    interrupted: bool,
    /// What to do if it was interrupted before it had a game.
    advice: &'static str,
    /// Why the checkpoint could not be written.
    failure: Option<Failure>,
}

impl PlanSearch<'_> {
    fn run(&self, shown: &mut ShownImprovement<'_>, lists: &mut KeptLists<'_>) -> Result<Ended, Failure> {
        let &PlanSearch { args, improving, planning, rounds, stop, .. } = self;
        let Planning { goal, .. } = planning;
        let of_movie = self.movie.map_or(Vec::new(), |movie| bits(&movie.recorded.buttons));
        let of = format!("{improving:?} of {rounds} rounds of {planning:?} {of_movie:?}");
        let mut kept = Kept::begin(args, goal, Some(Plans { planning, rounds }), &of)?;
        let plan = self.plan(shown, &mut kept)?;
        let mut interrupted = stop.load(Ordering::Relaxed);
        if let (false, None, Some(plan)) = (interrupted, &kept.stages.game, &plan) {
            let improvement = Improvement::of_plan(plan, improving).with_lists(lists.lists.clone());
            let found = improvement.search(improving.stretches()[0], args.threads(), stop, |progress| {
                shown.piece(&progress);
                lists.save_in_time();
            });
            lists.save();
            let found = found.map_err(|error| Failure::run(not_followed(error)))?;
            interrupted = found.is_none();
            if let Some(found) = found {
                let played = play(&found, goal)?;
                let words = Measured::of(&played).words(improving.count);
                say(&format!("found the pieces for the plan: a game {words}"));
                kept.stages.game = Some(played);
                kept.save();
            }
        }
        if let Some(game) = kept.stages.game.as_ref().filter(|_| !interrupted) {
            let buttons = game.buttons.clone();
            interrupted =
                Rounds { args, improving, others: Vec::new(), stop }.search(shown, &mut kept, lists, &buttons)?;
        }
        let advice = kept.advice();
        Ok(Ended { game: kept.game(), interrupted, advice, failure: kept.failure })
    }

    /// The best plan; `None` if it was stopped before it had one.
    fn plan(&self, shown: &mut ShownImprovement<'_>, kept: &mut Kept<'_>) -> Result<Option<Plan>, Failure> {
        let &PlanSearch { args, planning, points_of_goal, rounds, stop, .. } = self;
        let (tables, threads) = (Tables::built_in(), args.threads());
        let mut best = kept.stages.plan.as_ref().and_then(|numbers| planning.plan_of(numbers));
        shown.planning_begins(kept.stages.plans, rounds);
        while kept.stages.plans < rounds && !stop.load(Ordering::Relaxed) {
            let new = match (&best, self.movie) {
                (None, Some(movie)) => Some(movie.plan.clone()),
                (None, None) => plan(planning, tables, threads, stop, |pieces, points| {
                    shown.first_plan(pieces, points, points_of_goal);
                }),
                (Some(best), _) => {
                    let round = kept.stages.plans as u64;
                    again(planning, best, round, tables, threads, stop, || shown.stop_in_time())
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
                let goal = planning.goal;
                return Err(Failure::run(anyhow!("found no plan that reaches {goal}: search without --plan")));
            };
            kept.stages.plans += 1;
            shown.round_of_planning(kept.stages.plans, frames);
            kept.save();
        }
        Ok(best)
    }
}

impl Movie {
    fn of(recorded: Recorded, planning: Planning) -> Result<Movie, Failure> {
        let Some(plan) = recorded.first.plan(planning) else {
            return Err(Failure::input(anyhow!(
                "the movie {}: expected clears that make {}, and first pieces that come with --menu-delay {}; try a \
                 longer --menu-delay, or search without --replans",
                recorded.name,
                planning.goal,
                planning.menu_delay
            )));
        };
        Ok(Movie { recorded, plan })
    }
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
fn check(goal: Goal, start_level: u8, is_movie: bool) -> Result<u32, Failure> {
    let levels = Tables::START_LEVELS;
    let (flag, what) = if is_movie { ("--replans", "a movie from level") } else { ("--plan", "--start-level") };
    let without = format!("search without {flag}");
    if !levels.contains(&start_level) {
        let (first, last) = (levels.start(), levels.end());
        return Err(Failure::input(anyhow!(
            "{flag}: expected {what} {first} to {last}, found {start_level}; {without}"
        )));
    }
    match goal {
        Goal::Score(points) => Ok(points),
        Goal::Lines(_) | Goal::Level(_) | Goal::BType(_) => {
            Err(Failure::input(anyhow!("{flag}: expected a goal of points, found {goal}; {without}")))
        }
    }
}
