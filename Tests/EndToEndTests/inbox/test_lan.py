"""`--lan` admits phones with private addresses only, and the code of `healthsync pair` is read by an independent reader.

The tests run in a network namespace of their own, which has private, link-local and public addresses.
"""

import http.client
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import unittest
import urllib.parse

from senders import hozz
from senders.http_client import authorize, send
from senders.neutral import Person
from support.harness import BINARY
from support.watch import InboxTest

INSIDE = "HEALTHSYNC_NAMESPACE"
SERVER, PHONE, LINK_LOCAL, PUBLIC = "192.168.77.1", "192.168.77.2", "169.254.7.7", "203.0.114.9"
SETUP = "ip link set lo up" + "".join(
    f" && ip address add {address}/32 dev lo" for address in (SERVER, PHONE, LINK_LOCAL, PUBLIC))


@unittest.skipIf(INSIDE in os.environ, "runs the other tests")
class Namespace(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip"), "root creates a network namespace")
    def test_in_a_namespace(self):
        command = f"{SETUP} && exec {sys.executable} -B -m unittest -v inbox.test_lan"
        run = subprocess.run(["unshare", "--net", "sh", "-c", command], env={**os.environ, INSIDE: "1"}, text=True,
                             capture_output=True)
        self.assertEqual(run.returncode, 0, run.stdout[-4000:] + run.stderr[-8000:])
        self.assertEqual(run.stderr.count(" ... ok"), 2)
        self.assertRegex(run.stderr, r"OK \(skipped=\d\)")


@unittest.skipUnless(INSIDE in os.environ, "needs a network namespace")
class Lan(InboxTest):
    def setUp(self):
        super().setUp()
        self.token = self.pair()
        self.running = self.watch("--lan", listen="0.0.0.0:0")
        self.port = urllib.parse.urlsplit(self.running.url).port
        self.requests = hozz.requests(Person(141, days=1).samples)

    def status(self, request, source, target=SERVER):
        """Returns the status of the answer to a client with an address, or None if it is not served."""
        connection = http.client.HTTPConnection(target, self.port, timeout=20, source_address=(source, 0))
        try:
            connection.request(request.method, request.path, request.body, request.headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def test_private_and_link_local_clients_with_a_token_are_served(self):
        good = authorize(self.requests[0], self.token)
        for source in (PHONE, LINK_LOCAL):
            self.assertEqual(self.status(good, source), 200, source)
            self.assertEqual(self.status(self.requests[0], source), 401, source)
        self.assertEqual(self.status(good, "127.0.0.1", "127.0.0.1"), 200)
        self.assertEqual(self.archived(), 3)

    def test_public_clients_are_not_served_even_with_a_token(self):
        good = authorize(self.requests[0], self.token)
        for target in (SERVER, PUBLIC):
            self.assertIn(self.status(good, PUBLIC, target), (None, 403), target)
        self.assertEqual(self.inbox(), [])
        self.assertTrue(send(f"http://{SERVER}:{self.port}", good).accepted)


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
        while select.select([leader], [], [], 60)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            printed += part
        os.close(leader)
        self.assertEqual(process.wait(60), 0, printed.decode())
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
