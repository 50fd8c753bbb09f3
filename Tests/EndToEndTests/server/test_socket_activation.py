"""Sockets that a service manager opens: the protocol of sd_listen_fds, with a listening socket from Python."""

import json
import os
import signal
import socket
import subprocess
import sys
import unittest
import urllib.request

from support.harness import BINARY, PATIENCE, ProgramTest

# Becomes the program with the sockets as descriptors from 3 on.
ACTIVATE = """
import os, sys
count, *words = sys.argv[1:]
sockets = [int(text) for text in os.environ.pop("PASSED").split(",")]
spare = [os.dup(number) for number in sockets]
for place, number in enumerate(spare): os.dup2(number, 3 + place, inheritable=True)
os.environ["LISTEN_FDS"] = count
os.environ.setdefault("LISTEN_PID", str(os.getpid()))
os.execv(words[0], words)
"""


class SocketActivationTest(ProgramTest):
    def activate(self, sockets, *words, **variables):
        numbers = [each.fileno() for each in sockets]
        process = subprocess.Popen(
            [sys.executable, "-c", ACTIVATE, str(len(sockets)), str(BINARY), *words], cwd=self.folder, text=True,
            env={**self.environment, "PASSED": ",".join(map(str, numbers)), **variables}, pass_fds=numbers,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_serve_uses_the_socket_and_waiting_connections_survive_a_restart(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            for _ in range(2):
                # This connection waits in the socket before the server runs.
                waiting = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                waiting.sendall(b"GET /live HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                process = self.activate([listener], "serve", "--data-dir", "server", "--json")
                answer = waiting.makefile("rb").read()
                self.assertIn(b" 200 ", answer.split(b"\r\n")[0])
                waiting.close()
                process.send_signal(signal.SIGTERM)
                output, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 0, errors)
                self.assertEqual(json.loads(output)["address"], f"http://127.0.0.1:{port}")

    def test_watch_uses_the_socket(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            process = self.activate([listener], "watch", "--listen", "127.0.0.1:1", "--json", "--zone", "UTC")
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
                self.assertEqual(answer.status, 200)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0)

    def test_an_open_socket_needs_tokens(self):
        with socket.create_server(("0.0.0.0", 0)) as listener:
            process = self.activate([listener], "serve", "--data-dir", "server")
            _, errors = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 64, errors)
            self.assertIn("0.0.0.0", errors)

    def test_unusable_sockets_are_errors(self):
        with socket.socket() as unbound, socket.create_server(("127.0.0.1", 0)) as one, \
                socket.create_server(("127.0.0.1", 0)) as two, socket.socket(socket.AF_UNIX) as local:
            local.bind(str(self.folder / "socket"))
            local.listen()
            for sockets in ([unbound], [one, two], [local]):
                process = self.activate(sockets, "serve", "--data-dir", "server")
                _, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 78, errors)
                self.assertIn("LISTEN_FDS", errors)

    def test_sockets_for_another_process_are_ignored(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            process = self.activate([listener], "serve", "--data-dir", "server", "--port", "0", "--json", LISTEN_PID="1")
            address = ""
            while not address.rstrip().endswith("}"):
                line = process.stdout.readline()
                self.assertTrue(line)
                address += line
            self.assertNotEqual(json.loads(address)["address"].rsplit(":", 1)[1], str(listener.getsockname()[1]))
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)


if __name__ == "__main__":
    unittest.main()
