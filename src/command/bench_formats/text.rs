//! The report as text for a terminal and as Markdown.

use std::fmt::Write;

use super::result::{BenchFormatsResult, FormatResult};
use maxout_engine::gamepad::TapGaps;
use maxout_engine::text::{rounded, visible};
use maxout_lab::published::{Ahead, GAMES, betatetris};
use maxout_lab::simulate::{Share, Spread};
use maxout_screen::numbers::thousands;

/// What the Markdown begins with. [`Kind::Formats`](maxout_formats::Kind::Formats) knows it.
const HEAD: &str = "# BetaTetris' 42 formats\n\n<!-- Written by maxout bench-formats. -->\n";

impl BenchFormatsResult {
    /// The report for a terminal.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", visible(&self.player), self.conditions());
        let _ = writeln!(
            text,
            "{:<9}{:>7}{:>12}{:>11}{:>12}{:>9}{:>9}  ahead",
            "format", "games", "mean", "95 % +-", "theirs", "230", "330"
        );
        for format in &self.formats {
            let _ = writeln!(
                text,
                "{:<9}{:>7}{:>12}{:>11}{:>12}{:>9}{:>9}  {}",
                format.format,
                thousands(format.games),
                format.number(|points| Some(points.mean)),
                format.number(reach),
                rounded(format.published.mean),
                percent(format.reached_230),
                percent(format.reached_330),
                format.ahead.map_or("-", Ahead::name)
            );
        }
        let _ = writeln!(text, "{}", self.summary());
        text
    }

    /// `20 games of each format, seed 1`
    fn conditions(&self) -> String {
        let seed = self.settings.seed;
        format!(
            "level {} until {}, rules {}, seed {seed}",
            self.settings.start_level, self.settings.until, self.settings.rules
        )
    }

    fn summary(&self) -> String {
        let of = self.formats.len();
        format!(
            "Our mean is higher in {} of {of} formats. With intervals apart: ours ahead in {}, theirs in {}.",
            self.higher, self.ahead, self.behind
        )
    }

    /// The report as a page, with the command that writes it.
    pub(super) fn markdown(&self, command: &str) -> String {
        let mut page = HEAD.to_owned();
        let _ = write!(
            page,
            "
BetaTetris v1.0.0 (2025) is the strongest published player. Its [statistics](https://github.com/BetaTetris/btpg)
(`public/stats.json`) cover seven ways of tapping and six reaction times, {} games each. Here `{}` plays
{} of these {} formats.

- **Rules**: start at level 18; two rows a frame from level 39 (330 lines) on; the end is at 430 lines or a topout.
  Points have no cap, and those of pushdowns do not count.
- **Format**: `30hz/18` taps at 30 Hz and uses the next box from 18 frames after the spawn on. `24hz` has gaps of 2
  and 3 frames in turn. `slow5` taps at 30 Hz up to four times and slowly from the fifth on. How slowly is not published: here
  its gaps are {} frames (12 Hz at the end), because in the published results it does worse before level 29 than
  24 Hz, whose fifth tap comes 10 frames after the first.
- **Theirs**: the best of their six settings by mean, on seeds of the cartridge TetrisGYM 5. Ours are games of the
  rules model, with the pieces of the game's own generator.
- **Ahead**: `ours` or `theirs` where the 95 % intervals of the means are apart, otherwise `open`. The interval of their mean is
  not published: it is taken as that of as many games with our standard deviation.

Player: {}. {}.

{}

```sh
{}
```
",
            thousands(GAMES),
            visible(self.player.split(',').next().unwrap_or_default()),
            self.formats.len(),
            betatetris().len(),
            TapGaps::SLOW5,
            visible(&self.player),
            capital(&self.conditions()),
            self.summary(),
            command,
        );
        page += "
| format | games | mean | 95 % | median | p1 | 230 lines | 330 lines | theirs: mean | median | p1 | 230 lines | 330 lines | ahead |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
";
        for format in &self.formats {
            page += &format.markdown();
        }
        page
    }
}

impl FormatResult {
    /// A number of the points, or `-`.
    fn number(&self, number: impl Fn(&Spread) -> Option<f64>) -> String {
        self.points.as_ref().and_then(number).map_or("-".to_owned(), rounded)
    }

    /// A row of the table.
    fn markdown(&self) -> String {
        let published = self.published;
        let interval = self.points.as_ref().and_then(|points| points.mean_95);
        let cells = [
            self.format.to_string(),
            thousands(self.games),
            self.number(|points| Some(points.mean)),
            interval
                .map_or("-".to_owned(), |interval| format!("{} to {}", rounded(interval.low), rounded(interval.high))),
            self.number(|points| Some(points.median)),
            self.number(|points| Some(points.p1)),
            percent(self.reached_230),
            percent(self.reached_330),
            rounded(published.mean),
            rounded(published.median),
            rounded(published.p1),
            share(published.reached_230),
            share(published.reached_330),
            self.ahead.map_or("-", Ahead::name).to_owned(),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

/// Half the interval of the mean.
fn reach(points: &Spread) -> Option<f64> {
    points.mean_95.map(|interval| (interval.high - interval.low) / 2.0)
}

fn percent(found: Option<Share>) -> String {
    found.map_or("-".to_owned(), |found| share(found.share))
}

fn share(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
