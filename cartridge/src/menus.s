; Legal screen, title, game type and level menu.
;
; All of them begin alike: the frame in which the mode is entered only sets up the mode, the
; screen is drawn after the next NMI, and the fourth NMI after the entry starts the work.

.segment "CODE"

; ---------------------------------------------------------------- legal screen (mode 0)
; 255 frames without any input, then up to 255 in which Start ends it.
modeLegal:
        lda #0
        sta renderMode
        jsr waitFrame
        lda #0
        ldx #<screenLegal
        ldy #>screenLegal
        jsr showScreen
        jsr wait3
        lda #255
        jsr sleep
        lda #255
        sta generalCounter
@loop:  lda joyNew
        cmp #BTN_START          ; exactly Start, nothing else new
        beq @done
        jsr waitFrame
        dec generalCounter
        bne @loop
@done:  lda #1
        sta gameMode
        jmp modeDispatch

; ---------------------------------------------------------------- title (mode 1)
modeTitle:
        lda #0
        sta renderMode
        sta hideNext
        sta demoOn
.ifdef OTHER_HABITS
        jsr habitsAtTitle
.endif
        jsr waitFrame
        lda #0
        ldx #<screenTitle
        ldy #>screenTitle
        jsr showScreen
        jsr wait3
        lda #0                  ; the time-out counts the high byte of the frame counter
        sta frameCounter+1
@loop:  jsr waitFrame
        lda joyNew
        cmp #BTN_START
        beq @start
        lda frameCounter+1
        cmp #5
        bne @loop
        lda #6
        sta gameMode
        jmp modeDispatch
@start: lda #2
        sta gameMode
        cmp gameModeState       ; quirk: 2 is left over from a demo and costs one more frame
        bne :+
        jsr waitFrame
:       jmp modeDispatch

; ---------------------------------------------------------------- game type (mode 2)
modeGameType:
        lda #1
        sta renderMode
        jsr waitFrame
        lda #0
        ldx #<screenGameType
        ldy #>screenGameType
        jsr showScreen
        jsr wait3
@loop:  lda joyNew
        cmp #BTN_RIGHT
        bne :+
        ldx #1
        stx gameType
        jsr soundMove
:       lda joyNew
        cmp #BTN_LEFT
        bne :+
        ldx #0
        stx gameType
        jsr soundMove
:       lda joyNew
        cmp #BTN_DOWN
        bne :+
        ldx musicType
        cpx #3
        beq :+
        inc musicType
        jsr soundMove
:       lda joyNew
        cmp #BTN_UP
        bne :+
        ldx musicType
        beq :+
        dec musicType
        jsr soundMove
:       lda joyNew
        cmp #BTN_START
        beq @start
        cmp #BTN_B
        beq @back

        lda gameType            ; cursors: one per choice
        beq :+
        lda #14*8
:       clc
        adc #5*8
        ldx #9*8
        jsr putCursor
        lda musicType
        asl a
        asl a
        asl a
        asl a
        clc
        adc #17*8
        tax
        lda #11*8
        jsr putCursor
        jsr waitFrame
        jmp @loop

@start: lda #3
        sta gameMode
        lda gameModeState       ; the same quirk as on the title screen
        cmp #2
        bne :+
        jsr waitFrame
:       jmp modeDispatch
@back:  lda #0
        sta frameCounter+1
        lda #1
        sta gameMode
        lda gameModeState       ; quirk: step 0 costs one more frame
        bne :+
        jsr waitFrame
:       jmp modeDispatch

; ---------------------------------------------------------------- level menu (mode 3)
modeLevelMenu:
        lda #1
        sta renderMode
        jsr waitFrame
        jsr screenOff           ; this drawing takes so long that one NMI is lost
        lda #0
        jsr selectChr
        jsr clearScreen
        ldx #<screenLevel
        ldy #>screenLevel
        jsr drawStream
        lda gameType
        beq :+
        ldx #<screenHeight
        ldy #>screenHeight
        jsr drawStream
:       jsr drawPalette
        jsr passVblank
        jsr drawHighScores
        jsr screenOn
        jsr wait3

        lda #0
        sta originalY           ; the level is selected first
        sta dropSpeed
        lda p1StartLevel        ; remove the +10 of the last game
:       cmp #10
        bcc :+
        sbc #10
        bcs :-
:       sta p1StartLevel
.ifdef OTHER_HABITS
        jsr habitsAtLevelMenu
.endif

@loop:  lda #0
        sta activePlayer
        lda originalY
        sta selector
        lda joyNew
        sta newButtons
        lda p1StartLevel        ; the cursor uses the other copy of the block
        sta startLevel
        lda p1StartHeight
        sta startHeight
        jsr moveCursor
        lda selector
        sta originalY
        lda startLevel
        sta p1StartLevel
        lda startHeight
        sta p1StartHeight
        lda newButtons
        cmp #BTN_START
        bne @notStart
        lda joyHeld             ; A already held: ten levels higher
        cmp #BTN_START + BTN_A
        bne :+
        lda p1StartLevel
        clc
        adc #10
        sta p1StartLevel
:       lda #0
        sta gameModeState
        lda #4
        sta gameMode
        jmp modeDispatch
@notStart:
        cmp #BTN_B
        bne @stay
        lda #2
        sta gameMode
        jmp modeDispatch
@stay:  jsr randomColumn        ; unused in a one-player game, but it clocks the generator
        sta p1GarbageHole
        jsr randomColumn
        sta p1GarbageHole+P2
        jsr levelCursors
        jsr waitFrame
        jmp @loop

; One step of the cursor; each direction needs exactly one new button.
moveCursor:
        lda gameType
        beq @noHeight           ; only a B-type has a height to select
        lda newButtons
        cmp #BTN_A
        bne @noHeight
        lda selector
        eor #1
        sta selector
        jmp soundMove
@noHeight:
        lda newButtons
        ldx selector
        bne @height
        ldx startLevel
        cmp #BTN_RIGHT
        bne :+
        cpx #9
        beq @done
        inc startLevel
        jmp soundMove
:       cmp #BTN_LEFT
        bne :+
        cpx #0
        beq @done
        dec startLevel
        jmp soundMove
:       cmp #BTN_DOWN
        bne :+
        txa
        cmp #5
        bcs @done
        adc #5
        sta startLevel
        jmp soundMove
:       cmp #BTN_UP
        bne @done
        txa
        cmp #5
        bcc @done
        sbc #5
        sta startLevel
        jmp soundMove
@height:
        ldx startHeight
        cmp #BTN_RIGHT
        bne :+
        cpx #5
        beq @done
        inc startHeight
        jmp soundMove
:       cmp #BTN_LEFT
        bne :+
        cpx #0
        beq @done
        dec startHeight
        jmp soundMove
:       cmp #BTN_DOWN
        bne :+
        txa
        cmp #3
        bcs @done
        adc #3
        sta startHeight
        jmp soundMove
:       cmp #BTN_UP
        bne @done
        txa
        cmp #3
        bcc @done
        sbc #3
        sta startHeight
        jmp soundMove
@done:  rts

; Cursors on the chosen level and, in a B-type, height. The one that moves now blinks.
levelCursors:
        lda frameCounter
        and #$18
        ora originalY
        beq @height
        ldy #8                  ; Y = line of the number
        lda startLevel
        cmp #5
        bcc :+
        sbc #5
        ldy #10
:       asl a                   ; 16 pixels per number
        asl a
        asl a
        asl a
        adc #(LEVEL_MENU_COL-1)*8
        jsr @put
@height:
        lda gameType
        beq @done
        lda originalY
        beq :+
        lda frameCounter
        and #$18
        beq @done
:       ldy #8
        lda startHeight
        cmp #3
        bcc :+
        sbc #3
        ldy #10
:       asl a
        asl a
        asl a
        asl a
        adc #(HEIGHT_MENU_COL-1)*8
@put:   pha
        tya
        asl a
        asl a
        asl a
        tax
        pla
        jmp putCursor
@done:  rts

; A = x, X = y of a cursor sprite.
putCursor:
        ldy oamLength
        sta oam+3,y
        dex
        txa
        sta oam,y
        lda #TILE_CURSOR
        sta oam+1,y
        lda #1
        sta oam+2,y
        iny
        iny
        iny
        iny
        sty oamLength
        rts

; ---------------------------------------------------------------- drawing screens

; Draws a stream on an empty screen. A = CHR bank, X/Y = stream. It takes about half a frame, so
; no NMI is lost if it is called right after one.
showScreen:
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
        jsr drawPalette
        jmp screenOn

; X/Y = a stream of: address high, low, count, data. Count bit 7: one byte, repeated;
; bit 6: downwards. The stream ends with a zero.
drawStream:
        stx ptr
        sty ptr+1
@next:  ldy #0
        lda (ptr),y
        beq @end
        sta tmp1
        iny
        iny
        lda (ptr),y
        tax
        and #$40
        beq :+
        lda #%00000100
:       sta PPUCTRL             ; address increment: 1 or 32
        lda tmp1
        sta PPUADDR
        dey
        lda (ptr),y
        sta PPUADDR
        txa
        and #$3F
        sta tmp0
        ldy #3
        txa
        bmi @run
@copy:  lda (ptr),y
        sta PPUDATA
        iny
        dec tmp0
        bne @copy
        beq @step
@run:   lda (ptr),y
        iny
:       sta PPUDATA
        dec tmp0
        bne :-
@step:  tya
        clc
        adc ptr
        sta ptr
        bcc @next
        inc ptr+1
        bne @next
@end:   sta PPUCTRL
        rts

drawPalette:
        lda #$3F
        sta PPUADDR
        lda #$00
        sta PPUADDR
        ldx #0
:       lda screenPalette,x
        sta PPUDATA
        inx
        cpx #32
        bne :-
        rts
screenPalette:
        .byte $0F,$30,$21,$11,  $0F,$21,$11,$01,  $0F,$30,$2C,$11,  $0F,$28,$16,$06
        .byte $0F,$30,$21,$11,  $0F,$28,$16,$06,  $0F,$30,$2C,$11,  $0F,$30,$21,$11

; Names, scores and levels of the high-score table of this game type.
drawHighScores:
        lda gameType
        beq :+
        lda #4
:       sta generalCounter+1    ; entry 0 to 2, or 4 to 6
@row:   lda generalCounter+1
        sta tmp3
        and #3
        tax
        lda hsRowHi,x
        sta PPUADDR
        lda hsRowLo,x
        sta PPUADDR
        lda tmp3
        asl a
        adc tmp3
        sta tmp4                ; entry * 3
        asl a
        tay                     ; entry * 6
        ldx #6
:       sty tmp5
        lda hsNames,y
        tay
        lda letterTile,y
        sta PPUDATA
        ldy tmp5
        iny
        dex
        bne :-
        lda #$FF
        sta PPUDATA
        ldy tmp4
        lda hsScores,y
        jsr putBcd
        lda hsScores+1,y
        jsr putBcd
        lda hsScores+2,y
        jsr putBcd
        lda #$FF
        sta PPUDATA
        ldy tmp3
        ldx hsLevels,y          ; levels above 29 can be in the table
        cpx #30
        bcc :+
        txa                     ; those are shown by their last two digits
@hund:  sec
        sbc #100
        bcs @hund
        adc #100
        ldx #0
@ten:   cmp #10
        bcc @put
        sbc #10
        inx
        bne @ten
@put:   stx PPUDATA
        sta PPUDATA
        jmp @rowDone
:       lda levelDisplay,x
        jsr putBcd
@rowDone:
        inc generalCounter+1
        lda generalCounter+1
        and #3
        cmp #3
        beq :+
        jmp @row
:       rts

; Tile of a letter code of the name entry: 0 dash, 1..26 A..Z, then digits and signs,
; $2B space.
letterTile:
        .byte TILE_DASH
        .repeat 26, I
        .byte $0A+I
        .endrepeat
        .repeat 10, I
        .byte I
        .endrepeat
        .byte TILE_COMMA, TILE_SLASH, TILE_EXCLAM, TILE_DOT, TILE_PLUS, TILE_QUOTE
        .byte $FF
        .res 256-$2C, $FF
