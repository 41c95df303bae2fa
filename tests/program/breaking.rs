//! Runs that a full disk or a kill ends: their files are read by this program and by others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use maxout_formats::{FileFormat, Format, InputFile};

use crate::skipped::{program, skipped};

/// Every file that a game writes, with the flag for it.
const FILES: [(&str, &str); 9] = [
    ("--log", "g.csv"),
    ("--log", "g.jsonl"),
    ("--log", "g.csv.gz"),
    ("--movie", "g.fm2"),
    ("--movie", "g.fm2.gz"),
    ("--movie", "g.bk2"),
    ("--movie", "g.r08"),
    ("--movie", "g.ngf"),
    ("--report", "g.html"),
];

/// A player that thinks quickly, on the rules model: thousands of frames a second.
const PLAY: [&str; 11] = [
    "play",
    "--console",
    "simulated",
    "--evaluator",
    "el-tetris",
    "--view",
    "none",
    "--seed",
    "7",
    "--until",
    "pieces:300",
];

fn maxout(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    maxout(folder, arguments).output().expect("the program starts")
}

/// The rows of a log.
fn rows(log: &str) -> Vec<&str> {
    log.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).collect()
}

/// Reads a file with this program and with others. An error says what does not read it.
fn check(folder: &Path, file: &str) -> Result<(), String> {
    let path = folder.join(file);
    let reads = |name: &str, arguments: &[&str]| {
        let Some(program) = program(name) else { return Ok(()) };
        let found = Command::new(program).args(arguments).arg(&path).stdin(Stdio::null()).output().expect("it starts");
        let said = String::from_utf8_lossy(&found.stderr).into_owned() + &String::from_utf8_lossy(&found.stdout);
        if found.status.success() { Ok(()) } else { Err(format!("{name} on {file}: {said}")) }
    };
    if let Some(format) = FileFormat::of_path(&path).filter(|format| format.format != Format::Ngf) {
        InputFile::open(&path, format).map_err(|error| format!("{file}: {error}"))?;
    }
    match file.rsplit('.').next().unwrap_or_default() {
        "gz" | "ngf" => {
            reads("gzip", &["-t", "-S", if file.ends_with("ngf") { ".ngf" } else { ".gz" }])?;
            reads("python3", &["-c", "import gzip, sys; gzip.open(sys.argv[1]).read()"])
        }
        "bk2" => {
            reads("unzip", &["-tqq"])?;
            reads("python3", &["-c", "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None"])
        }
        "gif" | "png" => reads("ffprobe", &["-v", "error"]),
        "jsonl" => reads("python3", &["-c", "import json, sys; [json.loads(line) for line in open(sys.argv[1])]"]),
        "html" => {
            let page = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            let told = page.split_once("id=\"told\">\n").map(|(_, told)| told).unwrap_or_default();
            let lines: Vec<&str> = told.split("</script>").next().unwrap_or_default().lines().collect();
            let broken = lines
                .iter()
                .take(lines.len().saturating_sub(1))
                .find(|line| serde_json::from_str::<serde_json::Value>(line).is_err());
            broken.map_or(Ok(()), |line| Err(format!("{file}: {line}")))
        }
        _ => Ok(()),
    }
}

/// A disk of this many KB; none without the right to make one.
struct Disk(PathBuf);

impl Disk {
    fn new(folder: &Path, kilobytes: u32) -> Option<Disk> {
        let place = folder.join("disk");
        fs::create_dir_all(&place).expect("a folder");
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&place).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Disk(place));
        }
        skipped("a small disk", "run it as root on Linux");
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[ignore = "a game on a full disk for every format: half a minute"]
fn a_full_disk_leaves_files_that_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    fs::create_dir(&whole).expect("a folder");
    let files: Vec<&str> = FILES.iter().flat_map(|&(flag, file)| [flag, file]).collect();
    assert!(output(&whole, &[&PLAY[..], &files].concat()).status.success());
    let log = fs::read_to_string(whole.join("g.csv")).expect("a log");
    let films = [("--record", "g.gif"), ("--record", "g.png")];
    for (flag, file) in FILES.into_iter().chain(films) {
        let length = whole.join(file).metadata().map_or(600 * 1024, |found| found.len());
        // A disk has pages of 4 KB: a small file may fit where two thirds of it should.
        if length < 24 * 1024 {
            continue;
        }
        // Pages of 4 KB, as 0 would be no limit: about a third and two thirds of the whole file.
        for size in [length / 3, length * 2 / 3] {
            let Some(disk) = Disk::new(folder.path(), (size / 4096 * 4).max(4) as u32) else { return };
            let found = output(&disk.0, &[&PLAY[..], &[flag, file]].concat());
            let said = String::from_utf8_lossy(&found.stderr);
            assert_eq!(found.status.code(), Some(1), "{file}: {said}");
            let line = said.lines().last().unwrap_or_default();
            assert!(line.contains("No space left on device") && line.contains("; the file holds "), "{file}: {said}");
            // Reading needs room elsewhere.
            let kept = folder.path().join(file);
            fs::copy(disk.0.join(file), &kept).expect("it is there");
            check(folder.path(), file).unwrap_or_else(|error| panic!("{error}"));
            if file == "g.csv" {
                let part = fs::read_to_string(&kept).expect("text");
                assert!(rows(&log).starts_with(&rows(&part)) && rows(&part).len() > 10);
                assert!(line.contains(&format!("holds {} frames", rows(&part).len())), "{line}");
            }
        }
    }
}

#[test]
#[ignore = "60 kills with every format: half a minute"]
fn a_kill_at_any_moment_leaves_files_that_open() {
    const KILLS: u64 = 60;
    // Linux looks for a kill in the middle of a write, too, where a page of the file ends. Then half a row or
    // half a gzip member is there, as docs/recordings.md says. Of 2,500 writers of 700 bytes at a time that were
    // killed without a pause between two writes, 95 left half a row, all at the end of a page of 4,096 bytes.
    const PAGE: u64 = 4096;
    const MOST_CUT: usize = 3;
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<&str> = FILES.iter().flat_map(|&(flag, file)| [flag, file]).collect();
    let length = |file: &str| folder.path().join(file).metadata().map_or(0, |found| found.len());
    let (mut failures, mut cut) = (Vec::new(), Vec::new());
    let mut checked = [0; FILES.len()];
    let mut long = PLAY.to_vec();
    long[10] = "pieces:5000";
    for kill in 0..KILLS {
        let mut child = maxout(folder.path(), &[&long[..], &files].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        while length("g.csv") <= 4096 {
            assert!(child.try_wait().expect("a child").is_none(), "it ended before its log had 4,096 bytes");
            std::thread::sleep(Duration::from_millis(1));
        }
        // Milliseconds of a fixed but mixed-up order.
        std::thread::sleep(Duration::from_millis(kill * 7919 % 160));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        for ((_, file), checked) in FILES.into_iter().zip(&mut checked) {
            if length(file) > 4096 {
                *checked += 1;
                let broken = if length(file).is_multiple_of(PAGE) { &mut cut } else { &mut failures };
                broken.extend(check(folder.path(), file).err());
            }
            let _ = fs::remove_file(folder.path().join(file));
        }
    }
    assert!(failures.is_empty() && cut.len() <= MOST_CUT, "{failures:#?} {cut:#?}");
    // The others grow more slowly than the log.
    assert!(checked[0] == KILLS && checked.iter().sum::<u64>() > 2 * KILLS, "files that were checked: {checked:?}");
}
