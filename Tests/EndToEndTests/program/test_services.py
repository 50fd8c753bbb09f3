"""Services of a user: units that systemd accepts, and the calls of `systemctl`, which a recording program receives."""

import os
import re
import shutil
import stat
import subprocess
import unittest

from support.harness import BINARY, ProgramTest

RECORDER = """#!/bin/sh
echo "$*" >> "$HOME/calls"
case "$*" in
*" show "*) cat "$HOME/shown" ;;
*) exit "$(cat "$HOME/status" 2>/dev/null || echo 0)" ;;
esac
"""


def words(unit):
    """Returns the words of the command of a unit as systemd reads them: quotes, then doubled signs."""
    command = re.search("ExecStart=(.*)", unit.read_text())[1]
    return [re.sub(r"\\(.)", r"\1", word[1:-1] if word.startswith('"') else word).replace("%%", "%").replace("$$", "$")
            for word in re.findall(r'"(?:[^"\\]|\\.)*"|\S+', command)]


class ServiceTest(ProgramTest):
    def setUp(self):
        super().setUp()
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "systemctl").write_text(RECORDER)
        (tools / "systemctl").chmod(0o755)
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"
        self.units = self.folder / "config/systemd/user"

    def calls(self):
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def test_install_status_remove(self):
        self.succeed("service", "install", "daily", "watch", "backup", "--keep", "3", "--backup-dir", "my backups")
        self.assertEqual(sorted(path.name for path in self.units.iterdir()), [
            "healthsync-backup.service", "healthsync-backup.timer", "healthsync-daily.service", "healthsync-daily.timer",
            "healthsync-watch.service"])
        self.assertEqual([line.split()[2] for line in self.calls()], ["daemon-reload", "enable", "restart"])
        self.assertEqual(words(self.units / "healthsync-daily.service"), [str(BINARY), "daily", "--quiet"])
        self.assertIn(f'"{self.folder}/my backups/" --keep 3', (self.units / "healthsync-backup.service").read_text())
        for path in self.units.iterdir():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        (self.folder / "shown").write_text(
            "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nResult=success\n"
            "NextElapseUSecRealtime=Thu 2026-11-26 06:03:00 UTC\n")
        shown = self.json_of("service", "status")["services"]
        self.assertEqual([(state["service"], state["active"]) for state in shown],
                         [("daily", True), ("watch", True), ("backup", True)])
        self.assertEqual(shown[0]["next"], "Thu 2026-11-26 06:03:00 UTC")
        self.calls()
        self.succeed("service", "remove")
        self.assertEqual(list(self.units.iterdir()), [])
        self.assertEqual([line.split()[2] for line in self.calls()], ["disable", "daemon-reload"])

    def test_a_manager_that_fails_or_does_not_exist(self):
        (self.folder / "status").write_text("1")
        self.assertEqual(self.run_program("service", "install").returncode, 1)
        self.environment["PATH"] = str(self.folder)
        absent = self.run_program("service", "install")
        self.assertEqual(absent.returncode, 66)
        self.assertIn("systemctl: command not found", absent.stderr)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd checks its units")
    def test_systemd_accepts_the_units_and_their_commands_run(self):
        awkward = self.folder / 'a "b" 100% $HOME ü'
        self.generate("export.zip", "--years", "1", "--density", "0.05")
        self.succeed("historical", "--source", "export.zip", "--data-dir", awkward, "--zone", "UTC")
        self.succeed("service", "install", "daily", "watch", "backup", "--unit-dir", "units", "--data-dir", awkward,
                     "--backup-dir", "backups")
        units = sorted((self.folder / "units").iterdir())
        self.assertEqual(len(units), 5)
        checked = subprocess.run(["systemd-analyze", "verify", "--man=no", "--user", *units], capture_output=True, text=True,
                                 env={**self.environment, "XDG_RUNTIME_DIR": str(self.folder)})
        problems = [line for line in checked.stderr.splitlines() if "healthsync-" in line]
        self.assertEqual((checked.returncode, problems), (0, []), checked.stderr)
        command = words(self.folder / "units/healthsync-backup.service")
        self.assertIn(str(awkward), command)
        subprocess.run(command, env=self.environment, check=True)
        self.assertEqual(len(list((self.folder / "backups").glob("healthsync-*.tar"))), 1)


if __name__ == "__main__":
    unittest.main()
