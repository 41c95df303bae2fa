//! An answer as JSON. The names are stable: `docs/analysing.md` lists them.

use serde::Serialize;

use super::words::{self, Names};
use maxout_engine::analysis::{
    Analyst, Answer, Arrival, Choice, Estimate, Horizon, Measure, PlayedOn, Press, Question,
};
use maxout_engine::game::{Piece, Placement, Playfield, ROWS, WIDTH};
use maxout_engine::gamepad::InputTimeline;
use maxout_engine::planner::{Input, Reply, Settings, Sight};

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct AnswerJson {
    position: PositionJson,
    player: PlayerJson,
    /// Points are counted up to here.
    horizon: HorizonJson,
    /// Can no placement be reached?
    game_over: bool,
    /// Does every game that is played on top out soon?
    lost_position: bool,
    /// The playfield as it is.
    measure: MeasureJson,
    /// What is pressed before the next piece may be used; null without a reaction time.
    opening: Option<OpeningJson>,
    /// All placements within reach, best first.
    choices: Vec<ChoiceJson>,
    /// The best placement for each next piece, where it is not known.
    by_next: Vec<ByNextJson>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct PositionJson {
    /// 200 characters, 0 or 1, from the top left.
    playfield: String,
    piece: Piece,
    /// Null where it is not known.
    next: Option<Piece>,
    level: u8,
    lines: u16,
    score: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct PlayerJson {
    /// In words.
    name: String,
    input: String,
    tap_rate: Option<String>,
    reaction_frames: u32,
    first_press: u32,
    think: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct HorizonJson {
    /// `level-29`, or `lines` from level 29 on.
    until: &'static str,
    /// Lines up to there.
    lines: u16,
}

/// Counts of a playfield.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct MeasureJson {
    holes: u32,
    tucks_needed: u32,
    height: u8,
    bumpiness: u32,
    well_depth: u8,
    /// 0 to 9.
    well_column: Option<u8>,
    tetris_ready: bool,
    /// Pieces without a place that adds no hole.
    homeless: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct OpeningJson {
    frames: usize,
    presses: Vec<PressJson>,
    /// The best placement that is then still within reach, as far as it can be told without the next piece.
    placement: Option<PlacementJson>,
}

/// A placement.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct ChoiceJson {
    /// From 1.
    rank: usize,
    placement: PlacementJson,
    /// Expected points.
    points: f64,
    /// Expected points less than those of the best.
    gap: f64,
    /// Rows that it completes.
    clears: u8,
    tetris_ready: bool,
    /// Standard deviation of what is expected over the next pieces, in points.
    dependence: f64,
    /// The playfield after it.
    measure: MeasureJson,
    /// In words.
    way: String,
    presses: Vec<PressJson>,
    /// One text for each frame up to the lock, in the order RLDUTSBA.
    timeline: Vec<String>,
    /// Frames from the first control frame to the one in which it locks.
    frames: usize,
    replies: Vec<ReplyJson>,
    played_on: Option<PlayedOnJson>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct PlacementJson {
    name: String,
    /// `drop`, `tuck` or `spin`; null where only the place is known.
    arrival: Option<&'static str>,
    /// The game's id of the orientation, 0 to 18.
    orientation: u8,
    /// Column of the origin, 0 to 9.
    x: i8,
    /// Row of the origin, 0 to 19.
    y: i8,
    /// Row and column of each cell; row 0 is the top row.
    cells: [[i8; 2]; 4],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct PressJson {
    /// From 0, the first frame in which the piece can move.
    frame: u32,
    /// For how many frames the buttons stay down.
    frames: u32,
    buttons: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ReplyJson {
    next: Piece,
    odds: f64,
    /// Null where the piece can go nowhere.
    placement: Option<PlacementJson>,
    points: Option<f64>,
}

/// Games that were played on from a placement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PlayedOnJson {
    games: u32,
    pieces: u32,
    points: EstimateJson,
    topout: EstimateJson,
}

/// A figure with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EstimateJson {
    value: f64,
    low: f64,
    high: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ByNextJson {
    next: Piece,
    odds: f64,
    placement: PlacementJson,
    points: f64,
}

/// An answer as JSON.
pub(crate) fn answer(analyst: &Analyst, question: &Question, answer: &Answer) -> AnswerJson {
    let position = &question.position;
    let names = Names::of(&position.playfield, &answer.choices);
    let choice = |(rank, choice)| one(analyst, question, &names, rank, choice);
    AnswerJson {
        position: PositionJson {
            playfield: cells(&position.playfield),
            piece: position.piece,
            next: (question.sight == Sight::WithNext).then_some(position.next),
            level: position.level,
            lines: position.lines,
            score: position.score,
        },
        player: player(analyst.settings()),
        horizon: match answer.horizon {
            Horizon::Killscreen { lines } => HorizonJson { until: "level-29", lines },
            Horizon::Lines(lines) => HorizonJson { until: "lines", lines },
        },
        game_over: answer.choices.is_empty(),
        lost_position: answer.is_lost(),
        measure: measure(&answer.measure),
        opening: (!answer.opening.is_empty()).then(|| OpeningJson {
            frames: answer.opening.len(),
            presses: presses(&Press::all(&InputTimeline::new(answer.opening.clone()), question.falling.held)),
            placement: answer.blind.map(|blind| placement(blind, Some(&names))),
        }),
        choices: (1..).zip(&answer.choices).map(choice).collect(),
        by_next: answer
            .by_next
            .iter()
            .map(|by| ByNextJson {
                next: by.next,
                odds: odds(by.odds),
                placement: placement(by.placement, Some(&names)),
                points: tenth(by.points),
            })
            .collect(),
    }
}

fn one(analyst: &Analyst, question: &Question, names: &Names, rank: usize, choice: &Choice) -> ChoiceJson {
    let (position, judged) = (&question.position, &choice.judged);
    let held = question.falling.held;
    let reply = |reply: &Reply| ReplyJson {
        next: reply.next,
        odds: odds(reply.odds),
        placement: reply.placement.map(|place| placement(place, None)),
        points: analyst.reply_points(position, choice, reply).map(tenth),
    };
    let frames = judged.promises.len();
    ChoiceJson {
        rank,
        placement: placement(judged.placement, Some(names)),
        points: tenth(choice.points),
        gap: tenth(choice.gap),
        clears: judged.clears,
        tetris_ready: choice.measure.is_tetris_ready,
        dependence: tenth(choice.dependence),
        measure: measure(&choice.measure),
        way: words::way(&position.playfield, choice, held),
        presses: presses(&Press::all(&judged.timeline, held)),
        timeline: (0..frames).map(|frame| judged.timeline.get(frame).keys()).collect(),
        frames,
        replies: choice.replies.iter().map(reply).collect(),
        played_on: choice.played_on.map(PlayedOnJson::of),
    }
}

/// The playfield as 200 characters.
pub(crate) fn cells(playfield: &Playfield) -> String {
    let bit = |row: &u16, column: usize| if row >> column & 1 == 1 { '1' } else { '0' };
    let mut text = String::with_capacity(ROWS * WIDTH);
    for row in playfield.visible() {
        text.extend((0..WIDTH).map(|column| bit(row, column)));
    }
    text
}

fn player(settings: &Settings) -> PlayerJson {
    let is_taps = settings.input == Input::Taps;
    PlayerJson {
        name: settings.describe(),
        input: settings.style().map_or("", |style| style.name()).to_owned(),
        tap_rate: is_taps.then(|| settings.tap_rate.to_string()),
        reaction_frames: settings.reaction_frames,
        first_press: settings.first_press,
        think: settings.think.unwrap_or_default().to_string(),
    }
}

fn measure(measure: &Measure) -> MeasureJson {
    MeasureJson {
        holes: measure.holes,
        tucks_needed: measure.tucks_needed,
        height: measure.height,
        bumpiness: measure.bumpiness,
        well_depth: measure.well_depth,
        well_column: measure.well_column,
        tetris_ready: measure.is_tetris_ready,
        homeless: measure.homeless_pieces().collect(),
    }
}

/// `names` are those of the falling piece; `None` for another piece.
fn placement(placement: Placement, names: Option<&Names>) -> PlacementJson {
    PlacementJson {
        name: names.map_or_else(|| placement.name(), |names| names.name(placement)),
        arrival: names.and_then(|names| names.arrival(placement)).map(Arrival::name),
        orientation: placement.orientation.id(),
        x: placement.x,
        y: placement.y,
        cells: placement.cells().map(|(row, column)| [row, column]),
    }
}

fn presses(presses: &[Press]) -> Vec<PressJson> {
    let press =
        |press: &Press| PressJson { frame: press.frame, frames: press.frames, buttons: words::names(press.buttons) };
    presses.iter().map(press).collect()
}

impl PlayedOnJson {
    pub(crate) fn of(played: PlayedOn) -> PlayedOnJson {
        PlayedOnJson {
            games: played.games,
            pieces: played.pieces,
            points: EstimateJson::of_points(played.points),
            topout: EstimateJson::of(played.topout, share),
        }
    }
}

impl EstimateJson {
    fn of(estimate: Estimate, round: impl Fn(f64) -> f64) -> EstimateJson {
        EstimateJson { value: round(estimate.value), low: round(estimate.low), high: round(estimate.high) }
    }

    pub(crate) fn of_points(points: Estimate) -> EstimateJson {
        EstimateJson::of(points, tenth)
    }
}

/// To a tenth of a point: no value is more exact.
pub(crate) fn tenth(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// To a ten thousandth.
fn share(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn odds(odds: f32) -> f64 {
    share(f64::from(odds))
}
