"""Every advice that a message gives works: the test follows each one literally, until nothing is advised any more.

A message may offer several ways. Each is followed from the same state; every way must end, with the right figures and a next
`daily` that ends with 0. The expected figures are calculated by Python.
"""

import datetime
import json
import re
import shutil
import tempfile
import unittest
import zoneinfo

from program import test_first_import
from support.covering import is_selected
from support.harness import ROOT, ProgramTest

PHONE = "Europe/Paris"
COMMAND = re.compile(r"`healthsync ([^`]+)`")
# A zone for the command that just ran: "add `--zone ZONE --save` ... (such as Europe/Berlin, Europe/Paris)".
PROPOSED = re.compile(r"\(such as ([^)]+)\)")
# What a user fills in for a placeholder.
PLACEHOLDERS = {"FILE": "export.xml", "ZONE": PHONE, "NAME": "steps"}
# Commands that show more and change nothing, or that need systemd, which the machine of a test lacks.
INVITATIONS = ("summary", "service")
# More steps than any walk needs.
LONGEST_WALK = 8
# A journey is configured by these stays: its export was made in the first one, and the user lives in the second one.
STAYS = [{"zone": "Asia/Tokyo", "from": "2024-01-20"}, {"zone": PHONE, "from": "2024-01-21"}]


class Walk(ProgramTest):
    """Follows the advices of messages from a state of the machine."""

    converse = test_first_import.test_init.InitTest.converse
    machine = test_first_import.FirstImport.machine
    steps = test_first_import.FirstImport.steps

    def setUp(self):
        super().setUp()
        self.config = self.folder / "config/healthsync/config.json"
        self.walks = 0

    def configure(self, **members):
        self.config.parent.mkdir(parents=True, exist_ok=True)
        former = json.loads(self.config.read_text()) if self.config.exists() else {}
        self.config.write_text(json.dumps({**former, **members}))

    def prepare(self, machine, configuration, exports):
        """Makes a machine with exports that were made at these times and places; returns the steps of each day."""
        self.doCleanups()
        self.setUp()
        self.machine(machine)
        self.travelled = JOURNEY in exports
        for number, (exported, place) in enumerate(exports):
            text, expected = test_first_import.export(PHONE, exported, place)
            (self.folder / f"export{number or ''}.xml").write_text(text)
        if configuration is not None:
            sources = [str(self.folder / name) for name in configuration.get("sources", [])]
            self.configure(**configuration | ({"sources": sources} if sources else {}))
        return expected

    def say(self, words, terminal):
        """Runs the program; returns its status and everything it wrote."""
        if terminal is not None:
            status, said = self.converse([terminal] * 9, *words)
            return status, re.sub(r"\s+", " ", said)
        run = self.run_program(*words)
        return run.returncode, re.sub(r"\s+", " ", run.stdout + run.stderr)

    def ways(self, words, said):
        """Returns the ways out that the message offers, each a name and either a command or what the user writes to the
        configuration. A condition, such as "if you travelled", is honored."""
        found = []
        if f"the days is {PHONE}" in said:
            said = re.sub("if you live elsewhere,[^;]*;", "", said)
        for command in COMMAND.findall(said):
            if command.split()[0] not in INVITATIONS:
                found.append(("run", [PLACEHOLDERS.get(word, word) for word in command.split()]))
        proposed = PROPOSED.search(said)
        if proposed and not any("--zone" in way[1] for way in found):
            for zone in sorted({proposed[1].split(", ")[0], PHONE}):
                found.append(("run", [*words, "--zone", zone, "--save"]))
        if 'or state it as "zone" in the configuration' in said:
            found.append(("configure", {"zone": PHONE}))
        if "if you travelled" in said and self.travelled:
            found.append(("configure", {"timeZones": STAYS}))
        return found

    def daily(self):
        """The command of every day: it names the source if the configuration does not."""
        configured = self.config.exists() and "sources" in json.loads(self.config.read_text())
        return ["daily"] if configured else ["daily", "export.xml"]

    def follow(self, words, expected, terminal=None, path=()):
        """Runs the command and then every way that it advises, at last `daily`."""
        shown = [str(step[1]) for step in path] + [" ".join(words)]
        self.assertLess(len(path), LONGEST_WALK, f"the advices lead to no end: {shown}")
        status, said = self.say(words, terminal)
        ways = self.ways(words, said)
        if ways:
            with tempfile.TemporaryDirectory() as kept:
                shutil.copytree(self.folder, f"{kept}/home")
                for way in ways:
                    # The same advice in the same configuration leads nowhere.
                    step = (*way, self.config.read_text() if self.config.exists() else "")
                    self.assertNotIn(step, path, f"the advices turn in a circle: {shown}\n{said}")
                    shutil.rmtree(self.folder)
                    shutil.copytree(f"{kept}/home", self.folder)
                    if way[0] == "configure":
                        self.configure(**way[1])
                    self.follow(way[1] if way[0] == "run" else self.daily(), expected, terminal, (*path, step))
            return
        self.assertEqual(status, 0, f"{shown}\n{said}")
        if words[0] != "daily":
            return self.follow(self.daily(), expected, terminal, path)
        self.assertEqual(self.say(words, terminal)[0], 0, shown)
        if not self.config.exists() or "timeZones" not in self.config.read_text():
            self.assertEqual(self.steps(), expected, shown)
        self.walks += 1


def utc(*words):
    return datetime.datetime(*words, tzinfo=datetime.timezone.utc)


# When and where the phone made its exports.
WINTER = (utc(2024, 2, 1, 11), PHONE)
SUMMER = (utc(2024, 7, 1, 11), PHONE)
JOURNEY = (utc(2024, 1, 20, 11), "Asia/Tokyo")
# `None` is a machine on which TZ is unset.
MACHINES = [None, "UTC", "America/New_York", PHONE]
IMPORTS = [["import", "export.xml"], ["export.xml"], ["daily", "export.xml"], ["historical", "export.xml"]]


class AdviceOnZones(Walk):
    def walk(self, machine, configuration, commands, exports=(WINTER,), terminal=None, part=1):
        """Walks from a fresh machine; all commands but the last one only make the state. Only this part of such walks is made, and
        with many seeds all."""
        if not is_selected(repr((machine, configuration, commands, exports)), part):
            return
        with self.subTest(machine=machine, configuration=configuration, commands=commands, terminal=terminal):
            expected = self.prepare(machine, configuration, exports)
            for words in commands[:-1]:
                self.run_program(*words)
            self.follow(commands[-1], expected, terminal)
            self.assertGreater(self.walks, 0)

    def test_a_first_import_without_configuration(self):
        for machine in MACHINES:
            for words in IMPORTS:
                self.walk(machine, None, [words])
        for answer in ("y", "n", ""):
            self.walk("UTC", None, [["import", "export.xml"]], terminal=answer)

    def test_a_configuration_with_the_source(self):
        for machine in MACHINES:
            for zone in ({}, {"zone": "Etc/UTC"}, {"zone": "Asia/Tokyo"}, {"zone": PHONE}):
                for words in (["daily"], ["historical"]):
                    self.walk(machine, {"sources": ["export.xml"], **zone}, [words], part=2)

    def test_a_zone_of_one_run(self):
        for machine in ("UTC", "America/New_York"):
            for former in (None, {"zone": "Etc/UTC"}):
                for zone in (PHONE, "Etc/UTC", "Asia/Tokyo"):
                    for last in (["status"], ["doctor"], ["summary", "--zone", "Asia/Tokyo"], ["daily", "export.xml"]):
                        self.walk(machine, former, [["import", "export.xml", "--zone", zone], last], part=2)

    def test_a_terminal(self):
        for answer in ("y", "n", ""):
            for former in (None, {"zone": "Etc/UTC", "sources": ["export.xml"]}):
                self.walk("UTC", former, [["import", "export.xml"], ["historical", "export.xml", "--zone", PHONE]],
                          terminal=answer)

    def test_exports_of_several_offsets(self):
        for exports in ([WINTER, SUMMER], [JOURNEY, WINTER], [JOURNEY, WINTER, SUMMER]):
            names = [f"export{number or ''}.xml" for number in range(len(exports))]
            for machine in MACHINES:
                self.walk(machine, None, [["import", *names]], exports, part=2)
                self.walk(machine, None, [["import", *names, "--zone", PHONE], ["status"]], exports, part=2)
                self.walk(machine, {"zone": "Etc/UTC"}, [["import", *names]], exports, part=2)


class AdviceInSources(ProgramTest):
    def test_every_command_in_a_message_exists(self):
        known = self.json_of("help")
        options = {command["name"]: {option["name"] for option in command["options"] + known["globalOptions"]}
                   for command in known["commands"]}
        found = set()
        for path in (ROOT / "Sources").rglob("*.swift"):
            lines = [line for line in path.read_text().splitlines() if not line.strip().startswith("//")]
            # A text that is continued in the next line.
            text = re.sub(r'"\s*\+\s*"', "", "\n".join(lines))
            for command in re.findall(r"`healthsync ([^`\n]+)`", text):
                words = re.sub(r"\\\([^)]*\)+", "VALUE", command).split()
                name = next((" ".join(words[:length]) for length in (2, 1) if " ".join(words[:length]) in options), None)
                self.assertTrue(name or words[0] in ("help", "VALUE"), f"{path.name}: {command}")
                for option in re.findall(r"--([a-z-]+)", command) if name else []:
                    self.assertIn(option, options[name], f"{path.name}: {command}")
                found.add(name)
        self.assertGreater(len(found), 20)


if __name__ == "__main__":
    unittest.main()
