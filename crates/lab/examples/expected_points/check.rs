//! Are the stated levels right?

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use maxout_engine::analysis::{Analyst, Horizon, Prospect, Valued};
use maxout_engine::console::Simulated;
use maxout_engine::game::Position;
use maxout_engine::judge;
use maxout_engine::judge::learned::NetSet;
use maxout_engine::planner::{Judged, Search, Settings, Sight, Think};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_engine::{parallel, seed};
use maxout_formats::FileFormat;
use maxout_formats::games::open_games;

use crate::game::{falling, net, play, settings, start, threads};

/// The players whose games give positions: name and tap rate.
const PLAYERS: [(&str, u64); 9] = [
    ("learned", 30),
    ("learned", 20),
    ("learned", 15),
    ("learned", 12),
    ("learned", 10),
    ("birken-v2", 30),
    ("birken-v2", 15),
    ("el-tetris", 30),
    ("el-tetris", 12),
];

/// What is found out about a position.
struct Row {
    position: Position,
    /// Expected points.
    stated: f64,
    /// Mean of the games that were played on, and its standard error.
    played: (f64, f64),
    /// Points by which the best placement is ahead of the second at three plies.
    gap: f64,
    /// Is it the best one at five plies, too?
    is_same: bool,
    /// What it is behind the best one at five plies.
    behind: f64,
}

pub(crate) fn check(positions: u64, games: u64, seed: u64, movies: &[String]) -> Result<(), Box<dyn Error>> {
    let net = net()?;
    let mut from_movies = Vec::new();
    for path in movies {
        let path = Path::new(path);
        let format = FileFormat::of_path(path).ok_or("expected a movie or a log by its name")?;
        let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
        let recorded = open_games(path, format, &mut Simulated::power_on(), &decoder)?;
        from_movies.extend(recorded.games.into_iter().flat_map(|game| game.pieces).map(|piece| piece.position));
    }
    println!("player,tap_rate,level,lines,height,stated,played,error,gap,same,behind");
    let sources = PLAYERS.len() as u64 + u64::from(!from_movies.is_empty());
    let work = |(): &mut (), index: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, index));
        let (name, hz, position) = match PLAYERS.get((index % sources) as usize) {
            Some(&(name, hz)) => {
                let found = judge::by_name(name, None).expect("its own weights");
                let search = Search::new(found, settings(hz));
                let stop = random.random_range(0..700);
                let level = 18 + (index / sources % 2) as u8;
                let game = play(&search, start(level, &mut random), &mut random, |_, lines| lines >= 330);
                (name, hz, game.steps[stop % game.steps.len()].position)
            }
            None => ("movie", 30, from_movies[random.random_range(0..from_movies.len())]),
        };
        ControlFlow::<_, _>::Continue((name, hz, state_and_play(&net, hz, position, games, &mut random)))
    };
    let each = |(name, hz, row): (&str, u64, Option<Row>)| {
        let Some(Row { position, stated, played, gap, is_same, behind }) = row else { return };
        let Position { level, lines, playfield, .. } = position;
        let height = 20 - playfield.top();
        println!(
            "{name},{hz},{level},{lines},{height},{stated:.0},{:.0},{:.0},{gap:.0},{},{behind:.0}",
            played.0,
            played.1,
            u8::from(is_same)
        );
    };
    parallel::in_order(threads(), || (), 0..positions, work, each);
    Ok(())
}

fn state_and_play(
    net: &Arc<NetSet>,
    hz: u64,
    position: Position,
    games: u64,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Row> {
    let analyst = Analyst::new(Arc::clone(net), settings(hz));
    let judge = |analyst: &Analyst| analyst.judge(&position, &falling(position.piece), Sight::WithNext);
    let judged = judge(&analyst);
    let best = judged.first()?;
    let expectation = analyst.expectation();
    let search = analyst.search();
    let prospect = Prospect::of(&search, expectation, &position, best.placement, Sight::WithNext);
    let stated = prospect.points(expectation.points(&position, best.verdict.value));
    let valued = |judged: &Judged| Valued { value: judged.verdict.value, clears: judged.clears };
    let loss = |best, other| prospect.difference(expectation.loss(&position, valued(best), valued(other)));
    let gap = judged[1..].iter().map(|other| loss(best, other)).fold(f64::INFINITY, f64::min);
    let deep = judge(&Analyst::new(Arc::clone(net), Settings { think: Some(Think::Plies(5)), ..settings(hz) }));
    let deep_best = deep.first()?;
    let again = deep.iter().find(|judged| judged.placement == best.placement)?;
    let horizon = Horizon::of(&position);
    let played: Vec<f64> = (0..games)
        .map(|_| play(&search, position, random, |level, lines| horizon.is_reached(level, lines)).points as f64)
        .collect();
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    let squares: f64 = played.iter().map(|points| (points - mean).powi(2)).sum();
    let deviation = (squares / (played.len() as f64 - 1.0)).sqrt();
    Some(Row {
        position,
        stated,
        played: (mean, deviation / (played.len() as f64).sqrt()),
        gap,
        is_same: deep_best.placement == best.placement,
        behind: loss(deep_best, again),
    })
}
