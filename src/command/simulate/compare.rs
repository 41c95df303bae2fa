//! `maxout compare`: the same games by two players.

use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::anyhow;
use serde::Serialize;

use super::args::{self, Compare};
use super::machine::DecisionTimes;
use super::picture;
use super::text;
use crate::config::{Config, JudgeSettings};
use crate::files::outputs::{self, Outputs};
use crate::player::source::PlayerSource;
use crate::player::weights;
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print, print_json};
use crate::system::progress::{Progress, Unit};
use maxout_engine::judge;
use maxout_engine::text::{counted, rounded};
use maxout_lab::simulate::{self, Decisions, GameResult, Job, Pairs, PlayerId, Winner};

/// Games that each thread plays with one player before the other player's turn. With more, less time is
/// lost at each turn; with fewer, less is lost when the run is stopped. Chosen by hand, not measured.
const TURN: u64 = 16;

/// The comparison; as JSON, one object. Everything except `machine` is the same, byte for byte, on every
/// machine that plays the same games.
#[derive(Debug, Serialize)]
struct CompareResult {
    version: &'static str,
    settings: simulate::Settings,
    a: PlayerId,
    b: PlayerId,
    /// Pairs that were to be played.
    games: u64,
    /// Pairs that were not finished.
    missing: u64,
    pairs: Pairs,
    machine: CompareMachine,
}

/// What depends on the machine.
#[derive(Debug, Serialize)]
struct CompareMachine {
    threads: usize,
    wall_seconds: f64,
    decisions_a: DecisionTimes,
    decisions_b: DecisionTimes,
}

pub(crate) fn run(args: &Compare) -> Result<ExitCode, Failure> {
    let mut base = Config::load(args.games.config.as_deref()).map_err(Failure::input)?;
    args.games.apply(&mut base)?;
    let mut outputs = Outputs::new(args.overwrite).reads("--config", &args.games.config);
    let mut source = |name, spec: &str| {
        if let Some(command) = spec.strip_prefix("exec:") {
            let mut config = base.clone();
            args.moves.apply(&mut config)?;
            return PlayerSource::of_command(&config, command, args.player_timeout);
        }
        let mut config = configured(name, spec, &base)?;
        config.planner.rules = base.simulate.rules;
        config.planner.last_line = base.planner.last_line;
        config.planner.crashes = base.planner.crashes;
        args.moves.apply(&mut config)?;
        args::without_target(&config)?;
        args::with_generator(&config, base.simulate.pieces)?;
        let own = (!judge::NAMES.contains(&spec)).then(|| PathBuf::from(spec));
        outputs = mem::take(&mut outputs).reads(&format!("player {name}"), &own).reads_player(&config);
        PlayerSource::of_evaluator(&config)
    };
    let (a, b) = (source("A", &args.a)?, source("B", &args.b)?);
    let _claims = outputs.whole("--plot", &args.plot, outputs::picture).claim()?;
    let (settings, games, threads) = (args::settings(&base, &args.games), base.simulate.games, args.games.threads());
    let stop = stop_on_interrupt();

    let mut results: [Vec<GameResult>; 2] = Default::default();
    let mut decisions: [Decisions; 2] = Default::default();
    let since = Instant::now();
    let mut progress = Progress::new("", Unit::Games, Some(games.saturating_mul(2)));
    let mut done = 0;
    let turn = TURN * threads as u64;
    let mut failed = None;
    'all: for first in (0..games).step_by(turn as usize) {
        let job = Job { settings, first, games: turn.min(games - first), step: 1, threads };
        for (index, source) in [&a, &b].into_iter().enumerate() {
            let played = simulate::run(&job, &|| source.make(), &stop, &mut |played| {
                done += 1;
                progress.at(done);
                decisions[index].merge(&played.decisions);
                results[index].push(played.result);
            });
            if let Err(error) = played {
                failed = Some(error);
                break 'all;
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    drop(progress);

    let pairs = Pairs::of(both(&results));
    let output = CompareResult {
        version: env!("CARGO_PKG_VERSION"),
        settings,
        a: a.id(),
        b: b.id(),
        games,
        missing: games - pairs.games,
        pairs,
        machine: CompareMachine {
            threads,
            wall_seconds: since.elapsed().as_secs_f64(),
            decisions_a: DecisionTimes::of(&decisions[0]),
            decisions_b: DecisionTimes::of(&decisions[1]),
        },
    };
    if args.json {
        print_json(&output)?
    } else {
        print(&output.text())?
    }
    // The error comes last, so that the result over the finished games is printed first.
    failed.map_or(Ok(()), |error| Err(Failure::run(error)))?;
    if let Some(path) = &args.plot {
        let of_a = both(&results).map(|(one, _)| one).collect();
        let of_b = both(&results).map(|(_, other)| other).collect();
        picture::draw(path, &settings, vec![(&a.id(), of_a), (&b.id(), of_b)])?;
    }
    Ok(if output.missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// The games that both players finished.
fn both([a, b]: &[Vec<GameResult>; 2]) -> impl Iterator<Item = (&GameResult, &GameResult)> {
    // Both are in the order of their games; after a stop either may have gaps.
    a.iter().filter_map(|one| b.binary_search_by_key(&one.game, |other| other.game).ok().map(|at| (one, &b[at])))
}

/// The settings with the evaluator, or the sections, that a player's specification names.
fn configured(player: &str, spec: &str, base: &Config) -> Result<Config, Failure> {
    let with_eval = |evaluator: &str, weights: Option<&str>| Config {
        eval: JudgeSettings { evaluator: evaluator.to_owned(), weights: weights.map(Into::into) },
        ..base.clone()
    };
    let is_name = |name: &str| judge::NAMES.contains(&name);
    if is_name(spec) {
        return Ok(with_eval(spec, None));
    }
    if let Some((name, weights)) = spec.split_once(':').filter(|(name, _)| is_name(name)) {
        return Ok(with_eval(name, Some(weights)));
    }
    std::fs::metadata(spec).map_err(|error| {
        let names = judge::NAMES.join(", ");
        Failure::input(anyhow!(
            "player {player}: expected an evaluator ({names}), NAME:WEIGHTS, a weights file or a settings file, \
             found {spec:?}: {error}"
        ))
    })?;
    if let Some(name) = weights::evaluator_in(Path::new(spec)) {
        return Ok(with_eval(&name, Some(spec)));
    }
    let own = Config::from_file(Path::new(spec)).map_err(Failure::input)?;
    Ok(Config { eval: own.eval, planner: own.planner, ..base.clone() })
}

impl CompareResult {
    /// The comparison as text for people.
    fn text(&self) -> String {
        let pairs = &self.pairs;
        let points = |value: Option<f64>| value.map_or("-".to_owned(), rounded);
        let around = |text: Option<String>| text.map_or(String::new(), |text| format!("   95 %: {text}"));
        let missing = match self.missing {
            0 => String::new(),
            missing => format!("{missing} games are missing: only games that both players finished are compared\n"),
        };
        let share = |count: u64| match pairs.games {
            0 => "-".to_owned(),
            games => format!("{:.1} %", 100.0 * count as f64 / games as f64),
        };
        let share_difference = pairs.maxout_share_difference.map_or("-".to_owned(), |d| format!("{:+.1} %", 100.0 * d));
        let share_interval = pairs
            .maxout_share_difference_95
            .map(|interval| format!("{:+.1} to {:+.1} %", 100.0 * interval.low, 100.0 * interval.high));
        format!(
            "{verdict}\n\
             {games} of {of} games played by both: {conditions}\n{missing}\
             A            {a}\n\
             B            {b}\n\
             mean points  A {mean_a}   B {mean_b}\n\
             A minus B    mean {difference}{difference_95}   median {median}\n\
             games        A ahead in {wins_a}, B ahead in {wins_b}, equal in {ties}\n\
             maxouts      before level 29: A {maxout_a}, B {maxout_b}   A minus B {share_difference}{share_95}\n\
             machine      {wall:.1} s on {threads}\n\
             decisions A  {times_a}\n\
             decisions B  {times_b}\n",
            verdict = self.verdict(),
            games = pairs.games,
            of = self.games,
            conditions = text::conditions(&self.settings),
            a = self.a.describe(),
            b = self.b.describe(),
            mean_a = points(pairs.mean_a),
            mean_b = points(pairs.mean_b),
            difference = points(pairs.mean_difference),
            difference_95 = around(pairs.mean_difference_95.map(text::interval)),
            median = points(pairs.median_difference),
            wins_a = pairs.wins_a,
            wins_b = pairs.wins_b,
            ties = pairs.ties,
            maxout_a = share(pairs.maxouts_a),
            maxout_b = share(pairs.maxouts_b),
            share_95 = around(share_interval),
            wall = self.machine.wall_seconds,
            threads = counted(self.machine.threads as u64, "thread"),
            times_a = self.machine.decisions_a.text(),
            times_b = self.machine.decisions_b.text(),
        )
    }

    fn verdict(&self) -> &'static str {
        match self.pairs.verdict {
            Winner::A => "A is better (mean points without pushdown, at 95 %)",
            Winner::B => "B is better (mean points without pushdown, at 95 %)",
            Winner::NoDifference => "no significant difference (mean points without pushdown, at 95 %)",
            Winner::TooFewGames => "no result: both players finished fewer than two games",
        }
    }
}
