; High-score table and name entry.

.segment "CODE"

; Finds the rank of the score. Without a rank it returns at once, else it makes room in the
; table and lets the player enter a name. It returns one frame after the accepted Start.
nameEntryCheck:
        ldx #0
        lda gameType
        beq :+
        ldx #4                  ; entries 0..2 are the A-type table, 4..6 the B-type one
:       ldy #3
@rank:  sty tmp0
        stx tmp1
        txa
        asl a
        adc tmp1
        tay                     ; entry * 3
        lda p1Score+2           ; an equal score ranks above
        cmp hsScores,y
        bne :+
        lda p1Score+1
        cmp hsScores+1,y
        bne :+
        lda p1Score
        cmp hsScores+2,y
:       bcs @found
        inx
        ldy tmp0
        dey
        bne @rank
        stx nameEntry           ; the fourth entry means: not in the table
        rts

@found: stx nameEntry
        txa                     ; move the entries below down, the last one first
        and #4
        ora #2
        tax
@push:  cpx nameEntry
        beq @insert
        jsr pushEntry
        dex
        jmp @push
@insert:
        jsr entryOffsets
        ldx tmp2
        ldy #6
        lda #0                  ; a new name is six letters of code 0
:       sta hsNames,x
        inx
        dey
        bne :-
        ldx tmp1
        lda p1Score+2
        sta hsScores,x
        lda p1Score+1
        sta hsScores+1,x
        lda p1Score
        sta hsScores+2,x
        ldx nameEntry
        lda p1Level
        sta hsLevels,x

        lda #2
        sta renderMode
        jsr waitFrame
        jsr screenOff           ; one NMI is lost, as in the level menu
        lda #0
        jsr selectChr
        jsr clearScreen
        ldx #<screenName
        ldy #>screenName
        jsr drawStream
        jsr drawPalette
        jsr passVblank
        jsr drawHighScores
        jsr screenOn
        jsr wait3

        ldx nameEntry
        jsr entryOffsets
        lda tmp2
        sta nameOffset
        lda #0
        sta nameLetter
        sta nameChar
@loop:  lda joyNew
        and #BTN_START
        bne @done
        lda joyNew
        and #BTN_A + BTN_RIGHT
        beq @notNext
        ldx nameLetter
        inx
        cpx #6
        bcc :+
        ldx #0
:       stx nameLetter
        jsr soundMove
@notNext:
        lda joyNew
        and #BTN_B + BTN_LEFT
        beq @notBack
        ldx nameLetter
        dex
        bpl :+
        ldx #5
:       stx nameLetter
        jsr soundMove
@notBack:
        lda nameOffset
        clc
        adc nameLetter
        tay
        ldx hsNames,y
        lda frameCounter        ; Up and Down: one code every eight frames
        and #7
        bne @same
        lda joyHeld
        and #BTN_DOWN
        beq :+
        dex
        bpl :+
        ldx #LAST_LETTER
:       lda joyHeld
        and #BTN_UP
        beq :+
        inx
        cpx #LAST_LETTER+1
        bcc :+
        ldx #0
:       txa
        sta hsNames,y
@same:  stx nameChar
        lda #RF_NAME
        sta renderFlags
        lda frameCounter        ; a blinking line below the letter
        and #8
        beq :+
        lda nameEntry
        and #3
        asl a
        asl a
        asl a
        asl a
        adc #HS_ROW*8+4
        tax
        lda nameLetter
        asl a
        asl a
        asl a
        adc #HS_COL*8
        jsr putCursor
        lda #TILE_UNDERLINE
        ldy oamLength
        sta oam-3,y
:       jsr waitFrame
        jmp @loop
@done:  jmp waitFrame

LAST_LETTER = $2B

; Entry X-1 becomes entry X. Keeps X.
pushEntry:
        jsr entryOffsets
        stx tmp0
        ldx tmp2
        ldy #6
:       lda hsNames-6,x
        sta hsNames,x
        inx
        dey
        bne :-
        ldx tmp1
        ldy #3
:       lda hsScores-3,x
        sta hsScores,x
        inx
        dey
        bne :-
        ldx tmp0
        lda hsLevels-1,x
        sta hsLevels,x
        rts

; X = entry: tmp1 = 3 * X, tmp2 = 6 * X.
entryOffsets:
        stx tmp1
        txa
        asl a
        adc tmp1
        sta tmp1
        asl a
        sta tmp2
        rts
