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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_button_is_down_after_the_end() {
        let timeline = InputTimeline::new(vec![Buttons::LEFT]);
        assert_eq!((timeline.get(0), timeline.get(1)), (Buttons::LEFT, Buttons::NONE));
    }
}
