//! A game that does not go on: what stood still, and for how long.

use std::fmt;

use crate::ram::ImpossibleValue;
use crate::text::thousands;

/// Why a run was ended as stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stuck {
    /// The last frame, from 0 at power-on.
    pub frame: u64,
    /// What does not go on.
    pub cause: Cause,
}

/// What does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Cause {
    /// The processor has met an opcode that stops it.
    Processor,
    /// The processor's stack pointer is outside of the game's range.
    Stack {
        /// The pointer's byte: the stack is at `$0100-$01FF`.
        pointer: u8,
    },
    /// The frame counter has kept its value for this many frames.
    FrameCounter {
        /// Frames.
        frames: u64,
    },
    /// No game has begun in this many frames.
    NoGame {
        /// Frames.
        frames: u64,
    },
    /// No piece has locked for this many frames of a game.
    NoLock {
        /// Frames.
        frames: u64,
    },
    /// The game crashed in the frame that scores a lock: that frame takes too long.
    Crash {
        /// The level after the lock.
        level: u8,
        /// Lines after the lock.
        lines: u16,
        /// T, the length of the frame's work: see [`crash`](crate::game::crash).
        cycles: u32,
    },
    /// The game went back to the menus without a topout.
    LeftGame,
    /// In the middle of a game RAM holds a value that the game never writes there.
    Ram {
        /// Address of the byte.
        address: u16,
        /// Name of its entry in the map.
        name: &'static str,
        /// The byte.
        found: u8,
        /// The possible values.
        expected: &'static str,
    },
}

impl Stuck {
    /// The game stopped with this value in its RAM.
    pub fn with_value(frame: u64, value: &ImpossibleValue) -> Stuck {
        let &ImpossibleValue { address, name, found, expected } = value;
        Stuck { frame, cause: Cause::Ram { address, name, found, expected } }
    }

    /// The cause in at most 31 letters.
    pub fn short(&self) -> String {
        match self.cause {
            Cause::Processor => "processor stopped".to_owned(),
            Cause::Stack { pointer } => format!("stack pointer ${pointer:02X}"),
            Cause::FrameCounter { frames } => format!("counter still for {} frames", thousands(frames)),
            Cause::NoGame { frames } => format!("no game in {} frames", thousands(frames)),
            Cause::NoLock { frames } => format!("no lock for {} frames", thousands(frames)),
            Cause::Crash { level, cycles, .. } => format!("crash: level {level}, T {}", thousands(cycles.into())),
            Cause::LeftGame => "menus without a topout".to_owned(),
            Cause::Ram { address, found, .. } => format!("${address:04X} holds ${found:02X}"),
        }
    }
}

impl fmt::Display for Stuck {
    /// One line: what stood still, for how long, up to which frame.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = thousands(self.frame);
        match self.cause {
            Cause::Processor => {
                write!(f, "the processor stopped at an illegal opcode by frame {frame}: the program has crashed")
            }
            Cause::Stack { pointer } => {
                let stack = "the game's stack stays above $0180: the program has crashed";
                write!(f, "the stack pointer is ${:04X} in frame {frame}, and {stack}", 0x0100 + u16::from(pointer))
            }
            Cause::FrameCounter { frames } => {
                let frames = thousands(frames);
                write!(f, "the frame counter stood still for {frames} frames, up to frame {frame}: the program hangs")
            }
            Cause::NoGame { frames } => {
                let frames = thousands(frames);
                write!(f, "no game has begun in {frames} frames, up to frame {frame}: is this a ROM of the game?")
            }
            Cause::NoLock { frames } => {
                let frames = thousands(frames);
                write!(f, "no piece has locked for {frames} frames, up to frame {frame}: the game hangs")
            }
            Cause::Crash { level, lines, cycles } => {
                let (lines, cycles) = (thousands(lines.into()), thousands(cycles.into()));
                write!(
                    f,
                    "the game crashed at level {level}, {lines} lines: T was {cycles} cycles; seen in frame {frame}"
                )
            }
            Cause::LeftGame => write!(f, "the game went back to its menus in frame {frame} without a topout"),
            Cause::Ram { address, name, found, expected } => {
                let value = ImpossibleValue { address, name, found, expected };
                write!(f, "{value}, in frame {frame}: the program has crashed")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_words_of_at_most_31_letters() {
        let value = ImpossibleValue { address: 0x62, name: "currentPiece", found: 0x20, expected: "0 to 19" };
        assert_eq!(Stuck::with_value(7, &value).short(), "$0062 holds $20");
        for (cause, words) in [
            (Cause::Processor, "processor stopped"),
            (Cause::Stack { pointer: 0x0F }, "stack pointer $0F"),
            (Cause::FrameCounter { frames: 120 }, "counter still for 120 frames"),
            (Cause::NoGame { frames: 123_456 }, "no game in 123,456 frames"),
            (Cause::NoLock { frames: 1_234_567 }, "no lock for 1,234,567 frames"),
            (Cause::Crash { level: 158, lines: 1_520, cycles: 29_597 }, "crash: level 158, T 29,597"),
            (Cause::LeftGame, "menus without a topout"),
        ] {
            let short = Stuck { frame: 7, cause }.short();
            assert!(short == words && short.len() <= 31, "{short}");
        }
    }
}
