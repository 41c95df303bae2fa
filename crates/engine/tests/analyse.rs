//! `Search::analyse`: every placement once, comparable with each other and with the plan, with
//! buttons that lead there.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use maxout_engine::game::control::{ControlOutcome, FallingPiece};
use maxout_engine::game::{Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::learned::NetSet;
use maxout_engine::judge::{self, handmade};
use maxout_engine::planner::filter::{Filter, Well};
use maxout_engine::planner::{
    Falling, Forecast, GeneratorOdds, Input, Judged, KnownPieces, Reach, Search, Settings, Sight, TargetStanding, Think,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

static NET: LazyLock<Arc<NetSet>> = LazyLock::new(|| Arc::new(NetSet::by_rule()));

fn position(drawn: &str, piece: Piece, next: Piece, level: u8) -> Position {
    Position { playfield: Playfield::drawn(drawn), piece, next, level, lines: 0, score: 0 }
}

/// An overhang to tuck under, a well with rows to clear, and a pile up to the spawn area.
fn drawn_positions() -> Vec<Position> {
    let tower = "..........\n..........\n".to_owned() + &"######.###\n".repeat(16);
    vec![
        position("####......\n..........\n..........", Piece::O, Piece::L, 18),
        position("####..###.\n#########.\n#########.\n#########.", Piece::L, Piece::I, 19),
        position(&tower, Piece::T, Piece::I, 18),
    ]
}

fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut playfield = Playfield::EMPTY;
            for row in (20 - random.random_range(0..12)..20).rev() {
                let cells = random.random_range(0..0x3FF) | random.random_range(0..0x3FF);
                playfield.set_row(row, if cells == 0x3FF { 0x1FF } else { cells });
            }
            let mut piece = || Piece::ALL[random.random_range(0..7)];
            let (piece, next) = (piece(), piece());
            let level = [0, 18, 19, 28, 29][random.random_range(0..5)];
            Position { playfield, piece, next, level, lines: 0, score: 0 }
        })
        .collect()
}

fn falling(position: &Position) -> Falling {
    let piece = FallingPiece::spawned(position.piece.spawn(), 0);
    Falling { piece, held: Buttons::NONE, control_frame: 0 }
}

/// Every evaluator and the learned player.
fn searches(settings: &Settings) -> Vec<Search> {
    let evaluators = handmade::NAMES
        .iter()
        .map(|name| Search::new(handmade::by_name(name, None).expect("published weights"), settings.clone()));
    evaluators.chain([learned(settings.clone())]).collect()
}

fn learned(settings: Settings) -> Search {
    Search::new(Arc::clone(&NET), settings)
}

fn thinking(plies: u8) -> Settings {
    Settings { think: Some(Think::Plies(plies)), ..Settings::default() }
}

fn analyse(search: &Search, position: &Position) -> Vec<Judged> {
    search.analyse(position, &falling(position), Sight::WithNext, &GeneratorOdds)
}

fn reachable(position: &Position, settings: &Settings) -> HashSet<Placement> {
    let falling = falling(position);
    let reach = Reach::of(position, &falling, &[], settings);
    reach.map_or_else(HashSet::new, |reach| reach.reached().iter().map(|reached| reached.placement).collect())
}

/// Where the game's control locks a piece under these buttons.
fn locked(position: &Position, buttons: &[Buttons]) -> Placement {
    let Falling { mut piece, mut held, .. } = falling(position);
    for frame in 0.. {
        let pressed = buttons.get(frame).copied().unwrap_or(Buttons::NONE);
        let outcome = piece.step(&position.playfield, pressed, pressed.newly_pressed(held), position.level);
        held = pressed;
        if outcome == ControlOutcome::Landed {
            break;
        }
    }
    Placement { orientation: piece.orientation, x: piece.x, y: piece.y }
}

#[test]
fn every_placement_is_judged_once_as_deep_and_its_buttons_lead_there() {
    for input in Input::HONEST {
        let settings = Settings { input, ..thinking(2) };
        let positions: Vec<Position> = drawn_positions().into_iter().chain(random_positions(1, 8)).collect();
        for (position, search) in positions.iter().flat_map(|at| searches(&settings).into_iter().map(move |s| (at, s)))
        {
            let judged = analyse(&search, position);
            let name = search.judge_name();
            let placements: HashSet<Placement> = judged.iter().map(|judged| judged.placement).collect();
            assert_eq!(placements.len(), judged.len(), "{name}");
            assert_eq!(placements, reachable(position, &settings), "{name}");
            for pair in judged.windows(2) {
                assert!(pair[0].is_comparable_with(&pair[1]), "{name}");
            }
            for judged in &judged {
                assert_eq!(locked(position, judged.timeline.frames()), judged.placement, "{name}");
                let last = judged.promises.last().expect("a frame in which it lands");
                let promised = Placement { orientation: last.orientation, x: last.x, y: last.y };
                assert_eq!((promised, last.outcome), (judged.placement, ControlOutcome::Landed));
                let mut playfield = position.playfield;
                assert_eq!(playfield.lock(judged.placement).count, judged.clears);
                assert_eq!(playfield, judged.playfield);
                assert!(judged.allowed && judged.standing.is_none());
                assert_eq!(judged.replies.len(), 1, "the next piece is known");
                assert_eq!((judged.replies[0].next, judged.replies[0].odds), (position.next, 1.0));
            }
        }
    }
}

#[test]
fn the_best_come_first_and_the_first_is_the_plan_of_an_evaluator() {
    let settings = Settings::default();
    for position in drawn_positions().iter().chain(&random_positions(2, 12)) {
        for search in searches(&settings) {
            let judged = analyse(&search, position);
            let plan = search.plan(position, &falling(position));
            assert_eq!(plan.is_none(), judged.is_empty());
            let (Some(plan), Some(first)) = (plan, judged.first()) else { continue };
            assert_eq!(plan.reachable, judged.len());
            for pair in judged.windows(2).filter(|pair| pair[0].next_allowed == pair[1].next_allowed) {
                assert!(pair[0].verdict.compare(&pair[1].verdict).is_ge(), "{}", search.judge_name());
            }
            let planned = judged.iter().find(|judged| judged.placement == plan.placement).expect("it is in reach");
            assert_eq!((&planned.timeline, &planned.promises), (&plan.timeline, &plan.promises));
            assert_eq!(planned.playfield, plan.playfield);
            if plan.next_placement.is_some() {
                assert_eq!(planned.replies[0].placement, plan.next_placement);
            }
            if planned.plies == plan.effort.plies {
                assert_eq!(planned.verdict.value.to_bits(), plan.value.to_bits());
            }
            if search.judge_name() != judge::LEARNED {
                assert_eq!((first.placement, first.verdict.value), (plan.placement, plan.value));
                let others = judged[1..].iter().take(plan.alternatives.len());
                for (other, alternative) in others.zip(&plan.alternatives) {
                    assert_eq!((other.placement, other.verdict.value), (alternative.placement, alternative.value));
                }
            }
        }
    }
}

#[test]
fn the_writes_of_a_cheat_are_part_of_an_analysis() {
    for input in [Input::Drag, Input::Teleport] {
        let settings = Settings { input, ..thinking(1) };
        for position in &drawn_positions()[..2] {
            let judged = analyse(&learned(settings.clone()), position);
            assert_eq!(judged.len(), reachable(position, &settings).len());
            assert!(judged.iter().all(|judged| judged.cheat.is_some() && judged.timeline.is_empty()));
        }
    }
}

#[test]
fn without_the_next_box_there_is_a_reply_for_each_piece_that_may_come() {
    for search in searches(&thinking(1)) {
        for position in &drawn_positions() {
            let judged = search.analyse(position, &falling(position), Sight::WithoutNext, &GeneratorOdds);
            for judged in &judged {
                let odds: Vec<f32> = judged.replies.iter().map(|reply| reply.odds).collect();
                assert_eq!(odds, GeneratorOdds.odds(position.piece));
                for (reply, piece) in judged.replies.iter().zip(Piece::ALL) {
                    assert_eq!(reply.next, piece);
                    assert_eq!(reply.value.is_some(), reply.placement.is_some());
                    let seen = Position { next: piece, ..*position };
                    let same = analyse(&search, &seen).into_iter().find(|seen| seen.placement == judged.placement);
                    let same = same.expect("the falling piece reaches the same placements");
                    assert_eq!(same.replies[0].placement, reply.placement, "{}", search.judge_name());
                }
            }
        }
    }
}

#[test]
fn a_known_sequence_is_answered_as_by_a_search_that_sees_it_as_its_next_piece() {
    let (search, after) = (learned(thinking(2)), learned(thinking(1)));
    for position in random_positions(3, 12).iter().filter(|position| position.level < 29) {
        for known in [Piece::I, Piece::S] {
            let forecast = KnownPieces { pieces: &[known], then: GeneratorOdds };
            let judged = search.analyse(position, &falling(position), Sight::WithNext, &forecast);
            for judged in judged.iter().filter(|judged| judged.clears == 0) {
                // The next piece is placed by a search that sees the known piece in the next box.
                let later = Position { playfield: judged.playfield, piece: position.next, next: known, ..*position };
                let best = analyse(&after, &later);
                let Some(best) = best.first().filter(|_| judged.replies[0].value.is_some()) else { continue };
                let reply = judged.replies[0];
                assert_eq!(reply.value, Some(best.verdict.value));
                let expected = f64::from(NET.outlook().discount) * best.verdict.value;
                let value = judged.verdict.value;
                assert!((value - expected).abs() <= 1e-5 * expected.abs() + 1e-2, "{value} {expected}");
            }
        }
    }
}

#[test]
fn what_a_filter_refuses_is_judged_too_and_comes_last() {
    let settings = thinking(1);
    let filter: Arc<dyn Filter> = Arc::new(Well);
    let mut refused = 0;
    for position in drawn_positions().iter().chain(&random_positions(4, 12)) {
        let falling_piece = falling(position);
        let Some(reach) = Reach::of(position, &falling_piece, &[], &settings) else { continue };
        let allowed: HashSet<Placement> =
            filter.allowed(&position.playfield, reach.reached()).iter().map(|reached| reached.placement).collect();
        for search in searches(&settings) {
            let search = search.filtered(Some(Arc::clone(&filter)));
            let judged = analyse(&search, position);
            assert_eq!(judged.len(), reach.reached().len());
            for judged in &judged {
                assert_eq!(judged.allowed, allowed.contains(&judged.placement));
                refused += usize::from(!judged.allowed);
            }
            assert!(judged.is_sorted_by_key(|judged| !judged.allowed));
            let plan = search.plan(position, &falling(position)).expect("a placement");
            assert_eq!(judged[0].placement, plan.placement, "{}", search.judge_name());
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn how_each_placement_stands_to_a_target_score_is_shown() {
    let settings = Settings { target_score: Some(2_000), ..thinking(1) };
    let mut seen = HashSet::new();
    let single = position("....######", Piece::I, Piece::T, 0);
    for (score, level) in [(0, 0), (1_900, 18), (1_960, 0), (1_999, 0)] {
        for position in drawn_positions().iter().chain(&random_positions(5, 4)).chain([&single]) {
            let position = Position { score, level, ..*position };
            for search in searches(&settings) {
                let judged = analyse(&search, &position);
                let plan = search.plan(&position, &falling(&position));
                assert_eq!(judged.first().map(|first| first.placement), plan.map(|plan| plan.placement));
                for judged in &judged {
                    seen.insert(format!("{:?}", judged.standing.expect("there is a target")));
                }
                // The first may be an exception: pushdown would overshoot otherwise.
                let standings = judged.iter().skip(1).filter_map(|judged| judged.standing);
                assert!(standings.is_sorted_by(|a: &TargetStanding, b| a >= b));
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn no_placement_is_an_empty_analysis() {
    let mut playfield = Playfield::EMPTY;
    for row in -2..20 {
        playfield.set_row(row, 0x1FF);
    }
    let position = Position { playfield, piece: Piece::O, next: Piece::T, level: 18, lines: 0, score: 0 };
    for search in searches(&thinking(2)) {
        let planned = search.plan(&position, &falling(&position));
        assert_eq!(planned.is_none(), analyse(&search, &position).is_empty());
    }
}
