import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

/// A file that the user sends on a page is imported as `import FILE --zone ZONE --save` imports it.
@Suite("Imports that pages start")
struct PageImportTests {
    private static let file = UploadedFile(name: "export.zip", path: "/data/uploads/export.zip", bytes: 3)
    private static let configuration = "/home/anna/.config/healthsync/config.json"

    /// What a test saw: the imports, the errors of `importFile`, and how often the file was released.
    private struct Seen: Sendable {
        var imports: [StartedImport] = []
        var failures: [SyncFailure] = []
        var released = 0
        var assumed: [String?] = []
    }

    private func seen(_ zones: [String?], in world: StoredWorld, waits: Bool = true) async -> Seen {
        let seen = Mutex(Seen())
        let box = Box(seen)
        var world = world
        world.harness.factory.showDashboard = { request in
            let actions = request.importActions
            for zone in zones {
                box.change { $0.assumed.append(nil) }
                let assumed = await actions.assumedZone()
                box.change { $0.assumed[$0.assumed.count - 1] = assumed }
                do {
                    try await actions.importFile(Self.file, zone: zone) { box.change { $0.released += 1 } }
                    while waits, await actions.lastImport()?.outcome == nil { await Task.yield() }
                } catch let failure as SyncFailure {
                    box.change { $0.failures.append(failure) }
                }
                if let last = await actions.lastImport() { box.change { $0.imports.append(last) } }
            }
        }
        _ = await world.run("dashboard")
        return box.value
    }

    private final class Box: Sendable {
        private let state: Mutex<Seen>
        init(_ state: consuming sending Mutex<Seen>) { self.state = state }
        var value: Seen { state.withLock { $0 } }
        func change(_ body: (inout Seen) -> Void) { state.withLock { body(&$0) } }
    }

    @Test("An import derives all days, and its zone is in the configuration")
    func imported() async throws {
        let world = StoredWorld()
        let seen = await seen(["Europe/Paris", nil], in: world)
        #expect(seen.failures == [])
        #expect(seen.imports.map(\.isGood) == [true, true])
        #expect(seen.imports.first?.file == "export.zip")
        #expect(seen.imports.first?.outcome?.hasPrefix("8 new samples imported; days from 2024-01-") == true)
        #expect(seen.imports.last?.outcome?.hasPrefix("nothing new in it; ") == true)
        #expect(seen.released == 2)
        // The zone is no question any more.
        #expect(seen.assumed.map { $0 != nil } == [true, false])
        #expect(world.harness.files.text(Self.configuration)?.contains("\"zone\": \"Europe/Paris\"") == true)
        #expect(try await world.stores.tracking.storedDayZones()?.zones.home == "Europe/Paris")
        #expect(try await world.stores.runs.lastRuns(limit: 1).first?.command == .imported)
    }

    @Test("An unknown zone starts nothing")
    func unknownZone() async {
        let seen = await seen(["Europe/Atlantis"], in: StoredWorld())
        #expect(seen.failures.map(\.code) == [.usage] && seen.failures.first?.subject == "zone")
        #expect(seen.imports == [] && seen.released == 1)
    }

    @Test("There is one import at a time")
    func busy() async {
        var world = StoredWorld()
        let source = ListSource(location: "/work/list")
        let gate = Gate()
        world.harness.factory.sources = { _, _ in
            await gate.wait()
            return FoundSources([source])
        }
        let box = Box(Mutex(Seen()))
        world.harness.factory.showDashboard = { request in
            try await request.importActions.importFile(Self.file, zone: nil) {}
            for _ in 0..<2 {
                do {
                    try await request.importActions.importFile(Self.file, zone: nil) { box.change { $0.released += 1 } }
                } catch let failure as SyncFailure {
                    box.change { $0.failures.append(failure) }
                }
            }
            gate.open()
            while await request.importActions.lastImport()?.outcome == nil { await Task.yield() }
        }
        _ = await world.run("dashboard")
        #expect(box.value.failures.map(\.code) == [.busy, .busy])
        #expect(box.value.released == 2)
    }

    @Test("A failure names the file as the user knows it")
    func failure() async {
        var world = StoredWorld()
        world.harness.factory.sources = { path, _ in
            throw SyncFailure(.badInput, subject: path, reason: "no export", advice: "choose another file")
        }
        let seen = await seen([nil], in: world)
        #expect(seen.imports.first?.outcome == "no export; choose another file")
        #expect(seen.imports.first?.isGood == false)
        #expect(seen.released == 1)
    }

    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        func open() { isOpen.withLock { $0 = true } }
        func wait() async { while !isOpen.withLock({ $0 }) { await Task.yield() } }
    }
}
