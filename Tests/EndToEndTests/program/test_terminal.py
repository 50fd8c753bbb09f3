"""Tables on terminals of 60 to 200 columns: whole words, no line that is too wide, colors only where they belong.

The reference is the output of the same command into a pipe, which is not wrapped.
"""

import json
import re
import unittest

from support.harness import Peer, ProgramTest
from support.records import ordinary_days, write
from support.terminal import COLOR, in_terminal, plain, width

WIDTHS = (60, 80, 120, 200)
REFUSED = "steps/hour/2024-03-02/2024-03-02T08:00:00Z"


class Terminal(ProgramTest):
    def setUp(self):
        super().setUp()
        peer = Peer(self)
        peer.script([{
            "match": "POST *", "do": "reject_ids", "ids": [REFUSED], "times": None,
            "reason": "the hour is not in the calendar of this server, which begins with the year in which it was installed"}])
        self.words = ("--zone", "UTC", "--data-dir", "data")
        self.export = write(self.folder / "a.xml", ordinary_days(4))
        self.run_program("historical", *self.words, "--source", "a.xml", "--server", peer.url)
        for model in ("Speedcross 6", "Pegasus 41 in the color of the sea"):
            self.succeed("shoes", "add", "Maker", *model.split(), *self.words)
        self.succeed("token", "create", "--user", "anna", "--out", "token", *self.words)
        self.succeed("pair", "phone", *self.words)

    def commands(self):
        return [
            ("status", *self.words), ("doctor", *self.words), ("outbox", "list", *self.words), ("inspect", "a.xml"),
            ("metrics", *self.words), ("intervals", *self.words), ("token", "list", *self.words),
            ("device", "list", *self.words), ("inbox", "list", *self.words),
            ("outbox", "show", self.json_of("outbox", "list", *self.words)["items"][0]["id"], *self.words),
        ]

    def test_tables_fit_and_keep_every_word(self):
        for command in self.commands():
            # A path and an address are not broken, and may be longer than the terminal.
            reference = self.succeed(*command).stdout
            for columns in WIDTHS:
                output = plain(in_terminal(self, *command, columns=columns))
                with self.subTest(command=command[:2], columns=columns):
                    # The payload of an item is one long line that can be copied.
                    table = output.split("\n\n{")[0].split("\n\n[")[0]
                    for line in table.splitlines():
                        self.assertTrue(width(line) <= columns or len(line.split()) == 1, line)
                    # Blocks omit the heads of empty cells, so only the words below the heads must all be there.
                    words = " ".join(reference.splitlines()[1 if command[1] == "list" else 0:]).split()
                    # The time and the free space that doctor shows change between two runs.
                    missing = {word for word in words if not re.fullmatch(r"-|[\d,:]+", word)} - set(output.split())
                    self.assertEqual(missing, set(), output)

    def test_the_latest_figures_after_an_import_keep_their_columns(self):
        self.generate("export.zip", "--years", "1", "--density", "0.05", "--seed", "3", "--zone", "UTC")
        words = ("import", "export.zip", "--force", "--zone", "UTC", "--data-dir", "other")

        def dates(output):
            table = output.split("The latest figures")[1].splitlines()[1:]
            return [line for line in table if re.search(r"\d{4}-\d\d-\d\d$", line)]

        # Without the indentation of two columns.
        least = max(map(width, dates(self.succeed(*words).stdout))) - 2
        for columns in (least - 1, least, least + 1, least + 2, 80):
            lines = dates(plain(in_terminal(self, *words, columns=columns)))
            self.assertGreater(len(lines), 8)
            with self.subTest(columns=columns):
                self.assertEqual(len({width(line) for line in lines}), 1, lines)
                self.assertLessEqual(width(lines[0]), columns)

    def test_help_fits_and_groups_commands_by_task(self):
        commands = [command["name"] for command in json.loads(self.succeed("help", "--json").stdout)["commands"]]
        for columns in WIDTHS:
            output = in_terminal(self, "help", columns=columns)
            for line in output.splitlines():
                self.assertTrue(width(line) <= columns or len(line.split()) == 1, line)
            groups = re.findall(r"^(\S.*):\n((?:  .*\n)+)", output, re.MULTILINE)
            self.assertEqual(
                [name for name, _ in groups if name != "Global options"],
                ["Getting started", "Every day", "Shoes", "Delivery to a server", "Phones", "Running a server",
                 "Maintenance"])
            listed = [
                next(command for command in sorted(commands, key=len, reverse=True) if line[2:].startswith(command))
                for name, block in groups if name != "Global options"
                for line in block.splitlines() if not line.startswith("   ")]
            self.assertEqual(listed, commands)

    def test_colors(self):
        colored = in_terminal(self, "status", *self.words, columns=120)
        self.assertGreater(len(COLOR.findall(colored)), 1)
        self.assertNotIn("\x1b", plain(colored))
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            # A state is a word: without its color nothing is lost.
            self.assertEqual(in_terminal(self, "status", *self.words, columns=120, **variables), plain(colored))
        self.assertNotIn("\x1b", self.succeed("status", *self.words).stdout)
        numbers = [
            {number for number, _ in COLOR.findall(in_terminal(self, "doctor", *self.words, columns=80, **variables))}
            for variables in ({}, {"COLORFGBG": "0;15"})]
        self.assertEqual(set.intersection(*numbers), set())


if __name__ == "__main__":
    unittest.main()
