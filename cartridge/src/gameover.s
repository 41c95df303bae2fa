; Play state 10: the curtain, then the wait for Start; and the way back to the level menu.

.segment "CODE"

stateCurtain:
        lda curtainRow
        cmp #20
        beq @down
        lda frameCounter
        and #3
        bne @done
        ldy curtainRow
        bmi @step               ; sixteen steps pass before the curtain moves
        ldx rowOffset+2,y
        ldy #10
        lda #CURTAIN
:       sta field,x
        inx
        dey
        bne :-
        lda #HIDDEN
        sta piece
        lda curtainRow
        sta vramRow
@step:  inc curtainRow
@done:  rts

@down:  lda score+2             ; 30000 points or more: the ending
        cmp #3
        bcc @wait
        lda #128
        jsr sleep
        jsr aEnding
        jmp @leave
@wait:  lda joyNew
        cmp #BTN_START
        bne @done
@leave: lda #0
        sta playState
        sta joyNew
        rts

; The ending after 30000 points: one screen of our own. Returns in the frame in which Start
; is accepted.
aEnding:
        lda #4
        sta renderMode
        jsr waitFrame
        lda #0
        ldx #<screenEnding
        ldy #>screenEnding
        jsr showScreen
        jsr wait3
        lda #128
        jsr sleep
        lda #255
        jsr sleep
@loop:  lda joyNew
        cmp #BTN_START
        beq @done
        jsr waitFrame
        jmp @loop
@done:  rts

; Runs in play state 0: name entry if the score is good enough, then the level menu.
leaveGame:
        lda demoOn
        beq :+
        jmp endDemo
:       lda #3
        sta renderMode
        jsr nameEntryCheck
        jsr clearFieldPages
        lda #0
        sta p1VramRow
        lda #1
        sta p1PlayState
        jsr waitFrame
        lda #3
        sta gameMode
        jsr waitFrame           ; quirk: one more frame passes here
        jmp modeDispatch
