//! What is pressed before the next piece is known, against a slow search by single frames.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use maxout_engine::game::control::{ControlOutcome, FallingPiece};
use maxout_engine::game::{Gravity, Obstacles, Piece, Placement, Playfield, Position, Ruleset};
use maxout_engine::gamepad::{Buttons, PressStyle, TapRate, Tapping};
use maxout_engine::judge::learned::NetSet;
use maxout_engine::movegen::{Openings, Start};
use maxout_engine::planner::{Falling, Forecast, GeneratorOdds, Input, Search, Settings, Sight};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::cases::{any_gaps, any_playfield, any_rhythm};
use crate::slow::{Hand, IDLE, allowed, slow_search};

/// Placements that one opening leaves within reach.
type Within = BTreeSet<Placement>;

/// A position at the spawn of its piece, and how it is moved.
struct Case {
    position: Position,
    falling: Falling,
    settings: Settings,
}

impl Case {
    fn style(&self) -> PressStyle {
        self.settings.style().expect("buttons")
    }

    fn counts_taps(&self) -> bool {
        matches!(self.style(), PressStyle::Gaps(_))
    }

    fn gravity(&self) -> Gravity {
        self.settings.gravity(self.position.level)
    }

    fn start(&self, piece: FallingPiece, control_frame: u32, Hand { rest, taps, .. }: Hand) -> Start {
        Start { piece, control_frame, rest, taps, first_press: self.settings.first_press }
    }

    /// One frame; `None` where the piece lands, with its place if that is free.
    fn step(&self, piece: &FallingPiece, hand: Hand, held: Buttons) -> Result<FallingPiece, Option<Placement>> {
        let mut piece = *piece;
        let playfield = &self.position.playfield;
        let outcome = piece.step(playfield, held, held.newly_pressed(hand.held), self.gravity());
        let FallingPiece { orientation, x, y, .. } = piece;
        match outcome {
            ControlOutcome::Falling => Ok(FallingPiece { das: 0, pushdown: 0, ..piece }),
            ControlOutcome::Landed => Err(playfield.fits(orientation, x, y).then_some(Placement { orientation, x, y })),
        }
    }

    /// What is still reached from a state at the adjustment frame: a button that is down is released first.
    fn within(&self, piece: &FallingPiece, hand: Hand, control_frame: u32) -> Within {
        let (mut piece, mut hand, mut control_frame) = (*piece, hand, control_frame);
        if !hand.held.is_empty() {
            match self.step(&piece, hand, Buttons::NONE) {
                Err(landed) => return landed.into_iter().collect(),
                Ok(after) => piece = after,
            }
            hand = Hand { rest: hand.rest.saturating_sub(1), taps: hand.taps, ..IDLE };
            control_frame += 1;
        }
        let start = self.start(piece, control_frame, hand);
        slow_search(&self.position.playfield, &start, self.gravity(), self.style()).into_keys().collect()
    }

    /// All that can be left within reach, by every way to press buttons without Down.
    fn all_within(&self) -> HashSet<Within> {
        let mut states = HashSet::from([(self.falling.piece, IDLE)]);
        let mut all = HashSet::new();
        for frame in 0..self.settings.reaction_frames {
            let mut after = HashSet::new();
            let start = self.start(self.falling.piece, 0, IDLE);
            for (piece, hand) in states {
                let hands = allowed(self.style(), &start, hand, frame);
                for new in hands.into_iter().filter(|new| new.down == 0) {
                    match self.step(&piece, hand, new.held) {
                        // A tap that moves nothing is none.
                        Ok(moved) if self.counts_taps() && !new.held.is_empty() && is_same_place(&piece, &moved) => {}
                        Ok(piece) => _ = after.insert((piece, new)),
                        Err(landed) => all.extend(landed.map(|placement| Within::from([placement]))),
                    }
                }
            }
            states = after;
        }
        let left = states.iter().map(|(piece, hand)| self.within(piece, *hand, self.settings.reaction_frames));
        all.extend(left.filter(|within| !within.is_empty()));
        all
    }

    /// The state after these buttons, each of which the style must allow.
    fn replay(&self, frames: &[Buttons]) -> Result<(FallingPiece, Hand), Option<Placement>> {
        let (mut piece, mut hand) = (self.falling.piece, IDLE);
        let start = self.start(piece, 0, IDLE);
        for (frame, &held) in (0..).zip(frames) {
            let new = allowed(self.style(), &start, hand, frame).into_iter().find(|new| new.held == held);
            let new = new.unwrap_or_else(|| panic!("{:?} does not allow {held} in frame {frame}", self.style()));
            let stepped = self.step(&piece, hand, held);
            if stepped.is_err() {
                assert_eq!(frame as usize + 1, frames.len(), "it lands in the last frame");
            }
            (piece, hand) = (stepped?, new);
        }
        Ok((piece, hand))
    }

    /// The mean over the next pieces of the best of these placements.
    fn expectation(&self, search: &Search, within: &Within) -> f64 {
        let placements: Vec<Placement> = within.iter().copied().collect();
        let best = |next| {
            let position = Position { next, ..self.position };
            let values = search.values(&position, &placements, Sight::WithNext, &GeneratorOdds).expect("a net");
            values.into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(self.position.piece));
        odds.map(|(next, odds)| f64::from(odds) * best(next)).sum()
    }
}

fn is_same_place(one: &FallingPiece, other: &FallingPiece) -> bool {
    (one.orientation, one.x) == (other.orientation, other.x)
}

/// Only those that are within no other one.
fn largest(all: &HashSet<Within>) -> HashSet<Within> {
    all.iter().filter(|own| !all.iter().any(|other| own != &other && own.is_subset(other))).cloned().collect()
}

fn check(rng: &mut Xoshiro256PlusPlus, net: &Arc<NetSet>, settings: Settings, level: u8) -> usize {
    let playfield = loop {
        let playfield: Playfield = any_playfield(rng);
        if playfield.all_rows().iter().all(|&row| row != 0x3FF) {
            break playfield;
        }
    };
    let piece = Piece::ALL[rng.random_range(0..7)];
    let position = Position { playfield, piece, next: Piece::ALL[rng.random_range(0..7)], level, lines: 200, score: 0 };
    let falling = Falling { piece: FallingPiece::spawned(piece.spawn(), 0), held: Buttons::NONE, control_frame: 0 };
    let case = Case { position, falling, settings };
    let shown = format!("{:?} level {level}, {piece:?}\n{playfield:?}", case.settings);
    let search = Search::new(Arc::clone(net), case.settings.clone());
    let openings = search.openings(&case.position, &case.falling);
    let all = case.all_within();
    let found: HashSet<Within> = openings.iter().map(|opening| opening.within.iter().collect()).collect();
    assert_eq!(found, largest(&all), "{shown}");
    assert_eq!(found.len(), openings.len(), "{shown}");
    check_at_the_spawn(&case, &all, &shown);
    for opening in &openings {
        let within = match case.replay(&opening.frames) {
            Err(landed) => landed.into_iter().collect(),
            Ok((piece, hand)) => case.within(&piece, hand, opening.frames.len() as u32),
        };
        assert_eq!(within, opening.within.iter().collect(), "{shown}");
    }
    let plan = search.plan(&case.position, &case.falling);
    assert_eq!(plan.is_none(), openings.is_empty(), "{shown}");
    let (Some(plan), Some(best)) = (plan, openings.first()) else { return 0 };
    let most = all.iter().map(|within| case.expectation(&search, within)).fold(f64::NEG_INFINITY, f64::max);
    assert!((best.value - most).abs() < 1e-6 * most.abs(), "{} {most} {shown}", best.value);
    let own = case.expectation(&search, &best.within.iter().collect());
    assert!((own - most).abs() < 1e-6 * most.abs(), "{own} {most} {shown}");
    // The plan begins with the best opening and ends in what is within reach after it.
    let pressed = (0..best.frames.len()).map(|frame| plan.timeline.get(frame));
    assert!(pressed.eq(best.frames.iter().copied()), "{shown}");
    assert!(best.within.iter().any(|placement| placement == plan.placement), "{shown}");
    if best.lands.is_none() {
        assert!(plan.promises.len() as u32 > case.settings.reaction_frames, "{shown}");
    }
    openings.len()
}

/// [`Openings::find`] leaves the same within reach.
fn check_at_the_spawn(case: &Case, all: &HashSet<Within>, shown: &str) {
    let Settings { first_press, reaction_frames, .. } = case.settings;
    let start = Start::spawn(case.position.piece).not_before(first_press);
    let mut openings = Openings::default();
    let is_found = openings.find(&case.position.playfield, &start, case.gravity(), case.style(), reaction_frames);
    assert_eq!(is_found, case.style() != PressStyle::Gamepad, "{shown}");
    if is_found {
        let landed = openings.landed.iter().map(|placement| Within::from([placement]));
        let left = openings.left.iter().map(|left| left.iter().collect());
        let found: HashSet<Within> = landed.chain(left).filter(|within: &Within| !within.is_empty()).collect();
        assert_eq!(largest(&found), largest(all), "{shown}");
    }
}

fn taps(hz: u64) -> Settings {
    Settings { tap_rate: TapRate::from_hz(hz).expect("a rate").into(), ..Settings::default() }
}

/// `MAXOUT_FUZZ_ADJUSTMENTS` sets how often all of them are done (default: once).
#[test]
fn the_openings_are_those_of_the_slow_search() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(700);
    let net = Arc::new(NetSet::by_rule());
    let mut choices = 0;
    for _ in 0..crate::setting("MAXOUT_FUZZ_ADJUSTMENTS", 1) {
        for reaction_frames in [1, 5, 18, 21, 30, 61] {
            for level in [18, 19, 29, 39] {
                let rhythm = Settings { tap_rate: any_rhythm(&mut rng).into(), ..Settings::default() };
                let late = Settings { first_press: rng.random_range(1..30), ..taps(30) };
                let even = Settings { input: Input::EvenFrames, ..Settings::default() };
                let gaps = Settings { tap_rate: Tapping::Gaps(any_gaps(&mut rng)), ..Settings::default() };
                let mut styles = vec![taps(30), taps(20), taps(12), taps(10), rhythm, gaps, late, even];
                if level > 18 && rng.random_bool(0.3) {
                    styles.push(Settings { input: Input::Gamepad, ..Settings::default() });
                }
                for style in styles {
                    let think = Some("fixed:1".parse().expect("plies"));
                    let settings = Settings { reaction_frames, think, rules: Ruleset::Ksx2, ..style };
                    choices += usize::from(check(&mut rng, &net, settings, level) > 1);
                }
            }
        }
    }
    assert!(choices > 20, "{choices} cases have a choice");
}
