import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Rejected items and exports")
struct StoredRecordTests {
    @Test("A list that is limited reports how many items there are of each state, like `status`")
    func limit() async {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        _ = await world.run("daily --source list --metrics steps --server https://example.org")
        let all = await world.run("outbox list").output.split(separator: "\n").count - 1
        #expect(all > 1)
        let listed = await world.run("outbox list --limit 1").output
        #expect(listed.hasSuffix("\n\n1 of \(all) rejected items; list more with --limit\n"), "\(listed)")
        #expect(await world.run("status --server https://example.org").output.contains(" \(all) rejected"))
        #expect(!(await world.run("outbox list --limit \(all)").output.contains("--limit")))
    }

    @Test("Rejected items can be listed, shown, retried and dropped, but only by id or with --all")
    func outbox() async {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        let run = await world.run("daily --source list --metrics heartRate --server https://example.org")
        #expect(run.status == .partial)
        #expect(run.output.contains("https://example.org: 0 records delivered, 1 rejected"))
        #expect(
            await world.run("outbox list").output == """
                id  state     kind      record                attempts  changed           reason
                 1  rejected  progress  heartRate/2024-01-15         1  2024-01-15 13:00  no (200)

                """)
        #expect(await world.run("outbox show 1").output.contains("\nrevision  1705320000000\n"))
        #expect(await world.run("outbox show 2").status == .usage)
        #expect(await world.run("outbox show one").status == .usage)
        #expect(await world.run("outbox drop").status == .usage)
        #expect(await world.run("outbox retry --all 1").status == .usage)
        #expect(await world.run("outbox list --state delivered").output == "the outbox is empty\n")
        for line in ["outbox drop 99", "outbox retry 99", "outbox drop 1 99", "outbox retry 99 1"] {
            let outcome = await world.run(line)
            #expect(outcome.status == .usage && outcome.errors.joined().contains("no item 99"), "\(line)")
            #expect(await world.run("outbox list --state dead").output.contains("heartRate/2024-01-15"), "\(line)")
        }
        #expect(await world.run("outbox retry 1").output == "1 item waits for the next delivery\n")
        #expect(await world.run("outbox list --state dead").output == "the outbox is empty\n")
        for line in ["outbox drop 1", "outbox retry 1"] { #expect(await world.run(line).status == .usage, "it waits") }
        #expect(await world.run("push --server https://example.org").status == .partial)
        #expect(await world.run("outbox drop --all").output == "1 item deleted\n")
        #expect(await world.run("outbox list").output == "the outbox is empty\n")
    }

    @Test("A deletion is listed with the entry that it removes")
    func deletions() async throws {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        let items = ["09", "10"].map { hour in
            let id = "steps/hour/2024-01-15/2024-01-15T\(hour):00:00Z"
            return NewOutboxItem(
                destination: "https://example.org", kind: .progress, dedupKey: "\(id)@2",
                orderingKey: "steps/2024-01-15", revision: 2, isTombstone: true, payload: [], recordIDs: [id])
        }
        _ = try await world.stores.outbox.enqueue(items)
        let listed = await world.run("outbox list").output.split(separator: "\n").dropFirst()
        #expect(listed.count == 2)
        for (line, hour) in zip(listed, ["09", "10"]) {
            #expect(line.contains("progress (deletion)  steps/hour/2024-01-15/2024-01-15T\(hour):00:00Z  "), "\(line)")
        }
    }

    @Test("All or selected samples are exported")
    func export() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        #expect(await world.run("export --out a.csv").output == "8 samples written to /work/a.csv\n")
        #expect(world.rows.all.count == 8)
        let some = await world.run("export --out a --format jsonl --types stepCount --from 2024-01-15")
        #expect(some.output == "1 sample written to /work/a\n")
        #expect(world.rows.all.last?.value == 1_250)
        #expect(await world.run("export --out a").errors.first?.contains("--format: missing") == true)
        #expect(await world.run("export --out a.csv --types steps").status == .usage)
        #expect(await world.run("export").status == .usage)
    }
}
