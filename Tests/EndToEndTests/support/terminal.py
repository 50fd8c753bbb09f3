"""Runs the program in a pseudo-terminal of a given width."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

from support.harness import BINARY, PATIENCE

COLOR = re.compile(r"\x1b\[38;5;(\d+)m(.*?)\x1b\[0m")


def in_terminal(test, *words, columns, status=0, **variables):
    """Returns the standard output of a command in a terminal of `columns`."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in test.environment.items() if name not in ("NO_COLOR", "COLORFGBG")}
    environment.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables})
    process = subprocess.Popen(
        [str(BINARY), *map(str, words)], cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave,
        stderr=subprocess.DEVNULL)
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 1 << 16):
            output += chunk
    except OSError:
        pass  # Linux reports EIO once no process has the terminal open.
    finally:
        os.close(master)
    test.assertEqual(process.wait(timeout=PATIENCE), status, (words, output))
    return output.decode().replace("\r\n", "\n")


def plain(text):
    """Returns `text` without colors."""
    return COLOR.sub(r"\2", text)


def width(line):
    """Returns the columns that `line` takes."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in line)
