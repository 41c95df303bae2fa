//! The server over plain TCP: what clients get, and what bad clients can do to others.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use maxout_serve::{Answers, Game, Limits, Refusal, Server, Settings};

/// Gives back what it was asked. Some words mean something.
#[derive(Default)]
struct Echo {
    running: AtomicUsize,
    most: AtomicUsize,
    /// Jobs that were told to end.
    told: AtomicUsize,
}

impl Answers for Echo {
    fn analyze(&self, question: &[u8], stop: &AtomicBool) -> Result<String, Refusal> {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        let text = String::from_utf8_lossy(question).into_owned();
        let answer = match text.as_str() {
            "wrong" => Err(Refusal::Input("expected a piece, found X".to_owned())),
            "broken" => Err(Refusal::Failed("out of order".to_owned())),
            "endless" => {
                while !stop.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(1));
                }
                self.told.fetch_add(1, Ordering::SeqCst);
                Ok("told to end".to_owned())
            }
            "slow" => {
                thread::sleep(Duration::from_millis(20));
                Ok(text)
            }
            _ => Ok(text),
        };
        self.running.fetch_sub(1, Ordering::SeqCst);
        answer
    }

    fn grade(&self, game: &Game, _: &AtomicBool) -> Result<String, Refusal> {
        Ok(format!("{:?} {:?} {}", game.name, game.content_type, game.bytes.len()))
    }
}

/// A server of this test.
struct Served {
    address: SocketAddr,
    echo: Arc<Echo>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// With limits that a test can reach.
    fn start(change: impl FnOnce(&mut Limits)) -> Served {
        let mut limits = Limits {
            answers: 2,
            question_bytes: 1000,
            game_bytes: 100_000,
            transfer_time: Duration::from_secs(30),
            ..Limits::default()
        };
        change(&mut limits);
        let allowed_origins = vec!["https://friend.example".to_owned()];
        let settings = Settings { address: ([127, 0, 0, 1], 0).into(), allowed_origins, limits };
        let server = Server::bind(settings).expect("a port");
        let (address, echo, stop) = (server.address(), Arc::new(Echo::default()), Arc::new(AtomicBool::new(false)));
        let (answers, ends) = (Arc::clone(&echo), Arc::clone(&stop));
        let thread = thread::spawn(move || server.run(answers, &ends).expect("it serves"));
        Served { address, echo, stop, thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        // Only a hung server takes as long.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        stream
    }

    /// Status line, headers and body of what comes for these bytes.
    fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // The server may refuse before it has read all.
        let _ = stream.write_all(bytes);
        reply(stream)
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let address = self.address;
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\n\r\n");
        self.raw((head + body).as_bytes())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let ended = self.thread.take().expect("one end").join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    /// The words of an error.
    fn error(&self) -> String {
        let json: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"));
        assert!(self.head.contains("content-type: application/json"), "{self:?}");
        json["error"].as_str().unwrap_or_else(|| panic!("no error: {self:?}")).to_owned()
    }
}

fn reply(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset && !bytes.is_empty() => {}
        Err(error) => panic!("{error} after {:?}", String::from_utf8_lossy(&bytes)),
    }
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no reply: {text:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Reply { status, head: head.to_lowercase(), body: body.to_owned() }
}

#[test]
fn questions_and_games_reach_the_program() {
    let served = Served::start(|_| ());
    let asked = served.ask("POST", "/analyze", "", "some question");
    assert_eq!((asked.status, asked.body.as_str()), (200, "some question"));
    assert!(asked.head.contains("content-type: application/json") && asked.head.contains("cache-control: no-store"));
    let query = served.ask("GET", "/analyze?piece=T&tapRate=X....", "", "");
    assert_eq!((query.status, query.body.as_str()), (200, r#"{"piece":"T","tapRate":"X...."}"#));
    let graded = served.ask("POST", "/grade?name=a%20b.csv", "Content-Type: text/csv\r\n", "123");
    assert_eq!(graded.body, r#"Some("a b.csv") Some("text/csv") 3"#);
    let graded = served.raw(
        b"POST /grade HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
    );
    assert_eq!(graded.body, "None None 3");
    let page = served.ask("GET", "/", "", "");
    assert!(page.body.starts_with("<!DOCTYPE html>") && page.head.contains("text/html"), "{}", page.head);
    assert!(page.head.contains("frame-ancestors 'none'") && page.head.contains("connect-src 'self'"));
    let head = served.ask("HEAD", "/", "", "");
    assert!(head.status == 200 && head.body.is_empty() && !head.head.contains("content-length: 0"));
    assert_eq!(served.ask("GET", "/health", "", "").body, "{\"status\":\"ok\"}\n");
    let old = served.raw(b"GET /health HTTP/1.0\r\n\r\n");
    assert_eq!(old.status, 200);
}

#[test]
fn every_mistake_has_its_status_and_one_error() {
    let served = Served::start(|_| ());
    let long = "x".repeat(1001);
    for (method, path, body, status, words) in [
        ("POST", "/analyze", "wrong", 400, "expected a piece, found X"),
        ("POST", "/analyze", "broken", 500, "out of order"),
        ("POST", "/analyze", long.as_str(), 413, "expected at most 1000 bytes, found more"),
        ("GET", "/analyze?a=1&a=2", "", 400, "expected a once in the query"),
        ("GET", "/analyze?a=%ff", "", 400, "a=%ff"),
        ("POST", "/grade?file=x", "", 400, "expected name in the query of /grade, found file"),
        ("POST", "/grade?name=a&name=b", "", 400, "expected name once in the query of /grade"),
        ("DELETE", "/analyze", "", 405, "expected GET or POST for /analyze, found DELETE"),
        ("GET", "/grade", "", 405, "expected POST for /grade, found GET"),
        ("POST", "/", "", 405, "expected GET or HEAD for /, found POST"),
        ("GET", "/favicon.ico", "", 404, "found /favicon.ico"),
        ("GET", "/../etc/passwd", "", 404, "found /../etc/passwd"),
    ] {
        let reply = served.ask(method, path, "", body);
        assert_eq!(reply.status, status, "{method} {path}: {reply:?}");
        assert!(reply.error().contains(words), "{method} {path}: {reply:?}");
        // RFC 9110, 10.2.1: the methods, with commas between them.
        let allowed =
            words.split_once(" for ").map_or("", |(words, _)| words).replace("expected ", "").replace(" or ", ", ");
        let header = format!("\r\nallow: {}\r\n", allowed.to_lowercase());
        assert_eq!(reply.status == 405, reply.head.contains(&header), "{reply:?}");
    }
}

#[test]
fn what_is_no_http_gets_an_error_too() {
    let served = Served::start(|_| ());
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200));
    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(20_000));
    let path = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(70_000));
    for (bytes, statuses) in [
        (&b"hello\r\n\r\n"[..], &[400][..]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", &[400]),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", &[400]),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", &[400]),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[400, 505]),
        (many.as_bytes(), &[431]),
        (long.as_bytes(), &[431]),
        (path.as_bytes(), &[431]),
    ] {
        let reply = served.raw(bytes);
        assert!(statuses.contains(&reply.status), "{:?}: {reply:?}", &bytes[..bytes.len().min(40)]);
        assert!(reply.error().starts_with("expected "), "{reply:?}");
    }
    assert_eq!(served.ask("GET", "/health", "", "").status, 200);
}

#[test]
fn a_body_is_no_longer_than_it_may_be_also_without_a_length() {
    let served = Served::start(|_| ());
    let chunk = format!("400\r\n{}\r\n", "x".repeat(1024));
    let head = "POST /analyze HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    let reply = served.raw(format!("{head}{}", chunk.repeat(5)).as_bytes());
    assert_eq!((reply.status, reply.error().as_str()), (413, "expected at most 1000 bytes, found more"));
    // It claims more than it sends: refused at once.
    let reply = served.raw(b"POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n");
    assert_eq!(reply.status, 413);
    let reply = served.raw(b"POST /analyze HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(reply.error().contains("broken"));
}

#[test]
fn games_share_the_memory_and_leave_questions_theirs() {
    let served = Served::start(|limits| (limits.all_bytes, limits.question_bytes) = (100_000, 50_000));
    let head = |length: usize| format!("POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
    // Once the first has its room, another has none; a small one has.
    let mut first = loop {
        let mut first = served.connect();
        first.write_all((head(90_000) + &"x".repeat(89_999)).as_bytes()).expect("sent");
        // It may overtake the first, which is refused then.
        if served.raw((head(80_000) + &"x".repeat(80_000)).as_bytes()).status == 503 {
            break first;
        }
    };
    assert_eq!(served.raw((head(10) + "0123456789").as_bytes()).status, 200);
    // A question has room all the same.
    assert_eq!(served.ask("POST", "/analyze", "", &"x".repeat(50_000)).status, 200);
    first.write_all(b"x").expect("sent");
    assert_eq!(reply(first).status, 200);
}

#[test]
fn who_announces_much_and_sends_little_takes_no_memory_from_others() {
    let served =
        Served::start(|limits| (limits.all_bytes, limits.transfer_time) = (100_000, Duration::from_secs(9_999)));
    let head = |length: usize| format!("POST /grade HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
    let slow: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all((head(100_000) + "x").as_bytes()).expect("sent");
            stream
        })
        .collect();
    // All of them are under way: the server takes what comes in order.
    for _ in 0..5 {
        assert_eq!(served.raw((head(50_000) + &"x".repeat(50_000)).as_bytes()).status, 200);
    }
    drop(slow);
}

#[test]
fn slow_clients_are_sent_away_and_block_nobody() {
    let served = Served::start(|limits| limits.transfer_time = Duration::from_millis(500));
    let silent: Vec<TcpStream> = (0..20).map(|_| served.connect()).collect();
    let mut half = served.connect();
    half.write_all(b"POST /analyze HTT").expect("sent");
    let mut body = served.connect();
    body.write_all(b"POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf").expect("sent");
    assert_eq!(served.ask("POST", "/analyze", "", "x").body, "x");
    for stream in silent.into_iter().chain([half, body]) {
        let reply = reply(stream);
        assert_eq!(reply.status, 408, "{reply:?}");
        assert!(reply.error().contains("whole request within 0.5 s"), "{reply:?}");
    }
    // Those that leave early, too.
    for _ in 0..20 {
        drop(served.connect());
    }
    assert_eq!(served.ask("POST", "/analyze", "", "x").body, "x");
}

#[test]
fn fifty_at_once_are_answered_a_few_at_a_time() {
    let served = Served::start(|_| ());
    thread::scope(|scope| {
        let asked: Vec<_> = (0..50).map(|_| scope.spawn(|| served.ask("POST", "/analyze", "", "slow"))).collect();
        for thread in asked {
            let reply = thread.join().expect("no panic");
            assert_eq!((reply.status, reply.body.as_str()), (200, "slow"));
        }
    });
    assert_eq!(served.echo.most.load(Ordering::SeqCst), 2);
}

#[test]
fn a_flood_is_refused_with_words_and_ends() {
    let served = Served::start(|limits| (limits.waiting, limits.connections) = (4, 40));
    let statuses: Vec<Option<u16>> = thread::scope(|scope| {
        let ask = || {
            let mut stream = served.connect();
            let head = "POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nslow";
            let _ = stream.write_all(head.as_bytes());
            let mut bytes = Vec::new();
            // Past the limit of connections, the reply may be lost.
            stream.read_to_end(&mut bytes).ok()?;
            String::from_utf8_lossy(&bytes).split(' ').nth(1)?.parse().ok()
        };
        let asked: Vec<_> = (0..200).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let count = |status: u16| statuses.iter().filter(|&&got| got == Some(status)).count();
    assert!(count(200) >= 6 && count(503) > 0, "{statuses:?}");
    assert_eq!(count(200) + count(503) + statuses.iter().filter(|got| got.is_none()).count(), 200, "{statuses:?}");
    assert!(served.echo.most.load(Ordering::SeqCst) <= 2);
    assert_eq!(served.ask("POST", "/analyze", "", "x").status, 200);
}

#[test]
fn an_answer_has_its_time_and_no_more() {
    let served = Served::start(|limits| limits.answer_time = Duration::from_millis(100));
    let reply = served.ask("POST", "/analyze", "", "endless");
    assert_eq!(reply.status, 503, "{reply:?}");
    assert!(reply.error().contains("longer than 0.1 s") && reply.head.contains("retry-after: 1"), "{reply:?}");
    // The next one has its turn.
    assert_eq!(served.ask("POST", "/analyze", "", "x").status, 200);
}

#[test]
fn a_client_that_leaves_ends_its_computation() {
    let served = Served::start(|limits| limits.answer_time = Duration::from_secs(100_000));
    for _ in 0..2 {
        let mut stream = served.connect();
        stream
            .write_all(b"POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\nendless")
            .expect("sent");
        while served.echo.running.load(Ordering::SeqCst) == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        drop(stream);
        while served.echo.running.load(Ordering::SeqCst) > 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }
    assert_eq!(served.echo.told.load(Ordering::SeqCst), 2);
}

#[test]
fn pages_of_other_sites_get_nothing_unless_they_are_allowed() {
    let served = Served::start(|_| ());
    let asked = |headers: &str| served.ask("POST", "/analyze", headers, "x");
    for headers in ["Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        let reply = asked(headers);
        assert_eq!(reply.status, 403, "{reply:?}");
        assert!(reply.error().contains("own page") && !reply.head.contains("access-control"), "{reply:?}");
    }
    let rebound = served.raw(b"GET /analyze HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_eq!(rebound.status, 403);
    let own = asked(&format!("Origin: http://{}\r\n", served.address));
    assert!(own.status == 200 && !own.head.contains("access-control"), "{own:?}");
    let friend = asked("Origin: https://friend.example\r\n");
    assert!(friend.head.contains("access-control-allow-origin: https://friend.example"), "{friend:?}");
    assert_eq!(served.ask("OPTIONS", "/analyze", "Origin: https://friend.example\r\n", "").status, 204);
    assert_eq!(served.ask("OPTIONS", "/analyze", "Origin: http://evil.example\r\n", "").status, 403);
}

#[test]
fn the_end_does_not_wait_for_anybody() {
    let served = Served::start(|limits| limits.answer_time = Duration::from_secs(100_000));
    let _silent = served.connect();
    let mut stream = served.connect();
    stream.write_all(b"POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\nendless").expect("sent");
    while served.echo.running.load(Ordering::SeqCst) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let (echo, address) = (Arc::clone(&served.echo), served.address);
    drop(served);
    assert_eq!(echo.told.load(Ordering::SeqCst), 1);
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}
