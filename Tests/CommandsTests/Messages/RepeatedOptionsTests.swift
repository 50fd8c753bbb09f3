import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// A command in a message concerns the same data and server as the command that the user typed.
@Suite("Options that a message repeats")
struct RepeatedOptionsTests {
    /// A harness whose database is also in the folder `/data`.
    private func harness(_ world: StoredWorld) -> CommandHarness {
        var harness = world.harness
        harness.files = InMemoryFiles([
            "/data/healthsync.sqlite": "", "/home/anna/.local/share/healthsync/healthsync.sqlite": "",
        ])
        return harness
    }

    @Test("A missing database is imported into the same folder, by the same configuration")
    func folder() async {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/work/c.json": "{}"])
        for (options, repeated) in [
            ("--data-dir /data", " --data-dir /data"), ("--data-dir=/data", " --data-dir /data"), ("", ""),
            ("--config /work/c.json --data-dir /data", " --config /work/c.json --data-dir /data"),
        ] {
            let errors = await harness.run("summary \(options)").errors
            #expect(errors.first?.contains("run `healthsync import FILE\(repeated)` first") == true, "\(errors)")
            let json = await harness.run("summary \(options) --json").errors
            #expect(json.first?.contains("run `healthsync import FILE\(repeated)` first") == true, "\(json)")
        }
    }

    @Test(
        "On a terminal each command has its options once, also where a line ends in it", arguments: [50, 66, 80, 100])
    func terminal(width: Int) async throws {
        let world = StoredWorld()
        _ = await world.run("import --source list --metrics steps --no-push --server https://old.example.org")
        var harness = harness(world)
        harness.terminalWidth = width
        let output = await harness.run("status --server https://new.example.org --data-dir /data").output
        let said = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains("outbox forget https://old.example.org --data-dir /data` deletes"), "\(said)")
        #expect(!said.contains("--data-dir --data-dir") && !said.contains("/data /data"), "\(said)")
    }

    @Test("A command that saves its options does not get the server of another command line")
    func saving() async {
        let world = StoredWorld()
        _ = await world.run("import --source list --zone Europe/Paris")
        for server in ["none", "https://a.example"] {
            let errors = await world.run("status --zone Asia/Tokyo --server \(server)").errors.joined()
            #expect(errors.contains("historical --zone Asia/Tokyo --save`"), "\(errors)")
        }
    }

    @Test("Data that look like a command stay as they are")
    func data() async {
        let world = StoredWorld()
        _ = await world.run("shoes add healthsync push")
        let json = await harness(world).run("shoes list --json --data-dir /data").output
        #expect(json.contains("push") && !json.contains("push --data-dir"), "\(json)")
    }

    @Test("A document repeats them in texts and in values that are commands")
    func documents() async throws {
        let world = StoredWorld()
        _ = await world.run("import --source list --metrics steps")
        try await world.stores.tracking.setStoredDayZones(
            StoredDayZones(zones: DayZones(home: "UTC", stays: []), isWhole: false))
        let json = await harness(world).run("status --json --data-dir /data").output
        #expect(json.contains("\"command\": \"healthsync historical --data-dir /data\""), "\(json)")
        #expect(!json.contains("healthsync historical\"") && !json.contains("healthsync historical`"), "\(json)")
    }

    @Test("A value is quoted for a shell")
    func quoted() async {
        for (folder, word) in [
            ("/my data", "'/my data'"), ("/it's", #"'/it'\''s'"#), ("/$HOME", "'/$HOME'"), ("/a_b-c.d", "/a_b-c.d"),
        ] {
            let errors = await CommandHarness().run(words: ["summary", "--data-dir", folder]).errors
            #expect(errors.first?.contains("`healthsync import FILE --data-dir \(word)`") == true, "\(errors)")
        }
    }

    @Test("The server is repeated where a command uses it, unless it was saved")
    func server() async {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        _ = await world.run("daily --source list --no-push --server https://a.example")
        _ = await world.run("pause")
        let status = await world.run("status --server https://a.example").output
        #expect(status.contains("`healthsync resume --server https://a.example`"), "\(status)")
        #expect(await world.run("status").output.contains("`healthsync resume`"))
        let excluded = await world.run("status --server none").output
        #expect(excluded.contains("`healthsync resume --server none`"), "\(excluded)")
    }
}
