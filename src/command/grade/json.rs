//! A grade as JSON. The names are stable: `docs/grading.md` lists them.

use serde::Serialize;

use super::words;
use crate::command::analyze::json::{EstimateJson, PlayedOnJson, cells, tenth};
use maxout_engine::analysis::grade::{
    Cause, Checked, Class, Drought, GameGrade, GradedPiece, GradedPlacement, MeasuredHand, Seen, Share, Totals, Within,
};
use maxout_engine::game::Piece;

/// A graded game as JSON.
pub(crate) fn grade_json(grade: &GameGrade) -> serde_json::Value {
    serde_json::to_value(GameJson::of(grade)).expect("numbers, texts and lists are JSON")
}

#[derive(Serialize)]
struct GameJson {
    first_frame: u64,
    start_level: u8,
    score: u64,
    lines: u16,
    level: u8,
    topped_out: bool,
    hand: HandJson,
    measured: MeasuredJson,
    plies: u8,
    /// Score, and what the blunders lost.
    score_without_blunders: f64,
    /// Score, less the luck that became score.
    score_with_average_luck: f64,
    totals: TotalsJson,
    /// Numbers of the ten pieces that lost most.
    worst: Vec<u32>,
    pieces: Vec<PieceJson>,
}

#[derive(Serialize)]
struct HandJson {
    /// In words.
    name: String,
    input: maxout_engine::planner::Input,
    tap_rate: maxout_engine::gamepad::Tapping,
    first_press: u32,
    reaction_frames: u32,
}

#[derive(Serialize)]
struct MeasuredJson {
    seen: Seen,
    taps_per_second: Option<f64>,
    sequences: u32,
    first_press: Option<u32>,
    held_share: Option<f64>,
    independent: bool,
}

#[derive(Serialize)]
struct ShareJson {
    pieces: u32,
    loss: f64,
}

/// The totals of one game or of many.
#[derive(Serialize)]
pub(super) struct TotalsJson {
    pieces: u32,
    loss: f64,
    /// Percent.
    accuracy: f64,
    lost_positions: u32,
    best: ShareJson,
    good: ShareJson,
    inaccuracy: ShareJson,
    mistake: ShareJson,
    blunder: ShareJson,
    misdrops: ShareJson,
    misjudgements: ShareJson,
    cause_unknown: ShareJson,
    burns: ShareJson,
    burns_that_are_best: u32,
    missed_tetrises: ShareJson,
    unseen_tucks: ShareJson,
    out_of_reach: u32,
    droughts: Vec<DroughtJson>,
    i_pieces: u32,
    luck: f64,
}

#[derive(Serialize)]
struct DroughtJson {
    first: u32,
    pieces: u32,
    loss: f64,
    survived: bool,
}

#[derive(Serialize)]
struct PieceJson {
    /// From 1.
    number: u32,
    spawn_frame: u64,
    landing_frame: u64,
    piece: Piece,
    next: Piece,
    /// 200 characters, 0 or 1, from the top left.
    playfield: String,
    level: u8,
    lines: u16,
    score: u64,
    /// The final score that was to be expected at the spawn.
    expected_score: f64,
    played: PlacementJson,
    best: PlacementJson,
    loss: f64,
    class: Class,
    cause: Option<Cause>,
    aimed: Option<PlaceJson>,
    reachable: u32,
    better: u32,
    within: Within,
    burn: bool,
    best_burns: bool,
    missed_tetris: bool,
    unseen_tuck: bool,
    lost_position: bool,
    luck: f64,
    drought: u32,
    checked: Option<CheckedJson>,
}

#[derive(Serialize)]
struct PlaceJson {
    /// In words.
    name: String,
    /// The game's id of the orientation, 0 to 18.
    orientation: u8,
    /// Column of the origin, 0 to 9.
    x: i8,
    /// Row of the origin, 0 to 19.
    y: i8,
}

#[derive(Serialize)]
struct PlacementJson {
    #[serde(flatten)]
    place: PlaceJson,
    /// Points that are to be expected with it.
    points: f64,
    clears: u8,
    needs_tuck: bool,
}

#[derive(Serialize)]
struct CheckedJson {
    best: PlayedOnJson,
    played: PlayedOnJson,
    difference: EstimateJson,
}

impl GameJson {
    fn of(grade: &GameGrade) -> GameJson {
        let GameGrade { hand, measured, .. } = grade;
        GameJson {
            first_frame: grade.first_frame,
            start_level: grade.start_level,
            score: grade.score,
            lines: grade.lines,
            level: grade.level,
            topped_out: grade.is_topped_out,
            hand: HandJson {
                name: hand.describe(),
                input: hand.input,
                tap_rate: hand.tap_rate,
                first_press: hand.first_press,
                reaction_frames: hand.reaction_frames,
            },
            measured: MeasuredJson::of(measured),
            plies: grade.plies,
            score_without_blunders: tenth(grade.score_without_blunders()),
            score_with_average_luck: tenth(grade.score_with_average_luck()),
            totals: TotalsJson::of(&grade.totals),
            worst: grade.worst(10).into_iter().map(|piece| piece.number).collect(),
            pieces: grade.pieces.iter().map(PieceJson::of).collect(),
        }
    }
}

impl MeasuredJson {
    fn of(measured: &MeasuredHand) -> MeasuredJson {
        MeasuredJson {
            seen: measured.seen,
            taps_per_second: measured.taps.map(hundredths),
            sequences: measured.sequences,
            first_press: measured.first_press,
            held_share: measured.held_share,
            independent: measured.is_independent,
        }
    }
}

impl ShareJson {
    fn of(share: Share) -> ShareJson {
        ShareJson { pieces: share.pieces, loss: tenth(share.loss) }
    }
}

impl TotalsJson {
    pub(super) fn of(totals: &Totals) -> TotalsJson {
        let class = |class| ShareJson::of(totals.class(class));
        let drought = |drought: &Drought| DroughtJson {
            first: drought.first,
            pieces: drought.pieces,
            loss: tenth(drought.loss),
            survived: drought.is_survived,
        };
        TotalsJson {
            pieces: totals.all.pieces,
            loss: tenth(totals.all.loss),
            accuracy: hundredths(totals.accuracy),
            lost_positions: totals.lost_positions,
            best: class(Class::Best),
            good: class(Class::Good),
            inaccuracy: class(Class::Inaccuracy),
            mistake: class(Class::Mistake),
            blunder: class(Class::Blunder),
            misdrops: ShareJson::of(totals.misdrops),
            misjudgements: ShareJson::of(totals.misjudgements),
            cause_unknown: ShareJson::of(totals.unknown),
            burns: ShareJson::of(totals.burns),
            burns_that_are_best: totals.best_burns,
            missed_tetrises: ShareJson::of(totals.missed_tetrises),
            unseen_tucks: ShareJson::of(totals.unseen_tucks),
            out_of_reach: totals.out_of_reach,
            droughts: totals.droughts.iter().map(drought).collect(),
            i_pieces: totals.i_pieces,
            luck: tenth(totals.luck),
        }
    }
}

impl PieceJson {
    fn of(piece: &GradedPiece) -> PieceJson {
        let position = &piece.position;
        PieceJson {
            number: piece.number,
            spawn_frame: piece.spawn_frame,
            landing_frame: piece.landing_frame,
            piece: position.piece,
            next: position.next,
            playfield: cells(&position.playfield),
            level: position.level,
            lines: position.lines,
            score: piece.score,
            expected_score: tenth(piece.expected_score()),
            played: PlacementJson::of(&piece.played),
            best: PlacementJson::of(&piece.best),
            loss: tenth(piece.loss),
            class: piece.class,
            cause: piece.cause,
            aimed: piece.aimed.map(place),
            reachable: piece.reachable,
            better: piece.better,
            within: piece.within,
            burn: piece.is_burn(),
            best_burns: piece.best_burns(),
            missed_tetris: piece.is_missed_tetris(),
            unseen_tuck: piece.is_unseen_tuck(),
            lost_position: piece.is_lost(),
            luck: tenth(piece.luck),
            drought: piece.drought,
            checked: piece.checked.as_ref().map(|Checked { best, played, difference }| CheckedJson {
                best: PlayedOnJson::of(*best),
                played: PlayedOnJson::of(*played),
                difference: EstimateJson::of_points(*difference),
            }),
        }
    }
}

impl PlacementJson {
    fn of(placement: &GradedPlacement) -> PlacementJson {
        PlacementJson {
            place: place(placement.placement),
            points: tenth(placement.points),
            clears: placement.clears,
            needs_tuck: placement.needs_tuck,
        }
    }
}

fn place(placement: maxout_engine::game::Placement) -> PlaceJson {
    PlaceJson { name: words::place(placement), orientation: placement.orientation.id(), x: placement.x, y: placement.y }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
