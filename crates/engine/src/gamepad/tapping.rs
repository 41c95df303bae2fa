//! Press styles: which buttons may go down in which frames, at most at 30 Hz.

/// How the buttons are pressed.
///
/// Every style presses a button at most every second frame, and never opposite directions: a real
/// gamepad allows the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PressStyle {
    /// On even frames, counted from the first control frame, at most one of Left, Right, A and B;
    /// on odd frames nothing. On the plateau (levels 19-28) that is one press for every row that
    /// the piece falls. A piece that is in place may be pushed down.
    #[default]
    EvenFrames,
    /// A shift and a rotation may share a frame. Each may come every second frame, even or odd.
    /// Down is held for at least three frames: in the third it drops the piece, then in every
    /// second one. Nothing shifts while Down is held.
    Gamepad,
    /// Taps at a rate. In the frame of a tap one of Left and Right goes down, or one of A and B, or
    /// one of each; the next tap waits as long as the rate demands. A piece that is in place may be
    /// pushed down.
    Taps(TapRate),
}

impl PressStyle {
    /// All styles, tapping at 30 Hz.
    pub const ALL: [PressStyle; 3] = [PressStyle::EvenFrames, PressStyle::Gamepad, PressStyle::Taps(TapRate::FASTEST)];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            PressStyle::EvenFrames => "even-frames",
            PressStyle::Gamepad => "gamepad",
            PressStyle::Taps(_) => "taps",
        }
    }

    /// May a button go down in this frame, counted from the first control frame? The rest after a
    /// tap is not considered.
    pub const fn may_press(self, control_frame: u32) -> bool {
        match self {
            PressStyle::EvenFrames => control_frame.is_multiple_of(2),
            PressStyle::Gamepad | PressStyle::Taps(_) => true,
        }
    }
}

/// Taps a second, 1 to 30 Hz, as the field counts them: at 60 frames a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u64", into = "u8"))]
pub struct TapRate(u8);

impl TapRate {
    /// 30 Hz: every second frame. A button that goes down has to be up in the frame before.
    pub const FASTEST: TapRate = TapRate(30);

    /// A rate of `hz` taps a second; `None` outside 1 to 30.
    pub const fn from_hz(hz: u64) -> Option<TapRate> {
        if hz >= 1 && hz <= TapRate::FASTEST.0 as u64 { Some(TapRate(hz as u8)) } else { None }
    }

    /// Taps a second.
    pub const fn hz(self) -> u8 {
        self.0
    }

    /// Frames from one tap to the next, 2 to 60; never faster than the rate.
    pub const fn frames(self) -> u8 {
        60_u8.div_ceil(self.0)
    }
}

impl Default for TapRate {
    fn default() -> TapRate {
        TapRate::FASTEST
    }
}

/// A tap rate out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a tap rate is 1 to 30 Hz, not {0}")]
pub struct TapRateError(u64);

impl TryFrom<u64> for TapRate {
    type Error = TapRateError;

    fn try_from(hz: u64) -> Result<TapRate, TapRateError> {
        TapRate::from_hz(hz).ok_or(TapRateError(hz))
    }
}

impl From<TapRate> for u8 {
    fn from(rate: TapRate) -> u8 {
        rate.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_never_exceeded() {
        for (hz, frames) in [(30, 2), (20, 3), (15, 4), (13, 5), (12, 5), (10, 6), (1, 60)] {
            assert_eq!(TapRate::from_hz(hz).map(TapRate::frames), Some(frames), "{hz} Hz");
        }
        assert_eq!((TapRate::from_hz(0), TapRate::from_hz(31)), (None, None));
    }
}
