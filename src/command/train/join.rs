//! `maxout train join`: puts several nets into one weights file.

use std::num::NonZeroU8;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, anyhow};

use super::td;
use crate::files::outputs::{Outputs, Overwrite};
use crate::system::failure::Failure;
use crate::system::output::{print, say};
use maxout_engine::judge::learned::{Head, TrainedFor, TrainedNet, weights};
use maxout_formats::{Kind, whole};
use maxout_screen::numbers::thousands;

/// `maxout train join`.
#[derive(Debug, clap::Args)]
pub(crate) struct Join {
    /// Weights files of nets, or `learned` for the built-in one; the first one says how the search plays
    #[arg(required = true, value_name = "FILE.mxw")]
    pub nets: Vec<PathBuf>,
    /// Weights file to write
    #[arg(short, long, value_name = "FILE.mxw")]
    pub output: PathBuf,
    /// Let the first head of a net, counted from 1, also play at this level and tap rate, as in `1:19:20`; with the
    /// reaction time in frames as in `1:19:20:21`, 255 if the next piece is not known before the lock
    #[arg(long, value_name = "NET:LEVEL:TAPS[:FRAMES]")]
    pub also: Vec<HeadName>,
    /// Leave out the head of a net, counted from 1, for this level, tap rate and reaction time, as in `2:19:20`; a net
    /// without any other head is left out
    #[arg(long, value_name = "NET:LEVEL:TAPS[:FRAMES]")]
    pub without: Vec<HeadName>,
    /// Write tables in 8 bits: a little less exact, and half as long. The first net, which is needed at once, is
    /// not packed further: three times as long, and read in a tenth of the time. The others are packed by LZMA
    #[arg(long)]
    pub packed: bool,
    /// Step between the numbers of a --packed file, in 1024ths: a larger step makes a shorter file. With 1 nothing is
    /// lost: rows that need 16 bits keep them. Nets that have 8 bits already stay as they are [default: 2]
    #[arg(long, value_name = "N", requires = "packed")]
    pub step: Option<NonZeroU8>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
}

/// One of the heads of the nets that are joined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeadName {
    /// The net, counted from 0.
    net: usize,
    trained_for: TrainedFor,
}

impl FromStr for HeadName {
    type Err = String;

    fn from_str(text: &str) -> Result<HeadName, String> {
        let parts: Vec<&str> = text.splitn(4, ':').collect();
        let parsed = || {
            let (&[net, level, taps], reaction) = parts.split_first_chunk()?;
            let net = net.parse::<usize>().ok()?.checked_sub(1)?;
            let reaction = reaction.first().map_or(Some(0), |frames| frames.parse().ok())?;
            let (level, tap_rate) = (level.parse().ok()?, taps.parse().ok()?);
            Some(HeadName { net, trained_for: TrainedFor { level, tap_rate, reaction } })
        };
        parsed().ok_or_else(|| {
            format!(
                "expected the number of a net, a level and taps as in `1:19:20`, or with a reaction time as in \
                 `1:19:20:21`, found {text:?}"
            )
        })
    }
}

impl Join {
    /// The nets with the heads that are wanted; those without any are left out.
    fn with_heads(&self, nets: Vec<TrainedNet>) -> Result<Vec<TrainedNet>, String> {
        let count = nets.len();
        let mut all: Vec<Vec<Head>> = nets.iter().map(|trained| trained.net.heads().to_vec()).collect();
        for (name, is_added) in
            self.also.iter().map(|name| (name, true)).chain(self.without.iter().map(|name| (name, false)))
        {
            let HeadName { net, trained_for } = *name;
            let number = net + 1;
            let heads = all.get_mut(net).ok_or_else(|| format!("there is no net {number}: there are {count}"))?;
            let at = heads.iter().position(|head| head.trained_for == trained_for);
            let described = || trained_for.describe();
            match (is_added, at) {
                (true, None) => heads.push(Head { trained_for, ..heads[0].clone() }),
                (true, Some(_)) => return Err(format!("--also: net {number} has a head for {} already", described())),
                (false, Some(at)) => drop(heads.remove(at)),
                (false, None) => return Err(format!("--without: net {number} has no head for {}", described())),
            }
        }
        let kept = |(mut trained, heads): (TrainedNet, Vec<Head>)| {
            (!heads.is_empty()).then(|| {
                trained.net.set_heads(heads);
                trained
            })
        };
        let nets: Vec<TrainedNet> = nets.into_iter().zip(all).filter_map(kept).collect();
        if nets.is_empty() { Err("--without: no net is left".to_owned()) } else { Ok(nets) }
    }
}

/// Joins the nets and prints what they are for.
pub(super) fn run(args: &Join) -> Result<ExitCode, Failure> {
    let files = args.nets.iter().filter(|path| !td::is_built_in(path));
    let outputs = files.fold(Outputs::new(args.overwrite), |outputs, path| outputs.reads("FILE", [path]));
    let _claims = outputs.whole("--output", [&args.output], |_| Kind::Net).claim()?;
    let read = |path: &PathBuf| -> anyhow::Result<Vec<TrainedNet>> {
        let name = path.display();
        let bytes = td::net_bytes(path)?;
        weights::read_all(&bytes).map_err(|error| anyhow!("{name}: {error}"))
    };
    let nets: Vec<Vec<TrainedNet>> = args.nets.iter().map(read).collect::<Result<_, _>>().map_err(Failure::input)?;
    let nets = nets.into_iter().flatten().collect();
    let mut nets = args.with_heads(nets).map_err(|error| Failure::input(anyhow!(error)))?;
    say("packing the nets: some seconds for each");
    if let Some(step) = args.step {
        nets.iter_mut().for_each(|trained| trained.net = trained.net.packed(step));
    }
    let bytes = weights::join(&nets, args.packed).map_err(|error| Failure::input(anyhow!("{error}")))?;
    let set = weights::read_set(&bytes).map_err(|error| Failure::input(anyhow!("{error}")))?;
    let name = args.output.display();
    whole::replace(&args.output, &bytes).context(format!("cannot write {name}")).map_err(Failure::run)?;
    let mut text = format!("weights      {name}, {} bytes\n", thousands(bytes.len() as u64));
    for (number, net) in (1..).zip(set.nets()) {
        let heads: Vec<String> = net.heads().iter().map(|head| head.trained_for.describe()).collect();
        text += &format!("net {number}        {}\n", heads.join("; "));
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
