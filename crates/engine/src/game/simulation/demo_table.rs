//! The demo's table.
//!
//! It is our own cartridge's, because the original's is known only as far as recordings go.

/// The demo's table: from 0 on pairs of buttons and further frames, from `$200` on pieces, the number
/// of the piece in bits 4 to 6 of a byte. Buttons `$FF` end the demo.
pub type DemoTable = [u8; 0x300];

/// Where the table begins in ROM.
pub(super) const DEMO_ADDRESS: u16 = 0xDD00;
/// The table of the built-in cartridge: a copy of its bytes, compared with them by a test.
pub(super) static CARTRIDGE: DemoTable = *include_bytes!("demo-table.bin");
