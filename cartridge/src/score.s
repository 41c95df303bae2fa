; Play state 5: lines, level and points. All of it in one frame, at any level.

.segment "CODE"

stateScore:
        jsr checkAllegro
        lda completedLines
        beq @push
        tax
        dex
        inc lineClearStats,x    ; a BCD count without a carry out of the tens
        lda lineClearStats,x
        and #$0F
        cmp #$0A
        bne :+
        lda lineClearStats,x
        clc
        adc #6
        sta lineClearStats,x
:       lda renderFlags
        ora #RF_LINES
        sta renderFlags
        lda gameType
        bne @btype
        lda completedLines
        sta tmp0
@line:  jsr addLine
        dec tmp0
        bne @line
        beq @push
@btype: lda lines               ; counts down, not below zero
        sec
        sbc completedLines
        bpl :+
        lda #0
:       sta lines
        and #$0F
        cmp #$0A
        bcc @push
        lda lines
        sec
        sbc #6
        sta lines

; Pushdown points. The sum is binary and is then corrected to BCD, which has two quirks: a
; nibble overflow past 15 counts wrong, and a carry into the hundreds loses the ones digit.
; X keeps the sum: the rows of the pushdown less one, and the two lowest digits of the score.
@push:  ldx holdDownPoints
        dex
        dex
        bmi @noPush             ; less than two rows count nothing
        txa
        sec                     ; rows - 2 + 1
        adc score
        tax
        ora #$F0                ; + 6 carries out of the byte if the low digit is 10 or more
        clc
        adc #6
        bcc :+
        txa
        adc #5                  ; carry is set: + 6
        tax
:       cpx #$A0
        bcc :+
        txa
        sbc #$A0                ; carry is set
        and #$F0                ; the quirk: the ones digit is lost
        tax
        inc score+1
:       stx score
        lda renderFlags
        ora #RF_SCORE
        sta renderFlags
@noPush:
        lda #0
        sta holdDownPoints

; Points for the lines, added level + 1 times, with the level already raised. Level 255 means
; 256 times. One addition takes about 55 cycles, so all of them fit into the frame.
        lda completedLines
        asl a
        tax
        lda points,x
        sta tmp0
        lda points+1,x
        sta tmp1
        ldx level
        lda completedLines
        bne @turn
        ldx #0                  ; no lines: adding zero once is enough
@turn:  lda score
        clc
        adc tmp0
        cmp #$A0
        bcc :+
        adc #$5F                ; carry is set: + $60
        inc score+1
:       sta score
        lda score+1
        clc
        adc tmp1
        sta score+1
        and #$0F
        cmp #$0A
        lda score+1
        bcc :+
        adc #5                  ; carry is set: + 6
        sta score+1
:       cmp #$A0                ; high nibble 10 or more
        bcc @turned
        adc #$5F
        sta score+1
        inc score+2
        lda score+2
        and #$0F
        cmp #$0A
        lda score+2
        bcc :+
        adc #5
        sta score+2
:       cmp #$A0
        bcc @turned
        lda #$99                ; at 999999 stop: more additions would not change it
        sta score
        sta score+1
        sta score+2
        bne @capped
@turned:
        dex
        cpx #$FF
        bne @turn
@capped:
        lda renderFlags
        ora #RF_SCORE
        sta renderFlags
        lda #0
        sta completedLines
        lda #6
        sta playState
        rts

; Counts one line. At every tenth line the level rises if it is below lines/10, where the
; decimal digits of lines/10 are read as hexadecimal digits.
addLine:
        ldx lines
        inx
        txa
        and #$0F
        cmp #$0A
        bcs @ten
        stx lines
        rts
@ten:   txa
        adc #5                  ; carry is set: + 6, into the tens
        cmp #$A0
        bcc :+
        and #$0F
        inc lines+1             ; hundreds are plain binary
:       sta lines
        and #$0F
        bne @done
        lda lines               ; tmp1 becomes the hundreds' low digit and the tens
        sta tmp1
        lda lines+1
        ldx #4
:       lsr a
        ror tmp1
        dex
        bne :-
        lda level
        cmp tmp1                ; bit 7 of the difference is what counts
        bpl @done
        inc level
        lda renderFlags
        ora #RF_LEVEL
        sta renderFlags
@done:  rts
