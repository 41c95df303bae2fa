//! Endpoints: who may use them, and what is left there.

use super::*;

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
    let (driven, host) = driven(folder.path());
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
