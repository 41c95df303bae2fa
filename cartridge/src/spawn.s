; Play state 8: spawn of the next piece, the random pick, statistics.

.segment "CODE"

stateSpawn:
        lda vramRow
        cmp #ALL_SENT
        bmi @wait
        lda #0
        sta fallTimer
        sta y_
        sta autorepeatY         ; Down must be pressed again for each piece
        lda #5
        sta x_
        lda #1
        sta playState
        lda nextPiece
        sta piece
        jsr countPiece
        jsr pickPiece
        sta nextPiece
@wait:  rts

; Picks a piece with the random number of this frame. After a 7 or the same piece as last time
; there is one more try with another number, whose result always counts.
pickPiece:
        lda demoOn
        beq :+
        jmp demoPiece
:       inc spawnCount
        lda rng0
        clc
        adc spawnCount
        and #7
        cmp #7
        beq @again
        tax
        lda spawnTable,x
        cmp spawnID
        bne @take
@again: jsr rngClock
        lda rng0
        and #7
        clc
        adc spawnID             ; quirk: an orientation number, not a type, so the odds are uneven
:       cmp #7
        bcc :+
        sbc #7
        bcs :-
:       tax
        lda spawnTable,x
@take:  sta spawnID
        rts

; Counts one piece in the statistics. A = orientation. A count has two BCD digits and a third
; digit in binary.
countPiece:
        tax
        lda pieceType,x
        asl a
        tax
        inc statistics,x
        lda statistics,x
        and #$0F
        cmp #$0A
        bne @flag
        lda statistics,x
        clc
        adc #6
        sta statistics,x
        cmp #$A0
        bcc @flag
        adc #$5F                ; carry is set: + $60
        sta statistics,x
        inc statistics+1,x
@flag:  lda renderFlags
        ora #RF_STATS
        sta renderFlags
        rts
