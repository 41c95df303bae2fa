//! The part of the libretro interface that this core uses, version 1: constants and structures of
//! `libretro.h`, under names in the style of Rust.

use std::ffi::{c_char, c_uint, c_void};

/// `RETRO_API_VERSION`
pub const API_VERSION: c_uint = 1;

/// `RETRO_ENVIRONMENT_...`: what a core asks of its front end, with the structure that goes with it.
pub mod environment {
    use std::ffi::c_uint;

    /// Marks a call that the interface may still change.
    const EXPERIMENTAL: c_uint = 0x10000;

    /// [`Message`](super::Message): shows a line of text.
    pub const SET_MESSAGE: c_uint = 6;
    /// [`PixelFormat`](super::PixelFormat)
    pub const SET_PIXEL_FORMAT: c_uint = 10;
    /// [`InputDescriptor`](super::InputDescriptor)s, ended by one without a description.
    pub const SET_INPUT_DESCRIPTORS: c_uint = 11;
    /// [`Variable`](super::Variable): the value of an option.
    pub const GET_VARIABLE: c_uint = 15;
    /// [`Variable`](super::Variable)s, ended by one without a key: the options, for old front ends.
    pub const SET_VARIABLES: c_uint = 16;
    /// `bool`: has an option changed since it was last asked for?
    pub const GET_VARIABLE_UPDATE: c_uint = 17;
    /// `bool`: can the core run without content?
    pub const SET_SUPPORT_NO_GAME: c_uint = 18;
    /// [`LogCallback`](super::LogCallback)
    pub const GET_LOG_INTERFACE: c_uint = 27;
    /// [`MemoryMap`](super::MemoryMap)
    pub const SET_MEMORY_MAPS: c_uint = 36 | EXPERIMENTAL;
    /// `bool`: may the game earn achievements?
    pub const SET_SUPPORT_ACHIEVEMENTS: c_uint = 42 | EXPERIMENTAL;
    /// `unsigned`: which form of options the front end takes.
    pub const GET_CORE_OPTIONS_VERSION: c_uint = 52;
    /// [`OptionV1`](super::OptionV1)s, ended by one without a key.
    pub const SET_CORE_OPTIONS: c_uint = 53;
    /// [`OptionsV2`](super::OptionsV2)
    pub const SET_CORE_OPTIONS_V2: c_uint = 67;
}

/// `RETRO_DEVICE_JOYPAD`
pub const DEVICE_JOYPAD: c_uint = 1;

/// `RETRO_DEVICE_ID_JOYPAD_...`
pub mod joypad {
    use std::ffi::c_uint;

    /// The lower button of the right hand.
    pub const B: c_uint = 0;
    /// Select.
    pub const SELECT: c_uint = 2;
    /// Start.
    pub const START: c_uint = 3;
    /// Up.
    pub const UP: c_uint = 4;
    /// Down.
    pub const DOWN: c_uint = 5;
    /// Left.
    pub const LEFT: c_uint = 6;
    /// Right.
    pub const RIGHT: c_uint = 7;
    /// The right button of the right hand.
    pub const A: c_uint = 8;
}

/// `RETRO_MEMORY_SYSTEM_RAM`
pub const MEMORY_SYSTEM_RAM: c_uint = 2;
/// `RETRO_MEMDESC_SYSTEM_RAM`
pub const MEMDESC_SYSTEM_RAM: u64 = 1 << 2;
/// `RETRO_REGION_NTSC`
pub const REGION_NTSC: c_uint = 0;
/// `RETRO_LOG_INFO`
pub const LOG_INFO: c_uint = 1;
/// `RETRO_NUM_CORE_OPTION_VALUES_MAX`: values of an option, with the empty one that ends them.
pub const MOST_VALUES: usize = 128;

/// `retro_pixel_format`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum PixelFormat {
    /// 15 bits in 2 bytes; what a front end expects that has refused all others.
    Rgb1555 = 0,
    /// 24 bits in 4 bytes.
    Xrgb8888 = 1,
    /// 16 bits in 2 bytes.
    Rgb565 = 2,
}

/// `retro_environment_t`. Its answer is a `bool` of C, of which only 0 is false.
pub type EnvironmentFn = unsafe extern "C" fn(command: c_uint, data: *mut c_void) -> u8;
/// `retro_video_refresh_t`
pub type VideoFn = unsafe extern "C" fn(pixels: *const c_void, width: c_uint, height: c_uint, pitch: usize);
/// `retro_audio_sample_t`
pub type AudioSampleFn = unsafe extern "C" fn(left: i16, right: i16);
/// `retro_audio_sample_batch_t`
pub type AudioBatchFn = unsafe extern "C" fn(samples: *const i16, frames: usize) -> usize;
/// `retro_input_poll_t`
pub type InputPollFn = unsafe extern "C" fn();
/// `retro_input_state_t`
pub type InputStateFn = unsafe extern "C" fn(port: c_uint, device: c_uint, index: c_uint, id: c_uint) -> i16;
/// `retro_log_printf_t`
pub type LogFn = unsafe extern "C" fn(level: c_uint, format: *const c_char, ...);

/// `retro_system_info`
#[derive(Debug)]
#[repr(C)]
pub struct SystemInfo {
    /// Name of the core.
    pub library_name: *const c_char,
    /// Its version.
    pub library_version: *const c_char,
    /// Endings of files that it takes, with `|` between them.
    pub valid_extensions: *const c_char,
    /// Does it read the file by itself?
    pub need_fullpath: bool,
    /// Must archives stay packed?
    pub block_extract: bool,
}

/// `retro_system_av_info`, with the two structures in it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct AvInfo {
    /// Width of a picture in pixels.
    pub base_width: c_uint,
    /// Height of a picture in pixels.
    pub base_height: c_uint,
    /// The greatest width.
    pub max_width: c_uint,
    /// The greatest height.
    pub max_height: c_uint,
    /// Width by height of the picture on the screen.
    pub aspect_ratio: f32,
    /// Frames a second.
    pub fps: f64,
    /// Samples a second.
    pub sample_rate: f64,
}

/// `retro_game_info`
#[derive(Debug)]
#[repr(C)]
pub struct GameInfo {
    /// The file; may be null.
    pub path: *const c_char,
    /// Its bytes; may be null.
    pub data: *const c_void,
    /// How many.
    pub size: usize,
    /// Not used.
    pub meta: *const c_char,
}

/// `retro_message`
#[derive(Debug)]
#[repr(C)]
pub struct Message {
    /// The text.
    pub msg: *const c_char,
    /// Frames for which it is shown.
    pub frames: c_uint,
}

/// `retro_variable`
#[derive(Debug)]
#[repr(C)]
pub struct Variable {
    /// Key of an option.
    pub key: *const c_char,
    /// Its value.
    pub value: *const c_char,
}

/// `retro_input_descriptor`
#[derive(Debug)]
#[repr(C)]
pub struct InputDescriptor {
    /// Number of the gamepad.
    pub port: c_uint,
    /// Kind of gamepad.
    pub device: c_uint,
    /// 0 for buttons.
    pub index: c_uint,
    /// The button.
    pub id: c_uint,
    /// What it does.
    pub description: *const c_char,
}

/// `retro_log_callback`
#[derive(Debug)]
#[repr(C)]
pub struct LogCallback {
    /// Takes a line, like `printf`.
    pub log: Option<LogFn>,
}

/// `retro_memory_descriptor`
#[derive(Debug)]
#[repr(C)]
pub struct MemoryDescriptor {
    /// What it is.
    pub flags: u64,
    /// The bytes.
    pub ptr: *mut c_void,
    /// Where they begin after `ptr`.
    pub offset: usize,
    /// The address of the first one in the emulated console.
    pub start: usize,
    /// Bits of an address that select this memory; 0: derived from `len`.
    pub select: usize,
    /// Bits of an address that are not connected.
    pub disconnect: usize,
    /// How many bytes.
    pub len: usize,
    /// Name of the address space; may be null.
    pub addrspace: *const c_char,
}

/// `retro_memory_map`
#[derive(Debug)]
#[repr(C)]
pub struct MemoryMap {
    /// The memories.
    pub descriptors: *const MemoryDescriptor,
    /// How many.
    pub num_descriptors: c_uint,
}

/// `retro_core_option_value`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct OptionValue {
    /// The value; null after the last one.
    pub value: *const c_char,
    /// How it is shown; may be null.
    pub label: *const c_char,
}

/// `retro_core_option_definition`
#[derive(Debug)]
#[repr(C)]
pub struct OptionV1 {
    /// Its key.
    pub key: *const c_char,
    /// Its name.
    pub desc: *const c_char,
    /// What it does.
    pub info: *const c_char,
    /// Its values.
    pub values: [OptionValue; MOST_VALUES],
    /// The value that it has at first.
    pub default_value: *const c_char,
}

/// `retro_core_option_v2_definition`
#[derive(Debug)]
#[repr(C)]
pub struct OptionV2 {
    /// Its key.
    pub key: *const c_char,
    /// Its name.
    pub desc: *const c_char,
    /// Its name inside a category; may be null.
    pub desc_categorized: *const c_char,
    /// What it does.
    pub info: *const c_char,
    /// The same inside a category; may be null.
    pub info_categorized: *const c_char,
    /// Its category; may be null.
    pub category_key: *const c_char,
    /// Its values.
    pub values: [OptionValue; MOST_VALUES],
    /// The value that it has at first.
    pub default_value: *const c_char,
}

/// `retro_core_option_v2_category`
#[derive(Debug)]
#[repr(C)]
pub struct CategoryV2 {
    /// Its key.
    pub key: *const c_char,
    /// Its name.
    pub desc: *const c_char,
    /// What is in it.
    pub info: *const c_char,
}

/// `retro_core_options_v2`
#[derive(Debug)]
#[repr(C)]
pub struct OptionsV2 {
    /// The categories, ended by one without a key; may be null.
    pub categories: *const CategoryV2,
    /// The options, ended by one without a key.
    pub definitions: *const OptionV2,
}
