"""A test with a generated year in the local database, and a dashboard."""

import os

from support.harness import Dashboard, ProgramTest


class DashboardTest(ProgramTest):
    YEARS = os.environ.get("HEALTHSYNC_DASHBOARD_YEARS", "1")

    def fill(self, *words):
        export, truth = self.generate("export.zip", "--years", self.YEARS, "--seed", "42", "--zone", "Europe/Paris")
        self.configuration = self.configuration_for(truth)
        self.succeed("historical", "--config", self.configuration, "--source", export, "--data-dir", "data", *words)

    def open_dashboard(self, *words):
        dashboard = Dashboard(self, "--config", self.configuration, "--data-dir", "data", *words)
        self.process = dashboard.process
        return dashboard.url

    def command(self, *words):
        return self.json_of(*words, "--config", self.configuration, "--data-dir", "data")
