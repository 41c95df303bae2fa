//! A game that somebody plays on from a position, one placement at a time.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::analysis::{Analyst, Answer, Choice, Question};
use maxout_engine::game::scoring::clear_points;
use maxout_engine::game::{MAXOUT, Orientation, Piece, Placement, Position};
use maxout_engine::planner::{Forecast, GeneratorOdds, Sight};

/// What a player can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Left,
    Right,
    /// The next placement below in the same columns: under an overhang.
    Deeper,
    /// Rotate as with A.
    Clockwise,
    /// Rotate as with B.
    CounterClockwise,
    /// Lock the piece there, the next one comes.
    Play,
    Undo,
    /// Show the best placement, or hide it.
    Best,
    /// The placement after this one in the ranking.
    Next,
    /// The one before.
    Previous,
    /// The next piece is this one.
    Piece(Piece),
    Quit,
}

/// A position of the game with its answer.
struct Turn {
    question: Question,
    answer: Answer,
    /// The choice that the cursor is on.
    cursor: usize,
}

/// The game.
pub(super) struct Game {
    analyst: Analyst,
    random: Xoshiro256PlusPlus,
    turns: Vec<Turn>,
    /// Is the best placement shown?
    pub(super) shows_best: bool,
    /// Points that all placements so far were behind the best.
    lost: Vec<f64>,
}

impl Game {
    /// From this position on; pieces that nobody names are drawn by the odds of the game's generator.
    pub(super) fn new(analyst: Analyst, question: Question, seed: u64) -> Game {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game { analyst, random, turns: Vec::new(), shows_best: false, lost: Vec::new() };
        game.ask(question);
        game
    }

    fn ask(&mut self, mut question: Question) {
        // A key is answered at once.
        question.play_outs.games = 0;
        let answer = self.analyst.answer(&question);
        // The cursor begins where a piece lies that nobody moves, or does not give the best away.
        let spawn = question.position.piece.spawn();
        let cursor = nearest(&answer.choices, spawn, question.falling.piece.x, None).unwrap_or(0);
        self.turns.push(Turn { question, answer, cursor });
    }

    fn turn(&self) -> Option<&Turn> {
        self.turns.last()
    }

    /// What is asked now.
    pub(super) fn question(&self) -> Option<&Question> {
        self.turn().map(|turn| &turn.question)
    }

    /// The placement that the cursor is on, with its rank from 1; `None` when the game is over.
    pub(super) fn chosen(&self) -> Option<(usize, &Choice)> {
        let turn = self.turn()?;
        turn.answer.choices.get(turn.cursor).map(|choice| (turn.cursor + 1, choice))
    }

    /// The best placement.
    pub(super) fn best(&self) -> Option<&Choice> {
        self.turn()?.answer.choices.first()
    }

    /// All placements within reach, best first.
    pub(super) fn choices(&self) -> &[Choice] {
        self.turn().map_or(&[], |turn| &turn.answer.choices)
    }

    /// Placements made, and the points that they were behind the best.
    pub(super) fn played(&self) -> (usize, f64) {
        (self.lost.len(), self.lost.iter().sum())
    }

    /// Does what is asked; `false` ends the game.
    pub(super) fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Quit => return false,
            Command::Left => self.shift(-1),
            Command::Right => self.shift(1),
            Command::Clockwise => self.turn_to(Orientation::clockwise),
            Command::CounterClockwise => self.turn_to(Orientation::counter_clockwise),
            Command::Deeper => self.deeper(),
            Command::Next => self.step(1),
            Command::Previous => self.step(-1),
            Command::Best => self.shows_best = !self.shows_best,
            Command::Play => self.play(),
            Command::Undo => self.undo(),
            Command::Piece(piece) => self.name_next(piece),
        }
        true
    }

    fn put_cursor(&mut self, find: impl FnOnce(&[Choice], Placement) -> Option<usize>) {
        let Some(turn) = self.turns.last_mut() else { return };
        let Some(now) = turn.answer.choices.get(turn.cursor) else { return };
        turn.cursor = find(&turn.answer.choices, now.judged.placement).unwrap_or(turn.cursor);
    }

    /// To the next column in this direction in which a placement with this orientation is within reach.
    fn shift(&mut self, by: i8) {
        self.put_cursor(|choices, now| {
            (1..10).find_map(|step| nearest(choices, now.orientation, now.x + by * step, Some(now.y)))
        });
    }

    fn turn_to(&mut self, turned: impl Fn(Orientation) -> Orientation) {
        self.put_cursor(|choices, now| {
            let columns = (0..10).flat_map(|step| [now.x + step, now.x - step]);
            columns.into_iter().find_map(|x| nearest(choices, turned(now.orientation), x, None))
        });
    }

    /// The placement below in the same columns; from the lowest one to the highest.
    fn deeper(&mut self) {
        self.put_cursor(|choices, now| {
            let same = |choice: &Choice| {
                let place = choice.judged.placement;
                place.orientation == now.orientation && place.x == now.x
            };
            let rows = choices.iter().enumerate().filter(|(_, choice)| same(choice));
            let mut rows: Vec<(i8, usize)> = rows.map(|(index, choice)| (choice.judged.placement.y, index)).collect();
            rows.sort_unstable();
            rows.iter().find(|(y, _)| *y > now.y).or(rows.first()).map(|&(_, index)| index)
        });
    }

    fn step(&mut self, by: isize) {
        let Some(turn) = self.turns.last_mut() else { return };
        let last = turn.answer.choices.len().saturating_sub(1);
        turn.cursor = turn.cursor.saturating_add_signed(by).min(last);
    }

    fn play(&mut self) {
        let Some((_, choice)) = self.chosen() else { return };
        let Some(question) = self.question().copied() else { return };
        let (gap, after, rows) = (choice.gap, choice.judged.playfield, choice.judged.clears);
        let position = question.position;
        let after = position.after(after, rows);
        let falls = match question.sight {
            Sight::WithNext => position.next,
            Sight::WithoutNext => GeneratorOdds.draw(position.piece, &mut self.random),
        };
        let score = u64::from(position.score) + u64::from(clear_points(rows, after.level));
        let position = Position {
            piece: falls,
            next: GeneratorOdds.draw(falls, &mut self.random),
            score: score.min(u64::from(MAXOUT)) as u32,
            ..after
        };
        self.lost.push(gap);
        self.ask(Question { play_outs: question.play_outs, ..Question::at_spawn(position, question.sight) });
    }

    fn undo(&mut self) {
        if self.turns.len() > 1 {
            self.turns.pop();
            self.lost.pop();
        }
    }

    fn name_next(&mut self, piece: Piece) {
        let Some(turn) = self.turns.pop() else { return };
        let position = Position { next: piece, ..turn.question.position };
        self.ask(Question { position, sight: Sight::WithNext, ..turn.question });
    }
}

/// The placement with this orientation and column that is nearest to a row; the highest one without a row.
fn nearest(choices: &[Choice], orientation: Orientation, x: i8, y: Option<i8>) -> Option<usize> {
    let here = choices.iter().enumerate().filter(|(_, choice)| {
        let place = choice.judged.placement;
        place.orientation == orientation && place.x == x
    });
    let away = |choice: &Choice| match y {
        Some(y) => choice.judged.placement.y.abs_diff(y),
        None => choice.judged.placement.y.unsigned_abs(),
    };
    here.min_by_key(|(_, choice)| away(choice)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::analyze::request::{Request, analyst};
    use maxout_engine::planner::{Settings, Think};

    /// The O can be tucked under the overhang on the right.
    const TUCK: &str = r#"{"playfield": "XXX....XXX\nXXXX....XX\nXXXX....XX", "piece": "O", "next": "I",
        "level": 18, "lines": 0}"#;

    fn game(json: &str) -> Game {
        let request: Request = serde_json::from_str(json).unwrap();
        let settings = Settings { think: Some(Think::Plies(1)), ..Settings::default() };
        Game::new(analyst(settings).unwrap(), request.question().unwrap(), 7)
    }

    fn place(game: &Game) -> String {
        let placement = game.chosen().unwrap().1.judged.placement;
        format!("{} row {}", placement.name(), placement.y)
    }

    #[test]
    fn the_cursor_goes_through_what_can_be_reached() {
        let mut game = game(TUCK);
        assert_eq!(place(&game), "O 5-6 row 18");
        game.obey(Command::Right);
        assert_eq!(place(&game), "O 6-7 row 18");
        game.obey(Command::Right);
        assert_eq!(place(&game), "O 7-8 row 18", "the tuck is nearer than the place on top");
        game.obey(Command::Deeper);
        assert_eq!(place(&game), "O 7-8 row 15");
        for _ in 0..12 {
            game.obey(Command::Left);
        }
        assert_eq!(place(&game), "O 1-2 row 15");
        let reachable = game.choices().len();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..reachable {
            game.obey(Command::Previous);
        }
        for _ in 0..reachable {
            seen.insert(place(&game));
            game.obey(Command::Next);
        }
        assert_eq!((seen.len(), game.chosen().unwrap().0), (reachable, reachable));
    }

    #[test]
    fn a_turn_keeps_the_column_where_it_can() {
        let mut game = game(&TUCK.replace("\"O\"", "\"T\""));
        let flat = place(&game);
        game.obey(Command::Clockwise);
        assert!(place(&game).starts_with("T left 5-6"), "{}", place(&game));
        game.obey(Command::CounterClockwise);
        assert_eq!(place(&game), flat);
    }

    #[test]
    fn play_and_undo_lead_back_to_the_same_position() {
        let mut game = game(TUCK);
        let before = *game.question().unwrap();
        game.obey(Command::Next);
        game.obey(Command::Play);
        let after = *game.question().unwrap();
        assert_eq!(after.position.piece, Piece::I);
        assert_eq!(after.position.playfield.cell_count(), before.position.playfield.cell_count() + 4);
        assert_eq!(game.played().0, 1);
        game.obey(Command::Undo);
        assert_eq!(*game.question().unwrap(), before);
        assert_eq!(game.played(), (0, 0.0));
        game.obey(Command::Undo);
        assert_eq!(*game.question().unwrap(), before, "nothing is before the first");
    }

    #[test]
    fn a_clear_counts_and_the_next_piece_can_be_named() {
        let mut game = game(
            r#"{"playfield": "XXXXXXXXX.\nXXXXXXXXX.\nXXXXXXXXX.\nXXXXXXXXX.", "piece": "I", "next": "T",
            "level": 18, "lines": 129, "score": 1000}"#,
        );
        while game.chosen().unwrap().0 > 1 {
            game.obey(Command::Previous);
        }
        assert_eq!(place(&game), "I upright 10 row 18");
        game.obey(Command::Piece(Piece::S));
        while game.chosen().unwrap().0 > 1 {
            game.obey(Command::Previous);
        }
        game.obey(Command::Play);
        let position = game.question().unwrap().position;
        assert_eq!((position.piece, position.lines, position.level), (Piece::S, 133, 19));
        assert_eq!((position.score, position.playfield.cell_count()), (1000 + 1200 * 20, 0));
        assert!(!game.obey(Command::Quit));
    }

    #[test]
    fn the_same_seed_deals_the_same_pieces() {
        let deal = || {
            let mut game = game(TUCK);
            let pieces = (0..6).map(|_| {
                while game.chosen().is_some_and(|(rank, _)| rank > 1) {
                    game.obey(Command::Previous);
                }
                game.obey(Command::Play);
                game.question().unwrap().position.next
            });
            pieces.collect::<Vec<_>>()
        };
        assert_eq!(deal(), deal());
        assert!(deal().iter().any(|piece| *piece != deal()[0]));
    }
}
