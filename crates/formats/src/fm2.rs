//! FM2: the text format of FCEUX for movies, one line of buttons a frame.
//!
//! A movie counts frames differently from this program's console: see [`line_of_call`]. Reading
//! yields [`Step`]s that can be fed to a console one by one; writing takes the same.

use std::io::{self, BufRead, Write};
use std::path::Path;

use self::header::Draft;
pub(crate) use self::header::MAX_TEXTS;
pub use self::header::{MovieHeader, PowerOnRam};
use super::Error;
use super::text::{TextLines, shortened};
use maxout_engine::gamepad::Buttons;

mod header;

/// The bit of an input line's command that presses the reset button.
pub(super) const RESET: u8 = 1;
/// The bit that switches power off and on.
pub(super) const POWER: u8 = 2;

/// The movie line with the buttons of a call: a frame of this program's console, from 0 at the
/// first power-on. `boots` counts power-ons and resets so far, the first power-on included.
///
/// FCEUX spends two frames without vertical blank after every power-on and reset, this program's
/// console a part of one. So line 0 is never seen by the game, and neither are the buttons of a
/// line that resets.
pub const fn line_of_call(call: u64, boots: u64) -> u64 {
    call + boots
}

/// One input line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MovieLine {
    /// Decimal sum: 1 reset, 2 power, the rest for hardware that this game does not know.
    pub command: u8,
    /// The gamepads, as many as the header has; no button is down on the others.
    pub pads: [Buttons; 4],
}

/// What a console does next when it plays a movie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One frame with these buttons on the first gamepad.
    Frame(Buttons),
    /// The reset button.
    Reset,
    /// Power off and on.
    PowerCycle,
}

/// A movie of more than one game from power-on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected one game from power-on, found a reset in it")]
pub struct NotOneGame;

/// The buttons of a movie that plays on from power-on, frame by frame.
///
/// # Errors
/// [`NotOneGame`] when there is a reset or another power-on among the steps.
pub fn one_game(steps: impl IntoIterator<Item = Step>) -> Result<Vec<Buttons>, NotOneGame> {
    let pressed = |step| match step {
        Step::Frame(buttons) => Ok(buttons),
        Step::Reset | Step::PowerCycle => Err(NotOneGame),
    };
    steps.into_iter().map(pressed).collect()
}

impl From<Step> for MovieLine {
    fn from(step: Step) -> MovieLine {
        let mut line = MovieLine::default();
        match step {
            Step::Frame(buttons) => line.pads[0] = buttons,
            Step::Reset => line.command = RESET,
            Step::PowerCycle => line.command = POWER,
        }
        line
    }
}

/// A movie in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movie {
    /// Its header.
    pub header: MovieHeader,
    /// Its input lines; no game ever sees the first one.
    pub lines: Vec<MovieLine>,
}

impl Movie {
    /// A movie of these steps, with the lines that come before the first.
    pub fn from_steps(header: MovieHeader, steps: impl IntoIterator<Item = Step>) -> Movie {
        let unseen = std::iter::repeat_n(MovieLine::default(), line_of_call(0, 1) as usize);
        Movie { header, lines: unseen.chain(steps.into_iter().map(MovieLine::from)).collect() }
    }

    /// Reads a movie file; it may be gzip.
    ///
    /// # Errors
    /// When the file cannot be read, is malformed, or does not start from power-on.
    pub fn open(path: impl AsRef<Path>) -> Result<Movie, Error> {
        Movie::of(TextLines::open(path.as_ref())?)
    }

    /// Reads a movie's text; errors show `name`.
    ///
    /// # Errors
    /// As [`Movie::open`].
    pub fn read(name: impl AsRef<Path>, text: impl BufRead) -> Result<Movie, Error> {
        Movie::of(TextLines::new(name.as_ref(), text))
    }

    fn of(mut text: TextLines<impl BufRead>) -> Result<Movie, Error> {
        let mut reading = Reading::Header(Draft::default());
        while let Some(line) = text.next()? {
            let read = reading.line(&line);
            if read.is_err() && text.is_cut() && matches!(reading, Reading::Input(_)) {
                text.warn_of_cut();
                break;
            }
            let first = text.number() == 1;
            read.and_then(|()| if first { reading.check_version() } else { Ok(()) })
                .map_err(|message| text.fault(message))?;
            if reading.is_complete() {
                break;
            }
        }
        match reading {
            Reading::Input(movie) => Ok(movie),
            Reading::Header(_) if text.number() == 0 => Err(text.error(expected_version("nothing"))),
            Reading::Header(draft) => {
                let header = draft.finish().map_err(|message| text.error(message))?;
                Ok(Movie { header, lines: Vec::new() })
            }
        }
    }

    fn read_line(&mut self, text: &str) -> Result<(), String> {
        let malformed = || format!("expected an input line like |0|RLDUTSBA|||, found {:?}", shortened(text));
        let fields = text.strip_prefix('|').and_then(|text| text.strip_suffix('|')).ok_or_else(malformed)?;
        let mut fields = fields.split('|');
        let command = fields.next().ok_or_else(malformed)?;
        let command: u8 = command.parse().map_err(|_| format!("expected a command number, found {command:?}"))?;
        let mut line = MovieLine { command, ..MovieLine::default() };
        for ((index, plugged), pad) in self.header.pads().enumerate().zip(&mut line.pads) {
            let field = fields.next().ok_or_else(malformed)?;
            if plugged {
                *pad = Buttons::from_keys(field).map_err(|error| format!("gamepad {index}: {error}"))?;
            } else if !field.is_empty() {
                return Err(format!("port{index} is 0 in the header, but its field holds {field:?}"));
            }
        }
        match fields.find(|field| !field.is_empty()) {
            Some(extra) => Err(format!("expected no further field, found {:?}", shortened(extra))),
            None => {
                self.lines.push(line);
                Ok(())
            }
        }
    }

    /// What a console does when it plays the movie from its first power-on.
    ///
    /// Past the end no button is down; a movie may end before its last piece has landed.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let (mut call, mut boots) = (0, 1);
        std::iter::from_fn(move || {
            let line = self.lines.get(usize::try_from(line_of_call(call, boots)).ok()?)?;
            if line.command & (RESET | POWER) != 0 {
                boots += 1;
                return Some(if line.command & POWER != 0 { Step::PowerCycle } else { Step::Reset });
            }
            call += 1;
            Some(Step::Frame(line.pads[0]))
        })
    }

    /// Is a button ever down on another gamepad than the first?
    pub fn uses_other_gamepads(&self) -> bool {
        self.lines.iter().any(|line| line.pads[1..].iter().any(|pad| !pad.is_empty()))
    }

    /// Writes the movie line for line.
    ///
    /// # Errors
    /// When `output` fails.
    pub fn write(&self, output: impl Write) -> io::Result<()> {
        let mut writer = LineWriter { output, header: &self.header };
        self.header.write(&mut writer.output)?;
        self.lines.iter().try_for_each(|line| writer.line(line))?;
        writer.output.flush()
    }
}

fn expected_version(found: &str) -> String {
    format!("expected \"version 3\", found {found}")
}

/// A movie while it is being read.
enum Reading {
    Header(Draft),
    Input(Movie),
}

impl Reading {
    fn line(&mut self, text: &str) -> Result<(), String> {
        match self {
            _ if text.is_empty() => Ok(()),
            Reading::Input(movie) => movie.read_line(text),
            Reading::Header(draft) if text.starts_with('|') && draft.has_version() => {
                let header = std::mem::take(draft).finish()?;
                let mut movie = Movie { header, lines: Vec::new() };
                let read = movie.read_line(text);
                *self = Reading::Input(movie);
                read
            }
            Reading::Header(draft) if !draft.has_version() && !text.starts_with("version 3") => {
                Err(expected_version(&format!("{:?}", shortened(text))))
            }
            Reading::Header(draft) => draft.read(text),
        }
    }

    /// The first line must be the version; nothing before it, not even an empty line.
    fn check_version(&self) -> Result<(), String> {
        match self {
            Reading::Header(draft) if !draft.has_version() => Err(expected_version("an empty line")),
            _ => Ok(()),
        }
    }

    fn is_complete(&self) -> bool {
        let Reading::Input(movie) = self else { return false };
        movie.header.length.is_some_and(|length| movie.lines.len() as u64 >= length)
    }
}

/// Writes a movie while it is being played.
///
/// ```
/// use maxout_engine::gamepad::Buttons;
/// use maxout_formats::fm2::{MovieHeader, Movie, MovieWriter, Step};
///
/// let steps = [Step::Frame(Buttons::START), Step::Reset, Step::Frame(Buttons::A)];
/// let mut writer = MovieWriter::new(Vec::new(), MovieHeader::new("game", [0; 16], "nobody")).unwrap();
/// for step in steps {
///     writer.step(step).unwrap();
/// }
/// let movie = Movie::read("example", &writer.finish().unwrap()[..]).unwrap();
/// assert!(movie.steps().eq(steps));
/// ```
pub struct MovieWriter<W: Write> {
    output: W,
    header: MovieHeader,
}

impl<W: Write> MovieWriter<W> {
    /// Writes the header and the lines that come before the first call.
    ///
    /// # Errors
    /// When `output` fails.
    pub fn new(mut output: W, header: MovieHeader) -> io::Result<MovieWriter<W>> {
        header.write(&mut output)?;
        let mut writer = MovieWriter { output, header };
        for _ in 0..line_of_call(0, 1) {
            writer.line(&MovieLine::default())?;
        }
        Ok(writer)
    }

    /// Writes the next step.
    ///
    /// # Errors
    /// When the output fails.
    pub fn step(&mut self, step: Step) -> io::Result<()> {
        self.line(&step.into())
    }

    fn line(&mut self, line: &MovieLine) -> io::Result<()> {
        LineWriter { output: &mut self.output, header: &self.header }.line(line)
    }

    /// What has been written, for the caller to take.
    pub(super) fn output(&mut self) -> &mut W {
        &mut self.output
    }

    /// Flushes what has been written so far.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Flushes and gives the output back.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

struct LineWriter<'a, W: Write> {
    output: W,
    header: &'a MovieHeader,
}

impl<W: Write> LineWriter<'_, W> {
    fn line(&mut self, line: &MovieLine) -> io::Result<()> {
        write!(self.output, "|{}|", line.command)?;
        for (plugged, pad) in self.header.pads().zip(&line.pads) {
            if plugged {
                write!(self.output, "{}", pad.keys())?;
            }
            write!(self.output, "|")?;
        }
        writeln!(self.output, "|")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = "version 3\nemuVersion 20605\nromFilename game\n\
        romChecksum base64:Ww5XFVjIx5aTe5avRpVhxg==\nguid 00000000-0000-0000-0000-000000000000\n\
        fourscore 0\nport0 1\nport1 0\nport2 0\n";

    fn read(text: &str) -> Result<Movie, String> {
        Movie::read("movie", text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn line_0_is_thrown_away() {
        let movie = read(&format!("{HEADER}|0|.......A|||\n|0|R.......|||\n")).unwrap();
        assert_eq!(movie.steps().take(9).collect::<Vec<_>>(), [Step::Frame(Buttons::RIGHT)]);
    }

    #[test]
    fn one_game_has_buttons_in_every_frame() {
        let frames = [Step::Frame(Buttons::RIGHT), Step::Frame(Buttons::NONE)];
        assert_eq!(one_game(frames), Ok(vec![Buttons::RIGHT, Buttons::NONE]));
        for other in [Step::Reset, Step::PowerCycle] {
            assert_eq!(one_game([frames[0], other, frames[1]]), Err(NotOneGame));
        }
    }

    #[test]
    fn a_reset_line_loses_its_buttons_and_moves_the_rest_by_one() {
        let movie = read(&format!("{HEADER}|2|........|||\n|0|R.......|||\n|1|.......A|||\n|0|.L......|||\n")).unwrap();
        let expected = [Step::Frame(Buttons::RIGHT), Step::Reset, Step::Frame(Buttons::LEFT)];
        assert_eq!(movie.steps().take(9).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn steps_become_lines_behind_the_one_that_no_game_sees() {
        let steps = [Step::Frame(Buttons::RIGHT), Step::Reset, Step::PowerCycle];
        let movie = Movie::from_steps(MovieHeader::new("a game", [0; 16], "nobody"), steps);
        let lines: Vec<_> = movie.lines.iter().map(|line| (line.command, line.pads[0])).collect();
        let none = Buttons::NONE;
        assert_eq!(lines, [(0, none), (0, Buttons::RIGHT), (1, none), (2, none)]);
        assert_eq!(movie.steps().take(9).collect::<Vec<_>>(), steps);
    }

    #[test]
    fn a_movie_that_grows_is_the_same_as_a_whole_one() {
        let header = MovieHeader::new("a game", [0; 16], "nobody");
        let steps = [Step::Frame(Buttons::RIGHT), Step::Reset, Step::Frame(Buttons::A)];
        let whole = |steps: &[Step]| {
            let mut bytes = Vec::new();
            Movie::from_steps(header.clone(), steps.iter().copied()).write(&mut bytes).unwrap();
            bytes
        };
        let mut writer = MovieWriter::new(io::BufWriter::new(Vec::new()), header.clone()).unwrap();
        for count in 1..=steps.len() {
            writer.step(steps[count - 1]).unwrap();
            writer.flush().unwrap();
            assert_eq!(*writer.output().get_ref(), whole(&steps[..count]));
        }
        writer.step(Step::PowerCycle).unwrap();
        let given = writer.finish().unwrap();
        assert!(given.buffer().is_empty(), "the end is flushed");
        assert_eq!(*given.get_ref(), whole(&[&steps[..], &[Step::PowerCycle]].concat()));
    }

    #[test]
    fn power_comes_before_reset() {
        let movie = read(&format!("{HEADER}|0|........|||\n|3|........|||\n")).unwrap();
        assert_eq!(movie.steps().take(9).collect::<Vec<_>>(), [Step::PowerCycle]);
    }

    #[test]
    fn carriage_returns_tabs_and_unknown_keys_are_read() {
        let text = HEADER.replace('\n', "\r\n").replace("port0 1", "port0\t1") + "whatever 7\r\n\r\n|0|........|||\r\n";
        assert_eq!(read(&text).unwrap().lines.len(), 1);
    }

    #[test]
    fn a_second_gamepad_and_four_of_them_are_read() {
        let two = HEADER.replace("port1 0", "port1 1") + "|0|........|.......A||\n";
        assert!(read(&two).unwrap().uses_other_gamepads());
        assert!(
            !read(&two.replace("|.......A|", "|........|").replace("|0|........", "|0|.......A"))
                .unwrap()
                .uses_other_gamepads()
        );
        let four = HEADER.replace("fourscore 0", "fourscore 1") + "|0|........|........|........|R.......|\n";
        assert!(read(&four).unwrap().uses_other_gamepads());
    }

    #[test]
    fn length_ends_the_input() {
        let movie = read(&format!("{HEADER}length 1\n|0|........|||\n|0|R.......|||\n")).unwrap();
        assert_eq!(movie.lines.len(), 1);
    }

    #[test]
    fn what_is_refused_is_named_with_its_line() {
        for (text, expected) in [
            (String::new(), "movie:1: expected \"version 3\", found nothing"),
            ("|0|........|||".to_owned(), "movie:1: expected \"version 3\", found \"|0|........|||\""),
            (format!("\n{HEADER}"), "movie:1: expected \"version 3\", found an empty line"),
            (format!("{HEADER}|0|.......|||\n"), "movie:10: gamepad 0: expected eight characters"),
            (format!("{HEADER}|0|........|........||\n"), "movie:10: port1 is 0 in the header"),
            (format!("{HEADER}|x|........|||\n"), "movie:10: expected a command number, found \"x\""),
            (format!("{HEADER}|0|........\n"), "movie:10: expected an input line"),
            (format!("{HEADER}|0|........|||\n\nhello\n"), "movie:12: expected an input line"),
            (format!("{HEADER}|0|........||0|\n"), "movie:10: expected no further field"),
            (format!("{HEADER}savestate 00"), "movie:10: the movie starts from a savestate"),
            (format!("{HEADER}palFlag 1"), "movie:10: the movie is for PAL"),
            (format!("{HEADER}binary 1"), "movie:10: the input is binary"),
            (format!("{HEADER}RAMInitOption 4"), "movie:10: RAMInitOption: expected 0 to 3"),
            (HEADER.replace("port0 1", "port0 2"), "movie:7: port0: expected 0 (nothing) or 1 (gamepad)"),
            (HEADER.replace("Ww5", "Ww"), "movie:4: romChecksum"),
            (HEADER.replace("xg==", "xg="), "movie:4: romChecksum"),
            (HEADER.replace("guid 0", "guid "), "movie:5: guid"),
            (HEADER.replace("emuVersion 20605\n", ""), "movie:8: expected the key emuVersion"),
        ] {
            let error = read(&text).expect_err(expected);
            assert!(error.starts_with(expected), "{error:?} does not start with {expected:?}");
        }
    }

    fn any_line() -> impl Strategy<Value = MovieLine> {
        (0..4_u8, any::<u8>()).prop_map(|(command, bits)| MovieLine {
            command,
            pads: [Buttons::from_bits(bits), Buttons::NONE, Buttons::NONE, Buttons::NONE],
        })
    }

    proptest! {
        #[test]
        fn a_movie_survives_writing_and_reading(
            lines in prop::collection::vec(any_line(), 0..50),
            rom_md5 in any::<[u8; 16]>(),
            comments in prop::collection::vec("[ -~]{0,20}", 0..3),
            seed in any::<u32>(),
        ) {
            let mut header = MovieHeader::new("a game", rom_md5, "nobody");
            header.comments = comments;
            header.power_on_ram = PowerOnRam::Random(seed);
            let movie = Movie { header, lines };
            let mut text = Vec::new();
            movie.write(&mut text).unwrap();
            prop_assert_eq!(Movie::read("movie", &text[..]).unwrap(), movie);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(version 3\n)?[ -~\n]{0,200}") {
            let _ = read(&text);
        }
    }
}
