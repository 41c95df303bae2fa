-- maxout in Mesen 2. `common.lua` is in front of this file.
-- Written from Mesen's documentation; nobody has tried it yet.
--
-- In the script window, Script > Settings > "Allow access to I/O and OS functions" must be on.
-- The key H hands the game to the person and back.

local NAMES = { "a", "b", "select", "start", "up", "down", "left", "right" }

local function line(text)
    if text ~= "" then emu.drawString(8, 224, text, 0xFFFFFF, 0x40000000, 0, 1) end
end

local function box(x, y, size)
    -- The first byte of a colour is its transparency.
    emu.drawRectangle(x, y, size, size, 0xB0FFFFFF, true, 1)
    emu.drawRectangle(x, y, size, size, 0x30FFFFFF, false, 1)
end

local function ram()
    local text = {}
    for address = 0, 0x7FF do
        text[address + 1] = string.char(emu.read(address, emu.memType.nesInternalRam))
    end
    return table.concat(text)
end

local link, reason, polled, words_left

-- Mesen calls scripts; they cannot wait for a frame. From one call to the next it is a frame: the end of
-- the picture, right before the interrupt, as where maxout's own console takes its samples.
local function receive()
    if link:receive() then
        link:key(emu.isKeyPressed("H"))
        link:draw(box, line)
        polled = false
    else
        reason = link.reason
        link = nil
    end
end

local function end_frame()
    if link then
        local down = link.by_hand and maxout.byte(emu.getInput(0), NAMES) or link.pressed
        link:send(polled, down, ram())
        receive()
    end
    if not link and words_left > 0 then
        words_left = words_left - 1
        line(reason .. " - you play")
    end
end

local function input_polled()
    polled = true
    if link and not link.by_hand then emu.setInput(maxout.buttons(link.pressed, NAMES), 0) end
end

words_left = maxout.LAST_WORDS
link, reason = maxout.join("all")
if link then receive() end
emu.addEventCallback(input_polled, emu.eventType.inputPolled)
emu.addEventCallback(end_frame, emu.eventType.endFrame)
emu.addEventCallback(function() if link then link.jumped = true end end, emu.eventType.stateLoaded)
emu.addEventCallback(function() if link then link.jumped = true end end, emu.eventType.reset)
