; The demo: an A-type game on level 0 played from a table. The random generator picks no
; pieces and spawnCount does not change. Start, or the end of the table, returns to the title.

.segment "CODE"

modeStartDemo:
        lda #0
        sta gameType
        sta p1StartLevel
        sta gameModeState
        sta p1PlayState
        lda #5
        sta gameMode
        lda #0
        sta demoLast
        lda #1
        sta demoOn
        jmp modePlay

; Called by the NMI in place of the joypad. The table has pairs of buttons and extra frames.
; Bit 7 of demoOn is set when the demo must end; from then on the real buttons count.
demoButtons:
        lda renderMode
        cmp #3
        bne @early
        lda pollA1              ; only Start of the real joypad counts
        and pollB1
        and #BTN_START
        bne @end
        lda demoRepeats
        beq @fetch
        dec demoRepeats
        jmp @apply
@fetch: ldy #0
        lda (demoPtr),y
        cmp #$FF                ; the end of the table
        beq @end
        sta demoHeld
        iny
        lda (demoPtr),y
        sta demoRepeats
        lda demoPtr
        clc
        adc #2
        sta demoPtr
        bcc @apply
        inc demoPtr+1
@apply: lda demoHeld
        tay
        eor demoLast
        sty demoLast
        sty joyHeld
        and joyHeld
        sta joyNew
        rts
@early: lda demoPtr             ; before the game runs the pointer moves, but there are no buttons
        clc
        adc #2
        sta demoPtr
        bcc :+
        inc demoPtr+1
:       rts
@end:   lda #$81
        sta demoOn
        rts

; The next piece of the demo: a type in bits 4 to 6.
demoPiece:
        ldx demoIndex
        inc demoIndex
        lda demoPieces,x
        lsr a
        lsr a
        lsr a
        lsr a
        and #7
        tax
        lda spawnTable,x        ; spawnID and spawnCount stay as they are
        rts

; Leave the demo.
endDemo:
        lda #0
        sta demoOn
        sta frameCounter+1
        lda #1
        sta gameMode
        jmp modeDispatch

.segment "DEMO"                         ; $DD00 buttons, $DF00 pieces

; a wait, some taps of one button, a drop
.macro  DEMO_MOVE wait, button, times, rows
        .byte 0, wait
        .repeat times
        .byte button, 1, 0, 5
        .endrepeat
        .byte 0, 20
        .byte BTN_DOWN, 2*(rows)+6
.endmacro
demoScript:
        .byte 0, 50
        DEMO_MOVE 60, BTN_LEFT, 4, 18   ; five O pieces side by side: two lines
        DEMO_MOVE 60, BTN_LEFT, 2, 18
        DEMO_MOVE 90, BTN_LEFT, 0, 18
        DEMO_MOVE 60, BTN_RIGHT, 2, 18
        DEMO_MOVE 60, BTN_RIGHT, 4, 18
        .byte 0, 40
        DEMO_MOVE 60, BTN_LEFT, 3, 19   ; two I pieces and an O: one line
        DEMO_MOVE 60, BTN_RIGHT, 3, 19
        DEMO_MOVE 90, BTN_LEFT, 0, 18
        .byte 0, 40
        DEMO_MOVE 60, BTN_LEFT, 3, 19   ; two I pieces again
        DEMO_MOVE 60, BTN_RIGHT, 3, 19
        .byte 0, 40
        DEMO_MOVE 90, BTN_LEFT, 4, 18   ; O pieces until the demo ends
        DEMO_MOVE 90, BTN_LEFT, 2, 18
        DEMO_MOVE 90, BTN_LEFT, 0, 18
        DEMO_MOVE 90, BTN_RIGHT, 2, 18
        DEMO_MOVE 90, BTN_RIGHT, 4, 18
        .byte 0, 40
        DEMO_MOVE 120, BTN_LEFT, 4, 18
        DEMO_MOVE 120, BTN_LEFT, 2, 18
        DEMO_MOVE 120, BTN_RIGHT, 2, 18
        DEMO_MOVE 120, BTN_RIGHT, 4, 18
        DEMO_MOVE 120, BTN_LEFT, 0, 18
        DEMO_MOVE 120, BTN_A, 1, 18
        DEMO_MOVE 120, BTN_B, 1, 18
        .byte 0, 250, 0, 250
        .byte $FF
        .res demoScript + $200 - *, $FF
.assert demoScript = $DD00, error, "demo misplaced"
.assert demoPieces = $DF00, error, "demo pieces misplaced"
demoPieces:
        .byte $30,$30,$30,$30,$30, $60,$60,$30, $60,$60
        .res demoScript + $300 - *, $30
