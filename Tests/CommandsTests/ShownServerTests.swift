import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("The server of which state is shown")
struct ShownServerTests {
    private static let server = "https://example.org"

    @Test("Without a configured server the only one that is known is shown, by every command, and said so")
    func onlyOne() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server \(Self.server)")
        let status = await world.run("status")
        #expect(status.output.contains("\(Self.server) (not configured here; the only one that is known)"))
        let json = await world.run("status --json").output
        #expect(json.contains("\"server\": \"\(Self.server)\""))
        let configured = await world.run("status --json --server \(Self.server)").output
        #expect(configured.contains("\"serverConfigured\": true"))
        #expect(json == configured.replacing("\"serverConfigured\": true", with: "\"serverConfigured\": false"))
        let intervals = await world.run("intervals --json").output
        #expect(intervals.contains("\"server\": \"\(Self.server)\""))
        #expect(intervals.contains("\"synced\": 1"))
    }

    @Test("Of several none is shown as if it were the one")
    func several() async {
        let world = StoredWorld()
        for server in [Self.server, "https://other.example"] {
            _ = await world.run("historical --source list --server \(server)")
        }
        for command in ["status --json", "intervals --json"] {
            #expect(await world.run(command).output.contains("\"server\": null"))
        }
    }

    @Test("That deliveries are held is told by status and doctor, and a resume without a server leaves them held")
    func held() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server \(Self.server)")
        #expect(await world.run("status --json").output.contains("\"held\": false"))
        _ = await world.run("pause")
        #expect(await world.run("status").output.contains("held by `healthsync pause` until `healthsync resume`"))
        let json = await world.run("status --json").output
        #expect(json.contains("\"held\": true"))
        #expect(json.contains("\"paused\": \"held by"))
        #expect(await world.run("doctor").output.contains("held by `healthsync pause`: nothing is sent"))
        for mistake in ["resume", "resume --server \(Self.server) --deadline soon"] {
            #expect(await world.run(mistake).status == .usage)
            #expect(world.hold.isSet())
        }
        let resumed = await world.run("resume --server \(Self.server)")
        #expect(resumed.status == .done && resumed.errors == [])
        #expect(await world.run("doctor").output.contains("held") == false)
    }
}
