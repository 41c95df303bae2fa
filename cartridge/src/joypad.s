; Joypads. Every NMI reads both joypads twice, each reading with all its buttons in one go. A
; button counts only if both readings have it.

.segment "CODE"

pollJoypads:
        ldx #0
        jsr readJoypads
        ldx #pollB1 - pollA1
        jsr readJoypads
        ldx #1
@each:  lda pollA1,x
        and pollB1,x
        sta generalCounter+1,x
        tay                     ; Y = held now
        eor joyHeld,x           ; new = held now and not at the previous poll
        sty joyHeld,x
        and joyHeld,x
        sta joyNew,x
        dex
        bpl @each
        lda demoOn
        beq :+
        jmp demoButtons
:       rts

; One reading of both joypads into pollA1,x and pollA2,x. Bit 0 is the standard pad, bit 1
; the expansion port of a Famicom. The first bit read is A, which ends up in bit 7.
readJoypads:
        lda #1
        sta $4016
        lda #0
        sta $4016
        ldy #8
:       lda $4016
        and #3
        cmp #1                  ; carry = any of the two bits
        rol pollA1,x
        lda $4017
        and #3
        cmp #1
        rol pollA2,x
        dey
        bne :-
        rts
