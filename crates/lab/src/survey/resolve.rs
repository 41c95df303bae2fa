//! Which address each entry of the built-in map has on this console: the tour, elimination, and
//! trials where elimination leaves more than one.

use super::demo::Demo;
use super::error::Error;
use super::lockstep::Lockstep;
use super::search::{Elimination, survivors};
use super::tour::{self, Savepoints};
use super::trials::{self, Use};
use maxout_engine::game::memory::address::name;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Entry, RamMap};

/// First address past the zero page; scratch is looked for below it.
const ZERO_PAGE_END: u16 = 0x0100;
/// Most addresses that are poked to tell an entry from its copies. Chosen by hand, not measured.
const COPIES: usize = 16;
/// Frames of the longer trials: from a lock to the control of the next piece. Chosen by hand, not
/// measured.
const NEXT_PIECE: usize = 40;
/// Bytes between an entry and those whose places show where it is. Chosen by hand, not measured.
const BESIDE: u16 = 64;

/// What is known of an entry.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    /// The entry of the built-in map.
    pub entry: Entry,
    /// Addresses that agree with everything.
    pub candidates: Vec<u16>,
    /// How the others were ruled out.
    pub trail: Vec<Elimination>,
}

impl Resolved {
    /// The address, if it is the only one left.
    pub fn address(&self) -> Option<u16> {
        match self.candidates[..] {
            [address] => Some(address),
            _ => None,
        }
    }
}

/// All entries of the built-in map, in its order.
pub(super) struct Resolution(Vec<Resolved>);

impl Resolution {
    /// What is known of each entry.
    pub fn new(entries: Vec<Resolved>) -> Resolution {
        Resolution(entries)
    }

    /// The entries.
    pub fn entries(&self) -> &[Resolved] {
        &self.0
    }

    /// The entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Resolved> {
        self.0.iter().find(|resolved| resolved.entry.name == name)
    }

    fn address(&self, name: &str) -> Option<u16> {
        self.entry(name)?.address()
    }

    fn candidates(&self, name: &str) -> Vec<u16> {
        self.entry(name).map_or_else(Vec::new, |resolved| resolved.candidates.clone())
    }

    /// What a trial left, if it left something: a trial that nothing passes decides nothing.
    fn narrow(&mut self, name: &str, experiment: &'static str, addresses: Vec<u16>) {
        if !addresses.is_empty() {
            self.keep(name, experiment, addresses);
        }
    }

    fn keep(&mut self, name: &str, experiment: &'static str, addresses: Vec<u16>) {
        let resolved = self.0.iter_mut().find(|resolved| resolved.entry.name == name).expect("a built-in entry");
        resolved.trail.push(Elimination { experiment, left: addresses.len() });
        resolved.candidates = addresses;
    }
}

/// Takes the tour and resolves every entry of the built-in map. `prg` is the ROM's program.
pub(super) fn resolve(lockstep: &mut Lockstep<'_>, prg: &[u8]) -> Result<Resolution, Error> {
    let savepoints = tour::drive(lockstep)?;
    let map = RamMap::tetris_ntsc();
    let field = survivors(&lockstep.observations, map.entry(name::PLAYFIELD).expect("a built-in entry"));
    let mut fields = field.addresses;
    if fields.len() > 1 {
        // A copy of the playfield follows it.
        let sources = trials::source(lockstep, &savepoints.control, &fields, &[Buttons::NONE])?;
        fields.retain(|address| sources.is_empty() || sources.contains(address));
    }
    let Some(&playfield) = fields.first() else {
        let lost_in = field.trail.last().map_or("power-on", |last| last.experiment);
        return Err(Error::OutOfStep { lost_in });
    };
    lockstep.observations.claims.playfield = Some(playfield);
    tour::row_zero(lockstep, &savepoints.spawn, playfield)?;

    let entries = map.entries().iter().map(|entry| {
        let left = survivors(&lockstep.observations, entry);
        Resolved { entry: entry.clone(), candidates: left.addresses, trail: left.trail }
    });
    let mut resolution = Resolution::new(entries.collect());
    drop_taken(&mut resolution);
    draws(lockstep, &savepoints, &mut resolution)?;
    demo(lockstep, &savepoints, prg, &mut resolution)?;
    copies(lockstep, &savepoints, &mut resolution)?;
    gamepads(lockstep, &savepoints, &mut resolution)?;
    layout(&mut resolution);
    scratch(lockstep, &savepoints, &mut resolution)?;
    let counters = resolution.candidates(name::GENERAL_COUNTER);
    resolution.keep(name::GENERAL_COUNTER, "the first of the five counts; the four behind it show nothing", counters);
    Ok(resolution)
}

/// Marks every address of an entry that is resolved.
fn taken(resolution: &Resolution) -> Vec<bool> {
    let mut taken = vec![false; maxout_engine::ram::RAM_SIZE];
    for resolved in resolution.entries() {
        if let Some(address) = resolved.address() {
            taken[usize::from(address)..][..usize::from(resolved.entry.size)].fill(true);
        }
    }
    taken
}

/// No two entries share a byte.
pub(super) fn drop_taken(resolution: &mut Resolution) {
    let taken = taken(resolution);
    for resolved in resolution.0.iter_mut().filter(|resolved| resolved.candidates.len() > 1) {
        let size = usize::from(resolved.entry.size);
        let before = resolved.candidates.len();
        resolved.candidates.retain(|&address| !taken[usize::from(address)..][..size].contains(&true));
        let left = resolved.candidates.len();
        if left < before {
            resolved.trail.push(Elimination { experiment: "bytes of entries found before", left });
        }
    }
}

/// `spawnID` and `nextPiece` are equal in every sample.
fn draws(lockstep: &mut Lockstep<'_>, savepoints: &Savepoints, resolution: &mut Resolution) -> Result<(), Error> {
    let (picks, next) = (resolution.candidates(name::SPAWN_ID), resolution.candidates(name::NEXT_PIECE));
    // Copies of the random number, of the count and of the current piece show the same.
    let first = |resolution: &Resolution, name| resolution.candidates(name).first().copied();
    if let (Some(rng), Some(count)) = (first(resolution, name::RNG), first(resolution, name::SPAWN_COUNT)) {
        let kept = trials::last_pick(lockstep, &savepoints.before_spawn, &picks, (rng, count))?;
        resolution.narrow(name::SPAWN_ID, "a poke of the last pick changes the next draw as the formula says", kept);
    }
    if let Some(current) = first(resolution, name::CURRENT_PIECE) {
        let kept = trials::next_piece(lockstep, &savepoints.before_spawn, &next, current)?;
        resolution.narrow(name::NEXT_PIECE, "a poke of the next piece becomes the current one at the spawn", kept);
    }
    Ok(())
}

fn demo(
    lockstep: &mut Lockstep<'_>,
    savepoints: &Savepoints,
    prg: &[u8],
    resolution: &mut Resolution,
) -> Result<(), Error> {
    let observations = &lockstep.observations;
    let pairs = "the demo reads pairs from its table, two bytes at a time";
    let pointers: Vec<(u16, Demo<'_>)> = resolution
        .candidates(name::DEMO_POINTER)
        .into_iter()
        .filter_map(|address| Some((address, Demo::with_pointer(observations, prg, address)?)))
        .collect();
    // Copies of the pointer show the same, so any of them shows the reads.
    let Some((_, demo)) = pointers.first() else {
        for name in [name::DEMO_POINTER, name::DEMO_HELD_BUTTONS, name::DEMO_REPEATS, name::DEMO_INDEX] {
            resolution.keep(name, pairs, Vec::new());
        }
        return Ok(());
    };
    resolution.keep(name::DEMO_POINTER, pairs, pointers.iter().map(|(address, _)| *address).collect());
    let filter = |resolution: &Resolution, name: &str, fits: &dyn Fn(u16) -> bool| {
        let mut addresses = resolution.candidates(name);
        addresses.retain(|&address| fits(address));
        addresses
    };
    let held = filter(resolution, name::DEMO_HELD_BUTTONS, &|address| demo.holds_buttons(address));
    let repeats = filter(resolution, name::DEMO_REPEATS, &|address| demo.counts_down(address));
    let statistics = resolution.candidates(name::STATISTICS);
    let index = filter(resolution, name::DEMO_INDEX, &|address| {
        statistics.iter().any(|&statistics| demo.counts_pieces(address, statistics))
    });
    resolution.keep(name::DEMO_HELD_BUTTONS, "the demo holds the buttons of the pair that was read", held);
    resolution.keep(name::DEMO_REPEATS, "the demo counts the frames of a pair down", repeats);
    resolution.keep(name::DEMO_INDEX, "the demo counts its pieces, the next one included", index);
    for name in [name::DEMO_POINTER, name::DEMO_HELD_BUTTONS, name::DEMO_REPEATS, name::DEMO_INDEX] {
        let candidates = resolution.candidates(name);
        if (2..=COPIES).contains(&candidates.len()) {
            let kept = trials::source(lockstep, &savepoints.demo, &candidates, &[Buttons::NONE])?;
            resolution.narrow(name, "the other bytes follow a poke", kept);
        }
    }
    Ok(())
}

/// The raw readings of the port equal the held buttons, and the second pad is never pressed.
fn gamepads(lockstep: &mut Lockstep<'_>, savepoints: &Savepoints, resolution: &mut Resolution) -> Result<(), Error> {
    let held = resolution.candidates(name::HELD_BUTTONS);
    // Copies of the new buttons show the same, so any of them shows what is new.
    if let Some(&new_buttons) = resolution.candidates(name::NEW_BUTTONS).first() {
        let kept = trials::held_buttons(lockstep, &savepoints.control, &held, new_buttons)?;
        resolution.narrow(name::HELD_BUTTONS, "a button poked into it is not new at the next poll", kept);
    }
    layout(resolution);
    for (first, second) in [(name::NEW_BUTTONS, name::NEW_BUTTONS_2), (name::HELD_BUTTONS, name::HELD_BUTTONS_2)] {
        let beside = resolution.address(first).map(|address| address + 1);
        let mut kept = Vec::new();
        if let Some(address) = beside.filter(|address| resolution.candidates(second).contains(address))
            && trials::is_polled(lockstep, &savepoints.control, address)?
        {
            kept.push(address);
        }
        resolution.keep(second, "beside the first pad's byte, and polled anew in every frame", kept);
    }
    Ok(())
}

/// The game copies the player's variables to a working block and back, so both always show the same.
/// A poke of the variable reaches its copies; a poke of a copy is overwritten.
fn copies(lockstep: &mut Lockstep<'_>, savepoints: &Savepoints, resolution: &mut Resolution) -> Result<(), Error> {
    for (from, frames) in [(&savepoints.control, 1), (&savepoints.level_menu, 1), (&savepoints.lock, NEXT_PIECE)] {
        for (name, candidates) in several(resolution) {
            let kept = trials::source(lockstep, from, &candidates, &vec![Buttons::NONE; frames])?;
            if kept.len() == 1 {
                resolution.keep(&name, "the other bytes follow a poke", kept);
            }
        }
        drop_taken(resolution);
    }
    Ok(())
}

/// The entries that have a few addresses left.
fn several(resolution: &Resolution) -> Vec<(String, Vec<u16>)> {
    let few = resolution.entries().iter().filter(|resolved| (2..=COPIES).contains(&resolved.candidates.len()));
    few.map(|resolved| (resolved.entry.name.clone(), resolved.candidates.clone())).collect()
}

/// What decides where no experiment does, see [`layout`].
pub(super) const BY_PLACE: &str = "of equal bytes the one between the entries beside it in the built-in map";

/// Bytes that no experiment tells apart: the one that lies between the same entries as in the
/// built-in map, if it is left. A program whose variables were moved moved them in blocks.
pub(super) fn layout(resolution: &mut Resolution) {
    for (name, candidates) in several(resolution) {
        let Some(at) = resolution.0.iter().position(|resolved| resolved.entry.name == name) else { continue };
        let built_in = resolution.0[at].entry.address;
        let moved = |resolved: &Resolved| {
            let address = resolved.address()?;
            (resolved.entry.address.abs_diff(built_in) <= BESIDE).then(|| address.wrapping_sub(resolved.entry.address))
        };
        let before = resolution.0[..at].iter().rev().find_map(moved);
        let behind = resolution.0[at + 1..].iter().find_map(moved);
        let Some(by) = before.filter(|_| before == behind) else { continue };
        let address = built_in.wrapping_add(by);
        if candidates.contains(&address) {
            resolution.keep(&name, BY_PLACE, vec![address]);
        }
    }
}

/// The lowest run of bytes that belong to no other entry, that nothing reads before it is
/// overwritten, and of which the first is overwritten.
fn scratch(lockstep: &mut Lockstep<'_>, savepoints: &Savepoints, resolution: &mut Resolution) -> Result<(), Error> {
    let taken = taken(resolution);
    let size = resolution.entry(name::SCRATCH).map_or(1, |resolved| resolved.entry.size);
    let stretches = [
        trials::Stretch::new(lockstep, &savepoints.title, Buttons::START)?,
        trials::Stretch::new(lockstep, &savepoints.level_menu, Buttons::START)?,
        trials::Stretch::new(lockstep, &savepoints.lock, Buttons::NONE)?,
    ];
    let mut uses: Vec<Use> = Vec::new();
    let mut found = Vec::new();
    for address in 0..ZERO_PAGE_END {
        let mut used = if taken[usize::from(address)] { Use::Read } else { Use::Idle };
        for stretch in stretches.iter().filter(|_| !taken[usize::from(address)]) {
            let seen = trials::usage(lockstep, stretch, address)?;
            used = if [seen, used].contains(&Use::Read) { Use::Read } else { used.max(seen) };
            if used == Use::Read {
                break;
            }
        }
        uses.push(used);
        let run = uses.len().checked_sub(usize::from(size)).map(|first| &uses[first..]);
        if run.is_some_and(|run| run[0] == Use::Overwritten && !run.contains(&Use::Read)) {
            found.push(address + 1 - size);
            break;
        }
    }
    resolution.narrow(name::SCRATCH, "the lowest bytes that are overwritten before anything reads them", found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::console::Simulated;

    /// What the model does not have: scratch, the vertical blank flag, the demo, the second pad and
    /// part of the name entry.
    const NOT_MODELLED: [&str; 9] = [
        name::SCRATCH,
        name::VERTICAL_BLANK_FLAG,
        name::DEMO_HELD_BUTTONS,
        name::DEMO_REPEATS,
        name::DEMO_POINTER,
        name::DEMO_INDEX,
        name::NAME_ENTRY,
        name::NEW_BUTTONS_2,
        name::HELD_BUTTONS_2,
    ];

    #[test]
    fn the_model_resolves_to_its_own_addresses() {
        let mut model = Simulated::power_on();
        let mut tick = |_| {};
        let mut lockstep = Lockstep::new(&mut model, &mut tick);
        let resolution = resolve(&mut lockstep, &[]).expect("resolved");
        for resolved in resolution.entries().iter().filter(|it| !NOT_MODELLED.contains(&it.entry.name.as_str())) {
            assert_eq!(resolved.address(), Some(resolved.entry.address), "{resolved:?}");
        }
    }
}
