-- maxout in BizHawk (EmuHawk), cores NesHawk and QuickNES. `common.lua` is in front of this file.
-- Written from BizHawk's documentation; nobody has tried it yet.
--
-- The key H hands the game to the person and back.

local NAMES = { "A", "B", "Select", "Start", "Up", "Down", "Left", "Right" }

local function line(text)
    if text ~= "" then gui.pixelText(8, 224, text, 0xFFFFFFFF, 0xC0000000) end
end

local function box(x, y, size)
    gui.drawRectangle(x, y, size - 1, size - 1, 0xD0FFFFFF, 0x50FFFFFF)
end

local function ram()
    local bytes = memory.read_bytes_as_array(0, 0x800, "RAM")
    local text = {}
    for part = 1, 0x800, 128 do
        text[#text + 1] = string.char((table.unpack or unpack)(bytes, part, part + 127))
    end
    return table.concat(text)
end

local link, reason = maxout.join("all")
if link then
    if settings.speed then emu.limitframerate(settings.speed ~= "maximum") end
    event.onloadstate(function() link.jumped = true end)
    while link:receive() do
        link:key(input.get().H)
        link:draw(box, line)
        if not link.by_hand then joypad.set(maxout.buttons(link.pressed, NAMES), 1) end
        emu.frameadvance()
        local pressed = link.by_hand and maxout.byte(joypad.get(1), NAMES) or link.pressed
        link:send(not emu.islagged(), pressed, ram())
    end
    reason = link.reason
    if settings.speed then emu.limitframerate(true) end
end
maxout.last_words(reason, line, emu.frameadvance)
