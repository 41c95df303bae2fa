//! Whole games by the built-in net with each aim.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use maxout_engine::judge::learned::{NetSet, weights};
use maxout_engine::parallel;
use maxout_engine::planner::{Aim, Search, Settings, Think};
use maxout_lab::simulate::{self, Ending, GameResult, play_game};

static GO_ON: AtomicBool = AtomicBool::new(false);
static NETS: LazyLock<Arc<NetSet>> = LazyLock::new(|| Arc::new(weights::embedded_set()));

/// Games from level 19 until 230 lines, one ply each: the net alone tops out in one of a hundred.
fn games(aim: Aim, games: std::ops::Range<u64>) -> Vec<GameResult> {
    let settings = Settings { aim, think: Some(Think::Plies(1)), ..Settings::default() };
    let player = || Search::new(Arc::clone(&NETS), settings.clone());
    let until = "lines:230".parse().expect("an end");
    let game = simulate::Settings { until, ..simulate::Settings::default() };
    let play = |player: &mut Search, number| play_game(player, &game, number, &GO_ON).expect("a game").result;
    parallel::map(2, &mut player(), player, games, play)
}

fn topouts(games: &[GameResult]) -> usize {
    games.iter().filter(|game| game.ending == Ending::Topout).count()
}

#[test]
fn a_careful_player_survives_where_the_net_alone_does_not() {
    let [mean, survive] = [Aim::Mean, Aim::Survive].map(|aim| topouts(&games(aim, 100..160)));
    assert!(mean >= 1, "{mean} of 60");
    assert_eq!(survive, 0);
}

#[test]
fn the_same_game_is_played_twice_and_each_aim_plays_another() {
    let [mean, maxout, survive] = Aim::ALL.map(|aim| {
        let game = games(aim, 7..8);
        assert_eq!(games(aim, 7..8), game, "{aim}");
        game
    });
    assert!(mean != maxout && maxout != survive && mean != survive);
}
