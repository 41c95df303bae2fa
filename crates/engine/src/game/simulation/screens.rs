//! The main program up to its next wait: which task it goes on with, and how it changes screens.

use super::high_scores::PLACES;
use super::model::Simulation;
use super::task::{Screen, Task};
use crate::game::memory::RenderMode;
use crate::game::memory::address::{
    GAME_MODE_STATE, GENERAL_COUNTER, HIDE_NEXT, HIGH_SCORE_LEVELS, HIGH_SCORES, SCORE_SIZE,
};
use crate::game::scoring::bcd;

impl Simulation {
    /// Runs the main program up to its next wait.
    pub(super) fn resume(&mut self) {
        match self.task {
            Task::Play => self.gameplay_frame(),
            Task::HalfSpeed => self.finish_pass(),
            Task::Late { end, cycles } => self.finish_late(end, cycles),
            Task::Hanging(danger) => self.hanging_frame(danger),
            Task::Crashed { .. } => {}
            Task::Paused => self.paused_frame(),
            Task::PowerOn { frame } => self.boot(frame),
            Task::Enter(screen) => self.enter(screen),
            Task::Draw { screen, frame } => self.draw(screen, frame),
            Task::LegalSleep => self.legal_sleep(),
            Task::Menu(screen) => self.menu_frame(screen),
            Task::Garbage { row } => self.garbage_row(row),
            Task::Success { dark } => self.success(dark),
            Task::EndingSleep => self.ending_sleep(),
            Task::Ending { frames } => self.ending(frames),
            Task::Bonus { phase, left } => self.bonus(phase, left),
            Task::AfterName => self.leave_game(),
            Task::Leave => self.choose_level_menu(),
        }
    }

    /// What drawing a screen leaves in the scratch counters: the last number that was printed, and how
    /// far the high scores have come.
    fn print(&mut self, screen: Screen, frame: u8) {
        let first = self.first_place();
        match (screen, frame) {
            (Screen::Game, 1) => self.ram[GENERAL_COUNTER] = self.ram[HIGH_SCORES + SCORE_SIZE * (first + 1) - 1],
            (Screen::LevelMenu | Screen::NameEntry, 2) => {
                let level = self.ram[HIGH_SCORE_LEVELS + first + PLACES - 1];
                self.ram[GENERAL_COUNTER] = bcd(u32::from(level) % 100);
                self.ram[GENERAL_COUNTER + 1] = (first + PLACES) as u8;
            }
            _ => {}
        }
    }

    fn draw(&mut self, screen: Screen, frame: u8) {
        self.print(screen, frame);
        let first_look = screen.frames_to_first_look();
        if screen == Screen::Title && frame + 1 == first_look {
            self.finish_title();
        }
        if frame < first_look {
            self.task = Task::Draw { screen, frame: frame + 1 };
            return;
        }
        match screen {
            Screen::Legal => self.start_legal_sleep(),
            Screen::Game => self.start_game(),
            Screen::LevelMenu => self.open_level_menu(),
            Screen::NameEntry => self.open_name_entry(),
            Screen::Title | Screen::GameType => {}
        }
        if matches!(screen, Screen::Title | Screen::GameType | Screen::LevelMenu | Screen::NameEntry) {
            self.task = Task::Menu(screen);
            self.menu_frame(screen);
        }
    }

    fn menu_frame(&mut self, screen: Screen) {
        match screen {
            Screen::Legal => self.legal(),
            Screen::Title => self.title(),
            Screen::GameType => self.game_type(),
            Screen::LevelMenu => self.level_menu(),
            Screen::NameEntry => self.name_entry(),
            Screen::Game => unreachable!("a game is no menu"),
        }
    }

    /// Enters a screen in this frame.
    pub(super) fn enter(&mut self, screen: Screen) {
        match screen {
            Screen::Legal => self.set_render_mode(RenderMode::Still),
            Screen::Title => {
                self.set_render_mode(RenderMode::Still);
                self.ram[HIDE_NEXT] = 0;
            }
            Screen::GameType | Screen::LevelMenu => self.set_render_mode(RenderMode::Menu),
            Screen::NameEntry => self.set_render_mode(RenderMode::NameEntry),
            Screen::Game => {}
        }
        self.task = Task::Draw { screen, frame: 1 };
    }

    /// Changes screen through the main loop, which enters the new one at once unless the CPU's A
    /// register happens to equal `gameModeState` (`$A7`); then a frame passes first.
    pub(super) fn go_to(&mut self, screen: Screen, register: u8) {
        if register == self.ram[GAME_MODE_STATE] {
            self.task = Task::Enter(screen);
        } else {
            self.enter(screen);
        }
    }
}
