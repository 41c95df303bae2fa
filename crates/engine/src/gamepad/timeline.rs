//! The buttons of a stretch of consecutive frames.

use super::Buttons;

/// One [`Buttons`] for each frame, the first for the frame after the moment of planning.
///
/// For a falling piece, entry 0 belongs to the first control frame (the frame after spawn).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputTimeline(Vec<Buttons>);

impl InputTimeline {
    /// A timeline from its frames.
    pub fn new(frames: Vec<Buttons>) -> InputTimeline {
        InputTimeline(frames)
    }

    /// The buttons of frame `index`; none after the end.
    pub fn get(&self, index: usize) -> Buttons {
        self.0.get(index).copied().unwrap_or(Buttons::NONE)
    }

    /// How many frames are given.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is no frame given?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The frames in order.
    pub fn frames(&self) -> &[Buttons] {
        &self.0
    }

    /// How many buttons go down over the whole timeline, from all released.
    pub fn presses(&self) -> u32 {
        let mut before = Buttons::NONE;
        let mut count = 0;
        for &now in &self.0 {
            count += now.newly_pressed(before).bits().count_ones();
            before = now;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_button_is_one_press() {
        let timeline = InputTimeline::new(vec![Buttons::LEFT, Buttons::LEFT, Buttons::NONE, Buttons::LEFT]);
        assert_eq!(timeline.presses(), 2);
        assert_eq!(timeline.get(9), Buttons::NONE);
    }
}
