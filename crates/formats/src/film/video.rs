//! MP4 through an installed ffmpeg: raw pictures go into its standard input.
//!
//! When this program ends, however it ends, ffmpeg reaches the end of its input and completes the
//! file. It must not get the Ctrl-C that ends the run: that would break the pipe before the last
//! picture.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::colour::Rgb;
use super::reel::Reel;
use crate::whole::{Claim, ClaimedFile};

/// The program.
const FFMPEG: &str = "ffmpeg";

/// Can ffmpeg be started?
pub fn ffmpeg_runs() -> bool {
    let mut command = Command::new(FFMPEG);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// A video on its way.
pub(super) struct Video {
    child: Child,
    /// `None` once all pictures are written.
    input: Option<ChildStdin>,
    /// The file that ffmpeg writes, kept so that no other run takes it.
    _claimed: Option<ClaimedFile>,
}

impl Video {
    /// A claim, so that a path that cannot be written is reported as the system's error, not in
    /// ffmpeg's words.
    pub(super) fn start(claim: Claim, reel: &Reel) -> io::Result<Video> {
        let path = claim.path().to_owned();
        let claimed = claim.start()?;
        Ok(Video { _claimed: Some(claimed), ..Video::with_program(FFMPEG, &path, reel)? })
    }

    fn with_program(program: &str, path: &Path, reel: &Reel) -> io::Result<Video> {
        let mut command = Command::new(program);
        let rate = format!("{}", reel.frames_per_second / f64::from(reel.every));
        let size = format!("{}x{}", reel.width, reel.height);
        let input = ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", &size, "-framerate", &rate, "-i", "-"];
        // The usual format of pixels wants sizes that are even.
        let scale = reel.scale;
        let filter = format!("scale=iw*{scale}:ih*{scale}:flags=neighbor,pad=ceil(iw/2)*2:ceil(ih/2)*2");
        command.args(["-nostdin", "-loglevel", "error", "-y"]).args(input);
        command.args(["-vf", &filter, "-pix_fmt", "yuv420p", "-f", "mp4"]);
        // A name that begins with a dash or holds a colon is still a name.
        let mut file = std::ffi::OsString::from("file:");
        file.push(path);
        command.arg(file).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        deaf_to_interrupts(&mut command);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let hint = "an .mp4 is made by ffmpeg, which is not installed: install it, or record a .gif or .png";
                io::Error::other(hint)
            }
            _ => error,
        })?;
        let input = child.stdin.take();
        Ok(Video { child, input, _claimed: None })
    }

    pub(super) fn show(&mut self, picture: &[Rgb]) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        let written = input.write_all(picture.as_flattened());
        // If the pipe breaks, ffmpeg has printed the reason.
        written.or_else(|error| self.finish().and(Err(error)))
    }

    /// Ends the input and waits until the file is complete.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.input.take().is_none() {
            return Ok(());
        }
        let mut words = Vec::new();
        if let Some(stderr) = &mut self.child.stderr {
            stderr.read_to_end(&mut words)?;
        }
        let status = self.child.wait()?;
        let words = String::from_utf8_lossy(&words);
        let last = words.lines().map(str::trim).rfind(|line| !line.is_empty());
        // It also ends with success when it could not write the end of the file. Only errors are printed.
        if status.success() && last.is_none() {
            return Ok(());
        }
        let line = last.unwrap_or("it printed no reason");
        Err(io::Error::other(format!("ffmpeg failed ({status}): {line}")))
    }
}

/// Keeps the terminal's Ctrl-C from the program.
fn deaf_to_interrupts(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}
