import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("The server in status output")
struct ShownServerTests {
    private static let server = "https://example.org"

    @Test("Without a configured server, every command shows the only known one")
    func onlyOne() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server \(Self.server)")
        let status = await world.run("status")
        #expect(status.output.contains("\(Self.server) (not configured; the only known server)"))
        let json = await world.run("status --json").output
        #expect(json.contains("\"server\": \"\(Self.server)\""))
        let configured = await world.run("status --json --server \(Self.server)").output
        #expect(configured.contains("\"serverConfigured\": true"))
        #expect(json == configured.replacing("\"serverConfigured\": true", with: "\"serverConfigured\": false"))
        let intervals = await world.run("intervals --json").output
        #expect(intervals.contains("\"server\": \"\(Self.server)\""))
        #expect(intervals.contains("\"synced\": 1"))
    }

    @Test("With several known servers none is shown")
    func several() async {
        let world = StoredWorld()
        for server in [Self.server, "https://other.example"] {
            _ = await world.run("historical --source list --server \(server)")
        }
        for command in ["status --json", "intervals --json"] {
            #expect(await world.run(command).output.contains("\"server\": null"))
        }
    }

    @Test("doctor reports rejected items in the words of status, and nothing if all was delivered")
    func rejected() async {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        #expect(
            await world.run("daily --source list --metrics heartRate --server \(Self.server)").status == .partial)
        let text = "1 item rejected: the server's reason: no"
        #expect(await world.run("status").output.contains(text))
        let findings = await world.run("doctor").output
        #expect(findings.contains("delivery") && findings.contains("\(text); run: healthsync outbox list"))
        let delivered = StoredWorld()
        _ = await delivered.run("historical --source list --server \(Self.server)")
        #expect(await !delivered.run("doctor").output.contains("delivery"))
    }

    @Test("status and doctor show a pause, which resume ends, with or without a server")
    func paused() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server \(Self.server)")
        #expect(await world.run("status --json").output.contains("\"held\": false"))
        _ = await world.run("pause")
        #expect(await world.run("status").output.contains("held by your pause since 2024-03-15 "))
        let json = await world.run("status --json").output
        #expect(json.contains("\"held\": true") && json.contains("\"heldSince\": \"2024-03-15T13:45:00Z\""))
        #expect(json.contains("\"paused\": \"paused by"))
        #expect(await world.run("doctor").output.contains("held by your pause since 2024-03-15 "))
        #expect(await world.run("resume --server \(Self.server) --deadline soon").status == .usage)
        #expect(world.hold.isSet())
        let ended = await world.run("resume")
        #expect(ended.status == .done && ended.output.contains("no longer paused; no server is configured"))
        #expect(!world.hold.isSet())
        _ = await world.run("pause")
        let resumed = await world.run("resume --server \(Self.server)")
        #expect(resumed.status == .done && resumed.errors == [])
        #expect(await world.run("doctor").output.contains("pause") == false)
    }
}
