//! The functions of the interface. Each one catches every panic: none crosses to the front end.

use std::any::Any;
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::slice;
use std::sync::{Mutex, TryLockError};

use crate::api::{
    API_VERSION, AudioBatchFn, AudioSampleFn, AvInfo, EnvironmentFn, GameInfo, InputPollFn, InputStateFn,
    MEMORY_SYSTEM_RAM, REGION_NTSC, SystemInfo, VideoFn,
};
use crate::core::{AV_INFO, Core};
use crate::ram;
use maxout_console::Rom;
use maxout_engine::ram::RAM_SIZE;

/// The interface has one core in a process, and names it in no call.
static CORE: Mutex<Core> = Mutex::new(Core::NEW);

/// Calls into the core. After a panic, and for a call from inside a call of the front end or from
/// another thread at the same time, this is `otherwise`.
fn with_core<T>(otherwise: T, work: impl FnOnce(&mut Core) -> T) -> T {
    let mut core = match CORE.try_lock() {
        Ok(core) => core,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return otherwise,
    };
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut core)));
    done.unwrap_or_else(|panic| {
        // What is dropped here may panic, too.
        let _ = catch_unwind(AssertUnwindSafe(|| core.fault(words(&*panic))));
        otherwise
    })
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

/// Takes the front end's most important function.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_environment(function: Option<EnvironmentFn>) {
    with_core((), |core| {
        core.front.environment = function;
        core.front.introduce();
    });
}

/// Takes the function that shows pictures.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_video_refresh(function: Option<VideoFn>) {
    with_core((), |core| core.front.video = function);
}

/// Takes the function that plays one sample.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample(function: Option<AudioSampleFn>) {
    with_core((), |core| core.front.audio_sample = function);
}

/// Takes the function that plays samples.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample_batch(function: Option<AudioBatchFn>) {
    with_core((), |core| core.front.audio_batch = function);
}

/// Takes the function that asks the gamepads.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_poll(function: Option<InputPollFn>) {
    with_core((), |core| core.front.input_poll = function);
}

/// Takes the function that says which buttons are down.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_state(function: Option<InputStateFn>) {
    with_core((), |core| core.front.input_state = function);
}

/// Nothing is to be done: what a game needs is made when it is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn retro_init() {}

/// Forgets everything.
#[unsafe(no_mangle)]
pub extern "C" fn retro_deinit() {
    with_core((), |core| {
        core.unload();
        *core = Core::NEW;
    });
}

/// The version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn retro_api_version() -> c_uint {
    API_VERSION
}

/// Says what the core is.
///
/// # Safety
/// `info` is null or points to the structure of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_info(info: *mut SystemInfo) {
    let Some(info) = NonNull::new(info) else { return };
    let found = SystemInfo {
        library_name: c"maxout".as_ptr(),
        library_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        valid_extensions: c"nes".as_ptr(),
        need_fullpath: false,
        block_extract: false,
    };
    // SAFETY: the caller's structure; what it held before needs no drop.
    unsafe { info.write(found) };
}

/// Says how large pictures are, and how often they come.
///
/// # Safety
/// `info` is null or points to the structure of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_av_info(info: *mut AvInfo) {
    if let Some(info) = NonNull::new(info) {
        // SAFETY: the caller's structure; what it held before needs no drop.
        unsafe { info.write(AV_INFO) };
    }
}

/// Nothing: only gamepads are read, and only the first.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_controller_port_device(_port: c_uint, _device: c_uint) {}

/// Resets the console.
#[unsafe(no_mangle)]
pub extern "C" fn retro_reset() {
    with_core((), Core::reset);
}

/// Plays a frame.
#[unsafe(no_mangle)]
pub extern "C" fn retro_run() {
    with_core((), Core::run);
}

/// Bytes of every state.
#[unsafe(no_mangle)]
pub extern "C" fn retro_serialize_size() -> usize {
    Core::state_size()
}

/// Saves the state.
///
/// # Safety
/// `data` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_serialize(data: *mut c_void, size: usize) -> bool {
    if data.is_null() || size > isize::MAX as usize {
        return false;
    }
    // SAFETY: the caller's bytes. They may hold anything: zeros make them readable as a slice.
    let into = unsafe {
        data.cast::<u8>().write_bytes(0, size);
        slice::from_raw_parts_mut(data.cast::<u8>(), size)
    };
    with_core(false, |core| core.serialize(into))
}

/// Restores a state.
///
/// # Safety
/// `data` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_unserialize(data: *const c_void, size: usize) -> bool {
    if data.is_null() || size > isize::MAX as usize {
        return false;
    }
    // SAFETY: the caller's bytes, which it has written.
    let from = unsafe { slice::from_raw_parts(data.cast::<u8>(), size) };
    with_core(false, |core| core.unserialize(from))
}

/// Nothing: there are no cheat codes.
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_reset() {}

/// Nothing: there are no cheat codes.
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_set(_index: c_uint, _is_on: u8, _code: *const c_char) {}

/// Loads a ROM, or without one the built-in cartridge.
///
/// # Safety
/// `info` is null or points to the structure of the interface, whose texts end with a zero byte and
/// whose data have their size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_load_game(info: *const GameInfo) -> bool {
    // SAFETY: the caller's structure, if there is one.
    let rom = || match unsafe { info.as_ref() } {
        None => Ok(Rom::cartridge()),
        // SAFETY: the same structure.
        Some(info) => unsafe { rom_of(info) },
    };
    with_core(false, |core| core.load(rom()))
}

/// # Safety
/// As [`retro_load_game`].
unsafe fn rom_of(info: &GameInfo) -> Result<Rom, String> {
    let path = NonNull::new(info.path.cast_mut()).map(|path| {
        // SAFETY: a text of the caller that ends with a zero byte.
        unsafe { CStr::from_ptr(path.as_ptr()) }.to_string_lossy()
    });
    let path = path.as_deref().map(Path::new);
    if info.data.is_null() {
        // A front end that leaves the file to the core, or has no content.
        return path
            .map_or_else(|| Ok(Rom::cartridge()), |path| Rom::from_file(path).map_err(|error| error.to_string()));
    }
    if info.size > MOST_CONTENT {
        return Err(format!("the content is longer than {MOST_CONTENT} bytes, and no NES ROM is"));
    }
    // SAFETY: the caller's bytes, as many as it says.
    let bytes = unsafe { slice::from_raw_parts(info.data.cast::<u8>(), info.size) };
    let name = path.and_then(Path::file_name).map_or("the content".into(), |name| name.to_string_lossy());
    Rom::from_bytes(&name, bytes.to_vec()).map_err(|error| error.to_string())
}

/// Bytes of content that are looked at. The largest ROM that an iNES header can promise is shorter.
const MOST_CONTENT: usize = 8 * 1024 * 1024;

/// No: there is only one kind of content.
#[unsafe(no_mangle)]
pub extern "C" fn retro_load_game_special(_kind: c_uint, _info: *const GameInfo, _number: usize) -> bool {
    false
}

/// Switches the console off.
#[unsafe(no_mangle)]
pub extern "C" fn retro_unload_game() {
    with_core((), Core::unload);
}

/// NTSC.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_region() -> c_uint {
    REGION_NTSC
}

/// Work RAM `$0000-$07FF`, at an address that never changes.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_data(id: c_uint) -> *mut c_void {
    if id == MEMORY_SYSTEM_RAM { ram::address() } else { null_mut() }
}

/// Its size.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_size(id: c_uint) -> usize {
    if id == MEMORY_SYSTEM_RAM { RAM_SIZE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static PIXEL: Mutex<Option<u16>> = Mutex::new(None);

    unsafe extern "C" fn environment(command: c_uint, data: *mut c_void) -> u8 {
        use crate::api::{Message, environment};
        if command == environment::SET_MESSAGE {
            // SAFETY: this command comes with a message, whose text ends with a zero byte.
            let text = unsafe { CStr::from_ptr((*data.cast::<Message>()).msg) };
            SAID.lock().expect("no panic").push(text.to_string_lossy().into_owned());
        }
        u8::from(command == environment::SET_MESSAGE)
    }

    unsafe extern "C" fn video(pixels: *const c_void, _: c_uint, _: c_uint, _: usize) {
        // SAFETY: a picture of two bytes a pixel, for this front end takes no other format.
        let pixels = unsafe { slice::from_raw_parts(pixels.cast::<u16>(), 256 * 240) };
        *PIXEL.lock().expect("no panic") = pixels.iter().copied().max();
    }

    fn brightest() -> u16 {
        retro_run();
        PIXEL.lock().expect("no panic").take().expect("a picture in every frame")
    }

    #[test]
    fn a_panic_becomes_a_message_and_a_reset_mends_it() {
        retro_set_environment(Some(environment));
        retro_set_video_refresh(Some(video));
        // SAFETY: no content.
        assert!(unsafe { retro_load_game(std::ptr::null()) });
        (0..60).for_each(|_| retro_run());
        assert!(brightest() > 0);
        let mut state = vec![0; retro_serialize_size()];
        // SAFETY: as many bytes as are said.
        let save = |state: &mut Vec<u8>| unsafe { retro_serialize(state.as_mut_ptr().cast(), state.len()) };
        assert!(save(&mut state));

        assert_eq!(with_core(7, |_| panic!("asked for {}", "here")), 7);
        let mut other = state.clone();
        assert!(!save(&mut other), "there is nothing to save");
        assert_eq!(brightest(), 0);
        assert_eq!(brightest(), 0);
        let said = std::mem::take(&mut *SAID.lock().expect("no panic"));
        assert_eq!(said, ["maxout: this is a fault of maxout: asked for here; reset, or load a state, to go on"]);
        retro_reset();
        (0..60).for_each(|_| retro_run());
        assert!(brightest() > 0);

        with_core((), |_| panic!("asked for"));
        // SAFETY: as many bytes as are said.
        assert!(unsafe { retro_unserialize(state.as_ptr().cast(), state.len()) });
        assert!(brightest() > 0);
        // A call from inside a call changes nothing, and does not wait.
        assert!(!with_core(true, |_| {
            retro_run();
            retro_reset();
            save(&mut other)
        }));
        retro_deinit();
    }
}
