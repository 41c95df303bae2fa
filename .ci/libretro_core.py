"""Tests of the libretro core in libretro.py, a front end that we did not write.

    python libretro_core.py CORE CARTRIDGE [TRACE SEED]

TRACE is what `maxout trace record` wrote of the movie of a game of `maxout play --seed SEED`: every
frame is compared with it.
"""

import hashlib
import sys
import tempfile
import time
from pathlib import Path

from libretro import Session
from libretro.drivers import ArrayVideoDriver, IterableInputDriver, LoggerMessageDriver
from libretro.api.input import JoypadState

SYSTEM_RAM = 2
HELD_BUTTONS = 0xF7
GAME_MODE = 0xC0
IN_GAME = 4
# In the game of this seed the first piece falls after 350 frames.
SHORT_MENUS = "13"

CORE, CARTRIDGE = sys.argv[1], Path(sys.argv[2])


class Pad:
    """Gamepad 1: what is down from the next frame on."""

    def __init__(self):
        self.state = JoypadState()

    def __iter__(self):
        return self

    def __next__(self):
        return self.state


def session(content=None, pad=None, **options):
    options = {f"maxout_{key}": value for key, value in options.items()}
    return Session(
        core=CORE,
        game=content,
        video=ArrayVideoDriver,
        message=LoggerMessageDriver,
        options=options,
        input=IterableInputDriver(pad or Pad()),
    )


def messages(front_end):
    return [message.msg.decode() for message in front_end.message.messages]


def ram(front_end):
    return bytes(front_end.core.get_memory(SYSTEM_RAM))


def play(front_end, frames):
    """Plays; a hash of the RAM of every frame and of the last picture."""
    seen = hashlib.sha1()
    for _ in range(frames):
        front_end.run()
        seen.update(ram(front_end))
    picture = front_end.video.screenshot()
    assert (picture.width, picture.height) == (256, 240), "a picture of 256 by 240 pixels"
    seen.update(bytes(picture.data))
    return seen.hexdigest()


def save(front_end):
    state = bytearray(front_end.core.serialize_size())
    assert front_end.core.serialize(state), messages(front_end)
    return bytes(state)


def no_content_and_the_cartridge_are_the_same_game():
    with session() as front_end:
        first = play(front_end, 1500)
        assert ram(front_end)[GAME_MODE] == IN_GAME
        play(front_end, 1500)
        assert messages(front_end) == [], messages(front_end)
        # 48,000 samples a second at 60.0988 frames a second, left and right.
        sound = front_end.audio.buffer
        assert abs(len(sound) / 2 - 3000 * 48000 / 60.0988) < 1000, len(sound)
        assert max(sound) > 500, "the game is heard"
    with session(CARTRIDGE) as front_end:
        assert play(front_end, 1500) == first


def a_state_plays_on_identically():
    with session(seed=SHORT_MENUS) as front_end:
        play(front_end, 433)
        state = save(front_end)
        first = play(front_end, 200)
        assert front_end.core.unserialize(state)
        assert play(front_end, 200) == first
        assert save(front_end) != state
        assert not front_end.core.unserialize(state[:1000])
        assert not front_end.core.unserialize(bytes(len(state)))
        assert len(messages(front_end)) == 2, messages(front_end)
    with session() as front_end:
        assert front_end.core.unserialize(state), "in another session"
        assert play(front_end, 200) == first


def a_reset_begins_the_same_game():
    with session(player="el-tetris", seed=SHORT_MENUS) as front_end:
        first = play(front_end, 600)
        front_end.reset()
        assert play(front_end, 600) == first


def bad_content_is_refused():
    for content in (b"no ROM", CARTRIDGE.read_bytes()[:20000]):
        with tempfile.NamedTemporaryFile(suffix=".nes") as file:
            file.write(content)
            file.flush()
            front_end = session(file.name)
            try:
                with front_end:
                    raise AssertionError("bad content was loaded")
            except RuntimeError as error:
                assert "load" in str(error), error
            assert len(messages(front_end)) == 1, messages(front_end)


def options_change_while_the_game_runs():
    pad = Pad()
    with session(pad=pad, player="el-tetris", seed=SHORT_MENUS) as front_end:
        play(front_end, 450)
        assert len(front_end.options.definitions) == 10
        for key, value in (
            ("player", "dellacherie"),
            ("input", "gamepad"),
            ("tap_rate", "12"),
            ("overlay", "disabled"),
            ("bot", "disabled"),
            ("bot", "enabled"),
        ):
            front_end.options.variables[f"maxout_{key}"] = value
            front_end.run()
            pressed = 0
            for _ in range(60):
                front_end.run()
                pressed |= ram(front_end)[HELD_BUTTONS]
            assert ram(front_end)[GAME_MODE] == IN_GAME, key
            assert (pressed != 0) == (value != "disabled" or key != "bot"), f"{key} {value}"
        front_end.options.variables["maxout_bot"] = "disabled"
        pad.state = JoypadState(b=True)
        play(front_end, 3)
        assert ram(front_end)[HELD_BUTTONS] == 0x40, "by hand"
        assert messages(front_end) == [], messages(front_end)


def trace(path, seed):
    """In every frame the bytes of RAM that a trace has are those of the trace."""
    columns = []
    with open(path) as lines, session(seed=seed) as front_end:
        for line in lines:
            if line.startswith("# columns "):
                columns = [(at, name[:2]) for at, name in enumerate(line.split()[2:]) if name[2:3] == ":"]
            if line.startswith("#"):
                continue
            fields = line.split()
            assert columns, f"{path}: no column is a byte of RAM"
            front_end.run()
            found = ram(front_end)
            for at, address in columns:
                assert found[int(address, 16)] == int(fields[at], 16), f"frame {fields[0]}: ${address}"
            # The playfield is there when it has changed.
            for playfield in (field[2:] for field in fields if field.startswith("P=")):
                shown = found[0x400 : 0x400 + len(playfield) // 2].hex()
                assert shown == playfield.lower(), f"frame {fields[0]}: playfield"
        print(f"seed {seed}: {fields[0]} is the last frame of {path}, all are the same; {messages(front_end)}")


if len(sys.argv) > 3:
    trace(sys.argv[3], sys.argv[4])
else:
    for test in (
        no_content_and_the_cartridge_are_the_same_game,
        a_state_plays_on_identically,
        a_reset_begins_the_same_game,
        bad_content_is_refused,
        options_change_while_the_game_runs,
    ):
        start = time.monotonic()
        test()
        print(f"{test.__name__.replace('_', ' ')}: {time.monotonic() - start:.1f} s")
