//! The front end: the functions that it has given, called safely.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use crate::api::{
    AudioBatchFn, AudioSampleFn, DEVICE_JOYPAD, EnvironmentFn, InputDescriptor, InputPollFn, InputStateFn, LOG_INFO,
    LogCallback, MEMDESC_SYSTEM_RAM, MOST_VALUES, MemoryDescriptor, MemoryMap, Message, OptionV1, OptionV2,
    OptionValue, OptionsV2, PixelFormat, Variable, VideoFn, environment, joypad,
};
use crate::options::{Definition, definitions};
use crate::pixels::Pixels;
use maxout_engine::console::Picture;
use maxout_engine::gamepad::Buttons;

/// Frames for which a message is shown: five seconds.
const MESSAGE_FRAMES: c_uint = 300;

/// Libretro's buttons, the engine's, and what they do in the game.
const PAD: [(c_uint, Buttons, &CStr); 8] = [
    (joypad::A, Buttons::A, c"A: rotate right"),
    (joypad::B, Buttons::B, c"B: rotate left"),
    (joypad::SELECT, Buttons::SELECT, c"Select: next box on and off"),
    (joypad::START, Buttons::START, c"Start: begin, pause"),
    (joypad::UP, Buttons::UP, c"Up"),
    (joypad::DOWN, Buttons::DOWN, c"Down: push down"),
    (joypad::LEFT, Buttons::LEFT, c"Left"),
    (joypad::RIGHT, Buttons::RIGHT, c"Right"),
];

/// The functions of the front end. One that it has not given is not called.
///
/// Each call below relies on what the interface says of `retro_set_...`: the function stays callable
/// until the core is unloaded, and takes these types.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FrontEnd {
    pub(crate) environment: Option<EnvironmentFn>,
    pub(crate) video: Option<VideoFn>,
    pub(crate) audio_sample: Option<AudioSampleFn>,
    pub(crate) audio_batch: Option<AudioBatchFn>,
    pub(crate) input_poll: Option<InputPollFn>,
    pub(crate) input_state: Option<InputStateFn>,
}

impl FrontEnd {
    pub(crate) const NONE: FrontEnd = FrontEnd {
        environment: None,
        video: None,
        audio_sample: None,
        audio_batch: None,
        input_poll: None,
        input_state: None,
    };

    /// Asks for something. False: the front end does not know it, or refuses.
    ///
    /// # Safety
    /// `data` must be what the interface wants with this command.
    unsafe fn ask<T>(&self, command: c_uint, data: *mut T) -> bool {
        // SAFETY: a function that the front end has given; its data are right, by this function's own contract.
        self.environment.is_some_and(|environment| unsafe { environment(command, data.cast::<c_void>()) } != 0)
    }

    /// Tells one truth value.
    fn tell(&self, command: c_uint, mut value: bool) -> bool {
        // SAFETY: only called with commands that take a pointer to a bool, which is read at once.
        unsafe { self.ask(command, &raw mut value) }
    }

    /// Before content is loaded: that none is needed, and the options.
    pub(crate) fn introduce(&self) {
        self.tell(environment::SET_SUPPORT_NO_GAME, true);
        self.set_options(tables());
    }

    fn set_options(&self, tables: &'static Tables) {
        let mut version: c_uint = 0;
        // SAFETY: this command writes an unsigned number.
        if !unsafe { self.ask(environment::GET_CORE_OPTIONS_VERSION, &raw mut version) } {
            version = 0;
        }
        if version >= 2 {
            let mut options = OptionsV2 { categories: null(), definitions: tables.v2.as_ptr() };
            // SAFETY: the table is static and ends with an option without a key. The answer says
            // only whether the front end has categories.
            unsafe { self.ask(environment::SET_CORE_OPTIONS_V2, &raw mut options) };
        } else if version == 1 {
            // SAFETY: as above.
            unsafe { self.ask(environment::SET_CORE_OPTIONS, tables.v1.as_ptr().cast_mut()) };
        } else {
            // SAFETY: as above.
            unsafe { self.ask(environment::SET_VARIABLES, tables.variables.as_ptr().cast_mut()) };
        }
    }

    /// When content is loaded: the buttons, where RAM is, and that a bot earns no achievements.
    pub(crate) fn describe(&self, ram: *mut c_void, ram_size: usize) {
        let button = |device, id, description| InputDescriptor { port: 0, device, index: 0, id, description };
        let mut buttons: Vec<_> = PAD.iter().map(|(id, _, text)| button(DEVICE_JOYPAD, *id, text.as_ptr())).collect();
        // All zero: some front ends look for more than the missing description.
        buttons.push(button(0, 0, null()));
        // SAFETY: the list ends with one without a description; its texts are static, and the front
        // end copies the rest.
        unsafe { self.ask(environment::SET_INPUT_DESCRIPTORS, buttons.as_mut_ptr()) };
        let memory = MemoryDescriptor {
            flags: MEMDESC_SYSTEM_RAM,
            ptr: ram,
            offset: 0,
            start: 0,
            select: 0,
            disconnect: 0,
            len: ram_size,
            addrspace: null(),
        };
        let mut map = MemoryMap { descriptors: &raw const memory, num_descriptors: 1 };
        // SAFETY: one memory, as the map says; the front end copies the map, and the memory is static.
        unsafe { self.ask(environment::SET_MEMORY_MAPS, &raw mut map) };
        self.tell(environment::SET_SUPPORT_ACHIEVEMENTS, false);
    }

    /// The best format that the front end takes.
    pub(crate) fn agree_on_format(&self) -> PixelFormat {
        let takes = |format: PixelFormat| {
            let mut number = format as c_uint;
            // SAFETY: this command takes a pointer to an enumeration of C, which is an int.
            unsafe { self.ask(environment::SET_PIXEL_FORMAT, &raw mut number) }
        };
        [PixelFormat::Xrgb8888, PixelFormat::Rgb565]
            .into_iter()
            .find(|&format| takes(format))
            .unwrap_or(PixelFormat::Rgb1555)
    }

    /// The value of an option.
    pub(crate) fn option(&self, key: &str) -> Option<String> {
        let key = CString::new(key).ok()?;
        let mut variable = Variable { key: key.as_ptr(), value: null() };
        // SAFETY: this command reads the key and writes the value.
        let is_known = unsafe { self.ask(environment::GET_VARIABLE, &raw mut variable) };
        if !is_known || variable.value.is_null() {
            return None;
        }
        // SAFETY: the front end's own text, which ends with a zero byte. It is copied at once.
        Some(unsafe { CStr::from_ptr(variable.value) }.to_string_lossy().into_owned())
    }

    /// Has an option changed since this was last asked?
    pub(crate) fn have_options_changed(&self) -> bool {
        let mut changed = 0_u8;
        // SAFETY: this command writes a bool, which is a byte.
        unsafe { self.ask(environment::GET_VARIABLE_UPDATE, &raw mut changed) && changed != 0 }
    }

    /// Shows a line of text, and logs it.
    pub(crate) fn say(&self, text: &str) {
        let Ok(line) = CString::new(format!("maxout: {}", text.replace('\0', " "))) else { return };
        self.log(&line);
        let mut message = Message { msg: line.as_ptr(), frames: MESSAGE_FRAMES };
        // SAFETY: this command takes a message, whose text the front end copies.
        unsafe { self.ask(environment::SET_MESSAGE, &raw mut message) };
    }

    fn log(&self, line: &CStr) {
        let mut callback = LogCallback { log: None };
        // SAFETY: this command writes the structure.
        if unsafe { self.ask(environment::GET_LOG_INTERFACE, &raw mut callback) }
            && let Some(log) = callback.log
            && let Ok(format) = CString::new(line.to_string_lossy().replace('%', "%%") + "\n")
        {
            // SAFETY: the function is like printf, and the format has no place for a value.
            unsafe { log(LOG_INFO, format.as_ptr()) };
        }
    }

    /// The buttons of gamepad 1. Directions that a gamepad cannot press together cancel each other.
    pub(crate) fn pad(&self) -> Buttons {
        if let Some(poll) = self.input_poll {
            // SAFETY: a function of the front end without arguments.
            unsafe { poll() };
        }
        let Some(state) = self.input_state else { return Buttons::NONE };
        let mut bits = 0;
        for (id, button, _) in PAD {
            // SAFETY: a function of the front end; port, device and button are those of the interface.
            if unsafe { state(0, DEVICE_JOYPAD, 0, id) } != 0 {
                bits |= button.bits();
            }
        }
        for both in [Buttons::LEFT | Buttons::RIGHT, Buttons::UP | Buttons::DOWN] {
            if Buttons::from_bits(bits).contains(both) {
                bits &= !both.bits();
            }
        }
        Buttons::from_bits(bits)
    }

    /// Shows a picture.
    pub(crate) fn show(&self, pixels: &Pixels) {
        let Some(video) = self.video else { return };
        let (bytes, pitch) = pixels.raw();
        // SAFETY: the picture has this many rows of `pitch` bytes; the front end does not keep the pointer.
        unsafe { video(bytes, Picture::WIDTH as c_uint, Picture::HEIGHT as c_uint, pitch) };
    }

    /// Plays samples: left and right in turn.
    pub(crate) fn play(&self, samples: &[[i16; 2]]) {
        if let Some(batch) = self.audio_batch {
            // SAFETY: as many pairs as the slice has; the front end does not keep the pointer.
            unsafe { batch(samples.as_ptr().cast(), samples.len()) };
        } else if let Some(sample) = self.audio_sample {
            for &[left, right] in samples {
                // SAFETY: a function of the front end that takes two numbers.
                unsafe { sample(left, right) };
            }
        }
    }
}

/// The options in the three forms of the interface.
struct Tables {
    v2: Vec<OptionV2>,
    v1: Vec<OptionV1>,
    variables: Vec<Variable>,
}

// SAFETY: all pointers in the tables are to texts that are never freed or changed.
unsafe impl Send for Tables {}
// SAFETY: the same.
unsafe impl Sync for Tables {}

/// The tables: front ends may keep pointers to them, so they are never freed.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let definitions = definitions();
        let end = Definition { key: "", name: "", info: "", values: Vec::new(), default: "" };
        let all = || definitions.iter().chain([&end]);
        Tables {
            v2: all().map(option_v2).collect(),
            v1: all().map(option_v1).collect(),
            variables: all().map(variable).collect(),
        }
    })
}

/// A text that is never freed; null for an empty one. No text of the options has a zero byte.
fn text(text: &str) -> *const c_char {
    match CString::new(text) {
        Ok(text) if !text.is_empty() => text.into_raw(),
        _ => null_mut(),
    }
}

fn values(option: &Definition) -> [OptionValue; MOST_VALUES] {
    let mut values = [OptionValue { value: null(), label: null() }; MOST_VALUES];
    for (place, (value, label)) in values[..MOST_VALUES - 1].iter_mut().zip(&option.values) {
        *place = OptionValue { value: text(value), label: text(label) };
    }
    values
}

fn option_v2(option: &Definition) -> OptionV2 {
    OptionV2 {
        key: text(option.key),
        desc: text(option.name),
        desc_categorized: null(),
        info: text(option.info),
        info_categorized: null(),
        category_key: null(),
        values: values(option),
        default_value: text(option.default),
    }
}

fn option_v1(option: &Definition) -> OptionV1 {
    OptionV1 {
        key: text(option.key),
        desc: text(option.name),
        info: text(option.info),
        values: values(option),
        default_value: text(option.default),
    }
}

/// `NAME; DEFAULT|OTHER|OTHER`
fn variable(option: &Definition) -> Variable {
    let others = option.values.iter().map(|(value, _)| value.as_str()).filter(|value| *value != option.default);
    let values: Vec<_> = [option.default].into_iter().chain(others).collect();
    let line = if option.key.is_empty() { String::new() } else { format!("{}; {}", option.name, values.join("|")) };
    Variable { key: text(option.key), value: text(&line) }
}
