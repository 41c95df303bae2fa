//! One connection: one request, one reply.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::reply::Reply;
use crate::routes::Shared;

/// How far a request is.
#[derive(Debug, Default)]
struct Progress {
    /// Its head is there.
    is_read: AtomicBool,
    /// The reply is ready.
    is_answered: AtomicBool,
}

/// Serves a client.
pub(crate) async fn serve(stream: TcpStream, peer: SocketAddr, shared: Arc<Shared>) {
    let progress = Arc::new(Progress::default());
    let limits = shared.settings.limits;
    let service = service_fn(|request: hyper::Request<Incoming>| {
        progress.is_read.store(true, Ordering::Relaxed);
        let (shared, progress) = (Arc::clone(&shared), Arc::clone(&progress));
        // hyper moves it while it runs.
        Box::pin(async move {
            let (started, asked) = (Instant::now(), format!("{} {}", request.method(), request.uri().path()));
            let reply = shared.reply(request).await;
            progress.is_answered.store(true, Ordering::Relaxed);
            log::info!("{peer} {asked}: {} after {:.1} ms", reply.status, started.elapsed().as_secs_f64() * 1e3);
            Ok::<_, Infallible>(reply.into_response())
        })
    });
    let gate = Gate { stream, progress: Arc::clone(&progress), held: Vec::new() };
    let mut connection = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(limits.head_bytes.max(LEAST_HEAD_BYTES))
        .serve_connection(TokioIo::new(gate), service);
    let mut was_answered = false;
    let end = loop {
        match timeout(limits.transfer_time, poll_fn(|context| connection.poll_without_shutdown(context))).await {
            Ok(end) => break end.err().map(|error| error.to_string()),
            Err(_) if !progress.is_read.load(Ordering::Relaxed) => break Some(TOO_SLOW.to_owned()),
            Err(_) if was_answered => {
                log::info!("{peer}: did not fetch the answer");
                return;
            }
            Err(_) => was_answered = progress.is_answered.load(Ordering::Relaxed),
        }
    };
    let Gate { mut stream, held, .. } = connection.into_parts().io.into_inner();
    if !progress.is_read.load(Ordering::Relaxed)
        && let Some(reason) = end
    {
        let reply = match reason.as_str() {
            TOO_SLOW => {
                let words = format!("expected a whole request within {} s", limits.transfer_time.as_secs_f64());
                Reply::error(StatusCode::REQUEST_TIMEOUT, &words)
            }
            _ => unreadable(&held),
        };
        log::info!("{peer}: {} ({reason})", reply.status);
        let _ = timeout(LINGERING, stream.write_all(&reply.into_bytes())).await;
    }
    let _ = timeout(LINGERING, linger(stream)).await;
}

/// Why a connection ends whose client sends nothing.
const TOO_SLOW: &str = "too slow";

/// The smallest buffer that hyper takes.
const LEAST_HEAD_BYTES: usize = 8192;

/// How long a client may go on to send after its reply. Chosen by hand, not measured.
const LINGERING: Duration = Duration::from_secs(1);

/// Reads what still comes: a connection that is closed with bytes unread may lose the reply.
async fn linger(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut bytes = [0; 4096];
    while stream.read(&mut bytes).await? > 0 {}
    Ok(())
}

/// The reply to what is no request. `held` is what hyper would have sent: a status without words, if that.
fn unreadable(held: &[u8]) -> Reply {
    let status = held.get(9..12).and_then(|digits| StatusCode::from_bytes(digits).ok());
    let status = status.unwrap_or(StatusCode::BAD_REQUEST);
    Reply::error(
        status,
        match status {
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "expected a shorter first line and fewer or shorter headers",
            _ => "expected a whole HTTP/1.1 request, found something else",
        },
    )
}

/// A stream that holds back what is written before the request is read: hyper's own errors have no words.
struct Gate {
    stream: TcpStream,
    progress: Arc<Progress>,
    held: Vec<u8>,
}

impl AsyncRead for Gate {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Gate {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.progress.is_read.load(Ordering::Relaxed) {
            return Pin::new(&mut self.stream).poll_write(context, bytes);
        }
        self.held.extend(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
