//! The RAM addresses of the game's values. Each constant has the name that the value has in RAM
//! maps. Unnamed RAM (stack, sprites, sound, scratch) is not listed.

/// Defines an address and its name in RAM maps, line by line.
macro_rules! addresses {
    ($($(#[$doc:meta])* $constant:ident = $address:literal, $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: usize = $address;)*

        /// The names of the values in RAM maps, each as a constant with the name of the address.
        pub mod name {
            $($(#[$doc])* pub const $constant: &str = $name;)*
        }

        /// Every named address: name, address.
        pub const NAMED: &[(&str, usize)] = &[$(($name, $address)),*];
    };
}

addresses! {
    /// Scratch of the main program and of the interrupt.
    SCRATCH = 0x00, "scratch";
    /// The random number: a 16-bit shift register, upper byte first.
    RNG = 0x17, "rng";
    /// Orientation id of the last piece drawn.
    SPAWN_ID = 0x19, "spawnID";
    /// Draws since power-on, modulo 256.
    SPAWN_COUNT = 0x1A, "spawnCount";
    /// The interrupt sets it; the main program zeroes it and waits for it.
    VERTICAL_BLANK_FLAG = 0x33, "verticalBlankFlag";
    /// Column of the falling piece's origin.
    TETRIMINO_X = 0x60, "tetriminoX";
    /// Row of the falling piece's origin.
    TETRIMINO_Y = 0x61, "tetriminoY";
    /// Orientation id of the falling piece, `$13` while hidden.
    CURRENT_PIECE = 0x62, "currentPiece";
    /// Level.
    LEVEL_NUMBER = 0x64, "levelNumber";
    /// Frames since the last drop.
    FALL_TIMER = 0x65, "fallTimer";
    /// The DAS counter.
    AUTOREPEAT_X = 0x66, "autorepeatX";
    /// The level chosen in the menu.
    START_LEVEL = 0x67, "startLevel";
    /// See [`PlayState`](crate::game::memory::PlayState).
    PLAY_STATE = 0x68, "playState";
    /// Next playfield row to be sent to the screen, `$20` when all are.
    VRAM_ROW = 0x69, "vramRow";
    /// Four row numbers: the rows that the four row checks completed, or 0.
    COMPLETED_ROW = 0x6A, "completedRow";
    /// The pushdown counter; from `$80` on the first piece hangs.
    AUTOREPEAT_Y = 0x6E, "autorepeatY";
    /// Rows of the present pushdown.
    HOLD_DOWN_POINTS = 0x6F, "holdDownPoints";
    /// Lines cleared: BCD tens and ones, then hundreds in binary.
    LINES = 0x70, "lines";
    /// Step of the clear animation.
    ROW_Y = 0x72, "rowY";
    /// Score: three BCD bytes, lowest first.
    SCORE = 0x73, "score";
    /// Rows completed by the present lock.
    COMPLETED_LINES = 0x76, "completedLines";
    /// Which of the four row checks is next.
    LINE_INDEX = 0x77, "lineIndex";
    /// Row of the topout curtain, `$F0` to `$14`.
    CURTAIN_ROW = 0x78, "curtainRow";
    /// B-type garbage height.
    START_HEIGHT = 0x79, "startHeight";
    /// Rewritten by every frame of the level menu.
    GARBAGE_HOLE = 0x7A, "garbageHole";
    /// Parts of the screen to redraw in the next interrupt.
    RENDER_FLAGS = 0xA3, "renderFlags";
    /// See [`GameModeState`](crate::game::memory::GameModeState).
    GAME_MODE_STATE = 0xA7, "gameModeState";
    /// Five scratch counters; the first counts down on the legal screen.
    GENERAL_COUNTER = 0xA8, "generalCounter";
    /// Level menu: 0 while the level is being chosen, 1 while the height is. Scratch elsewhere.
    SELECTING_HEIGHT = 0xAE, "selectingHeight";
    /// The last frames-per-row looked up.
    DROP_SPEED = 0xAF, "dropSpeed";
    /// Interrupts since power-on: 16 bits, low byte first.
    FRAME_COUNTER = 0xB1, "frameCounter";
    /// The copy of [`NEW_BUTTONS`] that the play update works with.
    PLAY_NEW_BUTTONS = 0xB5, "playNewButtons";
    /// The copy of [`HELD_BUTTONS`] that the play update works with.
    PLAY_HELD_BUTTONS = 0xB6, "playHeldButtons";
    /// 1 from the first play update of a game on, 0 in the level menu.
    ACTIVE_PLAYER = 0xB7, "activePlayer";
    /// Address of the playfield, low byte first; 0 before the first game.
    PLAYFIELD_ADDRESS = 0xB8, "playfieldAddress";
    /// `$FF` while the fast music plays.
    ALLEGRO = 0xBA, "allegro";
    /// Two-player garbage, without effect in a one-player game.
    PENDING_GARBAGE = 0xBB, "pendingGarbage";
    /// See [`RenderMode`](crate::game::memory::RenderMode).
    RENDER_MODE = 0xBD, "renderMode";
    /// Number of players: 1, but 0 in the first seven frames.
    NUMBER_OF_PLAYERS = 0xBE, "numberOfPlayers";
    /// Spawn orientation of the piece in the next box.
    NEXT_PIECE = 0xBF, "nextPiece";
    /// See [`GameMode`](crate::game::memory::GameMode).
    GAME_MODE = 0xC0, "gameMode";
    /// See [`GameType`](crate::game::memory::GameType).
    GAME_TYPE = 0xC1, "gameType";
    /// Music: 0 to 2, 3 for off.
    MUSIC_TYPE = 0xC2, "musicType";
    /// Counted down by the interrupt.
    SLEEP_COUNTER = 0xC3, "sleepCounter";
    /// Buttons that the demo holds.
    DEMO_HELD_BUTTONS = 0xCE, "demoHeldButtons";
    /// Frames left of the demo's buttons.
    DEMO_REPEATS = 0xCF, "demoRepeats";
    /// Address of the demo's next entry, low byte first.
    DEMO_POINTER = 0xD1, "demoPointer";
    /// The demo's next piece.
    DEMO_INDEX = 0xD3, "demoIndex";
    /// Four bytes of the name entry: place of the letter, place of the table, offset, letter.
    NAME_ENTRY = 0xD4, "nameEntry";
    /// Singles, doubles, triples, tetrises: a byte of two decimal digits each.
    LINE_CLEAR_STATS = 0xD8, "lineClearStats";
    /// 0 while the next piece is shown.
    HIDE_NEXT = 0xDF, "hideNext";
    /// New buttons of the first gamepad at the last poll.
    NEW_BUTTONS = 0xF5, "newButtons";
    /// New buttons of the second gamepad.
    NEW_BUTTONS_2 = 0xF6, "newButtons2";
    /// Held buttons of the first gamepad at the last poll.
    HELD_BUTTONS = 0xF7, "heldButtons";
    /// Held buttons of the second gamepad.
    HELD_BUTTONS_2 = 0xF8, "heldButtons2";
    /// Pieces that became current: seven counts of 16 bits, T J Z O S L I.
    STATISTICS = 0x3F0, "statistics";
    /// The playfield: 20 rows of ten cells.
    PLAYFIELD = 0x400, "playfield";
    /// Rows below the playfield; empty unless row 0 was cleared.
    BELOW_PLAYFIELD = 0x4C8, "belowPlayfield";
    /// Row -2, then row -1.
    ABOVE_PLAYFIELD = 0x4EC, "abovePlayfield";
    /// Eight names of six letters, A-type first; every fourth is scratch.
    HIGH_SCORE_NAMES = 0x700, "highScoreNames";
    /// Eight scores of three BCD bytes, highest byte first.
    HIGH_SCORES = 0x730, "highScores";
    /// Eight levels.
    HIGH_SCORE_LEVELS = 0x748, "highScoreLevels";
    /// Five bytes that mark the high-score table as valid.
    WARM_MARK = 0x750, "warmMark";
}

/// The working copy of the first player's block.
pub const WORKING_COPY: usize = 0x40;
/// The first player's block: the values from [`TETRIMINO_X`] on, valid between frames.
pub const PLAYER: usize = 0x60;
/// The second player's block. A one-player game sets it up; after that only its fall timer and its
/// garbage hole change.
pub const PLAYER_2: usize = 0x80;
/// The second player's fall timer.
pub const FALL_TIMER_2: usize = FALL_TIMER + PLAYER_2 - PLAYER;
/// Length of a player's block in bytes.
pub const PLAYER_SIZE: usize = 0x20;
/// Length of the used part of a player's block in bytes, up to [`GARBAGE_HOLE`].
pub const PLAYER_USED: usize = GARBAGE_HOLE + 1 - PLAYER;

/// The buttons of both gamepads that are down, a byte each, as the interrupt's last reading leaves
/// them in the scratch counters. The main program soon overwrites them in some frames.
pub const POLLED_BUTTONS: usize = GENERAL_COUNTER + 1;
/// The falling piece's column in pixels, from which its sprites were placed last.
pub const SPRITE_X: usize = GENERAL_COUNTER + 2;
/// The falling piece's row in pixels.
pub const SPRITE_Y: usize = GENERAL_COUNTER + 3;
/// The orientation id of the piece whose sprites were placed.
pub const SPRITE_ORIENTATION: usize = GENERAL_COUNTER + 4;
/// The height in pixels of the sprite placed last: scratch, the same byte as the level menu's
/// selector.
pub const LAST_SPRITE_Y: usize = SELECTING_HEIGHT;
/// The byte in which the level menu works on its selector; [`SELECTING_HEIGHT`] lasts from frame to
/// frame.
pub const SELECTOR: usize = 0xAD;
/// Copy of the next piece that is made at game start.
pub const NEXT_PIECE_2: usize = 0xA6;
/// Name entry: which of the six letters.
pub const NAME_LETTER_PLACE: usize = NAME_ENTRY;
/// Name entry: which place of the table, 4 to 6 for B-type.
pub const NAME_PLACE: usize = NAME_ENTRY + 1;
/// Name entry: where the name begins in [`HIGH_SCORE_NAMES`].
pub const NAME_OFFSET: usize = NAME_ENTRY + 2;
/// Name entry: the letter at the cursor.
pub const NAME_LETTER: usize = NAME_ENTRY + 3;

/// Bytes of a piece's count in [`STATISTICS`].
pub const COUNT_SIZE: usize = 2;
/// Bytes of [`STATISTICS`].
pub const STATISTICS_SIZE: usize = 7 * COUNT_SIZE;
/// Bytes of [`SCORE`].
pub const SCORE_SIZE: usize = 3;
/// Bytes of [`WARM_MARK`].
pub const WARM_MARK_SIZE: usize = 5;
/// Length of the playfield's page in bytes: 20 rows, hidden rows, and at its end rows -2 and -1.
pub const PAGE: usize = 0x100;
/// Bytes of a name in [`HIGH_SCORE_NAMES`].
pub const NAME_SIZE: usize = 6;
/// Places in each table of the high scores, the scratch place included.
pub const HIGH_SCORE_PLACES: usize = 8;
