//! Work that several threads share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` for each item, on up to `threads` threads, and returns the outcomes in the order
/// of the items.
///
/// Each thread works with a worker of its own: the calling thread with `own`, the others with
/// what `another` makes.
pub(super) fn shared<W, I: Sync, T: Send>(
    threads: usize,
    own: &mut W,
    another: impl Fn() -> W + Sync,
    items: &[I],
    work: impl Fn(&mut W, &I) -> T + Sync,
) -> Vec<T> {
    if threads <= 1 {
        return items.iter().map(|item| work(own, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let each = |worker: &mut W| {
        let mut done = Vec::new();
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(index)
        {
            done.push((index, work(worker, item)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(|| each(&mut another()))).collect();
        let mut done = each(own);
        for other in others {
            done.extend(other.join().expect("a search does not panic"));
        }
        done
    });
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
