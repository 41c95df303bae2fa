//! Where the game keeps its state: the RAM addresses that the simulation reads and writes.
//!
//! Names follow the measured memory map. The rest of RAM (stack, sprites, sound, scratch) is
//! carried along untouched.

/// Size of the console's work RAM in bytes.
pub const RAM_SIZE: usize = 2048;

/// `rng`: the random number, first byte at `$17`, second at `$18`.
pub const RNG: usize = 0x17;
/// `spawnID`: orientation id of the last piece drawn.
pub const SPAWN_ID: usize = 0x19;
/// `spawnCount`: draws since power-on, modulo 256.
pub const SPAWN_COUNT: usize = 0x1A;

/// The working copy of the player's block: 32 bytes.
pub const WORK: usize = 0x40;
/// The player's block: 32 bytes, authoritative between frames.
pub const PLAYER: usize = 0x60;
/// The second player's block, of which only the garbage hole is written.
pub const PLAYER_2: usize = 0x80;
/// Length of a player's block in bytes.
pub const BLOCK: usize = 0x20;

/// `tetriminoX`: column of the piece's origin.
pub const X: usize = 0x60;
/// `tetriminoY`: row of the piece's origin.
pub const Y: usize = 0x61;
/// `currentPiece`: orientation id, `$13` while hidden.
pub const CURRENT_PIECE: usize = 0x62;
/// `levelNumber`.
pub const LEVEL: usize = 0x64;
/// `fallTimer`: frames since the last drop.
pub const FALL_TIMER: usize = 0x65;
/// `autorepeatX`: the DAS counter.
pub const AUTOREPEAT_X: usize = 0x66;
/// `startLevel`: the level chosen in the menu.
pub const START_LEVEL: usize = 0x67;
/// `playState`.
pub const PLAY_STATE: usize = 0x68;
/// `vramRow`: next playfield row to be sent to the screen, `$20` when all are.
pub const VRAM_ROW: usize = 0x69;
/// `completedRow`: four row numbers.
pub const COMPLETED_ROW: usize = 0x6A;
/// `autorepeatY`: the pushdown counter; from `$80` on the first piece hangs.
pub const AUTOREPEAT_Y: usize = 0x6E;
/// `holdDownPoints`: rows of the present pushdown.
pub const HOLD_DOWN_POINTS: usize = 0x6F;
/// `lines`: BCD tens and ones, then hundreds in binary.
pub const LINES: usize = 0x70;
/// `rowY`: step of the clear animation.
pub const ROW_Y: usize = 0x72;
/// `score`: three BCD bytes, lowest first.
pub const SCORE: usize = 0x73;
/// `completedLines`: rows completed by the present lock.
pub const COMPLETED_LINES: usize = 0x76;
/// `lineIndex`: which of the four row checks is next.
pub const LINE_INDEX: usize = 0x77;
/// `curtainRow`: the topout curtain, `$F0` to `$14`.
pub const CURTAIN_ROW: usize = 0x78;
/// `startHeight`: B-type height.
pub const START_HEIGHT: usize = 0x79;
/// `garbageHole`: rewritten by every frame of the level menu.
pub const GARBAGE_HOLE: usize = 0x7A;

/// `renderFlags`: parts of the screen to redraw in the next interrupt.
pub const RENDER_FLAGS: usize = 0xA3;
/// Copy of the next piece made at game start.
pub const NEXT_PIECE_2: usize = 0xA6;
/// `gameModeState`: step inside a gameplay frame, 2 at ordinary samples.
pub const GAME_MODE_STATE: usize = 0xA7;
/// `generalCounter`: counts down on the legal screen.
pub const GENERAL_COUNTER: usize = 0xA8;
/// `originalY`: in the level menu 0 while a level is selected, 1 while a height is.
pub const MENU_SELECTOR: usize = 0xAE;
/// `dropSpeed`: the last frames-per-row looked up.
pub const DROP_SPEED: usize = 0xAF;
/// `frameCounter`: 16 bits, low byte first.
pub const FRAME_COUNTER: usize = 0xB1;
/// `newButtons`: the copy of [`PRESSED`] that the play update works with.
pub const PLAY_PRESSED: usize = 0xB5;
/// `heldButtons`: the copy of [`HELD`] that the play update works with.
pub const PLAY_HELD: usize = 0xB6;
/// `activePlayer`: 1 in a game.
pub const ACTIVE_PLAYER: usize = 0xB7;
/// `playfieldAddr`: address of the playfield, low byte first.
pub const PLAYFIELD_POINTER: usize = 0xB8;
/// `allegro`: `$FF` while the fast music plays.
pub const ALLEGRO: usize = 0xBA;
/// `pendingGarbage`: two-player garbage, without effect alone.
pub const PENDING_GARBAGE: usize = 0xBB;
/// `renderMode`: 0 legal, title, pause; 1 menus; 2 name entry; 3 play; 4 ending.
pub const RENDER_MODE: usize = 0xBD;
/// `numberOfPlayers`.
pub const PLAYERS: usize = 0xBE;
/// `nextPiece`: spawn orientation of the next piece.
pub const NEXT_PIECE: usize = 0xBF;
/// `gameMode`: 0 legal, 1 title, 2 game type, 3 level menu, 4 play, 5 demo.
pub const GAME_MODE: usize = 0xC0;
/// `gameType`: 0 A-type, 1 B-type.
pub const GAME_TYPE: usize = 0xC1;
/// `musicType`: 0 to 2, 3 for off.
pub const MUSIC_TYPE: usize = 0xC2;
/// `sleepCounter`: counted down by the interrupt.
pub const SLEEP_COUNTER: usize = 0xC3;
/// Buttons held by the demo, then the frames left of them.
pub const DEMO_INPUT: usize = 0xCE;
/// Demo data pointer, low byte first.
pub const DEMO_POINTER: usize = 0xD1;
/// `demoIndex`.
pub const DEMO_INDEX: usize = 0xD3;
/// Name entry: which of the six letters.
pub const NAME_LETTER: usize = 0xD4;
/// Name entry: which place of the table, 4 to 6 for B-type.
pub const NAME_PLACE: usize = 0xD5;
/// `lineClearStats`: singles, doubles, triples, tetrises.
pub const LINE_CLEAR_STATS: usize = 0xD8;
/// `hideNext`: 0 while the next piece is shown.
pub const HIDE_NEXT: usize = 0xDF;
/// New buttons of the first gamepad at the last poll.
pub const PRESSED: usize = 0xF5;
/// Held buttons of the first gamepad at the last poll.
pub const HELD: usize = 0xF7;

/// `statsByType`: seven 16-bit counts.
pub const STATISTICS: usize = 0x3F0;
/// Number of bytes of the statistics.
pub const STATISTICS_SIZE: usize = 14;
/// The playfield's page: 20 rows of ten, hidden rows, and at its end rows -2 and -1.
pub const PLAYFIELD: usize = 0x400;
/// Length of the playfield's page in bytes.
pub const PAGE: usize = 0x100;
/// High-score names: eight times six letters, A-type first; every fourth is scratch.
pub const NAMES: usize = 0x700;
/// High scores: eight times three BCD bytes, highest first.
pub const HIGH_SCORES: usize = 0x730;
/// Levels of the high scores.
pub const HIGH_SCORE_LEVELS: usize = 0x748;
/// The five bytes that mark the high-score table as valid.
pub const WARM_MARK: usize = 0x750;

/// Value of an empty playfield cell.
pub const EMPTY: u8 = 0xEF;
