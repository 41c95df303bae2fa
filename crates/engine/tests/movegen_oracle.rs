//! Move generation against a slow, simple search that steps the rules frame by frame.
//!
//! `MAXOUT_FUZZ_SWEEPS` sets the number of cases in which the sweep is compared with the slow search
//! (default: 1,000), `MAXOUT_FUZZ_SEED` their seed.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use maxout_engine::game::control::{ControlOutcome, FallingPiece};
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Obstacles, Piece, Placement, Playfield};
use maxout_engine::gamepad::{Buttons, PressStyle, TapRate};
use maxout_engine::movegen::{Start, generate, generate_free, sweep, sweep_plateau};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The buttons that each press style may hold in a frame, written as simply as possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Hand {
    held: Buttons,
    /// Frames that Down has been down: 0, 1, 2, then 3 and 2 in turn.
    down: u8,
    /// Frames before the next tap may come.
    rest: u8,
}

const IDLE: Hand = Hand { held: Buttons::NONE, down: 0, rest: 0 };

const SHIFTS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
const ROTATIONS: [Buttons; 3] = [Buttons::NONE, Buttons::A, Buttons::B];

fn allowed(style: PressStyle, hand: Hand, control_frame: u32) -> Vec<Hand> {
    let mut hands = Vec::new();
    match style {
        PressStyle::EvenFrames => {
            hands.push(IDLE);
            if control_frame.is_multiple_of(2) {
                for held in [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B] {
                    hands.push(Hand { held, ..IDLE });
                }
            }
        }
        PressStyle::Gamepad => {
            for shift in SHIFTS {
                for rotation in ROTATIONS {
                    for down in [false, true] {
                        let again = (!shift.is_empty() && hand.held.intersects(Buttons::LEFT | Buttons::RIGHT))
                            || (!rotation.is_empty() && hand.held.intersects(Buttons::A | Buttons::B));
                        let sideways_while_down = down && !shift.is_empty();
                        let released_too_early = !down && matches!(hand.down, 1 | 2);
                        if again || sideways_while_down || released_too_early {
                            continue;
                        }
                        let count = match (down, hand.down) {
                            (false, _) => 0,
                            (true, 3) => 2,
                            (true, frames) => frames + 1,
                        };
                        let held = shift | rotation | if down { Buttons::DOWN } else { Buttons::NONE };
                        hands.push(Hand { held, down: count, ..IDLE });
                    }
                }
            }
        }
        PressStyle::Taps(rate) => {
            hands.push(Hand { rest: hand.rest.saturating_sub(1), ..IDLE });
            if hand.rest == 0 {
                for shift in SHIFTS {
                    hands.extend(
                        ROTATIONS.iter().filter(|rotation| !(shift | **rotation).is_empty()).map(|&rotation| Hand {
                            held: shift | rotation,
                            rest: rate.frames() - 1,
                            ..IDLE
                        }),
                    );
                }
            }
        }
    }
    hands
}

/// For each placement, the frames to its earliest lock.
fn slow_search(playfield: &Playfield, start: &Start, level: u8, style: PressStyle) -> BTreeMap<Placement, u32> {
    let first = Hand { rest: start.rest, ..IDLE };
    let mut seen = HashSet::from([(start.piece, first, start.control_frame % 2)]);
    let mut layer = vec![(start.piece, first)];
    let mut found = BTreeMap::new();
    for frames in 1.. {
        if layer.is_empty() {
            break;
        }
        let control_frame = start.control_frame + frames - 1;
        let mut next = Vec::new();
        for (piece, hand) in layer {
            for new_hand in allowed(style, hand, control_frame) {
                let mut piece: FallingPiece = piece;
                let pressed = new_hand.held.newly_pressed(hand.held);
                let outcome = piece.step(playfield, new_hand.held, pressed, level);
                if outcome == ControlOutcome::Landed {
                    if playfield.fits(piece.orientation, piece.x, piece.y) {
                        let placement = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
                        found.entry(placement).or_insert(frames);
                    }
                    continue;
                }
                // Neither counter moves a piece if directions are only tapped.
                (piece.das, piece.pushdown) = (0, 0);
                if seen.insert((piece, new_hand, (control_frame + 1) % 2)) {
                    next.push((piece, new_hand));
                }
            }
        }
        layer = next;
    }
    found
}

/// Many kinds of playfields: stacks of every height, with holes, overhangs and wells.
fn random_playfield(rng: &mut Xoshiro256PlusPlus) -> Playfield {
    let height = rng.random_range(0..=18);
    let density = rng.random_range(0.2..0.95);
    let mut playfield = Playfield::EMPTY;
    for row in (20 - height)..20 {
        let bits = (0..10).filter(|_| rng.random_bool(density)).fold(0, |bits, column| bits | 1 << column);
        playfield.set_row(row, if bits == 0x3FF { 0x1FF } else { bits });
    }
    if rng.random_bool(0.1) {
        playfield.set(-1, rng.random_range(0..10));
    }
    playfield
}

/// The longest rest between two presses in this style, in frames.
fn longest_rest(style: PressStyle) -> u8 {
    match style {
        PressStyle::Taps(rate) => rate.frames() - 1,
        PressStyle::EvenFrames | PressStyle::Gamepad => 0,
    }
}

fn random_start(rng: &mut Xoshiro256PlusPlus, playfield: &Playfield, piece: Piece, style: PressStyle) -> Start {
    let mut start = Start::spawn(piece);
    if rng.random_bool(0.3) {
        // In the middle of a fall, as after a desync.
        let orientations: Vec<_> = piece.orientations().collect();
        let (orientation, x, y) =
            (orientations[rng.random_range(0..orientations.len())], rng.random_range(0..10), rng.random_range(0..10));
        if playfield.fits(orientation, x, y) {
            let fall_timer = rng.random_range(0..3);
            start.piece = FallingPiece { orientation, x, y, fall_timer, ..start.piece };
            start.control_frame = rng.random_range(0..4);
            start.rest = rng.random_range(0..4).min(longest_rest(style));
        }
    }
    start
}

fn compare(style: PressStyle, level: u8, playfields: u32, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut placements = 0;
    for _ in 0..playfields {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = random_start(&mut rng, &playfield, piece, style);
            let moves = generate(&playfield, &start, level, style);
            let fast: BTreeMap<_, _> = moves.reached().iter().map(|r| (r.placement, r.frames)).collect();
            assert_eq!(fast.len(), moves.reached().len(), "a placement is listed once");
            let slow = slow_search(&playfield, &start, level, style);
            assert_eq!(fast, slow, "{style:?} level {level} {start:?}\n{playfield:?}");
            // So the timelines below also cover the placements of the sweep.
            let swept: Vec<_> = sweep(&playfield, &start, level, style).iter().collect();
            assert!(in_order(&swept) && fast.keys().all(|placement| swept.contains(placement)));
            assert_eq!(swept.len(), fast.len(), "{style:?} level {level} {start:?}\n{playfield:?}");
            placements += fast.len();
            for reached in moves.reached() {
                check_timeline(&playfield, &start, level, style, &moves, reached);
            }
        }
    }
    assert!(placements > playfields as usize, "the playfields leave room to move");
}

/// Checks that the timeline obeys the style and locks where and when it promises.
fn check_timeline(
    playfield: &Playfield,
    start: &Start,
    level: u8,
    style: PressStyle,
    moves: &maxout_engine::movegen::Moves,
    reached: &maxout_engine::movegen::Reached,
) {
    let timeline = moves.timeline(reached);
    assert_eq!(timeline.len() as u32, reached.frames);
    let mut piece = start.piece;
    let mut hand = Hand { rest: start.rest, ..IDLE };
    for (index, &held) in timeline.frames().iter().enumerate() {
        let next = allowed(style, hand, start.control_frame + index as u32).into_iter().find(|next| next.held == held);
        let next = next.unwrap_or_else(|| panic!("{style:?} does not allow {held} in frame {index} of {timeline:?}"));
        let outcome = piece.step(playfield, held, held.newly_pressed(hand.held), level);
        hand = next;
        assert_eq!(outcome == ControlOutcome::Landed, index + 1 == timeline.len(), "{timeline:?}");
    }
    assert_eq!(Placement { orientation: piece.orientation, x: piece.x, y: piece.y }, reached.placement);
}

#[test]
fn even_frames_on_the_plateau() {
    compare(PressStyle::EvenFrames, 19, 400, 1);
}

#[test]
fn even_frames_at_every_gravity() {
    for (level, playfields) in [(0, 10), (5, 20), (9, 30), (10, 30), (13, 30), (18, 60), (29, 100)] {
        compare(PressStyle::EvenFrames, level, playfields, u64::from(level) + 100);
    }
}

#[test]
fn gamepad_on_the_plateau() {
    compare(PressStyle::Gamepad, 19, 40, 2);
}

#[test]
fn gamepad_at_every_gravity() {
    for (level, playfields) in [(0, 1), (9, 2), (13, 4), (18, 8), (29, 40)] {
        compare(PressStyle::Gamepad, level, playfields, u64::from(level) + 200);
    }
}

#[test]
fn taps_at_every_gravity_and_rate() {
    for (level, hz, playfields) in [
        (19, 30, 400),
        (29, 30, 200),
        (18, 30, 60),
        (0, 30, 6),
        (9, 30, 20),
        (19, 20, 60),
        (19, 15, 60),
        (18, 12, 40),
        (29, 10, 60),
        (13, 10, 30),
    ] {
        let rate = TapRate::from_hz(hz).expect("a rate within the range");
        compare(PressStyle::Taps(rate), level, playfields, u64::from(level) + 300 + hz);
    }
}

/// Ordered by row from the top, then by orientation id, then by column from the left.
fn in_order(placements: &[Placement]) -> bool {
    placements.is_sorted_by_key(|placement| (placement.y, placement.orientation, placement.x))
}

/// Messy stacks of every height, low clean stacks, and some that reach into the invisible rows.
fn any_playfield(rng: &mut Xoshiro256PlusPlus) -> Playfield {
    let mut playfield = Playfield::EMPTY;
    match rng.random_range(0..3) {
        0 => playfield = random_playfield(rng),
        1 => {
            for column in 0..10 {
                for row in 20 - rng.random_range(0..=6)..20 {
                    playfield.set(row, column);
                }
            }
            for _ in 0..rng.random_range(0..3) {
                let hole = playfield.row(19) & !(1 << rng.random_range(0..10));
                playfield.set_row(19, hole);
            }
        }
        _ => {
            // A shaft in the middle of a stack up to the top, with nooks at its sides.
            let top = rng.random_range(-2..4);
            let density = rng.random_range(0.0..0.5);
            let even = rng.random_bool(0.3);
            for row in top..20 {
                let (left, right) = (rng.random_range(0..5), rng.random_range(6..10));
                let inside = if even { density } else { density * f64::from(row + 2) / 22.0 };
                for column in 0..10 {
                    let wall = column < left || column > right;
                    if rng.random_bool(if wall { 0.9 } else { inside }) {
                        playfield.set(row, column);
                    }
                }
            }
        }
    }
    playfield
}

/// A style, most often taps at 30 Hz; Gamepad too where `gamepad` says so.
fn any_style(rng: &mut Xoshiro256PlusPlus, gamepad: bool) -> PressStyle {
    let rate = |hz| PressStyle::Taps(TapRate::from_hz(hz).expect("a rate within the range"));
    match rng.random_range(0..10) {
        0..4 => rate(30),
        4..7 => rate(rng.random_range(10..=30)),
        7 => rate(rng.random_range(1..10)),
        8 if gamepad => PressStyle::Gamepad,
        _ => PressStyle::EvenFrames,
    }
}

/// A start at a spawn, blocked or not, or at any place with any fall timer and rest.
fn any_start(rng: &mut Xoshiro256PlusPlus, playfield: &Playfield, piece: Piece, level: u8, style: PressStyle) -> Start {
    let mut start = Start::spawn(piece);
    if rng.random_bool(0.5) {
        let orientations: Vec<_> = piece.orientations().collect();
        for _ in 0..if rng.random_bool(0.8) { 20 } else { 0 } {
            let orientation = orientations[rng.random_range(0..orientations.len())];
            let (x, y) = (rng.random_range(0..10), rng.random_range(0..20));
            if playfield.fits(orientation, x, y) {
                start.piece = FallingPiece { orientation, x, y, ..start.piece };
                break;
            }
        }
        start.piece.fall_timer = rng.random_range(0..=frames_per_row(level));
        start.control_frame = rng.random_range(0..4);
        start.rest = rng.random_range(0..=longest_rest(style));
    }
    start
}

const LEVELS: [u8; 13] = [0, 5, 8, 9, 10, 13, 15, 16, 18, 19, 28, 29, 200];

/// The number in an environment variable.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_sweep_finds_what_the_search_finds() {
    const CASES: u32 = 100_000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(500);
    let (mut placements, mut empty) = (0, 0);
    for _ in 0..CASES {
        let playfield = any_playfield(&mut rng);
        let piece = Piece::ALL[rng.random_range(0..7)];
        let level = LEVELS[rng.random_range(0..LEVELS.len())];
        // The search for Gamepad takes a hundred times as long as for the other styles.
        let gamepad = rng.random_bool(0.05);
        let style = any_style(&mut rng, gamepad);
        let start = any_start(&mut rng, &playfield, piece, level, style);
        let moves = generate(&playfield, &start, level, style);
        let mut searched: Vec<_> = moves.reached().iter().map(|reached| reached.placement).collect();
        searched.sort_by_key(|placement| (placement.y, placement.orientation, placement.x));
        let locks = sweep(&playfield, &start, level, style);
        let swept: Vec<_> = locks.iter().collect();
        assert_eq!(swept, searched, "{style:?} level {level} {start:?}\n{playfield:?}");
        assert_eq!((locks.len(), locks.is_empty()), (searched.len(), searched.is_empty()));
        placements += swept.len();
        empty += u32::from(swept.is_empty());
    }
    assert!(placements > 10 * CASES as usize, "the playfields leave room to move: {placements} placements");
    assert!(empty > CASES / 1000, "some pieces have nowhere to go: {empty}");
}

#[test]
fn the_sweep_finds_what_the_slow_search_finds() {
    let cases = setting("MAXOUT_FUZZ_SWEEPS", 1000);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(setting("MAXOUT_FUZZ_SEED", 501));
    let (mut placements, mut spawned) = (0, 0);
    for _ in 0..cases {
        let playfield = any_playfield(&mut rng);
        let piece = Piece::ALL[rng.random_range(0..7)];
        // Nine of ten cases have a fast gravity, because slow gravities take longest.
        let slowest = if rng.random_bool(0.1) { 0 } else { 4 };
        let level = LEVELS[rng.random_range(slowest..LEVELS.len())];
        let style = any_style(&mut rng, false);
        let start = any_start(&mut rng, &playfield, piece, level, style);
        let slow: BTreeSet<_> = slow_search(&playfield, &start, level, style).into_keys().collect();
        let swept: Vec<_> = sweep(&playfield, &start, level, style).iter().collect();
        assert!(in_order(&swept));
        assert_eq!(BTreeSet::from_iter(swept), slow, "{style:?} level {level} {start:?}\n{playfield:?}");
        placements += slow.len();

        let spawn = Start::spawn(piece);
        let slow: BTreeSet<_> =
            slow_search(&playfield, &spawn, 19, PressStyle::Taps(TapRate::FASTEST)).into_keys().collect();
        let swept: BTreeSet<_> = sweep_plateau(&playfield, piece).iter().collect();
        assert_eq!(swept, slow, "{piece:?} on the plateau\n{playfield:?}");
        spawned += slow.len();
    }
    println!("{cases} cases with {placements} placements, the same on the plateau with {spawned}");
    assert!(placements as u64 > 8 * cases && spawned as u64 > 8 * cases, "{placements} and {spawned} placements");
}

/// The places one step away that do not collide.
fn steps_from(playfield: &Playfield, from: Placement) -> Vec<Placement> {
    let Placement { orientation, x, y } = from;
    let near = [
        Placement { x: x - 1, ..from },
        Placement { x: x + 1, ..from },
        Placement { orientation: orientation.clockwise(), ..from },
        Placement { orientation: orientation.counter_clockwise(), ..from },
        Placement { y: y + 1, ..from },
    ];
    near.into_iter().filter(|to| playfield.fits(to.orientation, to.x, to.y)).collect()
}

/// For each placement, the fewest steps to it, searched place by place.
fn slow_walk(playfield: &Playfield, start: &Start) -> BTreeMap<Placement, u32> {
    let first = Placement { orientation: start.piece.orientation, x: start.piece.x, y: start.piece.y };
    let mut steps = BTreeMap::from([(first, 0)]);
    let mut queue = VecDeque::from([first]);
    while let Some(place) = queue.pop_front() {
        for near in steps_from(playfield, place) {
            if !steps.contains_key(&near) {
                steps.insert(near, steps[&place] + 1);
                queue.push_back(near);
            }
        }
    }
    let fits = |place: &Placement, y| playfield.fits(place.orientation, place.x, y);
    steps.retain(|place, _| fits(place, place.y) && !fits(place, place.y + 1));
    steps
}

#[test]
fn free_movement_finds_what_a_step_by_step_search_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(400);
    let mut placements = 0;
    for _ in 0..1000 {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = random_start(&mut rng, &playfield, piece, PressStyle::EvenFrames);
            let moves = generate_free(&playfield, &start);
            let fast: BTreeMap<_, _> = moves.reached().iter().map(|r| (r.placement, r.frames)).collect();
            assert_eq!(fast.len(), moves.reached().len(), "a placement is listed once");
            assert_eq!(fast, slow_walk(&playfield, &start), "{start:?}\n{playfield:?}");
            placements += fast.len();
            for reached in moves.reached() {
                assert!(moves.timeline(reached).is_empty());
                let steps = moves.steps(reached);
                assert_eq!(steps.len() as u32, reached.frames);
                let piece = start.piece;
                let mut from = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
                for step in steps {
                    assert!(steps_from(&playfield, from).contains(&step), "{from} to {step} in {playfield:?}");
                    from = step;
                }
                assert_eq!(from, reached.placement);
            }
        }
    }
    assert!(placements > 50_000, "the playfields leave room to move: {placements} placements");
}

#[test]
fn free_movement_reaches_everything_that_buttons_reach() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(401);
    for _ in 0..200 {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = Start::spawn(piece);
            let free: HashSet<_> = generate_free(&playfield, &start).reached().iter().map(|r| r.placement).collect();
            for style in PressStyle::ALL {
                let moves = generate(&playfield, &start, 19, style);
                assert!(moves.reached().iter().all(|reached| free.contains(&reached.placement)), "{style:?}");
            }
        }
    }
}

#[test]
fn a_tuck_and_a_spin_are_found() {
    let tuck = Playfield::drawn(
        "
        ####......
        ..........
        ..........
        ",
    );
    let spin = Playfield::drawn(
        "
        ##..######
        ##....####
        ###.######
        ",
    );
    for style in PressStyle::ALL {
        let find = |playfield, piece: Piece, wanted: Placement| {
            let moves = generate(playfield, &Start::spawn(piece), 19, style);
            moves.reached().iter().any(|reached| reached.placement == wanted)
        };
        let flat = Piece::O.spawn();
        assert!(find(&tuck, Piece::O, Placement { orientation: flat, x: 4, y: 18 }), "{style:?}: O under the overhang");
        // The T points down into the notch, its right arm under the overhang.
        let down = Piece::T.spawn();
        assert!(find(&spin, Piece::T, Placement { orientation: down, x: 3, y: 18 }), "{style:?}: T spin");
    }
}
