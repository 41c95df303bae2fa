//! What is kept: lists in a file, and the movie's own game among the others.

use super::*;
use crate::tas::stages::{self, Stages};

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn lists_that_were_written_are_read_and_make_the_same_graph() {
    let stop = AtomicBool::new(false);
    let bare = Above::of_rows(&[]);
    let cycles = BTreeSet::from([9, 5].map(|hole| (bare, bare.before(Sunk::of([hole])))));
    let (lists, spawned) = (Lists::default(), improvement().skeleton.steps[0].spawned);
    let graph = |lists: &Lists, listed: &mut Vec<usize>| {
        let ways = &lists.kept().ways;
        Graph::of(18, MOST_MORE, &cycles, ways, 2, &stop, |now| listed.push(now)).expect("nothing stops it")
    };
    let tops = |lists: &Lists, looked_at: &mut Vec<usize>| {
        let over = (3, (9, top::Top::bare(9)));
        let ends = |reach: &mut Reach, (_, over): &(u8, (usize, top::Top))| tops::ends(reach, spawned, over);
        let known = lists.kept().ends.with(&[over], 1, &stop, |now, _| looked_at.push(now), ends);
        known.expect("nothing stops it")[&over].clone()
    };
    let (mut listed, mut looked_at) = (Vec::new(), Vec::new());
    let (first, ends) = (graph(&lists, &mut listed), tops(&lists, &mut looked_at));
    assert!(!ends.is_empty() && lists.count() == 3, "{} lists", lists.count());
    assert_eq!((listed, looked_at), (vec![2], vec![1]));
    let bytes = lists.write();
    let again = Lists::read(&bytes).expect("lists");
    assert!(again.count() == 3 && again.write() == bytes);
    let (mut listed, mut looked_at) = (Vec::new(), Vec::new());
    assert_eq!(graph(&again, &mut listed).edges, first.edges);
    assert_eq!(tops(&again, &mut looked_at), ends);
    assert!(listed.is_empty() && looked_at.is_empty(), "nothing is listed twice");
    // Damaged, of another layout, and nothing.
    for at in [10, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Lists::read(&damaged).is_err(), "byte {at}");
    }
    assert_eq!(Lists::read(&bytes[..bytes.len() - 1]).err(), Some(ListsError::Damaged));
    let stages = stages::write(&Stages::default(), "");
    assert_eq!(Lists::read(&stages).err(), Some(ListsError::Other));
    assert_eq!(Lists::read(b"").err(), Some(ListsError::Other));
    // What is stopped is not kept.
    let (lists, stop) = (Lists::default(), AtomicBool::new(true));
    assert!(Graph::of(18, MOST_MORE, &cycles, &lists.kept().ways, 1, &stop, |_| ()).is_none());
    assert_eq!(lists.count(), 0);
}

#[test]
fn the_movie_s_own_game_is_among_the_games_after_each_of_its_clears() {
    let improvement = improvement();
    let (steps, openings) = (&improvement.skeleton.steps, &improvement.openings());
    let mut record = Record::default();
    let games = own::own(steps, openings, &mut record);
    let after: Vec<u32> = steps.windows(2).filter(|pair| pair[0].rows > 0).map(|pair| pair[1].spawned.frame).collect();
    assert_eq!(games.iter().map(|it| it.1.now.frame).collect::<Vec<u32>>(), after);
    assert!(after.len() > 40 && games.iter().all(|&(key, game)| key == game.now.frame as f32));
    let (opening, pieces) = record.of(games[after.len() - 1].1.last);
    let own = pieces.iter().fold(openings[opening as usize].first, |now, done| done.played(&now));
    assert_eq!(own, games[after.len() - 1].1.now);
    let counts: Vec<u8> = own::after_clears(&games, 3..=5).map(|it| clears_of(&it.1.now)).collect();
    assert_eq!(counts, [3, 4, 5]);
    // No game of the search waits as long for a lock and spawns the next piece as soon: those before it stay.
    let mut steps = steps.clone();
    let wrong = steps.iter().position(|step| step.rows > 0).expect("a clear") + 1;
    steps[wrong].frames += 60;
    assert_eq!(own::own(&steps, openings, &mut Record::default()).len(), 1);
    steps[wrong].frames -= 60;
    // A pause could make up for a lock in the next frame, but no buttons lead there.
    let too_fast = |index: &usize| Step { frames: 1, ..steps[*index] };
    let leads = |index: &usize| Done::between(&steps[*index].spawned, &too_fast(index), &steps[index + 1].spawned);
    let impossible = (wrong..steps.len() - 1).find(|index| leads(index).is_some()).expect("a piece");
    let clears = steps[..impossible].iter().filter(|step| step.rows > 0).count();
    steps[impossible] = too_fast(&impossible);
    assert_eq!(own::own(&steps, openings, &mut Record::default()).len(), clears);
    assert!(own::own(&steps, &openings[..0], &mut Record::default()).is_empty());
}
