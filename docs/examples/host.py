"""A host for maxout: plays a NES ROM in a libretro core. Usage: host.py CORE.so GAME.nes [PORT]"""
import ctypes
import socket
import sys

core, rom = ctypes.CDLL(sys.argv[1]), open(sys.argv[2], "rb").read()
integer, pointer, call = ctypes.c_uint, ctypes.c_void_p, ctypes.CFUNCTYPE
# The protocol's bits by libretro's numbers: B, Y, Select, Start, Up, Down, Left, Right, A.
BITS = [0x40, 0, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01, 0x80]
down = 0  # The buttons that are down.

def environment(command, data):
    if command == 9:  # The core asks for a folder for its own files.
        ctypes.cast(data, ctypes.POINTER(ctypes.c_char_p))[0] = b"."
    return command in (9, 10)  # 10: any pixel format will do.

def input_state(port, device, index, button):
    return int(port == 0 and button < len(BITS) and down & BITS[button] > 0)

calls = {"environment": call(ctypes.c_bool, integer, pointer)(environment),
         "video_refresh": call(None, pointer, integer, integer, ctypes.c_size_t)(lambda *_: None),
         "audio_sample": call(None, ctypes.c_int16, ctypes.c_int16)(lambda *_: None),
         "audio_sample_batch": call(ctypes.c_size_t, pointer, ctypes.c_size_t)(lambda data, count: count),
         "input_poll": call(None)(lambda: None),
         "input_state": call(ctypes.c_int16, integer, integer, integer, integer)(input_state)}
for name in calls:
    getattr(core, "retro_set_" + name)(calls[name])
core.retro_init()
core.retro_load_game((pointer * 4)(None, ctypes.cast(rom, pointer), len(rom), None))
core.retro_set_controller_port_device(0, 1)  # A gamepad.
core.retro_get_memory_data.restype = pointer
link = socket.create_connection(("127.0.0.1", int((sys.argv + ["19999"])[3]))).makefile("rwb", 0)
link.write(b"maxout-host 1 ram=all name=a libretro core\n")
print(link.readline().decode().strip())  # "maxout 1", or "error" and why.
while link.read(1) == b"F":
    down, cells = link.read(2)
    plan, text = link.read(2 * cells), link.read(link.read(1)[0])
    core.retro_run()
    # Status 2: whether the game has read the gamepads is not known.
    link.write(bytes([2, down]) + ctypes.string_at(core.retro_get_memory_data(2), 2048))
