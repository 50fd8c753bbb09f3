#!/usr/bin/python3
"""Stands for `healthsync` in documented commands: runs the program, with servers on free ports until they are ready.

    HEALTHSYNC_BINARY=PROGRAM documented.py WORDS...

With HEALTHSYNC_SERVES_ON, `serve` listens on the port that the words name, until the commands end it.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile

LASTING = ("serve", "watch", "dashboard")


def on_free_ports(words):
    """Returns the words with port 0 wherever they name a port."""
    words = list(words)
    for place, word in enumerate(words[:-1]):
        if word == "--listen":
            words[place + 1] = words[place + 1].rsplit(":", 1)[0] + ":0"
    if words[0] == "dashboard":
        words += ["--port", "0"]
    if words[0] == "serve" and "--listen" not in words:
        words += ["--port", "0"]
    if "--dashboard" in words:
        words.insert(words.index("--dashboard") + 1, "127.0.0.1:0")
    return words


def run_until_ready(program, words):
    """Starts a server, waits until it reports that it is ready, and ends it; returns its exit status."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(f"{folder}/notify")
        environment = dict(os.environ, NOTIFY_SOCKET=f"{folder}/notify")
        process = subprocess.Popen([program, *words], env=environment, stdout=subprocess.PIPE, text=True)
        if words[0] == "dashboard":
            sys.stdout.write(process.stdout.readline())
        else:
            ready.settimeout(1)
            while process.poll() is None:
                try:
                    if b"READY=1" in ready.recv(4096):
                        break
                except TimeoutError:
                    pass
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        sys.stdout.write(process.communicate()[0])
        return process.returncode


if __name__ == "__main__":
    program, words = os.environ["HEALTHSYNC_BINARY"], sys.argv[1:]
    lasts = bool(words) and words[0] in LASTING and "--help" not in words
    if lasts and not (words[0] == "serve" and "HEALTHSYNC_SERVES_ON" in os.environ):
        sys.exit(run_until_ready(program, on_free_ports(words)))
    os.execv(program, [program, *words])
