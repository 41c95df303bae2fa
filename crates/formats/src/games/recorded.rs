//! What was found in a recording.

use maxout_engine::analysis::PlayedGame;

/// The games of a recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedGames {
    /// The A-type games in which a piece locked, in order.
    pub games: Vec<PlayedGame>,
    /// Games of other kinds, which were left out: B-type games and demos.
    pub other_games: u64,
    /// Pieces of A-type games that were left out, because it is not known what the playfield was or
    /// where they locked.
    pub skipped_pieces: u64,
}
