//! The lines that are sent to a player.

use std::num::NonZeroU32;

use serde::Serialize;

use super::settings::Settings;
use maxout_engine::game::crash::{Danger, Scene};
use maxout_engine::game::{Orientation, Piece, Placement, Playfield, Position, ROWS, WIDTH};
use maxout_engine::gamepad::{Buttons, PressStyle, TapRate};
use maxout_engine::movegen::Reached;
use maxout_engine::planner::{Falling, PlannedLock, Sight};

/// Version of the protocol; a player that answers with another version is refused.
pub const PROTOCOL: u32 = 1;

/// One line to the player.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Message {
    Hello(Hello),
    Move(Move),
    Goodbye,
}

impl Message {
    /// As a line, its end included.
    pub(super) fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("strings, numbers and lists are JSON");
        line.push('\n');
        line
    }
}

/// What is the same for the whole game.
#[derive(Debug, Serialize)]
pub(super) struct Hello {
    protocol: u32,
    program: &'static str,
    /// Name of the press style.
    input: &'static str,
    tap_rate_hz: u8,
    /// The rhythm in which the taps come, as in `X....`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tap_rhythm: Option<String>,
    /// The frames from tap to tap, as in `2-2-2-5+`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tap_gaps: Option<String>,
    /// The rules, where they are not those of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'static str>,
    reaction_frames: u32,
    /// Frames after the spawn in which nothing is pressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_press: Option<NonZeroU32>,
    start_level: u8,
    timeout_s: f64,
    columns: usize,
    rows: usize,
    /// Letters, in the game's order.
    pieces: Vec<char>,
    orientations: Vec<OrientationInfo>,
}

#[derive(Debug, Serialize)]
struct OrientationInfo {
    id: u8,
    piece: char,
    /// Offsets `[x, y]` from the origin.
    cells: [[i8; 2]; 4],
    /// Id after a turn with A.
    clockwise: u8,
    /// Id after a turn with B.
    counter_clockwise: u8,
}

impl Hello {
    pub(super) fn new(settings: &Settings, style: PressStyle) -> Hello {
        let orientations = Orientation::all().map(|orientation| OrientationInfo {
            id: orientation.id(),
            piece: orientation.piece().letter(),
            cells: orientation.cells().map(|(dy, dx)| [dx, dy]),
            clockwise: orientation.clockwise().id(),
            counter_clockwise: orientation.counter_clockwise().id(),
        });
        Hello {
            protocol: PROTOCOL,
            // Of the program, not of this crate.
            program: "maxout",
            input: style.name(),
            tap_rate_hz: match style {
                PressStyle::Taps(rate) => rate.hz(),
                PressStyle::Rhythm(rhythm) => rhythm.mean_hz(),
                PressStyle::Gaps(gaps) => (60.0 / gaps.mean_frames()) as u8,
                PressStyle::EvenFrames | PressStyle::Gamepad => TapRate::FASTEST.hz(),
            },
            tap_rhythm: match style {
                PressStyle::Rhythm(rhythm) => Some(rhythm.to_string()),
                PressStyle::EvenFrames | PressStyle::Gamepad | PressStyle::Taps(_) | PressStyle::Gaps(_) => None,
            },
            tap_gaps: match style {
                PressStyle::Gaps(gaps) => Some(gaps.to_string()),
                _ => None,
            },
            rules: (!settings.planner.rules.is_original()).then(|| settings.planner.rules.name()),
            reaction_frames: settings.planner.reaction_frames,
            first_press: NonZeroU32::new(settings.planner.first_press),
            start_level: settings.start_level,
            timeout_s: settings.timeout.as_secs_f64(),
            columns: WIDTH,
            rows: ROWS,
            pieces: Piece::ALL.map(Piece::letter).to_vec(),
            orientations: orientations.collect(),
        }
    }
}

/// The question where a piece goes.
#[derive(Debug, Serialize)]
pub(super) struct Move {
    id: u64,
    /// Control frames of the piece that have passed.
    frame: u32,
    /// Rows 0 to 19, top first.
    playfield: Vec<String>,
    /// Rows -2 and -1.
    hidden: Vec<String>,
    current: char,
    next: Option<char>,
    level: u8,
    lines: u16,
    score: u32,
    falling: FallingInfo,
    placements: Vec<PlacementInfo>,
}

#[derive(Debug, Serialize)]
struct FallingInfo {
    orientation: u8,
    x: i8,
    y: i8,
    fall_timer: u8,
    autorepeat_x: u8,
    autorepeat_y: u8,
    held: String,
}

#[derive(Debug, Serialize)]
struct PlacementInfo {
    id: usize,
    orientation: u8,
    x: i8,
    y: i8,
    /// `[x, y]`
    cells: [[i8; 2]; 4],
    /// Frames to the lock, that of the lock included.
    frames: u32,
    /// How long the frame takes that scores the lock, where the game can crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    lock: Option<LockInfo>,
}

#[derive(Debug, Serialize)]
struct LockInfo {
    /// T without pushdown.
    cycles: u32,
    /// `safe`, `crash`, `hang-until-counter` or `hang-until-button`.
    verdict: &'static str,
    /// Cycles to the nearest danger.
    margin: u32,
}

impl LockInfo {
    fn new(position: &Position, placement: Placement, scene: &Scene) -> LockInfo {
        let verdict = PlannedLock::of(position, placement, 0, *scene).verdict();
        let name = verdict.danger.map_or("safe", Danger::name);
        LockInfo { cycles: verdict.cycles, verdict: name, margin: verdict.margin }
    }
}

impl Move {
    /// `falling` is the piece as it is now; `settled` is the number of frames whose buttons are
    /// already fixed, before a way to a placement can begin. `timed` is the scene where the game can crash.
    pub(super) fn new(
        id: u64,
        position: &Position,
        falling: &Falling,
        sight: Sight,
        reached: &[Reached],
        settled: usize,
        timed: Option<&Scene>,
    ) -> Move {
        let Falling { piece, held, control_frame } = falling;
        Move {
            id,
            frame: *control_frame,
            playfield: (0..ROWS as i8).map(|row| row_text(&position.playfield, row)).collect(),
            hidden: (-2..0).map(|row| row_text(&position.playfield, row)).collect(),
            current: position.piece.letter(),
            next: (sight == Sight::WithNext).then(|| position.next.letter()),
            level: position.level,
            lines: position.lines,
            score: position.score,
            falling: FallingInfo {
                orientation: piece.orientation.id(),
                x: piece.x,
                y: piece.y,
                fall_timer: piece.fall_timer,
                autorepeat_x: piece.das,
                autorepeat_y: piece.autorepeat_y,
                held: Buttons::keys(*held),
            },
            placements: reached
                .iter()
                .enumerate()
                .map(|(id, reached)| {
                    let Placement { orientation, x, y } = reached.placement;
                    PlacementInfo {
                        id,
                        orientation: orientation.id(),
                        x,
                        y,
                        cells: orientation.cells().map(|(dy, dx)| [x + dx, y + dy]),
                        frames: settled as u32 + reached.frames,
                        lock: timed.map(|scene| LockInfo::new(position, reached.placement, scene)),
                    }
                })
                .collect(),
        }
    }
}

/// `#` for occupied, `.` for empty, column 0 first.
fn row_text(playfield: &Playfield, row: i8) -> String {
    (0..WIDTH).map(|column| if playfield.occupied(row, column) { '#' } else { '.' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Ruleset;
    use maxout_engine::game::control::FallingPiece;
    use maxout_engine::gamepad::{TapGaps, TapRhythm};

    #[test]
    fn the_hello_names_the_program_and_not_the_crate() {
        let line = Message::Hello(Hello::new(&Settings::default(), PressStyle::EvenFrames)).line();
        let hello: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&hello["type"], &hello["program"]), (&"hello".into(), &"maxout".into()), "{line}");
        assert!(line.ends_with("}\n"), "{line}");
    }

    #[test]
    fn the_hello_says_a_rhythm_only_where_there_is_one() {
        let hello = |style| serde_json::to_value(Hello::new(&Settings::default(), style)).expect("JSON");
        let rhythm: TapRhythm = "X....".parse().expect("a rhythm");
        let (in_rhythm, at_rate) = (hello(PressStyle::Rhythm(rhythm)), hello(PressStyle::Taps(TapRate::FASTEST)));
        let fields = |hello: &serde_json::Value| (hello["input"].clone(), hello["tap_rate_hz"].clone());
        assert_eq!(fields(&in_rhythm), ("taps".into(), 12.into()));
        assert_eq!(fields(&at_rate), ("taps".into(), 30.into()));
        assert_eq!((in_rhythm.get("tap_rhythm"), at_rate.get("tap_rhythm")), (Some(&"X....".into()), None));
        let by_gaps = hello(PressStyle::Gaps(TapGaps::SLOW5));
        assert_eq!(fields(&by_gaps), ("taps".into(), 21.into()));
        assert_eq!((by_gaps.get("tap_gaps"), at_rate.get("tap_gaps")), (Some(&"2-2-2-5+".into()), None));
    }

    #[test]
    fn placements_say_what_their_locks_do_where_the_game_can_crash() {
        let playfield = Playfield::EMPTY;
        let position =
            Position { playfield, piece: Piece::O, next: Piece::T, level: 249, lines: 3_050, score: 999_999 };
        let piece = FallingPiece::spawned(Piece::O.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        let placement = Placement { orientation: Piece::O.spawn(), x: 5, y: 18 };
        let reached = [Reached { placement, frames: 20 }];
        let json = |scene: Option<&Scene>| {
            let asked = Move::new(1, &position, &falling, Sight::WithNext, &reached, 0, scene);
            serde_json::to_value(asked).expect("JSON")["placements"][0]["lock"].clone()
        };
        assert_eq!(json(None), serde_json::Value::Null);
        let [shown, hidden] = [false, true].map(|next_hidden| json(Some(&Scene { next_hidden, clears: [0; 4] })));
        assert_eq!(shown["verdict"], "crash", "{shown}");
        assert_eq!(hidden["verdict"], "safe", "{hidden}");
        assert_eq!(shown["cycles"].as_u64(), hidden["cycles"].as_u64().map(|cycles| cycles + 394));
    }

    #[test]
    fn the_hello_says_the_rules_only_where_they_are_not_the_originals() {
        let rules = |rules| {
            let planner = maxout_engine::planner::Settings { rules, ..Default::default() };
            let settings = Settings { planner, ..Settings::default() };
            let hello = serde_json::to_value(Hello::new(&settings, PressStyle::EvenFrames)).expect("JSON");
            hello.get("rules").cloned()
        };
        assert_eq!((rules(Ruleset::Original), rules(Ruleset::Ksx2)), (None, Some("ksx2".into())));
    }
}
