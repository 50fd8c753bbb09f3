import HealthSyncCommands
import Synchronization
import Testing

@Suite("serve")
struct ServeTests {
    @Test(
        "--store names the place where records are kept",
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

    @Test("An address that is none is not repeated, since it may hold a password")
    func noStore() async {
        let outcome = await CommandHarness().run("serve --store mysql://anna:secret@db/health")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.count == 1)
        #expect(!outcome.errors.joined().contains("secret"))
    }

    @Test("Lines go with SQLite only")
    func lines() async {
        let harness = CommandHarness()
        #expect(await harness.run("serve --jsonl lines").status == .done)
        let outcome = await harness.run("serve --jsonl lines --store postgres://anna@db/health")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.first?.hasPrefix("healthsync: --jsonl: several servers") == true)
    }
}
