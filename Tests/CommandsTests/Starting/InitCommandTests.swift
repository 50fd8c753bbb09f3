import HealthSyncDomain
import HealthSyncPorts
import Synchronization
import Testing

@testable import HealthSyncCommands

@Suite struct InitCommandTests {
    private static let path = "/home/anna/.config/healthsync/config.json"

    @Test func `options answer the questions, and the file has the mode 0600`() async throws {
        var world = CommandHarness()
        world.files = InMemoryFiles(["/work/export.zip": "", "/work/token": "secret"])
        let outcome = await world.run(
            "init --yes --no-run --zone Europe/Berlin --source export.zip --server https://h.example --token-file token"
        )
        #expect(outcome.status == .done)
        #expect(
            world.files.text(Self.path) == """
                {
                  "sources": [
                    "/work/export.zip"
                  ],
                  "zone": "Europe/Berlin",
                  "server": {
                    "url": "https://h.example",
                    "tokenFile": "/work/token"
                  }
                }

                """)
        #expect(try world.files.status(of: Self.path)?.permissions == 0o600)
        // The file states the settings of the options.
        let settings = try world.settings("status")
        #expect(settings.sources == ["/work/export.zip"])
        #expect(settings.server?.url == "https://h.example")
        #expect(settings.server?.token == "secret")
    }

    @Test func `an invalid answer is asked for again`() async throws {
        var world = CommandHarness()
        world.files = InMemoryFiles(["/work/export.zip": ""])
        world.answers = ["missing.zip", "export.zip", "Europe/Nowhere", " Europe/Rome ", ""]
        let questions = Collected()
        world.asked = { questions.add($0) }
        let outcome = await world.run("init --no-run")
        #expect(outcome.status == .done)
        #expect(outcome.errors.count == 2)
        #expect(outcome.errors.first?.contains("no such file or folder") == true)
        #expect(outcome.errors.last?.contains("unknown time zone") == true)
        #expect(questions.all.dropFirst(2).first == "Time zone of your days [Europe/Paris]: ")
        #expect(questions.all.count == 5)
        #expect(try world.settings("status").sources == ["/work/export.zip"])
        #expect(world.files.text(Self.path)?.contains("Europe/Rome") == true)
    }

    @Test func `without a terminal and --yes nothing is written`() async {
        let world = CommandHarness()
        let outcome = await world.run("init --zone UTC")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.first?.contains("add --yes") == true)
        #expect(world.files.text(Self.path) == nil)
    }

    @Test func `an existing configuration is replaced only with consent`() async {
        var world = CommandHarness()
        world.files = InMemoryFiles([Self.path: "{}"])
        #expect(await world.run("init --yes --no-run").status == .cannotCreate)
        world.confirmation = false
        world.answers = ["", "", ""]
        #expect(await world.run("init --no-run").status == .interrupted)
        #expect(world.files.text(Self.path) == "{}")
        world.confirmation = true
        #expect(await world.run("init --no-run").status == .done)
        // The default is only a guess, which the first import must check.
        #expect(world.files.text(Self.path) == "{}\n")
        #expect(await world.run("init --yes --replace --no-run --zone Europe/Paris").status == .done)
        #expect(world.files.text(Self.path)?.contains("Europe/Paris") == true)
        #expect(await world.run("init --yes --replace --no-run --zone UTC").status == .done)
        #expect(world.files.text(Self.path)?.contains("UTC") == true)
        #expect(world.files.text(Self.path + ".bak")?.contains("Europe/Paris") == true)
    }

    @Test func `a zone that the user types is written, also if it is the default`() async {
        var world = CommandHarness()
        world.answers = ["", "Europe/Paris", ""]
        #expect(await world.run("init --no-run").status == .done)
        #expect(world.files.text(Self.path)?.contains("Europe/Paris") == true)
    }

    @Test func `the first run imports the sources`() async {
        var world = StoredWorld()
        world.harness.files = InMemoryFiles(["/work/list": ""])
        let outcome = await world.run("init --yes --zone UTC --source list")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("2 days"))
        #expect(world.harness.files.text(Self.path)?.contains("/work/list") == true)
    }
}
