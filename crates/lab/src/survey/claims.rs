//! What a map's entry must show, and when: only what the rules and the entry's meaning guarantee.
//!
//! The rules model gives the value. Outside the frames named here a program may do with a byte what
//! it likes: initialise it late, or use it as scratch. So that is not asked.

use maxout_engine::game::memory::address::{
    ACTIVE_PLAYER, DROP_SPEED, FRAME_COUNTER, GAME_MODE, GAME_MODE_STATE, GENERAL_COUNTER, HIGH_SCORE_NAMES,
    NAME_LETTER, NAME_LETTER_PLACE, NAME_OFFSET, NAME_PLACE, NAME_SIZE, PLAY_STATE, PLAYFIELD_ADDRESS, RENDER_FLAGS,
    RENDER_MODE, SLEEP_COUNTER, VERTICAL_BLANK_FLAG, name,
};
use maxout_engine::game::memory::{GameMode, GameModeState, PlayState, RenderMode, render_flag};
use maxout_engine::ram::{RAM_SIZE, Ram, RamMap};

/// Frames after power-on in which nothing is judged. In frame 11 the original starts the sleep of
/// its legal screen, and from then on the program has set up what it needs.
const POWER_ON_FRAMES: u64 = 12;
/// Frames after which the level menu has been drawn and reads the buttons: 5 when it is entered from
/// the game type, 6 after a game (in the recordings of the original).
const MENU_DRAWN: u64 = 6;
/// High byte of the pointer to the playfield.
const PLAYFIELD_ADDRESS_HIGH: usize = PLAYFIELD_ADDRESS + 1;

/// When a byte is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Never: scratch, and what only the demo uses.
    Never,
    /// From the end of the power-on on.
    Always,
    /// From the title on.
    FromTitle,
    /// From the choice of the game type on.
    FromGameType,
    /// While the level menu reads the buttons.
    LevelMenu,
    /// While the level menu reads the buttons, and in a game.
    LevelMenuAndGame,
    /// In a game: from its first frame until the topout's curtain has been left.
    Game,
    /// In game mode 4: a game, the way to it and the way out of it.
    PlayMode,
    /// While the name entry reads the buttons.
    NameEntry,
    /// It has a rule of its own.
    Special,
}

impl When {
    fn of(entry: &str) -> When {
        match entry {
            name::SCRATCH | name::DEMO_HELD_BUTTONS | name::DEMO_REPEATS | name::DEMO_POINTER | name::DEMO_INDEX => {
                When::Never
            }
            name::RNG
            | name::SPAWN_COUNT
            | name::FRAME_COUNTER
            | name::GAME_MODE
            | name::RENDER_MODE
            | name::SLEEP_COUNTER
            | name::NEW_BUTTONS
            | name::NEW_BUTTONS_2
            | name::HELD_BUTTONS
            | name::HELD_BUTTONS_2
            | name::HIGH_SCORE_NAMES
            | name::HIGH_SCORES
            | name::HIGH_SCORE_LEVELS
            | name::WARM_MARK => When::Always,
            name::NUMBER_OF_PLAYERS => When::FromTitle,
            name::GAME_TYPE | name::MUSIC_TYPE => When::FromGameType,
            name::SELECTING_HEIGHT | name::GARBAGE_HOLE => When::LevelMenu,
            name::START_LEVEL | name::START_HEIGHT => When::LevelMenuAndGame,
            name::GAME_MODE_STATE => When::PlayMode,
            name::NAME_ENTRY => When::NameEntry,
            name::VERTICAL_BLANK_FLAG
            | name::GENERAL_COUNTER
            | name::ACTIVE_PLAYER
            | name::PLAYFIELD_ADDRESS
            | name::DROP_SPEED => When::Special,
            _ => When::Game,
        }
    }
}

/// Where the game is in a frame, as far as the model's RAM alone does not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stage {
    /// Frames since power-on.
    frame: u64,
    /// Frames since the level menu was entered; `None` outside.
    menu: Option<u64>,
    /// Has the legal screen slept?
    slept: bool,
    /// Did this frame have no interrupt, because a screen was being drawn?
    pub interrupt_lost: bool,
    counter: u8,
}

impl Stage {
    /// The stage of the next frame, after which the model's RAM is this.
    pub fn next(self, rules: &Ram) -> Stage {
        let menu = (rules[GAME_MODE] == GameMode::LevelMenu.byte()).then(|| self.menu.map_or(0, |frames| frames + 1));
        let counter = rules[FRAME_COUNTER];
        let slept = rules[GAME_MODE] == GameMode::Legal.byte() && (self.slept || rules[SLEEP_COUNTER] != 0);
        Stage { frame: self.frame + 1, menu, slept, interrupt_lost: counter == self.counter, counter }
    }

    fn in_level_menu(self) -> bool {
        self.menu.is_some_and(|frames| frames >= MENU_DRAWN)
    }
}

/// The claims about all bytes of the built-in map.
pub(super) struct Claims {
    when: Box<[When; RAM_SIZE]>,
    /// Address of the console's playfield, once it is known; the game keeps a pointer to it.
    pub playfield: Option<u16>,
}

impl Claims {
    /// The claims about the built-in map.
    pub fn new() -> Claims {
        let map = RamMap::tetris_ntsc();
        let when = |address| map.entry_at(address as u16).map_or(When::Never, |entry| When::of(&entry.name));
        Claims { when: Box::new(std::array::from_fn(when)), playfield: None }
    }

    /// What the byte at an address of the built-in map must be in a frame, or `None` where any value
    /// is right. `next_lost`: does the next frame have no interrupt?
    pub fn expected(&self, rules: &Ram, stage: Stage, next_lost: Option<bool>, address: u16) -> Option<u8> {
        if stage.frame <= POWER_ON_FRAMES {
            return None;
        }
        let at = usize::from(address);
        let mode = rules[GAME_MODE];
        let judged = match self.when[at] {
            When::Never => false,
            When::Always => true,
            When::FromTitle => mode >= GameMode::Title.byte(),
            When::FromGameType => mode >= GameMode::GameType.byte(),
            When::LevelMenu => stage.in_level_menu(),
            When::LevelMenuAndGame => stage.in_level_menu() || in_game(rules),
            When::Game => in_game(rules),
            When::PlayMode => mode == GameMode::Play.byte(),
            When::NameEntry => enters_name(rules),
            When::Special => return self.special(rules, stage, next_lost, at),
        };
        judged.then(|| name_entry(rules, at).unwrap_or(rules[at]))
    }

    fn special(&self, rules: &Ram, stage: Stage, next_lost: Option<bool>, at: usize) -> Option<u8> {
        let mode = rules[GAME_MODE];
        match at {
            ACTIVE_PLAYER if in_game(rules) => Some(1),
            ACTIVE_PLAYER => stage.in_level_menu().then_some(0),
            PLAYFIELD_ADDRESS | PLAYFIELD_ADDRESS_HIGH => {
                let bytes =
                    self.playfield.map_or([rules[PLAYFIELD_ADDRESS], rules[PLAYFIELD_ADDRESS_HIGH]], u16::to_le_bytes);
                in_game(rules).then_some(bytes[at - PLAYFIELD_ADDRESS])
            }
            // Nothing is looked up while the first piece hangs.
            DROP_SPEED => (in_game(rules) && rules[at] != 0).then_some(rules[at]),
            // The first of the five counters is the countdown of the legal screen.
            GENERAL_COUNTER => {
                let counts = stage.slept && rules[SLEEP_COUNTER] == 0 && rules[at] != 0;
                counts.then_some(rules[at])
            }
            VERTICAL_BLANK_FLAG if mode >= GameMode::LevelMenu.byte() && next_lost? => Some(1),
            VERTICAL_BLANK_FLAG => {
                let plays = mode == GameMode::Play.byte() && rules[RENDER_MODE] == RenderMode::Play.byte();
                plays.then_some(0)
            }
            _ => None,
        }
    }
}

/// Is a game being played, paused or ended by the curtain, after its first frame?
fn in_game(rules: &Ram) -> bool {
    let running = GameModeState::from_byte(rules[GAME_MODE_STATE])
        .is_some_and(|state| state >= GameModeState::Running && state != GameModeState::Leaving);
    rules[GAME_MODE] == GameMode::Play.byte()
        && running
        && rules[PLAY_STATE] != PlayState::Leaving.byte()
        && [RenderMode::Play.byte(), RenderMode::Still.byte()].contains(&rules[RENDER_MODE])
}

fn enters_name(rules: &Ram) -> bool {
    rules[RENDER_MODE] == RenderMode::NameEntry.byte() && rules[RENDER_FLAGS] & render_flag::NAME != 0
}

/// The bytes of the name entry that follow from the others.
fn name_entry(rules: &Ram, at: usize) -> Option<u8> {
    let offset = (NAME_SIZE as u8).wrapping_mul(rules[NAME_PLACE]);
    match at {
        NAME_OFFSET => Some(offset),
        NAME_LETTER => {
            rules.get(HIGH_SCORE_NAMES + usize::from(offset) + usize::from(rules[NAME_LETTER_PLACE])).copied()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::memory::address::NAMED;

    const ALWAYS: &[&str] = &[
        "rng",
        "spawnCount",
        "frameCounter",
        "gameMode",
        "renderMode",
        "sleepCounter",
        "newButtons",
        "newButtons2",
        "heldButtons",
        "heldButtons2",
        "highScoreNames",
        "highScores",
        "highScoreLevels",
        "warmMark",
    ];
    const NEVER: [&str; 5] = ["scratch", "demoHeldButtons", "demoRepeats", "demoPointer", "demoIndex"];
    /// Not judged in a game, though judged elsewhere.
    const NOT_IN_A_GAME: [&str; 5] =
        ["selectingHeight", "garbageHole", "generalCounter", "verticalBlankFlag", "nameEntry"];

    /// Every byte is its own address, low byte, but for the modes.
    fn ram(mode: GameMode, state: GameModeState, play: PlayState, render: RenderMode) -> Ram {
        let mut ram: Ram = std::array::from_fn(|at| at as u8);
        ram[GAME_MODE] = mode.byte();
        ram[GAME_MODE_STATE] = state.byte();
        ram[PLAY_STATE] = play.byte();
        ram[RENDER_MODE] = render.byte();
        ram[RENDER_FLAGS] = 0;
        ram
    }

    fn in_mode(mode: GameMode) -> Ram {
        ram(mode, GameModeState::Draw, PlayState::Leaving, RenderMode::Still)
    }

    fn a_game() -> Ram {
        ram(GameMode::Play, GameModeState::Running, PlayState::Control, RenderMode::Play)
    }

    fn at(frame: u64, menu: Option<u64>) -> Stage {
        Stage { frame, menu, ..Stage::default() }
    }

    /// The names of the entries whose first byte is judged.
    fn judged(ram: &Ram, stage: Stage) -> Vec<&'static str> {
        let claims = Claims::new();
        let judged = NAMED.iter().filter(|(_, at)| claims.expected(ram, stage, None, *at as u16).is_some());
        let mut names: Vec<_> = judged.map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    fn sorted(parts: &[&[&'static str]]) -> Vec<&'static str> {
        let mut names = parts.concat();
        names.sort_unstable();
        names
    }

    #[test]
    fn each_screen_is_asked_for_what_it_guarantees_and_for_no_more() {
        let legal = in_mode(GameMode::Legal);
        assert_eq!(judged(&legal, at(12, None)), [""; 0], "nothing while the program sets up");
        assert_eq!(judged(&legal, at(13, None)), sorted(&[ALWAYS]));
        assert_eq!(judged(&in_mode(GameMode::Title), at(99, None)), sorted(&[ALWAYS, &["numberOfPlayers"]]));
        let game_type: &[&str] = &["numberOfPlayers", "gameType", "musicType"];
        assert_eq!(judged(&in_mode(GameMode::GameType), at(99, None)), sorted(&[ALWAYS, game_type]));
        let menu = in_mode(GameMode::LevelMenu);
        assert_eq!(judged(&menu, at(99, Some(5))), sorted(&[ALWAYS, game_type]), "the menu is being drawn");
        let in_menu: &[&str] = &["selectingHeight", "garbageHole", "startLevel", "startHeight", "activePlayer"];
        assert_eq!(judged(&menu, at(99, Some(6))), sorted(&[ALWAYS, game_type, in_menu]));
        let way = ram(GameMode::Play, GameModeState::SetUp, PlayState::Control, RenderMode::Play);
        assert_eq!(judged(&way, at(99, None)), sorted(&[ALWAYS, game_type, &["gameModeState"]]));
        let in_game: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        let in_game: Vec<&str> =
            in_game.into_iter().filter(|name| !NEVER.contains(name) && !NOT_IN_A_GAME.contains(name)).collect();
        assert_eq!(judged(&a_game(), at(99, None)), sorted(&[&in_game]));
    }

    #[test]
    fn a_game_lasts_from_its_first_frame_until_it_is_left() {
        use GameModeState::{Draw, Leaving, PauseCheck, PlayUpdate, Running, SetUp};
        let game = |state, play, render| in_game(&ram(GameMode::Play, state, play, render));
        for state in [Running, PlayUpdate, PauseCheck] {
            assert!(game(state, PlayState::Control, RenderMode::Play), "{state:?}");
        }
        assert!(game(PauseCheck, PlayState::Control, RenderMode::Still), "paused");
        assert!(game(Running, PlayState::Curtain, RenderMode::Play), "the curtain");
        for state in [Draw, SetUp, Leaving] {
            assert!(!game(state, PlayState::Control, RenderMode::Play), "{state:?}");
        }
        assert!(!game(Running, PlayState::Leaving, RenderMode::Play));
        for render in [RenderMode::Menu, RenderMode::NameEntry, RenderMode::Ending] {
            assert!(!game(Running, PlayState::Control, render), "{render:?}");
        }
        assert!(!in_game(&ram(GameMode::Demo, Running, PlayState::Control, RenderMode::Play)), "the demo");
    }

    #[test]
    fn bytes_with_a_rule_of_their_own_follow_it() {
        let mut claims = Claims::new();
        let (game, stage) = (a_game(), at(99, None));
        let expected = |claims: &Claims, ram: &Ram, at: usize| claims.expected(ram, stage, Some(false), at as u16);
        assert_eq!(expected(&claims, &game, ACTIVE_PLAYER), Some(1));
        let menu = in_mode(GameMode::LevelMenu);
        assert_eq!(claims.expected(&menu, self::at(99, Some(6)), None, ACTIVE_PLAYER as u16), Some(0));

        // The model's pointer until the console's playfield is known.
        assert_eq!(expected(&claims, &game, PLAYFIELD_ADDRESS), Some(0xB8));
        assert_eq!(expected(&claims, &game, PLAYFIELD_ADDRESS_HIGH), Some(0xB9));
        claims.playfield = Some(0x0534);
        assert_eq!(expected(&claims, &game, PLAYFIELD_ADDRESS), Some(0x34));
        assert_eq!(expected(&claims, &game, PLAYFIELD_ADDRESS_HIGH), Some(0x05));
        assert_eq!(expected(&claims, &menu, PLAYFIELD_ADDRESS), None);

        let mut hanging = game;
        hanging[DROP_SPEED] = 0;
        assert_eq!((expected(&claims, &game, DROP_SPEED), expected(&claims, &hanging, DROP_SPEED)), (Some(0xAF), None));
        assert_eq!(expected(&claims, &menu, DROP_SPEED), None);

        // The flag is 1 where the next frame has no interrupt, and 0 in a game.
        let flag = |ram: &Ram, next_lost| claims.expected(ram, stage, next_lost, VERTICAL_BLANK_FLAG as u16);
        assert_eq!([flag(&game, Some(true)), flag(&game, Some(false))], [Some(1), Some(0)]);
        assert_eq!([flag(&menu, Some(true)), flag(&menu, Some(false)), flag(&menu, None)], [Some(1), None, None]);
        assert_eq!(flag(&in_mode(GameMode::GameType), Some(true)), None);
        assert_eq!(flag(&in_mode(GameMode::Play), Some(false)), None);
    }

    #[test]
    fn the_countdown_of_the_legal_screen_is_judged_after_its_sleep_until_it_ends() {
        let (claims, mut legal) = (Claims::new(), in_mode(GameMode::Legal));
        let counted = |ram: &Ram, slept| {
            claims.expected(ram, Stage { frame: 99, slept, ..Stage::default() }, None, GENERAL_COUNTER as u16)
        };
        legal[SLEEP_COUNTER] = 0;
        assert_eq!((counted(&legal, true), counted(&legal, false)), (Some(0xA8), None));
        legal[GENERAL_COUNTER] = 0;
        assert_eq!(counted(&legal, true), None);
        (legal[GENERAL_COUNTER], legal[SLEEP_COUNTER]) = (9, 1);
        assert_eq!(counted(&legal, true), None);
    }

    #[test]
    fn the_name_entry_shows_the_offset_and_the_letter_of_its_place() {
        let mut entry = ram(GameMode::Play, GameModeState::Leaving, PlayState::Leaving, RenderMode::NameEntry);
        (entry[NAME_PLACE], entry[NAME_LETTER_PLACE]) = (5, 2);
        entry[HIGH_SCORE_NAMES + 32] = 0x21;
        let claims = Claims::new();
        let expected = |ram: &Ram, at: usize| claims.expected(ram, self::at(99, None), None, at as u16);
        assert_eq!(expected(&entry, NAME_OFFSET), None, "the interrupt does not draw it yet");
        entry[RENDER_FLAGS] = render_flag::NAME;
        assert_eq!(expected(&entry, NAME_OFFSET), Some(30));
        assert_eq!(expected(&entry, NAME_LETTER), Some(0x21));
        assert_eq!((expected(&entry, NAME_PLACE), expected(&entry, NAME_LETTER_PLACE)), (Some(5), Some(2)));
        entry[RENDER_MODE] = RenderMode::Play.byte();
        assert_eq!(expected(&entry, NAME_OFFSET), None);
    }

    #[test]
    fn a_stage_counts_frames_menus_sleeps_and_lost_interrupts() {
        let mut menu = in_mode(GameMode::LevelMenu);
        menu[FRAME_COUNTER] = 1;
        let first = Stage::default().next(&menu);
        assert_eq!((first.frame, first.menu, first.slept, first.interrupt_lost), (1, Some(0), false, false));
        let second = first.next(&menu);
        assert_eq!((second.frame, second.menu, second.interrupt_lost), (2, Some(1), true));
        menu[FRAME_COUNTER] = 2;
        assert!(!second.next(&menu).interrupt_lost);
        assert_eq!(second.next(&in_mode(GameMode::Title)).menu, None);
        let mut legal = in_mode(GameMode::Legal);
        legal[SLEEP_COUNTER] = 0;
        assert!(!first.next(&legal).slept);
        legal[SLEEP_COUNTER] = 1;
        let sleeps = first.next(&legal);
        legal[SLEEP_COUNTER] = 0;
        assert!(sleeps.slept && sleeps.next(&legal).slept && !sleeps.next(&menu).slept);
        assert!(!first.next(&in_mode(GameMode::Title)).slept);
    }
}
