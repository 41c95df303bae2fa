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

    /// Reads a body of at most `most` bytes. The room of what has come is taken until the permit is dropped: a client
    /// that announces much and sends little takes none from others.
    pub(crate) async fn read(&self, body: Incoming, most: usize) -> Result<(Vec<u8>, SemaphorePermit<'_>), Reply> {
        let length = body.size_hint().lower();
        if usize::try_from(length).is_ok_and(|length| length <= most) {
            let words = || format!("expected the whole request within {} s", self.time.as_secs_f64());
            let read = timeout(self.time, self.collect(Limited::new(body, most), most)).await;
            return read.unwrap_or_else(|_| Err(Reply::error(StatusCode::REQUEST_TIMEOUT, &words())));
        }
        Err(too_long(most))
    }

    async fn collect(&self, mut body: Limited<Incoming>, most: usize) -> Result<(Vec<u8>, SemaphorePermit<'_>), Reply> {
        let full =
            |_| Reply::error(StatusCode::SERVICE_UNAVAILABLE, "too many large requests at once: ask again later");
        let mut room = self.room.try_acquire_many(0).map_err(full)?;
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
                true => too_long(most),
                false => {
                    let words = format!("expected a whole request, found a broken one: {error}");
                    Reply::error(StatusCode::BAD_REQUEST, &words)
                }
            })?;
            // Trailers have no data.
            let Ok(data) = frame.into_data() else { continue };
            let units = (bytes.len() + data.len()).div_ceil(UNIT) - room.num_permits();
            let more = u32::try_from(units).unwrap_or(u32::MAX);
            room.merge(self.room.try_acquire_many(more).map_err(full)?);
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, room))
    }
}

fn too_long(most: usize) -> Reply {
    Reply::error(StatusCode::PAYLOAD_TOO_LARGE, &format!("expected at most {most} bytes, found more"))
}
