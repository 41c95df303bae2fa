//! The buttons of consecutive frames.

use super::Buttons;

/// One [`Buttons`] for each frame. Entry 0 belongs to the frame after the plan was made; for a
/// piece that has just spawned that is its first control frame.
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

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there no frame?
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
