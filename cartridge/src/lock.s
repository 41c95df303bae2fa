; Play states 2 and 3: lock, row check.

.segment "CODE"

stateLock:
        jsr testPosition
        bcc @fits
        lda #10                 ; it spawned into blocks: topout
        sta playState
        lda #$F0
        sta curtainRow
        rts
@fits:  lda vramRow             ; wait until the changed rows are on the screen
        cmp #ALL_SENT
        bmi @wait
        lda piece
        asl a
        adc piece
        asl a
        asl a
        tax
        lda #4
        sta tmp0
@cell:  lda y_
        clc
        adc orientation,x
        clc
        adc #2                  ; pieces can lock in rows -2 and -1, too
        tay
        lda rowOffset,y
        clc
        adc x_
        clc
        adc orientation+2,x
        tay
        lda orientation+1,x
        sta field,y
        inx
        inx
        inx
        dec tmp0
        bne @cell
        lda #0
        sta lineIndex
        jsr touchRows
        jsr checkAllegro
        lda #3
        sta playState
@wait:  rts

; Any block in row 5 starts the fast music.
checkAllegro:
        ldx #9
:       lda field+50,x
        cmp #EMPTY
        bne @fast
        dex
        bpl :-
        lda #0
        sta allegro
        rts
@fast:  lda #$FF
        sta allegro
        rts

; One row per frame, four in all. A completed row is taken out of RAM at once.
stateRowCheck:
        lda vramRow
        cmp #ALL_SENT
        bmi @wait
        jsr topRow
        clc
        adc lineIndex
        sta tmp1                ; the row
        tay
        ldx rowOffset+2,y
        stx tmp2
        ldy #10
:       lda field,x
        cmp #EMPTY
        beq @incomplete
        inx
        dey
        bne :-

        inc completedLines
        ldx lineIndex
        lda tmp1
        sta completedRow,x
        ldx tmp2                ; everything above moves down ten bytes. For row 0 the
        dex                     ; index wraps and the whole page moves, the last ten
:       lda field,x             ; bytes into the next page
        sta field+10,x
        dex
        cpx #$FF
        bne :-
        lda #EMPTY
        ldx #9
:       sta field,x
        dex
        bpl :-
        lda #HIDDEN
        sta piece
        jmp @counted
@incomplete:
        ldx lineIndex
        lda #0
        sta completedRow,x
@counted:
        inc lineIndex
        lda lineIndex
        cmp #4
        bcc @wait
        ldx completedLines
        lda @garbage,x          ; garbage for a second player
        clc
        adc pendingGarbage
        sta pendingGarbage
        lda #0
        sta vramRow
        sta rowY
        lda #4
        cpx #0
        bne :+
        lda #5                  ; nothing to animate
        sta playState
        rts
:       sta playState
        jmp soundClear
@wait:  rts
@garbage:
        .byte 0, 0, 1, 2, 4
