//! Two runs and one file.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{contents, ends, program};

/// A run that goes on until it is ended.
struct Running(Child);

impl Running {
    fn start(arguments: &[&str], folder: &Path) -> Running {
        let mut command = program(arguments, folder);
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts"))
    }

    /// Waits until a file has content.
    fn until_written(mut self, path: &Path) -> Running {
        let since = Instant::now();
        while fs::metadata(path).map_or(0, |found| found.len()) == 0 {
            assert!(since.elapsed() < Duration::from_secs(120), "{} is not written", path.display());
            assert!(self.0.try_wait().expect("a process").is_none(), "the run has ended");
            thread::sleep(Duration::from_millis(10));
        }
        self
    }

    /// The end by a signal that no program can catch.
    fn kill(mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }
}

fn locks(folder: &Path) -> usize {
    contents(folder).iter().filter(|(name, _)| name.ends_with("lock")).count()
}

#[test]
fn a_second_run_on_a_file_is_refused_with_who_writes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let play = ["play", "--console", "simulated", "--view", "none", "--speed", "1", "--until", "topout"];
    for (flag, name) in [("--log", "game.csv"), ("--movie", "game.bk2"), ("--report", "game.html")] {
        let path = folder.join(name);
        let running = Running::start(&[&play[..], &[flag, name]].concat(), folder).until_written(&path);
        let short = ["play", "--console", "simulated", "--view", "none", "--until", "frames:3", flag, name];
        let error = ends(&short, folder, 2);
        let process = format!("process {} on ", running.0.id());
        assert!(error.contains(&process) && error.contains(&format!("{flag} {name}")), "{error}");
        assert!(error.contains("wait until it ends"), "{error}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(name, folder.join(format!("link-{name}"))).expect("linked");
            let link = format!("link-{name}");
            let by_link = ["play", "--console", "simulated", "--view", "none", "--until", "frames:3", flag, &link];
            assert!(ends(&by_link, folder, 2).contains(&process));
        }
        running.kill();
        // The lock that it left holds nobody up, and goes with the next run.
        assert_eq!(locks(folder), 1);
        ends(&short, folder, 0);
        assert_eq!(locks(folder), 0);
    }
}

#[test]
fn a_second_training_on_a_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let pso: &[&str] = &["train", "pso", "--evaluator", "el-tetris", "--particles", "2", "--games", "1"];
    let long = [pso, &["--until", "pieces:3", "--iterations", "1000000", "-o", "w.toml"]].concat();
    let running = Running::start(&long, folder).until_written(&folder.join("w.checkpoint.csv"));
    let other = ["--iterations", "1", "--resume", "-o", "other.toml", "--checkpoint", "w.checkpoint.toml"];
    let error = ends(&[pso, &other].concat(), folder, 2);
    let process = format!("process {} on ", running.0.id());
    assert!(error.contains(&process) && error.contains("--checkpoint w.checkpoint.toml"), "{error}");
    assert!(!folder.join("other.toml").exists());
    running.kill();
    assert!(locks(folder) > 0);
    ends(&[&long[..9], &["pieces:3", "--iterations", "1", "--resume", "-o", "w.toml"]].concat(), folder, 0);
    assert_eq!(locks(folder), 0);
}
