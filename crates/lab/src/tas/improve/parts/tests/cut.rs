//! How a game is cut into its parts, and from which playfields and columns they are searched.

use super::*;

#[test]
fn the_fastest_movie_has_parts_and_a_short_game_has_none() {
    let improvement = improvement();
    let parts = Parts::of(&improvement.skeleton.steps, None).expect("parts");
    assert!(parts.second.start < parts.second.end && parts.second.end < improvement.pieces());
    assert!(parts.clears[0] + 5 < parts.clears[1], "{:?}", parts.clears);
    assert!(parts.second_top.holes.len() >= 12);
    let own: Vec<_> = parts.floors.iter().filter(|floor| !floor.own.is_empty()).collect();
    assert!(parts.floors.len() >= 2 && own.len() == 1, "{:?}", parts.floors);
    assert!(parts.second_top.holes.starts_with(&own[0].holes));
    for floor in &parts.floors {
        let rows = (floor.first.floor..ROWS as i8).zip(floor.holes.iter().rev());
        rows.for_each(|(row, &hole)| assert_eq!(hole_of(floor.row(row)), Some(hole)));
        let holes = [&floor.holes[..], &parts.second_top.holes[floor.holes.len()..]].concat();
        assert!(parts.last_holes.begin_with(&holes), "{holes:?}");
    }
    assert!([1, 3, 9].iter().all(|&hole| parts.last_holes.begin_with(&[hole])));
    let short = Improvement::of(&MOVIE, Improving { goal: Goal::Score(100_000), ..IMPROVING }).expect("a game");
    let found = short.search(Stretches::Parts(PARTS), 1, &AtomicBool::new(false), |_| ());
    assert_eq!(found, Err(ImproveError::NoParts));
    assert_eq!(
        improvement.search(Stretches::Parts(PARTS), 1, &AtomicBool::new(true), |_| ()),
        Ok(None),
        "it was stopped"
    );
}

#[test]
fn a_group_has_its_holes_in_the_given_columns_or_in_that_of_the_games_own_group() {
    let holes = in_groups("3,5,9".parse().expect("columns"), &[1, 1, 1, 1, 7, 7], 3);
    let groups = |columns: [usize; 3]| columns.map(|column| [column as u8; 4]).concat();
    for group in 0..3 {
        // The columns 1 and 7 are the game's own ones, in one group each.
        for column in 0..10 {
            let mut columns = [9, 5, 9];
            columns[group] = column;
            let is_other = (1..3).all(|above| columns[above] != columns[above - 1]);
            let is_wanted = [3, 5, 9].contains(&column) || [Some(1), Some(7), None][group] == Some(column);
            assert_eq!(holes.begin_with(&groups(columns)), is_other && is_wanted, "{columns:?}");
        }
    }
    assert_eq!(holes.rows(), 12);
}

#[test]
fn cycles_are_looked_for_from_the_playfields_of_other_games_too() {
    let improvement = improvement();
    let (steps, openings, lists) = (&improvement.skeleton.steps, &improvement.openings(), &Lists::default());
    let columns = "3,9".parse().ok();
    let parts = Parts::of(steps, columns).expect("parts");
    let stop = &AtomicBool::new(false);
    let tops = |others: &[Page]| {
        let (shapes, goal) = (&|_: Range<usize>, _: &mut dyn FnMut(Progress)| None, GOAL);
        let (width, threads) = (1, 1);
        let remake = Remake { steps, openings, others, shapes, parts: PARTS, goal, width, lists, threads, stop };
        tops::tops_of(&BTreeSet::from([3, 9]), &remake.playfields(&parts)).len()
    };
    // A cell of column 0 over the ready rows: no clear of the movie leaves it.
    let page = |hole| Page::from_cells(|cell| cell == 40 || cell >= 50 && cell % 10 != hole);
    let own = tops(&[]);
    assert!(own > 10, "{own}");
    assert_eq!(tops(&[page(9), page(9), page(3)]), own + 2, "over holes in two columns");
    assert_eq!(tops(&[page(5)]), own, "cycles are listed over holes in two columns alone");
    assert_eq!(tops(&[improvement.playfields()[3]]), own, "the movie's own");
}
