//! The body of a request, read within limits.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::{Body, Incoming};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::reply::Reply;
use crate::settings::Limits;

/// What a permit of [`Bodies`] stands for.
const UNIT: usize = 1024;

/// Bodies in memory, of one kind of request.
#[derive(Debug)]
pub(crate) struct Bodies {
    room: Semaphore,
    time: Duration,
}

impl Bodies {
    /// Room for questions of all connections: games do not take it away.
    pub(crate) fn of_questions(limits: &Limits) -> Bodies {
        let each = limits.question_bytes.div_ceil(UNIT).saturating_mul(UNIT);
        Bodies::with_room(each.saturating_mul(limits.connections), limits)
    }

    /// Room for games.
    pub(crate) fn of_games(limits: &Limits) -> Bodies {
        Bodies::with_room(limits.all_bytes, limits)
    }

    fn with_room(bytes: usize, limits: &Limits) -> Bodies {
        let units = bytes.div_ceil(UNIT).min(Semaphore::MAX_PERMITS);
        Bodies { room: Semaphore::new(units), time: limits.transfer_time }
    }

    /// Reads a body of at most `most` bytes. Its room is taken until the permit is dropped.
    pub(crate) async fn read(&self, body: Incoming, most: usize) -> Result<(Vec<u8>, SemaphorePermit<'_>), Reply> {
        let too_long = || {
            let words = format!("expected at most {most} bytes, found more");
            Reply::error(StatusCode::PAYLOAD_TOO_LARGE, &words)
        };
        // Without a length, it may become as long as it may be.
        let length = body.size_hint().upper().map_or(most, |length| usize::try_from(length).unwrap_or(usize::MAX));
        if length > most {
            return Err(too_long());
        }
        let units = u32::try_from(length.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let room = self.room.try_acquire_many(units).map_err(|_| {
            Reply::error(StatusCode::SERVICE_UNAVAILABLE, "too many large requests at once: ask again later")
        })?;
        match timeout(self.time, Limited::new(body, most).collect()).await {
            Ok(Ok(collected)) => Ok((collected.to_bytes().into(), room)),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
            Ok(Err(error)) => {
                let words = format!("expected a whole request, found a broken one: {error}");
                Err(Reply::error(StatusCode::BAD_REQUEST, &words))
            }
            Err(_) => {
                let words = format!("expected the whole request within {} s", self.time.as_secs_f64());
                Err(Reply::error(StatusCode::REQUEST_TIMEOUT, &words))
            }
        }
    }
}
