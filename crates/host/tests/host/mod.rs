//! A host for tests: a console of our own behind the protocol. The tests of the program use it, too.

#![allow(dead_code, reason = "not every test binary asks for everything")]

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use maxout_engine::console::Console;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RAM_SIZE;
use maxout_host::protocol::{Answer, Hello, Message, RamKind, Status};

/// Looks for something at this path until it is there.
fn wait_for<T>(path: &Path, look: impl Fn(&Path) -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look(path) {
            return found;
        }
        assert!(Instant::now() < deadline, "{} is not there", path.display());
        thread::sleep(Duration::from_millis(5));
    }
}

/// What a host reads and what it writes.
pub struct Connection {
    pub input: Box<dyn Read>,
    pub output: Box<dyn Write>,
}

impl Connection {
    /// At the pipes of a folder, once they are there.
    pub fn pipes(folder: &Path) -> Connection {
        let (to_host, from_host) = (folder.join("to-host"), folder.join("from-host"));
        for pipe in [&to_host, &from_host] {
            wait_for(pipe, |pipe| pipe.exists().then_some(()));
        }
        // In the order in which an emulator's script opens them: each waits for the other side.
        let input = File::open(to_host).expect("a pipe");
        let output = OpenOptions::new().write(true).open(from_host).expect("a pipe");
        Connection { input: Box::new(input), output: Box::new(output) }
    }

    /// At a Unix socket, once somebody listens: its file is there a moment before.
    pub fn socket(path: &Path) -> Connection {
        let stream = wait_for(path, |path| UnixStream::connect(path).ok());
        Connection { input: Box::new(stream.try_clone().expect("a copy")), output: Box::new(stream) }
    }

    /// At a TCP port.
    pub fn tcp(address: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Connection { input: Box::new(stream.try_clone().expect("a copy")), output: Box::new(stream) }
    }

    /// At standard input and output of the program.
    pub fn stdio(program: &mut Child) -> Connection {
        let (input, output) = (program.stdout.take().expect("a pipe"), program.stdin.take().expect("a pipe"));
        Connection { input: Box::new(input), output: Box::new(output) }
    }

    /// Says hello; the answer.
    pub fn greet(&mut self, ram: RamKind) -> Answer {
        let hello = Hello { ram, name: "Test host 1.0".to_owned() };
        self.say(hello.line().as_bytes());
        Answer::read(&self.line()).expect("an answer")
    }

    /// Writes these bytes; nothing happens when nobody reads them any more.
    pub fn say(&mut self, bytes: &[u8]) {
        let _ = self.output.write_all(bytes).and_then(|()| self.output.flush());
    }

    /// The next line without its end.
    pub fn line(&mut self) -> String {
        let mut line = Vec::new();
        let mut byte = [0];
        while self.input.read_exact(&mut byte).is_ok() && byte != *b"\n" {
            line.push(byte[0]);
        }
        String::from_utf8(line).expect("ASCII")
    }

    /// The next message, read byte by byte as a script does; `None` when maxout has gone away.
    pub fn message(&mut self) -> Option<Message> {
        let mut bytes = Vec::new();
        let mut byte = [0];
        loop {
            match self.input.read_exact(&mut byte) {
                Ok(()) => bytes.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    assert!(bytes.is_empty(), "half a message: {bytes:?}");
                    return None;
                }
                Err(error) => panic!("{error}"),
            }
            if let Some((message, length)) = Message::decode(&bytes).expect("a message") {
                assert_eq!(length, bytes.len());
                return Some(message);
            }
        }
    }
}

/// A console behind the protocol.
pub struct TestHost<C> {
    pub connection: Connection,
    pub console: C,
    /// The addresses that it sends.
    addresses: Vec<u16>,
    /// Ghost cells and texts that it was given.
    pub ghosts: u64,
    pub texts: Vec<String>,
}

impl<C: Console> TestHost<C> {
    /// Says hello; the console was just switched on.
    pub fn start(mut connection: Connection, ram: RamKind, console: C) -> TestHost<C> {
        let addresses = match connection.greet(ram) {
            Answer::Welcome(None) => (0..RAM_SIZE as u16).collect(),
            Answer::Welcome(Some(addresses)) => addresses,
            Answer::Refused(problem) => panic!("{problem}"),
        };
        TestHost { connection, console, addresses, ghosts: 0, texts: Vec::new() }
    }

    /// The bytes after a frame.
    pub fn bytes(&self, status: Status) -> Vec<u8> {
        let ram = self.addresses.iter().map(|&address| self.console.ram()[usize::from(address)]);
        status.encode().into_iter().chain(ram).collect()
    }

    /// Reads the next message; the buttons, or why it is the last.
    pub fn buttons(&mut self) -> Result<Buttons, String> {
        match self.connection.message() {
            Some(Message::Frame { buttons, ghost, text }) => {
                self.ghosts += ghost.len() as u64;
                self.texts.extend(Some(text).filter(|text| !text.is_empty()));
                Ok(buttons)
            }
            Some(Message::End(reason)) => Err(reason),
            None => Err("no goodbye".to_owned()),
        }
    }

    /// Plays one frame with these buttons, which `by_hand` says a person presses.
    pub fn step(&mut self, buttons: Buttons) -> Status {
        self.console.step(buttons).expect("a frame");
        Status { polled: Some(self.console.polled()), is_by_hand: false, has_jumped: false, pressed: buttons }
    }

    /// Plays a frame; why the game is over, if it is.
    pub fn frame(&mut self) -> Option<String> {
        let buttons = match self.buttons() {
            Ok(buttons) => buttons,
            Err(reason) => return Some(reason),
        };
        let status = self.step(buttons);
        let bytes = self.bytes(status);
        self.connection.say(&bytes);
        None
    }

    /// Plays this many frames.
    pub fn frames(&mut self, frames: u64) {
        for frame in 0..frames {
            if let Some(reason) = self.frame() {
                panic!("frame {frame}: {reason}");
            }
        }
    }

    /// Plays until maxout ends the game; the reason.
    pub fn play(&mut self) -> String {
        loop {
            if let Some(reason) = self.frame() {
                return reason;
            }
        }
    }
}
