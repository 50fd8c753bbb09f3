import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// `--save` writes options to the configuration, and nothing else in it changes.
@Suite("Saved options")
struct SavedOptionsTests {
    private static let path = "/home/anna/.config/healthsync/config.json"

    /// Returns the configuration after a run with `options`; `nil` for none.
    private func configuration(_ before: String?, after options: String) async throws -> String? {
        let world = StoredWorld()
        var harness = world.harness
        let files = InMemoryFiles(
            ["/work/token": "secret"].merging(before.map { [Self.path: $0] } ?? [:]) { first, _ in first })
        harness.files = files
        let outcome = await harness.run("import --source list --save --no-push \(options)")
        #expect(outcome.status == .done, "\(outcome.errors)")
        guard try files.status(of: Self.path) != nil else { return nil }
        return String(decoding: try files.read(Self.path, limit: 1 << 20), as: UTF8.self)
    }

    @Test("A server is added, also beside other members of the same object")
    func server() async throws {
        let server = "--server https://a.example"
        #expect(
            try await configuration(nil, after: server) == """
                {
                  "server": {
                    "url": "https://a.example"
                  }
                }

                """)
        #expect(
            try await configuration("{\"zone\": \"Europe/Paris\"}", after: server) == """
                {
                  "server": {
                    "url": "https://a.example"
                  },"zone": "Europe/Paris"}
                """)
        #expect(
            try await configuration(#"{"server": {"tokenFile": "/t"}}"#, after: server + " --token-file token") == """
                {"server": {
                    "url": "https://a.example","tokenFile": "/work/token"}}
                """)
        #expect(
            try await configuration(#"{"server" : {"url":"https:\/\/old.example" } }"#, after: server)
                == #"{"server" : {"url":"https://a.example" } }"#)
        #expect(
            try await configuration(#"{"server": {}}"#, after: server)
                == "{\"server\": {\n    \"url\": \"https://a.example\"\n}}")
    }

    @Test("The token file of one server is not kept for another")
    func otherServer() async throws {
        let world = StoredWorld()
        var harness = world.harness
        let before = #"{"server": {"url": "https://a.example", "tokenFile": "/work/token"}}"#
        harness.files = InMemoryFiles([Self.path: before, "/work/token": "secret"])
        #expect(await harness.run("import --source list --save --no-push --server https://b.example").status == .usage)
        #expect(try harness.settings("push").server?.token == "secret")
        #expect(try harness.settings("push --server https://a.example/").server?.token == "secret")
        #expect(try harness.settings("push --server https://b.example").server?.token == nil)
    }

    @Test("Without --save nothing is written, and --save needs something to write")
    func nothing() async throws {
        let world = StoredWorld()
        #expect(await world.run("import --source list --no-push --server https://a.example").status == .done)
        #expect(try world.harness.files.status(of: Self.path) == nil)
        for line in ["import --save", "daily --save --json", "historical --save --source list"] {
            let outcome = await world.run(line)
            #expect(outcome.status == .usage)
        }
    }

    @Test("The zone is written before days are derived, so that an interrupted run leaves no contradiction")
    func interrupted() async throws {
        let world = StoredWorld()
        let path = "/home/anna/.local/share/healthsync/healthsync.sqlite"
        let files = InMemoryFiles([Self.path: #"{"zone": "Europe/Paris"}"#, path: ""])
        var harness = world.harness
        harness.files = files
        #expect(await harness.run("import --source list").status == .done)
        var interrupted = harness
        interrupted.factory.handlers = { _ in [InterruptedHandler()] }
        #expect(await interrupted.run("historical --zone Asia/Tokyo --save").status == .interrupted)
        #expect(String(decoding: try files.read(Self.path, limit: 99), as: UTF8.self) == #"{"zone": "Asia/Tokyo"}"#)
        for _ in 1...2 {
            let outcome = await harness.run("import")
            #expect(outcome.status == .done && outcome.errors == [], "\(outcome.errors)")
            #expect(try await world.stores.tracking.storedDayZones()?.zones.home == "Asia/Tokyo")
        }
    }

    @Test("A run that is rejected before it reads anything writes nothing")
    func rejected() async throws {
        let world = StoredWorld()
        let path = "/home/anna/.local/share/healthsync/healthsync.sqlite"
        let files = InMemoryFiles([Self.path: #"{"zone": "Europe/Paris"}"#, path: ""])
        var harness = world.harness
        harness.files = files
        #expect(await harness.run("import --source list").status == .done)
        #expect(
            await harness.run("daily --days 0 --zone Pacific/Honolulu --save --source list").status == .configuration)
        #expect(String(decoding: try files.read(Self.path, limit: 99), as: UTF8.self) == #"{"zone": "Europe/Paris"}"#)
    }
}

/// A handler during which the user presses Ctrl-C.
private struct InterruptedHandler: HealthMetricSyncHandler {
    var metric: HealthMetric { .steps }
    var reads: [SampleTypeDefinition] { [.stepCount] }
    var version: Int { 1 }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) throws -> DerivedDays {
        throw CancellationError()
    }
}
