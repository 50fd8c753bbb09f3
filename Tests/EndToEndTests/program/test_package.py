"""The Debian package and the tarball: the same bytes wherever they are built, and what dpkg, lintian, readelf and the official
validator of SPDX find in them."""

import hashlib
import io
import json
import os
import pathlib
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

from support.harness import BINARY, ROOT

VALIDATOR = "0.8.5"
FOLDER = ROOT / ".build" / f"spdx-tools-{VALIDATOR}"
BILL = "usr/share/doc/healthsync/healthsync.spdx.json"
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def validator():
    """Returns the official validator, installed by pip into its own folder, or None if that fails."""
    if not (FOLDER / "complete").exists():
        made = subprocess.run([sys.executable, "-m", "venv", FOLDER], capture_output=True)
        pip = [FOLDER / "bin" / "python", "-m", "pip", "install", "-q", "--no-compile", f"spdx-tools=={VALIDATOR}"]
        if made.returncode or subprocess.run(pip, capture_output=True).returncode:
            return None
        (FOLDER / "complete").touch()
    return FOLDER / "bin" / "pyspdxtools"


def needed(path):
    read = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"NEEDED.*\[(.*)\]", read))


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-dev builds the package")
@unittest.skipUnless("release" in str(BINARY), "only the release build can be packaged")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthsync-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # Another user must be able to read it.
        cls.folder.chmod(0o755)
        cls.deb, cls.tarball = cls.build(ROOT, BINARY, cls.folder / "first")
        cls.root = cls.folder / "root"
        subprocess.run(["dpkg-deb", "--raw-extract", cls.deb, cls.root], check=True)
        cls.bill = json.loads((cls.root / BILL).read_text())

    @staticmethod
    def build(checkout, program, output, **options):
        """Builds both packages and returns their paths. The level of compression only saves time."""
        environment = {**options.pop("env", os.environ), "PACKAGE_LEVEL": "1"}
        building = [subprocess.Popen([checkout / ".ci/package", kind, program, output], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, env=environment, **options) for kind in ("deb", "dist")]
        made = [(*process.communicate(), process.returncode) for process in building]
        if errors := [error for _, error, status in made if status]:
            raise AssertionError(errors)
        return [pathlib.Path(name.strip()) for name, _, _ in made]

    def copy_checkout(self):
        """Copies the checkout with other times and permissions of files, and its folders in another order."""
        copy = self.folder / "another place"
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", "--depth", "1", f"file://{ROOT}", copy], check=True)
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, check=True).stdout.decode().split("\0")
        for name in sorted(filter(None, listed), reverse=True):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, copy / name)
                (copy / name).chmod(0o755 if (ROOT / name).stat().st_mode & stat.S_IXUSR else 0o664)
                os.utime(copy / name, (1e9, 1e9))
        subprocess.run(["git", "reset", "--quiet"], cwd=copy, check=True)
        return copy

    def copy_program(self):
        """Copies the program with other digests of the build, as another build of the same sources has."""
        copy = pathlib.Path(shutil.copy(BINARY, self.folder / "program"))
        sections = subprocess.run(["readelf", "-SW", BINARY], capture_output=True, text=True, check=True).stdout
        with open(copy, "r+b") as file:
            for name, skipped in ((".swift_modhash", 0), (".note.gnu.build-id", 16)):
                place, size = re.search(rf" {re.escape(name)} +\S+ +\S+ (\S+) (\S+)", sections).groups()
                file.seek(int(place, 16) + skipped)
                file.write(os.urandom(int(size, 16) - skipped))
        return copy

    def test_another_build_under_other_conditions_gives_the_same_bytes(self):
        copy = self.copy_checkout()
        program = self.copy_program()
        # Folders below it inherit its group.
        temporary, output = self.folder / "temporary", self.folder / "second"
        for folder in (temporary, output):
            folder.mkdir()
            folder.chmod(0o2777)
        swift = pathlib.Path(shutil.which("swift")).resolve().parent
        environment = {
            "PATH": f"{swift}:{SYSTEM_PATH}", "HOME": str(temporary), "TMPDIR": str(temporary), "TZ": "Asia/Kathmandu",
            "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "TAPE": "/dev/null", "GZIP": "-1", "XZ_DEFAULTS": "-9",
            "HEALTHSYNC_DATA_DIR": "/other", "XDG_CONFIG_HOME": "/other", "COLUMNS": "40", "SOURCE": "x", "CDPATH": "/usr",
        }
        options = {"env": environment, "umask": 0o077, "cwd": "/"}
        other = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
        if os.geteuid() == 0 and subprocess.run(
                ["swift", "--version"], capture_output=True, env=environment, **other).returncode == 0:
            options |= other
        # Times are stored in seconds.
        self.assertGreater(int(time.time()), int(self.deb.stat().st_mtime))
        for one, two in zip((self.deb, self.tarball), self.build(copy, program, output, **options)):
            self.assertEqual(one.name, two.name)
            self.assertTrue(one.read_bytes() == two.read_bytes(), f"{one} and {two} differ")

    def test_versions_grow_with_each_commit_and_a_release_is_between(self):
        number = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        copy = self.folder / "versions"
        subprocess.run(["git", "init", "--quiet", copy], check=True)
        shutil.copytree(ROOT / ".ci", copy / ".ci")
        versions = []
        for second, changelog in enumerate((
                "## Unreleased\n\n- A\n\n## 0.0.1 - 2026-01-01\n\n- B\n", "## Unreleased\n\n- A\n- C\n\n## 0.0.1 - 2026-01-01\n",
                f"## Unreleased\n\n## {number} - 2026-02-01\n\n- A\n", f"## {number} - 2026-02-01\n\n- A\n",
                f"## Unreleased\n\n- D\n\n## {number} - 2026-02-01\n\n- A\n")):
            (copy / "CHANGELOG.md").write_text(changelog)
            identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
            subprocess.run(["git", "add", "."], cwd=copy, check=True)
            subprocess.run(["git", *identity, "commit", "--quiet", "--allow-empty", "-m", "A"], cwd=copy, check=True,
                           env={**os.environ, "GIT_COMMITTER_DATE": f"{1_800_000_000 + second} +0000"})
            done = subprocess.run([".ci/package", "version", BINARY, "."], cwd=copy, capture_output=True, text=True, check=True)
            versions.append(done.stdout.strip())
        before, later, release, same, after = versions
        self.assertEqual((release, same), (number, number))
        for low, high in ((before, later), (later, release), (release, after)):
            done = subprocess.run(["dpkg", "--compare-versions", low, "lt", high])
            self.assertEqual(done.returncode, 0, (low, high))

    def test_the_digests_of_both_packages_are_listed(self):
        for package in (self.deb, self.tarball):
            done = subprocess.run(["sha256sum", "--check", "--ignore-missing", "SHA256SUMS"], cwd=package.parent,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"{package.name}: OK", done.stdout)

    def test_every_file_has_the_time_of_the_commit_and_belongs_to_root(self):
        commit = int(subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, check=True).stdout)
        with tarfile.open(fileobj=io.BytesIO(subprocess.run(
                ["dpkg-deb", "--fsys-tarfile", self.deb], capture_output=True, check=True).stdout)) as files:
            members = files.getmembers()
        with tarfile.open(self.tarball) as files:
            members += files.getmembers()
        for member in members:
            self.assertEqual((member.mtime, member.uid, member.gid), (commit, 0, 0), member.name)
            self.assertIn(member.mode, (0o755,) if member.isdir() or "bin/" in member.name else (0o644,), member.name)

    def test_contents(self):
        for path in ("usr/bin/healthsync", "usr/share/man/man8/healthsync-serve.8.gz", BILL,
                     "usr/share/bash-completion/completions/healthsync"):
            self.assertTrue((self.root / path).is_file(), path)
        depends = subprocess.run(["dpkg-deb", "--field", self.deb, "Depends"], capture_output=True, text=True).stdout
        for library in ("libsqlite3-0", "libcurl4", "libzip4"):
            self.assertIn(library, depends)
        subprocess.run(["md5sum", "--check", "--strict", "--quiet", "DEBIAN/md5sums"], cwd=self.root, check=True)
        sums = (self.root / "DEBIAN/md5sums").read_text()
        self.assertEqual({line.split("  ", 1)[1] for line in sums.splitlines()}, self.files())

    def files(self):
        """Returns the installed files of the Debian package."""
        paths = {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}
        return {path for path in paths if not path.startswith("DEBIAN/")}

    @unittest.skipUnless(shutil.which("lintian"), "lintian checks the package")
    def test_lintian_finds_nothing(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", self.deb], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_bill_of_materials_is_valid(self):
        program = validator()
        if not program:
            self.skipTest("the validator cannot be installed here")
        with tarfile.open(self.tarball) as files:
            other = self.folder / "tarball.spdx.json"
            other.write_bytes(files.extractfile(f"{files.getnames()[0]}/healthsync.spdx.json").read())
        for bill in (self.root / BILL, other):
            done = subprocess.run([program, "--infile", bill], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), bill)

    def test_the_bill_lists_every_file(self):
        sums = {file["fileName"]: {sum["algorithm"]: sum["checksumValue"] for sum in file["checksums"]}
                for file in self.bill["files"]}
        self.assertEqual(set(sums), {f"./{path}" for path in self.files() - {BILL}})
        for name, stated in sums.items():
            data = (self.root / name).read_bytes()
            self.assertEqual(stated, {"SHA1": hashlib.sha1(data).hexdigest(), "SHA256": hashlib.sha256(data).hexdigest()})
        own = next(one for one in self.bill["packages"] if one["name"] == "healthsync")
        self.assertEqual(own["packageVerificationCode"]["packageVerificationCodeValue"], hashlib.sha1(
            "".join(sorted(sum["SHA1"] for sum in sums.values())).encode()).hexdigest())
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        self.assertIn(commit, own["sourceInfo"])
        version = subprocess.run(["dpkg-deb", "--field", self.deb, "Version"], capture_output=True, text=True).stdout.strip()
        self.assertEqual(own["versionInfo"], version)

    def test_the_bill_lists_every_library(self):
        packages = {one["SPDXID"]: one for one in self.bill["packages"]}
        linked = {"STATIC_LINK": [], "DYNAMIC_LINK": []}
        for relation in self.bill["relationships"]:
            if relation["relationshipType"] in linked and relation["spdxElementId"] == "SPDXRef-Package-healthsync":
                linked[relation["relationshipType"]].append(packages[relation["relatedSpdxElement"]])
        libraries = {name for one in linked["DYNAMIC_LINK"] for name in one["comment"].split(": ")[1].split(", ")}
        self.assertEqual(needed(self.root / "usr/bin/healthsync") - libraries, set())
        self.assertTrue({"libssl.so.3", "libsqlite3.so.0"} <= libraries)
        for one in linked["DYNAMIC_LINK"]:
            installed = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", one["name"]], capture_output=True, text=True)
            self.assertEqual(one["versionInfo"], installed.stdout, one["name"])
        # What the dynamic linker loads, also for those libraries.
        loaded = subprocess.run(["ldd", self.root / "usr/bin/healthsync"], capture_output=True, text=True).stdout
        stated = {name for one in self.bill["packages"] if "comment" in one
                  for name in one["comment"].split(": ")[1].split(", ")}
        self.assertEqual({line.split()[0] for line in loaded.splitlines() if "=>" in line} - stated, set())
        self.assertTrue({"swift", "swift-foundation", "swift-corelibs-libdispatch"} <= {one["name"] for one in linked["STATIC_LINK"]})
        release = re.search(r"Swift version (\S+)", subprocess.run(
            ["swift", "--version"], capture_output=True, text=True).stdout)[1]
        for one in linked["STATIC_LINK"]:
            self.assertEqual(one["versionInfo"], release)

    def test_the_program_is_hardened(self):
        program = self.root / "usr/bin/healthsync"
        dynamic = subprocess.run(["readelf", "-dW", program], capture_output=True, text=True, check=True).stdout
        self.assertRegex(dynamic, r"\(FLAGS\).*BIND_NOW")
        self.assertRegex(dynamic, r"\(FLAGS_1\).*NOW.*PIE")
        self.assertNotRegex(dynamic, r"\((RPATH|RUNPATH|TEXTREL)\)")
        segments = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
        self.assertRegex(segments, r"GNU_RELRO")
        self.assertRegex(segments, r"GNU_STACK.* RW ")


if __name__ == "__main__":
    unittest.main()
