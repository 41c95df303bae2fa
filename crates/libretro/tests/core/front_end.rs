//! A front end that is not RetroArch: it records what the core shows, and calls the core as C does.

#![allow(unsafe_code, reason = "the functions of the interface are C")]

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use maxout_engine::ram::{RAM_SIZE, Ram};
use maxout_libretro::api::*;
use maxout_libretro::entry::*;

/// What a front end knows and has been told.
#[derive(Debug, Default)]
pub struct FrontEnd {
    /// The form of options that it takes: 0, 1 or 2.
    pub options_version: c_uint,
    /// The pixel formats that it takes, as numbers.
    pub formats: Vec<c_uint>,
    /// What the person has set.
    pub options: HashMap<String, CString>,
    pub is_changed: bool,
    /// The buttons that are down, by libretro's numbers.
    pub pad: Vec<c_uint>,
    pub messages: Vec<String>,
    /// The options on offer: key, values, default.
    pub offered: Vec<(String, Vec<String>, String)>,
    pub runs_without_content: bool,
    pub may_earn_achievements: Option<bool>,
    pub format: Option<c_uint>,
    /// Address and length of what the memory map shows.
    pub memory: Option<(usize, usize)>,
    /// The last picture, and the bytes of its rows.
    pub picture: Vec<u8>,
    pub pitch: usize,
    pub pictures: usize,
    pub samples: Vec<i16>,
}

static FRONT_END: Mutex<Option<FrontEnd>> = Mutex::new(None);
/// The interface has one core in a process: tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// No other test calls the core until this is dropped.
pub fn take_turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<T>(work: impl FnOnce(&mut FrontEnd) -> T) -> T {
    let mut front_end = FRONT_END.lock().unwrap_or_else(PoisonError::into_inner);
    work(front_end.get_or_insert_default())
}

unsafe fn text(at: *const c_char) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: not null, so it is a text that ends with a zero byte, says the caller.
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

unsafe fn values(values: &[OptionValue]) -> Vec<String> {
    // SAFETY: the values before the empty one are texts.
    values.iter().take_while(|value| !value.value.is_null()).map(|value| unsafe { text(value.value) }).collect()
}

/// The list from here to its end.
unsafe fn list<'a, T>(mut at: *const T, is_end: impl Fn(&T) -> bool) -> Vec<&'a T> {
    let mut found = Vec::new();
    loop {
        // SAFETY: the list goes on until its end has been seen.
        let item = unsafe { &*at };
        if is_end(item) {
            return found;
        }
        found.push(item);
        // SAFETY: as above.
        at = unsafe { at.add(1) };
    }
}

unsafe extern "C" fn answer(command: c_uint, data: *mut c_void) -> u8 {
    // SAFETY: the data are what the interface says of each command: that is what is tested here.
    let is_known = with(|front_end| unsafe {
        match command {
            environment::SET_SUPPORT_NO_GAME => front_end.runs_without_content = *data.cast(),
            environment::SET_SUPPORT_ACHIEVEMENTS => front_end.may_earn_achievements = Some(*data.cast()),
            environment::SET_MESSAGE => front_end.messages.push(text((*data.cast::<Message>()).msg)),
            environment::SET_PIXEL_FORMAT => {
                let format = *data.cast::<c_uint>();
                if !front_end.formats.contains(&format) {
                    return false;
                }
                front_end.format = Some(format);
            }
            environment::GET_CORE_OPTIONS_VERSION if front_end.options_version > 0 => {
                *data.cast() = front_end.options_version;
            }
            environment::SET_CORE_OPTIONS_V2 if front_end.options_version == 2 => {
                let options = list((*data.cast::<OptionsV2>()).definitions, |option| option.key.is_null());
                let read = |option: &&OptionV2| (text(option.key), values(&option.values), text(option.default_value));
                front_end.offered = options.iter().map(read).collect();
            }
            environment::SET_CORE_OPTIONS if front_end.options_version == 1 => {
                let options = list(data.cast::<OptionV1>(), |option| option.key.is_null());
                let read = |option: &&OptionV1| (text(option.key), values(&option.values), text(option.default_value));
                front_end.offered = options.iter().map(read).collect();
            }
            environment::SET_VARIABLES if front_end.options_version == 0 => {
                let read = |option: &&Variable| {
                    let line = text(option.value);
                    let (_, values) = line.split_once("; ").expect("a name and values");
                    let values: Vec<String> = values.split('|').map(str::to_owned).collect();
                    let default = values[0].clone();
                    (text(option.key), values, default)
                };
                front_end.offered =
                    list(data.cast::<Variable>(), |option| option.key.is_null()).iter().map(read).collect();
            }
            environment::GET_VARIABLE => {
                let variable = &mut *data.cast::<Variable>();
                let Some(value) = front_end.options.get(&text(variable.key)) else { return false };
                variable.value = value.as_ptr();
            }
            environment::GET_VARIABLE_UPDATE => {
                // Any byte but 0 is true.
                *data.cast::<u8>() = if std::mem::take(&mut front_end.is_changed) { 2 } else { 0 };
            }
            environment::SET_MEMORY_MAPS => {
                let map = &*data.cast::<MemoryMap>();
                assert_eq!(map.num_descriptors, 1);
                front_end.memory = Some(((*map.descriptors).ptr as usize, (*map.descriptors).len));
            }
            environment::SET_INPUT_DESCRIPTORS => {
                let is_zero = |button: &InputDescriptor| button.description.is_null() && button.device == 0;
                assert_eq!(list(data.cast::<InputDescriptor>(), is_zero).len(), 8);
            }
            _ => return false,
        }
        true
    });
    u8::from(is_known)
}

unsafe extern "C" fn show(pixels: *const c_void, width: c_uint, height: c_uint, pitch: usize) {
    assert_eq!((width, height), (256, 240));
    // SAFETY: a picture of this height.
    let bytes = unsafe { std::slice::from_raw_parts(pixels.cast::<u8>(), height as usize * pitch) };
    with(|front_end| {
        front_end.picture.clear();
        front_end.picture.extend_from_slice(bytes);
        front_end.pitch = pitch;
        front_end.pictures += 1;
    });
}

unsafe extern "C" fn play(samples: *const i16, frames: usize) -> usize {
    // SAFETY: pairs of samples.
    let samples = unsafe { std::slice::from_raw_parts(samples, 2 * frames) };
    with(|front_end| front_end.samples.extend_from_slice(samples));
    frames
}

unsafe extern "C" fn poll() {}

unsafe extern "C" fn is_down(port: c_uint, device: c_uint, _index: c_uint, id: c_uint) -> i16 {
    with(|front_end| i16::from(port == 0 && device == DEVICE_JOYPAD && front_end.pad.contains(&id)))
}

/// The core in this front end, until it is dropped.
pub struct Session {
    _turn: MutexGuard<'static, ()>,
}

impl Session {
    /// Opens the core in a front end that can do everything.
    pub fn open(options: &[(&str, &str)]) -> Session {
        let front_end = FrontEnd { options_version: 2, formats: vec![0, 1, 2], ..FrontEnd::default() };
        Session::open_in(front_end, options)
    }

    /// Opens the core in this front end.
    pub fn open_in(front_end: FrontEnd, options: &[(&str, &str)]) -> Session {
        let turn = take_turn();
        with(|old| *old = front_end);
        let session = Session { _turn: turn };
        session.set(options);
        retro_set_environment(Some(answer));
        retro_init();
        retro_set_video_refresh(Some(show));
        retro_set_audio_sample_batch(Some(play));
        retro_set_input_poll(Some(poll));
        retro_set_input_state(Some(is_down));
        session
    }

    /// Opens the core and loads the cartridge.
    pub fn of_the_cartridge(options: &[(&str, &str)]) -> Session {
        let session = Session::open(options);
        assert!(session.load_nothing(), "{:?}", session.messages());
        session
    }

    /// The cartridge 450 frames after power-on: el-tetris in the game of seed 13, whose menus are short.
    pub fn in_the_game(options: &[(&str, &str)]) -> Session {
        static STATE: OnceLock<Vec<u8>> = OnceLock::new();
        const GAME: [(&str, &str); 2] = [("player", "el-tetris"), ("seed", "13")];
        let state = STATE.get_or_init(|| {
            let session = Session::of_the_cartridge(&GAME);
            session.run(450);
            session.save()
        });
        let session = Session::of_the_cartridge(&[&GAME, options].concat());
        assert!(session.restore(state), "{:?}", session.messages());
        session
    }

    pub fn load_nothing(&self) -> bool {
        // SAFETY: null is no content.
        unsafe { retro_load_game(null()) }
    }

    pub fn load(&self, path: &str, bytes: &[u8]) -> bool {
        let path = CString::new(path).expect("no zero byte");
        let info = GameInfo { path: path.as_ptr(), data: bytes.as_ptr().cast(), size: bytes.len(), meta: null() };
        // SAFETY: path and bytes live until the end of this call.
        unsafe { retro_load_game(&raw const info) }
    }

    pub fn load_path(&self, path: &str) -> bool {
        let path = CString::new(path).expect("no zero byte");
        let info = GameInfo { path: path.as_ptr(), data: null(), size: 0, meta: null() };
        // SAFETY: path and bytes live until the end of this call.
        unsafe { retro_load_game(&raw const info) }
    }

    /// Changes options, as a person does in the menu.
    pub fn set(&self, options: &[(&str, &str)]) {
        with(|front_end| {
            for (key, value) in options {
                let value = CString::new(*value).expect("no zero byte");
                front_end.options.insert(format!("maxout_{key}"), value);
            }
            front_end.is_changed = true;
        });
    }

    pub fn press(&self, pad: &[c_uint]) {
        with(|front_end| front_end.pad = pad.to_vec());
    }

    pub fn run(&self, frames: usize) {
        let before = with(|front_end| front_end.pictures);
        (0..frames).for_each(|_| retro_run());
        assert_eq!(with(|front_end| front_end.pictures), before + frames, "a picture in every frame");
    }

    /// RAM as the front end sees it.
    pub fn ram(&self) -> Ram {
        let at = retro_get_memory_data(MEMORY_SYSTEM_RAM).cast::<u8>();
        assert_eq!(retro_get_memory_size(MEMORY_SYSTEM_RAM), RAM_SIZE);
        let mut ram = [0; RAM_SIZE];
        // SAFETY: so many bytes are there, says the core, and it does not run now.
        unsafe { at.copy_to_nonoverlapping(ram.as_mut_ptr(), RAM_SIZE) };
        ram
    }

    /// Writes RAM, as the front end's cheats do.
    pub fn cheat(&self, address: usize, value: u8) {
        assert!(address < RAM_SIZE);
        // SAFETY: inside of RAM, and the core does not run now.
        unsafe { retro_get_memory_data(MEMORY_SYSTEM_RAM).cast::<u8>().add(address).write(value) };
    }

    pub fn save(&self) -> Vec<u8> {
        let mut state = vec![0xAA; retro_serialize_size()];
        // SAFETY: as many bytes as are said.
        let is_saved = unsafe { retro_serialize(state.as_mut_ptr().cast(), state.len()) };
        assert!(is_saved, "{:?}", self.messages());
        state
    }

    pub fn save_into(&self, bytes: usize) -> bool {
        let mut state = vec![0; bytes];
        // SAFETY: as many bytes as are said, and null.
        unsafe { retro_serialize(state.as_mut_ptr().cast(), bytes) && !retro_serialize(null_mut(), bytes) }
    }

    pub fn restore(&self, state: &[u8]) -> bool {
        // SAFETY: as many bytes as are said.
        unsafe { retro_unserialize(state.as_ptr().cast(), state.len()) }
    }

    /// What the core has said since this was last asked.
    pub fn messages(&self) -> Vec<String> {
        with(|front_end| std::mem::take(&mut front_end.messages))
    }

    /// What the front end has recorded.
    pub fn look<T>(&self, look: impl FnOnce(&mut FrontEnd) -> T) -> T {
        with(look)
    }
}

/// What the core says of itself: its structures, and the three texts in the first one.
pub fn infos() -> (SystemInfo, [String; 3], AvInfo) {
    let (mut info, mut av) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the core fills the structures, and does nothing with null.
    let (info, av): (SystemInfo, AvInfo) = unsafe {
        retro_get_system_info(null_mut());
        retro_get_system_av_info(null_mut());
        retro_get_system_info(info.as_mut_ptr());
        retro_get_system_av_info(av.as_mut_ptr());
        (info.assume_init(), av.assume_init())
    };
    // SAFETY: texts of the core.
    let texts = [info.library_name, info.library_version, info.valid_extensions].map(|at| unsafe { text(at) });
    (info, texts, av)
}

impl Drop for Session {
    fn drop(&mut self) {
        retro_unload_game();
        retro_deinit();
    }
}
