//! How games are played and how fast the net learns, in the course of a training.

use serde::{Deserialize, Serialize};

use super::round::{GAMES, SEGMENT};
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::learned::TrainedFor;
use maxout_engine::toml_line;

/// Most pieces of a schedule: far more than a training has, and sums of them are exact.
const MOST_PIECES: u64 = 1_000_000_000_000;

/// How the games are played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "play")]
pub enum Behaviour {
    /// By the hand-made heuristic.
    Heuristic,
    /// The placement with the best value, the next piece known.
    Greedy,
    /// The best placement after a search one piece further from the best few placements.
    Search {
        /// Search at most this many placements.
        width: usize,
        /// Search none that is worse than the best by more than this, in rewards.
        margin: f32,
    },
}

/// The numbers of the learning rule at one point of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Factor on everything that comes one piece later.
    pub discount: f32,
    /// Share of what really happened in a target; the rest is what the net expected.
    pub lambda: f32,
    /// Step of the dense layers.
    pub step: f32,
    /// Odds of a random placement.
    pub explore: f32,
    /// Odds that a placement which was searched but not chosen becomes a sample, too.
    pub strap: f32,
    /// The largest error that counts in full.
    pub clip: f32,
    /// Value of topping out, in rewards: 0 or less.
    pub topout: f32,
    /// Odds that a new game begins with the playfield of another game.
    pub strays: f32,
    /// Step of the table as a share of what it is otherwise; 0 leaves the table as it is.
    pub table: f32,
    /// Odds of a random placement in every eighth game; less than `explore` counts as `explore`.
    pub messy: f32,
    /// Step of the spans as a multiple of the step of the layers; 0 leaves the spans as they are.
    pub spans: f32,
}

/// A stretch of a training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct TrainingPhase {
    /// Pieces placed in it.
    pub pieces: u64,
    /// How games are played.
    #[serde(flatten)]
    pub behaviour: Behaviour,
    /// Discount at its start and end, linear in between.
    pub discount: [f32; 2],
    /// Step at its start and end; its logarithm is linear in between.
    pub step: [f32; 2],
    /// See [`Rates::lambda`].
    pub lambda: f32,
    /// See [`Rates::explore`].
    pub explore: f32,
    /// See [`Rates::strap`].
    pub strap: f32,
    /// See [`Rates::clip`].
    pub clip: f32,
    /// See [`Rates::topout`].
    #[serde(skip_serializing_if = "is_zero")]
    pub topout: f32,
    /// See [`Rates::strays`].
    #[serde(skip_serializing_if = "is_zero")]
    pub strays: f32,
    /// See [`Rates::table`].
    #[serde(skip_serializing_if = "is_one")]
    pub table: f32,
    /// See [`Rates::messy`].
    #[serde(skip_serializing_if = "is_zero")]
    pub messy: f32,
    /// See [`Rates::spans`].
    #[serde(skip_serializing_if = "is_zero")]
    pub spans: f32,
    /// The phase ends after this many pieces; its rates change as if it went on to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<u64>,
}

impl TrainingPhase {
    /// Pieces that are placed in it: `cut`, if there is one.
    pub fn length(&self) -> u64 {
        self.cut.map_or(self.pieces, |cut| cut.min(self.pieces))
    }

    /// The same without a cut.
    fn uncut(&self) -> TrainingPhase {
        TrainingPhase { cut: None, ..*self }
    }
}

fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// A phase in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    play: Play,
    width: Option<usize>,
    margin: Option<f32>,
    pieces: u64,
    discount: [f32; 2],
    step: [f32; 2],
    lambda: f32,
    explore: f32,
    #[serde(default)]
    strap: f32,
    clip: f32,
    #[serde(default)]
    topout: f32,
    #[serde(default)]
    strays: f32,
    #[serde(default)]
    messy: f32,
    #[serde(default = "one")]
    table: f32,
    #[serde(default)]
    spans: f32,
    cut: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Play {
    Heuristic,
    Greedy,
    Search,
}

impl TryFrom<Written> for TrainingPhase {
    type Error = String;

    fn try_from(written: Written) -> Result<TrainingPhase, String> {
        let behaviour = match (written.play, written.width, written.margin) {
            (Play::Heuristic, None, None) => Behaviour::Heuristic,
            (Play::Greedy, None, None) => Behaviour::Greedy,
            (Play::Search, Some(width), Some(margin)) => Behaviour::Search { width, margin },
            (Play::Search, _, _) => return Err("play `search` needs `width` and `margin`".to_owned()),
            _ => return Err("`width` and `margin` go with play `search` only".to_owned()),
        };
        let phase = TrainingPhase {
            pieces: written.pieces,
            behaviour,
            discount: written.discount,
            step: written.step,
            lambda: written.lambda,
            explore: written.explore,
            strap: written.strap,
            clip: written.clip,
            topout: written.topout,
            strays: written.strays,
            messy: written.messy,
            table: written.table,
            spans: written.spans,
            cut: written.cut,
        };
        phase.check()?;
        Ok(phase)
    }
}

impl TrainingPhase {
    /// Is every number within its range?
    fn check(&self) -> Result<(), String> {
        let within = |name: &str, number: f32, fits: bool, range: &str| {
            if fits { Ok(()) } else { Err(format!("`{name}` is {number}, expected {range}")) }
        };
        let positive = |name, number: f32| within(name, number, number > 0.0 && number.is_finite(), "a number above 0");
        let share = |name, number| within(name, number, (0.0..=1.0).contains(&number), "0 to 1");
        if !(1..=MOST_PIECES).contains(&self.pieces) {
            return Err(format!("`pieces` is {}, expected 1 to {MOST_PIECES}", self.pieces));
        }
        if let Behaviour::Search { width, margin } = self.behaviour {
            if width == 0 {
                return Err("`width` is 0, expected at least 1".to_owned());
            }
            within("margin", margin, margin >= 0.0 && margin.is_finite(), "0 or more")?;
        }
        for number in self.discount {
            // A search divides by it.
            let is_divisor = matches!(self.behaviour, Behaviour::Search { .. });
            within("discount", number, number > 0.0 || !is_divisor, "more than 0 where a search plays")?;
            within("discount", number, (0.0..1.0).contains(&number), "0 to less than 1")?;
        }
        for number in self.step {
            positive("step", number)?;
        }
        share("lambda", self.lambda)?;
        share("explore", self.explore)?;
        share("strap", self.strap)?;
        share("strays", self.strays)?;
        share("messy", self.messy)?;
        share("table", self.table)?;
        within("spans", self.spans, self.spans >= 0.0 && self.spans.is_finite(), "0 or more")?;
        positive("clip", self.clip)?;
        within("topout", self.topout, self.topout <= 0.0 && self.topout.is_finite(), "0 or less")?;
        match self.cut {
            Some(cut) if !(1..=self.pieces).contains(&cut) => {
                Err(format!("`cut` is {cut}, expected 1 to the {} pieces of the phase", self.pieces))
            }
            _ => Ok(()),
        }
    }
}

/// What one of the net's heads is trained for, and in how many games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadGames {
    /// The level that sets the gravity of its games; from 39 on two rows a frame.
    pub level: u8,
    /// How the player taps in them.
    pub tap_rate: Tapping,
    /// How many of the [`GAMES`] that are played side by side.
    pub games: usize,
    /// See [`Head::scale`](maxout_engine::judge::learned::Head::scale).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f32,
}

fn one() -> f32 {
    1.0
}

fn is_one(number: &f32) -> bool {
    *number == 1.0
}

impl HeadGames {
    /// All games are on the plateau, with taps at 30 Hz.
    pub const PLATEAU: HeadGames = HeadGames {
        level: TrainedFor::PLATEAU.level,
        tap_rate: TrainedFor::PLATEAU.tap_rate,
        games: GAMES,
        scale: 1.0,
    };

    /// The games without their number.
    pub fn trained_for(self) -> TrainedFor {
        TrainedFor { level: self.level, tap_rate: self.tap_rate, reaction: 0 }
    }
}

fn plateau() -> Vec<HeadGames> {
    vec![HeadGames::PLATEAU]
}

fn is_plateau(heads: &[HeadGames]) -> bool {
    heads == [HeadGames::PLATEAU]
}

/// The phases of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The heads of the net.
    #[serde(default = "plateau", skip_serializing_if = "is_plateau")]
    pub heads: Vec<HeadGames>,
    /// One after the other.
    pub phases: Vec<TrainingPhase>,
}

impl Schedule {
    /// The schedule of the weights that are built in.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn learned() -> Schedule {
        let text = include_str!("../../../config/schedules/learned.toml");
        Schedule::from_toml(text).expect("the schedule that is built in is sound")
    }

    /// Reads a schedule as TOML: `[[phases]]`, each with the fields of [`TrainingPhase`] and `play`,
    /// which is `"heuristic"`, `"greedy"` or `"search"` with `width` and `margin`.
    ///
    /// # Errors
    /// One line that names the place and what is wrong there: an unknown or missing key, or a
    /// number out of range.
    pub fn from_toml(text: &str) -> Result<Schedule, String> {
        let schedule: Schedule = toml::from_str(text).map_err(|error| toml_line::describe(&error, text))?;
        schedule.check()?;
        Ok(schedule)
    }

    /// Has it a phase, and no more pieces than can be counted?
    pub(super) fn check(&self) -> Result<(), String> {
        if self.phases.is_empty() {
            return Err("there is no phase: expected at least one [[phases]]".to_owned());
        }
        let games: usize = self.heads.iter().map(|head| head.games).fold(0, usize::saturating_add);
        if games != GAMES || self.heads.iter().any(|head| head.games == 0) {
            return Err(format!("all heads have {games} `games`, expected {GAMES} and at least 1 for each"));
        }
        if let Some(head) = self.heads.iter().find(|head| !(head.scale > 0.0 && head.scale.is_finite())) {
            return Err(format!("`scale` is {}, expected a number above 0", head.scale));
        }
        let pieces = self.phases.iter().fold(0u64, |sum, phase| sum.saturating_add(phase.pieces));
        if pieces > MOST_PIECES {
            return Err(format!("all phases have {pieces} `pieces`, expected at most {MOST_PIECES}"));
        }
        Ok(())
    }

    /// The first phase, counted from 1, in which a training that has placed this many pieces with
    /// this schedule would have gone differently with the other.
    pub fn differs(&self, other: &Schedule, placed: u64) -> Option<usize> {
        if self.heads != other.heads {
            return Some(1);
        }
        // A round is played by the phase in which it begins.
        let last_round = placed.checked_sub((GAMES * SEGMENT) as u64)?;
        let mut begin = 0;
        for (index, phase) in self.phases.iter().enumerate() {
            if begin > last_round {
                return None;
            }
            let same = other.phases.get(index).filter(|other| other.uncut() == phase.uncut());
            // A cut changes no round before it.
            let is_followed = |other: &TrainingPhase| {
                let [one, another] = [phase, other].map(TrainingPhase::length);
                one == another || begin + one.min(another) > last_round
            };
            if !same.is_some_and(is_followed) {
                return Some(index + 1);
            }
            begin += phase.length();
        }
        None
    }

    /// The phase after this many pieces, counted from 1.
    pub fn phase(&self, placed: u64) -> usize {
        let mut end = 0;
        let reached = |phase: &&TrainingPhase| {
            end += phase.length();
            placed >= end
        };
        (self.phases.iter().take_while(reached).count() + 1).min(self.phases.len())
    }

    /// Pieces of all phases.
    pub fn pieces(&self) -> u64 {
        self.phases.iter().map(TrainingPhase::length).sum()
    }

    /// The behaviour and the rates after this many pieces.
    ///
    /// # Panics
    /// When there are no phases.
    pub fn at(&self, placed: u64) -> (Behaviour, Rates) {
        let mut before = 0;
        let mut current = self.phases.last().expect("a schedule has phases");
        let mut begun = self.pieces() - current.length();
        for phase in &self.phases {
            if placed < before + phase.length() {
                (current, begun) = (phase, before);
                break;
            }
            before += phase.length();
        }
        let share = ((placed - begun) as f32 / current.pieces as f32).min(1.0);
        let [first, last] = current.discount;
        let [fast, slow] = current.step;
        let rates = Rates {
            discount: first + (last - first) * share,
            lambda: current.lambda,
            step: fast * (slow / fast).powf(share),
            explore: current.explore,
            strap: current.strap,
            clip: current.clip,
            topout: current.topout,
            strays: current.strays,
            messy: current.messy,
            table: current.table,
            spans: current.spans,
        };
        (current.behaviour, rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: &str = "[[phases]]\nplay = \"search\"\nwidth = 5\nmargin = 0.5\npieces = 4000\n\
                          discount = [0.9, 0.98]\nstep = [4e-4, 1e-4]\nlambda = 0.5\nexplore = 0\nstrap = 0.2\nclip = 8\n";

    fn schedule() -> Schedule {
        let greedy = SEARCH.replace("search", "greedy").replace("width = 5\nmargin = 0.5\n", "");
        Schedule::from_toml(&format!("{}{SEARCH}", greedy.replace("4000", "1500"))).unwrap()
    }

    #[test]
    fn the_schedule_that_is_built_in_can_be_read() {
        let schedule = Schedule::learned();
        assert!(schedule.pieces() > 1_000_000);
        assert_eq!(schedule.phases[0].behaviour, Behaviour::Heuristic);
    }

    #[test]
    fn a_schedule_is_read_back_from_what_it_is_written_as() {
        let mut with_spans = schedule();
        with_spans.phases[1].spans = 100.0;
        for schedule in [schedule(), with_spans, Schedule::learned()] {
            let json = serde_json::to_string(&schedule).unwrap();
            assert_eq!(serde_json::from_str::<Schedule>(&json).unwrap(), schedule);
            let toml = toml::to_string(&schedule).unwrap();
            assert_eq!(Schedule::from_toml(&toml).unwrap(), schedule);
        }
    }

    #[test]
    fn what_is_wrong_is_one_line_that_names_it() {
        for (from, to, words) in [
            ("lambda", "lamda", &["line 8", "unknown field `lamda`"][..]),
            ("clip = 8\n", "", &["missing field `clip`"]),
            ("\"search\"", "\"random\"", &["line 2", "unknown variant `random`"]),
            ("width = 5\n", "", &["play `search` needs `width` and `margin`"]),
            ("\"search\"", "\"greedy\"", &["`width` and `margin` go with play `search` only"]),
            ("width = 5", "width = 0", &["`width` is 0, expected at least 1"]),
            ("margin = 0.5", "margin = -1", &["`margin` is -1, expected 0 or more"]),
            ("4000", "0", &["line 1", "`pieces` is 0, expected 1 to 1000000000000"]),
            ("4000", "-1", &["line 5"]),
            ("4000", "9000000000000000000", &["`pieces` is 9000000000000000000"]),
            ("[0.9, 0.98]", "[0.9, 1]", &["`discount` is 1, expected 0 to less than 1"]),
            ("[0.9, 0.98]", "[0, 0.98]", &["`discount` is 0, expected more than 0 where a search plays"]),
            ("[0.9, 0.98]", "[nan, 0.98]", &["`discount` is NaN"]),
            ("[0.9, 0.98]", "0.9", &["line 6"]),
            ("[4e-4, 1e-4]", "[4e-4, 0]", &["`step` is 0, expected a number above 0"]),
            ("[4e-4, 1e-4]", "[inf, 0]", &["`step` is inf"]),
            ("lambda = 0.5", "lambda = 1.1", &["`lambda` is 1.1, expected 0 to 1"]),
            ("explore = 0", "explore = -0.1", &["`explore` is -0.1, expected 0 to 1"]),
            ("strap = 0.2", "strap = 2", &["`strap` is 2, expected 0 to 1"]),
            ("clip = 8", "clip = 8\nspans = -1", &["`spans` is -1, expected 0 or more"]),
            ("clip = 8", "clip = 0", &["`clip` is 0, expected a number above 0"]),
            ("[[phases]]", "[[phase]]", &["line 1", "`phase`"]),
        ] {
            assert!(SEARCH.contains(from), "{from}");
            let message = Schedule::from_toml(&SEARCH.replacen(from, to, 1)).unwrap_err();
            assert!(words.iter().all(|word| message.contains(word)), "{to}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
        assert!(Schedule::from_toml("phases = []").unwrap_err().contains("there is no phase"));
        let long = SEARCH.replace("4000", "900000000000");
        let message = Schedule::from_toml(&format!("{long}{long}")).unwrap_err();
        assert!(message.contains("all phases have 1800000000000 `pieces`"), "{message}");
    }

    #[test]
    fn rates_change_at_the_borders_of_phases_and_in_between() {
        let schedule = schedule();
        let at = |placed| {
            let (behaviour, rates) = schedule.at(placed);
            (behaviour, rates.discount, rates.step)
        };
        let search = Behaviour::Search { width: 5, margin: 0.5 };
        assert_eq!(schedule.pieces(), 5500);
        assert_eq!(at(0), (Behaviour::Greedy, 0.9, 4e-4));
        let (behaviour, discount, step) = at(750);
        assert_eq!(behaviour, Behaviour::Greedy);
        assert!((discount - 0.94).abs() < 1e-6 && (step - 2e-4).abs() < 1e-9, "{discount} {step}");
        let (behaviour, discount, step) = at(1499);
        assert_eq!(behaviour, Behaviour::Greedy);
        assert!((0.9799..0.98).contains(&discount) && (1e-4..1.01e-4).contains(&step), "{discount} {step}");
        assert_eq!(at(1500), (search, 0.9, 4e-4));
        for placed in [5500, 5501, 9000, u64::MAX / 4] {
            let (behaviour, discount, step) = at(placed);
            assert!(behaviour == search && (discount - 0.98).abs() < 1e-6 && (step - 1e-4).abs() < 1e-9);
        }
        assert_eq!([0, 1499, 1500, 5499, 5500, 9000].map(|placed| schedule.phase(placed)), [1, 1, 2, 2, 2, 2]);
        let (_, rates) = schedule.at(3000);
        assert_eq!((rates.lambda, rates.explore, rates.strap, rates.clip), (0.5, 0.0, 0.2, 8.0));
    }

    #[test]
    fn schedules_agree_as_far_as_they_were_followed() {
        let short = Schedule { phases: schedule().phases[..1].to_vec(), ..schedule() };
        let long = schedule();
        let mut other = schedule();
        other.phases[1].clip = 4.0;
        // The first phase has 1500 pieces: the rounds that begin at 0 and 1024 belong to it.
        for placed in [0, 1024, 2048] {
            assert_eq!(short.differs(&long, placed), None);
            assert_eq!(long.differs(&short, placed), None);
            assert_eq!(long.differs(&other, placed), None);
        }
        assert_eq!(long.differs(&short, 3072), Some(2));
        assert_eq!(long.differs(&other, 3072), Some(2));
        assert_eq!(long.differs(&long, 9 * 1024), None);
        other.phases[0].pieces += 1;
        assert_eq!(long.differs(&other, 0), None);
        assert_eq!(long.differs(&other, 1024), Some(1));
    }

    #[test]
    fn a_cut_that_is_moved_changes_only_the_rounds_behind_it() {
        let with = |cut| {
            let mut schedule = schedule();
            (schedule.phases[0].pieces, schedule.phases[0].cut) = (8192, cut);
            schedule
        };
        let [cut, later, none] = [Some(2048), Some(4096), None].map(with);
        // The round that begins at 1024 ends at the first cut.
        for (one, other) in [(&cut, &later), (&cut, &none), (&none, &cut)] {
            assert_eq!((one.differs(other, 2048), one.differs(other, 3072)), (None, Some(1)));
        }
        assert_eq!((later.differs(&none, 4096), later.differs(&none, 5120)), (None, Some(1)));
        // A cut at the end of the phase is none.
        assert_eq!(with(Some(8192)).differs(&none, 9216), None);
        let mut other = later.clone();
        other.phases[0].clip = 4.0;
        assert_eq!(cut.differs(&other, 2048), Some(1));
    }
}
