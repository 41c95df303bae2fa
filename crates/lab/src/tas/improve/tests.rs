//! A game that the search finds is made worse, and improved again.

use std::sync::LazyLock;

use maxout_engine::game::{Piece, Placement};
use maxout_engine::tas::Page;

use super::skeleton::Step;
use super::*;
use crate::tas::plan::{Planning, plan};
use crate::tas::{Search, Settings, Weights};

const GOAL: Goal = Goal::Score(20_000);
pub(in crate::tas) const IMPROVING: Improving = Improving {
    goal: GOAL,
    count: Count::Goal,
    shape: 1,
    across: 0,
    cycles: false,
    parts: None,
    width: 300,
    menu_delay: 1,
};

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
    let found = improvement
        .search(Stretches::Short { shift }, threads, &AtomicBool::new(false), |_| ())
        .expect("a way through");
    found.expect("nothing stops it")
}

#[test]
fn no_search_has_more_stretches_than_a_checkpoint_counts() {
    let all = Improving {
        shape: 3,
        across: 10,
        cycles: true,
        parts: Some(SearchOfParts { columns: None, same_clears: false, memory: 0 }),
        ..IMPROVING
    };
    assert_eq!(all.stretches().len(), Improving::MOST_STRETCHES);
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
    for cut in short_cuts(&skeletons[0].steps, 5, 0).into_iter().skip(1) {
        assert_eq!(skeletons[0].steps[cut - 1].page, skeletons[1].steps[cut - 1].page, "after piece {cut}");
    }
}

#[test]
fn a_game_without_runs_is_searched_by_the_stretches_between_them() {
    let (goal, steps, buttons) = &*PLANNED;
    assert_eq!(cycles::runs(steps), []);
    for (across, alone) in [(0, Stretches::Short { shift: 0 }), (20, Stretches::Long { first: 0 })] {
        let improving = Improving { goal: *goal, across, cycles: true, ..IMPROVING };
        assert_eq!(improving.stretches()[0], Stretches::Cycles);
        let improvement = Improvement::of(buttons, improving).expect("a game");
        let [found, other] = [Stretches::Cycles, alone]
            .map(|stretches| improvement.search(stretches, 2, &AtomicBool::new(false), |_| ()).expect("a way through"));
        assert_eq!(found, other);
    }
}

#[test]
fn stretches_end_with_clears_and_after_their_pieces() {
    let buttons = found().play(GOAL).expect("the rules model agrees").buttons;
    let steps = Skeleton::of(&buttons, GOAL).expect("a game").steps;
    for (most, shift) in [(1, 0), (4, 0), (4, 2), (10, 5)] {
        let cuts = short_cuts(&steps, most, shift);
        assert_eq!((cuts[0], cuts.last().copied()), (0, Some(steps.len())));
        assert!(cuts.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= most), "{cuts:?}");
        let inside = |cut: usize| cuts.contains(&cut);
        assert!((1..=steps.len()).all(|piece| steps[piece - 1].rows == 0 || inside(piece)), "{cuts:?}");
        assert!(shift == 0 || cuts[1] == shift, "{cuts:?}");
    }
}

/// A game of some tetrises, from a plan: its goal, its steps and its buttons.
static PLANNED: LazyLock<(Goal, Vec<Step>, Vec<Buttons>)> = LazyLock::new(|| {
    let goal = Goal::Score(60_000);
    let planning = Planning { goal, start_level: 18, alike: 4, menu_delay: 1, wait: 0.1, seed: 1 };
    let stop = AtomicBool::new(false);
    let plan = plan(planning, Tables::built_in(), 2, &stop, |_, _| ()).expect("a plan");
    let improvement = Improvement::of_plan(&plan, Improving { goal, shape: 3, ..IMPROVING });
    let found = improvement.search(Stretches::Short { shift: 0 }, 2, &stop, |_| ()).expect("a way through");
    let buttons = found.expect("nothing stops it").play(goal).expect("the rules model agrees").buttons;
    let steps = Skeleton::of(&buttons, goal).expect("a game").steps;
    assert!(steps.iter().filter(|step| step.rows > 0).count() >= 3);
    (goal, steps, buttons)
});

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn long_stretches_find_a_faster_game_and_keep_their_last_playfields() {
    let (goal, steps, buttons) = &*PLANNED;
    let improvement =
        |across| Improvement::of(buttons, Improving { goal: *goal, across, ..IMPROVING }).expect("a game");
    let search = |across, threads| {
        let long = Stretches::Long { first: 0 };
        let found = improvement(across).search(long, threads, &AtomicBool::new(false), |_| ()).expect("a way through");
        found.expect("nothing stops it")
    };
    let found = search(300, 1);
    assert_eq!(found, search(300, 3), "the number of threads changes nothing");
    let frame = improvement(0).frame();
    assert!(found.frame < frame, "{} against {frame}", found.frame);
    let played = found.play(*goal).expect("the rules model agrees");
    let then = Skeleton::of(&played.buttons, *goal).expect("a game").steps;
    let cuts = long_cuts(steps, LONG, 0);
    for &cut in &cuts[1..] {
        assert_eq!(steps[cut - 1].page, then[cut - 1].page, "after piece {cut}");
    }
    // With one playfield after each piece there is no other way than the game's own one.
    assert!(search(1, 2).frame <= frame);

    let stopped = improvement(300).search(Stretches::Long { first: 0 }, 2, &AtomicBool::new(true), |_| ());
    assert_eq!(stopped, Ok(None));
}

/// A playfield, and the clears before it.
type Playfield = (Page, usize);

/// All playfields and placements on the ways from the first of these steps to the playfield after the last one, with
/// clears of the same rows: how many in each layer. Every placement of every piece is tried.
fn slow_counts(steps: &[Step]) -> Vec<(usize, usize)> {
    let clears: Vec<u8> = steps.iter().map(|step| step.rows).filter(|&rows| rows > 0).collect();
    let first = steps[0].spawned;
    let mut reach = Reach::stopping();
    let mut layers: Vec<HashSet<(Playfield, Placement, Playfield)>> = Vec::new();
    let mut now = HashSet::from([(first.page, 0)]);
    for _ in steps {
        let mut ways = HashSet::new();
        for &(page, before) in &now {
            let mut progress = first.progress;
            for &rows in &clears[..before] {
                progress.count_a_type(rows);
            }
            for piece in Piece::ALL {
                let spawned = Spawned { page, piece, progress, ..first };
                reach.landings(&page, piece, frames_per_row(progress.level), false, MOST_FALL, |landing| {
                    let locked = spawned.lock(landing.placement, landing.frames, 0);
                    let after = before + usize::from(locked.rows > 0);
                    if locked.rows == 0 || clears.get(before) == Some(&locked.rows) {
                        ways.insert(((page, before), landing.placement, (*locked.page(), after)));
                    }
                });
            }
        }
        now = ways.iter().map(|&(.., to)| to).collect();
        layers.push(ways);
    }
    let mut lead = HashSet::from([(steps[steps.len() - 1].page, clears.len())]);
    let mut counts = Vec::new();
    for ways in layers.iter_mut().rev() {
        ways.retain(|(.., to)| lead.contains(to));
        lead = ways.iter().map(|&(from, ..)| from).collect();
        counts.push((lead.len(), ways.len()));
    }
    counts.reverse();
    counts
}

#[test]
fn a_long_stretch_has_every_way_that_a_slow_search_finds() {
    let (_, steps, _) = &*PLANNED;
    let tables = Tables::built_in();
    let stop = AtomicBool::new(false);
    let wide = Wide { tables, playfields: usize::MAX, threads: 2, stop: &stop };
    let mut others = 0;
    let clears = (1..steps.len() - 1).filter(|&at| steps[at].rows > 0);
    // Two pieces with a clear at either end, and once three pieces with a clear in the middle or at the end.
    let two = clears.clone().flat_map(|at| [at - 1..at + 1, at..at + 2]);
    for stretch in two.chain(clears.take(1).flat_map(|at| [at - 1..at + 2, at - 2..at + 1])) {
        let stretch = &steps[stretch];
        let shape = wide.shape(stretch, false, false).expect("a way");
        let counts: Vec<(usize, usize)> = shape
            .layers
            .iter()
            .map(|layer| {
                let edges =
                    (0..layer.len() as u32).flat_map(|node| Piece::ALL.map(|piece| layer.edges(node, piece).len()));
                (layer.len(), edges.sum())
            })
            .collect();
        assert_eq!(counts, slow_counts(stretch));
        others += usize::from(counts[1].0 > 1);
    }
    assert!(others > 0, "no stretch has another way");
}

#[test]
fn long_stretches_end_with_clears() {
    let (_, steps, _) = &*PLANNED;
    for (most, first) in [(24, 0), (24, 8), (9, 0), (3, 2)] {
        let cuts = long_cuts(steps, most, first);
        assert_eq!((cuts[0], cuts.last().copied()), (0, Some(steps.len())));
        for (index, pair) in cuts.windows(2).enumerate() {
            let longest = if index == 0 && first > 0 { first } else { most };
            let stretch = &steps[pair[0]..pair[1]];
            assert!((1..=longest).contains(&stretch.len()), "{cuts:?}");
            // It goes on after the last clear only if that is not within its pieces.
            let within = &steps[pair[0]..steps.len().min(pair[0] + longest)];
            let last = within.iter().rposition(|step| step.rows > 0);
            assert_eq!(stretch.len(), last.map_or(within.len(), |last| last + 1), "{cuts:?}");
        }
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
    let lacks = improvement.search(Stretches::Short { shift: 0 }, 2, &AtomicBool::new(false), |_| ());
    assert_eq!(lacks, Err(ImproveError::Pushdown { goal: Goal::Score(clears + 1000), points: 1000 }));
    // Points of pushdown before any clear.
    let refused = Improvement::of(&buttons, Improving { goal: Goal::Score(2), ..IMPROVING }).map(|_| ());
    assert_eq!(refused, Err(ImproveError::NoClear { goal: Goal::Score(2), score: 0 }));
}
