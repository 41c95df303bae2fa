//! `maxout serve` as its users meet it: curl, other programs, a browser.

pub(crate) mod browser;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::skipped;

/// A drawing, and the same as 200 characters.
const DRAWING: &str = "1111000000\n1100001000\n1111011100\n1111111110\n1111111110\n";

fn cells() -> String {
    format!("{:0>200}", DRAWING.replace('\n', ""))
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// A server of a test, on a port that the system has chosen.
pub struct Served {
    child: Child,
    pub address: SocketAddr,
}

impl Served {
    pub fn start(flags: &[&str]) -> Served {
        let mut command = program();
        command.args(["serve", "--listen", "0"]).args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.env("RUST_LOG", "info").spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no address: {line:?}"));
        Served { child, address }
    }

    /// Status and body.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(300))).expect("set");
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n", self.address, body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a reply");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}")))
    }

    /// Ends it by a signal; gives back how it ended, and its log.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (std::process::ExitStatus, String) {
        crate::waiting::signal(&format!("-{signal}"), self.child.id());
        let mut log = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut log).expect("text");
        (self.child.wait().expect("it ends"), log)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

fn done(output: Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_answer_is_that_of_the_command_line() {
    let served = Served::start(&[]);
    let flags = ["--piece", "T", "--next", "I", "--level", "19", "--lines", "60", "--tap-rate", "X..."];
    let mut command = program();
    command.args(["analyze", &cells()]).args(flags).args(["--reaction-frames", "12", "--playouts", "2", "--json"]);
    let expected: Value = serde_json::from_str(&done(command.output().expect("it runs"))).expect("JSON");
    assert!(expected["choices"].as_array().is_some_and(|choices| choices.len() > 20));

    let question = serde_json::json!({ "playfield": cells(), "piece": "T", "next": "I", "level": 19, "lines": 60,
        "tap_rate": "X...", "reaction_frames": 12, "playouts": 2 });
    assert_eq!(served.ask("POST", "/analyze", question.to_string().as_bytes()), (200, expected.clone()));
    let rows = DRAWING.lines().collect::<Vec<_>>();
    let rows = serde_json::json!({ "playfield": rows, "piece": "T", "next": "I", "level": 19, "lines": 60,
        "tapRate": "X...", "reactionFrames": 12, "playouts": 2 });
    assert_eq!(served.ask("POST", "/analyze", rows.to_string().as_bytes()), (200, expected.clone()));
    let query =
        format!("/analyze?playfield={}&piece=T&next=I&level=19&lines=60&tapRate=X...&reaction=12&playouts=2", cells());
    assert_eq!(served.ask("GET", &query, b""), (200, expected));
}

#[test]
fn a_position_that_cannot_be_is_refused_in_one_line() {
    let served = Served::start(&[]);
    let cells = cells();
    for (body, words) in [
        ("{".to_owned(), "expected a JSON object"),
        ("{}".to_owned(), "\"playfield\""),
        (format!(r#"{{"playfield":"{cells}"}}"#), "give it as \"piece\""),
        (format!(r#"{{"playfield":"{cells}","piece":"T","next":"I","level":19,"lines":900}}"#), "900 lines"),
        (r#"{"playfield":"01","piece":"T","next":"I","level":19,"lines":60}"#.to_owned(), "found"),
    ] {
        let (status, reply) = served.ask("POST", "/analyze", body.as_bytes());
        let error = reply["error"].as_str().unwrap_or_else(|| panic!("{reply}"));
        assert!(status == 400 && error.contains(words) && error.lines().count() == 1, "{body}: {status} {error}");
    }
}

#[test]
fn a_game_is_graded_as_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a game.csv.gz");
    let play = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none", "--until", "pieces:8"];
    done(program().args(play).arg("--log").arg(&log).output().expect("it runs"));
    let mut grade = program();
    grade.current_dir(folder.path()).args(["grade", "a game.csv.gz", "--json"]);
    let expected: Value = serde_json::from_str(&done(grade.output().expect("it runs"))).expect("JSON");
    let served = Served::start(&[]);
    let bytes = fs::read(&log).expect("the log");
    assert_eq!(served.ask("POST", "/grade?name=a%20game.csv.gz", &bytes), (200, expected));

    let (status, reply) = served.ask("POST", "/grade?name=game.csv", b"call,buttons\n1,00\n");
    let error = reply["error"].as_str().expect("an error");
    assert!(status == 400 && error.starts_with("game.csv") || error.contains(" game.csv"), "{status} {error}");
    assert!(!error.contains(&*std::env::temp_dir().to_string_lossy()), "{error}");
    let (status, reply) = served.ask("POST", "/grade", &bytes);
    assert!(status == 400 && reply["error"].as_str().is_some_and(|error| error.contains("/grade?name=")), "{reply}");
}

#[test]
fn curl_asks_and_is_answered() {
    let Some(curl) = skipped::program("curl") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(&["--time-limit", "0.05"]);
    let url = |path: &str| format!("http://{}{path}", served.address);
    let curl = |arguments: &[&str]| {
        done(Command::new(&curl).args(["-sS", "-m", "300"]).args(arguments).output().expect("curl"))
    };
    let long = folder.path().join("long");
    fs::write(&long, vec![b'x'; 2_000_000]).expect("written");
    let code = ["-o", "/dev/null", "-w", "%{http_code}"];
    let with_code = |arguments: &[&str]| curl(&[&code[..], arguments].concat());
    assert_eq!(with_code(&[&url("/")]), "200");
    assert_eq!(with_code(&["-I", &url("/")]), "200");
    assert_eq!(with_code(&["--data-binary", &format!("@{}", long.display()), &url("/analyze")]), "413");
    assert_eq!(with_code(&["-T", long.to_str().expect("UTF-8"), "-X", "POST", &url("/grade?name=x.txt")]), "400");
    assert_eq!(with_code(&["-H", "Origin: http://evil.example", "-d", "{}", &url("/analyze")]), "403");
    assert_eq!(with_code(&["-H", "Host: evil.example", &url("/")]), "403");
    let question = format!(
        r#"{{"playfield":"{}","piece":"T","next":null,"level":18,"lines":0,"playouts":100000,"pieces":1000}}"#,
        cells()
    );
    assert!(curl(&["-d", &question, &url("/analyze")]).contains("the answer takes longer than 0.05 s"));
}

/// Every curl command of the page docs/serving.md.
#[test]
#[cfg(unix)]
fn the_commands_of_the_guide_are_answered() {
    if skipped::program("curl").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let play = ["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none", "--until", "pieces:5"];
    done(program().args(play).args(["--log", "game.csv"]).current_dir(folder.path()).output().expect("it runs"));
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/serving.md");
    let guide = fs::read_to_string(guide).expect("the page").replace("\\\n", "");
    let served = Served::start(&[]);
    let mut count = 0;
    for line in guide.lines().filter_map(|line| line.strip_prefix("curl ")) {
        let line = line.replace("127.0.0.1:19989", &served.address.to_string());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("curl -fsS -m 300 {line}")]).current_dir(folder.path()).stdin(Stdio::null());
        let answer = done(shell.output().expect("a shell"));
        assert!(serde_json::from_str::<Value>(&answer).is_ok_and(|json| json.is_object()), "{line}: {answer}");
        count += 1;
    }
    assert!(count >= 4, "{count} commands");
}

#[test]
#[cfg(unix)]
fn it_ends_on_a_signal_and_has_logged_each_request() {
    for signal in ["TERM", "INT"] {
        let served = Served::start(&[]);
        assert_eq!(served.ask("GET", "/health", b"").0, 200);
        assert_eq!(served.ask("GET", "/nothing", b"").0, 404);
        // A client that says nothing does not hold it up.
        let _silent = TcpStream::connect(served.address).expect("it listens");
        let (status, log) = served.end(signal);
        assert_eq!(status.code(), Some(0), "{log}");
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("INFO")).collect();
        assert!(lines.len() == 2 && lines[1].contains("GET /nothing: 404"), "{log}");
    }
}

#[test]
fn an_address_that_is_taken_or_open_to_others_is_named() {
    let served = Served::start(&[]);
    let taken = program().args(["serve", "--listen", &served.address.to_string()]).output().expect("it runs");
    let error = text(&taken.stderr);
    assert!(taken.status.code() == Some(2) && error.contains("another program listens at"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");

    let mut open = program();
    open.args(["serve", "--listen", "0.0.0.0:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = open.spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().expect("piped")).read_line(&mut line).expect("a line");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(line.starts_with("maxout: warning: other machines can use the server at 0.0.0.0:"), "{line}");
}
