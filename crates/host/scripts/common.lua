-- maxout: what the scripts for all emulators share. It speaks the protocol of docs/hosts.md over two
-- named pipes, with io.open alone. Lua 5.1 to 5.4.
--
-- maxout puts a table in front of this file:
--   settings.folder   where the pipes to-host and from-host are
--   settings.name     what the emulator is called
--   settings.pid      the process of maxout
--   settings.speed    "normal" or "maximum"; nil: as the emulator is set

local maxout = {
    -- Frames for which the last words stay on the screen: ten seconds.
    LAST_WORDS = 600,
}

-- The left upper corner of the playfield on the screen and the size of a cell, in pixels.
local PLAYFIELD_X, PLAYFIELD_Y, CELL = 96, 40, 8

-- Bits of the status byte.
local POLLED, NOT_KNOWN, BY_HAND, JUMPED = 1, 2, 4, 8

-- The buttons of a byte as the emulator's table. `names`: the emulator's names of A, B, Select, Start,
-- Up, Down, Left and Right.
function maxout.buttons(byte, names)
    local down, bit = {}, 128
    for _, name in ipairs(names) do
        down[name] = byte >= bit
        if byte >= bit then byte = byte - bit end
        bit = bit / 2
    end
    return down
end

-- The byte of the emulator's table.
function maxout.byte(down, names)
    local byte, bit = 0, 128
    for _, name in ipairs(names) do
        if down[name] then byte = byte + bit end
        bit = bit / 2
    end
    return math.floor(byte)
end

local Link = {}
Link.__index = Link

-- On Linux, a folder of a process that has ended is not there. Elsewhere nobody knows.
local function has_ended(pid)
    local own = io.open("/proc/self/stat", "rb")
    if not own then return false end
    own:close()
    local its = io.open("/proc/" .. pid .. "/stat", "rb")
    if its then its:close() end
    return not its
end

-- Greets maxout; the link, or nil and why there is none. `ram`: "all" for 2,048 bytes a frame.
function maxout.join(ram)
    -- A pipe without maxout would hold the emulator for ever.
    if has_ended(settings.pid) then return nil, "maxout has ended: start it again, then load its new script" end
    -- Open for reading, too: to write after maxout has ended must not end the emulator (SIGPIPE).
    local out = io.open(settings.folder .. "/from-host", "r+b")
    local input = out and io.open(settings.folder .. "/to-host", "rb")
    if not input then return nil, "the pipes of maxout are gone: start it again, then load its new script" end
    out:setvbuf("full", 4096)
    out:write("maxout-host 1 ram=", ram, " name=", settings.name, "\n")
    out:flush()
    local link = setmetatable({ out = out, input = input, cells = {}, text = "", by_hand = false }, Link)
    local answer = input:read("*l")
    if not answer or not answer:find("^maxout 1") then
        link:close(answer and answer:gsub("^error ", "") or "maxout has ended")
        return nil, link.reason
    end
    return link
end

-- Reads what maxout wants of the next frame. False when it has ended; `reason` says why.
function Link:receive()
    local kind = self.input:read(1)
    if kind ~= "F" then
        local length = kind == "E" and self.input:read(1)
        local reason = length and length:byte() > 0 and self.input:read(length:byte())
        self:close(reason or "maxout has ended")
        return false
    end
    local head = self.input:read(2)
    local count = head and #head == 2 and head:byte(2)
    local cells = count and self.input:read(2 * count + 1)
    local length = cells and #cells == 2 * count + 1 and cells:byte(2 * count + 1)
    local text = length == 0 and "" or length and self.input:read(length)
    if not text or #text < length then
        self:close("maxout has ended")
        return false
    end
    self.pressed = head:byte(1)
    self.cells = {}
    for cell = 1, count do
        self.cells[cell] = { cells:byte(2 * cell - 1, 2 * cell) }
    end
    if length > 0 then self.text = text end
    return true
end

-- Sends what the frame did. `polled`: did the game read the gamepads (nil: the emulator cannot tell);
-- `pressed`: the byte of the buttons that were down; `ram`: a string.
function Link:send(polled, pressed, ram)
    local status = polled == nil and NOT_KNOWN or polled and POLLED or 0
    if self.by_hand then status = status + BY_HAND end
    if self.jumped then status = status + JUMPED end
    self.jumped = false
    self.out:write(string.char(status, pressed), ram)
    self.out:flush()
end

-- Hands the game to the person and back, each time that the key goes down.
function Link:key(is_down)
    if is_down and not self.key_was_down then self.by_hand = not self.by_hand end
    self.key_was_down = is_down
end

function Link:close(reason)
    self.reason = reason
    self.input:close()
    self.out:close()
end

-- Draws the plan and the figures. `box(x, y, size)` draws a ghost cell, `line(text)` the line.
function Link:draw(box, line)
    if self.by_hand then
        line("you play - H: maxout plays on")
        return
    end
    for _, cell in ipairs(self.cells) do
        box(PLAYFIELD_X + CELL * cell[1], PLAYFIELD_Y + CELL * cell[2], CELL - 1)
    end
    line(self.text)
end

-- Shows for some seconds why maxout does not play; the person plays on. `advance` plays a frame.
function maxout.last_words(reason, line, advance)
    for _ = 1, maxout.LAST_WORDS do
        line(reason .. " - you play")
        advance()
    end
end
