//! Numbers and structures of `libretro.h`, counted by hand from its declarations: the front end of these
//! tests has the core's own types, and would not see that they are wrong.

use std::ffi::c_uint;
use std::mem::{offset_of, size_of};

use maxout_libretro::api::*;

#[test]
fn numbers_are_those_of_the_interface() {
    use environment::*;
    let commands = [
        (SET_MESSAGE, 6),
        (SET_PIXEL_FORMAT, 10),
        (SET_INPUT_DESCRIPTORS, 11),
        (GET_VARIABLE, 15),
        (SET_VARIABLES, 16),
        (GET_VARIABLE_UPDATE, 17),
        (SET_SUPPORT_NO_GAME, 18),
        (GET_LOG_INTERFACE, 27),
        (SET_MEMORY_MAPS, 0x10024),
        (SET_SUPPORT_ACHIEVEMENTS, 0x1002A),
        (GET_CORE_OPTIONS_VERSION, 52),
        (SET_CORE_OPTIONS, 53),
        (SET_CORE_OPTIONS_V2, 67),
    ];
    commands.iter().for_each(|(found, expected)| assert_eq!(found, expected));
    let buttons =
        [joypad::B, joypad::SELECT, joypad::START, joypad::UP, joypad::DOWN, joypad::LEFT, joypad::RIGHT, joypad::A];
    assert_eq!(buttons, [0, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((API_VERSION, DEVICE_JOYPAD, MEMORY_SYSTEM_RAM, REGION_NTSC, LOG_INFO), (1, 1, 2, 0, 1));
    assert_eq!((MEMDESC_SYSTEM_RAM, MOST_VALUES), (4, 128));
    let formats = [PixelFormat::Rgb1555, PixelFormat::Xrgb8888, PixelFormat::Rgb565];
    assert_eq!(formats.map(|format| format as c_uint), [0, 1, 2]);
}

/// Sizes and offsets where pointers and `size_t` have 8 bytes, which all are aligned to 8.
#[test]
#[cfg(target_pointer_width = "64")]
fn structures_are_those_of_the_interface() {
    assert_eq!(size_of::<SystemInfo>(), 32);
    assert_eq!([offset_of!(SystemInfo, need_fullpath), offset_of!(SystemInfo, block_extract)], [24, 25]);
    assert_eq!(size_of::<AvInfo>(), 40);
    assert_eq!([offset_of!(AvInfo, max_width), offset_of!(AvInfo, aspect_ratio)], [8, 16]);
    assert_eq!([offset_of!(AvInfo, fps), offset_of!(AvInfo, sample_rate)], [24, 32]);
    assert_eq!(size_of::<GameInfo>(), 32);
    assert_eq!([offset_of!(GameInfo, data), offset_of!(GameInfo, size), offset_of!(GameInfo, meta)], [8, 16, 24]);
    assert_eq!((size_of::<Message>(), offset_of!(Message, frames)), (16, 8));
    assert_eq!((size_of::<Variable>(), offset_of!(Variable, value)), (16, 8));
    assert_eq!((size_of::<InputDescriptor>(), offset_of!(InputDescriptor, description)), (24, 16));
    assert_eq!([offset_of!(InputDescriptor, device), offset_of!(InputDescriptor, id)], [4, 12]);
    assert_eq!(size_of::<LogCallback>(), 8);
    assert_eq!(size_of::<MemoryDescriptor>(), 64);
    assert_eq!([offset_of!(MemoryDescriptor, ptr), offset_of!(MemoryDescriptor, offset)], [8, 16]);
    assert_eq!([offset_of!(MemoryDescriptor, start), offset_of!(MemoryDescriptor, select)], [24, 32]);
    assert_eq!([offset_of!(MemoryDescriptor, disconnect), offset_of!(MemoryDescriptor, len)], [40, 48]);
    assert_eq!(offset_of!(MemoryDescriptor, addrspace), 56);
    assert_eq!((size_of::<MemoryMap>(), offset_of!(MemoryMap, num_descriptors)), (16, 8));
    assert_eq!((size_of::<OptionValue>(), offset_of!(OptionValue, label)), (16, 8));
    // Three texts, 128 values, a text.
    assert_eq!((size_of::<OptionV1>(), offset_of!(OptionV1, values)), (2080, 24));
    assert_eq!(offset_of!(OptionV1, default_value), 2072);
    // Six texts, 128 values, a text.
    assert_eq!((size_of::<OptionV2>(), offset_of!(OptionV2, values)), (2104, 48));
    assert_eq!([offset_of!(OptionV2, info), offset_of!(OptionV2, category_key)], [24, 40]);
    assert_eq!(offset_of!(OptionV2, default_value), 2096);
    assert_eq!((size_of::<CategoryV2>(), offset_of!(CategoryV2, info)), (24, 16));
    assert_eq!((size_of::<OptionsV2>(), offset_of!(OptionsV2, definitions)), (16, 8));
}
