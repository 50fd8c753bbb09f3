import HealthSyncDomain
import Testing

@testable import HealthSyncCommands

@Suite struct ServiceCommandTests {
    private static let folder = "/home/anna/.config/systemd/user"

    /// A harness whose service manager answers with `results` by first word, and the calls it received.
    private func world(
        _ results: [String: ServiceFactory.Result] = [:]
    ) -> (harness: CommandHarness, calls: Collected) {
        let calls = Collected()
        var harness = CommandHarness()
        harness.factory.services = ServiceFactory(program: "/opt/hs/bin/healthsync") { words in
            calls.add(words.joined(separator: " "))
            return results[words[0]] ?? ServiceFactory.Result(status: 0)
        }
        return (harness, calls)
    }

    @Test func `install writes units of this program and starts them`() async throws {
        let (harness, calls) = world()
        let outcome = await harness.run("service install daily watch --listen 127.0.0.1:8000 --data-dir data")
        #expect(outcome.status == .done)
        #expect(
            calls.all == [
                "daemon-reload", "enable healthsync-daily.timer healthsync-watch.service",
                "restart healthsync-daily.timer healthsync-watch.service",
            ])
        let daily = try #require(harness.files.text(Self.folder + "/healthsync-daily.service"))
        #expect(daily.contains("ExecStart=/opt/hs/bin/healthsync daily --quiet --data-dir /work/data\n"))
        let watch = try #require(harness.files.text(Self.folder + "/healthsync-watch.service"))
        #expect(watch.contains("watch --listen 127.0.0.1:8000 --data-dir /work/data\n"))
        #expect(harness.files.text(Self.folder + "/healthsync-daily.timer")?.contains("OnCalendar=") == true)
    }

    @Test(arguments: [
        ("--dashboard", "--dashboard\n"), ("--dashboard=127.0.0.1:9000", "--dashboard=127.0.0.1:9000\n"),
    ]) func `the unit of watch shows the dashboard`(_ option: String, _ end: String) async throws {
        let (harness, _) = world()
        #expect(await harness.run("service install watch --listen 0.0.0.0:8000 --lan \(option)").status == .done)
        let watch = try #require(harness.files.text(Self.folder + "/healthsync-watch.service"))
        #expect(watch.contains("ExecStart=/opt/hs/bin/healthsync watch --listen 0.0.0.0:8000 --lan \(end)"))
    }

    @Test func `a token is a credential, and words are quoted`() {
        let text = UnitText(
            service: .daily, program: "/opt/h s/healthsync", words: ["daily", "--data-dir", "/d/100%$x\""],
            tokenFile: "/t/50%"
        ).text("healthsync-daily.service")
        #expect(text.contains(#"ExecStart="/opt/h s/healthsync" daily --data-dir "/d/100%%$$x\""#))
        #expect(text.contains("LoadCredential=token:/t/50%%\nEnvironment=HEALTHSYNC_TOKEN_FILE=%d/token\n"))
    }

    @Test(arguments: [
        "service install weekly", "service install --keep 3", "service install backup --keep 0",
        "service install watch --listen nowhere:x", "service install daily --lan",
        "service install daily --dashboard", "service install watch --dashboard=0.0.0.0:8765",
    ]) func `invalid command lines write nothing`(_ line: String) async throws {
        let (harness, calls) = world()
        #expect(await harness.run(line).status == .usage)
        #expect(calls.all.isEmpty)
        #expect(try harness.files.names(in: Self.folder).isEmpty)
    }

    @Test func `a manager that fails is reported`() async {
        let (harness, _) = world(["daemon-reload": .init(status: 1, errors: "Failed to connect to bus\n")])
        let outcome = await harness.run("service install")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.errors.first?.contains("Failed to connect to bus") == true)
    }

    @Test func `remove deletes what install wrote`() async throws {
        let (harness, calls) = world()
        #expect(await harness.run("service install daily backup").status == .done)
        #expect(try harness.files.names(in: Self.folder).count == 4)
        #expect(await harness.run("service remove").output == "removed: daily, backup\n")
        #expect(try harness.files.names(in: Self.folder).isEmpty)
        #expect(calls.all.suffix(2).first == "disable --now healthsync-daily.timer healthsync-backup.timer")
        #expect(await harness.run("service remove").output == "no service is installed\n")
    }

    @Test func `status states the next run and the result of the last one`() async {
        let shown = """
            LoadState=loaded
            ActiveState=active
            UnitFileState=enabled
            NextElapseUSecRealtime=Tue 2024-01-16 06:03:00 CET
            Result=exit-code
            ExecMainStatus=66
            ExecMainExitTimestamp=Mon 2024-01-15 06:01:00 CET
            """
        let (harness, _) = world(["show": .init(status: 0, output: shown)])
        let outcome = await harness.run("service status daily")
        #expect(outcome.status == .metricFailed)
        #expect(outcome.output.contains("waiting, next run Tue 2024-01-16 06:03:00 CET, last run failed at Mon"))
        #expect(outcome.output.contains("with status 66"))
        let (absent, _) = world(["show": .init(status: 0, output: "LoadState=not-found\nActiveState=inactive\n")])
        let none = await absent.run("service status")
        #expect(none.status == .done)
        #expect(none.output.contains("not installed"))
    }
}
