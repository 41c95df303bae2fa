//! What happens to the game in a host: another program, a power cycle, jumps, a person.

use super::*;

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
