//! The search compared with a slow one that looks into everything, and its other promises.

use std::collections::HashSet;
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use proptest::prelude::*;

use super::thinker::Ranked;
use super::*;
use crate::clock::Clock;
use crate::game::control::FallingPiece;
use crate::game::scoring::Progress;
use crate::game::{Obstacles, Piece, Placement, Playfield, Position, Ruleset, SPAWN_X};
use crate::gamepad::{Buttons, PressStyle, TapRate, Tapping};
use crate::judge::learned::{Features, Head, NetSet, Outlook, QuickNet, SUMMED, TrainedFor};
use crate::movegen::{Openings, Start, generate};
use crate::planner::{Effort, Falling, Forecast, GeneratorOdds, Input, KnownPieces, Plan, Search, Settings, Sight};

static NET: LazyLock<Arc<NetSet>> = LazyLock::new(|| Arc::new(NetSet::by_rule()));

/// A net with an outlook that has everything, and for which it matters which piece comes next.
static FINALE_NET: LazyLock<Arc<NetSet>> = LazyLock::new(|| {
    let mut net = QuickNet::by_rule().to_net();
    for (index, row) in net.table.iter_mut().enumerate() {
        for (piece, worth) in row.0[SUMMED..].iter_mut().enumerate() {
            // Each piece takes no notice of another quarter of the features.
            *worth *= if (index + piece).is_multiple_of(4) { 0.0 } else { 1.0 };
        }
    }
    let mut net = QuickNet::of(&net);
    let finale = std::array::from_fn(|left| 20.0 + 0.7 * left as f32);
    net.outlook = Outlook { discount: 0.95, topout: -2.0, gain: 0.3, centre: 60.0, finale };
    Arc::new(net.into())
});

/// The same, and a net for level 29 and on.
static KILLSCREEN_NETS: LazyLock<Arc<NetSet>> = LazyLock::new(|| {
    let mut net = QuickNet::by_rule().to_net();
    let trained_for = TrainedFor { level: 29, tap_rate: Tapping::FASTEST, reaction: 0 };
    net.heads[0] = Head { trained_for, scale: 0.3, ..net.heads[0].clone() };
    Arc::new(NetSet::new(vec![FINALE_NET.first().clone(), QuickNet::of(&net)]).expect("two nets"))
});

const TAPS: PressStyle = PressStyle::Taps(TapRate::FASTEST);
const EVERYTHING: Beam = Beam { width: usize::MAX, margin: f32::INFINITY };

fn open_shape() -> Shape {
    Shape {
        plies: [Ply { root: EVERYTHING, inner: [EVERYTHING; 3] }; 4],
        most_expansions: u64::MAX,
        ..Shape::default()
    }
}

fn thinker(shape: Shape, think: Think) -> Thinker {
    let (nets, ruleset) = (Arc::clone(&NET), Ruleset::Original);
    let heads = nets.heads_for(Tapping::FASTEST, 0);
    Thinker {
        nets,
        heads,
        shape,
        ruleset,
        last_line: None,
        style: Some(TAPS),
        first_press: 0,
        reaction_frames: 0,
        think,
        threads: 1,
        clock: None,
    }
}

fn rank(thinker: &Thinker, position: &Position, placements: &[Placement], sight: Sight) -> (Vec<Ranked>, Effort) {
    thinker.rank(position, placements, sight, &GeneratorOdds, Width::Beam)
}

/// Every placement of the falling piece, judged to the same depth.
fn all(thinker: &Thinker, position: &Position, sight: Sight) -> Vec<Ranked> {
    thinker.rank(position, &roots(position), sight, &GeneratorOdds, Width::All).0
}

/// With a budget of time, on a clock that stands still.
fn timed(time: Duration) -> Thinker {
    Thinker { clock: Some(Arc::new(Stopped)), ..thinker(Shape::default(), Think::Time(time)) }
}

/// A clock that advances by a millisecond whenever it is read.
#[derive(Default)]
struct Stepping(AtomicU64);

impl Clock for Stepping {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A clock on which no time passes.
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// What is drawn, with the columns full below.
fn playfields() -> impl Strategy<Value = Playfield> {
    let rows = prop::collection::vec(0_u16..1 << 10, 0..14);
    rows.prop_map(|rows| {
        let mut playfield = Playfield::EMPTY;
        for (row, bits) in (0..20).rev().zip(rows) {
            // No game leaves a full row.
            playfield.set_row(row, if bits == 0x3FF { 0x1FF } else { bits });
        }
        playfield
    })
}

fn pieces() -> impl Strategy<Value = Piece> {
    (0..7_usize).prop_map(|index| Piece::ALL[index])
}

fn positions() -> impl Strategy<Value = Position> {
    let levels = prop::sample::select(vec![
        (0, 8),
        (18, 129),
        (19, 139),
        (28, 229),
        (27, 214),
        (28, 226),
        (27, 211),
        (29, 230),
        (40, 348),
    ]);
    (playfields(), pieces(), pieces(), levels).prop_map(|(playfield, piece, next, (level, lines))| Position {
        playfield,
        piece,
        next,
        level,
        lines,
        score: 0,
    })
}

fn roots(position: &Position) -> Vec<Placement> {
    let moves = generate(&position.playfield, &Start::spawn(position.piece), position.level, TAPS);
    moves.reached().iter().map(|reached| reached.placement).collect()
}

/// The search by its definition.
struct Slow<'a> {
    net: &'a QuickNet,
    /// The net for level 29 and on, if there is one.
    killscreen: Option<&'a QuickNet>,
    /// Lines at which the finale ends; `None` outside it.
    end: Option<u16>,
    /// Near level 29: what the killscreen net expects more of the playfield at the root.
    gain: Option<f64>,
    /// The control frame before which nothing is pressed.
    first_press: u32,
    /// The control frame from which on the next piece is known.
    reaction_frames: u32,
    ruleset: Ruleset,
}

impl Slow<'_> {
    fn of<'a>(nets: &'a NetSet, position: &Position, last_line: Option<u16>) -> Slow<'a> {
        let (net, killscreen) = (nets.first(), nets.nets().nth(1));
        let (lines, is_plateau) = (position.lines, position.level < 29);
        let to_come = |end: &u16| lines < *end && is_plateau;
        let known = last_line.filter(to_come);
        let unknown = killscreen.is_none().then_some(230).filter(to_come);
        let end = known.into_iter().chain(unknown).min();
        let end = end.filter(|end| net.outlook.has_finale() && end - lines <= 16);
        let mean = |net: &QuickNet| {
            let values = net.values(&Features::of(&position.playfield), 0);
            f64::from(values[..7].iter().sum::<f32>()) / 7.0
        };
        let is_near = end.is_none() && is_plateau && (206..230).contains(&lines) && known.is_none_or(|end| end > 230);
        let gain = killscreen.filter(|_| is_near).map(|killscreen| mean(killscreen) - mean(net));
        Slow { net, killscreen, end, gain, first_press: 0, reaction_frames: 0, ruleset: Ruleset::Original }
    }

    /// The value of a playfield for a piece.
    fn value(&self, playfield: &Playfield, piece: Piece, progress: Progress, depth: u8) -> f64 {
        let start = Start::spawn(piece).not_before(self.first_press);
        let moves = generate(playfield, &start, self.ruleset.gravity(progress.level), TAPS);
        if !playfield.fits(piece.spawn(), SPAWN_X, 0) || moves.reached().is_empty() {
            return f64::from(self.net.outlook.topout);
        }
        let best_for = |within: &[Placement], after: Piece| {
            let values = within.iter().map(|&placement| self.worth(playfield, placement, after, progress, depth));
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        let mean = |within: &Vec<Placement>| -> f64 {
            let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(piece));
            odds.map(|(after, odds)| f64::from(odds) * best_for(within, after)).sum()
        };
        if self.reaction_frames == 0 {
            return mean(&moves.reached().iter().map(|reached| reached.placement).collect());
        }
        // An oracle test compares them with a search by single frames.
        let mut openings = Openings::default();
        let gravity = self.ruleset.gravity(progress.level);
        assert!(openings.find(playfield, &start, gravity, TAPS, self.reaction_frames));
        let left = openings.left.iter().map(|left| left.iter().collect());
        let all = left.chain(openings.landed.iter().map(|placement| vec![placement]));
        all.filter(|within| !within.is_empty()).map(|within| mean(&within)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The worth of a placement if `next` comes after it, with `depth` pieces placed from it on.
    fn worth(
        &self,
        playfield: &Playfield,
        placement: Placement,
        next: Piece,
        mut progress: Progress,
        depth: u8,
    ) -> f64 {
        let mut after = *playfield;
        let rows = after.lock(placement).count;
        let filled = (0..20).filter(|&y| (0..=y).any(|above| after.row(above) != 0)).count();
        let judge = self.killscreen.filter(|_| progress.level >= 29).unwrap_or(self.net);
        let burden =
            if progress.level >= 29 && self.killscreen.is_none() { 0.1 * (filled as f64).powi(2) } else { 0.0 };
        progress.count_a_type(rows);
        let reward = [0.0, 40.0, 100.0, 300.0, 1200.0][usize::from(rows)] / 300.0;
        let outlook = &self.net.outlook;
        let topped_out = !after.fits(next.spawn(), SPAWN_X, 0);
        let net_value = || {
            let value = |net: &QuickNet| f64::from(net.values(&Features::of(&after), 0)[next.index()]);
            let (Some(gain), Some(killscreen)) = (self.gain, self.killscreen) else { return value(judge) };
            let lasting = (-f64::from(230_u16.saturating_sub(progress.lines())) / 5.0).exp();
            (1.0 - lasting) * value(judge) + lasting * (value(killscreen) - gain)
        };
        let Some(end) = self.end else {
            let expected = match depth {
                1 if topped_out => f64::from(outlook.topout) - burden,
                1 => net_value() - burden,
                _ => self.value(&after, next, progress, depth - 1),
            };
            return reward + f64::from(outlook.discount) * expected;
        };
        let left = usize::from(end.saturating_sub(progress.lines()));
        let weight = if left == 0 { 0.1 } else { f64::from(Outlook::weight(left)) };
        let leaf = || {
            let value = if topped_out { f64::from(outlook.topout) } else { net_value() };
            f64::from(outlook.finale[left]) + weight * f64::from(outlook.beyond(value as f32, after.cell_count()))
        };
        let expected = match depth {
            _ if left == 0 => leaf(),
            1 if topped_out => f64::from(outlook.topout),
            1 => leaf(),
            _ => self.value(&after, next, progress, depth - 1),
        };
        reward * (f64::from(progress.level) + 1.0) / 20.0 + expected
    }

    fn rank(&self, position: &Position, sight: Sight, plies: u8) -> Vec<f64> {
        let progress = Progress::from_lines(position.level, position.lines);
        let worth = |placement, next| self.worth(&position.playfield, placement, next, progress, plies);
        let points = 300.0 * (f64::from(position.level) + 1.0);
        let values = roots(position).into_iter().map(|placement| match sight {
            Sight::WithNext => worth(placement, position.next),
            Sight::WithoutNext => {
                let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(position.piece));
                odds.map(|(next, odds)| f64::from(odds) * worth(placement, next)).sum()
            }
        });
        values.map(|value| value * points).collect()
    }
}

/// The worth of a placement if these pieces come after it, with `depth` pieces placed from it on.
fn given(playfield: &Playfield, placement: Placement, pieces: &[Piece], depth: u8) -> f64 {
    let mut after = *playfield;
    let rows = after.lock(placement).count;
    let reward = [0.0, 40.0, 100.0, 300.0, 1200.0][usize::from(rows)] / 300.0;
    let (next, topout) = (pieces[0], f64::from(NET.outlook().topout));
    let expected = match depth {
        _ if !after.fits(next.spawn(), SPAWN_X, 0) => topout,
        1 => f64::from(NET.first().values(&Features::of(&after), 0)[next.index()]),
        _ => {
            let moves = generate(&after, &Start::spawn(next), 18, TAPS);
            let values = moves.reached().iter().map(|it| given(&after, it.placement, &pieces[1..], depth - 1));
            values.reduce(f64::max).unwrap_or(topout)
        }
    };
    reward + f64::from(NET.outlook().discount) * expected
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn with_everything_looked_into_it_is_the_slow_search(
        position in positions(),
        blind in any::<bool>(),
        first_press in prop::sample::select(vec![0, 0, 9, 30]),
        reaction_frames in prop::sample::select(vec![0, 0, 5, 18, 61]),
        ruleset in prop::sample::select(Ruleset::ALL.to_vec()),
        last_line in prop::sample::select(vec![None, Some(145), Some(230), Some(330)]),
    ) {
        let sight = if blind { Sight::WithoutNext } else { Sight::WithNext };
        for (net, plies) in [(&NET, 1), (&NET, 2), (&FINALE_NET, 1), (&FINALE_NET, 2), (&KILLSCREEN_NETS, 1), (&KILLSCREEN_NETS, 2)] {
            let slow = Slow { first_press, reaction_frames, ruleset, ..Slow::of(net, &position, last_line) }.rank(&position, sight, plies);
            let open = thinker(open_shape(), Think::Plies(plies));
            let open = Thinker { nets: Arc::clone(net), heads: net.heads_for(Tapping::FASTEST, 0), first_press, reaction_frames, ruleset, last_line, ..open };
            let (ranked, effort) = rank(&open, &position, &roots(&position), sight);
            prop_assert_eq!(ranked.len(), slow.len());
            prop_assert!(ranked.is_empty() || effort.plies == plies || ranked.len() == 1);
            for ranked in ranked {
                let expected = slow[ranked.index];
                prop_assert!((ranked.value - expected).abs() <= 1e-5 * expected.abs() + 1e-2, "{} {}", ranked.value, expected);
            }
        }
    }

    #[test]
    fn all_at_two_plies_are_the_slow_search_whatever_the_beams(position in positions(), blind in any::<bool>()) {
        let sight = if blind { Sight::WithoutNext } else { Sight::WithNext };
        for net in [&NET, &FINALE_NET] {
            let slow = Slow::of(net, &position, None).rank(&position, sight, 2);
            let narrow = Thinker { nets: Arc::clone(net), heads: net.heads_for(Tapping::FASTEST, 0), ..thinker(Shape::default(), Think::Plies(2)) };
            let ranked = all(&narrow, &position, sight);
            prop_assert_eq!(ranked.len(), slow.len());
            for ranked in &ranked {
                let expected = slow[ranked.index];
                prop_assert_eq!(ranked.plies, 2);
                prop_assert!((ranked.value - expected).abs() <= 1e-5 * expected.abs() + 1e-2, "{} {}", ranked.value, expected);
            }
            if let Some(best) = ranked.first() {
                let most = slow.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((best.value - most).abs() <= 1e-5 * most.abs() + 1e-2);
            }
        }
    }

    #[test]
    fn all_and_the_beams_agree_where_both_looked(position in positions(), plies in 1..=3_u8, blind in any::<bool>()) {
        let sight = if blind { Sight::WithoutNext } else { Sight::WithNext };
        let placements = roots(&position);
        let (chosen, _) = rank(&thinker(Shape::default(), Think::Plies(plies)), &position, &placements, sight);
        let by_depth: Vec<_> = (1..=plies)
            .map(|plies| all(&thinker(Shape::default(), Think::Plies(plies)), &position, sight))
            .collect();
        for chosen in chosen {
            let same_depth = &by_depth[usize::from(chosen.plies) - 1];
            prop_assert_eq!(same_depth.len(), placements.len());
            prop_assert!(same_depth.contains(&chosen), "{:?}", chosen);
            prop_assert!(same_depth.iter().all(|ranked| ranked.plies == chosen.plies));
        }
    }

    #[test]
    fn a_known_sequence_is_what_a_search_that_is_given_the_pieces_finds(
        playfield in playfields(),
        pieces in prop::collection::vec(pieces(), 5),
        plies in 1..=3_u8,
    ) {
        let position = Position { playfield, piece: pieces[0], next: pieces[1], level: 18, lines: 3, score: 0 };
        let forecast = KnownPieces { pieces: &pieces[2..], then: GeneratorOdds };
        let placements = roots(&position);
        let open = thinker(open_shape(), Think::Plies(plies));
        let (ranked, _) = open.rank(&position, &placements, Sight::WithNext, &forecast, Width::All);
        for ranked in ranked {
            let expected = 300.0 * 19.0 * given(&playfield, placements[ranked.index], &pieces[1..], plies);
            prop_assert!((ranked.value - expected).abs() <= 1e-5 * expected.abs() + 1e-2, "{} {}", ranked.value, expected);
        }
    }

    #[test]
    fn the_beams_keep_the_order_of_what_they_look_into(position in positions()) {
        let placements = roots(&position);
        let (ranked, _) = rank(&thinker(Shape::default(), Think::Plies(3)), &position, &placements, Sight::WithNext);
        let indices: HashSet<usize> = ranked.iter().map(|ranked| ranked.index).collect();
        prop_assert_eq!(indices.len(), placements.len());
        for pair in ranked.windows(2) {
            prop_assert!(pair[0].plies >= pair[1].plies);
            prop_assert!(pair[0].plies != pair[1].plies || pair[0].value >= pair[1].value);
        }
    }

    #[test]
    fn threads_change_nothing(position in positions(), plies in 2..=4_u8, blind in any::<bool>()) {
        let sight = if blind { Sight::WithoutNext } else { Sight::WithNext };
        let placements = roots(&position);
        let shape = Shape { most_expansions: 700, ..Shape::default() };
        let alone = thinker(shape, Think::Plies(plies));
        let found = rank(&alone, &position, &placements, sight);
        for threads in [2, 5] {
            let many = Thinker { threads, ..alone.clone() };
            prop_assert_eq!(&rank(&many, &position, &placements, sight), &found);
        }
        prop_assert!(found.1.expansions <= 700);
    }
}

/// A pile with a well, three rows to clear and some placements that are alike.
fn position() -> Position {
    let playfield = Playfield::drawn(
        "
        ####..###.
        #########.
        #########.
        #########.
        ",
    );
    Position { playfield, piece: Piece::L, next: Piece::I, level: 19, lines: 0, score: 0 }
}

#[test]
fn three_plies_with_everything_looked_into_are_the_slow_search() {
    // A narrow shaft, for the slow search's sake.
    let mut playfield = Playfield::EMPTY;
    for row in 4..20 {
        playfield.set_row(row, 0b00_0111_1111);
    }
    let position = Position { playfield, piece: Piece::O, next: Piece::I, level: 29, lines: 300, score: 0 };
    let mut placements = roots(&position);
    placements.truncate(3);
    let slow = Slow::of(&NET, &position, None).rank(&position, Sight::WithNext, 3);
    let (ranked, effort) = rank(&thinker(open_shape(), Think::Plies(3)), &position, &placements, Sight::WithNext);
    assert_eq!(effort.plies, 3);
    for ranked in ranked {
        let expected = slow[ranked.index];
        assert!((ranked.value - expected).abs() < 1e-5 * expected, "{ranked:?} {expected}");
    }
}

#[test]
fn a_topout_has_one_worth_whichever_net_judges() {
    // Nothing is pressed in time: the piece lands upright below its spawn, and two of the next pieces find that occupied.
    let mut playfield = Playfield::EMPTY;
    for row in 5..20 {
        playfield.set_row(row, 0b11_0111_1111);
    }
    for (level, lines) in [(19, 139), (29, 300)] {
        let position = Position { playfield, piece: Piece::T, next: Piece::O, level, lines, score: 0 };
        let thinker = thinker(open_shape(), Think::Plies(2));
        let thinker = Thinker { nets: Arc::clone(&KILLSCREEN_NETS), first_press: 60, ..thinker };
        let thinker = Thinker { heads: KILLSCREEN_NETS.heads_for(Tapping::FASTEST, 0), ..thinker };
        let slow = Slow { first_press: 60, ..Slow::of(&KILLSCREEN_NETS, &position, None) };
        let slow = slow.rank(&position, Sight::WithNext, 2);
        let placements = roots(&position);
        let mut tops = 0;
        for ranked in rank(&thinker, &position, &placements, Sight::WithNext).0 {
            let expected = slow[ranked.index];
            assert!((ranked.value - expected).abs() <= 1e-5 * expected.abs() + 1e-2, "{ranked:?} {expected}");
            let mut after = playfield;
            after.lock(placements[ranked.index]);
            tops += usize::from(after.top() < 3);
        }
        assert!(tops > 0, "a piece reaches the rows in which pieces spawn");
    }
}

#[test]
fn a_well_stays_open_for_an_i_that_is_next() {
    let (ranked, _) =
        rank(&thinker(Shape::default(), Think::Plies(3)), &position(), &roots(&position()), Sight::WithNext);
    let best = roots(&position())[ranked[0].index];
    let mut playfield = position().playfield;
    playfield.lock(best);
    assert_eq!(playfield.row(17) >> 9 & 1, 0, "the well stays open: {best}");
}

#[test]
fn no_time_and_no_expansions_still_rank_by_what_the_net_thinks() {
    let placements = roots(&position());
    let at_once = rank(&thinker(Shape::default(), Think::Plies(1)), &position(), &placements, Sight::WithNext);
    let no_time = timed(Duration::ZERO);
    assert_eq!(rank(&no_time, &position(), &placements, Sight::WithNext), at_once);
    let nothing = thinker(Shape { most_expansions: 0, ..Shape::default() }, Think::Plies(5));
    assert_eq!(rank(&nothing, &position(), &placements, Sight::WithNext), at_once);
    assert_eq!(at_once.1.plies, 1);
}

#[test]
fn a_ply_that_the_limit_cuts_keeps_the_first_ahead_of_what_was_not_finished() {
    let placements = roots(&position());
    let by_plies =
        |plies| rank(&thinker(Shape::default(), Think::Plies(plies)), &position(), &placements, Sight::WithNext);
    let (before, after) = (by_plies(2), by_plies(3));
    for most_expansions in (before.1.expansions..=after.1.expansions).step_by(3) {
        let shape = Shape { most_expansions, ..Shape::default() };
        let (ranked, effort) = rank(&thinker(shape, Think::Plies(3)), &position(), &placements, Sight::WithNext);
        let first_before = before.0[0].index;
        let first = ranked.iter().find(|ranked| ranked.index == first_before).expect("nothing gets lost");
        // The new best was compared with the former best at the same depth.
        assert_eq!(ranked[0].plies, first.plies);
        assert_eq!(effort.plies, first.plies);
        assert!(effort.expansions <= most_expansions.max(before.1.expansions));
    }
}

#[test]
fn a_budget_of_time_ends_with_more_plies_than_none() {
    let placements = roots(&position());
    let second = timed(Duration::from_secs(600));
    let (ranked, effort) = rank(&second, &position(), &placements, Sight::WithNext);
    let five = rank(&thinker(Shape::default(), Think::Plies(5)), &position(), &placements, Sight::WithNext);
    assert_eq!((ranked, effort), five);
}

/// A position on which five plies still find more than one placement to look into.
fn undecided() -> Position {
    Position { playfield: Playfield::EMPTY, piece: Piece::O, next: Piece::T, level: 18, lines: 0, score: 0 }
}

#[test]
fn the_number_of_plies_follows_the_clock() {
    let position = undecided();
    let placements = roots(&position);
    let ranked = |millis, width| {
        // A clock of its own: it begins at zero.
        let clock: Arc<dyn Clock> = Arc::new(Stepping::default());
        let thinker = Thinker { clock: Some(clock), ..timed(Duration::from_millis(millis)) };
        thinker.rank(&position, &placements, Sight::WithNext, &GeneratorOdds, width)
    };
    // All placements at five plies would take the test too long.
    for (width, longest, most) in [(Width::Beam, 2_000, 5), (Width::All, 500, 4)] {
        let mut seen = Vec::new();
        let mut millis = 0;
        while millis <= longest {
            let (found, effort) = ranked(millis, width);
            assert!(width == Width::Beam || found.iter().all(|ranked| ranked.plies == effort.plies), "{millis} ms");
            if effort.plies <= 3 {
                assert_eq!((found, effort), ranked(millis, width), "{millis} ms");
            }
            seen.push(effort.plies);
            millis = millis * 3 / 2 + 1;
        }
        assert!(seen.is_sorted(), "{width:?} {seen:?}");
        seen.dedup();
        assert_eq!(seen, (1..=most).collect::<Vec<u8>>(), "{width:?}");
    }
}

#[test]
fn without_a_clock_a_budget_of_time_is_the_default_number_of_plies() {
    let position = undecided();
    let placements = roots(&position);
    let timeless = thinker(Shape::default(), Think::Time(Duration::ZERO));
    let default = thinker(Shape::default(), Think::default());
    let found = rank(&timeless, &position, &placements, Sight::WithNext);
    assert_eq!(found, rank(&default, &position, &placements, Sight::WithNext));
    assert_eq!(found.1.plies, Think::DEFAULT_PLIES);
}

fn search(settings: Settings) -> Search {
    Search::new(Arc::clone(&NET), settings).with_clock(Arc::new(Stepping::default()))
}

fn plan(search: &Search, position: &Position) -> Plan {
    let piece = FallingPiece::spawned(position.piece.spawn(), 0);
    let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
    search.plan(position, &falling).expect("a legal move")
}

#[test]
fn every_input_and_budget_has_a_plan_and_the_same_one_twice() {
    for input in [Input::EvenFrames, Input::Gamepad, Input::Taps, Input::Drag, Input::Teleport] {
        for think in ["0", "0.001", "30", "fixed:1", "fixed:3"] {
            let settings = Settings { input, think: Some(think.parse().expect("valid")), ..Settings::default() };
            let first = plan(&search(settings.clone()), &position());
            assert!(first.value > 0.0);
            assert_eq!(first.next_placement.map(|next| next.orientation.piece()), Some(Piece::I));
            assert_eq!(plan(&search(settings), &position()), first, "{input:?} {think}");
        }
    }
}

#[test]
fn the_next_box_counts_only_after_the_reaction_time() {
    let other = Position { next: Piece::S, ..position() };
    let blind_for = |reaction_frames| {
        let search = search(Settings { reaction_frames, input: Input::Taps, ..Settings::default() });
        [plan(&search, &position()), plan(&search, &other)]
    };
    let [one, another] = blind_for(200);
    // The piece locks before the reaction time is over.
    assert_eq!((one.placement, one.value, one.next_placement), (another.placement, another.value, None));
    let [one, another] = blind_for(12);
    assert_eq!(one.timeline.frames()[..12], another.timeline.frames()[..12]);
    assert!(one.next_placement.is_some());
    assert_ne!(one.value, another.value);
}

#[test]
fn threads_of_the_settings_are_used_and_change_no_plan() {
    let think_threads = NonZeroU16::new(3);
    let settings = Settings { think_threads, ..Settings::default() };
    assert_eq!(plan(&search(settings), &position()), plan(&search(Settings::default()), &position()));
}
