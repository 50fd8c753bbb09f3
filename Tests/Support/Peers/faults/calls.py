"""Runs a program with calls.c preloaded, which kills it at a call that changes files, makes calls fail, or records them.

    environment(folder, log=FILE, action="before", at=7)    # variables for the program

`folder` is the folder whose changes count; sends on sockets count as well. `action` is

- `before`, `after`: SIGKILL before or after call `at`; `half`: SIGKILL after half of the bytes of a write
- `fail`: call `at` returns the error `error`; `short`: it writes or reads half of the bytes
- `signal`: the program gets the signal `error` before call `at`

`every` repeats a fault at each further n-th call. `only` restricts the counted calls to these names; only then reads can be
counted. `log` gets one line for each counted call, such as `rename inbox/1-1`. `journal` gets what `read_journal` returns.
With `ignore_sync`, fsync and fdatasync return without effect.

Calls through the C library's functions are counted, whichever library makes them; memory mappings are not. The tests compare
the counted calls with those that the kernel sees.
"""

import dataclasses
import functools
import json
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).with_name("calls.c")


@functools.cache
def library():
    """Compiles the library; returns its path, which exists until this process ends."""
    compiler = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
    if not compiler:
        raise RuntimeError("no C compiler was found; install one, such as that of the Swift toolchain")
    folder = tempfile.TemporaryDirectory(prefix="healthsync-calls-")
    library.folder = folder
    path = pathlib.Path(folder.name) / "calls.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-o", path, SOURCE,
               "-ldl", "-lpthread"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise RuntimeError(f"{SOURCE.name} does not compile:\n{built.stderr}")
    return path


def environment(folder, log=None, action=None, at=0, every=0, error=None, only=(), journal=None, ignore_sync=False):
    """Returns the variables with which a program is started."""
    values = {
        "LD_PRELOAD": library(), "CALLS_FOLDER": pathlib.Path(folder).resolve(), "CALLS_LOG": log, "CALLS_ACTION": action,
        "CALLS_AT": at or None, "CALLS_EVERY": every or None, "CALLS_ERROR": error, "CALLS_ONLY": ",".join(only) or None,
        "CALLS_JOURNAL": journal, "CALLS_IGNORE_SYNC": 1 if ignore_sync else None,
    }
    return {name: str(value) for name, value in values.items() if value is not None}


@dataclasses.dataclass(frozen=True)
class Call:
    """A recorded call: write, truncate, allocate, fsync, create, rename, link, unlink, mkdir, rmdir or send.

    `path` is relative to the folder, or `socket`; `other` is the new path. `offset` is that of a write, or the new size."""

    name: str
    path: str
    other: str
    offset: int
    data: bytes


def read_journal(path):
    """Returns the calls in the order of their effects."""
    calls = []
    with open(path, "rb") as file:
        while line := file.readline():
            head = json.loads(line)
            calls.append(Call(head["call"], head["path"], head["other"], head["offset"], file.read(head["size"])))
    return calls
