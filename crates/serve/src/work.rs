//! The computations: a few at once, the others wait, each for a limited time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;

use crate::answers::Refusal;
use crate::reply::Reply;
use crate::settings::Limits;

/// Where computations take their turn.
#[derive(Debug)]
pub(crate) struct Work {
    /// For each computation that runs or waits.
    places: Arc<Semaphore>,
    /// For each computation that runs.
    turns: Arc<Semaphore>,
    time: Duration,
}

/// Tells a computation to end when nobody waits for it any more.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Work {
    pub(crate) fn new(limits: &Limits) -> Work {
        let semaphore = |count: usize| Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS)));
        Work {
            places: semaphore(limits.answers.saturating_add(limits.waiting)),
            turns: semaphore(limits.answers),
            time: limits.answer_time,
        }
    }

    /// Does a job on another thread, and gives its JSON back as a reply. When it is dropped, the job is told
    /// to end.
    pub(crate) async fn reply<F>(&self, job: F) -> Reply
    where
        F: FnOnce(&AtomicBool) -> Result<String, Refusal> + Send + 'static,
    {
        let busy = |words: &str| Reply::error(StatusCode::SERVICE_UNAVAILABLE, words);
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return busy("too many requests at once: ask again later");
        };
        let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else {
            return busy("the server ends");
        };
        let stop = Arc::new(AtomicBool::new(false));
        let waiting = Waiting(Arc::clone(&stop));
        let done = task::spawn_blocking(move || {
            let result = job(&stop);
            // Not before the job has ended, even if nobody waits for it any more.
            drop((turn, place));
            result
        });
        let done = timeout(self.time, done).await;
        drop(waiting);
        match done {
            Ok(Ok(Ok(json))) => Reply::json(StatusCode::OK, json),
            Ok(Ok(Err(Refusal::Input(words)))) => Reply::error(StatusCode::BAD_REQUEST, &words),
            Ok(Ok(Err(Refusal::Failed(words)))) => Reply::error(StatusCode::INTERNAL_SERVER_ERROR, &words),
            Ok(Err(panic)) => {
                log::error!("a computation ended with a panic: {panic}");
                Reply::error(StatusCode::INTERNAL_SERVER_ERROR, "the computation failed: this is a fault of maxout")
            }
            Err(_) => {
                let seconds = self.time.as_secs_f64();
                let words = format!(
                    "the answer takes longer than {seconds} s: ask for fewer play-outs or a smaller think, or allow more with --time-limit"
                );
                busy(&words)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::runtime::{self, Runtime};

    use super::*;

    fn runtime() -> Runtime {
        runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    fn work(answers: usize, waiting: usize, milliseconds: u64) -> Work {
        let answer_time = Duration::from_millis(milliseconds);
        Work::new(&Limits { answers, waiting, answer_time, ..Limits::default() })
    }

    /// Runs until it is told to end.
    fn until_told(stop: &AtomicBool) -> Result<String, Refusal> {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok("told".to_owned())
    }

    #[test]
    fn a_job_that_takes_too_long_is_told_to_end_and_gives_its_turn_back() {
        let work = work(1, 0, 20);
        runtime().block_on(async {
            assert_eq!(work.reply(until_told).await.status, StatusCode::SERVICE_UNAVAILABLE);
            // It has ended when its turn can be had.
            drop(work.turns.acquire().await.unwrap());
        });
    }

    #[test]
    fn a_job_nobody_waits_for_is_told_to_end() {
        let work = work(1, 0, 1_000_000);
        runtime().block_on(async {
            assert!(timeout(Duration::from_millis(20), work.reply(until_told)).await.is_err());
            drop(work.turns.acquire().await.unwrap());
        });
    }

    #[test]
    fn no_more_than_the_limits_run_and_wait() {
        let work = Arc::new(work(1, 1, 1_000_000));
        runtime().block_on(async {
            let ask = || {
                let work = Arc::clone(&work);
                task::spawn(async move { work.reply(until_told).await.status })
            };
            let (one, two) = (ask(), ask());
            task::yield_now().await;
            assert_eq!(work.places.available_permits(), 0);
            assert_eq!(work.reply(|_| Ok(String::new())).await.status, StatusCode::SERVICE_UNAVAILABLE);
            one.abort();
            two.abort();
            let _ = (one.await, two.await);
            assert_eq!(work.turns.acquire().await.map(|_| ()).ok(), Some(()));
            assert_eq!(work.reply(|_| Ok(String::new())).await.status, StatusCode::OK);
        });
    }

    #[test]
    fn a_panic_is_an_error_of_that_request_alone() {
        let work = work(1, 0, 1_000_000);
        runtime().block_on(async {
            let status = work.reply(|_| panic!("a fault")).await.status;
            assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(work.reply(|_| Ok(String::new())).await.status, StatusCode::OK);
        });
    }
}
