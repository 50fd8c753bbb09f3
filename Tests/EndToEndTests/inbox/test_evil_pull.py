"""A server that answers `pull` as no good server does, and damaged files in the archive: no command ends by a signal or without
end, no post is lost, and each damaged one is named with the problem and a remedy."""

import json
import os
import shutil
import sys
import unittest
import urllib.request

from support.harness import PATIENCE, PEERS
from support.seeds import seeds
from support.watch import InboxTest, Watch

from senders.neutral import Request

sys.path.insert(0, str(PEERS / "faults"))
import evil_inbox  # noqa: E402

# 70 is a bug, and a signal is negative.
ENDINGS = {0, 1, 3, 65, 66, 69, 74, 75, 78}
STATES = ("waiting", "decoded", "undecoded")


class EvilPull(InboxTest):
    def setUp(self):
        super().setUp()
        self.server = evil_inbox.EvilInbox()
        self.addCleanup(self.server.__exit__)
        self.environment["HEALTHSYNC_TOKEN"] = "secret"
        self.config.write_text(json.dumps({"zone": "Europe/Paris", "limits": {"requestTimeoutSeconds": 2}}))

    def words(self, data="data"):
        return ("--server", self.server.url, "--config", self.config, "--data-dir", data)

    def begin(self, count=3):
        """Lets so many posts wait on the server, and nothing be archived; returns the posts."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        self.server.behave()
        self.server.posts = {evil_inbox.identity(number): evil_inbox.archived(b'{"number":%d}' % number) for number in range(count)}
        self.server.deleted, self.server.requests = [], []
        return dict(self.server.posts)

    def kept(self):
        """Returns the archived posts."""
        return {path.name: path.read_bytes() for state in STATES for path in (self.folder / "data/inbox" / state).glob("*")
                if path.suffix != ".outcome"}

    def pull(self):
        result = self.run_program("pull", *self.words())
        self.assertIn(result.returncode, ENDINGS, result.stderr[-400:])
        self.assertNotIn("report this as a bug", result.stderr)
        return result

    def attempt(self, name, **answers):
        """Pulls while the server answers so, and again while it answers well; returns the problem, or None."""
        posts = self.begin()
        for request, answer in answers.items():
            setattr(self.server, request, answer)
        try:
            first = self.pull()
            kept = self.kept()
            if any(kept.get(one) != posts[one] for one in self.server.deleted):
                return f"{name}: a post was deleted before it was archived"
            if any(kept[one] != posts[one] for one in kept if one in posts):
                return f"{name}: a post was archived with other content"
            if len(self.server.requests) > 20_000:
                return f"{name}: {len(self.server.requests)} requests"
            if first.returncode and not (first.stdout + first.stderr).strip():
                return f"{name}: status {first.returncode} without a message"
            self.server.behave()
            self.pull()
            kept = self.kept()
        except AssertionError as error:
            return f"{name}: {error}"
        if {one: kept.get(one) for one in posts} != posts or self.server.posts:
            return f"{name}: then the archive has {sorted(kept)}, the server {sorted(self.server.posts)}"
        return None

    def problems(self, request, answers):
        """Tries the answers, with few or some seeds a part of them, because the client waits for many of them."""
        chosen = list(answers.items())[::seeds(6, 2, 1)]
        return [problem for name, answer in chosen if (problem := self.attempt(name, **{request: answer}))]

    def test_lists(self):
        self.assertEqual(self.problems("list", evil_inbox.LISTS), [])

    def test_posts(self):
        self.assertEqual(self.problems("fetch", evil_inbox.POSTS), [])

    def test_deletions(self):
        self.assertEqual(self.problems("delete", evil_inbox.DELETIONS), [])

    def test_damaged_posts_stay_on_the_server_and_do_not_block_the_others(self):
        damaged, good = {}, {}
        for number, content in enumerate({**evil_inbox.damaged_heads(), **evil_inbox.damaged_files()}.values()):
            damaged[evil_inbox.identity(number, 1)] = content
        for number, time in enumerate(evil_inbox.GOOD_TIMES):
            # Before, among and after the damaged ones.
            good[evil_inbox.identity(30, number % 3)[:-2] + f"{number:02}"] = evil_inbox.archived(receivedAtMilliseconds=time)
        self.begin(0)
        self.server.posts = {**damaged, **good}
        pulled = self.pull()
        self.assertEqual(pulled.returncode, 65, pulled.stderr[-400:])
        self.assertEqual(self.kept(), good)
        self.assertEqual(sorted(self.server.deleted), sorted(good))
        for name in damaged:
            self.assertRegex(pulled.stderr + pulled.stdout, f"{name}: the post on the server is damaged: .*; it stays on the server")
        self.assertEqual({post["id"] for post in self.inbox()}, set(good))
        for name in good:
            self.succeed("inbox", "show", name, "--config", self.config, "--data-dir", "data")

    def test_a_post_from_the_distant_future_does_not_disturb_later_ones(self):
        posts = self.begin(1)
        for name in ("99991231T235959999-9999-ffffffffffffffff", "22010101T000000000-0000-00"):
            self.server.posts[name] = evil_inbox.archived()
        self.pull()
        self.assertEqual(self.kept(), posts)
        # As if it had been archived by an earlier version.
        (self.folder / "data/inbox/undecoded/99991231T235959999-9999-ffffffffffffffff").write_bytes(evil_inbox.archived())
        token = self.pair("phone", "--config", self.config)
        watch = Watch(self, "--config", self.config)
        watch.accept(Request("POST", "/unknown", {"Content-Type": "application/json"}, b"{}"), token)
        self.assertEqual(watch.terminate(), 0)
        # The pulled post is of 2024, and old ones are deleted.
        later = sorted(post["id"] for post in self.inbox())
        self.assertEqual([one[:2] for one in later], ["20", "99"], later)


class DamagedArchive(InboxTest):
    """Files in the archive that no program writes."""

    def setUp(self):
        super().setUp()
        self.words = ("--config", self.config, "--data-dir", "data", "--zone", "UTC")
        self.folders = {state: self.folder / "data/inbox" / state for state in STATES}
        for folder in (*self.folders.values(), self.folder / "data/inbox/incoming"):
            folder.mkdir(parents=True, mode=0o700)

    def put(self, number, content, state):
        path = self.folders[state] / evil_inbox.identity(number)
        path.write_bytes(content)
        path.chmod(0o600)
        return path

    def command(self, *words):
        result = self.run_program(*words, *self.words)
        self.assertIn(result.returncode, ENDINGS, f"{words}: {result.stderr[-400:]}")
        self.assertNotIn("report this as a bug", result.stderr)
        return result

    def test_each_damage_is_a_message_and_the_other_posts_are_imported(self):
        contents = {**evil_inbox.damaged_heads(), **evil_inbox.damaged_files()}
        paths = [self.put(number, content, STATES[number % 3]) for number, content in enumerate(contents.values())]
        good = [self.put(7200 + number, evil_inbox.archived(receivedAtMilliseconds=time), "waiting")
                for number, time in enumerate(evil_inbox.GOOD_TIMES)]
        for make in (self.folder_in_place, self.pipe_in_place, self.link_in_place):
            paths.append(make(3600 + len(paths)))
        listed = self.command("inbox", "list", "--limit", "1000")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for path in paths:
            message = rf"{path.name}: the archived file is damaged: .*; delete it: .*{path.parent.name}/{path.name}"
            self.assertRegex(listed.stderr, message)
            shown = self.command("inbox", "show", path.name)
            self.assertEqual(shown.returncode, 65, shown.stderr)
            self.assertRegex(shown.stderr, message)
        self.assertEqual(len(listed.stderr.splitlines()), len(paths), listed.stderr[-2000:])
        entries = {one["id"]: one for one in json.loads(self.command("inbox", "list", "--limit", "1000", "--json").stdout)["posts"]}
        self.assertEqual(set(entries), {path.name for path in paths + good})
        for words in (("status",), ("doctor",), ("backup", "backup.tar")):
            self.command(*words)
        imported = self.command("import", "inbox")
        self.assertEqual(imported.returncode, 3, imported.stderr)
        after = json.loads(self.command("inbox", "list", "--limit", "1000", "--json").stdout)
        self.assertEqual(after["waiting"], 0)
        self.assertEqual({one["id"] for one in after["posts"]}, set(entries))
        for path in good:
            self.assertEqual(self.command("inbox", "show", path.name).returncode, 0)
        watch = Watch(self, *self.words[:2], "--dashboard", "127.0.0.1:0")
        site = watch.await_event("dashboard")["address"].rstrip("/")
        for page in ("/", "/view/devices", "/view/sync"):
            with urllib.request.urlopen(site + page, timeout=PATIENCE) as answer:
                self.assertEqual(answer.status, 200)
        self.assertEqual(watch.terminate(), 0)
        self.command("inbox", "retry")
        self.command("import", "inbox")

    def folder_in_place(self, number):
        path = self.folders["waiting"] / evil_inbox.identity(number)
        path.mkdir()
        return path

    def pipe_in_place(self, number):
        path = self.folders["waiting"] / evil_inbox.identity(number)
        os.mkfifo(path)
        return path

    def link_in_place(self, number):
        path = self.folders["waiting"] / evil_inbox.identity(number)
        path.symlink_to("/nowhere")
        return path

    def test_outcomes(self):
        """A damaged outcome counts as missing."""
        self.put(0, evil_inbox.archived(), "undecoded")
        path = self.folders["undecoded"] / (evil_inbox.identity(0) + ".outcome")
        texts = [b"", b"{}", b"null", b"[" * 100_000, bytes(100), b" " * (1 << 20)]
        for name in ("records", "rejected", "deletions", "decodedAt"):
            for value in (-(1 << 63), (1 << 63) - 1, 1 << 63, 1e300, -1, None, "x", {}, [], 10 ** 15, -62_167_219_200_001):
                outcome = {"sender": "a", "reason": "b\x1b[2J", "records": 1, "rejected": 0, "deletions": 0,
                           "decodedAt": {"milliseconds": evil_inbox.RECEIVED}}
                outcome[name] = {"milliseconds": value} if name == "decodedAt" else value
                texts.append(json.dumps(outcome).encode())
        for text in texts:
            path.write_bytes(text)
            for words in (("inbox", "list"), ("inbox", "show", evil_inbox.identity(0)), ("inbox", "list", "--json")):
                result = self.command(*words)
                self.assertEqual(result.returncode, 0, text[:200])
                self.assertNotIn("\x1b[2J", result.stdout)

    def test_files_with_other_names_are_ignored(self):
        post = self.put(0, evil_inbox.archived(), "waiting")
        for number in range(600):
            (self.folders["waiting"] / f"0{number:03}").write_bytes(evil_inbox.archived())
        for name in ("99999999T999999999-0000-00", "core", "20240101T000000000-0000-zz", "é", "a" * 255):
            (self.folders["waiting"] / name).write_bytes(evil_inbox.archived())
        self.command("import", "inbox")
        listed = json.loads(self.command("inbox", "list", "--json").stdout)
        self.assertEqual([one["id"] for one in listed["posts"]], [post.name])
        self.assertEqual((listed["waiting"], listed["undecoded"]), (0, 1))


if __name__ == "__main__":
    unittest.main()
