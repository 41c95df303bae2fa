//! The flags of `maxout analyze`.

use std::path::PathBuf;

use clap::ArgAction;

use super::request::{MOST_PIECES, Next, PIECES, PLAYOUTS, Request, SEED, piece, playouts};
use crate::config::Config;
use crate::files::outputs::Overwrite;
use crate::player::flags::MoveArgs;
use crate::system::failure::Failure;
use maxout_engine::game::{MAXOUT, Piece};
use maxout_engine::planner::Settings;
use maxout_formats::position;

/// `maxout analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout analyze field.txt --piece T --next I --level 19 --lines 60
  maxout analyze game.csv@1420 --tap-rate 12 --explain
  maxout analyze field.txt --piece J --next unknown --level 18 --lines 0 --json
  maxout analyze shot.png --lines 40 --picture best.svg

The position is text: a drawing of up to 20 rows of 10 cells (. is empty), 200 characters 0 and 1,
or the hexadecimal of a trace; in a file, as an argument or on standard input (-). FILE@FRAME is a
frame of a log, movie or .ngf. A .png is a screenshot of the console's picture. Flags count more
than the input.

Points are those of clears that are to be expected up to level 29, from level 29 on in the next
100 lines.

Exit codes: 0 done, 1 no placement can be reached, 2 bad usage or input.")]
pub(crate) struct Analyze {
    /// Position: a file, FILE@FRAME, the text itself, or - for standard input
    #[arg(value_name = "POSITION")]
    pub position: String,
    /// What is asked.
    #[command(flatten)]
    pub facts: Facts,
    /// Who plays.
    #[command(flatten)]
    pub moves: MoveArgs,
    /// Games that are played on from each placement shown, 0 for none
    #[arg(long, value_name = "N", default_value_t = PLAYOUTS, value_parser = playouts, help_heading = "Answer")]
    pub playouts: u32,
    /// Pieces of each of these games, the falling one included
    #[arg(long, value_name = "N", default_value_t = PIECES, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PIECES)), help_heading = "Answer")]
    pub pieces: u32,
    /// Seed of the pieces of these games
    #[arg(long, value_name = "N", default_value_t = SEED, help_heading = "Answer")]
    pub seed: u64,
    /// Show all placements, not only the ten best
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Answer")]
    pub all: bool,
    /// Show what the best placement keeps that the second gives up
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Answer")]
    pub explain: bool,
    /// Compare with this placement instead of the second, by its rank
    #[arg(long, value_name = "RANK", value_parser = clap::value_parser!(u16).range(2..), requires = "explain", help_heading = "Answer")]
    pub against: Option<u16>,
    /// Play on from the position in the terminal
    #[arg(long, action = ArgAction::SetTrue, conflicts_with_all = ["json", "picture", "explain", "all"], help_heading = "Answer")]
    pub interactive: bool,
    /// Draw the playfield with the best placement: a .png or .svg file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub picture: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the answer as one JSON object, with all placements
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Output")]
    pub json: bool,
}

/// Facts of the position.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Position")]
pub(crate) struct Facts {
    /// Falling piece: T, J, Z, O, S, L or I
    #[arg(long, value_name = "PIECE", value_parser = piece)]
    pub piece: Option<Piece>,
    /// Next piece, or unknown
    #[arg(long, value_name = "PIECE")]
    pub next: Option<Next>,
    /// Level
    #[arg(long, value_name = "N")]
    pub level: Option<u8>,
    /// Lines cleared so far
    #[arg(long, value_name = "N")]
    pub lines: Option<u16>,
    /// Score shown; it changes no answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAXOUT)))]
    pub score: Option<u32>,
}

impl Facts {
    /// What they say.
    pub(crate) fn request(&self) -> Request {
        let Facts { piece, next, level, lines, score } = *self;
        Request { piece, next, level, lines, score, ..Request::default() }
    }

    /// The first flag that is given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--piece", self.piece.is_some()),
            ("--next", self.next.is_some()),
            ("--level", self.level.is_some()),
            ("--lines", self.lines.is_some()),
            ("--score", self.score.is_some()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

impl Analyze {
    /// What the flags ask. `shown` is the number of placements that are shown, if not all.
    pub(crate) fn request(&self, shown: usize) -> Request {
        let all = self.all || self.json;
        Request {
            playouts: Some(self.playouts),
            pieces: Some(self.pieces),
            seed: Some(self.seed),
            best: (!all).then_some(shown.max(self.against.map_or(0, usize::from))),
            ..self.facts.request()
        }
    }

    /// The file of the position, if it is in one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        position::file_of(&self.position).filter(|path| path.is_file())
    }

    /// The settings of the player.
    pub(crate) fn player(&self) -> Result<Settings, Failure> {
        let mut config = Config::default();
        self.moves.apply(&mut config)?;
        Ok(config.planner)
    }
}
