//! `maxout tas --improve`: makes a recorded game faster.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::anyhow;

use super::args::Tas;
use super::kept::Kept;
use super::lists::KeptLists;
use super::words::{Measured, Outcome, ShownImprovement, Summary};
use super::{Made, finish, write};
use crate::files::outputs::Claims;
use crate::files::run_files::format_of_read;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::say;
use maxout_engine::gamepad::Buttons;
use maxout_engine::tas::Page;
use maxout_formats::fm2::one_game;
use maxout_formats::{InputFile, Presses};
use maxout_lab::tas::improve::{ImproveError, Improvement, Improving};
use maxout_lab::tas::{Found, Goal, Played, Settings};

/// Searches around the movie until nothing faster is found, writes the result and prints the summary.
pub(super) fn run(args: &Tas, movie: &Path, settings: Settings, claims: &mut Claims) -> Result<ExitCode, Failure> {
    let goal = settings.goal;
    let (count, improving) = (settings.count, args.improving(&settings));
    let Recorded { name, buttons, first } = &Recorded::open(movie, improving)?;
    let others = playfields_of(args, improving)?;
    let (begun, stop) = (Instant::now(), stop_on_interrupt());
    let at = Measured::of_movie(first);
    say(&format!("tool-assisted search: {goal} faster than the movie, {}", at.words(count)));
    let mut lists = KeptLists::begin(args)?;
    let mut of = format!("{improving:?} of a movie {:?}", bits(buttons));
    if !others.is_empty() {
        of += &format!(" with playfields {others:?}");
    }
    let mut kept = Kept::begin(args, goal, None, &of)?;
    let mut shown = ShownImprovement::new(args.minutes, &stop);
    let rounds = Rounds { args, improving, others, stop: &stop };
    let from = kept.stages.game.as_ref().map_or_else(|| buttons.clone(), |game| game.buttons.clone());
    let interrupted = rounds.search(&mut shown, &mut kept, &mut lists, &from)?;
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let advice = if interrupted {
        kept.advice()
    } else {
        "try larger stretches (--shape, --across, --cycles, --parts), or a wider search (--width)"
    };
    let Some(played) = kept.game() else {
        let how = if interrupted { "stopped before anything" } else { "found nothing" };
        return Err(Failure::run(anyhow!("{how} faster than the movie, {}: {advice}", at.words(count))));
    };
    let settings = Settings { start_level: first.start_level(), ..settings };
    let console = write(args, &settings, Made::Improves { movie: name, replans: None }, &played, claims)?;
    let seconds = begun.elapsed().as_secs_f64();
    let summary = Summary::new(&settings, outcome, Some(at), &played, console, seconds);
    let code = finish(args, &summary, interrupted)?;
    kept.failure.or(lists.failure).map_or(Ok(code), Err)
}

/// A movie that is made faster.
pub(super) struct Recorded {
    pub name: String,
    pub buttons: Vec<Buttons>,
    pub first: Improvement,
}

impl Recorded {
    pub(super) fn open(movie: &Path, improving: Improving) -> Result<Recorded, Failure> {
        let buttons = read(movie)?;
        let of_movie = |error: ImproveError| {
            Failure::input(anyhow::Error::new(error).context(format!("the movie {}", movie.display())))
        };
        let first = Improvement::of(&buttons, improving).map_err(of_movie)?;
        Ok(Recorded { name: movie.file_name().unwrap_or_default().to_string_lossy().into_owned(), buttons, first })
    }
}

/// The playfields of the movies of --playfields-of after their clears, each once.
fn playfields_of(args: &Tas, improving: Improving) -> Result<Vec<Page>, Failure> {
    let mut all = Vec::new();
    for movie in &args.playfields_of {
        for page in Recorded::open(movie, improving)?.first.playfields() {
            if !all.contains(&page) {
                all.push(page);
            }
        }
    }
    Ok(all)
}

/// The buttons of each frame as numbers.
pub(super) fn bits(buttons: &[Buttons]) -> Vec<u8> {
    buttons.iter().map(|pressed| pressed.bits()).collect()
}

/// Searches around a game, again and again.
pub(super) struct Rounds<'a> {
    pub args: &'a Tas,
    pub improving: Improving,
    /// Playfields of other movies after their clears.
    pub others: Vec<Page>,
    pub stop: &'a AtomicBool,
}

impl Rounds<'_> {
    /// Searches around a game until nothing faster is found, and keeps each faster game; was it interrupted?
    pub(super) fn search(
        &self,
        shown: &mut ShownImprovement<'_>,
        kept: &mut Kept<'_>,
        lists: &mut KeptLists<'_>,
        buttons: &[Buttons],
    ) -> Result<bool, Failure> {
        let Improving { goal, count, .. } = self.improving;
        let all = self.improving.stretches();
        let of_game = |error: ImproveError| Failure::run(anyhow::Error::new(error));
        let mut improvement = Improvement::of(buttons, self.improving)
            .map_err(of_game)?
            .with_lists(lists.lists.clone())
            .with_playfields(self.others.clone());
        while kept.stages.in_vain < all.len() {
            let stretches = all[kept.stages.round % all.len()];
            shown.round(kept.stages.round + 1);
            let found = improvement.search(stretches, self.args.threads(), self.stop, |progress| {
                shown.piece(&progress);
                lists.save_in_time();
            });
            lists.save();
            let faster = match found {
                Ok(Some(found)) => {
                    let played = play(&found, goal)?;
                    let before = Measured { frame: improvement.frame(), length: improvement.length() };
                    Some(played).filter(|played| Measured::of(played).is_less(before, count))
                }
                Ok(None) => return Ok(true),
                // The game that was found before is good.
                Err(error)
                    if matches!(error, ImproveError::Pushdown { .. } | ImproveError::NoParts)
                        || kept.stages.game.is_some() =>
                {
                    say(&error.to_string());
                    None
                }
                Err(error) => return Err(Failure::run(anyhow::Error::new(error))),
            };
            if self.stop.load(Ordering::Relaxed) {
                kept.of_stopped = faster;
                return Ok(true);
            }
            kept.stages.round += 1;
            kept.stages.in_vain += 1;
            if let Some(played) = faster {
                improvement = improvement.of_another(&played.buttons).map_err(of_game)?;
                kept.stages.in_vain = 0;
                kept.stages.game = Some(played);
            }
            kept.save();
        }
        Ok(false)
    }
}

/// Plays a found game on the rules model.
pub(super) fn play(found: &Found, goal: Goal) -> Result<Played, Failure> {
    found.play(goal).map_err(|problem| Failure::run(anyhow!("the found game is wrong: {problem}")))
}

/// The buttons of a movie or a log, frame by frame from power-on.
fn read(movie: &Path) -> Result<Vec<Buttons>, Failure> {
    let name = movie.display();
    let format = format_of_read(movie, None, ".csv, .jsonl, .fm2 or .bk2")?;
    let input = InputFile::open(movie, format).map_err(Failure::input)?;
    let Presses::Steps(steps) = input.presses else {
        return Err(Failure::input(anyhow!("{name}: expected buttons for each frame (FM2, BK2 or a log), found R08")));
    };
    one_game(steps).map_err(|error| Failure::input(anyhow!("{name}: {error}")))
}
