"""Documentation: every block of commands runs in a clean home, every page is listed, and every option exists.

A block of commands begins with ```sh. If a test cannot run it, the fence states why: ```sh untested: REASON. If the next
block begins with ```text output, its lines are lines of the output, in this order; a line of … omits some.
"""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import unittest
from contextlib import closing

from support.harness import BINARY, PATIENCE, ROOT, ProgramTest, Server
from support.markdown import blocks

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# Languages that are not commands. Swift is compiled by the examples, JSON is parsed below, and nginx and Caddy run in
# server.test_proxies.
OTHERS = {"swift", "json", "sql", "python", "ini", "nginx", "caddyfile", "cron", "text", "dockerfile"}
COMMAND = re.compile(r"^\s*(\$ )?(sudo |make |healthsync [a-z]|systemctl |apt-get )", re.M)
# Words in documents that begin like options of healthsync but belong to other programs, or name a family.
FOREIGN = {"data-binary", "explicit-target-dependency-import-check", "name"}


# What `TZ` is on the machines on which every command works: unset, as on a server or in a container, and UTC.
MACHINES = {"where_tz_is_unset": None, "in_utc": "UTC"}


class DocumentedCommands(ProgramTest):
    generated = None

    @classmethod
    def export(cls):
        """Returns an export that is generated once for all pages."""
        if cls.generated is None:
            folder = tempfile.TemporaryDirectory(prefix="healthsync-export-")
            cls.addClassCleanup(folder.cleanup)
            cls.generated = f"{folder.name}/export.zip"
            # README names this command.
            subprocess.run([BINARY, "generate", "--out", cls.generated, "--years", "1", "--density", "0.05",
                            "--last-day", "2024-12-31"], check=True, capture_output=True)
        return cls.generated

    def prepare(self, machine):
        """Makes the home that documented commands expect: an export, a token and a server."""
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "healthsync").symlink_to(ROOT / "Tests/EndToEndTests/support/documented.py")
        self.environment |= {"HEALTHSYNC_BINARY": str(BINARY), "PYTHONDONTWRITEBYTECODE": "1",
                             "PATH": f"{tools}:{os.environ['PATH']}"}
        shutil.copy(self.export(), self.folder / "export.zip")
        (self.folder / "Downloads").mkdir()
        shutil.copy(self.folder / "export.zip", self.folder / "Downloads")
        (self.folder / "Sync/health").mkdir(parents=True)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"], cwd=self.folder, check=True,
                       capture_output=True)
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "TZ"):
            self.environment.pop(variable, None)
        if machine is not None:
            self.environment["TZ"] = machine

    def serve(self):
        """Starts the server to which documented commands deliver, on the store of `healthsync token`."""
        server = Server(self, folder=".local/share/healthsync")
        (self.folder / "token").write_text(server.token("ingest", "read", "delete"))
        (self.folder / "token").chmod(0o600)
        return server.url

    def run_page(self, page, machine):
        every = blocks(page)
        commands = [block for block in every if block.info == "sh"]
        outputs = {before: after for before, after in zip(every, every[1:]) if after.info == "text output"}
        self.prepare(machine)
        address = self.serve() if any("https://health.example" in block.text for block in commands) else ""
        for block in commands:
            text = re.sub(r"https://health\.example(\.org)?", address, block.text)
            environment, port = dict(self.environment), "8000"
            if re.search(r"^healthsync serve .*&", text, re.M):
                port = free_port()
                environment["HEALTHSYNC_SERVES_ON"] = port
                text = text.replace("8000", port)
            ending = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", ending + text], cwd=self.folder, env=environment,
                                  capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, f"{page}:{block.line}\n{text}\n{done.stdout}\n{done.stderr}")
            if block in outputs:
                printed = done.stdout.replace(f":{port}", ":8000").splitlines()
                self.assertEqual(missing_lines(outputs[block].text, printed), [], f"{page}:{block.line}\n{done.stdout}")


def free_port():
    """Returns the number of a port that is free now, as text."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return str(bound.getsockname()[1])


def missing_lines(documented, printed):
    """Returns the documented lines that do not follow the ones before them in what was printed."""
    missing, place = [], 0
    for line in documented.splitlines():
        if line == "…":
            continue
        if line in printed[place:]:
            place = printed.index(line, place) + 1
        else:
            missing.append(line)
    return missing


def page_test(page, machine):
    def test(self):
        self.run_page(page, machine)
    test.__doc__ = f"{page.relative_to(ROOT)}, TZ={machine}"
    return test


for each in PAGES:
    if any(block.info == "sh" for block in blocks(each)):
        name = re.sub(r"\W", "_", each.stem).lower()
        for place, machine in MACHINES.items():
            setattr(DocumentedCommands, f"test_commands_of_{name}_{place}", page_test(each, machine))


class Documentation(ProgramTest):
    def test_every_block_is_run_or_states_why_not(self):
        count = 0
        for page in PAGES:
            for block in blocks(page):
                place = f"{page.name}:{block.line}"
                language, _, rest = block.info.partition(" ")
                if language == "sh":
                    count += 1
                    if rest:
                        self.assertRegex(rest, r"^untested: \S.{9,}", place)
                else:
                    self.assertIn(language, OTHERS, place)
                    self.assertIn(rest, ("", "output") if language == "text" else ("",), place)
                    self.assertNotRegex(block.text if block.info == "text" else "", COMMAND, place)
        self.assertGreater(count, 30)

    def test_unmarked_and_failing_blocks_are_found(self):
        page = self.folder / "page.md"
        page.write_text("```sh\nfalse\n```\n\n```\nhealthsync daily\n```\n")
        first, second = blocks(page)
        self.assertEqual((first.info, first.line, second.info), ("sh", 1, ""))
        self.assertNotIn(second.info, OTHERS)
        self.assertRegex(second.text, COMMAND)

    def test_a_line_that_is_not_printed_is_found(self):
        self.assertEqual(missing_lines("one\n…\nthree\n", ["one", "two", "three"]), [])
        self.assertEqual(missing_lines("three\none\nfour\n", ["one", "two", "three"]), ["one", "four"])

    def test_queries_run(self):
        self.generate("export.zip", "--years", "1", "--density", "0.05")
        self.succeed("historical", "--source", "export.zip", "--zone", "UTC", "--data-dir", "data")
        queries = [block for page in PAGES for block in blocks(page) if block.info == "sql"]
        self.assertGreater(len(queries), 0)
        with closing(sqlite3.connect(self.folder / "data/healthsync.sqlite")) as connection:
            for block in queries:
                for query in filter(str.strip, block.text.split(";")):
                    connection.execute(query).fetchall()

    def test_every_page_is_listed(self):
        index = (ROOT / "docs/README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"({page.name}", index)

    def test_links_lead_to_files_and_headings(self):
        for page in PAGES:
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, heading = target.partition("#")
                path = page.parent / name if name else page
                self.assertTrue(path.exists(), f"{page.name}: {target}")
                if heading and path.suffix == ".md":
                    titles = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", path.read_text(), flags=re.S), re.M)
                    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
                    self.assertIn(heading, anchors, f"{page.name}: {target}")

    def test_every_option_exists(self):
        helped = self.json_of("help")
        declared = {option["name"] for command in helped["commands"] for option in command["options"]}
        declared |= {option["name"] for option in helped["globalOptions"]}
        unknown = []
        for page in PAGES:
            for block in blocks(page):
                for command in re.findall(r"(?<![\w/-])healthsync [a-z][^|#;&>\n]*", block.text if block.info[:2] == "sh" else ""):
                    unknown += [(page.name, command, option) for option in re.findall(r"(?<![\w-])--([a-z][a-z-]*)", command)
                                if option not in declared]
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            unknown += [(page.name, option) for option in re.findall(r"`(?:healthsync [^`]*)?--([a-z][a-z-]+)", text)
                        if option not in declared | FOREIGN]
        self.assertEqual(unknown, [])

    def test_every_command_is_in_the_readme_table_or_the_manual(self):
        names = {command["name"] for command in self.json_of("help")["commands"]}
        page = self.succeed("man").stdout.replace("\\-", "-")
        for name in names:
            self.assertIn(f'.SS "healthsync {name}', page)
        for source in PAGES:
            for block in blocks(source):
                if not block.info.startswith("sh"):
                    continue
                for words in re.findall(r"(?:^|[|;&(] *)healthsync ([a-z][a-z ]*)", block.text, re.M):
                    command = words.split()
                    known = any(" ".join(command[:length]) in names for length in (1, 2))
                    self.assertTrue(known or command[:1] == ["help"], f"{source.name}: healthsync {words}")


if __name__ == "__main__":
    unittest.main()
