//! The frame log: one CSV line for every frame of a run, written as the run goes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::bot::{Flow, FrameReport, FrameSink, SinkError};

/// The columns, in their order.
const COLUMNS: [&str; 14] = [
    "frame",
    "buttons",
    "keys",
    "mode",
    "play_state",
    "x",
    "y",
    "orientation",
    "next",
    "level",
    "lines",
    "score",
    "fall_timer",
    "rng",
];

/// What the log of a run that cheats has more.
const CHEAT_COLUMN: &str = "cheat_writes";

/// Writes the frame log.
///
/// `frame` counts from power-on, `buttons` is the button byte in hexadecimal and `keys` the
/// same as `RLDUTSBA` text, `mode` and `play_state` are the game's numbers, `orientation` its
/// id in hexadecimal (`13` = none shown), `next` a letter (`-` before the first game), `rng`
/// four hexadecimal digits. Every line is handed to the system before the next frame begins,
/// so an interrupted run keeps all of its frames.
///
/// The log of a run that cheats has one column more, `cheat_writes`: the bytes written into RAM
/// before the frame, as in `62=0A 60=03`, or `-`.
pub struct InputLog<W: Write> {
    writer: csv::Writer<W>,
    cheats: bool,
    name: String,
}

impl InputLog<BufWriter<File>> {
    /// Creates the file, or empties it, and writes the header line; `cheats` adds the column of
    /// a run that writes RAM.
    ///
    /// # Errors
    /// When the path cannot be written.
    pub fn create(path: &Path, cheats: bool) -> Result<InputLog<BufWriter<File>>, SinkError> {
        let name = path.display().to_string();
        let file = File::create(path)
            .map_err(|source| SinkError { context: format!("cannot write the log {name}"), source })?;
        InputLog::new(BufWriter::new(file), name, cheats)
    }
}

impl<W: Write> InputLog<W> {
    /// A log into any writer; `name` is what errors call it.
    ///
    /// # Errors
    /// When the header line cannot be written.
    pub fn new(writer: W, name: String, cheats: bool) -> Result<InputLog<W>, SinkError> {
        let mut log = InputLog { writer: csv::Writer::from_writer(writer), cheats, name };
        let extra = cheats.then_some(CHEAT_COLUMN);
        log.row(&COLUMNS.into_iter().chain(extra).collect::<Vec<_>>())?;
        Ok(log)
    }

    fn row<T: AsRef<[u8]>>(&mut self, fields: &[T]) -> Result<(), SinkError> {
        let written = self.writer.write_record(fields).map_err(std::io::Error::from);
        written
            .and_then(|()| self.writer.flush())
            .map_err(|source| SinkError { context: format!("cannot write the log {}", self.name), source })
    }
}

impl<W: Write> FrameSink for InputLog<W> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let snapshot = report.snapshot;
        let orientation = snapshot.piece.map_or(crate::game::Orientation::HIDDEN_ID, |piece| piece.id());
        let mut fields = vec![
            report.frame.to_string(),
            format!("{:02X}", report.buttons.bits()),
            report.buttons.keys(),
            (snapshot.game_mode as u8).to_string(),
            snapshot.play_state.byte().to_string(),
            snapshot.x.to_string(),
            snapshot.y.to_string(),
            format!("{orientation:02X}"),
            snapshot.next.map_or('-', |piece| piece.letter()).to_string(),
            snapshot.level.to_string(),
            snapshot.lines.to_string(),
            snapshot.score.to_string(),
            snapshot.fall_timer.to_string(),
            format!("{:04X}", snapshot.rng),
        ];
        if self.cheats {
            let bytes: Vec<_> =
                report.pokes.iter().map(|(address, byte)| format!("{address:02X}={byte:02X}")).collect();
            fields.push(if bytes.is_empty() { "-".to_owned() } else { bytes.join(" ") });
        }
        self.row(&fields)?;
        Ok(Flow::Continue)
    }
}
