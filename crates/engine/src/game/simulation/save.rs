//! A simulation as bytes, and back.

use super::menus::BOOT_FRAMES;
use super::model::Simulation;
use super::scope;
use super::task::{Bonus, Screen, Task};
use crate::game::crash::{Crashes, Danger, PassEnd, Place};
use crate::game::gravity::Ruleset;
use crate::game::memory::RAM_SIZE;
use crate::game::playfield::ROWS;
use crate::state::{StateError, StateReader, StateWriter};

/// This bit of the byte with the kind of a task says that [`Ruleset::Ksx2`] is played. A state by the
/// rules of the original is the same as before there were others.
const KSX2: u8 = 0x80;
/// And this bit, that there are slow frames and crashes.
const CRASHES: u8 = 0x40;

impl Simulation {
    /// Writes everything that is needed to go on from here.
    pub fn save(&self, writer: &mut StateWriter) {
        writer.raw(&self.ram);
        let (kind, number) = self.task.numbers();
        let rules = if self.ruleset.is_original() { 0 } else { KSX2 };
        let crashes = if self.crashes == Crashes::On { CRASHES } else { 0 };
        writer.u8(kind | rules | crashes);
        writer.u16(number);
        writer.bool(self.polled);
        writer.bool(self.demo_over);
        let left = self.out_of_scope.map(|into| {
            scope::ALL.iter().position(|&known| known == into).expect("every reason out of scope is in the list") as u8
        });
        writer.option(left, StateWriter::u8);
    }

    /// Reads what [`Simulation::save`] wrote.
    ///
    /// # Errors
    /// When the bytes are not such a state.
    pub fn restore(reader: &mut StateReader<'_>) -> Result<Simulation, StateError> {
        let ram = reader.raw(RAM_SIZE)?.try_into().expect("as many as were asked for");
        let (kind_and_rules, number) = (reader.u8()?, reader.u16()?);
        let kind = kind_and_rules & !(KSX2 | CRASHES);
        let ruleset = if kind_and_rules & KSX2 == 0 { Ruleset::Original } else { Ruleset::Ksx2 };
        let crashes = if kind_and_rules & CRASHES == 0 { Crashes::Off } else { Crashes::On };
        let task = Task::of_numbers(kind, number)
            .ok_or_else(|| StateError::new("a task of the game", format!("{kind}, {number}")))?;
        let polled = reader.bool()?;
        let demo_over = reader.bool()?;
        let out_of_scope = reader.option(|reader| {
            let index = reader.u8()?;
            let known = scope::ALL.get(usize::from(index)).copied();
            known.ok_or_else(|| StateError::new("a part of the game that is not modelled", index.to_string()))
        })?;
        Ok(Simulation { ram, task, polled, out_of_scope, demo_over, ruleset, crashes, ..Simulation::power_on() })
    }
}

/// The first kind of a late pass: one for each of its ends.
const LATE: u8 = 23;
/// Dangers in the order of their numbers; 0 is none.
const DANGERS: [Danger; 3] = [Danger::Crash, Danger::HangUntilCounter, Danger::HangUntilButton];

fn danger_number(danger: Option<Danger>) -> u8 {
    danger.and_then(|danger| DANGERS.iter().position(|&known| known == danger)).map_or(0, |index| index as u8 + 1)
}

fn danger_of_number(number: u8) -> Option<Danger> {
    DANGERS.get(usize::from(number).checked_sub(1)?).copied()
}

fn end_number(end: PassEnd) -> u8 {
    end.place as u8 * 4 + danger_number(end.danger)
}

fn end_of_number(number: u8) -> Option<PassEnd> {
    let place = Place::ALL.get(usize::from(number / 4)).copied()?;
    Some(PassEnd { place, danger: danger_of_number(number % 4) })
}

impl Screen {
    const ALL: [Screen; 6] =
        [Screen::Legal, Screen::Title, Screen::GameType, Screen::LevelMenu, Screen::Game, Screen::NameEntry];

    fn number(self) -> u16 {
        Screen::ALL.iter().position(|&screen| screen == self).expect("every screen is in the list") as u16
    }

    fn of_number(number: u16) -> Option<Screen> {
        Screen::ALL.get(usize::from(number)).copied()
    }
}

impl Bonus {
    const ALL: [Bonus; 7] =
        [Bonus::Draw, Bonus::Show, Bonus::Total, Bonus::Level, Bonus::LevelCounted, Bonus::Height, Bonus::Counted];

    fn number(self) -> u8 {
        Bonus::ALL.iter().position(|&phase| phase == self).expect("every phase is in the list") as u8
    }

    fn of_number(number: u8) -> Option<Bonus> {
        Bonus::ALL.get(usize::from(number)).copied()
    }
}

impl Task {
    /// A number for the kind, and one for what it holds.
    fn numbers(self) -> (u8, u16) {
        match self {
            Task::PowerOn { frame } => (0, frame.into()),
            Task::Enter(screen) => (1, screen.number()),
            Task::Draw { screen, frame } => (2, screen.number() << 8 | u16::from(frame)),
            Task::LegalSleep => (3, 0),
            Task::Menu(screen) => (4, screen.number()),
            Task::Garbage { row } => (5, row.into()),
            Task::Play => (6, 0),
            Task::HalfSpeed => (7, 0),
            Task::Paused => (8, 0),
            Task::Success { dark } => (9, dark.into()),
            Task::EndingSleep => (10, 0),
            Task::Ending { frames } => (11, frames),
            Task::AfterName => (12, 0),
            Task::Leave => (13, 0),
            Task::Bonus { phase, left } => (14 + phase.number(), left),
            Task::Crashed { cycles } => (21, cycles),
            Task::Hanging(danger) => (22, danger_number(Some(danger)).into()),
            Task::Late { end, cycles } => (LATE + end_number(end), cycles),
        }
    }

    fn of_numbers(kind: u8, number: u16) -> Option<Task> {
        let byte = u8::try_from(number);
        let empty = |task| (number == 0).then_some(task);
        match kind {
            0 => byte.ok().filter(|&frame| frame <= BOOT_FRAMES).map(|frame| Task::PowerOn { frame }),
            1 => Screen::of_number(number).map(Task::Enter),
            2 => Screen::of_number(number >> 8)
                .filter(|screen| number as u8 <= screen.frames_to_first_look())
                .map(|screen| Task::Draw { screen, frame: number as u8 }),
            3 => empty(Task::LegalSleep),
            // A game is not a menu.
            4 => Screen::of_number(number).filter(|&screen| screen != Screen::Game).map(Task::Menu),
            5 => byte.ok().filter(|&row| usize::from(row) <= ROWS).map(|row| Task::Garbage { row }),
            6 => empty(Task::Play),
            7 => empty(Task::HalfSpeed),
            8 => empty(Task::Paused),
            9 => (number < 2).then_some(Task::Success { dark: number == 1 }),
            10 => empty(Task::EndingSleep),
            11 => Some(Task::Ending { frames: number }),
            12 => empty(Task::AfterName),
            13 => empty(Task::Leave),
            21 => Some(Task::Crashed { cycles: number }),
            22 => danger_of_number(byte.ok()?).filter(|&danger| danger != Danger::Crash).map(Task::Hanging),
            LATE.. => end_of_number(kind - LATE).map(|end| Task::Late { end, cycles: number }),
            14.. => Bonus::of_number(kind - 14)
                .filter(|&phase| number > 0 || phase != Bonus::Draw)
                .map(|phase| Task::Bonus { phase, left: number }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamepad::Buttons;

    fn saved(simulation: &Simulation) -> Vec<u8> {
        let mut writer = StateWriter::default();
        simulation.save(&mut writer);
        writer.into_bytes()
    }

    /// From power-on through every menu into a game, and on past the demo.
    #[test]
    fn a_restored_simulation_is_the_same_in_every_frame() {
        for (press, ruleset) in [Buttons::NONE, Buttons::START].into_iter().zip(Ruleset::ALL) {
            let mut simulation = Simulation::power_on();
            simulation.set_ruleset(ruleset);
            for frame in 0..2_000 {
                let bytes = saved(&simulation);
                let mut reader = StateReader::new(&bytes);
                assert_eq!(Simulation::restore(&mut reader), Ok(simulation.clone()), "frame {frame}");
                reader.end().expect("all is read");
                simulation.step(if frame % 3 == 0 { press } else { Buttons::NONE });
            }
        }
    }

    #[test]
    fn every_task_has_numbers_of_its_own() {
        let mut found = 0;
        for kind in 0..=u8::MAX {
            for number in 0..=u16::MAX {
                if let Some(task) = Task::of_numbers(kind, number) {
                    assert_eq!(task.numbers(), (kind, number));
                    assert!(kind < CRASHES, "the two highest bits of a kind are free for the rules");
                    found += 1;
                }
            }
        }
        assert!(found > 65_536, "endings alone have that many");
        let drawn = Task::Bonus { phase: Bonus::Draw, left: 0 };
        let (kind, number) = drawn.numbers();
        assert_eq!(Task::of_numbers(kind, number), None, "drawing counts down to 1");
        for (kind, number, what) in [(0, 8, "booting ends"), (2, 5, "a screen is drawn"), (5, 21, "there are 20 rows")]
        {
            assert_eq!(Task::of_numbers(kind, number), None, "{what}");
            assert!(Task::of_numbers(kind, number - 1).is_some(), "{what}");
        }
    }
}
