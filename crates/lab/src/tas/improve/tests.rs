//! A game that the search finds is made worse, and improved again.

use super::*;
use crate::tas::{Search, Settings, Weights};

const GOAL: Goal = Goal::Score(20_000);
const IMPROVING: Improving = Improving { goal: GOAL, count: Count::Goal, shape: 1, width: 300, menu_delay: 1 };

/// A game of one tetris, found by a narrow search.
fn found() -> Found {
    let settings = Settings {
        goal: GOAL,
        count: Count::Goal,
        start_level: 18,
        width: 12,
        longest_pause: 1,
        same_playfield: 2,
        menu_delay: 1,
        seed: 1,
        noise: 0.0,
        weights: Weights::built_in(),
    };
    let mut search = Search::new(settings);
    let stop = AtomicBool::new(false);
    while !search.is_over() {
        search.layer(2, &stop).expect("nothing stops it");
    }
    search.found().expect("a game that reaches the goal")
}

fn improved(buttons: &[Buttons], improving: Improving, shift: usize, threads: usize) -> Found {
    let improvement = Improvement::of(buttons, improving).expect("a game");
    let found = improvement.search(shift, threads, &AtomicBool::new(false), |_| ()).expect("a way through");
    found.expect("nothing stops it")
}

#[test]
fn a_game_is_taken_apart_as_it_was_put_together() {
    let found = found();
    let played = found.play(GOAL).expect("the rules model agrees");
    let skeleton = Skeleton::of(&played.buttons, GOAL).expect("a game");
    assert_eq!((skeleton.frame, &skeleton.opening.first), (found.frame, &found.opening.first));
    let placements: Vec<_> = found.moves.iter().map(|moved| moved.landing.placement).collect();
    assert_eq!(skeleton.steps.iter().map(|step| step.placement).collect::<Vec<_>>(), placements);
    let clears = skeleton.steps.iter().filter(|step| step.rows > 0).count();
    assert_eq!(clears, played.clears.into_iter().sum::<u32>() as usize);
}

#[test]
fn lost_time_is_found_again_and_placements_stay_where_they_were() {
    let found = found();
    let buttons = found.play(GOAL).expect("the rules model agrees").buttons;
    // The menus are slower: the same pieces do not come by themselves then.
    let placements = |found: &Found| -> Vec<_> { found.moves.iter().map(|moved| moved.landing.placement).collect() };
    let again = improved(&buttons, IMPROVING, 0, 1);
    assert!(again.frame <= found.frame, "{} against {}", again.frame, found.frame);
    assert_eq!(placements(&again), placements(&found));
    again.play(GOAL).expect("the rules model agrees");

    let free = Improving { shape: 5, ..IMPROVING };
    let shaped = [1, 3].map(|threads| improved(&buttons, free, 0, threads));
    assert_eq!(shaped[0], shaped[1], "the number of threads changes nothing");
    assert!(shaped[0].frame <= again.frame, "{} against {}", shaped[0].frame, again.frame);
    let played = shaped[0].play(GOAL).expect("the rules model agrees");
    // Playfields are the same after each stretch, whatever pieces filled it.
    let skeletons = [&buttons, &played.buttons].map(|buttons| Skeleton::of(buttons, GOAL).expect("a game"));
    for cut in cuts(&skeletons[0].steps, 5, 0).into_iter().skip(1) {
        assert_eq!(skeletons[0].steps[cut - 1].page, skeletons[1].steps[cut - 1].page, "after piece {cut}");
    }
}

#[test]
fn stretches_end_with_clears_and_after_their_pieces() {
    let buttons = found().play(GOAL).expect("the rules model agrees").buttons;
    let steps = Skeleton::of(&buttons, GOAL).expect("a game").steps;
    for (most, shift) in [(1, 0), (4, 0), (4, 2), (10, 5)] {
        let cuts = cuts(&steps, most, shift);
        assert_eq!((cuts[0], cuts.last().copied()), (0, Some(steps.len())));
        assert!(cuts.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= most), "{cuts:?}");
        let inside = |cut: usize| cuts.contains(&cut);
        assert!((1..=steps.len()).all(|piece| steps[piece - 1].rows == 0 || inside(piece)), "{cuts:?}");
        assert!(shift == 0 || cuts[1] == shift, "{cuts:?}");
    }
}

#[test]
fn what_is_no_game_to_the_goal_is_refused() {
    let of = |buttons: &[Buttons]| Improvement::of(buttons, IMPROVING).map(|_| ());
    assert_eq!(of(&[]), Err(ImproveError::NoGame));
    assert_eq!(of(&[Buttons::A; 900]), Err(ImproveError::NoGame));
    let buttons = found().play(GOAL).expect("the rules model agrees").buttons;
    let short = of(&buttons[..buttons.len() / 2]);
    assert!(matches!(short, Err(ImproveError::Goal { goal: GOAL, score: 0, lines: 0 })), "{short:?}");
}

#[test]
#[ignore = "two searches through a game; .ci/run runs it"]
fn points_of_pushdown_are_kept_where_the_clears_alone_do_not_reach_the_goal() {
    // Plain ways push few pieces down, others reach more points in the same frames.
    let found = Found { pushes: true, ..found() };
    let clears = 22_800;
    let score = found.score().expect("every piece has a way");
    assert!(score > clears + 20, "{score}");
    let goal = Goal::Score(score - 10);
    let buttons = found.play(goal).expect("the rules model agrees").buttons;
    let improving = Improving { goal, ..IMPROVING };
    let again = improved(&buttons, improving, 0, 2);
    assert!(again.pushes && again.frame <= found.frame, "{} against {}", again.frame, found.frame);
    let played = again.play(goal).expect("the rules model agrees");
    assert_eq!((played.clears, played.score >= score - 10), ([0, 0, 0, 1], true));
    // Without them the same search does not reach the goal.
    assert!(Found { pushes: false, ..again }.play(goal).is_err());

    // More points than its pieces can bring.
    let mut improvement = Improvement::of(&buttons, improving).expect("a game");
    assert_eq!(improvement.pushdown, score - 10 - clears);
    (improvement.settings.goal, improvement.pushdown) = (Goal::Score(clears + 1000), 1000);
    let lacks = improvement.search(0, 2, &AtomicBool::new(false), |_| ());
    assert_eq!(lacks, Err(ImproveError::Pushdown { goal: Goal::Score(clears + 1000), points: 1000 }));
    // Points of pushdown before any clear.
    let refused = Improvement::of(&buttons, Improving { goal: Goal::Score(2), ..IMPROVING }).map(|_| ());
    assert_eq!(refused, Err(ImproveError::NoClear { goal: Goal::Score(2), score: 0 }));
}
