; Other habits, for tests of programs that look for the variables: the rules and the addresses of
; the RAM map are the same, everything that they leave free is different. ca65 -D OTHER_HABITS.
;
; * Scratch and the working copy of the player block lie elsewhere (ram-habits.inc).
; * Variables of a game have other values before, between and after games.
; * Bytes that only a menu needs are scratch in a game.
; * Many variables have copies; some of the copies are a frame late.
; * Some bytes that nothing reads always equal a variable.

.ifdef OTHER_HABITS

.segment "CODE"

zeroPageCopy    = $0600         ; $17 to $FF as they are at the end of the frame
lateCopy        = $0520         ; $60 to $DF, a frame late
fieldCopy       = $0320         ; the playfield
countsCopy      = $05C0         ; the statistics
highScoreCopy   = $0780
likePlayers     = $ED           ; 1 from power-on, like numberOfPlayers from the title on
likeActive      = $EC           ; 1 in a game and before the level menu, like activePlayer in a game

; Runs before each wait for the next frame. Keeps Y.
keepCopies:
        lda gameMode
        cmp #4
        bcc @copy
        lda frameCounter        ; the menus' selectors are scratch in a game
        sta originalY
        eor #$5A
        sta p1GarbageHole
        sta generalCounter
@copy:  ldx #$7F
:       lda zeroPageCopy+$60,x
        sta lateCopy,x
        dex
        bpl :-
        ldx #$17                ; scratch is not worth a copy
:       lda $00,x
        sta zeroPageCopy,x
        inx
        bne :-
        ldx #199
:       lda field,x
        sta fieldCopy,x
        dex
        cpx #$FF
        bne :-
        ldx #13
:       lda statistics,x
        sta countsCopy,x
        dex
        bpl :-
        ldx #$54
:       lda hsNames,x
        sta highScoreCopy,x
        dex
        bpl :-
        rts

; Once, in frame 7.
habitsAtPowerOn:
        lda #0
        sta numberOfPlayers
        sta fieldPtr
        sta fieldPtr+1
        lda #1
        sta likePlayers
        sta likeActive
        sta activePlayer
        jmp litter

; On entering the title.
habitsAtTitle:
        lda #1
        sta numberOfPlayers
        rts

; On entering the level menu: what the last game left is overwritten.
habitsAtLevelMenu:
        lda #0
        sta activePlayer
        sta likeActive
        sta fieldPtr+1
        lda #$15
        sta renderFlags
; Values that a game cannot have left. A new game sets them all.
litter:
        lda #3
        sta p1X
        sta p1Y
        sta p1VramRow
        sta allegro
        sta pendingGarbage
        sta dropSpeed
        sta demoHeld
        sta demoIndex
        lda #$42
        sta p1Score
        sta p1Score+1
        sta p1Score+2
        sta p1Lines
        sta p1Lines+1
        sta p1Level
        sta p1FallTimer
        sta lineClearStats
        sta lineClearStats+1
        sta lineClearStats+2
        sta lineClearStats+3
        sta spawnID
        sta heldButtons
        ldx #$0E
        stx p1Piece
        stx nextPiece
        dex
:       sta statistics,x
        dex
        bpl :-
        rts

; At the end of the set-up of a game.
habitsAtGameStart:
        lda #1
        sta activePlayer
        sta likeActive
        lda #<field
        sta fieldPtr
        lda #>field
        sta fieldPtr+1
        rts

.endif
