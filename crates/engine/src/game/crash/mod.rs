//! Slow frames and crashes: what happens when the game needs longer than a frame.
//!
//! The pass that scores a lock adds the points of the clear `level + 1` times. From level 133 on that pass
//! can be so long that the next interrupt comes before its end. The game then has one pass less: a *slow
//! frame*. From level 155 on the interrupt can come while the main program jumps through a pointer that
//! the interrupt overwrites: the game *crashes*. Or it comes while the sprites are being placed: the game
//! *hangs* until a counter or a button lets it go on.
//!
//! [`Lock`] has everything that the length of the pass depends on, [`Lock::cycles`] is the length, and
//! [`Verdict`] is what comes of it. [`PassEnd`] says where the interrupt finds the program.
//!
//! The lengths and the windows were worked out by the playing community and published with the practice
//! cartridge TetrisGYM; measurements on the original agree with them. About eight cycles depend on what
//! the model does not know (see [`PHASES`]), and emulators differ by a few more (see [`MARGIN`]).

mod ahead;
mod lock;
#[cfg(test)]
mod measured;
mod pass_end;
mod remedy;
mod scene;
mod verdict;

use crate::game::gravity::Ruleset;

pub use ahead::lines_to_danger;
pub use lock::{Lock, Music};
pub use pass_end::{FIRST_SLOW_LEVEL, PassEnd, Place};
pub use remedy::{PushdownRows, Remedy};
pub use scene::Scene;
pub use verdict::{Danger, FIRST_CRASH_LEVEL, FIRST_DANGEROUS_LEVEL, MARGIN, PHASES, Verdict};

/// Does the model have slow frames and crashes?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Crashes {
    /// Every pass ends before the next interrupt, as on the built-in cartridge.
    #[default]
    Off,
    /// As on the original.
    On,
}

impl Crashes {
    /// What a console with these rules has unless something else is asked: a cartridge with faster rules does
    /// not crash.
    pub const fn by_rules(rules: Ruleset) -> Crashes {
        if rules.is_original() { Crashes::On } else { Crashes::Off }
    }
}
