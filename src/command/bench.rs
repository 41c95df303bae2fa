//! `maxout bench`: how fast the player thinks, and a signature of its decisions.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ArgAction;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use crate::config::Config;
use crate::player::flags::{JudgeArgs, ThinkArgs};
use crate::player::source::PlayerSource;
use crate::system::failure::Failure;
use crate::system::output::{print, print_json};
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::{Obstacles, Piece, Playfield, Position, SPAWN_X};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::learned::{Child, Expander, HeadOf, QuickNet};
use maxout_engine::movegen::sweep_plateau;
use maxout_engine::planner::{Falling, Input, Plan, Player};
use maxout_lab::simulate::PlayerId;
use maxout_screen::numbers::thousands;

/// `maxout bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout bench
  maxout bench --think fixed:2 --weights my.mxw --json

The 204 positions are always the same: from a fixed game, at levels 0, 18, 19 and 29, with
each input style. The signature is a hash of all choices and values: if it is the same, the
player is too.")]
pub(crate) struct Bench {
    /// Who thinks.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// How far.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Print the result as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

/// Levels, with lines that a game from level 18 or lower could have there. Chosen by hand, not
/// measured.
const LEVELS: [(u8, u16); 4] = [(0, 5), (18, 125), (19, 135), (29, 235)];
/// Playfields for each level and input. Chosen by hand, not measured.
const ROUNDS: usize = 17;
/// Pieces placed from one playfield to the next. Chosen by hand, not measured.
const APART: usize = 5;

/// What was planned, without the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Work {
    positions: u64,
    expansions: u64,
    playfields: u64,
    signature: String,
}

#[derive(Serialize)]
struct BenchResult {
    version: &'static str,
    player: PlayerId,
    #[serde(flatten)]
    work: Work,
    seconds: f64,
    positions_per_second: f64,
    expansions_per_second: f64,
    playfields_per_second: f64,
}

pub(crate) fn run(args: &Bench) -> Result<ExitCode, Failure> {
    let mut config = Config::default();
    args.judge.apply(&mut config);
    args.think.apply(&mut config);
    let source = PlayerSource::of_evaluator(&config)?;
    let (work, time) = measure(|input| source.with_input(input).make_one())?;
    let seconds = time.as_secs_f64();
    let rate = |count: u64| count as f64 / seconds;
    let output = BenchResult {
        version: env!("CARGO_PKG_VERSION"),
        player: source.id(),
        seconds,
        positions_per_second: rate(work.positions),
        expansions_per_second: rate(work.expansions),
        playfields_per_second: rate(work.playfields),
        work,
    };
    if args.json {
        print_json(&output)?
    } else {
        print(&output.text())?
    }
    Ok(ExitCode::SUCCESS)
}

impl BenchResult {
    /// As text: one line.
    fn text(&self) -> String {
        let whole = |rate: f64| thousands(rate.round() as u64);
        let Work { positions, expansions, playfields, signature } = &self.work;
        format!(
            "{positions} positions, {} expansions, {} playfields, signature {signature}; {:.3} s: {} positions, {} \
             expansions, {} playfields a second\n",
            thousands(*expansions),
            thousands(*playfields),
            self.seconds,
            whole(self.positions_per_second),
            whole(self.expansions_per_second),
            whole(self.playfields_per_second),
        )
    }
}

/// Plans every position with the player for its input.
fn measure(mut player: impl FnMut(Input) -> Result<Box<dyn Player>, Failure>) -> Result<(Work, Duration), Failure> {
    let mut work = Work { positions: 0, expansions: 0, playfields: 0, signature: String::new() };
    let mut time = Duration::ZERO;
    let mut signature = Fnv::default();
    let mut piles = Piles::new();
    for input in Input::HONEST {
        let mut player = player(input)?;
        for (level, lines) in LEVELS {
            for _ in 0..ROUNDS {
                let (playfield, piece, next) = piles.next_pile();
                let position = Position { playfield, piece, next, level, lines, score: 0 };
                let piece = FallingPiece::spawned(piece.spawn(), 0);
                let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
                let since = Instant::now();
                let plan = player.plan(&position, &falling).map_err(Failure::run)?;
                time += since.elapsed();
                work.positions += 1;
                work.expansions += plan.as_ref().map_or(0, |plan| plan.effort.expansions);
                work.playfields += plan.as_ref().map_or(0, |plan| plan.effort.judged);
                signature.add(plan.as_ref());
            }
        }
    }
    work.signature = format!("{:016x}", signature.0);
    Ok((work, time))
}

/// FNV-1a of 64 bits, by Fowler, Noll and Vo.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, plan: Option<&Plan>) {
        let mut bytes = vec![u8::from(plan.is_some())];
        if let Some(plan) = plan {
            let placement = plan.placement;
            bytes.extend([placement.orientation.id(), placement.x as u8, placement.y as u8]);
            bytes.extend(plan.value.to_bits().to_le_bytes());
        }
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// The playfields of a game: by a net made by rule, with a random placement now and then.
struct Piles {
    random: Xoshiro256PlusPlus,
    net: QuickNet,
    children: Vec<Child>,
    playfield: Playfield,
    piece: Piece,
}

impl Piles {
    fn new() -> Piles {
        Piles {
            random: Xoshiro256PlusPlus::seed_from_u64(0x6D61_786F_7574),
            net: QuickNet::by_rule(),
            children: Vec::new(),
            playfield: Playfield::EMPTY,
            piece: Piece::T,
        }
    }

    /// The next playfield, and the two pieces to come.
    fn next_pile(&mut self) -> (Playfield, Piece, Piece) {
        for _ in 0..APART {
            let next = Piece::ALL[self.random.random_range(0..Piece::ALL.len())];
            self.place(next);
            self.piece = next;
        }
        let next = Piece::ALL[self.random.random_range(0..Piece::ALL.len())];
        (self.playfield, self.piece, next)
    }

    fn place(&mut self, next: Piece) {
        let locks = sweep_plateau(&self.playfield, self.piece);
        Expander::new(self.net.outlook.topout).expand(
            HeadOf { net: &self.net, head: 0 },
            &self.playfield,
            locks.iter(),
            &mut self.children,
        );
        let careless = self.random.random_range(0..12) == 0;
        let best = if careless {
            (!self.children.is_empty()).then(|| self.random.random_range(0..self.children.len()))
        } else {
            let value = |&index: &usize| self.children[index].values[next.index()];
            (0..self.children.len()).max_by(|a, b| value(a).total_cmp(&value(b)))
        };
        let after = best.map(|index| self.children[index].playfield);
        let goes_on = |playfield: &Playfield| playfield.fits(next.spawn(), SPAWN_X, 0);
        self.playfield = after.filter(goes_on).unwrap_or(Playfield::EMPTY);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use maxout_engine::judge::learned::NetSet;
    use maxout_engine::planner::{Search, Settings, Think};

    /// The same on every machine and with every build: a change that changes it changes how the bot plays.
    #[test]
    fn the_signature_of_a_net_by_rule() {
        let net = Arc::new(NetSet::by_rule());
        let player = |input| -> Result<Box<dyn Player>, Failure> {
            let settings = Settings { input, think: Some(Think::Plies(3)), ..Settings::default() };
            Ok(Box::new(Search::new(Arc::clone(&net), settings)))
        };
        let (work, _) = measure(player).expect("it plans");
        let expected =
            Work { positions: 204, expansions: 10_372, playfields: 236_410, signature: "81d461f187592b8b".to_owned() };
        assert_eq!(work, expected);
    }

    #[test]
    fn the_piles_are_of_all_heights() {
        let mut piles = Piles::new();
        let mut heights: Vec<usize> =
            (0..200).map(|_| piles.next_pile().0.visible().iter().filter(|&&row| row != 0).count()).collect();
        heights.sort_unstable();
        assert!(heights[20] <= 6 && heights[180] >= 8 && heights[199] >= 12, "{heights:?}");
    }
}
