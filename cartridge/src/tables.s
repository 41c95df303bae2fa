; Rule tables. Their addresses are fixed, so that a program can check a ROM by reading them.
; The values are the rules of the game.

.segment "T_BTYPE"                      ; $8876
; last playfield index that stays empty, by height 0..5
btypeBlank:     .byte $C8, $AA, $96, $78, $64, $50
; garbage tile for each random number 0..7
btypeTiles:     .byte EMPTY, $7B, EMPTY, $7C, $7D, $7D, EMPTY, EMPTY

.segment "T_ROTATE"                     ; $88EE
; for each orientation: after B (counter-clockwise), after A (clockwise)
rotation:
        .byte $03,$01, $00,$02, $01,$03, $02,$00        ; T
        .byte $07,$05, $04,$06, $05,$07, $06,$04        ; J
        .byte $09,$09, $08,$08                          ; Z
        .byte $0A,$0A                                   ; O
        .byte $0C,$0C, $0B,$0B                          ; S
        .byte $10,$0E, $0D,$0F, $0E,$10, $0F,$0D        ; L
        .byte $12,$12, $11,$11                          ; I

.segment "T_SPEED"                      ; $898E
framesPerDrop:
        .byte $30,$2B,$26,$21,$1C,$17,$12,$0D,$08,$06
        .byte $05,$05,$05,$04,$04,$04,$03,$03,$03,$02
        .byte $02,$02,$02,$02,$02,$02,$02,$02,$02,$01

.segment "T_ORIENT"                     ; $8A9C
; 19 orientations and the hidden one: four times (row offset, tile, column offset)
.macro  CELLS tile, r0,c0, r1,c1, r2,c2, r3,c3
        .byte <(r0), tile, <(c0), <(r1), tile, <(c1)
        .byte <(r2), tile, <(c2), <(r3), tile, <(c3)
.endmacro
orientation:
        CELLS $7B,  0,-1,  0, 0,  0, 1, -1, 0   ; 00 T up
        CELLS $7B, -1, 0,  0, 0,  0, 1,  1, 0   ; 01 T right
        CELLS $7B,  0,-1,  0, 0,  0, 1,  1, 0   ; 02 T down (spawn)
        CELLS $7B, -1, 0,  0,-1,  0, 0,  1, 0   ; 03 T left
        CELLS $7D, -1, 0,  0, 0,  1,-1,  1, 0   ; 04 J left
        CELLS $7D, -1,-1,  0,-1,  0, 0,  0, 1   ; 05 J up
        CELLS $7D, -1, 0, -1, 1,  0, 0,  1, 0   ; 06 J right
        CELLS $7D,  0,-1,  0, 0,  0, 1,  1, 1   ; 07 J down (spawn)
        CELLS $7C,  0,-1,  0, 0,  1, 0,  1, 1   ; 08 Z horizontal (spawn)
        CELLS $7C, -1, 1,  0, 0,  0, 1,  1, 0   ; 09 Z vertical
        CELLS $7B,  0,-1,  0, 0,  1,-1,  1, 0   ; 0A O (spawn)
        CELLS $7D,  0, 0,  0, 1,  1,-1,  1, 0   ; 0B S horizontal (spawn)
        CELLS $7D, -1, 0,  0, 0,  0, 1,  1, 1   ; 0C S vertical
        CELLS $7C, -1, 0,  0, 0,  1, 0,  1, 1   ; 0D L right
        CELLS $7C,  0,-1,  0, 0,  0, 1,  1,-1   ; 0E L down (spawn)
        CELLS $7C, -1,-1, -1, 0,  0, 0,  1, 0   ; 0F L left
        CELLS $7C, -1, 1,  0,-1,  0, 0,  0, 1   ; 10 L up
        CELLS $7B, -2, 0, -1, 0,  0, 0,  1, 0   ; 11 I vertical
        CELLS $7B,  0,-2,  0,-1,  0, 0,  0, 1   ; 12 I horizontal (spawn)
        CELLS $FF,  0, 0,  0, 0,  0, 0,  0, 0   ; 13 hidden
.assert orientation + $13*12 = $8B80, error, "hidden orientation misplaced"

.segment "T_LEVELS"                     ; $96B8
levelDisplay:
        .byte $00,$01,$02,$03,$04,$05,$06,$07,$08,$09
        .byte $10,$11,$12,$13,$14,$15,$16,$17,$18,$19
        .byte $20,$21,$22,$23,$24,$25,$26,$27,$28,$29
rowTimes10:                             ; $96D6
        .repeat 20, I
        .byte I*10
        .endrepeat
.assert rowTimes10 = $96D6, error, "row table misplaced"

.segment "T_WIPE"                       ; $97FE
; the clear animation empties one column on each side per step, from the middle outwards
wipeLeft:       .byte 4, 3, 2, 1, 0
wipeRight:      .byte 5, 6, 7, 8, 9

.segment "T_COLOURS"                    ; $984C
; four colours per (level mod 10): background, highlight, block colour A, block colour B
levelColours:
        .byte $0F,$30,$2C,$11           ; 0 sky and blue
        .byte $0F,$30,$29,$19           ; 1 greens
        .byte $0F,$30,$24,$15           ; 2 pink and crimson
        .byte $0F,$30,$28,$18           ; 3 yellow and olive
        .byte $0F,$30,$2B,$1C           ; 4 mint and teal
        .byte $0F,$30,$23,$13           ; 5 violets
        .byte $0F,$30,$10,$00           ; 6 greys
        .byte $0F,$30,$26,$16           ; 7 salmon and red
        .byte $0F,$30,$21,$14           ; 8 azure and purple
        .byte $0F,$30,$27,$17           ; 9 orange and brown

.segment "T_TYPES"                      ; $993B
; piece type 0..6 (T J Z O S L I) of an orientation
pieceType:      .byte 0,0,0,0, 1,1,1,1, 2,2, 3, 4,4, 5,5,5,5, 6,6
spawnTable:     .byte $02,$07,$08,$0A,$0B,$0E,$12, $02  ; $994E
; spawn orientation of the type of an orientation                 $9956
spawnOf:        .byte $02,$02,$02,$02, $07,$07,$07,$07, $08,$08, $0A
                .byte $0B,$0B, $0E,$0E,$0E,$0E, $12,$12
.assert spawnTable = $994E, error, "spawn table misplaced"
.assert spawnOf = $9956, error, "spawn orientation table misplaced"

.segment "T_POINTS"                     ; $9CA5
; points for 0..4 lines, BCD, low byte first
points:         .byte $00,$00, $40,$00, $00,$01, $00,$03, $00,$12
