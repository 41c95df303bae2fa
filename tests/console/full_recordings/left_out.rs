//! The bytes with an entry in the RAM map that are not compared, and when.

use std::ops::RangeInclusive;

use maxout_engine::game::memory::address::{GAME_MODE, GAME_MODE_STATE, GENERAL_COUNTER, RENDER_MODE};
use maxout_engine::game::memory::{GameMode, GameModeState, RenderMode};
use maxout_engine::ram::Ram;

/// Upper bytes of the addresses of the original's sprite data.
const SPRITE_DATA: [u8; 2] = [0x8D, 0x94];

/// A frame of the recording: all conditions go by what the original held.
pub struct Moment {
    now: Box<Ram>,
    before: Box<Ram>,
    /// Is `$A8` the lower byte of an address that was in `$A8`, `$A9`?
    address_in_a8: bool,
}

impl Moment {
    pub fn at_power_on() -> Moment {
        Moment { now: Box::new([0; 0x800]), before: Box::new([0; 0x800]), address_in_a8: false }
    }

    pub fn go_on(&mut self, ram: &Ram) {
        std::mem::swap(&mut self.now, &mut self.before);
        *self.now = *ram;
        let changed = self.now[GENERAL_COUNTER] != self.before[GENERAL_COUNTER];
        self.address_in_a8 = self.holds_address() || (self.address_in_a8 && !changed);
    }

    fn holds_address(&self) -> bool {
        SPRITE_DATA.contains(&self.now[GENERAL_COUNTER + 1])
    }

    fn rendered(&self, mode: RenderMode) -> bool {
        self.now[RENDER_MODE] == mode.byte()
    }

    fn enters(&self, address: usize, value: u8) -> bool {
        self.now[address] == value && self.before[address] != value
    }
}

/// Bytes that are left out of the comparison under a condition.
pub struct LeftOut {
    pub addresses: RangeInclusive<usize>,
    when: fn(&Moment) -> bool,
    pub reason: &'static str,
}

impl LeftOut {
    pub fn leaves_out(&self, address: u16, moment: &Moment) -> bool {
        self.addresses.contains(&usize::from(address)) && (self.when)(moment)
    }
}

pub const LEFT_OUT: [LeftOut; 8] = [
    LeftOut {
        addresses: 0x00..=0x01,
        when: |_| true,
        reason: "always: addresses of the original's own code and data, and what its last routine left",
    },
    LeftOut {
        addresses: 0xA8..=0xA8,
        when: |moment| moment.address_in_a8,
        reason: "lower byte of an address of the original's sprite data, until it is overwritten",
    },
    LeftOut {
        addresses: 0xA9..=0xA9,
        when: Moment::holds_address,
        reason: "upper byte of that address: menu cursors, the next piece, PAUSE or an ending have been placed",
    },
    LeftOut {
        addresses: 0xA8..=0xA8,
        when: |moment| moment.rendered(RenderMode::NameEntry) || moment.rendered(RenderMode::Ending),
        reason: "name entry and ending: what drawing leaves there",
    },
    LeftOut {
        addresses: 0xA9..=0xA9,
        when: |moment| moment.enters(GAME_MODE_STATE, GameModeState::Leaving.byte()),
        reason: "the frame after a game: counter of the search for the score's place",
    },
    LeftOut {
        addresses: 0xAA..=0xAA,
        when: |moment| moment.enters(RENDER_MODE, RenderMode::NameEntry.byte()),
        reason: "the same frame where the score has a place: counter of the table's move",
    },
    LeftOut {
        addresses: 0xA9..=0xA9,
        when: |moment| moment.enters(GAME_MODE_STATE, GameModeState::PlayUpdate.byte()),
        reason: "the frame of B-type's success: 05, recorded once, not explained",
    },
    LeftOut {
        addresses: 0xCF..=0xCF,
        when: |moment| moment.now[GAME_MODE] == GameMode::Demo.byte() && !moment.rendered(RenderMode::Play),
        reason: "the four frames before the demo: read from scratch, because the pointer still leads into RAM",
    },
];
