//! The time of one frame over each link: from the buttons to the RAM that comes back. The host is a thread
//! that answers at once, with the rules model as its console.
//!
//! ```text
//! cargo run --release -p maxout-host --example latency
//! ```

#[cfg(unix)]
#[path = "../tests/host/mod.rs"]
mod host;

#[cfg(unix)]
mod measure {
    use std::error::Error;
    use std::sync::Arc;
    use std::thread;
    use std::time::{Duration, Instant};

    use maxout_engine::console::{Console, Simulated};
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Decoder, RamMap};
    use maxout_host::protocol::RamKind;
    use maxout_host::{Endpoint, Settings, Waiting};

    use super::host::{Connection, TestHost};

    /// Frames that are measured; as many before them are not.
    const FRAMES: usize = 20_000;

    /// The time of every frame, shortest first.
    fn times(endpoint: &Endpoint, ram: RamKind) -> Result<Vec<Duration>, Box<dyn Error>> {
        let waiting = Waiting::open(endpoint)?;
        let at = waiting.endpoint().clone();
        let host = thread::spawn(move || {
            let connection = match &at {
                Endpoint::Pipes(folder) => Connection::pipes(folder),
                Endpoint::Socket(path) => Connection::socket(path),
                Endpoint::Tcp(address) => Connection::tcp(&address.to_string()),
                Endpoint::Stdio => return,
            };
            TestHost::start(connection, ram, Simulated::power_on()).play();
        });
        let map = RamMap::tetris_ntsc();
        let decoder = Decoder::new(&map)?;
        let settings = Settings { map, decoder, patience: Duration::from_secs(10), stop: Arc::default() };
        let mut console = waiting.greet(settings)?;
        for _ in 0..FRAMES {
            console.step(Buttons::NONE)?;
        }
        let mut times = Vec::with_capacity(FRAMES);
        for _ in 0..FRAMES {
            let start = Instant::now();
            console.step(Buttons::NONE)?;
            times.push(start.elapsed());
        }
        drop(console);
        host.join().map_err(|_| "the host failed")?;
        times.sort_unstable();
        Ok(times)
    }

    /// Prints one line for each link.
    pub fn all() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let pipes = Endpoint::Pipes(folder.path().join("pipes"));
        let socket = Endpoint::Socket(folder.path().join("socket"));
        let tcp = Endpoint::Tcp(([127, 0, 0, 1], 0).into());
        for (name, endpoint, ram) in [
            ("pipes", &pipes, RamKind::All),
            ("pipes, list", &pipes, RamKind::List),
            ("socket", &socket, RamKind::All),
            ("tcp", &tcp, RamKind::All),
        ] {
            let times = times(endpoint, ram)?;
            let micros = |share: usize| times[FRAMES * share / 1000].as_secs_f64() * 1e6;
            println!("{name:12} median {:6.1} us, p99 {:6.1} us", micros(500), micros(990));
        }
        Ok(())
    }
}

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure::all()
}

#[cfg(not(unix))]
fn main() {
    println!("expected a system with named pipes");
}
