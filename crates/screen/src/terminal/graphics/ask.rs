//! Asks the terminal which protocols for pictures it has.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::Protocol;

/// Kitty's query: a picture of one pixel that is answered but not shown. Then the query for the
/// device attributes, which every terminal answers: its answer ends the wait on terminals
/// without pictures.
const QUESTION: &[u8] = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
/// How long a terminal may take to answer. Chosen by hand, not measured.
const PATIENCE: Duration = Duration::from_millis(300);
/// The longest answer that is read, in bytes. Chosen by hand, not measured.
const LONGEST: usize = 1024;

/// The protocols that the terminal says it has; none if it does not answer. The terminal must be
/// in raw mode, and no other thread may read from it.
pub(crate) fn ask() -> io::Result<Vec<Protocol>> {
    let mut out = io::stdout();
    out.write_all(QUESTION)?;
    out.flush()?;
    let deadline = Instant::now() + PATIENCE;
    let mut answer = Vec::new();
    while answer.len() < LONGEST
        && !is_whole(&answer)
        && let Some(byte) = next(deadline.saturating_duration_since(Instant::now()))?
    {
        answer.push(byte);
    }
    Ok(protocols(&answer))
}

/// Waits for a byte from the terminal. Reads one at a time, without the buffer of standard input,
/// so that keys after the answer stay unread.
#[cfg(unix)]
fn next(wait: Duration) -> io::Result<Option<u8>> {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let stdin = io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    if poll(&mut watched, PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO))? == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    Ok((nix::unistd::read(&stdin, &mut byte)? == 1).then_some(byte[0]))
}

/// On other systems the terminal is not asked.
#[cfg(not(unix))]
fn next(_: Duration) -> io::Result<Option<u8>> {
    Ok(None)
}

/// Where the answer to the last question begins and ends.
fn attributes(answer: &[u8]) -> Option<&[u8]> {
    let start = answer.windows(3).position(|bytes| bytes == b"\x1b[?")? + 3;
    let end = answer[start..].iter().position(|&byte| byte == b'c')?;
    Some(&answer[start..start + end])
}

fn is_whole(answer: &[u8]) -> bool {
    attributes(answer).is_some()
}

fn protocols(answer: &[u8]) -> Vec<Protocol> {
    let mut protocols = Vec::new();
    if answer.windows(9).any(|bytes| bytes == b"\x1b_Gi=31;O") {
        protocols.push(Protocol::Kitty);
    }
    if attributes(answer).is_some_and(|attributes| attributes.split(|&byte| byte == b';').any(|part| part == b"4")) {
        protocols.push(Protocol::Sixel);
    }
    protocols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_taken_at_their_word() {
        let answers: [(&[u8], &[Protocol]); 6] = [
            (b"\x1b[?62;4;22c", &[Protocol::Sixel]),
            (b"\x1b_Gi=31;OK\x1b\\\x1b[?62;c", &[Protocol::Kitty]),
            (b"\x1b_Gi=31;OK\x1b\\\x1b[?64;4c", &[Protocol::Kitty, Protocol::Sixel]),
            (b"\x1b_Gi=31;ENOTSUP:no\x1b\\\x1b[?1;2c", &[]),
            (b"\x1b[?1;42;44c", &[]),
            (b"", &[]),
        ];
        for (answer, expected) in answers {
            assert_eq!(protocols(answer), expected, "{}", answer.escape_ascii());
        }
    }

    #[test]
    fn the_answer_ends_with_the_attributes() {
        assert!(!is_whole(b"\x1b_Gi=31;OK\x1b\\"));
        assert!(!is_whole(b"\x1b[?62;4"));
        assert!(is_whole(b"\x1b[?62;4c"));
    }
}
