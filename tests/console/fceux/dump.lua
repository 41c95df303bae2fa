-- Writes one byte, 1 for a lag frame, and the console's 2048 bytes of work RAM after every frame
-- of the movie that plays, to the file that the environment names. Frames past the movie's end
-- are not written.
local out = assert(io.open(os.getenv("MAXOUT_DUMP"), "wb"))
local frames = tonumber(os.getenv("MAXOUT_FRAMES"))
local done = false

emu.speedmode("maximum")
emu.registerafter(function()
    if done then return end
    out:write(emu.lagged() and "\1" or "\0")
    out:write(memory.readbyterange(0, 0x800))
    if emu.framecount() >= frames then
        done = true
        out:close()
    end
end)
while not done do
    emu.frameadvance()
end
emu.exit()
