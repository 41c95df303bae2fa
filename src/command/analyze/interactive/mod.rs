//! `--interactive`: a game in the terminal, placement by placement, with the answer beside it.

mod game;
mod screen;

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use crossterm::cursor::MoveTo;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};

use self::game::{Command, Game};
use super::request::piece;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use maxout_engine::analysis::{Analyst, Question};
use maxout_screen::Screen;

/// How often it is looked whether a signal asks the program to end. Chosen by hand: no user notices a tenth of a second.
const SIGNALS: Duration = Duration::from_millis(100);

/// Plays until a key or a signal ends it.
pub(super) fn run(analyst: Analyst, question: Question) -> Result<(), Failure> {
    let mut game = Game::new(analyst, question, question.play_outs.seed);
    // A signal must not end the program before the terminal is given back.
    let stop = stop_on_interrupt();
    let _screen = Screen::take().context("--interactive needs a terminal").map_err(Failure::input)?;
    show(&game).map_err(Failure::run)?;
    while !stop.load(Ordering::Relaxed) {
        if !event::poll(SIGNALS).context("cannot wait for keys").map_err(Failure::run)? {
            continue;
        }
        let event = event::read().context("cannot read the keys").map_err(Failure::run)?;
        if let Some(command) = command(&event)
            && !game.obey(command)
        {
            return Ok(());
        }
        show(&game).map_err(Failure::run)?;
    }
    Ok(())
}

/// Draws the whole screen. Long names of placements are cut where the terminal ends.
fn show(game: &Game) -> io::Result<()> {
    let (width, height) = terminal::size()?;
    let mut out = io::stdout().lock();
    queue!(out, Clear(ClearType::All))?;
    for (row, line) in (0..height).zip(screen::lines_in(game, (width, height))) {
        let line: String = line.chars().take(width.into()).collect();
        queue!(out, MoveTo(0, row), Print(line))?;
    }
    out.flush()
}

/// What a key asks for.
fn command(event: &Event) -> Option<Command> {
    let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else { return None };
    if *kind == KeyEventKind::Release {
        return None;
    }
    if modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(code, KeyCode::Char('c' | 'C')).then_some(Command::Quit);
    }
    Some(match code {
        KeyCode::Left => Command::Left,
        KeyCode::Right => Command::Right,
        KeyCode::Down => Command::Deeper,
        KeyCode::Up | KeyCode::Char('a') => Command::Clockwise,
        KeyCode::Char('z') => Command::CounterClockwise,
        KeyCode::Enter | KeyCode::Char(' ') => Command::Play,
        KeyCode::Char('u') => Command::Undo,
        KeyCode::Char('h') => Command::Best,
        KeyCode::Char('n') => Command::Next,
        KeyCode::Char('p') => Command::Previous,
        KeyCode::Char('q') | KeyCode::Esc => Command::Quit,
        KeyCode::Char(letter) if letter.is_ascii_uppercase() => Command::Piece(piece(&letter.to_string()).ok()?),
        _ => return None,
    })
}
