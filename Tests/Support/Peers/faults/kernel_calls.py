#!/usr/bin/env python3
"""Runs a program and writes down its system calls that change a folder or answer a client, as the kernel sees them.

    kernel_calls.py --folder DIR --calls FILE PROGRAM [ARGUMENT …]

Counts, over all threads: the calls that write, synchronize, rename, create, truncate or delete files in DIR, those that open
a file in DIR, and those that send on a socket. Writes one line per call to FILE, such as `rename inbox/incoming/1-1`. The
tests compare these calls with those that calls.c counts. Passes SIGTERM and SIGINT on; exits with the status of the program.
Linux only: the kernel stops the program by seccomp and ptrace.
"""

import argparse
import contextlib
import ctypes
import os
import platform
import signal
import struct

NUMBERS = {
    "x86_64": {"write": 1, "pwrite64": 18, "writev": 20, "pwritev": 296, "sendto": 44, "sendmsg": 46, "fsync": 74,
               "fdatasync": 75, "ftruncate": 77, "fallocate": 285, "open": 2, "openat": 257, "creat": 85, "rename": 82,
               "renameat": 264, "renameat2": 316, "link": 86, "linkat": 265, "unlink": 87, "unlinkat": 263, "rmdir": 84,
               "mkdir": 83, "mkdirat": 258},
    "aarch64": {"write": 64, "pwrite64": 68, "writev": 66, "pwritev": 70, "sendto": 206, "sendmsg": 211, "fsync": 82,
                "fdatasync": 83, "ftruncate": 46, "fallocate": 47, "openat": 56, "renameat": 38, "renameat2": 276,
                "linkat": 37, "unlinkat": 35, "mkdirat": 34},
}.get(platform.machine(), {})
NAMES = {number: name for name, number in NUMBERS.items()}
# The argument with the path; the other calls have a descriptor as their first argument.
PATHS = {"open": 0, "creat": 0, "rename": 0, "link": 0, "unlink": 0, "rmdir": 0, "mkdir": 0, "openat": 1, "renameat": 1,
         "renameat2": 1, "linkat": 1, "unlinkat": 1, "mkdirat": 1}

TRACEME, CONT, SETOPTIONS, SYSCALL_INFO = 0, 7, 0x4200, 0x420E
# Threads and children are traced as well, seccomp stops are reported, and the program does not outlive this one.
OPTIONS = 0x02 | 0x04 | 0x08 | 0x10 | 0x80 | 0x100000
SECCOMP_EVENT = 7
# The flag of a listing, which changes nothing.
DIRECTORY = 0x4000 if platform.machine() == "aarch64" else 0x10000
WAIT_FOR_THREADS = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, process, address=0, data=0):
    result = libc.ptrace(request, process, address, data)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"ptrace request {request:#x}")
    return result


def install_filter():
    """Lets the kernel stop this process at the calls in NUMBERS and at no other."""
    load, jump, give = 0x20, 0x15, 0x06
    count = len(NUMBERS)
    program = struct.pack("<HBBI", load, 0, 0, 0)
    for index, number in enumerate(NAMES):
        program += struct.pack("<HBBI", jump, count - index, 0, number)
    program += struct.pack("<HBBI", give, 0, 0, 0x7FFF0000) + struct.pack("<HBBI", give, 0, 0, 0x7FF00000)
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def begin(command):
    """Starts the program, stopped at its first instruction's preparation; returns its process id."""
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        ptrace(SETOPTIONS, process, 0, OPTIONS)
        return process
    try:
        ptrace(TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        install_filter()
        os.execvp(command[0], command)
    finally:
        os._exit(126)


class Calls:
    """The counted calls of a program so far."""

    def __init__(self, process, folder, output):
        self.process, self.folder, self.output = process, os.path.realpath(folder), output

    def record(self, thread):
        """Writes down the call at which the thread stopped, if it counts."""
        information = ctypes.create_string_buffer(128)
        ptrace(SYSCALL_INFO, thread, 128, ctypes.addressof(information))
        number, *arguments = struct.unpack_from("=7Q", information, 24)
        name = NAMES.get(number, str(number))
        if name == "openat" and arguments[2] & DIRECTORY:
            return
        target = self.text(arguments[PATHS[name]]) if name in PATHS else self.descriptor(arguments[0])
        if target.startswith("socket:"):
            target = "socket"
        elif target.startswith(self.folder + "/"):
            target = target[len(self.folder) + 1:]
        else:
            return
        self.output.write(f"{name} {target}\n")
        self.output.flush()

    def descriptor(self, number):
        try:
            return os.readlink(f"/proc/{self.process}/fd/{ctypes.c_int(number & 0xFFFFFFFF).value}")
        except OSError:
            return ""

    def text(self, address):
        with open(f"/proc/{self.process}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            # A path may end just before a page that cannot be read.
            part = memory.read(min(4096, 4096 - address % 4096))
            if b"\0" not in part:
                part += memory.read(4096)
        return os.fsdecode(part.split(b"\0")[0])


def run(process, calls):
    """Returns the wait status of the program."""
    threads = {process}
    ptrace(CONT, process)
    while True:
        thread, status = os.waitpid(-1, WAIT_FOR_THREADS)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if thread == process:
                return status
            continue
        delivered, event = os.WSTOPSIG(status), status >> 16
        if event or (thread not in threads and delivered == signal.SIGSTOP):
            delivered = 0
        threads.add(thread)
        try:
            if event == SECCOMP_EVENT:
                calls.record(thread)
            ptrace(CONT, thread, 0, delivered)
        except ProcessLookupError:
            # The program ended while the thread was stopped.
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--calls", metavar="FILE", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not NUMBERS:
        parser.error(f"the system calls of {platform.machine()} are not known")
    process = begin(options.command)

    def pass_on(number, _):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_on)
    with open(options.calls, "w") as output:
        status = run(process, Calls(process, options.folder, output))
    # Without the end of the interpreter, which would let a late signal end this process with a status of its own.
    os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
