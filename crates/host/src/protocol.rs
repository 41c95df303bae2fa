//! The messages between maxout and a host, as bytes. `docs/hosts.md` describes them for authors of
//! hosts.

use std::fmt::Write;

use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
/// The longest hello, in bytes, its line end included.
pub const LONGEST_HELLO: usize = 400;
/// The longest name of a host, in characters.
pub const LONGEST_NAME: usize = 60;
/// The most ghost cells in a frame message.
pub const MOST_GHOST_CELLS: usize = 8;
/// The longest text in a message, in bytes.
pub const LONGEST_TEXT: usize = 255;

/// The first word of a hello, and the space after it.
const GREETING: &str = "maxout-host ";
/// The first byte of a frame message.
const FRAME: u8 = b'F';
/// The first byte of the last message.
const END: u8 = b'E';

/// What a host sends of RAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RamKind {
    /// All of `$0000-$07FF`.
    All,
    /// The addresses that it is given, in their order.
    List,
}

/// The first line of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// What it sends of RAM.
    pub ram: RamKind,
    /// What it calls itself.
    pub name: String,
}

impl Hello {
    /// The line, with its end.
    pub fn line(&self) -> String {
        let ram = match self.ram {
            RamKind::All => "all",
            RamKind::List => "list",
        };
        format!("{GREETING}{PROTOCOL} ram={ram} name={}\n", self.name)
    }

    /// Can these bytes be the beginning of a hello?
    pub fn may_begin(bytes: &[u8]) -> bool {
        let same = bytes.len().min(GREETING.len());
        bytes[..same] == GREETING.as_bytes()[..same]
    }

    /// Reads the line without its end.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn read(line: &[u8]) -> Result<Hello, String> {
        let expected = format!("expected a hello such as \"{GREETING}{PROTOCOL} ram=all name=FCEUX 2.6.5\"");
        let wrong = |found: &str| format!("{expected}, found {found}");
        let shown = || format!("\"{}\"", line.escape_ascii());
        let text = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(text).ok().filter(|text| text.is_ascii()).ok_or_else(|| wrong(&shown()))?;
        let rest = text.strip_prefix(GREETING).ok_or_else(|| wrong(&shown()))?;
        let (version, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match version.parse::<u32>() {
            Ok(PROTOCOL) => {}
            Ok(other) => {
                return Err(format!(
                    "expected version {PROTOCOL} of the protocol, found version {other}: use a host that is made for \
                     this maxout"
                ));
            }
            Err(_) => return Err(wrong(&shown())),
        }
        let (fields, name) = rest.split_once(" name=").ok_or_else(|| wrong(&shown()))?;
        let mut ram = None;
        for field in fields.split_ascii_whitespace() {
            match field.split_once('=') {
                Some(("ram", "all")) => ram = Some(RamKind::All),
                Some(("ram", "list")) => ram = Some(RamKind::List),
                Some(("ram", _)) => return Err(format!("expected ram=all or ram=list, found {field}")),
                // Later hosts may say more.
                Some(_) => {}
                None => return Err(wrong(&shown())),
            }
        }
        let name = name.trim();
        let is_name = |letter: char| letter.is_ascii_graphic() || letter == ' ';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_name) {
            let expected = format!("expected a name of 1 to {LONGEST_NAME} printable characters");
            return Err(format!("{expected}, found \"{}\"", name.escape_default()));
        }
        let ram = ram.ok_or_else(|| wrong(&shown()))?;
        Ok(Hello { ram, name: name.to_owned() })
    }
}

/// The line with which maxout answers a hello.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It plays. The addresses that the host sends, for a host that sends a list.
    Welcome(Option<Vec<u16>>),
    /// It does not play with this host, and why.
    Refused(String),
}

impl Answer {
    /// The line, with its end.
    pub fn line(&self) -> String {
        match self {
            Answer::Welcome(None) => format!("maxout {PROTOCOL}\n"),
            Answer::Welcome(Some(addresses)) => {
                let mut line = format!("maxout {PROTOCOL} addresses=");
                for (index, address) in addresses.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    // Writing to a text does not fail.
                    let _ = write!(line, "{comma}{address:04x}");
                }
                line + "\n"
            }
            Answer::Refused(problem) => format!("error {}\n", String::from_utf8_lossy(&shown(problem))),
        }
    }

    /// Reads the line without its end, as a host does. `None` for another line.
    pub fn read(line: &str) -> Option<Answer> {
        if let Some(problem) = line.strip_prefix("error ") {
            return Some(Answer::Refused(problem.to_owned()));
        }
        let rest = line.strip_prefix("maxout ")?;
        let (version, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        if version.parse() != Ok(PROTOCOL) {
            return None;
        }
        if rest.is_empty() {
            return Some(Answer::Welcome(None));
        }
        let address = |text| u16::from_str_radix(text, 16).ok().filter(|&address| usize::from(address) < RAM_SIZE);
        let addresses = rest.strip_prefix("addresses=")?.split(',').map(address).collect::<Option<_>>()?;
        Some(Answer::Welcome(Some(addresses)))
    }
}

/// A cell of the playfield: column 0 to 9, row 0 (top) to 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GhostCell {
    /// 0 (left) to 9.
    pub column: u8,
    /// 0 (top) to 19.
    pub row: u8,
}

/// What maxout sends once a frame, or at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Play one frame.
    Frame {
        /// The buttons that are down in it.
        buttons: Buttons,
        /// Where the falling piece is to go; empty without a plan.
        ghost: Vec<GhostCell>,
        /// A line of figures to show; empty for the one before.
        text: String,
    },
    /// The game is over for maxout, and why.
    End(String),
}

impl Message {
    /// The message as bytes. What is too long is cut, and what is not ASCII becomes `?`.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        match self {
            Message::Frame { buttons, ghost, text } => {
                let ghost = &ghost[..ghost.len().min(MOST_GHOST_CELLS)];
                bytes.extend([FRAME, buttons.bits(), ghost.len() as u8]);
                bytes.extend(ghost.iter().flat_map(|cell| [cell.column, cell.row]));
                push_text(text, bytes);
            }
            Message::End(reason) => {
                bytes.push(END);
                push_text(reason, bytes);
            }
        }
    }

    /// Reads a message from the beginning of these bytes, as a host does: the message and its length;
    /// `None` while more bytes must come.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn decode(bytes: &[u8]) -> Result<Option<(Message, usize)>, String> {
        let mut reader = Reader { bytes, at: 0 };
        let message = match reader.message() {
            Some(Ok(message)) => message,
            Some(Err(problem)) => return Err(problem),
            None => return Ok(None),
        };
        Ok(Some((message, reader.at)))
    }
}

/// ASCII, and no longer than a message may be.
fn shown(text: &str) -> Vec<u8> {
    let ascii = |letter: char| if letter.is_ascii() && !letter.is_ascii_control() { letter as u8 } else { b'?' };
    text.chars().map(ascii).take(LONGEST_TEXT).collect()
}

fn push_text(text: &str, bytes: &mut Vec<u8>) {
    let text = shown(text);
    bytes.push(text.len() as u8);
    bytes.extend(text);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::from(self.byte()?);
        let text = self.bytes.get(self.at..self.at + length)?;
        self.at += length;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// `None` while bytes are missing.
    fn message(&mut self) -> Option<Result<Message, String>> {
        match self.byte()? {
            FRAME => {
                let buttons = Buttons::from_bits(self.byte()?);
                let cells = usize::from(self.byte()?);
                if cells > MOST_GHOST_CELLS {
                    return Some(Err(format!("expected at most {MOST_GHOST_CELLS} ghost cells, found {cells}")));
                }
                let mut ghost = Vec::with_capacity(cells);
                for _ in 0..cells {
                    let (column, row) = (self.byte()?, self.byte()?);
                    if usize::from(column) >= WIDTH || usize::from(row) >= ROWS {
                        return Some(Err(format!("expected a cell of the playfield, found ({column}, {row})")));
                    }
                    ghost.push(GhostCell { column, row });
                }
                Some(Ok(Message::Frame { buttons, ghost, text: self.text()? }))
            }
            END => Some(Ok(Message::End(self.text()?))),
            other => Some(Err(format!("expected 'F' or 'E', found byte ${other:02X}"))),
        }
    }
}

/// The first two bytes of what a host sends after a frame; RAM follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Did the game read the gamepads in this frame? `None` from a host that cannot tell.
    pub polled: Option<bool>,
    /// Did a person press the buttons in place of maxout?
    pub is_by_hand: bool,
    /// Was the console reset, rewound or set to another state before this frame?
    pub has_jumped: bool,
    /// The buttons that were down.
    pub pressed: Buttons,
}

/// Bytes of a [`Status`].
pub const STATUS_SIZE: usize = 2;

impl Status {
    const POLLED: u8 = 1;
    const CANNOT_TELL: u8 = 2;
    const BY_HAND: u8 = 4;
    const JUMPED: u8 = 8;

    /// The two bytes.
    pub fn encode(self) -> [u8; STATUS_SIZE] {
        let polled = self.polled.map_or(Status::CANNOT_TELL, u8::from);
        let by_hand = if self.is_by_hand { Status::BY_HAND } else { 0 };
        let jumped = if self.has_jumped { Status::JUMPED } else { 0 };
        [polled | by_hand | jumped, self.pressed.bits()]
    }

    /// Reads the two bytes.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn decode([status, pressed]: [u8; STATUS_SIZE]) -> Result<Status, String> {
        let known = Status::POLLED | Status::CANNOT_TELL | Status::BY_HAND | Status::JUMPED;
        if status & !known != 0 {
            return Err(format!("expected a status byte from $00 to ${known:02X}, found ${status:02X}"));
        }
        let has = |bit| status & bit != 0;
        Ok(Status {
            polled: (!has(Status::CANNOT_TELL)).then_some(has(Status::POLLED)),
            is_by_hand: has(Status::BY_HAND),
            has_jumped: has(Status::JUMPED),
            pressed: Buttons::from_bits(pressed),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells() -> impl Strategy<Value = Vec<GhostCell>> {
        let cell = (0..WIDTH as u8, 0..ROWS as u8).prop_map(|(column, row)| GhostCell { column, row });
        prop::collection::vec(cell, 0..=MOST_GHOST_CELLS)
    }

    fn message() -> impl Strategy<Value = Message> {
        let frame = (any::<u8>(), cells(), "[ -~]{0,255}").prop_map(|(bits, ghost, text)| Message::Frame {
            buttons: Buttons::from_bits(bits),
            ghost,
            text,
        });
        prop_oneof![frame, "[ -~]{0,255}".prop_map(Message::End)]
    }

    fn encoded(message: &Message) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn a_message_comes_back_and_every_part_of_it_waits_for_more(message in message(), more in any::<Vec<u8>>()) {
            let bytes = encoded(&message);
            for cut in 0..bytes.len() {
                prop_assert_eq!(Message::decode(&bytes[..cut]), Ok(None));
            }
            let long = [&bytes[..], &more].concat();
            prop_assert_eq!(Message::decode(&long), Ok(Some((message, bytes.len()))));
        }

        #[test]
        fn what_decodes_encodes_to_the_same_bytes(bytes in any::<Vec<u8>>()) {
            if let Ok(Some((message, length))) = Message::decode(&bytes) {
                let is_ascii = bytes[..length].iter().all(|byte| !byte.is_ascii_control());
                prop_assert!(length <= bytes.len());
                prop_assert!(!is_ascii || encoded(&message) == bytes[..length]);
            }
        }

        #[test]
        fn a_hello_comes_back(list in any::<bool>(), name in "[!-~]([ -~]{0,58}[!-~])?") {
            let hello = Hello { ram: if list { RamKind::List } else { RamKind::All }, name };
            let line = hello.line();
            prop_assert!(line.len() <= LONGEST_HELLO && line.ends_with('\n'));
            for cut in 0..line.len() {
                prop_assert!(Hello::may_begin(&line.as_bytes()[..cut]));
            }
            prop_assert_eq!(Hello::read(line.trim_end_matches('\n').as_bytes()), Ok(hello));
        }

        #[test]
        fn any_bytes_are_a_hello_or_one_line_of_error(bytes in prop::collection::vec(any::<u8>(), 0..LONGEST_HELLO)) {
            if let Err(line) = Hello::read(&bytes) {
                prop_assert!(line.starts_with("expected ") && !line.chars().any(char::is_control), "{}", line);
            }
        }

        #[test]
        fn an_answer_comes_back(addresses in prop::option::of(prop::collection::vec(0..RAM_SIZE as u16, 1..50))) {
            let answer = Answer::Welcome(addresses);
            let line = answer.line();
            prop_assert_eq!(line.strip_suffix('\n').and_then(Answer::read), Some(answer));
        }
    }

    #[test]
    fn a_status_comes_back_and_unknown_bits_are_refused() {
        for status in 0..=255 {
            match Status::decode([status, 0x81]) {
                Ok(read) => {
                    assert!(status < 0x10);
                    // Whoever cannot tell says nothing with the other bit.
                    let known = if status & 2 == 0 { status } else { status & !1 };
                    assert_eq!(read.encode(), [known, 0x81]);
                }
                Err(line) => {
                    assert!(status >= 0x10);
                    assert_eq!(line, format!("expected a status byte from $00 to $0F, found ${status:02X}"));
                }
            }
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_page() {
        let hello = Hello { ram: RamKind::All, name: "FCEUX 2.6.5".to_owned() };
        assert_eq!(hello.line(), "maxout-host 1 ram=all name=FCEUX 2.6.5\n");
        assert_eq!(Answer::Welcome(None).line(), "maxout 1\n");
        assert_eq!(Answer::Welcome(Some(vec![0x48, 0x7FF])).line(), "maxout 1 addresses=0048,07ff\n");
        let ghost = vec![GhostCell { column: 9, row: 19 }, GhostCell { column: 0, row: 3 }];
        let frame = Message::Frame { buttons: Buttons::A | Buttons::RIGHT, ghost, text: "ok".to_owned() };
        assert_eq!(encoded(&frame), [b'F', 0x81, 2, 9, 19, 0, 3, 2, b'o', b'k']);
        assert_eq!(encoded(&Message::End("bye".to_owned())), *b"E\x03bye");
        let status = Status { polled: Some(true), is_by_hand: false, has_jumped: true, pressed: Buttons::A };
        assert_eq!(status.encode(), [9, 0x80]);
    }

    #[test]
    fn texts_are_cut_and_made_ascii() {
        let long = Message::End("\u{e4}\n".to_owned() + &"x".repeat(300));
        let bytes = encoded(&long);
        assert_eq!((bytes.len(), &bytes[..4]), (257, &[b'E', 255, b'?', b'?'][..]));
        assert_eq!(Answer::Refused("a\nb".to_owned()).line(), "error a?b\n");
    }

    #[test]
    fn what_is_no_hello_is_named() {
        for (line, found) in [
            ("GET / HTTP/1.1", "found \"GET / HTTP/1.1\""),
            ("maxout-host 2 ram=all name=x", "found version 2"),
            ("maxout-host one ram=all name=x", "found \"maxout-host one"),
            ("maxout-host 1 ram=some name=x", "found ram=some"),
            ("maxout-host 1 name=x", "found \"maxout-host 1 name=x\""),
            ("maxout-host 1 ram=all", "found \"maxout-host 1 ram=all\""),
            ("maxout-host 1 ram=all name=", "expected a name of 1 to 60"),
            ("maxout-host 1 ram=all name=\u{1b}[31m", "found \"\\u{1b}[31m\""),
            ("maxout-host 1 ram=all name=n\u{e4}me", "found \"maxout-host"),
        ] {
            let error = Hello::read(line.as_bytes()).expect_err(line);
            assert!(error.contains(found) && error.lines().count() == 1, "{line}: {error}");
        }
        assert!(Hello::read(b"maxout-host 1 later=1 ram=all name=x\r").is_ok(), "later hosts may say more");
        let hello = Hello::read(b"maxout-host 1 ram=all romname=x name=Y").expect("one of these");
        assert_eq!(hello, Hello { ram: RamKind::All, name: "Y".to_owned() });
    }

    #[test]
    fn a_message_of_another_kind_is_refused() {
        for bytes in [&b"G"[..], b"F\x00\x09", b"F\x00\x01\x0a\x00\x00", b"F\x00\x01\x00\x14\x00"] {
            assert!(Message::decode(bytes).is_err(), "{bytes:?}");
        }
    }
}
