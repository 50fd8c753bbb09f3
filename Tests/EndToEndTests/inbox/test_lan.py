"""`--lan` admits phones with private addresses only, and the code of `healthsync pair` is read by an independent reader.

The tests run in a network namespace of their own, which has private, link-local and public addresses.
"""

import http.client
import os
import pty
import re
import select
import shutil
import socket
import subprocess
import sys
import unittest
import urllib.parse

from senders import hozz
from senders.http_client import authorize
from senders.neutral import Person
from support.harness import BINARY, PATIENCE
from support.watch import InboxTest

INSIDE = "HEALTHSYNC_NAMESPACE"
SERVER, PHONE, LINK_LOCAL, PUBLIC = "192.168.77.1", "192.168.77.2", "169.254.7.7", "203.0.114.9"
SERVER_6, PHONE_6, LINK_LOCAL_6, PUBLIC_6 = "fd77::1", "fd77::2", "fe80::77", "2001:db8::9"
SETUP = "ip link set lo up" + "".join(
    f" && ip address add {address}/{64 if address == LINK_LOCAL_6 else 128 if ':' in address else 32} dev lo"
    for address in (SERVER, PHONE, LINK_LOCAL, PUBLIC, SERVER_6, PHONE_6, LINK_LOCAL_6, PUBLIC_6))


@unittest.skipIf(INSIDE in os.environ, "runs the other tests")
class Namespace(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip"), "root creates a network namespace")
    def test_in_a_namespace(self):
        command = f"{SETUP} && exec {sys.executable} -B -m unittest -v inbox.test_lan"
        run = subprocess.run(["unshare", "--net", "sh", "-c", command], env={**os.environ, INSIDE: "1"}, text=True,
                             capture_output=True)
        self.assertEqual(run.returncode, 0, run.stdout[-4000:] + run.stderr[-8000:])
        self.assertEqual(run.stderr.count(" ... ok"), 4)
        self.assertRegex(run.stderr, r"OK \(skipped=\d\)")


class Network(InboxTest):
    """A watch process with `--lan`. `local` and `public` are the clients with a private and a public address, each with an
    address of the server that it reaches."""

    listen, local, public = "0.0.0.0:0", (), ()

    def setUp(self):
        super().setUp()
        self.token = self.pair()
        self.running = self.watch("--lan", listen=self.listen)
        self.port = urllib.parse.urlsplit(self.running.url).port
        self.requests = hozz.requests(Person(141, days=1).samples)

    def status(self, request, source, target):
        """Returns the status of the answer to a client with an address, or None if it is not served."""
        scope = (0, socket.if_nametoindex("lo")) if source.startswith("fe80:") else ()
        connection = http.client.HTTPConnection(target, self.port, timeout=PATIENCE, source_address=(source, 0, *scope))
        try:
            connection.request(request.method, request.path, request.body, request.headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def check_clients(self):
        """Checks that clients with a private address and a token are served, and no others."""
        good = authorize(self.requests[0], self.token)
        for source, target in self.local:
            self.assertEqual(self.status(self.requests[0], source, target), 401, source)
            self.assertEqual(self.status(good, source, target), 200, source)
        self.assertEqual(self.count(), len(self.local))
        for source, target in self.public:
            for place in ("bearer", "path"):
                request = authorize(self.requests[0], self.token, place)
                self.assertIn(self.status(request, source, target), (None, 403), source)
        self.assertEqual(self.count(), len(self.local))
        source, target = self.local[0]
        self.assertEqual(self.status(good, source, target), 200, "after the others")


@unittest.skipUnless(INSIDE in os.environ, "needs a network namespace")
class LanOverIPv4(Network):
    local = [(PHONE, SERVER), (LINK_LOCAL, SERVER), ("127.0.0.1", "127.0.0.1")]
    public = [(PUBLIC, SERVER), (PUBLIC, PUBLIC)]

    def test_only_private_clients_with_a_token_are_served(self):
        self.check_clients()

    def test_the_program_needs_lan_for_an_address_that_others_reach(self):
        for listen in ("0.0.0.0:0", f"{SERVER}:0", "[::]:0", f"[{SERVER_6}]:0"):
            run = self.run_program("watch", "--listen", listen, "--data-dir", "other")
            self.assertNotEqual(run.returncode, 0, listen)
            self.assertIn("--lan", run.stderr)


@unittest.skipUnless(INSIDE in os.environ, "needs a network namespace")
class LanOverIPv6(Network):
    listen = f"[{SERVER_6}]:0"
    local = [(PHONE_6, SERVER_6)]
    public = [(PUBLIC_6, SERVER_6)]

    def test_only_private_clients_with_a_token_are_served(self):
        self.check_clients()


@unittest.skipUnless(INSIDE in os.environ, "needs a network namespace")
class LanOverBoth(Network):
    """A socket of both versions, which sees IPv4 clients under mapped addresses."""

    listen = "[::]:0"
    local = [(PHONE_6, SERVER_6), (LINK_LOCAL_6, f"{LINK_LOCAL_6}%lo"), ("::1", "::1"), (PHONE, SERVER), (LINK_LOCAL, SERVER),
             ("127.0.0.1", "127.0.0.1")]
    public = [(PUBLIC_6, SERVER_6), (PUBLIC_6, PUBLIC_6), (PUBLIC, SERVER), (PUBLIC, PUBLIC)]

    def test_only_private_clients_with_a_token_are_served(self):
        self.check_clients()


@unittest.skipUnless(shutil.which("zbarimg"), "zbar-tools reads the code")
@unittest.skipIf(INSIDE in os.environ, "needs no namespace")
class Code(InboxTest):
    def terminal(self, *words):
        """Returns what the program prints on a terminal of 120 columns."""
        leader, follower = pty.openpty()
        environment = {**self.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        process = subprocess.Popen([str(BINARY), *map(str, words)], cwd=self.folder, env=environment, stdin=follower,
                                   stdout=follower, stderr=follower, close_fds=True)
        os.close(follower)
        printed = b""
        while select.select([leader], [], [], PATIENCE)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            printed += part
        os.close(leader)
        self.assertEqual(process.wait(PATIENCE), 0, printed.decode())
        return printed.decode()

    def test_the_code_in_the_terminal_contains_address_and_token(self):
        address = "http://192.168.1.20:8787"
        for number, app in enumerate(("health-auto-export", "hozz", "life-dashboard")):
            with self.subTest(app):
                printed = self.terminal("pair", f"phone{number}", "--app", app, "--address", address, "--data-dir", "data")
                texts = [self.decode(printed, dark) for dark in (True, False)]
                found = urllib.parse.unquote(next((text for text in texts if text), ""))
                self.assertIn(address, found, printed)
                watch = self.watch()
                token = next(word for word in re.findall(r"[A-Za-z0-9_.~-]{20,}", found))
                watch.accept(hozz.connection_test(), token)
                watch.kill()

    def decode(self, printed, dark):
        """Draws lines of half blocks as an image; returns what the reader finds in it."""
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed).replace("\r", "")
        lines = [line for line in plain.split("\n") if len(line) > 20 and set(line) <= set(" █▀▄")]
        if not lines:
            return ""
        width = max(map(len, lines))
        rows = []
        for line in lines:
            cells = line.ljust(width)
            rows += [[cell in "█▀" for cell in cells], [cell in "█▄" for cell in cells]]
        # The quiet zone is light: filled on a dark terminal.
        margin = [[dark] * (width + 8)] * 4
        rows = [*margin, *([dark] * 4 + row + [dark] * 4 for row in rows), *margin]
        scale, path = 6, self.folder / "code.pgm"
        # A filled cell is light on a dark terminal.
        pixels = b"".join(b"".join((b"\xff" if cell == dark else b"\x00") * scale for cell in row) * scale for row in rows)
        path.write_bytes(f"P5 {(width + 8) * scale} {len(rows) * scale} 255\n".encode() + pixels)
        run = subprocess.run(["zbarimg", "--quiet", "--raw", str(path)], capture_output=True, text=True)
        return run.stdout.strip()


if __name__ == "__main__":
    unittest.main()
