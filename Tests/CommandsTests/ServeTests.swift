import HealthSyncCommands
import Synchronization
import Testing

@Suite("serve")
struct ServeTests {
    @Test(
        "--store selects the store",
        arguments: [
            ("", .sqlite(path: "/home/anna/.local/share/healthsync/server/received.db")),
            ("--store sqlite:r.db", .sqlite(path: "/work/r.db")),
            ("--store postgres://anna@db/health", .postgres(conninfo: "postgres://anna@db/health")),
            ("--store postgresql:///health?host=/run", .postgres(conninfo: "postgresql:///health?host=/run")),
            ("--store postgres:service=health", .postgres(conninfo: "service=health")),
        ] as [(String, ReceivedStoreLocation)])
    func stores(option: String, expected: ReceivedStoreLocation) async {
        let asked = Mutex<ReceivedStoreLocation?>(nil)
        var harness = CommandHarness()
        harness.factory.receiving.serve = { request in asked.withLock { $0 = request.store } }
        #expect(await harness.run("serve \(option)").status == .done)
        #expect(asked.withLock { $0 } == expected)
    }

    @Test(
        "Posts of phones are kept next to an SQLite store, or in the folder of --inbox",
        arguments: [
            ("", "/home/anna/.local/share/healthsync/server/received.db-inbox 1073741824"),
            ("--store sqlite:r.db --inbox-quota 5000", "/work/r.db-inbox 5000"),
            ("--store sqlite:r.db --inbox posts", "/work/posts 1073741824"),
            ("--store postgres:service=health", nil),
            ("--store postgres:service=health --inbox /posts", "/posts 1073741824"),
        ] as [(String, String?)])
    func inboxes(options: String, expected: String?) async {
        let asked = Mutex<String?>(nil)
        var harness = CommandHarness()
        harness.factory.receiving.serve = { request in
            asked.withLock { $0 = request.inbox.map { "\($0.folder) \($0.quota)" } }
        }
        #expect(await harness.run("serve \(options)").status == .done)
        #expect(asked.withLock { $0 } == expected)
    }

    @Test("An error does not repeat an invalid store, which may contain a password")
    func noStore() async {
        let outcome = await CommandHarness().run("serve --store mysql://anna:secret@db/health")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.count == 1)
        #expect(!outcome.errors.joined().contains("secret"))
    }

    @Test("A token expires after the day of --expires in UTC")
    func expiry() async throws {
        // The random source of the harness repeats itself, so each token needs its own store.
        let made = await CommandHarness().run("token create --user anna --expires 2030-12-31 --json")
        #expect(made.status == .done)
        #expect(made.output.contains("\"expires\": \"2031-01-01T00:00:00Z\""), "\(made.output)")
        #expect(await CommandHarness().run("token create --expires 2200-12-31").status == .done)
        let never = await CommandHarness().run("token create --json")
        #expect(never.output.contains("\"expires\": null"))
    }

    @Test("--expires rejects days in the past or after 2200", arguments: ["2001-01-01", "2201-01-01", "9999-12-31"])
    func noExpiry(day: String) async {
        let outcome = await CommandHarness().run("token create --expires \(day)")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.first?.hasPrefix("healthsync: --expires: \(day) ") == true, "\(outcome.errors)")
    }

    @Test("Token commands fail if the store does not exist", arguments: ["token list", "token revoke 00"])
    func noTokens(command: String) async {
        let outcome = await CommandHarness().run("\(command) --store sqlite:nowhere/received.db")
        #expect(outcome.status == .noInput)
        #expect(outcome.errors.first?.contains("/work/nowhere/received.db: no store exists there") == true)
    }

    @Test("--jsonl requires SQLite")
    func lines() async {
        let harness = CommandHarness()
        #expect(await harness.run("serve --jsonl lines").status == .done)
        let outcome = await harness.run("serve --jsonl lines --store postgres://anna@db/health")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.first?.hasPrefix("healthsync: --jsonl: not available with PostgreSQL") == true)
    }
}
