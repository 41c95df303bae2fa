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
        let (fields, name) = rest.split_once("name=").ok_or_else(|| wrong(&shown()))?;
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
