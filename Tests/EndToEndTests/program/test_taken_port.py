"""A port that another program uses: the error messages, and how the demo avoids it."""

import errno
import os
import pty
import re
import select
import signal
import socket
import subprocess
import unittest
import urllib.request

from support.harness import BINARY, PATIENCE, ROOT, ProgramTest

USUAL = 8765


def listen(port):
    """Returns a listening socket, or None if another program already listens on the port, which serves the same purpose."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return None


class TakenPortTest(ProgramTest):
    def test_dashboard_and_serve_report_the_port_and_a_remedy(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "1", "--density", "0.1")
        self.succeed("historical", "--source", export, "--data-dir", "data", "--zone", "UTC")
        with listen(0) as listener:
            port = listener.getsockname()[1]
            for words, option in [
                (("dashboard", "--data-dir", "data", "--port", port), "--port"),
                (("serve", "--data-dir", "server", "--listen", f"127.0.0.1:{port}"), "--listen"),
            ]:
                with self.subTest(words[0]):
                    run = self.run_program(*words, "--zone", "UTC", timeout=PATIENCE)
                    self.assertEqual((run.returncode, run.stdout), (75, ""))
                    self.assertIn(f"127.0.0.1:{port}: cannot listen: Address already in use", run.stderr)
                    self.assertIn(option, run.stderr)

    def test_the_demo_uses_another_port(self):
        listener = listen(USUAL)
        if listener:
            self.addCleanup(listener.close)
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        demo = subprocess.Popen(
            [ROOT / ".ci/demo", BINARY, self.folder / "demo"], cwd=self.folder, env=self.environment,
            stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
        os.close(follower)
        self.addCleanup(lambda: demo.poll() is None and os.killpg(demo.pid, signal.SIGKILL))
        said, address = b"", None
        while address is None:
            self.assertTrue(select.select([leader], [], [], PATIENCE)[0], said[-2000:])
            try:
                said += os.read(leader, 65536)
            except OSError:
                self.fail(said[-2000:])
            address = re.search(rb"healthsync dashboard at (http://127\.0\.0\.1:(\d+))\r?\n", said)
        self.assertNotEqual(int(address[2]), USUAL)
        with urllib.request.urlopen(address[1].decode()) as answer:
            self.assertEqual(answer.status, 200)
        os.killpg(demo.pid, signal.SIGTERM)
        demo.wait(PATIENCE)


if __name__ == "__main__":
    unittest.main()
