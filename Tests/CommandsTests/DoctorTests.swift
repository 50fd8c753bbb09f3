import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Testing

@Suite("doctor")
struct DoctorTests {
    @Test("A fresh machine has one warning, about the sources")
    func fresh() async {
        let outcome = await CommandHarness().run("doctor")
        #expect(outcome.status == .done)
        #expect(
            outcome.output == """
                ok       healthsync     1.2.3
                ok       configuration  none; using defaults
                ok       time zone      Europe/Paris, now 2024-01-15 13:00
                ok       zone rules     /usr/share/zoneinfo, version 2024a
                ok       metrics        steps, sleep, and every other quantity in the data
                ok       data folder    /home/anna/.local/share/healthsync, created by the first run
                ok       disk           500,000 MB free
                ok       database       none yet; the first run creates it
                warning  sources        none configured; name them with --source or as "sources" in the configuration
                ok       server         none is configured; nothing is sent
                ok       zip            1.7

                """)
    }

    @Test("Each problem is reported with advice, and the status is 1")
    func wrong() async {
        var harness = CommandHarness()
        harness.variables["HEALTHSYNC_SERVR"] = "x"
        harness.files = InMemoryFiles(["/db/healthsync.sqlite": ""], permissions: 0o644, free: 900_000)
        harness.files.addFolder("/db", permissions: 0o755)
        let outcome = await harness.run(
            "doctor --data-dir /db --source /none.zip --server http://example.org")
        #expect(outcome.status == .metricFailed)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        for expected in [
            "warning  environment    unknown variable HEALTHSYNC_SERVR; did you mean HEALTHSYNC_SERVER?",
            "warning  data folder    other users can access /db; run: chmod 700 /db",
            "error    disk           0 MB free; free some space",
            "ok       database       sound",
            "warning  database       other users can read /db/healthsync.sqlite; run: chmod 600 /db/healthsync.sqlite",
            "error    source         /none.zip: no such file; check the path",
            "warning  server         connections to http://example.org are not encrypted; use https://, or a tunnel to a "
                + "server on this machine",
            "ok       server         http://example.org answers",
        ] {
            #expect(lines.contains(expected), "\(expected)\n\(outcome.output)")
        }
    }

    @Test("An unreadable configuration is a finding, and the checks continue")
    func brokenConfiguration() async {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/c.json": "{"])
        let outcome = await harness.run("doctor --config /c.json --json")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.output.contains(#""worst": "error""#))
        #expect(outcome.output.contains("invalid JSON"))
        #expect(outcome.output.contains(#""subject": "zip""#))
    }

    @Test("The server is contacted only with --online")
    func offline() async {
        var harness = CommandHarness()
        harness.variables["HEALTHSYNC_SERVER"] = "https://example.org"
        #expect(
            await harness.run("doctor").output.contains(
                "https://example.org, not contacted; add --online to contact it"))
        #expect(await harness.run("doctor --online").output.contains("https://example.org answers"))
    }

    @Test("A folder that is not writable is an error")
    func readOnly() async {
        let harness = CommandHarness()
        harness.files.addFolder("/db", permissions: 0o500)
        let outcome = await harness.run("doctor --data-dir /db")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.output.contains("/db is not writable"))
    }
}
