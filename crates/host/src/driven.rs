//! A host as a console.

use maxout_engine::console::{Console, Error, Reset, SavedState};
use maxout_engine::game::memory::address::name;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{RAM_SIZE, Ram};
use maxout_engine::state::StateError;

use crate::endpoint::Open;
use crate::protocol::{Message, STATUS_SIZE, Status};
use crate::screen::HostScreen;
use crate::settings::Settings;
use crate::signs::Signs;
use crate::talk::{Talk, Trouble};

/// The name of such a console; which host it is, [`Driven::host`] says.
const NAME: &str = "driven";

/// A console in somebody else's program. Dropped, it says goodbye to the host.
pub struct Driven {
    talk: Talk,
    host: String,
    /// The addresses that the host sends; `None` for all.
    addresses: Option<Vec<u16>>,
    signs: Signs,
    screen: HostScreen,
    ram: Box<Ram>,
    /// What came last, before it is known to be the game's.
    raw: Box<Ram>,
    status: Status,
    /// Where the game counts its frames, if the map says it.
    counter: Option<usize>,
    has_polled: bool,
    /// Frames so far.
    frames: u64,
    /// The bytes of a message, and one more, to notice a host that sends too much.
    buffer: Vec<u8>,
    message: Vec<u8>,
    /// Keeps other runs away from the pipes.
    _open: Box<dyn Open>,
}

impl Driven {
    pub(crate) fn new(
        talk: Talk,
        host: String,
        addresses: Option<Vec<u16>>,
        settings: Settings,
        open: Box<dyn Open>,
    ) -> Driven {
        let bytes = STATUS_SIZE + addresses.as_ref().map_or(RAM_SIZE, Vec::len);
        let status = Status { polled: Some(false), is_by_hand: false, has_jumped: false, pressed: Buttons::NONE };
        Driven {
            talk,
            host,
            addresses,
            signs: Signs::new(settings.decoder),
            screen: HostScreen::default(),
            ram: Box::new([0; RAM_SIZE]),
            raw: Box::new([0; RAM_SIZE]),
            status,
            counter: settings.map.entry(name::FRAME_COUNTER).map(|entry| usize::from(entry.address)),
            has_polled: false,
            frames: 0,
            buffer: vec![0; bytes + 1],
            message: Vec::new(),
            _open: open,
        }
    }

    /// What the host calls itself.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What the host can draw; it listens to the run.
    pub fn screen(&self) -> HostScreen {
        self.screen.clone()
    }

    /// One frame: the buttons out, RAM back.
    fn exchange(&mut self, buttons: Buttons) -> Result<(), String> {
        let early = "expected nothing before the buttons of the next frame";
        match self.talk.unasked() {
            None => {}
            Some(0) => return Err(Gone::Between.to_string()),
            Some(_) => return Err(format!("{early}, found more bytes than one frame")),
        }
        self.talk.begin();
        self.message.clear();
        self.screen.message(buttons).encode(&mut self.message);
        let patience = self.talk.patience.as_secs_f64();
        self.talk.send(&self.message).map_err(|trouble| match trouble {
            Trouble::Stopped => "stopped".to_owned(),
            Trouble::TooSlow => format!("expected it to read the buttons, found that it has not for {patience} s"),
            Trouble::Gone => Gone::Between.to_string(),
            Trouble::System(error) => format!("the buttons cannot be sent: {error}"),
        })?;
        let size = self.buffer.len() - 1;
        let mut got = 0;
        while got < size {
            let received = self.talk.receive(&mut self.buffer[got..]).map_err(|trouble| match trouble {
                Trouble::Stopped => "stopped".to_owned(),
                Trouble::TooSlow => {
                    let advice = "is it paused? --host-timeout gives it longer";
                    format!("expected a frame of {size} bytes, found {got} in {patience} s; {advice}")
                }
                Trouble::Gone => Gone::Between.to_string(),
                Trouble::System(error) => format!("RAM cannot be received: {error}"),
            })?;
            if received == 0 {
                let gone = if got == 0 { Gone::Between } else { Gone::Within { got, size } };
                return Err(gone.to_string());
            }
            got += received;
            if got < size && self.talk.is_stopped() {
                return Err("stopped".to_owned());
            }
        }
        if got > size {
            return Err(format!("{early}, found more than the {size} bytes of one frame"));
        }
        let status = Status::decode([self.buffer[0], self.buffer[1]])?;
        if !status.is_by_hand && status.pressed != buttons {
            let found = status.pressed;
            return Err(format!("expected it to press {buttons}, found that it pressed {found}"));
        }
        let bytes = &self.buffer[STATUS_SIZE..size];
        match &self.addresses {
            None => self.raw.copy_from_slice(bytes),
            Some(addresses) => {
                for (&address, &byte) in addresses.iter().zip(bytes) {
                    self.raw[usize::from(address)] = byte;
                }
            }
        }
        let counter = |ram: &Ram| self.counter.map(|address| [ram[address], ram[address + 1]]);
        let before = counter(&self.ram);
        if self.signs.look(&self.raw)? {
            self.ram.copy_from_slice(&*self.raw);
        }
        // The game counts a frame and reads the gamepads in the same interrupt.
        self.has_polled = status.polled.unwrap_or(before.is_none() || counter(&self.ram) != before);
        self.status = status;
        self.frames += 1;
        Ok(())
    }
}

/// When a host went away.
enum Gone {
    Between,
    Within { got: usize, size: usize },
}

impl std::fmt::Display for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Gone::Between => f.write_str("it has closed the connection"),
            Gone::Within { got, size } => {
                write!(f, "it has closed the connection within a frame: expected {size} bytes, found {got}")
            }
        }
    }
}

impl Console for Driven {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.exchange(buttons).map_err(|problem| {
            self.screen.ended(&problem);
            Error::Host { host: self.host.clone(), frame: self.frames, problem }
        })
    }

    /// Nothing: only a person resets a host.
    fn reset(&mut self, _reset: Reset) {
        log::warn!("{} is not reset: maxout only presses buttons there", self.host);
    }

    fn resets(&self) -> bool {
        false
    }

    fn polled(&self) -> bool {
        self.has_polled
    }

    fn taken_over(&self) -> Option<Buttons> {
        self.status.is_by_hand.then_some(self.status.pressed)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn jumped(&self) -> bool {
        self.status.has_jumped
    }

    fn ram(&self) -> &Ram {
        &self.ram
    }

    /// Nothing: no byte of a host is ever written.
    fn poke(&mut self, address: u16, _value: u8) {
        log::warn!("${address:04X} of {} is not written: maxout only presses buttons there", self.host);
    }

    fn save_state(&self) -> Result<SavedState, Error> {
        Err(Error::Save(format!("{} keeps its state to itself", self.host)))
    }

    fn restore_state(&mut self, _state: &SavedState) -> Result<(), Error> {
        Err(StateError::new("a console of this program", "a host").into())
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        let mut bytes = Vec::new();
        Message::End(self.screen.reason()).encode(&mut bytes);
        self.talk.send_at_once(&bytes);
    }
}
