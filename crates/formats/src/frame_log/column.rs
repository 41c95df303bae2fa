//! The columns of a log.

/// What a log may have beside the columns that every log has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogOptions {
    /// All cells of the playfield in every row.
    pub cells: bool,
    /// The bytes that were written into RAM: for runs that cheat.
    pub cheats: bool,
}

/// The columns of a log, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table of the module describes each")]
pub enum LogColumn {
    Call,
    Line,
    Buttons,
    Keys,
    Polled,
    Held,
    Mode,
    Play,
    Piece,
    X,
    Y,
    Next,
    Level,
    Lines,
    Score,
    Fall,
    Das,
    Are,
    Rng,
    Fc,
    Field,
    Cells,
    CheatWrites,
    Note,
    Uncapped,
}

/// Number of columns.
pub(super) const COLUMNS: usize = 25;

impl LogColumn {
    /// All of them, in their order.
    pub const ALL: [LogColumn; COLUMNS] = [
        LogColumn::Call,
        LogColumn::Line,
        LogColumn::Buttons,
        LogColumn::Keys,
        LogColumn::Polled,
        LogColumn::Held,
        LogColumn::Mode,
        LogColumn::Play,
        LogColumn::Piece,
        LogColumn::X,
        LogColumn::Y,
        LogColumn::Next,
        LogColumn::Level,
        LogColumn::Lines,
        LogColumn::Score,
        LogColumn::Fall,
        LogColumn::Das,
        LogColumn::Are,
        LogColumn::Rng,
        LogColumn::Fc,
        LogColumn::Field,
        LogColumn::Cells,
        LogColumn::CheatWrites,
        LogColumn::Note,
        LogColumn::Uncapped,
    ];

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; COLUMNS] = [
            "call",
            "line",
            "buttons",
            "keys",
            "polled",
            "held",
            "mode",
            "play",
            "piece",
            "x",
            "y",
            "next",
            "level",
            "lines",
            "score",
            "fall",
            "das",
            "are",
            "rng",
            "fc",
            "field",
            "cells",
            "cheat_writes",
            "note",
            "uncapped",
        ];
        NAMES[self as usize]
    }

    /// The column of this name.
    pub fn named(name: &str) -> Option<LogColumn> {
        LogColumn::ALL.into_iter().find(|column| column.name() == name)
    }

    /// Is its value a number in JSON?
    pub(super) const fn is_number(self) -> bool {
        use LogColumn as C;
        matches!(
            self,
            C::Call
                | C::Line
                | C::Polled
                | C::Mode
                | C::Play
                | C::X
                | C::Y
                | C::Level
                | C::Lines
                | C::Score
                | C::Fall
                | C::Das
                | C::Are
                | C::Fc
                | C::Uncapped
        )
    }
}

/// The columns of a log that this program writes.
pub(crate) fn written_columns(options: LogOptions) -> Vec<LogColumn> {
    let is_written = |column: &LogColumn| match column {
        LogColumn::Cells => options.cells,
        LogColumn::CheatWrites => options.cheats,
        _ => true,
    };
    LogColumn::ALL.into_iter().filter(is_written).collect()
}
