; The random number generator: a 16-bit shift register rng0:rng1, shifted right. The
; exclusive-or of bit 1 of both bytes enters at the top.

.segment "CODE"

rngClock:
        lda rng0
        eor rng1
        and #2
        clc
        beq :+
        sec
:       ror rng0
        ror rng1
        rts

; Clocks the generator until the low nibble of rng0 is a column; returns the column in A.
randomColumn:
        jsr rngClock
        lda rng0
        and #$0F
        cmp #10
        bcs randomColumn
        rts
