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
    /// Buttons of the frame before the next one: at first those at the sample of the plan.
    held: Buttons,
    /// Is the next box hidden at the last sample, as far as the plan's presses of Select say? `None` where RAM does
    /// not show it.
    is_next_hidden: Option<bool>,
}

impl Injector {
    /// Begins a plan whose first frame is this control frame of the piece. `held` are the buttons at the sample of the
    /// plan, and `is_next_hidden` says of the next box at that sample; `None` where RAM does not show it.
    pub(super) fn new(plan: Plan, first_control_frame: u32, held: Buttons, is_next_hidden: Option<bool>) -> Injector {
        Injector { plan, played: 0, first_control_frame, held, is_next_hidden }
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
        let planned = self.next();
        self.played += 1;
        let selects = planned.newly_pressed(self.held).contains(Buttons::SELECT);
        self.held = planned;
        self.is_next_hidden = self.is_next_hidden.map(|was| was != selects);
        let promised = match (self.is_next_hidden, self.plan.lock) {
            // The length of the scoring pass was told for this.
            (Some(_), Some(lock)) if self.is_done() => Some(lock.next_hidden),
            (promised, _) => promised,
        };
        desync::check(frame, pressed, &promise, snapshot).or_else(|| desync::check_next_box(frame, promised, snapshot))
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        write_plan(&self.plan, writer);
        writer.u32(self.played as u32);
        writer.u32(self.first_control_frame);
        writer.u8(self.held.bits());
        writer.option(self.is_next_hidden, StateWriter::bool);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Injector, StateError> {
        let plan = read_plan(reader)?;
        let played = reader.u32()?;
        let first_control_frame = reader.count()?;
        let held = Buttons::from_bits(reader.u8()?);
        let is_next_hidden = reader.option(StateReader::bool)?;
        // A plan is dropped once all its promises were checked.
        if played as usize >= plan.promises.len() {
            let frames = plan.promises.len();
            return Err(StateError::new("a plan under way", format!("{played} of its {frames} frames played")));
        }
        Ok(Injector { plan, played: played as usize, first_control_frame, held, is_next_hidden })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::menu::MenuScript;
    use crate::console::{Console, Simulated};
    use crate::game::control::SPAWN_X;
    use crate::game::{Orientation, Placement, Ruleset};
    use crate::gamepad::InputTimeline;
    use crate::planner::{Cheat, Dodge, Falling, PlannedLock};
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
        let plan = Plan::of_timeline(&position, &falling, InputTimeline::new(frames), 1, Ruleset::Original);
        assert!(plan.promises.len() > plan.timeline.len(), "the piece still falls when the timeline ends");
        assert_eq!(plan.placement.x, SPAWN_X - 2);
        (console, decoder, plan)
    }

    #[test]
    fn a_plan_is_pressed_frame_by_frame_until_the_piece_has_landed() {
        let (mut console, decoder, plan) = first_piece();
        let (timeline, last) = (plan.timeline.clone(), plan.promises.len());
        let mut injector = Injector::new(plan.clone(), 3, Buttons::NONE, None);
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
        let mut injector = Injector::new(plan, 0, Buttons::NONE, None);
        let pressed = injector.next();
        console.step(Buttons::NONE).expect("a frame");
        let snapshot = decoder.decode(console.ram()).expect("possible values");
        let desync = injector.check(77, pressed, &snapshot).expect("the press was lost");
        assert_eq!(desync.frame, 77);
    }

    /// Plays the first piece with Select down in the first frames; in how many frames the next box was a desync.
    /// `is_hidden`: what the plan says of the lock.
    fn desyncs_of_the_next_box(held: Buttons, selects: usize, is_hidden: bool) -> usize {
        let (mut console, decoder, mut plan) = first_piece();
        let mut frames = plan.timeline.frames().to_vec();
        frames[..selects].iter_mut().for_each(|buttons| *buttons |= Buttons::SELECT);
        plan.timeline = InputTimeline::new(frames);
        plan.lock = Some(PlannedLock { cycles: 0, next_hidden: is_hidden, dodge: Dodge::default() });
        let frames = plan.promises.len();
        let mut injector = Injector::new(plan, 0, held, Some(false));
        let checks = (0..frames).filter_map(|frame| {
            let pressed = injector.next();
            console.step(pressed).expect("a frame");
            injector.check(frame as u64, pressed, &decoder.decode(console.ram()).expect("possible values"))
        });
        checks.filter(|desync| desync.difference.contains("next box")).count()
    }

    #[test]
    fn the_next_box_is_promised_by_the_plan_and_not_by_ram() {
        assert_eq!(desyncs_of_the_next_box(Buttons::NONE, 0, false), 0);
        assert_eq!(desyncs_of_the_next_box(Buttons::NONE, 3, true), 0, "one press that is held");
        assert_eq!(desyncs_of_the_next_box(Buttons::NONE, 0, true), 1, "the lock is told wrong");
        assert_eq!(desyncs_of_the_next_box(Buttons::NONE, 3, false), 1, "the lock is told wrong");
        // The plan takes Select for held before, and so for no new press, but the game sees one.
        assert!(desyncs_of_the_next_box(Buttons::SELECT, 3, true) > 1);
    }

    #[test]
    fn a_plan_under_way_is_saved_in_each_frame_but_not_after_the_last() {
        let (_, _, mut plan) = first_piece();
        let place = |x| Placement { orientation: Orientation::from_id(7).expect("an orientation"), x, y: -1 };
        let write = |x| crate::planner::PieceWrite { place: place(x), fall_timer: 255 };
        plan.cheat = Some(Cheat { writes: vec![write(3), write(4)], skips_clear: true });
        plan.next_placement = Some(place(6));
        let frames = plan.promises.len();
        let mut injector = Injector::new(plan, 11, Buttons::SELECT, Some(true));
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
            assert_eq!((restored.held, restored.is_next_hidden), (Buttons::SELECT, Some(true)));
        }
    }
}
