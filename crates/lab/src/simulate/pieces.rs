//! Where the pieces of a simulated game come from.

use std::fmt;
use std::str::FromStr;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use maxout_engine::game::memory::address::{CURRENT_PIECE, NEXT_PIECE, NEXT_PIECE_2, SPAWN_ID};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{Orientation, Piece};
use maxout_engine::seed;

/// The source of the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PieceSource {
    /// The game's own generator, clocked by the frames that are really played.
    #[default]
    Nes,
    /// Each of the seven with the same odds, independent of the pieces before.
    Uniform,
    /// The game's own generator, but with at least this many other pieces between two I pieces (and
    /// before the first): an I that comes too soon is replaced by one of the other six.
    Drought(u32),
}

impl fmt::Display for PieceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PieceSource::Nes => f.write_str("nes"),
            PieceSource::Uniform => f.write_str("uniform"),
            PieceSource::Drought(pieces) => write!(f, "drought:{pieces}"),
        }
    }
}

impl From<PieceSource> for String {
    fn from(pieces: PieceSource) -> String {
        pieces.to_string()
    }
}

/// A text that names no source of pieces.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected nes, uniform or drought:N, found {0:?}")]
pub struct ParsePieceSourceError(String);

impl FromStr for PieceSource {
    type Err = ParsePieceSourceError;

    fn from_str(text: &str) -> Result<PieceSource, ParsePieceSourceError> {
        let pieces = match text.split_once(':') {
            None if text == "nes" => Some(PieceSource::Nes),
            None if text == "uniform" => Some(PieceSource::Uniform),
            Some(("drought", pieces)) => pieces.parse().ok().map(PieceSource::Drought),
            _ => None,
        };
        pieces.ok_or_else(|| ParsePieceSourceError(text.to_owned()))
    }
}

impl TryFrom<String> for PieceSource {
    type Error = ParsePieceSourceError;

    fn try_from(text: String) -> Result<PieceSource, ParsePieceSourceError> {
        text.parse()
    }
}

/// Deals the pieces of one game.
pub(super) struct Dealer {
    pieces: PieceSource,
    random: Xoshiro256PlusPlus,
    /// Pieces dealt since the last I.
    since_i: u32,
}

impl Dealer {
    /// The dealer of game `game` of `seed`, and the game as it begins.
    ///
    /// The generator starts in one of its 32,767 states and `spawnCount` at one of 256 values, as on a
    /// console that has already played.
    pub(super) fn begin(pieces: PieceSource, seed: u64, game: u64, start_level: u8) -> (Dealer, Simulation) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game));
        let randomizer = Randomizer::SEED.clocked_times(random.random_range(0..Randomizer::PERIOD));
        let mut simulation = Simulation::later_game(start_level, randomizer, random.random());
        let mut dealer = Dealer { pieces, random, since_i: 0 };
        let first = dealer.deal(piece_at(&simulation, CURRENT_PIECE));
        write(&mut simulation, CURRENT_PIECE, first);
        let next = dealer.deal(piece_at(&simulation, NEXT_PIECE));
        write(&mut simulation, NEXT_PIECE_2, next);
        dealer.put_next(&mut simulation, next);
        (dealer, simulation)
    }

    /// Goes on in a game that is under way.
    pub(super) fn go_on() -> Dealer {
        Dealer { pieces: PieceSource::Nes, random: Xoshiro256PlusPlus::seed_from_u64(0), since_i: 0 }
    }

    /// A piece has spawned: deals the one for the next box.
    pub(super) fn spawned(&mut self, simulation: &mut Simulation) {
        if self.pieces != PieceSource::Nes {
            let next = self.deal(piece_at(simulation, NEXT_PIECE));
            self.put_next(simulation, next);
        }
    }

    fn put_next(&self, simulation: &mut Simulation, next: Piece) {
        write(simulation, NEXT_PIECE, next);
        write(simulation, SPAWN_ID, next);
    }

    fn deal(&mut self, drawn: Piece) -> Piece {
        let piece = match self.pieces {
            PieceSource::Nes => drawn,
            PieceSource::Uniform => Piece::ALL[self.random.random_range(0..Piece::ALL.len())],
            PieceSource::Drought(least) if drawn == Piece::I && self.since_i < least => {
                // I is the last of the seven.
                Piece::ALL[self.random.random_range(0..Piece::ALL.len() - 1)]
            }
            PieceSource::Drought(_) => drawn,
        };
        self.since_i = if piece == Piece::I { 0 } else { self.since_i.saturating_add(1) };
        piece
    }
}

fn piece_at(simulation: &Simulation, address: usize) -> Piece {
    Orientation::from_id(simulation.peek(address as u16)).expect("a game holds pieces there").piece()
}

fn write(simulation: &mut Simulation, address: usize, piece: Piece) {
    simulation.poke(address as u16, piece.spawn().id());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_survive_their_text_and_others_are_refused() {
        for text in ["nes", "uniform", "drought:13"] {
            assert_eq!(text.parse::<PieceSource>().map(|pieces| pieces.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "bag", "drought", "drought:", "drought:-1"] {
            assert!(text.parse::<PieceSource>().expect_err(text).to_string().contains(&format!("{text:?}")));
        }
    }

    #[test]
    fn the_same_game_begins_the_same_and_others_differ() {
        let begin = |seed, game| *Dealer::begin(PieceSource::Nes, seed, game, 19).1.ram();
        assert_eq!(begin(1, 0), begin(1, 0));
        let distinct: std::collections::HashSet<_> =
            (0..300).flat_map(|game| [begin(1, game), begin(2, game)]).collect();
        assert!(distinct.len() > 590, "only {} of 600 games begin differently", distinct.len());
    }

    #[test]
    fn the_games_own_pieces_are_left_as_drawn() {
        let (_, simulation) = Dealer::begin(PieceSource::Nes, 7, 3, 19);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(7, 3));
        let randomizer = Randomizer::SEED.clocked_times(random.random_range(0..Randomizer::PERIOD));
        assert_eq!(simulation, Simulation::later_game(19, randomizer, random.random()));
    }

    #[test]
    fn a_drought_is_at_least_as_long_as_asked_for() {
        let (mut dealer, _) = Dealer::begin(PieceSource::Drought(20), 1, 0, 19);
        let mut since = None;
        let mut gaps = Vec::new();
        for round in 0..20_000 {
            if dealer.deal(Piece::ALL[round % 7]) == Piece::I {
                gaps.extend(since.replace(round).map(|before| round - before - 1));
            }
        }
        assert!(gaps.len() > 100 && gaps.iter().all(|&gap| gap >= 20), "{:?}", gaps.iter().min());
    }
}
