; Text and layout of all screens: streams for drawStream.

.segment "SCREENS"

.charmap '0', $00
.charmap '1', $01
.charmap '2', $02
.charmap '3', $03
.charmap '4', $04
.charmap '5', $05
.charmap '6', $06
.charmap '7', $07
.charmap '8', $08
.charmap '9', $09
.repeat 26, I
.charmap $41+I, $0A+I
.endrepeat
TILE_DASH       = $24
TILE_COMMA      = $25
TILE_SLASH      = $26
TILE_EXCLAM     = $28
TILE_DOT        = $29
TILE_CURSOR     = $2A
TILE_UNDERLINE  = $2B
TILE_PLUS       = $2C
TILE_QUOTE      = $2D
TILE_BIG        = $80           ; first tile of the big title letters
.charmap '-', TILE_DASH
.charmap ',', TILE_COMMA
.charmap '/', TILE_SLASH
.charmap '!', TILE_EXCLAM
.charmap '.', TILE_DOT
.charmap '+', TILE_PLUS
.charmap ' ', $FF

.macro  AT col, row
        .byte >($2000 + (row)*32 + (col)), <($2000 + (row)*32 + (col))
.endmacro
.macro  TEXT col, row, str
        AT col, row
        .byte .strlen(str), str
.endmacro
.macro  ROWOF col, row, count, tile
        AT col, row
        .byte $80 + (count), tile
.endmacro
.macro  COLOF col, row, count, tile
        AT col, row
        .byte $C0 + (count), tile
.endmacro
; a frame around w x h tiles whose first inner tile is col, row
.macro  BOX col, row, w, h
        ROWOF col, (row)-1, w, $39
        ROWOF col, (row)+(h), w, $3E
        COLOF (col)-1, row, h, $3B
        COLOF (col)+(w), row, h, $3C
        AT (col)-1, (row)-1
        .byte 1, $38
        AT (col)+(w), (row)-1
        .byte 1, $3A
        AT (col)-1, (row)+(h)
        .byte 1, $3D
        AT (col)+(w), (row)+(h)
        .byte 1, $3F
.endmacro
; palette p for whole 32x32 pixel cells: count cells from attribute cell (ax, ay)
.macro  PALETTES ax, ay, count, p
        .byte $23, $C0 + (ay)*8 + (ax), $80 + (count), (p)*$55
.endmacro

HS_COL          = 8
HS_ROW          = 19
LEVEL_MENU_COL  = 4
HEIGHT_MENU_COL = 20
TYPE_COL        = 3
TYPE_ROW        = 3
TOP_COL         = 24
TOP_ROW         = 5

hsRowHi:
        .repeat 3, I
        .byte >($2000 + (HS_ROW+2*I)*32 + HS_COL)
        .endrepeat
hsRowLo:
        .repeat 3, I
        .byte <($2000 + (HS_ROW+2*I)*32 + HS_COL)
        .endrepeat

; block tiles for pictures made of blocks
.charmap '#', $7B
.charmap '=', $7C
.charmap '%', $7D

screenLegal:
        TEXT 13, 9, "MAXOUT"
        TEXT 6, 13, "AN ORIGINAL PROGRAM"
        TEXT 6, 16, "WITH THE RULES OF A"
        TEXT 6, 18, "FALLING BLOCKS GAME"
        BOX 4, 8, 24, 12
        PALETTES 0, 5, 8, 0
        .byte 0

screenTitle:
        TEXT 1, 7,  "#   #  ==  %   % ###  = = %%%"
        TEXT 1, 8,  "## ## =  =  % % #   # = =  %"
        TEXT 1, 9,  "# # # ====   %  #   # = =  %"
        TEXT 1, 10, "#   # =  =  % % #   # = =  %"
        TEXT 1, 11, "#   # =  = %   % ###  ===  %"
        PALETTES 0, 1, 16, 2
        TEXT 10, 18, "PRESS START"
        TEXT 6, 25, "AN ORIGINAL PROGRAM"
        .byte 0

screenGameType:
        TEXT 5, 5, "GAME"
        BOX 4, 8, 24, 3
        TEXT 7, 9, "A-TYPE"
        TEXT 16, 9, "B-TYPE"
        TEXT 5, 14, "SOUND"
        BOX 4, 16, 24, 9
        TEXT 13, 17, "SOUND 1"
        TEXT 13, 19, "SOUND 2"
        TEXT 13, 21, "SOUND 3"
        TEXT 13, 23, "OFF"
        .byte 0

screenLevel:
        TEXT 4, 5, "LEVEL"
        BOX 3, 7, 12, 5
        TEXT LEVEL_MENU_COL, 8, "0 1 2 3 4"
        TEXT LEVEL_MENU_COL, 10, "5 6 7 8 9"
        TEXT 8, 16, "NAME   SCORE  LV"
        BOX 6, 18, 20, 7
        .byte 0
screenHeight:
        TEXT 19, 5, "HEIGHT"
        BOX 19, 7, 8, 5
        TEXT HEIGHT_MENU_COL, 8, "0 1 2"
        TEXT HEIGHT_MENU_COL, 10, "3 4 5"
        .byte 0

screenGame:
        BOX FIELD_COL, FIELD_ROW, 10, 20
        TEXT 12, LINES_ROW, "LINES-"
        TEXT TYPE_COL+1, TYPE_ROW, "-TYPE"
        TEXT TOP_COL, TOP_ROW-2, "TOP"
        TEXT SCORE_COL, SCORE_ROW-2, "SCORE"
        TEXT 25, 11, "NEXT"
        BOX 25, 13, 4, 4
        TEXT 24, LEVEL_ROW-2, "LEVEL"
        TEXT 24, 26, "MAXOUT"
        TEXT 2, STATS_ROW,    "###"     ; the pieces of the statistics
        TEXT 2, STATS_ROW+1,  " #"
        TEXT 2, STATS_ROW+3,  "%%%"
        TEXT 2, STATS_ROW+4,  "  %"
        TEXT 2, STATS_ROW+6,  "=="
        TEXT 2, STATS_ROW+7,  " =="
        TEXT 2, STATS_ROW+9,  "##"
        TEXT 2, STATS_ROW+10, "##"
        TEXT 2, STATS_ROW+12, " %%"
        TEXT 2, STATS_ROW+13, "%%"
        TEXT 2, STATS_ROW+15, "==="
        TEXT 2, STATS_ROW+16, "="
        TEXT 2, STATS_ROW+18, "####"
        ; palettes: 1 for frames, 2 for everything that shows blocks
        .byte $23, $C8, 6, $AA, $22, $44, $A5, $A5, $65
        .byte $23, $D0, 6, $AA, $22, $44, $AA, $AA, $66
        .byte $23, $D8, 8, $AA, $22, $44, $AA, $AA, $66, $55, $55
        .byte $23, $E0, 8, $AA, $22, $44, $AA, $AA, $66, $05, $05
        .byte $23, $E8, 6, $AA, $22, $44, $AA, $AA, $66
        .byte $23, $F0, 6, $AA, $22, $44, $5A, $5A, $56
        .byte 0

screenName:
        TEXT 8, 5, "CONGRATULATIONS!"
        TEXT 8, 8, "ENTER YOUR NAME"
        TEXT 8, 11, "UP, DOWN  LETTER"
        TEXT 8, 13, "START     DONE"
        TEXT 8, 16, "NAME   SCORE  LV"
        BOX 6, 18, 20, 7
        .byte 0

screenEnding:
        TEXT 10, 8, "WELL PLAYED!"
        TEXT 12, 12, "#####"
        TEXT 12, 13, "#%%%#"
        TEXT 12, 14, " #=#"
        TEXT 12, 15, "  #"
        TEXT 12, 16, " ###"
        PALETTES 0, 3, 16, 2
        TEXT 10, 22, "PRESS START"
        .byte 0

screenBonus:
        TEXT 12, 8, "SUCCESS!"
        TEXT 13, 12, "BONUS"
        TEXT 10, 20, "PRESS START"
        .byte 0
