import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Testing

@Suite("doctor")
struct DoctorTests {
    @Test("A fresh machine is well, but for the sources")
    func fresh() async {
        let outcome = await CommandHarness().run("doctor")
        #expect(outcome.status == .done)
        #expect(
            outcome.output == """
                ok       healthsync     1.2.3
                ok       configuration  none: defaults hold
                ok       time zone      Europe/Paris, now 2024-01-15 13:00
                ok       zone rules     /usr/share/zoneinfo, version 2024a
                ok       metrics        steps, sleep
                ok       data folder    /home/anna/.local/share/healthsync, made by the first run
                ok       disk           500,000 MB free
                ok       database       none yet: the first run makes it
                warning  sources        none are named; name them in the configuration or with --source
                ok       server         none: everything stays local
                ok       zip            1.7

                """)
    }

    @Test("What is wrong is found, each with advice, and the status says so")
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
            "warning  environment    HEALTHSYNC_SERVR is not a variable that is read; did you mean HEALTHSYNC_SERVER?",
            "warning  data folder    /db can be entered by others; run: chmod 700 /db",
            "error    disk           0 MB free; make room",
            "ok       database       sound",
            "warning  database       /db/healthsync.sqlite can be read by others; run: chmod 600 /db/healthsync.sqlite",
            "error    source         /none.zip: no such file; check the path",
            "warning  server         http://example.org is not encrypted; use https://, or a tunnel to a server on this machine",
            "ok       server         http://example.org answers",
        ] {
            #expect(lines.contains(expected), "\(expected)\n\(outcome.output)")
        }
    }

    @Test("A configuration that cannot be read is a finding and not the end")
    func brokenConfiguration() async {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/c.json": "{"])
        let outcome = await harness.run("doctor --config /c.json --json")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.output.contains(#""worst": "error""#))
        #expect(outcome.output.contains("is no JSON document"))
        #expect(outcome.output.contains(#""subject": "zip""#))
    }

    @Test("The server is not asked unless that is wished for")
    func offline() async {
        var harness = CommandHarness()
        harness.variables["HEALTHSYNC_SERVER"] = "https://example.org"
        #expect(await harness.run("doctor").output.contains("https://example.org, not asked; --online asks it"))
        #expect(await harness.run("doctor --online").output.contains("https://example.org answers"))
    }

    @Test("A folder that cannot be written to is an error")
    func readOnly() async {
        let harness = CommandHarness()
        harness.files.addFolder("/db", permissions: 0o500)
        let outcome = await harness.run("doctor --data-dir /db")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.output.contains("/db cannot be written to"))
    }
}
