; Two short effects on the first pulse channel; there is no music. The length counter of the
; sound hardware ends them, so nothing has to be done per frame.

.segment "CODE"

soundInit:
        lda #%00000001
        sta $4015
        lda #%01000000          ; no frame interrupt
        sta $4017
        rts

; Cursor moved. Keeps A and X.
soundMove:
        pha
        lda #%10000010          ; fading
        sta $4000
        lda #%00001000          ; no sweep
        sta $4001
        lda #$A0
        sta $4002
        lda #%00000000          ; ten half frames
        sta $4003
        pla
        rts

; Rows completed.
soundClear:
        lda #%10000110
        sta $4000
        lda #%10101011          ; sweep upwards
        sta $4001
        lda #$80
        sta $4002
        lda #%00110010          ; 80 half frames
        sta $4003
        rts
