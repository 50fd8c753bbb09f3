"""Two hundred clients at once, for a short while; `make soak` does it for two minutes."""

import unittest

from support import harness


class Load(harness.ProgramTest):
    def test_two_hundred_clients_are_all_answered_and_nothing_is_lost(self):
        said = self.peer(
            "servers/soak_server.py", "--program", harness.BINARY, "--dir", self.folder / "soak",
            "--clients", 200, "--seconds", 10)
        self.assertIn("200 clients", said)


if __name__ == "__main__":
    unittest.main()
