//! Several nets that play together, each for the speeds and taps that it was trained for.

use std::sync::OnceLock;

use super::head::{TrainedFor, nearest};
use super::net::QuickNet;
use super::outlook::Outlook;
use crate::game::{Gravity, Ruleset};
use crate::gamepad::Tapping;

/// Most nets of a set. Chosen by hand, not measured: each has up to 28 MB in memory.
pub(super) const MOST_NETS: usize = 8;

/// The nets of a player, at least one.
#[derive(Debug, Clone)]
pub struct NetSet(Vec<Part>);

impl PartialEq for NetSet {
    fn eq(&self, other: &NetSet) -> bool {
        self.nets().eq(other.nets())
    }
}

/// A net, perhaps not read yet.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// What its heads were trained for.
    pub heads: Vec<TrainedFor>,
    net: OnceLock<QuickNet>,
    /// The file from which it is read when it is first needed.
    file: Option<SoundFile>,
}

/// The bytes of a weights file that can be read: a test reads them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoundFile {
    pub bytes: &'static [u8],
    pub read: fn(&[u8]) -> QuickNet,
}

impl Part {
    /// A net that is read when it is first needed.
    pub fn later(heads: Vec<TrainedFor>, file: SoundFile) -> Part {
        Part { heads, net: OnceLock::new(), file: Some(file) }
    }

    fn net(&self) -> &QuickNet {
        self.net.get_or_init(|| {
            let SoundFile { bytes, read } = self.file.expect("a net that is not there has a file");
            read(bytes)
        })
    }
}

impl From<QuickNet> for Part {
    fn from(net: QuickNet) -> Part {
        let heads = net.heads().iter().map(|head| head.trained_for).collect();
        Part { heads, net: net.into(), file: None }
    }
}

/// One of the heads of a net.
#[derive(Debug, Clone, Copy)]
pub struct HeadOf<'a> {
    /// The net.
    pub net: &'a QuickNet,
    /// Which of its heads.
    pub head: usize,
}

impl HeadOf<'_> {
    /// What the head was trained for.
    pub fn trained_for(&self) -> TrainedFor {
        self.net.heads()[self.head].trained_for
    }
}

/// The head of a set for each gravity, for one way of tapping and one reaction time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// Net and head by the frames of a row; first those for two rows a frame.
    by_frames: [(u8, u8); Heads::GRAVITIES],
}

impl Heads {
    /// Rows take 1 to 48 frames.
    const GRAVITIES: usize = 49;

    fn at(gravity: Gravity) -> usize {
        if gravity.rows() == 2 { 0 } else { usize::from(gravity.frames()).min(Heads::GRAVITIES - 1) }
    }

    /// Does one head judge at both?
    pub fn are_same(&self, a: Gravity, b: Gravity) -> bool {
        self.by_frames[Heads::at(a)] == self.by_frames[Heads::at(b)]
    }
}

impl NetSet {
    /// These nets; `None` without any, or with more than eight.
    pub fn new(nets: Vec<QuickNet>) -> Option<NetSet> {
        NetSet::of_parts(nets.into_iter().map(Part::from).collect())
    }

    pub(super) fn of_parts(parts: Vec<Part>) -> Option<NetSet> {
        (1..=MOST_NETS).contains(&parts.len()).then_some(NetSet(parts))
    }

    /// An untrained net, see [`QuickNet::by_rule`].
    pub fn by_rule() -> NetSet {
        QuickNet::by_rule().into()
    }

    /// The nets.
    pub fn nets(&self) -> impl Iterator<Item = &QuickNet> {
        self.0.iter().map(Part::net)
    }

    /// The first net.
    pub fn first(&self) -> &QuickNet {
        self.0[0].net()
    }

    /// The outlook of the search: that of the first net.
    pub fn outlook(&self) -> &Outlook {
        &self.first().outlook
    }

    /// The heads that suit a way of tapping and a reaction time in frames best; of equal ones the first of the first
    /// net.
    pub fn heads_for(&self, tapping: Tapping, reaction_frames: u32) -> Heads {
        let mut by_frames = [None; Heads::GRAVITIES];
        // Each level, and level 39 with two rows a frame, shows its gravity; many levels have the same.
        for level in 0..=u8::MAX {
            let gravity = Ruleset::Ksx2.gravity(level);
            let place = &mut by_frames[Heads::at(gravity)];
            if place.is_none() {
                *place = self.nearest(gravity, tapping, reaction_frames);
            }
        }
        Heads { by_frames: by_frames.map(Option::unwrap_or_default) }
    }

    fn nearest(&self, gravity: Gravity, tapping: Tapping, reaction_frames: u32) -> Option<(u8, u8)> {
        let parts = self.0.iter().zip(0..);
        let heads =
            parts.flat_map(|(part, net)| part.heads.iter().zip(0..).map(move |(games, head)| (games, (net, head))));
        nearest(heads, gravity, tapping, reaction_frames)
    }

    /// What the head for a gravity was trained for. No net is read for that.
    #[inline]
    pub fn trained_for(&self, heads: &Heads, gravity: Gravity) -> TrainedFor {
        let (net, head) = heads.by_frames[Heads::at(gravity)];
        self.0[usize::from(net)].heads[usize::from(head)]
    }

    /// The head for a gravity.
    #[inline]
    pub fn head(&self, heads: &Heads, gravity: Gravity) -> HeadOf<'_> {
        let (net, head) = heads.by_frames[Heads::at(gravity)];
        HeadOf { net: self.0[usize::from(net)].net(), head: head.into() }
    }
}

impl From<QuickNet> for NetSet {
    fn from(net: QuickNet) -> NetSet {
        NetSet(vec![net.into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::learned::Head;

    #[test]
    fn the_first_of_the_nets_that_suit_equally_well_is_chosen() {
        let net = |heads: &[(u8, &str, u8)]| {
            let mut net = QuickNet::by_rule().to_net();
            net.heads.clear();
            for &(level, taps, reaction) in heads {
                let trained_for = TrainedFor { level, tap_rate: taps.parse().unwrap(), reaction };
                net.heads.push(Head { trained_for, ..Head::zero() });
            }
            QuickNet::of(&net)
        };
        let set = NetSet::new(vec![
            net(&[(19, "30", 0)]),
            net(&[(19, "30", 0), (29, "30", 0), (19, "12", 0), (39, "30", 0), (19, "30", 21), (19, "30", 255)]),
        ])
        .unwrap();
        let found_after = |gravity: Gravity, taps: &str, reaction_frames| {
            let HeadOf { net, head } = set.head(&set.heads_for(taps.parse().unwrap(), reaction_frames), gravity);
            (usize::from(!std::ptr::eq(net, set.first())), head)
        };
        let found = |gravity: Gravity, taps: &str| found_after(gravity, taps, 0);
        assert_eq!([found(19.into(), "30"), found(0.into(), "30")], [(0, 0), (0, 0)]);
        assert_eq!([found(29.into(), "30"), found(19.into(), "12")], [(1, 1), (1, 2)]);
        let two_rows = Ruleset::Ksx2.gravity(39);
        assert_eq!([found(two_rows, "30"), found(39.into(), "30")], [(1, 3), (1, 1)]);
        // A piece falls 20 rows in 40 frames: 30 of them are nearer to 21 than to all.
        let known_after = |frames| found_after(19.into(), "30", frames);
        assert_eq!([10, 18, 24, 30, 61].map(known_after), [(0, 0), (1, 4), (1, 4), (1, 4), (1, 5)]);
        assert_eq!(found_after(29.into(), "30", 61), (1, 1), "taps come first");
        assert_eq!(NetSet::new(Vec::new()), None);
    }
}
