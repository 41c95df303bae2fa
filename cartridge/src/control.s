; Play state 1: shift, then rotate, then drop, all in one frame.

.segment "CODE"

stateControl:
        jsr shift
        jsr rotate
        jmp drop

; ---- shift. The shift is tested before the rotation, at the old orientation.
shift:
        lda heldButtons
        and #BTN_DOWN           ; Down blocks shifting and freezes the counter
        bne @done
        lda newButtons
        and #BTN_LEFT + BTN_RIGHT
        bne @press
        lda heldButtons
        and #BTN_LEFT + BTN_RIGHT
        beq @done
        inc autorepeatX
        lda autorepeatX
        cmp #16
        bmi @done
        lda #10                 ; first repeat after 16 frames, then every 6 frames
        sta autorepeatX
        bne @move
@press: lda #0
        sta autorepeatX
@move:  lda heldButtons
        and #BTN_RIGHT          ; Right wins
        beq @left
        inc x_
        jsr testPosition
        bcc @done
        dec x_
        jmp @wall
@left:  lda heldButtons
        and #BTN_LEFT
        beq @done
        dec x_
        jsr testPosition
        bcc @done
        inc x_
@wall:  lda #16                 ; a blocked shift charges the counter at once
        sta autorepeatX
@done:  rts

; ---- rotate: new presses only, A before B, no kicks.
rotate:
        lda piece
        asl a
        tax
        lda newButtons
        bmi @clockwise
        and #BTN_B
        beq @done
        bne @try
@clockwise:
        inx
@try:   lda piece
        pha
        lda rotation,x
        sta piece
        jsr testPosition
        pla
        bcc @done
        sta piece
@done:  rts

; ---- drop
drop:
        lda autorepeatY
        bpl @normal
        lda newButtons          ; the first piece does not fall until the counter runs out
        and #BTN_DOWN           ; or Down is pressed
        bne :+
        inc autorepeatY
        rts
:       lda #0
        sta autorepeatY
@normal:
        lda autorepeatY
        bne @soft
        lda heldButtons         ; a pushdown begins with a new Down, without Left or Right
        and #BTN_LEFT + BTN_RIGHT
        bne gravity
        lda newButtons
        and #$0F
        cmp #BTN_DOWN
        bne gravity
        lda #1
        sta autorepeatY
        bne gravity
@soft:  lda heldButtons
        and #$0F
        cmp #BTN_DOWN           ; Down must be the only direction held
        beq @held
        lda #0
        sta autorepeatY
        sta holdDownPoints
        beq gravity
@held:  inc autorepeatY
        lda autorepeatY
        cmp #3
        bcc gravity
        lda #1                  ; a row every second frame
        sta autorepeatY
        inc holdDownPoints
        jmp dropRow

gravity:
        lda #1
        ldx level
        cpx #29
        bcs :+
        lda framesPerDrop,x
:       sta dropSpeed
        lda fallTimer
        sec
        sbc dropSpeed
        bpl dropRow
        rts

dropRow:
        lda #0
        sta fallTimer
        inc y_
        jsr testPosition
        bcc @done
        dec y_
        lda #2                  ; only a failing drop locks
        sta playState
        jsr touchRows
@done:  rts

; The rows of the piece must be sent to the screen again.
touchRows:
        jsr topRow
        cmp vramRow
        bpl @done
        sta vramRow
@done:  rts

; Returns in A the first row that can hold cells of the piece: y - 2, at least 0.
topRow:
        lda y_
        sec
        sbc #2
        bpl :+
        lda #0
:       rts
