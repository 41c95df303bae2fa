//! The plan of one piece, fed to the gamepad frame by frame and checked against RAM.

use super::desync::{self, Desync};
use super::plan_state::{read_plan, write_plan};
use crate::gamepad::Buttons;
use crate::planner::{PieceWrite, Plan};
use crate::ram::RamSnapshot;
use crate::state::{StateError, StateReader, StateWriter};

/// A plan under way.
#[derive(Debug)]
pub(super) struct Injector {
    plan: Plan,
    /// Frames of the timeline that have been played.
    played: usize,
    /// Control frames of the piece before the plan began.
    first_control_frame: u32,
}

impl Injector {
    /// Begins a plan whose first frame is this control frame of the piece.
    pub(super) fn new(plan: Plan, first_control_frame: u32) -> Injector {
        Injector { plan, played: 0, first_control_frame }
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Buttons for the next frame: the timeline's, then none.
    pub(super) fn next(&self) -> Buttons {
        self.plan.timeline.get(self.played)
    }

    /// What is written into RAM before the next frame; nothing in honest play.
    pub(super) fn next_write(&self) -> Option<PieceWrite> {
        self.plan.cheat.as_ref()?.writes.get(self.played).copied()
    }

    /// Number of the piece's next control frame.
    pub(super) fn control_frame(&self) -> u32 {
        self.first_control_frame + self.played as u32
    }

    /// Has the piece landed, as far as the plan goes?
    pub(super) fn is_done(&self) -> bool {
        self.played >= self.plan.promises.len()
    }

    /// Takes the sample of a frame that was played: does RAM show what was promised, and were
    /// the buttons seen?
    pub(super) fn check(&mut self, frame: u64, pressed: Buttons, snapshot: &RamSnapshot) -> Option<Desync> {
        let promise = *self.plan.promises.get(self.played)?;
        self.played += 1;
        desync::check(frame, pressed, &promise, snapshot)
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        write_plan(&self.plan, writer);
        writer.u32(self.played as u32);
        writer.u32(self.first_control_frame);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Injector, StateError> {
        let plan = read_plan(reader)?;
        let played = reader.u32()?;
        let first_control_frame = reader.count()?;
        // A plan is dropped once all its promises were checked.
        if played as usize >= plan.promises.len() {
            let frames = plan.promises.len();
            return Err(StateError::new("a plan under way", format!("{played} of its {frames} frames played")));
        }
        Ok(Injector { plan, played: played as usize, first_control_frame })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::menu::MenuScript;
    use crate::console::{Console, Simulated};
    use crate::game::control::SPAWN_X;
    use crate::game::{Orientation, Placement};
    use crate::gamepad::InputTimeline;
    use crate::planner::{Cheat, Falling};
    use crate::ram::{Decoder, Phase, RamMap};

    /// A game at its first piece, with a plan that shifts it, turns it and pushes it down.
    fn first_piece() -> (Simulated, Decoder, Plan) {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        let mut menus = MenuScript::new(9, 5);
        let mut console = Simulated::power_on();
        let mut buttons = Buttons::NONE;
        let snapshot = loop {
            console.step(buttons).expect("a frame");
            let snapshot = decoder.decode(console.ram()).expect("possible values");
            match snapshot.phase() {
                Phase::Menu(_) => buttons = menus.next(&snapshot),
                Phase::Falling => break snapshot,
                _ => buttons = Buttons::NONE,
            }
        };
        let position = snapshot.position().expect("a piece");
        let falling =
            Falling { piece: snapshot.falling_piece().expect("a piece"), held: Buttons::NONE, control_frame: 0 };
        let (left, turn, down) = (Buttons::LEFT, Buttons::A, Buttons::DOWN);
        let mut frames = vec![left, Buttons::NONE, left | turn, Buttons::NONE];
        frames.extend([down; 30]);
        let plan = Plan::of_timeline(&position, &falling, InputTimeline::new(frames), 1);
        assert!(plan.promises.len() > plan.timeline.len(), "the piece still falls when the timeline ends");
        assert_eq!(plan.placement.x, SPAWN_X - 2);
        (console, decoder, plan)
    }

    #[test]
    fn a_plan_is_pressed_frame_by_frame_until_the_piece_has_landed() {
        let (mut console, decoder, plan) = first_piece();
        let (timeline, last) = (plan.timeline.clone(), plan.promises.len());
        let mut injector = Injector::new(plan.clone(), 3);
        assert_eq!(injector.plan(), &plan);
        for frame in 0..last {
            assert!(!injector.is_done(), "frame {frame}");
            assert_eq!((injector.next(), injector.control_frame()), (timeline.get(frame), 3 + frame as u32));
            assert_eq!(injector.next_write(), None);
            let pressed = injector.next();
            console.step(pressed).expect("a frame");
            let snapshot = decoder.decode(console.ram()).expect("possible values");
            assert_eq!(injector.check(frame as u64, pressed, &snapshot), None);
        }
        assert!(injector.is_done());
        assert_eq!((injector.next(), injector.control_frame()), (Buttons::NONE, 3 + last as u32));
        // Frames after the landing are promised by nobody.
        let snapshot = decoder.decode(console.ram()).expect("possible values");
        assert_eq!(injector.check(0, Buttons::START, &snapshot), None);
    }

    #[test]
    fn a_frame_that_was_skipped_is_a_desync() {
        let (mut console, decoder, plan) = first_piece();
        let mut injector = Injector::new(plan, 0);
        let pressed = injector.next();
        console.step(Buttons::NONE).expect("a frame");
        let snapshot = decoder.decode(console.ram()).expect("possible values");
        let desync = injector.check(77, pressed, &snapshot).expect("the press was lost");
        assert_eq!(desync.frame, 77);
    }

    #[test]
    fn a_plan_under_way_is_saved_in_each_frame_but_not_after_the_last() {
        let (_, _, mut plan) = first_piece();
        let place = |x| Placement { orientation: Orientation::from_id(7).expect("an orientation"), x, y: -1 };
        let write = |x| crate::planner::PieceWrite { place: place(x), fall_timer: 255 };
        plan.cheat = Some(Cheat { writes: vec![write(3), write(4)], skips_clear: true });
        plan.next_placement = Some(place(6));
        let frames = plan.promises.len();
        let mut injector = Injector::new(plan, 11);
        for played in 0..=frames {
            injector.played = played;
            assert_eq!(injector.next_write(), [Some(write(3)), Some(write(4)), None][played.min(2)]);
            let mut writer = StateWriter::default();
            injector.save(&mut writer);
            let bytes = writer.into_bytes();
            let mut reader = StateReader::new(&bytes);
            let restored = Injector::restore(&mut reader);
            if played == frames {
                let error = restored.expect_err("no frame is left").to_string();
                assert!(error.contains(&format!("{frames} of its {frames} frames played")), "{error}");
                continue;
            }
            let restored = restored.expect("its own bytes");
            reader.end().expect("nothing is left");
            assert_eq!(restored.plan(), injector.plan());
            assert_eq!((restored.played, restored.first_control_frame), (played, 11));
        }
    }
}
