//! `maxout train`: weights from many games.

mod args;
mod join;
mod td;
mod values;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};

pub(crate) use args::Train;
use args::{Pso, PsoPlan, Start};
use words::{Budget, PsoProgress, PsoSummary, RunEnd};

use crate::files::outputs::{self, Claims, Outputs, begun};
use crate::system::cores::cores;
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print, print_json, say};
use maxout_engine::judge::handmade::WeightSet;
use maxout_engine::text::counted;
use maxout_formats::{Kind, whole};
use maxout_lab::plot;
use maxout_lab::simulate::Error;
use maxout_lab::train::pso::Training;
use maxout_lab::train::pso::checkpoint::{self, Described};
use maxout_screen::numbers::thousands;

/// Trains and prints the summary.
pub(crate) fn run(train: &Train) -> Result<ExitCode, Failure> {
    match train {
        Train::Pso(args) => pso(args),
        Train::Td(args) => td::run(args),
        Train::Join(args) => join::run(args),
    }
}

fn pso(args: &Pso) -> Result<ExitCode, Failure> {
    let plan = args.plan()?;
    let files = Files::of(args)?;
    let described = plan.described();
    let training = begin(args, &plan, &described, &files)?;
    let threads = args.threads.unwrap_or_else(cores);
    say(&format!(
        "training {}: {} weights from -{half_width} to {half_width}, {} particles, each {} games of seed {}, \
         fitness {}, {}, checkpoint {}",
        plan.start.evaluator_name(),
        plan.settings.start.len(),
        plan.settings.particles,
        plan.games.games,
        plan.games.settings.seed,
        plan.games.fitness,
        counted(threads as u64, "thread"),
        files.checkpoint.display(),
        half_width = plan.settings.dynamics.half_width,
    ));
    if training.iterations() > 0 {
        say(&format!("continuing after {} iterations", thousands(training.iterations())));
    }

    if let Some(mark) = plan.games.planner.mark() {
        say(&format!("{mark}: no honest games"));
    }

    let stop = stop_on_interrupt();
    let mut run = PsoRun { plan, described, files, training, threads };
    let summary = run.go(Budget::new(args.iterations, args.restarts, args.minutes), &stop)?;
    if args.json {
        print_json(&summary)?
    } else {
        print(&summary.text())?
    }
    Ok(if summary.outcome == RunEnd::Done { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// The files of a run.
struct Files {
    weights: PathBuf,
    checkpoint: PathBuf,
    curve: PathBuf,
    plot: Option<PathBuf>,
    /// Keeps other runs from them.
    _claims: Claims,
}

impl Files {
    /// Checks the files before the first iteration.
    fn of(args: &Pso) -> Result<Files, Failure> {
        args.plot.as_deref().map_or(Ok(()), plot::check).map_err(Failure::input)?;
        let start = match &args.start {
            Start::File(path) => Some(path),
            Start::Published | Start::Random => None,
        };
        let (weights, checkpoint, curve) = (args.output.clone(), args.checkpoint_path(), args.curve_path());
        let claims = Outputs::new(args.overwrite)
            .reads("--start", start)
            .whole("--output", [&weights], |_| Kind::Weights)
            .continues("--checkpoint", Some(&checkpoint), Kind::SwarmCheckpoint)
            .whole("--curve", [&curve], |_| Kind::Curve)
            .whole("--plot", &args.plot, outputs::picture)
            .claim()?;
        Ok(Files { weights, checkpoint, curve, plot: args.plot.clone(), _claims: claims })
    }
}

/// The training from the checkpoint with --resume; otherwise a new one, which must not replace a
/// checkpoint.
fn begin(args: &Pso, plan: &PsoPlan, described: &Described, files: &Files) -> Result<Training, Failure> {
    let path = &files.checkpoint;
    if args.resume {
        return checkpoint::load(path, described, &plan.settings).map_err(Failure::input);
    }
    if begun(Some(path)).is_some() {
        let error = anyhow!("the checkpoint {} exists: continue it with --resume, or remove it", path.display());
        return Err(Failure::input(error));
    }
    let training = Training::begin(&plan.settings);
    checkpoint::save(path, described, &training)
        .context(format!("cannot write the checkpoint {}", path.display()))
        .map_err(Failure::input)?;
    Ok(training)
}

/// A training run, with all files and settings checked.
struct PsoRun {
    plan: PsoPlan,
    described: Described,
    files: Files,
    training: Training,
    threads: usize,
}

impl PsoRun {
    /// Iterates until a limit is reached or the run is interrupted.
    fn go(&mut self, budget: Budget, stop: &AtomicBool) -> Result<PsoSummary, Failure> {
        let per_iteration = self.plan.settings.particles * self.plan.games.games;
        let mut progress = PsoProgress::new(budget, per_iteration as u64);
        let mut outcome = RunEnd::Done;
        while !budget.is_spent(self.training.iterations(), self.training.converged(), progress.elapsed()) {
            if !self.iterate(&mut progress, stop)? {
                outcome = RunEnd::Interrupted;
                break;
            }
        }
        self.summary(outcome, &progress)
    }

    /// Plays the games of an iteration and saves the result. `false` if it was interrupted; then the
    /// training has not changed.
    fn iterate(&mut self, progress: &mut PsoProgress, stop: &AtomicBool) -> Result<bool, Failure> {
        let best = self.training.best().map(|(best, _)| best.fitness);
        progress.begin(self.training.iterations() + 1, self.training.converged() + 1, best);
        let sets: Result<Vec<WeightSet>, _> =
            self.training.positions().map(|position| self.plan.start.with_values(position.to_vec())).collect();
        let sets = sets.map_err(Failure::run)?;
        let fitness = match self.plan.games.evaluate(&sets, self.threads, stop, &mut || progress.game()) {
            Ok(fitness) => fitness,
            Err(Error::Stopped) => return Ok(false),
            Err(error) => return Err(Failure::run(error)),
        };
        let point = self.training.tell(&self.plan.settings, &fitness);
        self.save()?;
        progress.iteration(&point);
        Ok(!stop.load(Ordering::Relaxed))
    }

    /// Writes the checkpoint first, because the other files can be made from it.
    fn save(&self) -> Result<(), Failure> {
        let failed = |path: &Path| {
            let context = format!("cannot write {}", path.display());
            move |error: std::io::Error| Failure::run(anyhow::Error::new(error).context(context))
        };
        let Files { weights, checkpoint, curve, .. } = &self.files;
        checkpoint::save(checkpoint, &self.described, &self.training).map_err(failed(checkpoint))?;
        self.write_results().map_err(failed(weights))?;
        whole::replace(curve, words::curve(self.training.curve()).as_bytes()).map_err(failed(curve))
    }

    /// Writes the best weights, if there are any yet.
    fn write_results(&self) -> std::io::Result<()> {
        let Some((best, found_in)) = self.training.best() else { return Ok(()) };
        let command = self.plan.command(self.training.iterations(), &self.files.weights);
        let provenance = self.plan.provenance(command, best.fitness, found_in, self.training.start_fitness());
        let set = self.plan.start.with_values(best.position.clone()).map_err(std::io::Error::other)?;
        whole::replace(&self.files.weights, set.to_toml(&provenance).as_bytes())
    }

    fn summary(&self, outcome: RunEnd, progress: &PsoProgress) -> Result<PsoSummary, Failure> {
        let Some((best, found_in_iteration)) = self.training.best() else {
            let error = anyhow!("stopped during the first iteration, so there are no weights yet");
            return Err(Failure::run(error));
        };
        let Files { weights, checkpoint, curve, plot, .. } = &self.files;
        // A run that was killed may have left older files.
        self.save()?;
        if let Some(path) = plot {
            let title = format!("{}: training by particle swarm", self.plan.start.evaluator_name());
            let series = words::series(self.training.curve());
            let fitness = format!("points ({})", self.plan.games.fitness);
            plot::curve(path, &title, "iteration", &fitness, &series).map_err(Failure::run)?;
        }
        Ok(PsoSummary {
            outcome,
            evaluator: self.plan.start.evaluator_name(),
            not_honest: self.plan.games.planner.mark(),
            best: best.fitness,
            start: self.training.start_fitness(),
            fitness: self.plan.games.fitness.to_string(),
            found_in_iteration,
            iterations: self.training.iterations(),
            converged_swarms: self.training.converged(),
            evaluations: self.training.iterations() * self.plan.settings.particles as u64,
            seconds: progress.elapsed().as_secs_f64(),
            games: progress.games(),
            games_per_second: progress.rate(),
            weights: weights.display().to_string(),
            checkpoint: checkpoint.display().to_string(),
            curve: curve.display().to_string(),
        })
    }
}
