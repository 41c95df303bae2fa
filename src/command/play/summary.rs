//! The summary at the end of a run.

use serde::Serialize;

use crate::config::Config;
use crate::console::power::Powered;
use crate::system::output::json_line;
use maxout_engine::bot::{Cause, Dodges, EndedGame, Finished, GameEnd, Outcome, Stuck};
use maxout_engine::game::crash::FIRST_CRASH_LEVEL;
use maxout_engine::text;
use maxout_screen::numbers::{game_time, score_text, thousands};

/// What a game is played on, as the summary names it.
#[derive(Debug, Clone)]
pub(crate) struct PlayedOn {
    rom: Option<String>,
    rom_sha1: Option<String>,
    host: Option<String>,
}

impl PlayedOn {
    pub(crate) fn new(powered: &Powered) -> PlayedOn {
        let is_named = powered.rom.is_some() || powered.host.is_none();
        PlayedOn {
            rom: is_named.then(|| powered.name().to_owned()),
            rom_sha1: powered.rom_sha1().map(str::to_owned),
            host: powered.host.clone(),
        }
    }
}

/// Who plays, as the summary names it.
#[derive(Debug, Clone)]
pub(crate) struct NamedPlayer {
    pub name: String,
    /// SHA-1 of its weights, in hexadecimal; none for the published weights and for external players.
    pub weights_sha1: Option<String>,
}

/// The result of a run; as JSON, one object with these keys.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// None on a host whose ROM is not known.
    rom: Option<String>,
    /// None on the simulated console and on a host whose ROM is not known.
    rom_sha1: Option<String>,
    /// What the host calls itself; left out on a console of our own.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    seed: u64,
    /// Name of the evaluator, or of the external player.
    evaluator: String,
    /// The weights file; left out where none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<String>,
    /// SHA-1 of the weights; none for the published ones and for external players.
    weights_sha1: Option<String>,
    input: String,
    /// Whether all pieces were moved by buttons alone, by a player that sees no more than the screen shows.
    honest: bool,
    /// How pieces were moved without buttons.
    cheats: Option<&'static str>,
    /// Why the game is not honest although its pieces were moved by buttons.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_honest: Option<&'static str>,
    filter: Option<String>,
    target_score: Option<u32>,
    start_level: u8,
    until: String,
    /// The goal's name when it was reached; else `topout`, `overshoot`, `crash`, `stuck` or `stopped`.
    outcome: String,
    /// What stood still, and for how long, in a run that is stuck; the crash, in one that crashed.
    stuck: Option<String>,
    /// T, the cycles of the frame that crashed the game: the level and the lines are those of the crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    crash_cycles: Option<u32>,
    /// The outcome in words.
    #[serde(skip)]
    result: String,
    goal_reached: bool,
    score: u32,
    /// The score without the cap of 999,999.
    score_uncapped: u64,
    lines: u16,
    level: u8,
    pieces: u32,
    frames: u64,
    maxout_frame: Option<u64>,
    singles: u32,
    doubles: u32,
    triples: u32,
    tetrises: u32,
    /// Share of the lines that tetrises cleared, 0 to 1.
    tetris_rate: Option<f64>,
    desyncs: u32,
    /// Resets, loaded states, rewinds.
    jumps: u32,
    /// Frames that a person played.
    frames_by_hand: u64,
    /// How often the level went from 255 to 0; only from level 153 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    rebirths: Option<u32>,
    /// What kept the game from crashing; only from level 153 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    dodges: Option<Dodges>,
    /// The games that are over, of a run that plays several; the values above are those of the last game.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Vec<GameRow>>,
}

/// A game of a run that plays several.
#[derive(Debug, Serialize)]
struct GameRow {
    /// `topout`, `crash` or `stuck`.
    outcome: &'static str,
    score: u32,
    score_uncapped: u64,
    lines: u16,
    level: u8,
    pieces: u32,
    tetris_rate: Option<f64>,
    /// The frame since power-on after which its first piece could be moved.
    first_frame: u64,
    /// Frames from there to its end.
    frames: u64,
    /// T of the lock that crashed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    crash_cycles: Option<u32>,
    /// How often its level went from 255 to 0.
    rebirths: u32,
}

impl GameRow {
    fn new(game: &EndedGame) -> GameRow {
        let &EndedGame { end, first_frame, frames, score, lines, level, tally } = game;
        GameRow {
            outcome: end.name(),
            score,
            score_uncapped: tally.uncapped,
            lines,
            level,
            pieces: tally.pieces,
            tetris_rate: tally.tetris_rate(),
            first_frame,
            frames,
            crash_cycles: match end {
                GameEnd::Crash { cycles } => Some(cycles),
                GameEnd::Topout | GameEnd::Stuck => None,
            },
            rebirths: tally.rebirths,
        }
    }
}

impl Summary {
    /// `games`: those that are over.
    pub(crate) fn new(
        on: &PlayedOn,
        config: &Config,
        player: &NamedPlayer,
        finished: &Finished,
        games: &[EndedGame],
    ) -> Summary {
        let tally = &finished.tally;
        let [singles, doubles, triples, tetrises] = tally.clears;
        Summary {
            rom: on.rom.clone(),
            rom_sha1: on.rom_sha1.clone(),
            host: on.host.clone(),
            seed: config.bot.seed,
            evaluator: player.name.clone(),
            weights: player
                .weights_sha1
                .as_ref()
                .and(config.eval.weights.as_ref())
                .map(|path| path.display().to_string()),
            weights_sha1: player.weights_sha1.clone(),
            input: config.planner.describe(),
            honest: config.planner.mark().is_none(),
            cheats: config.planner.input.cheat(),
            not_honest: config.planner.rng.not_honest(),
            filter: config.planner.filter.as_ref().map(ToString::to_string),
            target_score: config.planner.target_score,
            start_level: config.bot.start_level,
            until: config.bot.until.to_string(),
            outcome: match finished.outcome {
                Outcome::Goal => config.bot.until.to_string(),
                Outcome::Topout => "topout".to_owned(),
                Outcome::Overshoot => "overshoot".to_owned(),
                Outcome::Stuck(Stuck { cause: Cause::Crash { .. }, .. }) => "crash".to_owned(),
                Outcome::Stuck(_) => "stuck".to_owned(),
                Outcome::Stopped => "stopped".to_owned(),
            },
            stuck: match finished.outcome {
                Outcome::Stuck(stuck) => Some(stuck.to_string()),
                _ => None,
            },
            crash_cycles: match finished.outcome {
                Outcome::Stuck(Stuck { cause: Cause::Crash { cycles, .. }, .. }) => Some(cycles),
                _ => None,
            },
            result: config.bot.until.result(finished.outcome),
            goal_reached: finished.outcome == Outcome::Goal,
            score: finished.snapshot.score,
            score_uncapped: tally.uncapped,
            lines: finished.snapshot.lines,
            level: finished.snapshot.level,
            pieces: tally.pieces,
            frames: finished.frames,
            maxout_frame: tally.maxout_frame,
            singles,
            doubles,
            triples,
            tetrises,
            tetris_rate: tally.tetris_rate(),
            desyncs: tally.desyncs,
            jumps: tally.jumps,
            frames_by_hand: tally.by_hand,
            rebirths: tally.dodges.nearest.map(|_| tally.rebirths).or((tally.rebirths > 0).then_some(tally.rebirths)),
            dodges: (tally.dodges != Dodges::default()).then_some(tally.dodges),
            games: config.bot.until.plays_on().then(|| games.iter().map(GameRow::new).collect()),
        }
    }

    /// The summary for programs: one line of JSON.
    pub(crate) fn json(&self) -> String {
        json_line(self)
    }

    /// What to do about a run that is stuck.
    fn advice(&self) -> &'static str {
        if self.level >= FIRST_CRASH_LEVEL {
            "the original game crashes from level 155 on (see maxout crash): play to an earlier goal, such as\n             \
             --until level:154"
        } else {
            "check the ROM and its RAM map with maxout validate, or give another ROM"
        }
    }

    /// The summary for people.
    pub(crate) fn text(&self) -> String {
        let cheats = self.cheats.map_or(String::new(), |cheats| {
            format!("CHEATS       {cheats} in place of pressing buttons: not an honest game\n")
        });
        let not_honest =
            self.not_honest.map_or(String::new(), |why| format!("NOT HONEST   {why}: not an honest game\n"));
        let weights = self.weights.as_ref().map_or(String::new(), |weights| {
            let sha1 = self.weights_sha1.as_deref().unwrap_or_default();
            format!("weights      {}  {sha1}\n", text::visible(weights))
        });
        let filter =
            self.filter.as_ref().map_or(String::new(), |filter| format!("filter       {}\n", text::visible(filter)));
        let stuck = self.stuck.as_ref().map_or(String::new(), |stuck| {
            let advice = self.advice();
            format!("stuck        {stuck}\n             {advice}\n")
        });
        let host = self.host.as_ref().map_or(String::new(), |host| format!("host         {}\n", text::visible(host)));
        let rom = self.rom.as_ref().map_or(String::new(), |rom| {
            let sha1 = self.rom_sha1.as_deref().unwrap_or("the rules model");
            format!("rom          {rom}  {sha1}\n")
        });
        let hands = match (self.jumps, self.frames_by_hand) {
            (0, 0) => String::new(),
            (jumps, frames) => {
                let jumps = format!("{} {}", thousands(jumps.into()), if jumps == 1 { "time" } else { "times" });
                format!(
                    "jumps        the console's state jumped {jumps}, a person played {} frames\n",
                    thousands(frames)
                )
            }
        };
        let rebirths =
            self.rebirths.map_or(String::new(), |times| format!("rebirths     {}\n", thousands(times.into())));
        let dodges = self.dodges.map_or(String::new(), |dodges| dodged(&dodges));
        let games = self.games.as_ref().map_or(String::new(), |games| table(games));
        let rate = self.tetris_rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
        let maxout = self.maxout_frame.map_or("-".to_owned(), |frame| format!("frame {}", thousands(frame)));
        format!(
            "{} after {} frames ({} at the console's own speed)\n\
             {stuck}\
             {cheats}\
             {not_honest}\
             {host}\
             {rom}\
             game         seed {}, start level {}, {}, {}\n\
             {weights}\
             {filter}\
             score        {}\n\
             maxout       {maxout}\n\
             lines        {}   level {}   pieces {}\n\
             clears       {}\n\
             tetris rate  {rate}\n\
             desyncs      {}\n\
             {rebirths}\
             {dodges}\
             {hands}\
             {games}",
            self.result,
            thousands(self.frames),
            game_time(self.frames),
            self.seed,
            self.start_level,
            text::visible(&self.evaluator),
            self.input,
            score_text(self.score, self.score_uncapped),
            thousands(self.lines.into()),
            self.level,
            thousands(self.pieces.into()),
            text::clears([self.singles, self.doubles, self.triples, self.tetrises]),
            self.desyncs
        )
    }
}

/// The games, one in a line.
fn table(games: &[GameRow]) -> String {
    if games.is_empty() {
        return String::new();
    }
    let line = |cells: [&str; 8]| {
        let [game, outcome, score, uncapped, lines, level, frames, cycles] = cells;
        let line =
            format!("{game:>4}  {outcome:<7} {score:>8} {uncapped:>12} {lines:>7} {level:>6} {frames:>10} {cycles:>8}");
        format!("{}\n", line.trim_end())
    };
    let mut text = line(["game", "outcome", "score", "uncapped", "lines", "level", "frames", "T"]);
    for (number, game) in (1..).zip(games) {
        text += &line([
            &thousands(number),
            game.outcome,
            &thousands(game.score.into()),
            &thousands(game.score_uncapped),
            &thousands(game.lines.into()),
            &game.level.to_string(),
            &thousands(game.frames),
            &game.crash_cycles.map_or(String::new(), |cycles| thousands(cycles.into())),
        ]);
    }
    text
}

/// What kept the game from crashing, in words.
fn dodged(dodges: &Dodges) -> String {
    let count = |count: u32| thousands(count.into());
    let counted =
        |number: u32, one: &str, more: &str| format!("{} {}", count(number), if number == 1 { one } else { more });
    let nearest = dodges
        .nearest
        .map_or(String::new(), |cycles| format!("; nearest danger {}", counted(cycles, "cycle", "cycles")));
    format!(
        "dodges       {} by another placement, {} by pushdown, {} by Select; A ended {}\n             \
         {} risked, {} planned{nearest}\n",
        count(dodges.placements),
        count(dodges.pushdowns),
        count(dodges.selects),
        counted(dodges.hangs, "hang", "hangs"),
        counted(dodges.risks, "lock", "locks"),
        counted(dodges.planned_hangs, "hang", "hangs")
    )
}
