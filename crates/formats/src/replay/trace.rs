//! Traces against a console: every byte that the model promises, frame by frame.

use std::io::Write;

use serde::Serialize;

use super::error::ReplayError;
use crate::trace::{BUSY, TraceColumn, TraceHeader, TraceReader, TraceRow, TraceWriter, UNKNOWN};
use maxout_engine::console::Console;
use maxout_engine::game::crash::Crashes;
use maxout_engine::game::memory::address::{
    ALLEGRO, AUTOREPEAT_X, AUTOREPEAT_Y, COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE, CURTAIN_ROW, DROP_SPEED,
    FALL_TIMER, FRAME_COUNTER, GAME_MODE, GAME_MODE_STATE, GAME_TYPE, GARBAGE_HOLE, HELD_BUTTONS, HIDE_NEXT,
    HOLD_DOWN_POINTS, LEVEL_NUMBER, LINE_CLEAR_STATS, LINE_INDEX, LINES, MUSIC_TYPE, NAME_LETTER_PLACE, NAME_PLACE,
    NEW_BUTTONS, NEXT_PIECE, PLAY_HELD_BUTTONS, PLAY_NEW_BUTTONS, PLAY_STATE, PLAYER_SIZE, RENDER_FLAGS, RENDER_MODE,
    RNG, ROW_Y, SCORE, SELECTING_HEIGHT, SLEEP_COUNTER, SPAWN_COUNT, SPAWN_ID, START_HEIGHT, START_LEVEL, TETRIMINO_X,
    TETRIMINO_Y, VRAM_ROW, WORKING_COPY,
};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Ram, RamMap};

/// `$40-$5F`: in play the game works on this copy of the player's block `$60-$7F`.
const COPY: std::ops::Range<u16> = WORKING_COPY as u16..(WORKING_COPY + PLAYER_SIZE) as u16;

/// The name of a difference in the column `busy`, which has no address.
const BUSY_NAME: &str = "busy (no address: the processor was not waiting)";

/// What a trace is compared with.
pub enum Subject<'a> {
    /// The rules model. After something that it does not have (the demo, an ending) it goes on
    /// with the next game, from that game's first frame.
    Model,
    /// A console, which plays the whole trace; frames that the model does not have are played
    /// but not compared.
    Console(&'a mut dyn Console),
}

/// A byte that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceDifference {
    /// The frame, from 0 at power-on.
    pub frame: u64,
    /// The address.
    pub address: u16,
    /// Its name in the trace or in the RAM map.
    pub name: String,
    /// The trace's byte.
    pub expected: u8,
    /// The console's byte.
    pub found: u8,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TraceVerification {
    /// Frames compared.
    pub frames: u64,
    /// Bytes compared.
    pub bytes: u64,
    /// Frames that were not: demo and endings.
    pub frames_out_of_scope: u64,
    /// Games after such frames, with which the comparison went on.
    pub restarts: u32,
    /// Frames for which the model knows several possibilities (slow frames from level 133 on): the trace was
    /// compared with all of them.
    pub frames_with_possibilities: u64,
    /// Frames in which the trace was one of them, but not the one that the model itself takes.
    pub frames_otherwise: u64,
    /// Frames with a difference.
    pub differing_frames: u64,
    /// The first byte that differs.
    pub first_difference: Option<TraceDifference>,
    /// Frames that the trace lacks at its end: its header names more than it has.
    pub missing_frames: u64,
}

impl TraceVerification {
    /// Is every frame there that the trace names, and is every compared byte equal?
    pub fn is_equal(&self) -> bool {
        self.first_difference.is_none() && self.missing_frames == 0
    }
}

/// Plays a trace's input from power-on, its pokes included, and compares.
///
/// # Errors
/// When the trace is malformed or the console fails.
pub fn verify(
    reader: &mut TraceReader,
    mut subject: Subject<'_>,
    mut progress: impl FnMut(u64),
) -> Result<TraceVerification, ReplayError> {
    let header = reader.header().clone();
    let map = RamMap::tetris_ntsc();
    let mut verification = TraceVerification::default();
    // The model runs beside a console too: it knows which bytes are in scope.
    let mut models = vec![model(Simulation::power_on())];
    let mut was_in_game = false;
    while let Some(row) = reader.next_row()? {
        if let Subject::Console(console) = &mut subject {
            console.step(row.buttons)?;
        }
        let before = models.len();
        let mut possible: Vec<Simulation> = models.iter().flat_map(|model| model.possible_steps(row.buttons)).collect();
        verification.frames_with_possibilities += u64::from(possible.len() > before.max(1));
        if possible.len() > 1 {
            verification.frames_otherwise += u64::from(follow(row, header.knows_busy(), &mut possible));
        }
        models = possible;
        // All that are left agree with the row, or none does.
        if models.first().is_some_and(|model| model.out_of_scope().is_some()) {
            models.clear();
        }
        let in_game = row.is_in_game();
        match (models.first(), &subject) {
            (Some(model), Subject::Model) => {
                let busy = (header.knows_busy() && model.in_game()).then(|| model.is_busy());
                compare(row, model, model.ram(), busy, &header, &map, &mut verification);
            }
            (Some(model), Subject::Console(console)) => {
                compare(row, model, console.ram(), None, &header, &map, &mut verification);
            }
            (None, _) => {
                verification.frames_out_of_scope += 1;
                if in_game && !was_in_game {
                    models.extend(Simulation::from_ram(&row.ram).ok().map(model));
                    verification.restarts += u32::from(!models.is_empty());
                }
            }
        }
        for poke in header.pokes_after(row.frame) {
            for model in &mut models {
                model.poke(poke.address, poke.value);
            }
            if let Subject::Console(console) = &mut subject {
                console.poke(poke.address, poke.value);
            }
        }
        was_in_game = in_game;
        progress(verification.frames + verification.frames_out_of_scope);
    }
    let named = header.frames().unwrap_or(0);
    verification.missing_frames = named.saturating_sub(verification.frames + verification.frames_out_of_scope);
    Ok(verification)
}

/// The model as the traces have the game: with slow frames and crashes.
fn model(mut simulation: Simulation) -> Simulation {
    simulation.set_crashes(Crashes::On);
    simulation
}

/// Keeps the possibilities that agree with the row. When none does, it keeps one that went on to where nothing
/// is promised, or else the model's own choice. Was it another than the model's own?
fn follow(row: &TraceRow, knows_busy: bool, possible: &mut Vec<Simulation>) -> bool {
    let agrees = |model: &Simulation| {
        model.out_of_scope().is_none()
            && (!knows_busy || model.is_busy() == row.busy)
            && row.known_bytes().all(|(address, byte)| !model.promises(address) || model.peek(address) == byte)
    };
    let is_own = possible.first().is_some_and(agrees);
    if possible.iter().any(agrees) {
        possible.retain(agrees);
        let mut kept: Vec<Simulation> = Vec::new();
        for model in possible.drain(..) {
            if !kept.contains(&model) {
                kept.push(model);
            }
        }
        *possible = kept;
        return !is_own;
    }
    let choice = possible.iter().position(|model| model.out_of_scope().is_some()).unwrap_or(0);
    possible.swap(0, choice);
    possible.truncate(1);
    choice != 0
}

/// `busy` is whether the model's processor was not waiting at the sample; `None` where it does not say.
fn compare(
    row: &TraceRow,
    model: &Simulation,
    ram: &Ram,
    busy: Option<bool>,
    header: &TraceHeader,
    map: &RamMap,
    verification: &mut TraceVerification,
) {
    verification.frames += 1;
    let mut differs = false;
    // The working copy comes last: what differs there has its cause in the player's block.
    let known = || row.known_bytes().filter(|&(address, _)| model.promises(address));
    let in_copy = |&(address, _): &(u16, u8)| COPY.contains(&address);
    for (address, expected) in known().filter(|byte| !in_copy(byte)).chain(known().filter(in_copy)) {
        verification.bytes += 1;
        let found = ram[usize::from(address)];
        if found == expected {
            continue;
        }
        differs = true;
        verification.first_difference.get_or_insert_with(|| {
            let mapped = || map.entry_at(address).map(|entry| entry.name.as_str());
            let unnamed = if COPY.contains(&address) { "working copy" } else { "unnamed" };
            let name = header.name(address).or_else(mapped).unwrap_or(unnamed).to_owned();
            TraceDifference { frame: row.frame, address, name, expected, found }
        });
    }
    if let Some(busy) = busy.filter(|&busy| busy != row.busy) {
        differs = true;
        verification.first_difference.get_or_insert_with(|| TraceDifference {
            frame: row.frame,
            address: 0,
            name: BUSY_NAME.to_owned(),
            expected: row.busy.into(),
            found: busy.into(),
        });
    }
    verification.differing_frames += u64::from(differs);
}

/// The header of a new trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTrace {
    /// Its name.
    pub name: String,
    /// What happens in it, and how to make it again.
    pub description: String,
    /// SHA-1 of the ROM, if there is one.
    pub rom_sha1: Option<String>,
    /// Frames.
    pub frames: u64,
}

/// Columns of new traces: those of the golden ones, by address and name.
const COLUMNS: &[(usize, &str)] = &[
    (RNG, "rng0"),
    (RNG + 1, "rng1"),
    (SPAWN_ID, "spawnID"),
    (SPAWN_COUNT, "spawnCount"),
    (TETRIMINO_X, "x"),
    (TETRIMINO_Y, "y"),
    (CURRENT_PIECE, "piece"),
    (LEVEL_NUMBER, "level"),
    (FALL_TIMER, "fallTimer"),
    (AUTOREPEAT_X, "autorepeatX"),
    (START_LEVEL, "startLevel"),
    (PLAY_STATE, "playState"),
    (VRAM_ROW, "vramRow"),
    (COMPLETED_ROW, "completedRow0"),
    (COMPLETED_ROW + 1, "completedRow1"),
    (COMPLETED_ROW + 2, "completedRow2"),
    (COMPLETED_ROW + 3, "completedRow3"),
    (AUTOREPEAT_Y, "autorepeatY"),
    (HOLD_DOWN_POINTS, "holdDownPoints"),
    (LINES, "linesLo"),
    (LINES + 1, "linesHi"),
    (ROW_Y, "rowY"),
    (SCORE, "score0"),
    (SCORE + 1, "score1"),
    (SCORE + 2, "score2"),
    (COMPLETED_LINES, "completedLines"),
    (LINE_INDEX, "lineIndex"),
    (CURTAIN_ROW, "curtainRow"),
    (START_HEIGHT, "startHeight"),
    (GARBAGE_HOLE, "garbageHole"),
    (RENDER_FLAGS, "renderFlags"),
    (GAME_MODE_STATE, "gameModeState"),
    (SELECTING_HEIGHT, "originalY"),
    (DROP_SPEED, "dropSpeed"),
    (FRAME_COUNTER, "frameCounterLo"),
    (FRAME_COUNTER + 1, "frameCounterHi"),
    (PLAY_NEW_BUTTONS, "newButtons"),
    (PLAY_HELD_BUTTONS, "heldButtons"),
    (ALLEGRO, "allegro"),
    (RENDER_MODE, "renderMode"),
    (NEXT_PIECE, "nextPiece"),
    (GAME_MODE, "gameMode"),
    (GAME_TYPE, "gameType"),
    (MUSIC_TYPE, "musicType"),
    (SLEEP_COUNTER, "sleepCounter"),
    (NAME_LETTER_PLACE, "hsLetterPos"),
    (NAME_PLACE, "hsEntryPos"),
    (LINE_CLEAR_STATS, "singles"),
    (LINE_CLEAR_STATS + 1, "doubles"),
    (LINE_CLEAR_STATS + 2, "triples"),
    (LINE_CLEAR_STATS + 3, "tetrises"),
    (HIDE_NEXT, "hideNext"),
    (NEW_BUTTONS, "joyNew"),
    (HELD_BUTTONS, "joyHeld"),
];

/// Writes a new trace: a console from power-on that is given these presses.
///
/// The column `busy` of the golden traces says whether the processor was at work at the
/// sample. A console does not show that, so it is 0 in every row, and the header says that it is unknown.
///
/// # Errors
/// When the console or the output fails.
pub fn write_trace(
    console: &mut dyn Console,
    presses: impl Iterator<Item = Buttons>,
    trace: &NewTrace,
    output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<(), ReplayError> {
    let mut entries = vec![
        ("name".to_owned(), trace.name.clone()),
        ("desc".to_owned(), trace.description.clone()),
        ("emulator".to_owned(), format!("{} ntsc ram=zeros concurrent_dpad=on", console.name())),
        ("frames".to_owned(), trace.frames.to_string()),
        (BUSY.to_owned(), UNKNOWN.to_owned()),
    ];
    if let Some(sha1) = &trace.rom_sha1 {
        entries.insert(2, ("rom_sha1_prg_chr".to_owned(), sha1.clone()));
    }
    let columns =
        COLUMNS.iter().map(|&(address, name)| TraceColumn { address: address as u16, name: name.to_owned() }).collect();
    let header = TraceHeader { entries, columns, ..TraceHeader::default() };
    let mut writer = TraceWriter::new(output, &header).map_err(ReplayError::Write)?;
    let frames = usize::try_from(trace.frames).unwrap_or(usize::MAX);
    for (frame, buttons) in (1..).zip(presses.chain(std::iter::repeat(Buttons::NONE)).take(frames)) {
        console.step(buttons)?;
        writer.write(buttons, false, console.ram()).map_err(ReplayError::Write)?;
        progress(frame);
    }
    writer.finish().map_err(ReplayError::Write)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Poke;
    use maxout_engine::console::{Error, Simulated};
    use maxout_engine::game::Orientation;
    use maxout_engine::game::memory::PlayState;

    /// Start now and then, to get through the menus, and other buttons between.
    fn presses(seed: u64) -> impl Iterator<Item = Buttons> {
        (0_u64..).map(move |frame| {
            let mixed = (frame / 5 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mask = [0x10, 0xCF, 0x00, 0xCF][(mixed >> 60) as usize % 4];
            Buttons::from_bits((mixed >> 32) as u8 & (mixed >> 40) as u8 & mask)
        })
    }

    fn written(seed: u64, frames: u64) -> Vec<u8> {
        let trace = NewTrace { name: "test".to_owned(), description: "mashing".to_owned(), rom_sha1: None, frames };
        let mut text = Vec::new();
        write_trace(&mut Simulated::power_on(), presses(seed), &trace, &mut text, |_| {}).expect("memory takes it");
        text
    }

    fn verified(text: Vec<u8>) -> TraceVerification {
        let mut reader = TraceReader::new("test", std::io::Cursor::new(text)).expect("a trace");
        verify(&mut reader, Subject::Model, |_| {}).expect("verified")
    }

    #[test]
    fn a_written_trace_verifies() {
        let verification = verified(written(3, 3000));
        assert_eq!(verification.frames + verification.frames_out_of_scope, 3000);
        assert_eq!(verification.differing_frames, 0);
        assert!(verification.bytes > 300 * verification.frames);
    }

    #[test]
    fn rows_that_are_missing_at_the_end_are_counted() {
        let whole = written(3, 900);
        let text = String::from_utf8(whole.clone()).expect("text");
        let (cut, _) = text.split_once("\n898 ").expect("row 898");
        let verification = verified(format!("{cut}\n").into_bytes());
        assert_eq!((verification.missing_frames, verification.first_difference.is_none()), (2, true));
        assert!(!verification.is_equal() && verified(whole).is_equal());
        // Without that line nobody knows.
        assert!(verified(format!("{cut}\n").replace("# frames 900\n", "").into_bytes()).is_equal());
    }

    /// A console in which bytes are overwritten.
    struct Poked {
        console: Simulated,
        frame: u64,
        pokes: Vec<Poke>,
        busy_frames: u32,
    }

    impl Console for Poked {
        maxout_engine::pass_on!(self.console, but step);

        fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
            for poke in self.pokes.iter().filter(|poke| poke.frame + 1 == self.frame) {
                self.console.poke(poke.address, poke.value);
            }
            self.frame += 1;
            self.console.step(buttons)?;
            self.busy_frames += u32::from(self.console.simulation().is_busy());
            Ok(())
        }
    }

    #[test]
    fn a_trace_of_slow_frames_verifies_whatever_the_column_busy_says() {
        // A single at level 148 makes a slow frame.
        let pokes = [
            (LEVEL_NUMBER, 148),
            (LINES, 0x55),
            (LINES + 1, 9),
            (COMPLETED_LINES, 1),
            (COMPLETED_ROW, 11),
            (CURRENT_PIECE, Orientation::HIDDEN_ID),
            (TETRIMINO_Y, 10),
            (PLAY_STATE, PlayState::Score.byte()),
        ];
        let poke = |(address, value)| Poke { frame: 700, address: address as u16, value };
        let pokes = pokes.map(poke).to_vec();
        let mut console = Poked { console: Simulated::power_on(), frame: 0, pokes: pokes.clone(), busy_frames: 0 };
        console.console.set_crashes(Crashes::On);
        let starts = (0_u64..).map(|frame| if frame % 40 == 0 && frame < 650 { Buttons::START } else { Buttons::NONE });
        let trace = NewTrace { name: "slow".to_owned(), description: String::new(), rom_sha1: None, frames: 760 };
        let mut text = Vec::new();
        write_trace(&mut console, starts, &trace, &mut text, |_| {}).expect("memory takes it");
        assert!(console.busy_frames > 0);
        let lines: String = pokes.iter().map(|it| format!("# poke 700 {:x}={:x}\n", it.address, it.value)).collect();
        let text = String::from_utf8(text).expect("text").replace("# columns", &(lines + "# columns"));
        let verification = verified(text.clone().into_bytes());
        assert_eq!((verification.first_difference, verification.frames), (None, 760));
        // Without that line the column counts.
        let known = text.replace("# busy unknown\n", "");
        let difference = verified(known.into_bytes()).first_difference.expect("a difference");
        assert_eq!((difference.name.as_str(), difference.expected, difference.found), (BUSY_NAME, 0, 1));
    }

    #[test]
    fn a_changed_byte_is_the_first_difference() {
        let text = String::from_utf8(written(4, 900)).expect("text");
        let row = text.lines().find(|line| line.starts_with("700 ")).expect("row 700");
        let mut fields: Vec<&str> = row.split(' ').collect();
        let score0 = 3 + COLUMNS.iter().position(|column| column.1 == "score0").expect("a column");
        let found = u8::from_str_radix(fields[score0], 16).expect("a byte");
        fields[score0] = "99";
        let text = text.replace(row, &fields.join(" "));
        let difference = verified(text.into_bytes()).first_difference.expect("a difference");
        assert_eq!(
            difference,
            TraceDifference { frame: 700, address: 0x73, name: "score0".to_owned(), expected: 0x99, found }
        );
    }
}
