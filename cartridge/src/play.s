; The game itself: start of a game and the steps of one gameplay frame.

.segment "CODE"

; Entered in the frame in which the level menu accepted Start.
modePlay:
        jsr waitFrame
        lda #3
        ldx #<screenGame
        ldy #>screenGame
        jsr showGame
        jsr wait3

        jsr startGame
        lda #1
        sta gameModeState
        jsr waitFrame
        lda gameType
        beq playFrame
        jsr btypeBuild          ; one row per frame, 12 frames

; ---- one frame of play. Step numbers are visible in gameModeState only where the
; program waits in the middle of a frame.
playFrame:
        lda demoOn
        bpl :+
        jmp endDemo
:       inc p1FallTimer         ; counts in every play state
        inc p1FallTimer+P2
        lda joyNew
        and #BTN_SELECT
        beq :+
        lda hideNext
        eor #1
        sta hideNext
:       lda p1PlayState
        bne :+
        lda #3
        sta gameModeState
        jmp leaveGame
:       lda #4
        sta gameModeState
        lda joyNew
        sta newButtons
        lda joyHeld
        sta heldButtons
        lda #1
        sta activePlayer
        jsr setFieldPtr
        .repeat 32, I
        lda p1Block+I
        sta workBlock+I
        .endrepeat
        jsr playUpdate
        .repeat 32, I
        lda workBlock+I
        sta p1Block+I
        .endrepeat
        jsr stagePieces

        lda #6                  ; reset combination: exactly A, B, Select and Start held
        sta gameModeState
        lda joyHeld
        cmp #BTN_A + BTN_B + BTN_SELECT + BTN_START
        bne :+
        lda #0
        sta gameMode
        sta demoOn
        jmp modeDispatch
:       cmp #BTN_LEFT + BTN_RIGHT + BTN_DOWN
        php
        lda #7
        sta gameModeState
        plp
        bne :+
        jsr waitFrame           ; quirk: if exactly these three are held, the frame ends here;
                                ; the next frame goes on with the pause check
:       lda renderMode
        cmp #3
        bne @noPause
        lda joyNew
        and #BTN_START
        beq @noPause
        lda p1PlayState
        cmp #10                 ; no pause during the curtain
        beq @noPause
        jsr pause
@noPause:
        lda #2
        sta gameModeState
        jsr waitFrame           ; after a frame without play update no piece is shown
        jmp playFrame

playUpdate:
        lda playState
        asl a
        tax
        lda @states+1,x
        pha
        lda @states,x
        pha
@nothing:
        rts
@states:
        .addr @nothing-1        ; 0 leaving
        .addr stateControl-1    ; 1
        .addr stateLock-1       ; 2
        .addr stateRowCheck-1   ; 3
        .addr @nothing-1        ; 4 the NMI animates the cleared rows
        .addr stateScore-1      ; 5
        .addr stateGoal-1       ; 6
        .addr stateSeven-1      ; 7
        .addr stateSpawn-1      ; 8
        .addr @nothing-1        ; 9 not used
        .addr stateCurtain-1    ; 10

; Garbage from a second player: there is none, but the step takes its frame.
stateSeven:
        lda #8
        sta playState
        rts

; Nothing moves until a new press of exactly Start. That frame has no play update, and the
; whole playfield is sent again after it.
pause:
        lda #0
        sta renderMode
        lda ppuMask             ; the playfield is hidden during a pause
        and #%11110111
        sta ppuMask
@loop:  jsr stagePauseText
        jsr waitFrame
        lda joyNew
        cmp #BTN_START
        bne @loop
        lda #0
        sta p1VramRow
        lda #3
        sta renderMode
        lda ppuMask
        ora #%00001000
        sta ppuMask
        rts

; Every play update and every row of B-type's garbage sets the playfield's address.
setFieldPtr:
        lda #<field
        sta fieldPtr
        lda #>field
        sta fieldPtr+1
        rts

; State of a new game. Everything not set here is kept, such as the shift counter, the
; pushdown points and the number of random picks.
startGame:
        ldx #0
        lda #EMPTY
:       sta field,x
        inx
        bne :-
        txa
        ldx #13
:       sta statistics,x
        dex
        bpl :-
        sta p1Y
        sta p1VramRow
        sta p1FallTimer
        sta p1FallTimer+P2
        sta p1Score
        sta p1Score+1
        sta p1Score+2
        sta p1Lines
        sta p1Lines+1
        sta p1Lines+P2
        sta lineClearStats
        sta lineClearStats+1
        sta lineClearStats+2
        sta lineClearStats+3
        sta allegro
        sta pendingGarbage
        sta spawnID
        sta demoHeld
        sta demoRepeats
        sta demoPtr
        sta demoIndex
        lda #$DD
        sta demoPtr+1
        lda gameType
        beq :+
        lda #$25                ; a B-type counts 25 lines down
        sta p1Lines
        sta p1Lines+P2
:       lda #1
        sta p1PlayState
        sta p1PlayState+P2
        sta generalCounter
        lda #5
        sta p1X
        sta p1X+P2
        lda p1StartLevel
        sta p1Level
        lda #$A0                ; the first piece does not fall for 96 frames
        sta p1AutorepeatY
        sta p1AutorepeatY+P2
        jsr pickPiece
        sta p1Piece
        sta p1Piece+P2
        jsr countPiece
        jsr rngClock
        jsr pickPiece
        sta nextPiece
        sta nextPieceCopy
        lda #RF_LINES + RF_LEVEL + RF_SCORE + RF_STATS
        sta renderFlags
        lda #3
        sta renderMode
.ifdef OTHER_HABITS
        jsr habitsAtGameStart
.endif
        rts

; The parts of the game screen that do not change during a game.
showGame:
        stx ptr
        sty ptr+1
        pha
        jsr screenOff
        pla
        jsr selectChr
        jsr clearScreen
        ldx ptr
        ldy ptr+1
        jsr drawStream
        VRAM_AT TYPE_COL, TYPE_ROW
        lda gameType
        clc
        adc #$0A                ; letter A or B
        sta PPUDATA
        VRAM_AT TOP_COL, TOP_ROW
        ldy #0
        lda gameType
        beq :+
        ldy #12
:       lda hsScores,y
        jsr putBcd
        lda hsScores+1,y
        jsr putBcd
        lda hsScores+2,y
        jsr putBcd
        jsr drawPalette
        jmp screenOn
