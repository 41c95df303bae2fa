; The vertical-blank interrupt: draw, count, clock the random numbers, read the joypads.
; It uses no scratch byte of the main program.

.segment "CODE"

; screen position of the playfield, in tiles
FIELD_COL       = 12
FIELD_ROW       = 6

nmi:
        pha
        txa
        pha
        tya
        pha
        lda #0                  ; sprites first: they must be sent inside the blank
        sta OAMADDR
        lda #>oam
        sta OAMDMA

        lda renderMode
        cmp #3
        bne @notPlay
        jsr renderPlay
        jmp @rendered
@notPlay:
        cmp #2
        bne @rendered
        jsr renderName
@rendered:
        lda ppuCtrl
        sta PPUCTRL
        lda #0
        sta scrollX
        sta PPUSCROLL
        sta scrollY
        sta PPUSCROLL
        lda ppuMask
        sta PPUMASK
nmiDrawn:
        lda sleepCounter
        beq :+
        dec sleepCounter
:       inc frameCounter
        bne :+
        inc frameCounter+1
:       jsr rngClock
        lda #1
        sta vblankFlag
        jsr pollJoypads
        pla
        tay
        pla
        tax
        pla
        rti

; ---------------------------------------------------------------- game screen

renderPlay:
        lda p1PlayState
        cmp #4
        bne @rows
        jsr clearStep
        jmp @flags
@rows:                          ; four playfield rows per frame until all are on screen
        lda p1VramRow
        sta vramRow
        jsr sendRow
        jsr sendRow
        jsr sendRow
        jsr sendRow
        lda vramRow
        sta p1VramRow
@flags:
        lda renderFlags
        beq @flash
        lsr a
        bcc :+
        jsr drawLines
:       lda renderFlags
        and #RF_LEVEL
        beq :+
        jsr drawLevel
:       lda renderFlags
        and #RF_SCORE
        beq :+
        jsr drawScore
:       lda renderFlags
        and #RF_STATS
        beq :+
        jsr drawStats
:       lda #0
        sta renderFlags
@flash:                         ; four rows at once flash the background, one frame in four
        lda #$3F
        sta PPUADDR
        ldx #$00
        stx PPUADDR
        ldy #$0F
        lda p1CompletedLines
        cmp #4
        bne :+
        lda frameCounter
        and #3
        bne :+
        ldy #$30
:       sty PPUDATA
        rts

; Sends row vramRow, unless all rows have been sent, and goes on to the next row.
sendRow:
        ldx vramRow
        cpx #21
        bpl @done
        cpx #20
        bpl @next               ; there is no row 20 on the screen
        lda rowAddrHi,x
        sta PPUADDR
        lda rowAddrLo,x
        sta PPUADDR
        ldy rowTimes10,x
        .repeat 10, I
        lda field+I,y
        sta PPUDATA
        .endrepeat
@next:  inx
        cpx #20
        bmi :+
        ldx #ALL_SENT
:       stx vramRow
@done:  rts

; One step of the line-clear animation: every fourth frame two columns of the completed
; rows disappear from the screen. The rows are already gone in RAM. The fifth step ends
; the animation. A completedRow of 0 means "none", so row 0 is never wiped.
clearStep:
        lda frameCounter
        and #3
        bne @done
        ldx #3
@row:   lda p1CompletedRow,x
        beq @next
        tay
        sty nmi0
        ldy p1RowY
        lda wipeLeft,y
        jsr @wipe
        lda wipeRight,y
        jsr @wipe
@next:  dex
        bpl @row
        inc p1RowY
        lda p1RowY
        cmp #5
        bne :+
        sta p1PlayState         ; state 5 runs in this same frame
:       lda #0
        sta p1VramRow
@done:  rts
@wipe:                          ; A = column, nmi0 = row; keeps X and Y
        sta nmi1
        sty nmi2
        ldy nmi0
        lda rowAddrHi,y
        sta PPUADDR
        lda rowAddrLo,y
        clc
        adc nmi1
        sta PPUADDR
        lda #$FF
        sta PPUDATA
        ldy nmi2
        rts

; ---- numbers

.macro  VRAM_AT col, row
        lda #>($2000 + (row)*32 + (col))
        sta PPUADDR
        lda #<($2000 + (row)*32 + (col))
        sta PPUADDR
.endmacro

LINES_COL = 18
LINES_ROW = 3
SCORE_COL = 24
SCORE_ROW = 9
LEVEL_COL = 26
LEVEL_ROW = 23
STATS_COL = 7
STATS_ROW = 7

drawLines:
        VRAM_AT LINES_COL, LINES_ROW
        lda p1Lines+1           ; hundreds are binary: 10 shows as tile $0A
        sta PPUDATA
        lda p1Lines
        jmp putBcd

drawScore:
        VRAM_AT SCORE_COL, SCORE_ROW
        lda p1Score+2
        jsr putBcd
        lda p1Score+1
        jsr putBcd
        lda p1Score
; two digits; the number stays in generalCounter
putBcd:
        sta generalCounter
        tax
        lsr a
        lsr a
        lsr a
        lsr a
        sta PPUDATA
        txa
        and #$0F
        sta PPUDATA
        rts

; The level in decimal, three digits from level 100 on, and its colours.
drawLevel:
        VRAM_AT LEVEL_COL, LEVEL_ROW
        lda p1Level
        ldx #0
        cmp #100
        bcc @tens
:       inx
        sbc #100
        cmp #100
        bcs :-
        stx PPUDATA
        bcc @tens2
@tens:  ldx #$FF                ; an empty tile instead of the hundreds
        stx PPUDATA
@tens2: ldx #0
        cmp #10
        bcc @ones
:       inx
        sbc #10
        cmp #10
        bcs :-
@ones:  stx PPUDATA
        sta PPUDATA
        asl a                   ; the last digit chooses the colours
        asl a
        sta nmi0
        ldy #$08                ; background palette 2
        jsr @colours
        ldy #$18                ; sprite palette 2
@colours:
        lda #$3F
        sta PPUADDR
        sty PPUADDR
        ldx nmi0
@pair:  lda levelColours,x
        sta PPUDATA
        inx
        lda levelColours,x
        sta PPUDATA
        inx
        txa
        and #2                  ; colours begin at a multiple of four: two pairs
        bne @pair
        rts

drawStats:
        ldy #6
@next:  lda statsAddrHi,y
        sta PPUADDR
        lda statsAddrLo,y
        sta PPUADDR
        tya
        asl a
        tax
        lda statistics+1,x
        and #$0F
        sta PPUDATA
        lda statistics,x
        jsr putBcd
        dey
        bpl @next
        rts

rowAddrHi:
        .repeat 20, I
        .byte >($2000 + (FIELD_ROW+I)*32 + FIELD_COL)
        .endrepeat
rowAddrLo:
        .repeat 20, I
        .byte <($2000 + (FIELD_ROW+I)*32 + FIELD_COL)
        .endrepeat
statsAddrHi:
        .repeat 7, I
        .byte >($2000 + (STATS_ROW+3*I)*32 + STATS_COL)
        .endrepeat
statsAddrLo:
        .repeat 7, I
        .byte <($2000 + (STATS_ROW+3*I)*32 + STATS_COL)
        .endrepeat

; ---------------------------------------------------------------- name entry

; Only the letter being changed is redrawn.
renderName:
        lda renderFlags
        bpl @done
        lda nameEntry
        and #3                  ; entries 4..6 are the B-type table: rows 0..2 again
        tax
        lda hsRowHi,x
        sta PPUADDR
        lda hsRowLo,x
        clc
        adc nameLetter
        sta PPUADDR
        ldx nameChar
        lda letterTile,x
        sta PPUDATA
        lda #0
        sta renderFlags
@done:  rts
