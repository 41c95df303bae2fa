//! Every link gives the same game, and ends in one clear line when the host does not keep to the
//! protocol.
#![cfg(unix)]

mod host;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use maxout_engine::bot::{Finished, FrameSink, Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::game::Playfield;
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::Search;
use maxout_engine::ram::{Decoder, RAM_SIZE, Ram, RamMap};
use maxout_host::protocol::{Message, RamKind, Status};
use maxout_host::{Endpoint, Error, Settings, Waiting};

use host::{Connection, TestHost};

/// Frames of a game: past the menus of seed 1, with some pieces.
const FRAMES: u64 = 2_000;

fn settings() -> Settings {
    let map = RamMap::tetris_ntsc();
    let decoder = Decoder::new(&map).expect("the built-in map decodes");
    Settings { map, decoder, patience: Duration::from_secs(20), stop: Arc::default() }
}

fn pilot() -> Pilot {
    let evaluator = judge::by_name("el-tetris", None).expect("built in");
    Pilot::new(Box::new(Search::new(evaluator, maxout_engine::planner::Settings::default())), 19, 1)
}

/// A frame: buttons, whether the gamepads were read, score, random number, playfield.
type Seen = (Buttons, bool, u32, u16, Playfield);

/// Plays; every frame, and how it ended.
fn play<C: Console>(console: C, frames: u64) -> (Vec<Seen>, Result<Finished, String>) {
    let decoder = settings().decoder;
    let mut run = Run::new(console, decoder, pilot(), Goal::Frames(frames));
    let mut seen = Vec::new();
    loop {
        match run.frame() {
            Err(error) => return (seen, Err(error.to_string())),
            Ok(report) => {
                let snapshot = report.snapshot;
                seen.push((report.buttons, report.polled, snapshot.score, snapshot.rng, snapshot.playfield));
                if let Some(finished) = report.finish(maxout_engine::bot::Flow::Continue).expect("no player fails") {
                    return (seen, Ok(finished));
                }
            }
        }
    }
}

/// What came of a game with a host.
struct Met<T> {
    seen: Vec<Seen>,
    ended: Result<Finished, String>,
    /// What the host returned.
    host: T,
}

/// Plays with a host that runs beside, at an endpoint in a new folder. Nothing is left in the folder.
fn meet<T: Send + 'static>(
    endpoint: impl FnOnce(&Path) -> Endpoint,
    settings: Settings,
    host: impl FnOnce(Connection) -> T + Send + 'static,
) -> Met<T> {
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = Waiting::open(&endpoint(folder.path())).expect("it opens");
    let at = waiting.endpoint().clone();
    let host = thread::spawn(move || {
        host(match &at {
            Endpoint::Pipes(folder) => Connection::pipes(folder),
            Endpoint::Socket(path) => Connection::socket(path),
            Endpoint::Tcp(address) => Connection::tcp(&address.to_string()),
            Endpoint::Stdio => panic!("tests of the program try it"),
        })
    });
    let (seen, ended) = match waiting.greet(settings) {
        Ok(driven) => play(driven, FRAMES),
        Err(error) => (Vec::new(), Err(error.to_string())),
    };
    let host = host.join().expect("the host ends");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
    Met { seen, ended, host }
}

fn pipes(folder: &Path) -> Endpoint {
    Endpoint::Pipes(folder.join("pipes"))
}

fn socket(folder: &Path) -> Endpoint {
    Endpoint::Socket(folder.join("socket"))
}

fn port(_: &Path) -> Endpoint {
    Endpoint::Tcp(([127, 0, 0, 1], 0).into())
}

/// The rules model as a host; how it ended.
fn whole_game(connection: Connection, ram: RamKind) -> (String, u64, Vec<String>) {
    let mut host = TestHost::start(connection, ram, Simulated::power_on());
    (host.play(), host.ghosts, host.texts)
}

#[test]
fn every_link_gives_the_game_without_a_link() {
    let (expected, ended) = play(Simulated::power_on(), FRAMES);
    let tally = ended.expect("a game").tally;
    assert!(tally.pieces > 10 && tally.desyncs == 0, "{tally:?}");
    for (endpoint, ram) in [
        (pipes as fn(&Path) -> Endpoint, RamKind::All),
        (socket, RamKind::All),
        (port, RamKind::All),
        (pipes, RamKind::List),
        (port, RamKind::List),
    ] {
        let met = meet(endpoint, settings(), move |connection| whole_game(connection, ram));
        assert_eq!(met.ended.map(|finished| (finished.tally, finished.outcome)), Ok((tally, Outcome::Goal)));
        assert!(met.seen == expected, "the same frames");
        let (reason, _, _) = met.host;
        assert_eq!(reason, "the run has ended", "nobody has said why");
    }
}

#[test]
fn the_screen_of_the_host_shows_the_plan_and_the_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = pipes(folder.path());
    let waiting = Waiting::open(&endpoint).expect("pipes");
    let at = folder.path().join("pipes");
    let host = thread::spawn(move || whole_game(Connection::pipes(&at), RamKind::All));
    let driven = waiting.greet(settings()).expect("a host");
    let mut screen = driven.screen();
    let mut run = Run::new(driven, settings().decoder, pilot(), Goal::Frames(FRAMES));
    let mut planned = 0;
    let mut last = false;
    while !last {
        let report = run.frame().expect("a frame");
        last = report.outcome.is_some();
        let visible = report.plan.map_or(0, |plan| {
            let (origin, cells) = (plan.placement, plan.placement.orientation.cells());
            cells.iter().filter(|(row, _)| origin.y + row >= 0).count()
        });
        // What is heard of the last frame is not sent any more.
        planned += if last { 0 } else { visible as u64 };
        screen.frame(&report).expect("nothing fails");
    }
    screen.ended("enough");
    drop(run);
    let (reason, ghosts, texts) = host.join().expect("the host ends");
    assert_eq!((reason.as_str(), ghosts), ("enough", planned));
    assert!(planned > 1_000, "{planned}");
    assert!(texts[0] == "score 0 tetrises - desyncs 0", "{texts:?}");
    assert!(texts.windows(2).all(|two| two[0] != two[1]), "only what has changed is sent");
}

#[test]
fn a_host_that_does_not_know_when_the_game_reads_the_gamepads_gives_the_same_frames() {
    let (expected, _) = play(Simulated::power_on(), FRAMES);
    assert!(expected.iter().any(|(_, polled, ..)| !polled), "there are frames in which it does not");
    let met = meet(pipes, settings(), |connection| {
        let mut host = TestHost::start(connection, RamKind::All, Simulated::power_on());
        while let Ok(buttons) = host.buttons() {
            let status = Status { polled: None, ..host.step(buttons) };
            let bytes = host.bytes(status);
            host.connection.say(&bytes);
        }
    });
    assert!(met.ended.is_ok() && met.seen == expected);
}

/// The line of a game that does not end well.
fn line<T: Send + 'static>(settings: Settings, host: impl FnOnce(Connection) -> T + Send + 'static) -> (String, u64) {
    let met = meet(pipes, settings, host);
    let line = met.ended.expect_err("no game");
    assert_eq!(line.lines().count(), 1, "{line}");
    (line, met.seen.len() as u64)
}

/// A host that plays this many frames before something happens.
fn after(frames: u64, connection: Connection) -> TestHost<Simulated> {
    let mut host = TestHost::start(connection, RamKind::All, Simulated::power_on());
    host.frames(frames);
    host
}

#[test]
fn a_host_that_goes_away_ends_the_game() {
    let (line, frames) = line(settings(), |connection| drop(after(300, connection)));
    assert_eq!((&*line, frames), ("host Test host 1.0, frame 300: it has closed the connection", 300));
}

#[test]
fn a_host_that_goes_within_a_frame_ends_the_game() {
    for sent in [0, 1, 2, 1_000, 2_049] {
        let (line, frames) = line(settings(), move |connection| {
            let mut host = after(300, connection);
            let buttons = host.buttons().expect("a frame");
            let status = host.step(buttons);
            let bytes = host.bytes(status);
            host.connection.say(&bytes[..sent]);
        });
        let found = match sent {
            0 => "it has closed the connection".to_owned(),
            _ => format!("it has closed the connection within a frame: expected 2050 bytes, found {sent}"),
        };
        assert_eq!((line, frames), (format!("host Test host 1.0, frame 300: {found}"), 300));
    }
}

#[test]
fn a_host_that_stops_is_waited_for_and_no_longer() {
    for sent in [0, 77] {
        let settings = Settings { patience: Duration::from_millis(300), ..settings() };
        let (line, frames) = line(settings, move |connection| {
            let mut host = after(300, connection);
            let buttons = host.buttons().expect("a frame");
            let status = host.step(buttons);
            let bytes = host.bytes(status);
            host.connection.say(&bytes[..sent]);
            // It reads on, and says nothing more.
            assert!(host.buttons().expect_err("a goodbye").contains("expected a frame"));
        });
        let expected = format!("expected a frame of 2050 bytes, found {sent} in 0.3 s; is it paused?");
        assert!(line.contains(&expected) && frames == 300, "{line}");
    }
}

/// Sends a frame byte by byte, each soon after the one before, but the frame late.
fn trickle(host: &mut TestHost<Simulated>) {
    let buttons = host.buttons().expect("a frame");
    let status = host.step(buttons);
    let bytes = host.bytes(status);
    for byte in &bytes[..100] {
        host.connection.say(&[*byte]);
        thread::sleep(Duration::from_millis(10));
    }
    host.connection.say(&bytes[100..]);
}

#[test]
fn the_time_limit_is_for_a_whole_frame_and_for_a_whole_hello() {
    let limit = || Settings { patience: Duration::from_millis(300), ..settings() };
    let (found, frames) = line(limit(), |connection| {
        let mut host = after(300, connection);
        trickle(&mut host);
        host.play()
    });
    assert!(found.contains("expected a frame of 2050 bytes, found ") && found.contains(" in 0.3 s"), "{found}");
    assert_eq!(frames, 300);
    let (found, frames) = line(limit(), |mut connection| {
        for byte in format!("maxout-host 1 ram=all name={}\n", "x".repeat(40)).bytes() {
            connection.say(&[byte]);
            thread::sleep(Duration::from_millis(10));
        }
        connection.line()
    });
    assert!(found.contains("found no whole line in 0.3 s") && frames == 0, "{found}");
}

#[test]
fn a_signal_is_noticed_while_bytes_trickle_in() {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let (line, frames) = line(Settings { stop, ..settings() }, move |connection| {
        let mut host = after(300, connection);
        flag.store(true, Ordering::Relaxed);
        trickle(&mut host);
        host.play()
    });
    assert_eq!((&*line, frames), ("host Test host 1.0, frame 300: stopped", 300));
}

#[test]
fn a_host_that_takes_its_time_is_waited_for() {
    let (expected, _) = play(Simulated::power_on(), FRAMES);
    let met = meet(pipes, settings(), |connection| {
        let mut host = after(300, connection);
        let buttons = host.buttons().expect("a frame");
        let status = host.step(buttons);
        let bytes = host.bytes(status);
        // Byte by byte at first, and longer than one wait of the system.
        for byte in &bytes[..20] {
            host.connection.say(&[*byte]);
        }
        thread::sleep(Duration::from_millis(120));
        host.connection.say(&bytes[20..]);
        host.play()
    });
    assert!(met.ended.is_ok() && met.seen == expected);
}

#[test]
fn a_host_that_does_not_wait_for_the_buttons_is_refused() {
    for extra in [1, 2_050, 200_000] {
        let (line, frames) = line(settings(), move |connection| {
            let mut host = after(300, connection);
            let buttons = host.buttons().expect("a frame");
            let status = host.step(buttons);
            let mut bytes = host.bytes(status);
            bytes.resize(bytes.len() + extra, 0);
            host.connection.say(&bytes);
        });
        assert!(line.contains("frame 30") && line.contains("expected nothing before the buttons"), "{line}");
        assert!((300..=301).contains(&frames), "{frames}");
    }
}

#[test]
fn a_host_that_sends_on_without_reading_is_refused() {
    let (line, _) = line(settings(), |mut connection| {
        connection.greet(RamKind::All);
        // The input stays open and unread.
        let status = Status { polled: None, is_by_hand: false, has_jumped: false, pressed: Buttons::NONE };
        let frame: Vec<u8> = status.encode().into_iter().chain([0; RAM_SIZE]).collect();
        for _ in 0..100_000 {
            if connection.output.write_all(&frame).is_err() {
                break;
            }
        }
    });
    assert!(line.contains("expected nothing before the buttons"), "{line}");
}

#[test]
fn a_host_that_does_not_read_is_not_waited_for_without_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = Waiting::open(&pipes(folder.path())).expect("pipes");
    let at = folder.path().join("pipes");
    let (over, is_over) = std::sync::mpsc::channel::<()>();
    let host = thread::spawn(move || {
        let connection = Connection::pipes(&at);
        // A second writer fills the pipe from which the host reads.
        let mut full = fs::OpenOptions::new();
        full.write(true).custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits());
        let mut full = full.open(at.join("to-host")).expect("a pipe");
        let mut host = after(300, connection);
        let buttons = host.buttons().expect("a frame");
        while full.write(&[0; 4096]).is_ok() {}
        while full.write(&[0]).is_ok() {}
        let status = host.step(buttons);
        let bytes = host.bytes(status);
        host.connection.say(&bytes);
        // It stays there: maxout ends the link.
        is_over.recv().expect_err("nothing is said");
    });
    let settings = Settings { patience: Duration::from_millis(300), ..settings() };
    let (seen, ended) = play(waiting.greet(settings).expect("a host"), FRAMES);
    let line = ended.expect_err("no game");
    assert!(line.ends_with("frame 301: expected it to read the buttons, found that it has not for 0.3 s"), "{line}");
    assert_eq!(seen.len(), 301);
    drop(over);
    host.join().expect("the host ends");
}

#[test]
fn garbage_in_place_of_a_frame_is_named() {
    let other = |status: u8, pressed: u8| {
        line(settings(), move |connection| {
            let mut host = after(300, connection);
            host.buttons().expect("a frame");
            let bytes: Vec<u8> = [status, pressed].into_iter().chain([0; RAM_SIZE]).collect();
            host.connection.say(&bytes);
            host.buttons().expect_err("a goodbye")
        })
    };
    let (line, frames) = other(0xFF, 0);
    assert!(line.ends_with("frame 300: expected a status byte from $00 to $0F, found $FF") && frames == 300, "{line}");
    let (line, frames) = other(1, 0x41);
    assert!(line.contains("found that it pressed R.....B.") && frames == 300, "{line}");
}

/// The line for what a host says first, and what it is told.
fn hello(words: &'static [u8]) -> (String, String) {
    let met = meet(pipes, Settings { patience: Duration::from_millis(500), ..settings() }, move |mut connection| {
        connection.say(words);
        connection.line()
    });
    (met.ended.expect_err("no game"), met.host)
}

#[test]
fn garbage_in_place_of_a_hello_is_named_and_answered() {
    for (words, found) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "expected a hello such as \"maxout-host 1"),
        (b"maxout-host 7 ram=all name=x\n", "expected version 1 of the protocol, found version 7"),
        (b"maxout-host 1 ram=all name=x", "expected the hello of a host, found no whole line in 0.5 s"),
        (b"maxout-host 1 ram=all name=x\nmore", "found 4 bytes"),
        (b"\x00\x01\x02", "found \"\\x00\\x01\\x02\""),
        (&[b'm'; 500], "expected a hello"),
        (&[0xFF; 100_000], "expected a hello"),
    ] {
        let (line, answer) = hello(words);
        assert!(line.contains(found) && line.starts_with("the pipes in ") && line.lines().count() == 1, "{line}");
        assert!(answer.starts_with("error expected "), "{answer}");
    }
    let long = [&b"maxout-host 1 ram=all name="[..], &[b'x'; 400]].concat().leak();
    assert!(hello(long).0.contains("expected a name of 1 to 60"), "{}", hello(long).0);
}

#[test]
fn who_comes_and_goes_without_a_word_is_no_host() {
    for endpoint in [pipes as fn(&Path) -> Endpoint, socket, port] {
        let folder = tempfile::tempdir().expect("a folder");
        let waiting = Waiting::open(&endpoint(folder.path())).expect("it opens");
        let at = waiting.endpoint().clone();
        let host = thread::spawn(move || {
            let connect = || match &at {
                Endpoint::Pipes(folder) => Connection::pipes(folder),
                Endpoint::Socket(path) => Connection::socket(path),
                Endpoint::Tcp(address) => Connection::tcp(&address.to_string()),
                Endpoint::Stdio => panic!("not here"),
            };
            drop(connect());
            thread::sleep(Duration::from_millis(100));
            whole_game(connect(), RamKind::All).0
        });
        let (_, ended) = play(waiting.greet(settings()).expect("a host"), 60);
        assert!(ended.is_ok());
        assert_eq!(host.join().expect("the host ends"), "the run has ended");
    }
}

#[test]
fn a_signal_ends_the_wait_for_a_host_and_for_a_frame() {
    let stop = Arc::new(AtomicBool::new(true));
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = Waiting::open(&pipes(folder.path())).expect("pipes");
    let error = waiting.greet(Settings { stop, ..settings() }).err().expect("no host");
    assert!(matches!(error, Error::Stopped), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);

    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let (line, frames) = line(Settings { stop, ..settings() }, move |connection| {
        let mut host = after(300, connection);
        host.buttons().expect("a frame");
        flag.store(true, Ordering::Relaxed);
        host.buttons().expect_err("a goodbye")
    });
    assert_eq!((&*line, frames), ("host Test host 1.0, frame 300: stopped", 300));
}

#[test]
fn a_second_bot_is_refused_at_the_same_endpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    for endpoint in [pipes(folder.path()), socket(folder.path()), port(folder.path())] {
        let first = Waiting::open(&endpoint).expect("it opens");
        let line = Waiting::open(first.endpoint()).err().expect("it is in use").to_string();
        assert!(
            line.starts_with("another ") && line.contains("wait until it ends") && line.lines().count() == 1,
            "{line}"
        );
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "{endpoint}");
        drop(Waiting::open(&endpoint).expect("it is free again"));
    }
}

#[test]
fn the_pipes_of_a_game_under_way_are_not_shared() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = pipes(folder.path());
    let waiting = Waiting::open(&endpoint).expect("pipes");
    let at = folder.path().join("pipes");
    let host = thread::spawn(move || whole_game(Connection::pipes(&at), RamKind::All));
    let driven = waiting.greet(settings()).expect("a host");
    assert_eq!(
        fs::read_dir(folder.path().join("pipes")).expect("a folder").count(),
        0,
        "nothing but the folder is left"
    );
    assert!(Waiting::open(&endpoint).is_err());
    drop(driven);
    host.join().expect("the host ends");
    assert!(Waiting::open(&endpoint).is_ok());
}

#[test]
fn what_a_killed_run_has_left_is_taken_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipes_folder = folder.path().join("pipes");
    fs::create_dir(&pipes_folder).expect("a folder");
    fs::set_permissions(&pipes_folder, fs::Permissions::from_mode(0o700)).expect("permissions");
    for name in ["to-host", "from-host"] {
        let made = std::process::Command::new("mkfifo").arg(pipes_folder.join(name)).status().expect("mkfifo");
        assert!(made.success());
    }
    // A host waits there already.
    let at = pipes_folder.clone();
    let host = thread::spawn(move || whole_game(Connection::pipes(&at), RamKind::All).0);
    thread::sleep(Duration::from_millis(100));
    let waiting = Waiting::open(&Endpoint::Pipes(pipes_folder.clone())).expect("pipes");
    for name in ["to-host", "from-host"] {
        let mode = fs::metadata(pipes_folder.join(name)).expect("a pipe").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let (_, ended) = play(waiting.greet(settings()).expect("a host"), 60);
    assert!(ended.is_ok() && host.join().expect("the host ends") == "the run has ended");
    assert_eq!(fs::read_dir(&pipes_folder).expect("the folder was there before").count(), 0);

    let path = folder.path().join("socket");
    drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket"));
    assert!(path.exists(), "nobody listens at it");
    let waiting = Waiting::open(&Endpoint::Socket(path.clone())).expect("a socket");
    assert_eq!(fs::metadata(&path).expect("a socket").permissions().mode() & 0o777, 0o600);
    drop(waiting);
    assert!(!path.exists());
}

#[test]
fn what_is_somebody_elses_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = |endpoint: &Endpoint| Waiting::open(endpoint).err().expect("it is refused").to_string();
    let file = folder.path().join("file");
    fs::write(&file, "mine").expect("written");
    assert!(line(&Endpoint::Pipes(file.clone())).contains("expected a folder for the pipes, found a file"));
    assert!(line(&Endpoint::Socket(file.clone())).contains("found another file"));
    fs::write(folder.path().join("to-host"), "mine").expect("written");
    assert!(line(&Endpoint::Pipes(folder.path().to_owned())).contains("expected a pipe of yours"));
    assert_eq!(fs::read(folder.path().join("to-host")).expect("a file"), b"mine");
    assert!(!folder.path().join("from-host").exists());
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("a folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("permissions");
    assert!(line(&Endpoint::Pipes(open)).contains("is not private (others may write into it)"));
    assert!(line(&Endpoint::Pipes("no/such/folder".into())).starts_with("cannot make the folder no/such/folder"));
    assert!(line(&Endpoint::Socket("no/such/folder/socket".into())).starts_with("cannot make the socket"));
    let abroad = Endpoint::Tcp(([192, 0, 2, 1], 7_000).into());
    assert!(line(&abroad).contains("expected a loopback address"));
}

/// RAM of another program: patterns that change.
fn other_program(mut connection: Connection, first: impl Fn(u64) -> u8) -> String {
    connection.greet(RamKind::All);
    other_program_goes_on(connection, first)
}

fn other_program_goes_on(mut connection: Connection, first: impl Fn(u64) -> u8) -> String {
    let mut frame = 0;
    loop {
        let buttons = match connection.message() {
            Some(Message::Frame { buttons, .. }) => buttons,
            Some(Message::End(reason)) => return reason,
            None => panic!("no goodbye"),
        };
        let status = Status { polled: None, is_by_hand: false, has_jumped: false, pressed: buttons };
        let bytes: Vec<u8> = status.encode().into_iter().chain([first(frame); RAM_SIZE]).collect();
        connection.say(&bytes);
        frame += 1;
    }
}

#[test]
fn a_program_that_is_not_the_game_is_noticed_and_described() {
    // No byte of the game can be $A5 everywhere; zeros for ever are no game, nor are small numbers.
    for (first, found) in [
        ((|_| 0xA5) as fn(u64) -> u8, "RAM $00C0 (gameMode) holds $A5, expected 0 to 6"),
        (|_| 0, "the frame counter is 0 and does not count the frames"),
        (|frame| (frame % 7) as u8, "RAM $00C1 (gameType) holds $04, expected 0 or 1"),
    ] {
        let (line, frames) = line(settings(), move |connection| other_program(connection, first));
        let expected = format!("frame 599: no sign of the game in 600 frames: {found}");
        assert!(line.contains(&expected) && line.ends_with("name its RAM map with --map"), "{line}");
        assert_eq!(frames, 599);
    }
}

/// The rules model, whose RAM is not cleared at power-on.
struct Uncleared {
    model: Simulated,
    frames: u64,
    ram: Box<Ram>,
}

impl Uncleared {
    fn switch_on() -> Uncleared {
        Uncleared { model: Simulated::power_on(), frames: 0, ram: Box::new([0; RAM_SIZE]) }
    }

    /// Plays until maxout ends the game, but at most this many frames.
    fn play(&mut self, connection: &mut Connection, frames: u64) {
        while self.frames < frames
            && let Some(Message::Frame { buttons, .. }) = connection.message()
        {
            self.step(buttons);
            let polled = Some(self.model.polled());
            let status = Status { polled, is_by_hand: false, has_jumped: false, pressed: buttons };
            let bytes: Vec<u8> = status.encode().into_iter().chain(*self.ram).collect();
            connection.say(&bytes);
        }
    }

    fn step(&mut self, buttons: Buttons) {
        self.model.step(buttons).expect("a frame");
        self.frames += 1;
        // The game clears RAM in the second frame.
        *self.ram = if self.frames < 2 { [0xFF; RAM_SIZE] } else { *self.model.ram() };
    }
}

#[test]
fn what_ram_holds_before_the_game_has_cleared_it_does_not_matter() {
    let (expected, _) = play(Simulated::power_on(), FRAMES);
    let met = meet(pipes, settings(), |mut connection| {
        connection.greet(RamKind::All);
        Uncleared::switch_on().play(&mut connection, u64::MAX);
    });
    assert!(met.ended.is_ok() && met.seen == expected);
}

#[test]
fn a_power_cycle_in_a_game_is_a_jump_whatever_ram_holds_then() {
    let met = meet(pipes, settings(), |mut connection| {
        connection.greet(RamKind::All);
        Uncleared::switch_on().play(&mut connection, IN_GAME);
        Uncleared::switch_on().play(&mut connection, u64::MAX);
    });
    let finished = met.ended.expect("a game");
    assert_eq!((finished.tally.jumps, finished.tally.desyncs), (1, 0), "{:?}", finished.tally);
}

#[test]
fn garbage_that_stays_ends_the_game() {
    let (line, frames) = line(settings(), |mut connection| {
        connection.greet(RamKind::All);
        Uncleared::switch_on().play(&mut connection, IN_GAME);
        other_program_goes_on(connection, |_| 0xA5)
    });
    assert!(line.contains("holds $A5"), "{line}");
    assert_eq!(frames, IN_GAME + 60);
}

/// Frames until a piece of the game of seed 1 falls, and some more.
const IN_GAME: u64 = 1_400;

#[test]
fn a_saved_state_a_rewind_and_a_reset_are_jumps_and_no_desyncs() {
    for says_so in [false, true] {
        let met = meet(pipes, settings(), move |connection| {
            let mut host = after(IN_GAME, connection);
            let saved = host.console.clone();
            let jump = |host: &mut TestHost<Simulated>, to: Simulated| {
                host.console = to;
                let buttons = host.buttons().expect("a frame");
                let status = Status { has_jumped: says_so, ..host.step(buttons) };
                let bytes = host.bytes(status);
                host.connection.say(&bytes);
            };
            host.frames(150);
            // A state that is loaded, and the same again: a rewind.
            jump(&mut host, saved.clone());
            host.frames(77);
            jump(&mut host, saved);
            host.frames(10);
            // Fast forward: frames that the host plays without asking.
            let mut ahead = host.console.clone();
            (0..5).for_each(|_| ahead.step(Buttons::NONE).expect("a frame"));
            jump(&mut host, ahead);
            host.frames(60);
            host.play()
        });
        let tally = met.ended.expect("a game").tally;
        assert_eq!((tally.jumps, tally.desyncs), (3, 0), "{tally:?}");
        assert!(tally.pieces > 5, "it plays on: {tally:?}");
    }
}

#[test]
fn a_reset_is_a_jump_and_the_next_game_is_played() {
    let met = meet(pipes, settings(), |connection| {
        let mut host = after(IN_GAME, connection);
        host.console.reset(Reset::Power);
        host.play()
    });
    let finished = met.ended.expect("a game");
    assert_eq!((finished.tally.jumps, finished.tally.desyncs), (1, 0), "{:?}", finished.tally);
}

#[test]
fn a_person_plays_in_between() {
    let met = meet(pipes, settings(), |connection| {
        let mut host = after(IN_GAME, connection);
        for frame in 0..40 {
            host.buttons().expect("a frame");
            let pressed = if frame % 2 == 0 { Buttons::LEFT } else { Buttons::NONE };
            let status = Status { is_by_hand: true, ..host.step(pressed) };
            let bytes = host.bytes(status);
            host.connection.say(&bytes);
        }
        host.play()
    });
    let tally = met.ended.expect("a game").tally;
    assert_eq!((tally.by_hand, tally.desyncs, tally.jumps), (40, 0, 0));
    let pressed = &met.seen[IN_GAME as usize..][..40];
    assert!(pressed.iter().step_by(2).all(|(buttons, ..)| *buttons == Buttons::LEFT), "what was pressed is reported");
}

#[test]
fn the_bot_takes_over_a_game_under_way() {
    let met = meet(pipes, settings(), |connection| {
        let mut console = Simulated::power_on();
        // The game of somebody else: the same menus, and then nobody presses anything.
        let mut run = Run::new(&mut console, settings().decoder, pilot(), Goal::Frames(IN_GAME));
        run.play(&mut [], &AtomicBool::new(false)).expect("a game");
        TestHost::start(connection, RamKind::All, console).play()
    });
    let tally = met.ended.expect("a game").tally;
    assert!(tally.pieces > 20 && tally.desyncs == 0 && tally.jumps == 0, "{tally:?}");
}

#[test]
fn a_jump_that_only_the_host_knows_of_counts() {
    let met = meet(pipes, settings(), |connection| {
        let mut host = after(IN_GAME, connection);
        let buttons = host.buttons().expect("a frame");
        let status = Status { has_jumped: true, ..host.step(buttons) };
        let bytes = host.bytes(status);
        host.connection.say(&bytes);
        host.play()
    });
    let tally = met.ended.expect("a game").tally;
    assert_eq!((tally.jumps, tally.desyncs), (1, 0));
}

#[test]
fn bytes_that_come_between_two_frames_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = Waiting::open(&pipes(folder.path())).expect("pipes");
    let at = folder.path().join("pipes");
    let (say, said) = std::sync::mpsc::channel();
    let host = thread::spawn(move || {
        let mut host = after(1, Connection::pipes(&at));
        thread::sleep(Duration::from_millis(50));
        host.connection.say(&[0]);
        say.send(()).expect("somebody waits");
        host.buttons().expect_err("a goodbye")
    });
    let mut driven = waiting.greet(settings()).expect("a host");
    driven.step(Buttons::NONE).expect("a frame");
    said.recv().expect("a host");
    let line = driven.step(Buttons::NONE).expect_err("it is refused").to_string();
    assert!(
        line.ends_with(
            "frame 1: expected nothing before the buttons of the next frame, found more bytes than one frame"
        )
    );
    drop(driven);
    assert!(host.join().expect("the host ends").contains("found more bytes"));
}
