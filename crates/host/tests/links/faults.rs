//! Hosts that do not keep to the protocol.

use super::*;

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

/// The line of the run, and the answer that the host got to its first words.
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
