"""Installed files: manual pages, completions and systemd units, as the tools of the system read them."""

import re
import shutil
import subprocess
import unittest

from support.harness import BINARY, ROOT, ProgramTest

PAGES = ("healthsync.1", "healthsync-config.5", "healthsync-serve.8")


class Installed(ProgramTest):
    def install(self, action="install"):
        root = self.folder / "root"
        subprocess.run([ROOT / ".ci/install-files", action, BINARY, "/opt/hs", root], check=True)
        return root / "opt/hs"

    def test_install_and_uninstall(self):
        folder = self.install()
        shown = subprocess.run([folder / "bin/healthsync", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(shown.stdout, self.succeed("--version").stdout)
        for page in PAGES:
            self.assertTrue((folder / f"share/man/man{page[-1]}" / page).stat().st_size > 1000)
        self.install("uninstall")
        self.assertEqual([path for path in folder.rglob("*") if not path.is_dir()], [])

    def test_manual_pages(self):
        helped = self.json_of("help")
        for name in PAGES:
            path = self.folder / name
            path.write_text(self.succeed("man", name).stdout)
            if shutil.which("man"):
                shown = subprocess.run(["man", "-l", "--warnings=w", "-Tutf8", path], capture_output=True, text=True,
                                       env={**self.environment, "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat"})
                self.assertEqual((shown.returncode, shown.stderr), (0, ""), name)
            if shutil.which("mandoc"):
                linted = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], capture_output=True, text=True)
                # A date would make every build different.
                problems = [line for line in linted.stdout.splitlines() if "missing date" not in line]
                self.assertEqual(problems, [], name)
        page = (self.folder / "healthsync.1").read_text().replace("\\-", "-")
        described = set(re.findall(r'^\.B "(?:-\w, )?--([a-z-]+)', page, re.M))
        declared = {option["name"] for command in helped["commands"] for option in command["options"]}
        declared |= {option["name"] for option in helped["globalOptions"]}
        self.assertEqual(described, declared)
        for command in helped["commands"]:
            self.assertIn(f'.SS "{command["usage"]}"', page.replace("\\&...", "…"))
        settings = (self.folder / "healthsync-config.5").read_text().replace("\\-", "-")
        documented = set(re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs/configuration.md").read_text(), re.M))
        self.assertEqual(set(re.findall(r'^\.B "([\w.$]+)"', settings, re.M)) - {"$schema"}, documented - {"$schema"})

    def complete(self, line):
        """Returns what bash completes for the command line."""
        words = line.split(" ")
        script = """
            source <("$1" completion bash); healthsync() { "$PROGRAM" "$@"; }; PROGRAM=$1; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _healthsync; printf '%s\\n' "${COMPREPLY[@]}"
        """
        done = subprocess.run(["bash", "-c", script, "bash", BINARY, *words], capture_output=True, text=True,
                              env=self.environment, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return set(done.stdout.split("\n")) - {""}

    def test_bash_completion(self):
        self.assertEqual(self.complete("healthsync hist"), {"historical"})
        self.assertEqual(self.complete("healthsync shoes a"), {"add", "archive", "assign"})
        self.assertEqual(self.complete("healthsync daily --dead"), {"--deadline"})
        self.assertTrue({"--zone", "--json", "--force"} <= self.complete("healthsync historical --"))
        self.assertEqual(self.complete("healthsync metric walkingDist"), {"walkingDistance"})
        self.assertIn("Europe/Paris", self.complete("healthsync daily --zone Europe/P"))
        self.assertIn("Europe/Paris", self.complete("healthsync daily --zone = Europe/P"))
        (self.folder / "export one.zip").write_bytes(b"")
        self.assertEqual(self.complete("healthsync inspect exp"), {"export one.zip"})
        self.generate("e.zip", "--years", "1", "--density", "0.05")
        self.succeed("historical", "--source", "e.zip", "--zone", "UTC")
        self.succeed("shoes", "add", "Brand", "Model One")
        self.assertEqual(self.complete("healthsync shoes start br"), {"Brand\\ Model\\ One"})

    def test_other_shells_have_scripts(self):
        for shell in ("zsh", "fish"):
            script = self.succeed("completion", shell).stdout
            for word in ("historical", "deadline", "completion"):
                self.assertIn(word, script)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script, text=True, check=True)
        self.assertEqual(self.run_program("completion", "tcsh").returncode, 64)
        self.assertEqual(self.run_program("man", "other.1").returncode, 64)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd checks its units")
    def test_units(self):
        folder = self.install()
        units = sorted((folder / "lib/systemd").rglob("healthsync*"))
        self.assertEqual(len(units), 9)
        for unit in units:
            self.assertNotIn("@", unit.read_text().replace("@system-service", "").replace("~@privileged @resources", ""))
            if "healthsync-serve.service" == unit.name:
                self.check_limit_of_files(unit.read_text())
        for name in ("healthsync-serve.service", "healthsync-serve-backup.service"):
            rated = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", "--no-pager", folder / "lib/systemd/system" / name],
                capture_output=True, text=True)
            level = float(re.search(r"Overall exposure level[^:]*: ([\d.]+)", rated.stdout)[1])
            self.assertLessEqual(level, 2.0, name)

    def check_limit_of_files(self, unit):
        """Checks that the server may raise its limit on open files (`--connections 1000`), by the lists of systemd."""
        def calls(name):
            if not name.startswith("@"):
                return {name}
            listed = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
            words = [line.strip() for line in listed.splitlines()[1:] if not line.strip().startswith("#")]
            return set().union(*map(calls, filter(None, words)))

        allowed = calls("@default")
        for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.MULTILINE):
            named = set().union(*map(calls, line.removeprefix("~").split()))
            allowed = allowed - named if line.startswith("~") else allowed | named
        self.assertLessEqual({"setrlimit", "prlimit64", "epoll_wait"}, allowed)
        self.assertFalse(allowed & {"setpriority", "mbind", "chroot", "ptrace"})
        hard = int(re.search(r"^LimitNOFILE=\d+:(\d+)$", unit, re.MULTILINE)[1])
        self.assertGreaterEqual(hard, 100_000 + 128)


if __name__ == "__main__":
    unittest.main()
