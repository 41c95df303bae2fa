-- A host for maxout: FCEUX 2.6 on Linux or macOS. Start `maxout drive --pipes FOLDER`, then FCEUX with the
-- variable MAXOUT_PIPES=FOLDER and this script (File, Load Lua Script).
local folder = assert(os.getenv("MAXOUT_PIPES"), "MAXOUT_PIPES names the folder of the pipes")
local from = assert(io.open(folder .. "/to-host", "rb"))
local to = assert(io.open(folder .. "/from-host", "r+b")) -- Without r+, a write after maxout has ended kills FCEUX.

-- The protocol's bit of each button.
local bits = { A = 0x80, B = 0x40, select = 0x20, start = 0x10, up = 0x08, down = 0x04, left = 0x02, right = 0x01 }

local function send(bytes)
    to:write(bytes)
    to:flush()
end

local function byte()
    return (from:read(1) or error("maxout: it has gone away", 0)):byte()
end

send("maxout-host 1 ram=all name=FCEUX by docs/examples/host.lua\n")
print(from:read("*l")) -- "maxout 1", or "error" and why

local shown = ""
while from:read(1) == "F" do
    local buttons = byte()
    for _ = 1, byte() do -- The cells of the plan, from the top left corner of the playfield.
        local column, row = byte(), byte()
        gui.box(96 + 8 * column, 40 + 8 * row, 102 + 8 * column, 46 + 8 * row, "clear", "white")
    end
    local length = byte()
    if length > 0 then shown = from:read(length) end
    gui.text(8, 8, shown)
    local pad = {}
    for name, bit in pairs(bits) do
        pad[name] = math.floor(buttons / bit) % 2 == 1 -- false: up, whatever a person presses
    end
    joypad.set(1, pad)
    emu.frameadvance()
    send(string.char(emu.lagged() and 0 or 1, buttons) .. memory.readbyterange(0, 0x800))
end
print("maxout: " .. (from:read(byte()) or "it gave no reason"))
