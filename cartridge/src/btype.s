; B-type: garbage at the start, the goal, the bonus.

.segment "CODE"

; Build rows 8 to 19, one per frame, then blank what is above the chosen height. Returns
; in the frame of the first play update of the game.
btypeBuild:
        lda #8
        sta tmp3
@row:   jsr setFieldPtr
        lda #20                 ; rows left, this one included
        sec
        sbc tmp3
        sta generalCounter
        ldx tmp3
        stx generalCounter+1
        lda rowTimes10,x
        sta tmp4
        ldy #9                  ; from the right to the left
@cell:  jsr rngClock
        lda rng0
        and #7
        tax
        lda btypeTiles,x
        pha
        tya
        clc
        adc tmp4
        tax
        pla
        sta field,x
        sta generalCounter+3
        dey
        bpl @cell
        jsr randomColumn        ; at least one hole in each row
        sta generalCounter+4
        clc
        adc tmp4
        tax
        lda #EMPTY
        sta field,x
        lda #0
        sta p1VramRow
        jsr waitFrame
        inc tmp3
        lda tmp3
        cmp #20
        bne @row

        ldx p1StartHeight       ; the last blanked index is inclusive, so one cell of the
        lda btypeBlank,x        ; first garbage row is blanked, too
        tax
        lda #EMPTY
:       sta field,x
        dex
        cpx #$FF
        bne :-
        rts

; Play state 6.
stateGoal:
        lda gameType
        beq @on
        lda lines
        beq @success
@on:    lda #7
        sta playState
        rts

@success:
        ldx #29                 ; the box covers rows 7 to 9
:       lda @box,x
        sta field+70,x
        dex
        bpl :-
        lda #0
        sta p1VramRow
        lda #20
        jsr sleep
        lda #0                  ; then the picture is frozen
        sta renderMode
        lda #128
        jsr sleep
        jsr bEnding
        lda #0
        sta playState
        rts
@box:   .byte $38,$39,$39,$39,$39,$39,$39,$39,$39,$3A
        .byte $3B,$1C,$1E,$0C,$0C,$0E,$1C,$1C,$28,$3C   ; SUCCESS!
        .byte $3D,$3E,$3E,$3E,$3E,$3E,$3E,$3E,$3E,$3F

; The bonus is counted up on the screen: ten steps of 100 points for each level and ten for
; each height, one step every second frame. Then Start ends it.
bEnding:
        lda #4
        sta renderMode
        lda level               ; the steps left, BCD. A level has one digit here
        ldy #3
        jsr @steps
        lda startHeight
        iny
        jsr @steps
        jsr waitFrame
        lda #0
        ldx #<screenBonus
        ldy #>screenBonus
        jsr showScreen
        jsr wait3
        lda #128
        jsr sleep
        ldx #2
:       lda score,x
        sta totalScore,x
        dex
        bpl :-
        lda #0
        sta p1Score
        sta p1Score+1
        sta p1Score+2
        lda #64
        jsr sleep
        lda level
        ldy #3
        jsr countBonus
        lda startHeight
        ldy #4
        jsr countBonus
        jmp @check
@loop:  jsr stageTotal
        jsr waitFrame
@check: lda joyNew
        cmp #BTN_START
        bne @loop
        ldx #2
:       lda totalScore,x
        sta score,x
        dex
        bpl :-
        rts
@steps: asl a
        asl a
        asl a
        asl a
        sta generalCounter,y
        rts

; A = level or height: makes 10 * A steps, then pauses. generalCounter,y counts them down.
countBonus:
        tax
        beq @none
        sty tmp5
@ten:   stx tmp3
        lda #10
        sta tmp4
@step:  ldx tmp5
        lda generalCounter,x
        sec
        sbc #1
        sta generalCounter,x
        and #$0F
        cmp #$0F                ; the next ten
        bne :+
        lda generalCounter,x
        sbc #6                  ; carry is set
        sta generalCounter,x
:       lda totalScore+1        ; 100 points, BCD
        clc
        adc #1
        ldy #1
        jsr @digits
        jsr stageTotal
        lda #2
        sta sleepCounter
:       jsr waitFrame
        jsr stageTotal
        lda sleepCounter
        bne :-
        dec tmp4
        bne @step
        ldx tmp3
        dex
        bne @ten
        lda #64
        sta sleepCounter
:       jsr stageTotal
        jsr waitFrame
        lda sleepCounter
        bne :-
@none:  rts
@digits:                        ; A = new value of totalScore,y: adjusts BCD and carries
        sta totalScore,y
        and #$0F
        cmp #$0A
        bcc @ok
        lda totalScore,y
        clc
        adc #6
        sta totalScore,y
        cmp #$A0
        bcc @ok
        adc #$5F
        sta totalScore,y
        iny
        cpy #3
        bcs @cap
        lda totalScore,y
        clc
        adc #1
        bne @digits
@cap:   lda #$99
        sta totalScore
        sta totalScore+1
        sta totalScore+2
@ok:    rts

; The total as six digit sprites.
stageTotal:
        ldx oamLength
        bne @done               ; the sprites are already there
        ldy #2
@byte:  lda totalScore,y
        lsr a
        lsr a
        lsr a
        lsr a
        jsr @digit
        lda totalScore,y
        and #$0F
        jsr @digit
        dey
        bpl @byte
        stx oamLength
@done:  rts
@digit: sta oam+1,x
        lda #15*8-1
        sta oam,x
        lda #0
        sta oam+2,x
        txa
        asl a                   ; 8 pixels per 4 bytes of sprite
        adc #13*8
        sta oam+3,x
        inx
        inx
        inx
        inx
        rts
