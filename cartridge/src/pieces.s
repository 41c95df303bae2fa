; The test whether a piece fits, and the sprites of pieces.

.segment "CODE"

; Carry clear if the piece fits at x_, y_. Rows -1 and -2 exist above the playfield: they
; are the last twenty bytes of its page.
testPosition:
        lda piece
        asl a
        adc piece
        asl a
        asl a
        tax                     ; 12 bytes per orientation
        ldy #4
        sty tmp0
@cell:  lda y_
        clc
        adc orientation,x
        clc
        adc #2
        cmp #22
        bcs @bad                ; row outside -2..19
        tay
        lda x_
        clc
        adc orientation+2,x
        cmp #10
        bcs @bad                ; column outside 0..9
        adc rowOffset,y
        tay
        lda field,y
        cmp #EMPTY
        bcc @blocked            ; every tile number below the empty tile is solid
        inx
        inx
        inx
        dec tmp0
        bne @cell
        clc
        rts
@blocked:
        sec
@bad:   rts

; offset of rows -2..21 in the playfield page
rowOffset:
        .repeat 24, I
        .byte <(I*10-20)
        .endrepeat

; Sprites of the falling piece and the next piece, for the coming frame.
stagePieces:
        ldx p1Piece             ; the hidden piece is four empty sprites
        stx generalCounter+4
        lda p1X                 ; position of the origin in pixels
        asl a
        asl a
        asl a
        clc
        adc #FIELD_COL*8
        sta generalCounter+2
        sta cellX
        lda p1Y
        asl a
        asl a
        asl a
        clc
        adc #FIELD_ROW*8-1
        sta generalCounter+3
        sta cellY
        jsr stagePiece
        lda tmp1
        sta originalY           ; height of the last sprite; nothing depends on it
        lda hideNext
        bne @alone
        ldx nextPiece
        cpx #HIDDEN
        bcs @done
        lda pieceType,x
        tay
        lda nextX,y
        sta cellX
        lda nextY,y
        sta cellY
        jmp stagePiece
@alone: lda p1Piece
        asl a
        asl a
        sta generalCounter
        lda #0
        sta generalCounter+1
@done:  rts

; Centre of the next box, by piece type.
NEXT_X = 27*8
NEXT_Y = 15*8
nextX:  .byte NEXT_X-4, NEXT_X-4, NEXT_X-4, NEXT_X, NEXT_X-4, NEXT_X-4, NEXT_X
nextY:  .byte NEXT_Y-9, NEXT_Y-9, NEXT_Y-9, NEXT_Y-9, NEXT_Y-9, NEXT_Y-9, NEXT_Y-5

; X = orientation, cellX/cellY = pixel position of its origin.
stagePiece:
        stx tmp0
        txa
        asl a
        adc tmp0
        asl a
        asl a
        tax
        ldy oamLength
        lda #4
        sta tmp0
@cell:  lda orientation,x
        asl a
        asl a
        asl a
        clc
        adc cellY
        sta tmp1
        cmp #FIELD_ROW*8-1      ; above the playfield nothing is shown
        bcs :+
        lda #$F8
:       sta oam,y
        lda orientation+1,x
        sta oam+1,y
        lda #2
        sta oam+2,y
        lda orientation+2,x
        asl a
        asl a
        asl a
        clc
        adc cellX
        sta oam+3,y
        inx
        inx
        inx
        iny
        iny
        iny
        iny
        dec tmp0
        bne @cell
        sty oamLength
        rts

stagePauseText:
        ldx #0
        ldy oamLength
:       lda #14*8-1
        sta oam,y
        lda @text,x
        sta oam+1,y
        lda #0
        sta oam+2,y
        txa
        asl a
        asl a
        asl a
        clc
        adc #13*8+4
        sta oam+3,y
        iny
        iny
        iny
        iny
        inx
        cpx #5
        bne :-
        sty oamLength
        rts
@text:  .byte $19,$0A,$1E,$1C,$0E       ; PAUSE in tiles
