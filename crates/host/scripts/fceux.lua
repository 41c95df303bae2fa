-- maxout in FCEUX. `common.lua` is in front of this file.
--
-- The key H hands the game to the person and back.

local NAMES = { "A", "B", "select", "start", "up", "down", "left", "right" }
local TEXT_Y = 224

local function line(text)
    if text ~= "" then gui.text(8, TEXT_Y, text, "white", "black") end
end

local function box(x, y, size)
    gui.box(x, y, x + size - 1, y + size - 1, "#ffffff50", "#ffffffd0")
end

-- FCEUX runs a script up to here before its window is there; asked for keys, it would crash. Loaded at
-- switch-on, this plays no frame.
emu.frameadvance()

local link, reason = maxout.join("all")
if link then
    if settings.speed then emu.speedmode(settings.speed) end
    savestate.registerload(function() link.jumped = true end)
    -- The first frame, from switch-on to the first interrupt, is not one of maxout's.
    while emu.framecount() < 1 do emu.frameadvance() end
    while link:receive() do
        link:key(input.get().H)
        link:draw(box, line)
        if not link.by_hand then joypad.set(1, maxout.buttons(link.pressed, NAMES)) end
        emu.frameadvance()
        -- After a state was loaded, FCEUX shows the buttons of the state.
        local pressed = link.jumped and not link.by_hand and link.pressed or maxout.byte(joypad.get(1), NAMES)
        link:send(not emu.lagged(), pressed, memory.readbyterange(0, 0x800))
    end
    reason = link.reason
    if settings.speed then emu.speedmode("normal") end
end
maxout.last_words(reason, line, emu.frameadvance)
