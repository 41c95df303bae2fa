//! Keeps the learned player out of playfields from which even a careful player tops out.
//!
//! The careful player clears rows as soon as it can. From a high pile it plays out games after the placement that the
//! learned player has chosen. If one of them tops out, its own placement is taken instead.

use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::aim::{Care, Danger, GameEnd, PlayOuts};
use super::candidate::Candidate;
use super::forecast::Forecast;
use super::settings::Settings;
use crate::game::scoring::clear_points;
use crate::game::{Gravity, Obstacles, Piece, Playfield, Position, ROWS, SPAWN_X};
use crate::gamepad::{PressStyle, Tapping};
use crate::judge::handmade::{Afterstate, Evaluator, Verdict, by_name};
use crate::movegen::{Locks, Start, sweep};
use crate::seed::split_mix;

/// The careful player. From 7,684 playfields of 12 and more rows in games of the net alone, 1.3 % of its play-outs topped out
/// before the pile had 8 rows; with `dellacherie-ga` it was 1.2 %, with `dellacherie` 2.1 %, with the net 1.6 %.
const CAREFUL: &str = "el-tetris";

/// Most pieces of a play-out: one that lasts longer counts as no topout. Chosen by hand, not measured.
const MOST_PIECES: u32 = 100;

/// Most draws for a piece that is no I. The odds of an I are 1 to 2 in 7, so 50 in a row do not come.
const DRAWS: u32 = 50;

/// The careful player in one position.
struct Careful<'a> {
    evaluator: &'a dyn Evaluator,
    care: Care,
    style: PressStyle,
    gravity: Gravity,
    first_press: u32,
}

/// The evaluator of the careful player, if the aim of these settings needs it. Not with a reaction time, which the careful
/// player does not know.
pub(super) fn evaluator(settings: &Settings) -> Option<Arc<dyn Evaluator>> {
    let is_needed = !settings.aim.is_mean() && settings.reaction_frames == 0;
    is_needed.then(|| by_name(CAREFUL, None).expect("it is built in").into())
}

/// Puts the careful player's placement first if the one that is first is too dangerous for the aim of the settings. The next
/// piece is known.
///
/// Nothing is done at the speed of level 29, where the careful player is not better than the net, and after a clear that
/// reaches the goal.
pub(super) fn avoid_topouts(
    evaluator: &dyn Evaluator,
    settings: &Settings,
    position: &Position,
    candidates: &mut [Candidate],
    forecast: &impl Forecast,
) {
    let (Some(style), Some(first)) = (settings.style(), candidates.first()) else { return };
    let rows = first.afterstate.cleared.count;
    let mut after = position.after(first.afterstate.playfield, rows);
    after.score += clear_points(rows, after.level);
    let gravity = settings.gravity(after.level);
    let is_over = settings.last_line.is_some_and(|last| after.lines >= last);
    let plays_killscreen = settings.first_press == 0 && style.tapping() == Tapping::FASTEST;
    let end = GameEnd { last_line: settings.last_line, plays_killscreen };
    let Some(care) = settings.aim.care(&after, end) else { return };
    if gravity.frames() == 1 || is_over {
        return;
    }
    let careful = Careful { evaluator, care, style, gravity, first_press: settings.first_press };
    if !careful.is_dangerous(&after, forecast) {
        return;
    }
    let admitted = candidates.iter().take_while(|other| other.constraints() == first.constraints());
    let judged =
        admitted.zip(0..).filter_map(|(other, at)| Some((careful.judge(&other.afterstate, position.next)?, at)));
    if let Some((_, at)) = best(judged) {
        candidates[..=at].rotate_right(1);
    }
}

impl Careful<'_> {
    /// Does one of its play-outs top out? They begin with the next piece of the position, and are the same each time.
    fn is_dangerous(&self, after: &Position, forecast: &impl Forecast) -> bool {
        if self.is_low(&after.playfield) {
            return false;
        }
        let Danger::PlayOuts(play_outs) = self.care.danger else { return true };
        let seed = seed_of(after);
        (0..play_outs.games).any(|game| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(game));
            self.tops_out(play_outs, after.playfield, after.next, &mut forecast.clone(), &mut random)
        })
    }

    /// Plays on until the pile is low enough.
    fn tops_out<F: Forecast>(
        &self,
        play_outs: PlayOuts,
        mut playfield: Playfield,
        mut piece: Piece,
        forecast: &mut F,
        random: &mut Xoshiro256PlusPlus,
    ) -> bool {
        for _ in 0..MOST_PIECES {
            if height(&playfield) <= play_outs.until {
                return false;
            }
            let placements = self.placements(&playfield, piece);
            let afterstates = placements.iter().flat_map(|placements| placements.iter());
            let judged = afterstates.map(|placement| {
                let after = Afterstate::of(&playfield, placement);
                (self.evaluator.judge(&[after]), after.playfield)
            });
            let Some((_, after)) = best(judged) else { return true };
            playfield = after;
            piece = if play_outs.drought { draw_no_i(piece, forecast, random) } else { forecast.draw(piece, random) };
        }
        false
    }

    /// What it thinks of a placement, with the best one of the next piece; `None` if that can go nowhere.
    fn judge(&self, after: &Afterstate, next: Piece) -> Option<Verdict> {
        let placements = self.placements(&after.playfield, next)?;
        let judge = |second| self.evaluator.judge(&[*after, Afterstate::of(&after.playfield, second)]);
        best(placements.iter().map(|second| (judge(second), ()))).map(|(verdict, ())| verdict)
    }

    /// Where a piece can go; `None` where it cannot spawn.
    fn placements(&self, playfield: &Playfield, piece: Piece) -> Option<Locks> {
        let fits = playfield.fits(piece.spawn(), SPAWN_X, 0);
        let start = Start::spawn(piece).not_before(self.first_press);
        fits.then(|| sweep(playfield, &start, self.gravity, self.style))
    }

    fn is_low(&self, playfield: &Playfield) -> bool {
        height(playfield) <= self.care.low
    }
}

fn height(playfield: &Playfield) -> usize {
    ROWS - playfield.top()
}

/// Draws a piece as long as an I comes. Where nothing else comes, it is an I.
fn draw_no_i<F: Forecast>(before: Piece, forecast: &mut F, random: &mut Xoshiro256PlusPlus) -> Piece {
    let mut draw = || {
        let mut after = forecast.clone();
        (after.draw(before, random), after)
    };
    let mut drawn = draw();
    for _ in 1..DRAWS {
        if drawn.0 != Piece::I {
            break;
        }
        drawn = draw();
    }
    *forecast = drawn.1;
    drawn.0
}

/// The best one; of equal ones the first.
fn best<T>(judged: impl Iterator<Item = (Verdict, T)>) -> Option<(Verdict, T)> {
    judged.reduce(|best, other| if other.0.is_better_than(&best.0) { other } else { best })
}

fn seed_of(position: &Position) -> u64 {
    let rows = position.playfield.visible().iter().map(|&row| u64::from(row));
    rows.chain([position.piece.index() as u64, position.lines.into()]).fold(0, |seed, part| split_mix(seed ^ part))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock};

    use super::*;
    use crate::game::control::FallingPiece;
    use crate::game::{MAXOUT, Placement};
    use crate::gamepad::{Buttons, TapRate};
    use crate::judge::learned::NetSet;
    use crate::movegen::generate;
    use crate::planner::{Aim, Falling, GeneratorOdds, Search, Think};

    static NET: LazyLock<Arc<NetSet>> = LazyLock::new(|| Arc::new(NetSet::by_rule()));

    fn chosen(aim: Aim, position: &Position) -> Placement {
        let settings = Settings { aim, think: Some(Think::Plies(1)), ..Settings::default() };
        let piece = FallingPiece::spawned(position.piece.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        Search::new(Arc::clone(&NET), settings).plan(position, &falling).expect("a legal move").placement
    }

    /// A pile of this height with a well and some dents, at level 19, with a score for which [`Aim::Maxout`] plays games out.
    fn pile(rows: usize, seed: u64) -> Position {
        let mut dice = split_mix(seed);
        let mut roll = |sides: u64| {
            dice = split_mix(dice);
            (dice >> 32) % sides
        };
        let visible = std::array::from_fn(|row| match row + rows {
            ..ROWS => 0,
            ROWS => 0b01_1111_0000 >> roll(4),
            _ => 0b01_1111_1111 & !(u16::from(roll(3) == 0) << roll(9)),
        });
        let pieces = [roll(7), roll(7)].map(|piece| Piece::ALL[piece as usize]);
        let [piece, next] = pieces;
        Position { playfield: Playfield::from_rows(visible), piece, next, level: 19, lines: 50, score: 5_000 }
    }

    /// What the careful player may choose, by all pairs of placements with their ways: the best ones, which are equal.
    fn slow_choices(position: &Position) -> Vec<Placement> {
        let evaluator = by_name(CAREFUL, None).expect("built in");
        let style = PressStyle::Taps(TapRate::FASTEST);
        let reached = |playfield: &Playfield, piece| generate(playfield, &Start::spawn(piece), 19_u8, style);
        let mut best: Option<(f64, Vec<Placement>)> = None;
        for first in reached(&position.playfield, position.piece).reached() {
            let after = Afterstate::of(&position.playfield, first.placement);
            if !after.playfield.fits(position.next.spawn(), SPAWN_X, 0) {
                continue;
            }
            for second in reached(&after.playfield, position.next).reached() {
                let both = [after, Afterstate::of(&after.playfield, second.placement)];
                let value = evaluator.judge(&both).value;
                match &mut best {
                    Some((most, all)) if *most == value => all.push(first.placement),
                    Some((most, _)) if *most > value => {}
                    _ => best = Some((value, vec![first.placement])),
                }
            }
        }
        best.expect("a pair").1
    }

    #[test]
    fn on_a_high_pile_the_careful_players_placement_is_taken() {
        let mut others = 0;
        for seed in 0..40 {
            let position = pile(13, seed);
            let choices = slow_choices(&position);
            assert!(choices.contains(&chosen(Aim::Survive, &position)), "{seed}");
            others += u32::from(!choices.contains(&chosen(Aim::Mean, &position)));
        }
        assert!(others > 5, "{others}");
    }

    #[test]
    fn the_maxout_is_played_for_as_for_points_where_no_play_out_tops_out_and_else_with_care() {
        let [mut bold, mut careful] = [0, 0];
        for seed in 0..80 {
            let position = pile(11 + seed as usize % 2, seed);
            let [mean, maxout, survive] = Aim::ALL.map(|aim| chosen(aim, &position));
            assert!([mean, survive].contains(&maxout), "{seed}");
            if mean != survive {
                *(if maxout == mean { &mut bold } else { &mut careful }) += 1;
            }
        }
        assert!(bold > 3 && careful > 3, "{bold} {careful}");
    }

    #[test]
    fn a_pile_is_dangerous_from_the_row_above_the_low_ones_on() {
        let evaluator = by_name(CAREFUL, None).expect("built in");
        let play_outs = Danger::PlayOuts(PlayOuts { games: 50, until: 9, drought: false });
        for (rows, danger, is_dangerous) in
            [(9, Danger::All, false), (10, Danger::All, true), (9, play_outs, false), (17, play_outs, true)]
        {
            let careful = Careful {
                evaluator: &*evaluator,
                care: Care { low: 9, danger },
                style: PressStyle::Taps(TapRate::FASTEST),
                gravity: 19.into(),
                first_press: 0,
            };
            assert_eq!(careful.is_dangerous(&pile(rows, 1), &GeneratorOdds), is_dangerous, "{rows} {danger:?}");
        }
    }

    #[test]
    fn more_piles_are_dangerous_without_an_i() {
        let evaluator = by_name(CAREFUL, None).expect("built in");
        let dangerous = |drought| {
            let danger = Danger::PlayOuts(PlayOuts { games: 16, until: 9, drought });
            let style = PressStyle::Taps(TapRate::FASTEST);
            let care = Care { low: 10, danger };
            let careful = Careful { evaluator: &*evaluator, care, style, gravity: 19.into(), first_press: 0 };
            (0..60).filter(|&seed| careful.is_dangerous(&pile(12, seed), &GeneratorOdds)).count()
        };
        let [with, without] = [dangerous(false), dangerous(true)];
        assert!(with + 10 < without && without < 60, "{with} {without}");
    }

    #[test]
    fn in_a_drought_the_other_pieces_come_as_often_as_before() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for before in Piece::ALL {
            let mut counts = [0_u32; Piece::COUNT];
            for _ in 0..20_000 {
                counts[draw_no_i(before, &mut GeneratorOdds, &mut random).index()] += 1;
            }
            let odds = GeneratorOdds.odds(before);
            let others: f32 =
                Piece::ALL.iter().filter(|&&piece| piece != Piece::I).map(|piece| odds[piece.index()]).sum();
            for piece in Piece::ALL {
                let share = if piece == Piece::I { 0.0 } else { odds[piece.index()] / others };
                assert!((counts[piece.index()] as f32 / 20_000.0 - share).abs() < 0.02, "{before:?} {counts:?}");
            }
        }
        // A game in which only an I can come has no drought.
        #[derive(Clone)]
        struct OnlyI;
        impl Forecast for OnlyI {
            fn odds(&self, _: Piece) -> [f32; Piece::COUNT] {
                Piece::ALL.map(|piece| f32::from(u8::from(piece == Piece::I)))
            }
            fn after(&self, _: Piece) -> OnlyI {
                OnlyI
            }
        }
        assert_eq!(draw_no_i(Piece::T, &mut OnlyI, &mut random), Piece::I);
    }

    #[test]
    fn a_clear_that_reaches_the_goal_is_made() {
        let [mut maxouts, mut last_lines] = [0, 0];
        for seed in 0..400 {
            let early = pile(13, seed);
            // The points of the clear that is chosen for points and that the careful player does not make.
            let clear = |position: &Position, aim| {
                let [mean, careful] = [Aim::Mean, aim].map(|aim| chosen(aim, position));
                let rows = Afterstate::of(&position.playfield, mean).cleared.count;
                (rows > 0 && mean != careful).then(|| clear_points(rows, position.progress_after(rows).level))
            };
            if let Some(points) = clear(&early, Aim::Maxout) {
                let late = Position { score: MAXOUT - points, ..early };
                assert_eq!(chosen(Aim::Maxout, &late), chosen(Aim::Mean, &late), "{seed}");
                maxouts += 1;
            }
            let early = Position { level: 28, lines: 221, ..early };
            let late = Position { lines: 229, ..early };
            let mean = chosen(Aim::Mean, &late);
            if clear(&early, Aim::Survive).is_some() && Afterstate::of(&late.playfield, mean).cleared.count > 0 {
                assert_eq!(chosen(Aim::Survive, &late), mean, "{seed}");
                last_lines += 1;
            }
        }
        assert!(maxouts > 1 && last_lines > 1, "{maxouts} {last_lines}");
    }

    #[test]
    fn a_low_pile_is_left_to_the_values() {
        for (seed, aim) in (0..20).flat_map(|seed| Aim::ALL.map(|aim| (seed, aim))) {
            let position = pile(5, seed);
            assert_eq!(chosen(aim, &position), chosen(Aim::Mean, &position), "{seed} {aim}");
        }
    }

    #[test]
    fn after_the_maxout_and_from_level_29_on_nothing_is_given_up() {
        let mut careful = 0;
        for seed in 0..20 {
            let position = pile(15, seed);
            let [before, maxed, mean] = [(Aim::Maxout, position.score), (Aim::Maxout, MAXOUT), (Aim::Mean, 0)]
                .map(|(aim, score)| chosen(aim, &Position { score, ..position }));
            careful += u32::from(before != mean);
            assert_eq!(maxed, mean, "{seed}");
            let late = Position { level: 29, lines: 230, ..position };
            assert_eq!(chosen(Aim::Survive, &late), chosen(Aim::Mean, &late), "{seed}");
        }
        assert!(careful > 3, "{careful}");
    }

    /// The play-outs are games of the same player as a [`Search`], which the simulation plays, too.
    #[test]
    fn play_outs_end_as_games_of_the_careful_player() {
        let style = PressStyle::Taps(TapRate::FASTEST);
        let (evaluator, gravity) = (by_name(CAREFUL, None).expect("built in"), Gravity::from(19_u8));
        let care = Care { low: 11, danger: Danger::All };
        let careful = Careful { evaluator: &*evaluator, care, style, gravity, first_press: 0 };
        let search = Search::new(by_name(CAREFUL, None).expect("built in"), Settings::default());
        let [mut topouts, mut differ] = [0, 0];
        for game in 0..200 {
            let position = pile(14, game % 20);
            let play_outs = PlayOuts { games: 1, until: 11, drought: game % 2 == 1 };
            let dice = || Xoshiro256PlusPlus::seed_from_u64(game);
            let (mut forecast, mut random) = (GeneratorOdds, dice());
            let by_play_out =
                careful.tops_out(play_outs, position.playfield, position.piece, &mut forecast, &mut random);
            let (mut random, mut now) = (dice(), position);
            let by_search = loop {
                if height(&now.playfield) <= play_outs.until {
                    break false;
                }
                // Its evaluator does not use the next piece.
                let piece = FallingPiece::spawned(now.piece.spawn(), 0);
                let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
                let Some(plan) = search.plan(&now, &falling) else { break true };
                now.playfield = plan.playfield;
                let last = now.piece;
                now.piece = forecast.draw(last, &mut random);
                while play_outs.drought && now.piece == Piece::I {
                    now.piece = forecast.draw(last, &mut random);
                }
            };
            topouts += u32::from(by_play_out);
            differ += u32::from(by_play_out != by_search);
        }
        // Where two placements are worth the same, each takes the first of its own order.
        assert!((20..180).contains(&topouts) && differ < 10, "{topouts} {differ}");
    }
}
