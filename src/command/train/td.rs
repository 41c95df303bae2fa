//! `maxout train td`: trains a net that values playfields, by temporal differences.

mod words;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::{ArgAction, ValueEnum};

use super::values::{count, positive};
use super::words::RunEnd;
use crate::files::outputs::{self, Claims, Outputs, Overwrite, begun};
use crate::system::cores::cores;
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print, print_json, say};
use crate::system::paths::file_name;
use crate::system::shell::quoted;
use crate::system::time::seconds;
use maxout_engine::judge::LEARNED;
use maxout_engine::judge::learned::{Net, NumberSize, Origin, QuickNet, TrainedNet, weights};
use maxout_engine::state::crc32;
use maxout_engine::text::counted;
use maxout_formats::{Kind, limited, whole};
use maxout_lab::plot;
use maxout_lab::train::td::blend::blend;
use maxout_lab::train::td::coarse::coarsen;
use maxout_lab::train::td::{Diverged, GAMES, Journal, Learner, SEGMENT, Schedule, Training, calibrate, checkpoint};
use maxout_screen::numbers::thousands;
use words::{TdProgress, TdSummary};

/// `maxout train td`.
#[derive(Debug, clap::Args)]
pub(crate) struct Td {
    /// Weights file to write, at the end and on Ctrl-C
    #[arg(short, long, alias = "out", value_name = "FILE.mxw")]
    pub output: PathBuf,
    /// Schedule of the training, see below [default: the schedule of the built-in weights]
    #[arg(long, value_name = "FILE.toml")]
    pub schedule: Option<PathBuf>,
    /// Begin with the numbers of these weights instead of a net that knows nothing; `learned` for the
    /// built-in ones
    #[arg(long, value_name = "FILE.mxw")]
    pub from: Option<PathBuf>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Stop after M minutes, if the schedule has not ended by then; --checkpoint lets a later run go on
    #[arg(long, value_name = "M", value_parser = positive)]
    pub minutes: Option<f64>,

    /// Checkpoint file; if it exists, the training goes on from it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two writes of the checkpoint and the curve; both are also written at the end
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub every: Duration,
    /// Write how well the net played during the training, as a table (.csv) or a picture (.svg, .png)
    #[arg(long, value_name = "FILE")]
    pub curve: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Pieces between two points of the curve
    #[arg(long, value_name = "PIECES", default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub report: u64,

    /// Leave out rows of the table and of the spans that this training visited fewer than N times
    /// [default: 16; with --from 0, since its rows are known already]
    #[arg(long, value_name = "N")]
    pub min_visits: Option<u32>,
    /// Bits per table entry in the weights file: 16 is exact, 8 makes the file half as long
    #[arg(long, value_name = "BITS", default_value = "16")]
    pub bits: Bits,
    /// Write numbers between those of --from (0) and the trained ones (1). Deep searches may be
    /// stronger with the mean of both, 0.5 (docs/training.md)
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "from")]
    pub blend: Option<f32>,
    /// Round the table and the spans: rows that were seldom seen get coarse numbers. Then `train join --packed --step 1` makes a short
    /// file that loses little. STEP is the step of a row that every playfield shows, in 1024ths. Needs --bits 16
    #[arg(long, value_name = "STEP", value_parser = positive)]
    pub coarse: Option<f64>,
    /// Games played after the training to measure how the last lines before level 29 go; 0 for none
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub finale_games: u64,
    /// Text to store in the weights file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub note: String,
    /// Store the training time in the weights file; two runs then give different files
    #[arg(long, action = ArgAction::SetTrue)]
    pub stamp: bool,

    /// Number of threads; it does not change the result [default: one per core]
    #[arg(long, value_name = "T", value_parser = count)]
    pub threads: Option<usize>,
    /// Print the summary as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// How table numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bits {
    #[value(name = "16")]
    Sixteen,
    #[value(name = "8")]
    Eight,
}

/// Trains and prints the summary.
pub(super) fn run(args: &Td) -> Result<ExitCode, Failure> {
    if args.coarse.is_some() && args.bits == Bits::Eight {
        let error = "--coarse needs numbers of 16 bits, found --bits 8: leave one of them out";
        return Err(Failure::input(anyhow!(error)));
    }
    let (schedule, schedule_text) = schedule(args)?;
    let _claims = claim(args)?;
    let (training, journal) = begin(args, &schedule)?;
    let threads = args.threads.unwrap_or_else(cores);
    say(&format!(
        "training a net by temporal differences: {}, {} pieces, seed {}, {}, {}",
        counted(schedule.phases.len() as u64, "phase"),
        thousands(schedule.pieces()),
        args.seed,
        counted(threads as u64, "thread"),
        match &args.checkpoint {
            Some(path) => format!("checkpoint {}", path.display()),
            None => "no checkpoint".to_owned(),
        }
    ));
    if training.placed > 0 {
        say(&format!("continuing after {} pieces", thousands(training.placed)));
    }
    let stop = stop_on_interrupt();
    let blend = blend_with(args, &schedule)?;
    let mut run = TdRun { args, schedule_text, training, journal, blend, threads };
    let summary = run.go(&stop)?;
    if args.json {
        print_json(&summary)?
    } else {
        print(&summary.text())?
    }
    Ok(if summary.outcome == RunEnd::Interrupted { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// The schedule, and its text; the text is empty for the built-in schedule.
fn schedule(args: &Td) -> Result<(Schedule, String), Failure> {
    let Some(path) = &args.schedule else { return Ok((Schedule::learned(), String::new())) };
    let text = limited::read_text(path, limited::SETTINGS)
        .context(format!("cannot read the schedule {}", path.display()))
        .map_err(Failure::input)?;
    let schedule = Schedule::from_toml(&text)
        .map_err(|problem| Failure::input(anyhow!("schedule {}: {problem}", path.display())))?;
    Ok((schedule, text))
}

/// Is a curve of this name written as a table, not drawn?
fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Refuses files that cannot be written, before hours of training.
fn claim(args: &Td) -> Result<Claims, Failure> {
    if let Some(path) = &args.curve
        && !is_table(path)
        && plot::check(path).is_err()
    {
        return Err(Failure::input(anyhow!(
            "--curve {}: expected a name that ends in .csv, .svg or .png",
            path.display()
        )));
    }
    Outputs::new(args.overwrite)
        .reads("--schedule", &args.schedule)
        .reads("--from", args.from.as_ref().filter(|path| !is_built_in(path)))
        .whole("--output", [&args.output], |_| Kind::Net)
        .continues("--checkpoint", args.checkpoint.as_deref(), Kind::NetCheckpoint)
        .whole("--curve", &args.curve, |path| if is_table(path) { Kind::Curve } else { outputs::picture(path) })
        .claim()
}

/// The training of the checkpoint, if there is one, or a new one.
fn begin(args: &Td, schedule: &Schedule) -> Result<(Training, Journal), Failure> {
    let from = args.from.as_deref().map(|path| Ok((path, net_bytes(path).map_err(Failure::input)?))).transpose()?;
    let began_with = match &from {
        Some((_, bytes)) => format!("--from of weights with the checksum {:08x}", crc32(bytes)),
        None => "no --from".to_owned(),
    };
    let mut journal = Journal::begin(schedule.clone());
    let Some(path) = begun(args.checkpoint.as_deref()) else {
        let training = match &from {
            Some((path, bytes)) => Training::begin_from(args.seed, &schedule.heads, &read_net(path, bytes)?),
            None => Training::begin(args.seed, &schedule.heads),
        };
        journal.began_with = Some(began_with);
        return Ok((training, journal));
    };
    let name = path.display();
    let bytes = limited::read(path, checkpoint::LONGEST)
        .context(format!("cannot read the checkpoint {name}"))
        .map_err(Failure::input)?;
    let (training, found) = checkpoint::read(&bytes)
        .map_err(|error| Failure::input(anyhow!("cannot continue from {name}: {error}: give another --checkpoint")))?;
    if training.seed != args.seed {
        return Err(Failure::input(anyhow!(
            "checkpoint {name} was made with --seed {}, but this run has --seed {}: give the same, or another checkpoint",
            training.seed,
            args.seed
        )));
    }
    let Some(mut found) = found else {
        say(&format!(
            "checkpoint {name} is of the first version, which does not contain its schedule: the schedule of this run is used"
        ));
        return Ok((training, journal));
    };
    if let Some(before) = found.began_with.as_ref().filter(|&before| *before != began_with) {
        return Err(Failure::input(anyhow!(
            "checkpoint {name} was begun with {before}, but this run has {began_with}: give the same, or another checkpoint"
        )));
    }
    if let Some(phase) = found.schedule.differs(schedule, training.placed) {
        return Err(Failure::input(anyhow!(
            "checkpoint {name} stands at {} pieces, and its phase {phase} differs from that of this schedule: \
             give the same phases up to there, or another checkpoint",
            thousands(training.placed)
        )));
    }
    found.schedule = schedule.clone();
    Ok((training, found))
}

/// Does this name the built-in weights?
pub(super) fn is_built_in(path: &Path) -> bool {
    path.as_os_str() == LEARNED
}

/// The bytes of a weights file, or of the built-in weights.
pub(super) fn net_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if is_built_in(path) {
        return Ok(weights::EMBEDDED.to_vec());
    }
    limited::read(path, weights::LONGEST).context(format!("cannot read the weights {}", path.display()))
}

/// The net in the bytes of a weights file.
fn read_net(path: &Path, bytes: &[u8]) -> Result<QuickNet, Failure> {
    let name = path.display();
    let trained = weights::read(bytes).map_err(|error| Failure::input(anyhow!("--from {name}: {error}")))?;
    Ok(trained.net)
}

/// The share of `--blend`, and the net of `--from`.
fn blend_with(args: &Td, schedule: &Schedule) -> Result<Option<(f32, Net)>, Failure> {
    let (Some(share), Some(path)) = (args.blend, &args.from) else { return Ok(None) };
    let from = read_net(path, &net_bytes(path).map_err(Failure::input)?)?;
    Ok(Some((share, Learner::begin_from(&schedule.heads, &from).net)))
}

/// A share, 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("expected a number from 0 to 1, found {text:?}"))
}

/// A training run, with all files and settings checked.
struct TdRun<'a> {
    args: &'a Td,
    /// Empty for the built-in schedule.
    schedule_text: String,
    training: Training,
    journal: Journal,
    /// The share of the trained numbers in the weights, and the net whose numbers are the rest.
    blend: Option<(f32, Net)>,
    threads: usize,
}

impl TdRun<'_> {
    /// Trains to the end of the schedule, for --minutes, or until Ctrl-C.
    fn go(&mut self, stop: &AtomicBool) -> Result<TdSummary, Failure> {
        let schedule = self.journal.schedule.clone();
        let (first, before) = (self.training.placed, self.journal.seconds);
        let began = Instant::now();
        // A time limit that a clock cannot hold is no limit.
        let limit = self.args.minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok());
        let mut saved = began;
        let mut progress = TdProgress::new(first, &schedule);
        let mut outcome = RunEnd::Done;
        while self.training.placed < schedule.pieces() {
            if stop.load(Ordering::Relaxed) {
                outcome = RunEnd::Interrupted;
                break;
            }
            let placed = self.training.placed;
            let tally = self.training.round(&schedule, self.threads).map_err(|error| self.diverged(error, placed))?;
            let seconds = before + began.elapsed().as_secs_f64();
            self.journal.record(&tally, self.training.placed, seconds, self.args.report);
            progress.round(&mut self.training, &self.journal);
            if saved.elapsed() >= self.args.every {
                self.save()?;
                saved = Instant::now();
            }
            // After a round, so that every run goes on by one at least.
            let is_unfinished = self.training.placed < schedule.pieces();
            if is_unfinished && limit.is_some_and(|limit| began.elapsed() >= limit) {
                outcome = RunEnd::TimeUp;
                break;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        self.save()?;
        let (rows, bytes) = self.export(outcome == RunEnd::Done)?;
        let (training, latest) = (&self.training, self.journal.latest());
        Ok(TdSummary {
            outcome,
            seed: training.seed,
            pieces: training.placed,
            scheduled_pieces: schedule.pieces(),
            phase: schedule.phase(training.placed.saturating_sub(1)),
            mean_points: latest.mean_points(),
            tetris_rate: latest.tetris_rate(),
            finished_share: latest.finished_share(),
            seconds,
            pieces_per_second: (training.placed - first) as f64 / seconds.max(1e-9),
            all_seconds: self.journal.seconds,
            rows,
            bytes,
            weights: self.args.output.display().to_string(),
            checkpoint: self.args.checkpoint.as_ref().map(|path| path.display().to_string()),
            curve: self.args.curve.as_ref().map(|path| path.display().to_string()),
        })
    }

    /// A training that cannot go on. Nothing is written: the last checkpoint is good.
    fn diverged(&self, error: Diverged, placed: u64) -> Failure {
        let kept = match begun(self.args.checkpoint.as_deref()) {
            Some(path) => format!("; {} keeps the last good state", path.display()),
            None => String::new(),
        };
        let pieces = thousands(placed.saturating_add((GAMES * SEGMENT) as u64));
        Failure::run(anyhow!("{error} after {pieces} pieces{kept}; use a smaller step in --schedule"))
    }

    /// Writes the checkpoint and the curve.
    fn save(&self) -> Result<(), Failure> {
        if let Some(path) = &self.args.checkpoint {
            let bytes = checkpoint::write(&self.training, &self.journal);
            whole(path, &bytes.context(format!("cannot write {}", path.display())).map_err(Failure::run)?)?;
        }
        let Some(path) = &self.args.curve else { return Ok(()) };
        let points = self.journal.points(self.training.placed);
        if is_table(path) {
            return whole(path, words::table(&points, &self.journal.schedule.heads).as_bytes());
        }
        let title = format!(
            "Training by temporal differences: {} pieces in {:.0} min",
            thousands(self.training.placed),
            self.journal.seconds / 60.0
        );
        plot::curve(path, &title, "million pieces", "10,000 points, or per cent", &words::series(&points))
            .map_err(Failure::run)
    }

    /// Writes the weights; after a finished training they include how games end. Returns the number of
    /// table rows that were visited so often, and bytes.
    fn export(&self, finished: bool) -> Result<(usize, usize), Failure> {
        let TdRun { args, training, threads, .. } = self;
        let learner = &training.learner;
        let mut net = Cow::Borrowed(&learner.net);
        if let Some((share, from)) = &self.blend {
            blend(net.to_mut(), from, *share);
        }
        if let Some(step) = args.coarse {
            coarsen(net.to_mut(), &learner.visits, &learner.span_visits, step as f32);
        }
        let visits = (&learner.visits, &learner.span_visits);
        let mut weights = TrainedNet::export(&net, visits.0, visits.1, args.min_visits(), self.origin());
        let (_, rates) = self.journal.schedule.at(training.placed.saturating_sub(1));
        (weights.net.outlook.discount, weights.net.outlook.topout) = (rates.discount, rates.topout);
        if finished && args.finale_games > 0 {
            let progress = words::FinaleProgress::new(args.finale_games);
            let on_game = |over| progress.game(over);
            weights.net.outlook = calibrate(&weights.net, args.finale_games, args.seed, *threads, &on_game);
        }
        let encoding = match args.bits {
            Bits::Sixteen => NumberSize::Sixteen,
            Bits::Eight => NumberSize::Eight,
        };
        let bytes = weights::write(&weights, encoding);
        whole(&args.output, &bytes)?;
        Ok((learner.visits.iter().filter(|&&visits| visits >= args.min_visits().max(1)).count(), bytes.len()))
    }

    /// Where the weights come from. The seconds are stored only with `--stamp`: they differ each time.
    fn origin(&self) -> Origin {
        let TdRun { args, training, .. } = self;
        Origin {
            command: args.command(),
            schedule: self.schedule_text.clone(),
            seed: training.seed.to_string(),
            pieces: training.placed.to_string(),
            wall_seconds: if args.stamp { format!("{:.0}", self.journal.seconds) } else { String::new() },
            program: concat!("maxout ", env!("CARGO_PKG_VERSION")).to_owned(),
            note: args.note.clone(),
        }
    }
}

impl Td {
    /// Visits that a row needs. Those of a net that was trained before are not known.
    fn min_visits(&self) -> u32 {
        self.min_visits.unwrap_or(if self.from.is_some() { 0 } else { 16 })
    }

    /// A command that gives the same weights in one go, however many runs it took. It keeps the first
    /// name of --output, so that a training gives the same bytes as before.
    fn command(&self) -> String {
        let name = |path: &Path| quoted(&file_name(path));
        let schedule = self.schedule.as_ref().map_or(String::new(), |path| format!(" --schedule {}", name(path)));
        let from = self.from.as_ref().map_or(String::new(), |path| format!(" --from {}", name(path)));
        let blend = self.blend.map_or(String::new(), |share| format!(" --blend {share}"));
        let coarse = self.coarse.map_or(String::new(), |step| format!(" --coarse {step}"));
        let bits = self.bits.to_possible_value().expect("no value is hidden");
        let note = if self.note.is_empty() { String::new() } else { format!(" --note {}", quoted(&self.note)) };
        format!(
            "maxout train td{schedule}{from} --seed {} --min-visits {} --bits {}{blend}{coarse} --finale-games {}{note} --out {}",
            self.seed,
            self.min_visits(),
            bits.get_name(),
            self.finale_games,
            name(&self.output)
        )
    }
}

fn whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    whole::replace(path, bytes).context(format!("cannot write {}", path.display())).map_err(Failure::run)
}
