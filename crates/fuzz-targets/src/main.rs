//! Gives mutated files to all readers, several at once.
//!
//! Each target runs in a process of its own with a limit to its memory, so that whatever ends the
//! process leaves the input behind that did.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs, io, process, thread};

use clap::Parser;
use maxout_fuzz_targets::driver::{self, Given, Limit, Witness};
use maxout_fuzz_targets::{TARGETS, Target, target};

/// How long a reader may take for one input of at most 32 KiB before it counts as one that does not
/// end. Ten times as long as a file of 50 MB may take, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(100);

/// Gives mutated files of fuzz/corpus to every reader of files.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Targets [default: all of them]
    #[arg(value_parser = named)]
    targets: Vec<Target>,
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 20)]
    seconds: u64,
    /// Mutated inputs for each target, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    inputs: Option<u64>,
    /// Chooses the mutations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Targets that run at the same time [default: the processors of this machine]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Most memory of a target, in MiB; not limited on Windows
    // A checkpoint of a training takes 58 MB; it is held as it was read, as a training, and as it is written again:
    // with 512 MiB its target stops for want of memory, with 600 it does not.
    #[arg(long, value_name = "MIB", default_value_t = 768)]
    memory: u64,
    /// Folder with corpus/ and regressions/; what is found is written to findings/
    #[arg(long, value_name = "DIR", default_value = "fuzz")]
    folder: PathBuf,
    /// Runs the one target in this process, and keeps its input in this file.
    #[arg(long, value_name = "FILE", hide = true)]
    witness: Option<PathBuf>,
}

fn named(text: &str) -> Result<Target, String> {
    let names = || TARGETS.map(|target| target.name).join(", ");
    target(text).ok_or_else(|| format!("expected one of {}", names()))
}

impl Args {
    fn limit(&self) -> Limit {
        self.inputs.map_or(Limit::Time(Duration::from_secs(self.seconds)), Limit::Inputs)
    }
}

fn main() -> ExitCode {
    let mut args = Args::parse();
    let done = match (args.witness.take(), &args.targets[..]) {
        (Some(witness), &[target]) => alone(&args, target, &witness),
        _ => all(args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("maxout-fuzz-targets: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs every target in a process of its own. `true` if nothing was found.
fn all(mut args: Args) -> io::Result<bool> {
    if args.targets.is_empty() {
        args.targets = TARGETS.to_vec();
    }
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let folder = tempfile::Builder::new().prefix("maxout-fuzz-").tempdir_in(in_memory())?;
    let waiting = Mutex::new(VecDeque::from(args.targets.clone()));
    let next = || waiting.lock().expect("no thread panics with the list").pop_front();
    let (args, folder, next) = (&args, folder.path(), &next);
    let results: Vec<io::Result<bool>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .map(|_| scope.spawn(move || std::iter::from_fn(next).map(|target| child(args, target, folder)).collect()))
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("no thread panics"));
        joined.flat_map(|results: Vec<_>| results).collect()
    });
    results.into_iter().try_fold(true, |all, result| Ok(all & result?))
}

/// A folder for files that are written once an input, in memory where the system has one there.
fn in_memory() -> PathBuf {
    let shared = PathBuf::from("/dev/shm");
    if shared.is_dir() { shared } else { env::temp_dir() }
}

/// Runs a target in a process of its own.
fn child(args: &Args, target: Target, folder: &Path) -> io::Result<bool> {
    let folder = folder.join(target.name);
    fs::create_dir(&folder)?;
    let witness = folder.join("input");
    let mut command = limited(args.memory)?;
    command.arg(target.name).arg("--witness").arg(&witness);
    command.arg("--folder").arg(&args.folder).arg("--seed").arg(args.seed.to_string());
    match args.limit() {
        Limit::Inputs(inputs) => command.arg("--inputs").arg(inputs.to_string()),
        Limit::Time(time) => command.arg("--seconds").arg(time.as_secs().to_string()),
    };
    let status = command.env("TMPDIR", &folder).status()?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        Some(2) => Err(io::Error::other(format!("{} could not be run", target.name))),
        _ => {
            let words = format!("the process ended with {status} (too little memory?)");
            keep(&args.folder, target, &fs::read(&witness)?, &words)?;
            Ok(false)
        }
    }
}

/// This program with a limit to its memory.
fn limited(mebibytes: u64) -> io::Result<Command> {
    let program = env::current_exe()?;
    if cfg!(windows) {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg("ulimit -v \"$1\" && shift && exec \"$@\"").arg("sh");
    command.arg((mebibytes * 1024).to_string()).arg(program);
    Ok(command)
}

/// Runs a target in this process. `true` if nothing was found.
fn alone(args: &Args, target: Target, witness: &Path) -> io::Result<bool> {
    driver::keep_quiet();
    let seeds = driver::load(&args.folder, target.name)?;
    let seen = Arc::new(Witness::new(witness)?);
    let (watched, path, folder) = (Arc::clone(&seen), witness.to_owned(), args.folder.clone());
    thread::spawn(move || watch(&watched, target, &path, &folder));
    let Given { inputs, time, finding } = driver::give(target, &seeds, args.seed, args.limit(), &seen)?;
    let words = if finding.is_some() { "FOUND one that breaks a promise" } else { "nothing found" };
    println!("{:16} {inputs:9} inputs in {:6.1} s: {words}", target.name, time.as_secs_f64());
    match finding {
        None => Ok(true),
        Some((bytes, words)) => keep(&args.folder, target, &bytes, &words).map(|()| false),
    }
}

/// Ends the process if one input takes too long.
fn watch(witness: &Witness, target: Target, path: &Path, folder: &Path) {
    let mut before = None;
    loop {
        let count = witness.count.load(Ordering::Relaxed);
        if before == Some(count) {
            let words = format!("it takes longer than {} s", PATIENCE.as_secs());
            let kept = fs::read(path).and_then(|bytes| keep(folder, target, &bytes, &words));
            process::exit(if kept.is_ok() { 1 } else { 2 });
        }
        before = Some(count);
        thread::sleep(PATIENCE);
    }
}

/// Writes an input that breaks a promise.
fn keep(folder: &Path, target: Target, bytes: &[u8], words: &str) -> io::Result<()> {
    let home = folder.join("findings").join(target.name);
    fs::create_dir_all(&home)?;
    let file = home.join(format!("{:08x}", crc32fast::hash(bytes)));
    fs::write(&file, bytes)?;
    println!("{:16} {words}\n{:16} input: {}", target.name, "", file.display());
    println!("{:16} when it is mended, move it to {}", "", folder.join("regressions").join(target.name).display());
    Ok(())
}
