//! A set of gamepad buttons in the byte layout that the game itself uses.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The buttons that are down in one frame, one bit each.
///
/// The layout is the game's own (`$F7`, `heldButtons`): A is bit 7, Right is bit 0.
///
/// ```
/// use maxout_engine::gamepad::Buttons;
///
/// let held = Buttons::LEFT | Buttons::A;
/// assert_eq!(held.bits(), 0x82);
/// assert_eq!(held.keys(), ".L.....A");
/// assert_eq!(held.newly_pressed(Buttons::LEFT), Buttons::A);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Buttons(u8);

impl Buttons {
    /// No button.
    pub const NONE: Buttons = Buttons(0);
    /// A: rotate clockwise.
    pub const A: Buttons = Buttons(0x80);
    /// B: rotate counter-clockwise.
    pub const B: Buttons = Buttons(0x40);
    /// Select: show or hide the next piece.
    pub const SELECT: Buttons = Buttons(0x20);
    /// Start: pause, and the next screen in menus.
    pub const START: Buttons = Buttons(0x10);
    /// Up.
    pub const UP: Buttons = Buttons(0x08);
    /// Down: pushdown.
    pub const DOWN: Buttons = Buttons(0x04);
    /// Left.
    pub const LEFT: Buttons = Buttons(0x02);
    /// Right.
    pub const RIGHT: Buttons = Buttons(0x01);
    /// The four directions.
    pub const DIRECTIONS: Buttons = Buttons(0x0F);

    /// The order of the letters in [`Buttons::keys`]: that of FM2 movies.
    const KEYS: [(char, Buttons); 8] = [
        ('R', Buttons::RIGHT),
        ('L', Buttons::LEFT),
        ('D', Buttons::DOWN),
        ('U', Buttons::UP),
        ('T', Buttons::START),
        ('S', Buttons::SELECT),
        ('B', Buttons::B),
        ('A', Buttons::A),
    ];

    /// The set with exactly these bits.
    pub const fn from_bits(bits: u8) -> Buttons {
        Buttons(bits)
    }

    /// The byte as the game stores it.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Is no button down?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Are all of `other`'s buttons down?
    pub const fn contains(self, other: Buttons) -> bool {
        self.0 & other.0 == other.0
    }

    /// Is at least one of `other`'s buttons down?
    pub const fn intersects(self, other: Buttons) -> bool {
        self.0 & other.0 != 0
    }

    /// Union; unlike `|` it works in constants.
    pub const fn with(self, other: Buttons) -> Buttons {
        Buttons(self.0 | other.0)
    }

    /// The buttons of `self` that were up in `before`: `newButtons` of the game (`$F5`).
    pub const fn newly_pressed(self, before: Buttons) -> Buttons {
        Buttons(self.0 & !before.0)
    }

    /// Eight characters in FM2's order `RLDUTSBA`; a dot for a button that is up.
    pub fn keys(self) -> String {
        Self::KEYS.iter().map(|&(letter, button)| if self.contains(button) { letter } else { '.' }).collect()
    }

    /// Reads FM2's eight characters `RLDUTSBA`: a dot or a space is up, anything else is down.
    ///
    /// # Errors
    /// [`ParseKeysError`] when there are not exactly eight characters.
    pub fn from_keys(text: &str) -> Result<Buttons, ParseKeysError> {
        if text.chars().count() != 8 {
            return Err(ParseKeysError { found: text.to_owned() });
        }
        let down = |letter: char| letter != '.' && letter != ' ';
        Ok(text
            .chars()
            .zip(Self::KEYS)
            .filter(|&(letter, _)| down(letter))
            .fold(Buttons::NONE, |set, (_, (_, button))| set | button))
    }
}

impl BitOr for Buttons {
    type Output = Buttons;
    fn bitor(self, other: Buttons) -> Buttons {
        self.with(other)
    }
}

impl BitOrAssign for Buttons {
    fn bitor_assign(&mut self, other: Buttons) {
        self.0 |= other.0;
    }
}

impl BitAnd for Buttons {
    type Output = Buttons;
    fn bitand(self, other: Buttons) -> Buttons {
        Buttons(self.0 & other.0)
    }
}

impl Not for Buttons {
    type Output = Buttons;
    fn not(self) -> Buttons {
        Buttons(!self.0)
    }
}

impl fmt::Debug for Buttons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buttons({})", self.keys())
    }
}

impl fmt::Display for Buttons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.keys())
    }
}

/// A gamepad text that is not eight characters long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected eight characters in the order RLDUTSBA, found {found:?}")]
pub struct ParseKeysError {
    found: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_its_text() {
        for bits in 0..=255 {
            let buttons = Buttons::from_bits(bits);
            assert_eq!(Buttons::from_keys(&buttons.keys()), Ok(buttons));
        }
    }

    #[test]
    fn a_text_of_another_length_is_refused() {
        assert!(Buttons::from_keys("R......").is_err());
        assert!(Buttons::from_keys("R........").is_err());
    }

    #[test]
    fn held_buttons_are_not_new() {
        let before = Buttons::LEFT | Buttons::DOWN;
        assert_eq!((Buttons::LEFT | Buttons::A).newly_pressed(before), Buttons::A);
    }
}
