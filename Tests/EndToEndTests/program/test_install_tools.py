"""The output of `.ci/install-tools` before it changes anything, with stubs for the system commands."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from support.harness import ROOT


class InstallTools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name)
        for name in ["bash", "sed", "awk", "grep", "find", "sort", "tail", "head", "env"]:
            found = next(p for p in ["/usr/bin", "/bin"] if os.path.exists(f"{p}/{name}"))
            (self.bin / name).symlink_to(f"{found}/{name}")
        self.calls = self.bin / "calls.txt"

    def stub(self, name, script):
        path = self.bin / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        path.chmod(0o755)

    def run_tools(self, *words):
        return subprocess.run(
            [ROOT / ".ci/install-tools", *words], capture_output=True, text=True, env={"PATH": str(self.bin)})

    def bare_debian(self, user):
        """No package is installed."""
        self.stub("swift", "exit 0")
        self.stub("id", f"echo {user}")
        self.stub("dpkg-query", "exit 1")
        self.stub("apt-cache", "echo '  Depends: g++-12'")
        plan = "0 upgraded, 70 newly installed, 0 to remove.\nNeed to get 30.8 MB of archives.\n" + \
            "After this operation, 125 MB of additional disk space will be used."
        self.stub("apt-get", f'if [[ "$*" == *print-uris* ]]; then echo "{plan}"; fi')

    def apt_calls(self):
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in lines if line.startswith("apt-get") and "print-uris" not in line]

    def test_without_swift_it_prints_a_remedy_and_installs_nothing(self):
        self.bare_debian(0)
        (self.bin / "swift").unlink()
        done = self.run_tools()
        self.assertEqual(done.returncode, 1)
        self.assertIn("swift: command not found; install the Swift 6.3 toolchain", done.stderr)
        self.assertEqual(self.apt_calls(), [])

    def test_without_root_and_sudo_it_prints_the_command(self):
        self.bare_debian(1000)
        done = self.run_tools("check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("neither root nor sudo", done.stderr)
        self.assertRegex(done.stderr, r"apt-get update && apt-get install .*libsqlite3-dev .*chromium .*libstdc\+\+-\d+-dev")
        self.assertEqual(self.apt_calls(), [])

    def test_a_build_installs_only_libraries_and_prints_their_size_first(self):
        self.bare_debian(0)
        done = self.run_tools()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("70 packages, 30.8 MB to download, 125 MB on disk; about 1 min", done.stderr)
        update, install = self.apt_calls()
        self.assertEqual(update, "apt-get update -qq")
        for package in ["curl", "libcurl4-openssl-dev", "libsimdjson-dev"]:
            self.assertIn(f" {package} ", install)
        for package in ["postgresql", "chromium", "python3"]:
            self.assertNotIn(package, install)

    def test_the_quick_tests_install_python_and_openssl_only(self):
        self.bare_debian(0)
        self.assertEqual(self.run_tools().returncode, 0)
        build = self.apt_calls()[1].split()
        self.calls.unlink()
        self.assertEqual(self.run_tools("test").returncode, 0)
        self.assertEqual(set(self.apt_calls()[1].split()) - set(build), {"python3", "openssl"})

    def test_the_check_installs_a_server_and_a_browser(self):
        self.bare_debian(0)
        self.assertEqual(self.run_tools("check").returncode, 0)
        for package in ["curl", "postgresql", "chromium", "python3-selenium"]:
            self.assertIn(f" {package} ", self.apt_calls()[1])

    def test_a_package_needs_the_tools_of_dpkg_and_no_server(self):
        self.bare_debian(0)
        self.assertEqual(self.run_tools("package").returncode, 0)
        install = self.apt_calls()[1]
        for package in ["dpkg-dev", "python3", "libcurl4-openssl-dev"]:
            self.assertIn(f" {package} ", install)
        self.assertNotIn("postgresql", install)

    def test_a_user_with_sudo_installs_with_sudo(self):
        self.bare_debian(1000)
        self.stub("sudo", '"$@"')
        done = self.run_tools()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sudo apt-get update -qq", self.calls.read_text())

    def test_without_missing_packages_it_prints_nothing(self):
        self.bare_debian(1000)
        self.stub("dpkg-query", "echo 'install ok installed'")
        done = self.run_tools("check")
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
