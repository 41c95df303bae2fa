//! The pilot: sees one sample, chooses the buttons of the next frame.

use super::cheat::RamWrite;
use super::desync::{Desync, check_playfield, check_spawn};
use super::error::SaveError;
use super::event::Event;
use super::hang::HangWatch;
use super::injector::Injector;
use super::menu::MenuScript;
use super::plan_state::{read_foreseen, read_playfield, write_foreseen, write_playfield};
use super::tally::Tally;
use super::uncapped::uncapped_score;
use crate::game::crash::Scene;
use crate::game::{Piece, Playfield};
use crate::gamepad::Buttons;
use crate::planner::{Falling, Foreseen, Plan, Player, PlayerError};
use crate::ram::{GameMode, ImpossibleValue, Phase, PlayState, RamSnapshot};
use crate::state::{StateError, StateReader, StateWriter};

/// Frames after a reset in which RAM may still show the game before. The original clears it in the third; a second is
/// for other programs, chosen by hand.
const LONGEST_BOOT: u32 = 60;

/// Who presses the buttons of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hands {
    Pilot,
    Person,
}

/// Drives one game, from power-on or from the next piece of a game under way; it sees only samples of
/// RAM.
pub struct Pilot {
    /// `None` for a pilot that only watches.
    player: Option<Box<dyn Player>>,
    menu: MenuScript,
    injector: Option<Injector>,
    /// The playfield that the last finished plan promised for the next spawn.
    promised: Option<Playfield>,
    /// The frame of the last lock, and what its plan foresaw of the next spawn.
    foreseen: Option<(u64, Foreseen)>,
    previous: Option<RamSnapshot>,
    held: Buttons,
    /// Who pressed them.
    hands: Hands,
    /// Who pressed those of the frame before.
    hands_before: Hands,
    /// Has the falling piece no plan since a person played or the console's state jumped?
    is_lost: bool,
    /// Has the console's state jumped before the next sample?
    has_jumped: bool,
    /// Has it jumped before the last sample?
    jumped_before: bool,
    /// Has the frame counter ever moved? A RAM map may lack it.
    counts: bool,
    /// Is this the end of a game that the pilot has not played?
    is_stranded: bool,
    /// Does it play another game after a topout?
    plays_on: bool,
    /// Frames since the console was reset in which RAM may still be that of the game before.
    booting: Option<u32>,
    /// Does the last plan cut the clear animation short?
    skips_clear: bool,
    /// Does RAM show what the length of a scoring pass depends on?
    sees_scenes: bool,
    hang: HangWatch,
    tally: Tally,
    events: Vec<Event>,
}

impl Pilot {
    /// A pilot that starts an A-type game at this level; the seed chooses how long it waits in
    /// the menus, and so which game it gets.
    pub fn new(player: Box<dyn Player>, start_level: u8, seed: u64) -> Pilot {
        Pilot { player: Some(player), menu: MenuScript::new(start_level, seed), ..Pilot::onlooker() }
    }

    /// A pilot that counts and reports what happens in a game that it does not play.
    pub fn onlooker() -> Pilot {
        Pilot {
            player: None,
            menu: MenuScript::new(0, 0),
            injector: None,
            promised: None,
            foreseen: None,
            previous: None,
            held: Buttons::NONE,
            hands: Hands::Pilot,
            hands_before: Hands::Pilot,
            is_lost: false,
            has_jumped: false,
            jumped_before: false,
            counts: false,
            is_stranded: false,
            plays_on: false,
            booting: None,
            skips_clear: false,
            sees_scenes: false,
            hang: HangWatch::default(),
            tally: Tally::default(),
            events: Vec::new(),
        }
    }

    /// Says whether RAM is that of the original, so that the length of a scoring pass can be told.
    pub fn see_scenes(&mut self, sees: bool) {
        self.sees_scenes = sees;
    }

    /// Says whether it plays another game after a topout.
    pub fn play_on(&mut self, plays_on: bool) {
        self.plays_on = plays_on;
    }

    /// The console's reset button was pressed before the next sample: another game begins.
    ///
    /// RAM stays as it was until the program clears it. The pilot waits for that, so that it plans no piece of
    /// the game before.
    pub fn restart(&mut self) {
        self.drop_plan();
        self.menu = self.menu.next_game();
        (self.previous, self.booting) = (None, Some(0));
        (self.is_lost, self.is_stranded, self.held) = (false, false, Buttons::NONE);
        self.hang = HangWatch::default();
        self.tally.uncapped = 0;
    }

    /// Does RAM still show the game before the reset?
    pub fn is_booting(&self) -> bool {
        self.booting.is_some()
    }

    /// From now on it only watches and plans nothing.
    pub fn retire(&mut self) {
        self.player = None;
        self.drop_plan();
    }

    /// What was planned and promised holds no more.
    fn drop_plan(&mut self) {
        self.injector = None;
        self.promised = None;
        self.foreseen = None;
        self.skips_clear = false;
    }

    /// About how many frames it spends in the menus, from power-on to the game; `None` for a pilot that
    /// only watches.
    pub fn menu_frames(&self) -> Option<u64> {
        self.player.is_some().then(|| self.menu.frames())
    }

    /// The last sample; `None` before the first, and after a reset.
    pub(super) fn sample(&self) -> Option<&RamSnapshot> {
        self.previous.as_ref()
    }

    /// Counts so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What happened in the last frame that was observed.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The plan of the falling piece.
    pub fn plan(&self) -> Option<&Plan> {
        self.injector.as_ref().map(Injector::plan)
    }

    /// A person presses these buttons in the next frame, in place of [`Pilot::buttons`].
    pub fn give_way(&mut self, pressed: Buttons) -> Buttons {
        self.lose_track();
        self.hands = Hands::Person;
        self.held = pressed;
        pressed
    }

    /// Does a person press the buttons?
    pub fn is_by_hand(&self) -> bool {
        self.hands == Hands::Person
    }

    /// Has the console's state jumped before this sample? The frame counter goes on by one; by none while
    /// a screen is drawn without interrupts, which is never while a piece falls. The title screen, to
    /// which no game leads, sets it anew.
    pub fn sees_jump(&self, snapshot: &RamSnapshot) -> bool {
        let Some(before) = &self.previous else { return false };
        let passed = snapshot.frame_counter.wrapping_sub(before.frame_counter);
        let is_title = snapshot.game_mode == GameMode::Title && before.game_mode != GameMode::Play;
        let stands = passed == 0 && self.counts && before.phase() == Phase::Falling;
        stands || passed > 1 && !is_title
    }

    /// What it planned holds no more: a piece that falls is planned from where it is. A pilot that has
    /// seen no sample would else wait for the next piece.
    pub fn lose_track(&mut self) {
        self.drop_plan();
        self.is_lost = true;
    }

    /// The console's state has jumped before the next sample. Jumps in consecutive frames are counted as
    /// one: a reset, in whose first frames RAM stands still, or a rewind.
    pub fn jump(&mut self) {
        self.lose_track();
        self.previous = None;
        self.has_jumped = true;
        // While the game shows its most points, nobody knows how many there were then.
        self.tally.uncapped = 0;
        self.tally.jumps += u32::from(!self.jumped_before);
    }

    /// The buttons for the next frame.
    pub fn buttons(&mut self) -> Buttons {
        self.hands = Hands::Pilot;
        self.held = match (&self.previous, &self.injector) {
            (None, _) => Buttons::NONE,
            (Some(_), Some(injector)) => injector.next(),
            (Some(snapshot), None) if matches!(snapshot.phase(), Phase::Menu(_)) => self.menu.next(snapshot),
            // It ends every hang, and does nothing else before the next piece.
            (Some(_), None) if self.player.is_some() && self.hang.hangs() => Buttons::A,
            // Only a person pauses. A press counts when it is new.
            (Some(snapshot), None) if snapshot.phase() == Phase::Paused && self.held.is_empty() => Buttons::START,
            // From the curtain through ending and name entry to the level menu.
            (Some(_), None) if self.is_stranded && self.held.is_empty() => Buttons::START,
            (Some(_), None) => Buttons::NONE,
        };
        self.held
    }

    /// What is to be written into RAM before that frame: nothing unless the player cheats.
    pub fn ram_write(&self) -> Option<RamWrite> {
        let snapshot = self.previous.as_ref()?;
        match &self.injector {
            Some(injector) => injector.next_write().map(RamWrite::Piece),
            None if self.skips_clear && snapshot.phase() == Phase::EntryDelay => {
                (snapshot.play_state == PlayState::ClearAnimation).then_some(RamWrite::ClearAnimated)
            }
            None => None,
        }
    }

    /// Takes the sample of the frame in which [`Pilot::buttons`] were pressed.
    ///
    /// # Errors
    /// When the player cannot go on.
    pub fn observe(&mut self, frame: u64, snapshot: RamSnapshot) -> Result<(), PlayerError> {
        self.events.clear();
        if let Some(frames) = self.booting {
            let is_over = snapshot.game_mode == GameMode::Legal || frames >= LONGEST_BOOT;
            self.booting = if is_over { None } else { Some(frames + 1) };
            if !is_over {
                return Ok(());
            }
        }
        let before = self.previous.take();
        self.change_hands();
        let has_jumped = std::mem::take(&mut self.has_jumped);
        if has_jumped {
            self.held = snapshot.held_buttons;
            self.events.push(Event::Jump);
        }
        self.jumped_before = has_jumped;
        self.counts |= before.as_ref().is_some_and(|before| before.frame_counter != snapshot.frame_counter);
        if self.sees_scenes {
            self.hang.observe(before.as_ref(), &snapshot);
            self.tally.dodges.hangs += u32::from(self.player.is_some() && !self.is_by_hand() && self.hang.begins());
        }
        self.is_stranded = snapshot.phase() == Phase::Topout && (self.is_stranded || before.is_none());
        if matches!(snapshot.phase(), Phase::Falling | Phase::EntryDelay | Phase::Topout | Phase::Paused) {
            self.follow_plan(frame, &snapshot)?;
            self.count(frame, before.as_ref(), &snapshot);
            self.greet_spawn(frame, before.as_ref(), &snapshot)?;
        }
        self.previous = Some(snapshot);
        Ok(())
    }

    /// Says who plays now if it was somebody else before.
    fn change_hands(&mut self) {
        self.tally.by_hand += u64::from(self.is_by_hand());
        match (std::mem::replace(&mut self.hands_before, self.hands), self.hands) {
            (Hands::Pilot, Hands::Person) => self.events.push(Event::TakenOver),
            (Hands::Person, Hands::Pilot) => self.events.push(Event::HandedBack),
            (Hands::Pilot, Hands::Pilot) | (Hands::Person, Hands::Person) => {}
        }
    }

    /// Checks the promise of the frame; a desync throws the plan away and makes a new one.
    fn follow_plan(&mut self, frame: u64, snapshot: &RamSnapshot) -> Result<(), PlayerError> {
        let Some(injector) = &mut self.injector else { return Ok(()) };
        if let Some(desync) = injector.check(frame, self.held, snapshot) {
            let control_frame = injector.control_frame();
            self.injector = None;
            self.promised = None;
            self.foreseen = None;
            self.report_desync(desync);
            if snapshot.phase() == Phase::Falling {
                self.plan_piece(snapshot, control_frame)?;
            }
        } else if injector.is_done() {
            let plan = injector.plan();
            self.promised = Some(plan.playfield);
            self.foreseen = plan.foreseen.map(|foreseen| (frame, foreseen));
            if let Some(lock) = &plan.lock {
                self.tally.dodges.count(snapshot.level, lock);
            }
            self.injector = None;
        }
        Ok(())
    }

    /// Keeps the tally and the events of a game under way.
    fn count(&mut self, frame: u64, before: Option<&RamSnapshot>, snapshot: &RamSnapshot) {
        for event in Event::between(before, snapshot) {
            match &event {
                Event::GameStart => {
                    let Tally { desyncs, jumps, by_hand, .. } = self.tally;
                    self.tally = Tally { desyncs, jumps, by_hand, ..Tally::default() };
                    self.promised = None;
                    self.foreseen = None;
                }
                Event::Lock => self.tally.pieces += 1,
                Event::Clear(rows) => self.tally.clears[usize::from(*rows) - 1] += 1,
                Event::Maxout => self.tally.maxout_frame = self.tally.maxout_frame.or(Some(frame)),
                Event::Topout => {
                    self.injector = None;
                    if self.plays_on {
                        self.is_stranded = true;
                        self.menu = self.menu.next_game();
                    }
                }
                Event::LevelUp(0) => self.tally.rebirths += 1,
                Event::Planned | Event::LevelUp(_) | Event::Desync(_) => {}
                Event::Jump | Event::TakenOver | Event::HandedBack => {}
            }
            self.events.push(event);
        }
        self.tally.uncapped = uncapped_score(self.tally.uncapped, before, snapshot);
    }

    /// Plans a piece on the sample in which it spawns, or from where it is after a person or a jump.
    fn greet_spawn(
        &mut self,
        frame: u64,
        before: Option<&RamSnapshot>,
        snapshot: &RamSnapshot,
    ) -> Result<(), PlayerError> {
        if snapshot.phase() != Phase::Falling {
            return Ok(());
        }
        // A game that was under way before the first sample is taken over at its next piece.
        let first = before.is_some_and(|before| before.phase() == Phase::Starting);
        let spawned = before.is_some_and(|before| before.play_state == PlayState::Spawn);
        if !first && !spawned {
            return if self.is_lost { self.plan_piece(snapshot, 0) } else { Ok(()) };
        }
        if let Some(promised) = self.promised.take()
            && let Some(desync) = check_playfield(frame, &promised, &snapshot.playfield)
        {
            self.report_desync(desync);
        }
        if let Some((locked, foreseen)) = self.foreseen.take()
            && let Some(desync) = check_spawn(frame, locked, &foreseen, snapshot)
        {
            self.report_desync(desync);
        }
        let is_i = snapshot.piece.is_some_and(|orientation| orientation.piece() == Piece::I);
        self.tally.drought = if is_i { 0 } else { self.tally.drought + 1 };
        self.plan_piece(snapshot, 0)
    }

    fn plan_piece(&mut self, snapshot: &RamSnapshot, control_frame: u32) -> Result<(), PlayerError> {
        let (Hands::Pilot, Some(player)) = (self.hands, &mut self.player) else { return Ok(()) };
        let (Some(position), Some(piece)) = (snapshot.position(), snapshot.falling_piece()) else { return Ok(()) };
        self.is_lost = false;
        let falling = Falling { piece, held: self.held, control_frame };
        let scene = Scene { next_hidden: snapshot.next_hidden, clears: self.tally.clears };
        let sees_scene = self.sees_scenes;
        let scene = sees_scene.then_some(&scene);
        let plan = match (snapshot.generator(), scene) {
            (Some(generator), scene) => player.plan_foreseeing(&position, &falling, scene, &generator),
            (None, Some(scene)) => player.plan_in(&position, &falling, scene),
            (None, None) => player.plan(&position, &falling),
        };
        match plan? {
            Some(plan) => {
                log::debug!("{} with value {:.3}, next {:?}", plan.placement, plan.value, position.next);
                self.skips_clear = plan.cheat.as_ref().is_some_and(|cheat| cheat.skips_clear);
                let is_next_hidden = sees_scene.then_some(snapshot.next_hidden);
                self.injector = Some(Injector::new(plan, control_frame, self.held, is_next_hidden));
                self.events.push(Event::Planned);
            }
            None => log::info!("no placement can be reached"),
        }
        Ok(())
    }

    fn report_desync(&mut self, desync: Desync) {
        log::warn!("{desync}");
        self.tally.desyncs += 1;
        self.events.push(Event::Desync(desync));
    }

    /// Writes everything that the pilot needs to go on, except the last sample, which is in the
    /// console's RAM, and the events of the last frame, which are over.
    pub(super) fn save(&self, writer: &mut StateWriter) -> Result<(), PlayerError> {
        writer.bool(self.previous.is_some());
        writer.u8(self.held.bits());
        writer.bool(self.is_by_hand());
        writer.bool(self.is_lost);
        writer.bool(self.jumped_before);
        writer.bool(self.is_stranded);
        writer.option(self.booting, StateWriter::u32);
        writer.bool(self.skips_clear);
        self.hang.save(writer);
        self.menu.save(writer);
        writer.option(self.injector.as_ref(), |writer, injector| injector.save(writer));
        writer.option(self.promised.as_ref(), |writer, playfield| write_playfield(playfield, writer));
        writer.option(self.foreseen, |writer, (locked, foreseen)| {
            writer.u64(locked);
            write_foreseen(writer, foreseen);
        });
        self.tally.save(writer);
        writer.bool(self.player.is_some());
        if let Some(player) = &self.player {
            writer.bytes(player.name().as_bytes());
            writer.bytes(&player.save()?);
        }
        Ok(())
    }

    /// Reads what [`Pilot::save`] wrote, to its end; after an error the pilot is as before.
    /// `sample` decodes the last sample from the console's RAM.
    pub(super) fn restore(
        &mut self,
        mut reader: StateReader<'_>,
        sample: impl FnOnce() -> Result<RamSnapshot, ImpossibleValue>,
    ) -> Result<(), SaveError> {
        let reader = &mut reader;
        let has_previous = reader.bool()?;
        let held = Buttons::from_bits(reader.u8()?);
        let hands = if reader.bool()? { Hands::Person } else { Hands::Pilot };
        let is_lost = reader.bool()?;
        let (jumped_before, is_stranded) = (reader.bool()?, reader.bool()?);
        let booting = reader.option(StateReader::count)?;
        let skips_clear = reader.bool()?;
        let hang = HangWatch::restore(reader)?;
        let menu = MenuScript::restore(reader)?;
        let injector = reader.option(Injector::restore)?;
        let promised = reader.option(read_playfield)?;
        let foreseen = reader.option(|reader| Ok((reader.long_count()?, read_foreseen(reader)?)))?;
        let tally = Tally::restore(reader)?;
        let saved_player = reader.option(|reader| Ok((reader.bytes()?, reader.bytes()?)))?;
        reader.clone().end()?;
        let previous = has_previous.then(sample).transpose().map_err(SaveError::Ram)?;
        match (saved_player, &mut self.player) {
            (Some((name, state)), Some(player)) if name == player.name().as_bytes() => {
                player.restore(state)?;
            }
            (Some((name, _)), player) => {
                let expected = String::from_utf8_lossy(name).into_owned();
                let found = player.as_ref().map_or("none", |player| player.name());
                return Err(
                    StateError::new("the player of the saved run", format!("{found} in place of {expected}")).into()
                );
            }
            // A pilot that only watched when it was saved only watches again.
            (None, player) => *player = None,
        }
        *self = Pilot {
            player: self.player.take(),
            menu,
            injector,
            promised,
            foreseen,
            previous,
            held,
            hands,
            hands_before: hands,
            is_lost,
            has_jumped: false,
            jumped_before,
            counts: false,
            is_stranded,
            plays_on: self.plays_on,
            booting,
            skips_clear,
            sees_scenes: self.sees_scenes,
            hang,
            tally,
            events: Vec::new(),
        };
        Ok(())
    }
}
