; Power-on and reset, the dispatch by game mode, and waiting for the next frame.

.segment "BOOT"

reset:
        sei
        cld
        ldx #$00
        stx PPUCTRL             ; no NMI while the PPU warms up
        stx PPUMASK
        dex
        txs
        jsr mapperInit
        jmp coldStart

; Mapper: one screen of name table, 32 KiB of PRG, CHR in two 4 KiB banks.
mapperInit:
        lda #$80                ; any write with bit 7 resets the shift register
        sta $8000
        lda #%00010000
        jmp mapperControl

.segment "CODE"

mapperControl:
        sta $9FFF
        lsr a
        sta $9FFF
        lsr a
        sta $9FFF
        lsr a
        sta $9FFF
        lsr a
        sta $9FFF
        rts

; A = CHR bank for both pattern tables (0 menus, 3 game).
selectChr:
        pha
        sta $BFFF
        lsr a
        sta $BFFF
        lsr a
        sta $BFFF
        lsr a
        sta $BFFF
        lsr a
        sta $BFFF
        pla
        sta $DFFF
        lsr a
        sta $DFFF
        lsr a
        sta $DFFF
        lsr a
        sta $DFFF
        lsr a
        sta $DFFF
        rts

; Two vertical blanks pass before the PPU can be used; they are frames 1 and 2.
; Everything up to the first "wait" below happens in frame 2.
coldStart:
        bit PPUSTATUS
:       bit PPUSTATUS
        bpl :-
:       bit PPUSTATUS
        bpl :-

        ldx #$00                ; clear pages 0 to 6; page 7 holds the high scores
        txa
:       sta $0000,x
        sta $0200,x
        sta $0300,x
        sta $0400,x
        sta $0500,x
        sta $0600,x
        inx
        bne :-
        ldx #$EF                ; the stack page, except the part in use
:       sta $0100,x
        dex
        bne :-
        sta $0100

        ldx #4                  ; on a warm boot the high-score table is kept
:       lda warmMark,x
        cmp warmPattern,x
        bne @cold
        dex
        bpl :-
        bmi @warm
@cold:  ldx #warmPatternEnd - defaultScores - 1
:       lda defaultScores,x
        sta hsNames,x
        dex
        bpl :-
@warm:
        lda #$89                ; the seed of the random number generator
        sta rng0
        lda #$88
        sta rng1
        jsr soundInit
        lda #%10000000          ; NMI on, both pattern tables at $0000
        sta ppuCtrl
        lda #%00000000          ; nothing is shown before the first screen is drawn
        sta ppuMask
        jsr clearSprites
        bit PPUSTATUS
        lda ppuCtrl
        sta PPUCTRL
        jsr waitFrame           ; frame 3: the first NMI
        jsr screenOff           ; clearing screen memory swallows the NMI of frame 4
        jsr clearScreen
        jsr passVblank
        jsr clearFieldPages
        jsr screenOn
        jsr waitFrame           ; frame 5
        jsr waitFrame
        jsr waitFrame           ; frame 7
        lda #$0E
        sta const0E
        lda #1
        sta numberOfPlayers
.ifdef OTHER_HABITS
        jsr habitsAtPowerOn
.endif

; Run the routine of the current game mode. Routines do not return: they set gameMode
; and jump here again, still in the same frame unless they wait.
modeDispatch:
        ldx #$FF
        txs
        lda gameMode
        asl a
        tax
        lda modeTable+1,x
        pha
        lda modeTable,x
        pha
        rts
modeTable:
        .addr modeLegal-1, modeTitle-1, modeGameType-1, modeLevelMenu-1
        .addr modePlay-1, modePlay-1, modeStartDemo-1

; Wait for the next NMI, then empty the sprite list.
waitFrame:
.ifdef OTHER_HABITS
        jsr keepCopies
.endif
        lda #0
        sta vblankFlag
waitLoop:
        lda vblankFlag
        beq waitLoop
clearSprites:
        ldx #0
        stx oamLength
        lda #$F8                ; below the picture
:       sta oam,x
        sta oam+$80,x
        inx
        inx
        inx
        inx
        bpl :-
        rts

wait4:  jsr waitFrame
wait3:  jsr waitFrame
wait2:  jsr waitFrame
        jmp waitFrame

; A = number of frames. sleepCounter is counted down by the NMI.
sleep:
        sta sleepCounter
:       jsr waitFrame
        lda sleepCounter
        bne :-
        rts

; Picture and NMI off, so that screen memory can be written at any time.
screenOff:
        lda ppuCtrl
        and #%01111111
        sta PPUCTRL
        lda #0
        sta PPUMASK
        rts

; NMI on again. The picture comes back with the next NMI.
screenOn:
        bit PPUSTATUS           ; a past vertical blank must not cause an NMI now
        lda ppuCtrl
        sta PPUCTRL
        lda #%00011110
        sta ppuMask
        rts

; Lets the next vertical blank pass while the NMI is off. It is called about half a frame after
; an NMI and ends well inside the following picture, so exactly one NMI is lost. It uses a delay,
; because reading the status register in the wrong cycle can miss a blank.
passVblank:
        ldx #20
        ldy #0
:       dey
        bne :-
        dex
        bne :-
        rts

; Sets the whole name table to empty tiles and its attributes to 0. Takes 5400 cycles.
clearScreen:
        lda #$20
        sta PPUADDR
        lda #$00
        sta PPUADDR
        ldx #240
        lda #$FF
:       sta PPUDATA
        sta PPUDATA
        sta PPUDATA
        sta PPUDATA
        dex
        bne :-
        ldx #64
        lda #0
:       sta PPUDATA
        dex
        bne :-
        rts

; Empties both playfield pages.
clearFieldPages:
        ldx #0
        lda #EMPTY
:       sta field,x
        sta field2,x
        inx
        bne :-
        rts

; High-score table of a cold boot, as it lies in RAM from $0700.
defaultScores:
        .byte $08,$0F,$17,$01,$12,$04, $0F,$14,$01,$13,$01,$0E  ; HOWARD OTASAN
        .byte $0C,$01,$0E,$03,$05,$2B, $00,$00,$00,$00,$00,$00  ; LANCE
        .byte $01,$0C,$05,$18,$2B,$2B, $14,$0F,$0E,$19,$2B,$2B  ; ALEX TONY
        .byte $0E,$09,$0E,$14,$05,$0E, $00,$00,$00,$00,$00,$00  ; NINTEN
        .byte $01,$00,$00, $00,$75,$00, $00,$50,$00, $00,$00,$00
        .byte $00,$20,$00, $00,$10,$00, $00,$05,$00, $00,$00,$00
        .byte 9,5,0,0, 9,5,0,0
warmPattern:
        .byte $12,$34,$56,$78,$9A
warmPatternEnd:
.assert warmPatternEnd - defaultScores = $55, error, "high-score area has $55 bytes"

irq:    rti

.segment "VECTORS"
        .addr nmi, reset, irq
