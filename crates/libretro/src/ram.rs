//! The console's RAM where a front end can see it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU8, Ordering};

use maxout_engine::ram::{RAM_SIZE, Ram};

/// A copy of work RAM at an address that never changes. The front end may read and write it between
/// calls.
static RAM: [AtomicU8; RAM_SIZE] = [const { AtomicU8::new(0) }; RAM_SIZE];

/// The first byte.
pub(crate) fn address() -> *mut c_void {
    RAM.as_ptr().cast_mut().cast()
}

/// Shows RAM as it is after a frame.
pub(crate) fn show(ram: &Ram) {
    for (shown, byte) in RAM.iter().zip(ram) {
        shown.store(*byte, Ordering::Relaxed);
    }
}

/// What the front end has written since this RAM was shown.
pub(crate) fn written(ram: &Ram) -> Vec<(u16, u8)> {
    let changed = |(address, (shown, byte)): (u16, (&AtomicU8, &u8))| {
        let shown = shown.load(Ordering::Relaxed);
        (shown != *byte).then_some((address, shown))
    };
    (0..).zip(RAM.iter().zip(ram)).filter_map(changed).collect()
}
