//! Work on several threads: the only place in the engine that starts any.
//!
//! Every function gives the same outcomes on any number of threads, as long as the work on an item
//! does not depend on what its thread worked on before. Without the feature `parallel` everything is
//! done on the calling thread, for any requested number of threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Does `work` for each item on up to `threads` threads and returns the outcomes in the order of the
/// items.
///
/// The calling thread is one of them and works with `own`; each of the others works with what
/// `another` makes for it.
///
/// ```
/// let squares = maxout_engine::parallel::map(2, &mut (), || (), [1, 2, 3], |(), number| number * number);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
pub fn map<W, I: Send, T: Send>(
    threads: usize,
    own: &mut W,
    another: impl Fn() -> W + Sync,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(&mut W, I) -> T + Sync,
) -> Vec<T> {
    let items = items.into_iter();
    #[cfg(feature = "parallel")]
    if let Some(threads) = threaded::several(threads, &items) {
        return threaded::map(threads, own, another, items, work);
    }
    #[cfg(not(feature = "parallel"))]
    let _ = (threads, another);
    items.map(|item| work(own, item)).collect()
}

/// Does `work` for each item on up to `threads` threads; `each` takes the outcomes on the calling
/// thread, with the number of their item, as soon as they are there and in any order.
///
/// Each thread works with what `worker` makes for it. After a [`ControlFlow::Break`] no further item
/// is begun; the outcomes of those that were under way still come.
pub fn as_done<W, I: Send, T: Send>(
    threads: usize,
    worker: impl Fn() -> W + Sync,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(&mut W, I) -> ControlFlow<T, T> + Sync,
    mut each: impl FnMut(usize, T),
) {
    let items = items.into_iter();
    #[cfg(feature = "parallel")]
    if let Some(threads) = threaded::several(threads, &items) {
        return threaded::as_done(threads, worker, items, work, &mut each);
    }
    #[cfg(not(feature = "parallel"))]
    let _ = threads;
    let mut worker = worker();
    for (index, item) in items.enumerate() {
        match work(&mut worker, item) {
            ControlFlow::Continue(outcome) => each(index, outcome),
            ControlFlow::Break(outcome) => return each(index, outcome),
        }
    }
}

/// [`as_done`] with the outcomes in the order of their items: an outcome waits for all earlier ones.
pub fn in_order<W, I: Send, T: Send>(
    threads: usize,
    worker: impl Fn() -> W + Sync,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(&mut W, I) -> ControlFlow<T, T> + Sync,
    mut each: impl FnMut(T),
) {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    as_done(threads, worker, items, work, |index, outcome| {
        waiting.insert(index, outcome);
        while let Some(outcome) = waiting.remove(&next) {
            each(outcome);
            next += 1;
        }
    });
}

#[cfg(feature = "parallel")]
mod threaded {
    use std::iter::Enumerate;
    use std::ops::ControlFlow;
    use std::panic::resume_unwind;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, PoisonError, mpsc};
    use std::thread;

    /// How many threads have something to do, if more than one has.
    pub(super) fn several(threads: usize, items: &impl Iterator) -> Option<usize> {
        let threads = threads.min(items.size_hint().1.unwrap_or(usize::MAX));
        (threads > 1).then_some(threads)
    }

    /// The items that no thread has taken yet.
    struct Queue<I>(Mutex<Enumerate<I>>);

    impl<I: Iterator> Queue<I> {
        fn new(items: I) -> Queue<I> {
            Queue(Mutex::new(items.enumerate()))
        }

        fn take(&self) -> Option<(usize, I::Item)> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
        }
    }

    pub(super) fn map<W, I: Send, T: Send>(
        threads: usize,
        own: &mut W,
        another: impl Fn() -> W + Sync,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut W, I) -> T + Sync,
    ) -> Vec<T> {
        let queue = Queue::new(items);
        let take_part = |worker: &mut W| {
            let mut done = Vec::new();
            while let Some((index, item)) = queue.take() {
                done.push((index, work(worker, item)));
            }
            done
        };
        let mut done = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| take_part(&mut another()))).collect();
            let mut done = take_part(own);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        done.sort_unstable_by_key(|&(index, _)| index);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    pub(super) fn as_done<W, I: Send, T: Send>(
        threads: usize,
        worker: impl Fn() -> W + Sync,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut W, I) -> ControlFlow<T, T> + Sync,
        each: &mut dyn FnMut(usize, T),
    ) {
        let queue = Queue::new(items);
        let is_over = AtomicBool::new(false);
        let (sender, receiver) = mpsc::channel();
        let take_part = |sender: mpsc::Sender<(usize, T)>| {
            let mut worker = worker();
            while !is_over.load(Ordering::Relaxed)
                && let Some((index, item)) = queue.take()
            {
                let outcome = match work(&mut worker, item) {
                    ControlFlow::Continue(outcome) => outcome,
                    ControlFlow::Break(outcome) => {
                        is_over.store(true, Ordering::Relaxed);
                        outcome
                    }
                };
                if sender.send((index, outcome)).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(|| take_part(sender));
            }
            // The loop below ends when the last thread has dropped its sender.
            drop(sender);
            for (index, outcome) in receiver {
                each(index, outcome);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{current, sleep};
    use std::time::Duration;

    use super::*;

    /// Takes longer for the first items, so that several threads finish out of order.
    fn slow_square(number: u64) -> u64 {
        sleep(Duration::from_millis(3u64.saturating_sub(number)));
        number * number
    }

    #[test]
    fn outcomes_come_in_the_order_of_the_items_on_any_number_of_threads() {
        let expected: Vec<u64> = (0..20).map(|number| number * number).collect();
        for threads in [0, 1, 2, 7, 50] {
            let found = map(threads, &mut (), || (), 0..20, |(), number| slow_square(number));
            assert_eq!(found, expected, "{threads}");
            let mut found = Vec::new();
            let work = |(): &mut (), number| ControlFlow::Continue(slow_square(number));
            in_order(threads, || (), 0..20, work, |outcome| found.push(outcome));
            assert_eq!(found, expected, "{threads}");
            let mut found = vec![0; 20];
            as_done(threads, || (), 0..20, work, |index, outcome| found[index] = outcome);
            assert_eq!(found, expected, "{threads}");
        }
    }

    #[test]
    fn items_can_be_changed_in_place_and_no_items_are_no_work() {
        let mut numbers = [1, 2, 3, 4, 5];
        map(3, &mut (), || (), &mut numbers, |(), number| *number *= 10);
        assert_eq!(numbers, [10, 20, 30, 40, 50]);
        assert!(map(3, &mut (), || (), 0..0, |(), number: u32| number).is_empty());
        in_order(3, || (), 0..0, |(), number: u32| ControlFlow::Continue(number), |_| panic!("there is nothing"));
    }

    #[test]
    fn each_thread_keeps_its_own_worker_and_the_calling_thread_works_too() {
        let made = AtomicUsize::new(0);
        let another = || {
            made.fetch_add(1, Ordering::Relaxed);
            0
        };
        let mut own = 0;
        let done = map(4, &mut own, another, 0..100, |count, _| {
            *count += 1;
            sleep(Duration::from_micros(200));
            current().id()
        });
        assert_eq!(own, done.iter().filter(|&&id| id == current().id()).count());
        assert!(own > 0);
        let expected = if cfg!(feature = "parallel") { 3 } else { 0 };
        assert_eq!(made.into_inner(), expected);
    }

    #[test]
    fn outcomes_arrive_on_the_calling_thread() {
        let caller = current().id();
        as_done(3, || (), 0..6, |(), _| ControlFlow::Continue(()), |_, ()| assert_eq!(current().id(), caller));
    }

    #[test]
    fn after_a_break_nothing_more_is_begun_and_nothing_that_was_begun_is_lost() {
        for threads in [1, 3] {
            let begun = AtomicUsize::new(0);
            let mut found = Vec::new();
            let work = |(): &mut (), number: u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(1));
                if number == 5 { ControlFlow::Break(number) } else { ControlFlow::Continue(number) }
            };
            in_order(threads, || (), 0..1000, work, |outcome| found.push(outcome));
            let begun = begun.into_inner();
            assert!((6..=50).contains(&begun), "{begun} of 1000 on {threads}");
            assert!(found.iter().copied().eq(0..begun as u64), "{found:?}");
        }
    }
}
