"""Two hundred concurrent clients for a short time; `make soak` runs this for two minutes."""

import unittest

from support import harness


class Load(harness.ProgramTest):
    def test_two_hundred_clients_get_responses_and_lose_nothing(self):
        said = self.peer(
            "servers/soak_server.py", "--program", harness.BINARY, "--dir", self.folder / "soak",
            "--clients", 200, "--seconds", 10)
        self.assertIn("200 clients", said)


if __name__ == "__main__":
    unittest.main()
