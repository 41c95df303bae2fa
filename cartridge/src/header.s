; iNES header: 2 x 16 KiB PRG, 2 x 8 KiB CHR, mapper 1 (MMC1).

.segment "HEADER"
        .byte "NES", $1A, $02, $02, $10, $00
        .byte $00, $00, $00, $00, $00, $00, $00, $00
