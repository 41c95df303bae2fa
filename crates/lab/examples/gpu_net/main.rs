//! The files of the trainer for graphics cards, `crates/lab/gpu/trainer.cu`.
//!
//! ```text
//! cargo run --release -p maxout-lab --example gpu_net -- tables
//! cargo run --release -p maxout-lab --example gpu_net -- cases NET FILE NUMBER
//! cargo run --release -p maxout-lab --example gpu_net -- numbers NET FILE
//! cargo run --release -p maxout-lab --example gpu_net -- weights NUMBERS PLAN STEP GAMES NOTE FILE
//! ```
//!
//! `tables` prints what `rules.h` says about pieces. `cases` writes NUMBER playfields for each kind of games, with all
//! that follows from them, for the trainer's own test. `numbers` writes a net as the trainer reads it. `weights` makes a
//! weights file of what the trainer wrote for a plan, rounded so that it becomes short and loses little: STEP is
//! the step of the numbers of a row that every playfield shows, in 1024ths; 0 leaves them as they are. GAMES games
//! measure how the last lines before level 29 go. NET is a weights file, or `learned` for the
//! built-in one.

mod cases;

use std::env;
use std::error::Error;
use std::fs;
use std::thread;

use maxout_engine::game::{Orientation, Piece, SPAWN_X};
use maxout_engine::judge::learned::{
    Dense, Head, LANES, Net, NumberSize, OUTPUTS, Origin, Outlook, Row, SUMMED, TrainedFor, TrainedNet, weights,
};
use maxout_engine::planner::{Forecast, GeneratorOdds};
use maxout_lab::train::td::calibrate;
use maxout_lab::train::td::coarse::{coarsen, part, weight_of_sums};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["tables"] => tables(),
        ["cases", net, file, number] => fs::write(file, cases::cases(&load(net)?.net, number.parse()?))?,
        ["numbers", net, file] => fs::write(file, numbers(&load(net)?))?,
        ["weights", numbers, plan, step, games, note, file] => {
            let trained = trained(numbers, plan, step.parse()?, games.parse()?, note)?;
            fs::write(file, weights::write(&trained, NumberSize::Sixteen))?;
        }
        _ => return Err("expected tables, cases, numbers or weights, and what belongs to it".into()),
    }
    Ok(())
}

fn load(path: &str) -> Result<TrainedNet, Box<dyn Error>> {
    let trained = if path == "learned" { TrainedNet::embedded() } else { weights::read(&fs::read(path)?)? };
    if trained.net.has_spans() {
        return Err("a net with spans, which the trainer for graphics cards does not know".into());
    }
    Ok(trained)
}

fn tables() {
    let cells: Vec<String> = Orientation::all()
        .map(|orientation| {
            let cells = orientation.cells().map(|(row, column)| format!("{{{row}, {column}}}"));
            format!("{{{}}}", cells.join(", "))
        })
        .collect();
    println!("CELLS[19][4][2] = {{{}}}", cells.join(", "));
    let first = |piece: Piece| piece.orientations().next().map_or(0, Orientation::id);
    println!("FIRST[7] = {:?}", Piece::ALL.map(first));
    println!("COUNT[7] = {:?}", Piece::ALL.map(|piece| piece.orientations().count()));
    println!("SPAWN[7] = {:?}", Piece::ALL.map(|piece| piece.spawn().id() - first(piece)));
    println!("ODDS64[7][7] = {:?}", Piece::ALL.map(|piece| GeneratorOdds.odds(piece).map(|odds| (odds * 64.0) as u8)));
    println!("SPAWN_X = {SPAWN_X}");
}

/// The table in whole numbers of 16 bits, and the layers of each head in full precision.
fn numbers(trained: &TrainedNet) -> Vec<u8> {
    let net = trained.net.to_net();
    let mut bytes = Vec::new();
    for (lane, number) in net.table.iter().flat_map(|Row(row)| row.iter().enumerate()) {
        bytes.extend(((number / part(lane)).round() as i16).to_le_bytes());
    }
    for number in net.heads.iter().flat_map(|head| head.dense.numbers()) {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// The heads of a plan, and the discount and the topout of its last phase.
fn plan(text: &str) -> Option<(Vec<(TrainedFor, f32)>, Outlook)> {
    let mut heads = Vec::new();
    let mut outlook = Outlook::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["head", _, level, _, _, reaction, scale, ref gaps @ ..] => {
                // A tap rate by its name where it has one: the distances between heads are the same.
                let gaps = gaps.join("-");
                let tap_rate = match &gaps[..] {
                    "2-3" => "24",
                    "2-2-2-5+" => "slow5",
                    "2+" => "30",
                    "3+" => "20",
                    "4+" => "15",
                    "5+" => "12",
                    "6+" => "10",
                    other => other,
                };
                let reaction = reaction.parse::<u32>().ok()?.min(TrainedFor::NEVER.into()) as u8;
                let trained_for = TrainedFor { level: level.parse().ok()?, tap_rate: tap_rate.parse().ok()?, reaction };
                heads.push((trained_for, scale.parse().ok()?));
            }
            ["phase", _, _, _, discount, .., topout, _, _, _] => {
                (outlook.discount, outlook.topout) = (discount.parse().ok()?, topout.parse().ok()?);
            }
            _ => {}
        }
    }
    Some((heads, outlook))
}

fn trained(numbers: &str, plan_file: &str, step: f32, games: u64, note: &str) -> Result<TrainedNet, Box<dyn Error>> {
    let text = fs::read_to_string(plan_file)?;
    let (heads, outlook) = plan(&text).ok_or("a plan that cannot be read")?;
    let visits = fs::read(format!("{numbers}.visits"))?;
    let visits: Vec<u32> = visits.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let bytes = fs::read(numbers)?;
    let layers = heads.len() * Dense::zero().numbers().count();
    if visits.len() != Net::rows() || bytes.len() != Net::rows() * LANES * 2 + layers * 4 {
        return Err("numbers of a net of another shape, or of another plan".into());
    }
    let (table, layers) = bytes.split_at(Net::rows() * LANES * 2);
    let row = |row: &[[u8; 2]]| Row(std::array::from_fn(|lane| f32::from(i16::from_le_bytes(row[lane])) * part(lane)));
    let table = table.as_chunks().0.chunks(LANES).map(row).collect();
    let mut layers = layers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let head = |(trained_for, scale)| {
        let mut dense = Dense::zero();
        dense.numbers_mut().zip(&mut layers).for_each(|(number, from)| *number = from);
        // The last output belongs to no piece.
        dense.out[OUTPUTS - 1].fill(0.0);
        Head { trained_for, scale, dense }
    };
    let mut net = Net { heads: heads.into_iter().map(head).collect(), table, spans: Vec::new() };
    if step > 0.0 {
        round(&mut net, &visits, step);
    }
    let origin = Origin {
        command: format!("trainer train {plan_file} ..."),
        schedule: text,
        program: format!("crates/lab/gpu/trainer.cu of maxout {}", env!("CARGO_PKG_VERSION")),
        note: note.to_owned(),
        ..Origin::default()
    };
    let mut trained = TrainedNet::export(&net, &visits, &[], 1, origin);
    trained.net.outlook = outlook;
    if games > 0 {
        let threads = thread::available_parallelism()?.get();
        trained.net.outlook = calibrate(&trained.net, games, 1, threads, &|_| ());
    }
    Ok(trained)
}

/// How much larger than 1 the largest unit of a sum is. Whole 1024ths are too coarse for rows that every playfield
/// shows: with 1 and files of one length the placement chosen was worse by 0.0035 rewards a piece, with 2 by 0.0026. The sums
/// must stay below 32.
const FINER: f32 = 2.0;

/// Rounds a net for a short file. The sums get a unit each in which they count alike; the layers after them undo it.
fn round(net: &mut Net, visits: &[u32], step: f32) {
    let weights = weight_of_sums(&net.heads);
    let largest = weights.iter().fold(0.0f32, |most, &weight| most.max(weight));
    // Half way to units that count alike: with the whole way, whole 1024ths are too coarse for the sums that count
    // least. A net of one length then chose placements that are worse by 0.0116 rewards a piece, and with the root by
    // 0.0035.
    let units = weights.map(|weight| (weight / largest).max(1e-6).sqrt() * FINER);
    for Row(row) in &mut net.table {
        row[..SUMMED].iter_mut().zip(units).for_each(|(number, unit)| *number *= unit);
    }
    for Head { dense, .. } in &mut net.heads {
        for ((bias, weights), unit) in dense.sum_bias.iter_mut().zip(&mut dense.hidden).zip(units) {
            *bias *= unit;
            weights.iter_mut().for_each(|weight| *weight /= unit);
        }
        // 12 bits are more than the trainer computes with.
        dense.numbers_mut().for_each(|number| *number = f32::from_bits((number.to_bits() + 0x800) & !0xFFF));
    }
    coarsen(net, visits, &[], step);
}
