; MAXOUT: the whole program in one assembly; the parts are sorted by topic.

.setcpu "6502"
.linecont +

.include "ram.inc"
.include "header.s"
.include "tables.s"         ; rule tables at fixed addresses
.include "reset.s"          ; power-on, main dispatch, waiting for the next frame
.include "nmi.s"            ; the vertical-blank interrupt and everything it draws
.include "joypad.s"
.include "rng.s"
.include "menus.s"          ; legal, title, game type, level menu
.include "play.s"           ; game start and the steps of one gameplay frame
.include "control.s"        ; shift, rotate, drop
.include "pieces.s"         ; validity test, sprites of pieces
.include "lock.s"           ; lock, row check
.include "score.s"          ; lines, level, points
.include "spawn.s"          ; next piece, statistics
.include "gameover.s"       ; curtain, ending
.include "nameentry.s"
.include "btype.s"
.include "sound.s"
.include "tiles.s"          ; graphics; before the character map of the texts
.include "screens.s"        ; text and layout of the screens
.include "demo.s"
.include "habits.s"         ; empty but for the build with other habits
