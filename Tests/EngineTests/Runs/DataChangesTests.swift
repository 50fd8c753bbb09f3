import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Changes of the local store") struct DataChangesTests {
    private let bench = EngineBench()

    /// Returns what changed by `change` after everything before it was seen.
    private func changes(_ change: () async throws -> Void) async throws -> DataChange {
        var state = DataChanges.State()
        _ = try await bench.engine.changes.run(since: &state)
        try await change()
        let found = try await bench.engine.changes.run(since: &state)
        #expect(try await bench.engine.changes.run(since: &state).isEmpty)
        return found
    }

    private func commit(_ fill: (inout SyncCommit) -> Void) async throws {
        var commit = SyncCommit(metric: .steps)
        fill(&commit)
        try await bench.stores.tracking.commit(commit)
    }

    @Test("The first look finds everything")
    func everything() async throws {
        try await commit {
            $0.progress = [StoreSamples.progress(.steps, day: 1, quantity: 2)]
            $0.sleep = [StoreSamples.session("a", day: 2)]
            $0.snapshots = [StoreSamples.snapshot(day: 3, steps: 4)]
        }
        var state = DataChanges.State()
        let found = try await bench.engine.changes.run(since: &state)
        #expect(found.days == [.steps: [StoreSamples.day(1)], .sleep: [StoreSamples.day(2)]])
        #expect(found.snapshotDays == [StoreSamples.day(3)] && !found.hasOtherShoes && !found.hasOtherZones)
    }

    @Test("A record is new, has another revision, or is deleted")
    func records() async throws {
        let steps = { StoreSamples.progress(.steps, day: $0, quantity: Double($1), revision: $1) }
        let new = try await changes { try await commit { $0.progress = [steps(1, 1), steps(2, 1)] } }
        #expect(new.days == [.steps: [StoreSamples.day(1), StoreSamples.day(2)]])
        let again = try await changes { try await commit { $0.progress = [steps(1, 1), steps(2, 2)] } }
        #expect(again.days == [.steps: [StoreSamples.day(2)]])
        let gone = try await changes {
            try await commit { $0.removedProgress = [ProgressKey(metric: .steps, day: StoreSamples.day(1))] }
        }
        #expect(gone.days == [.steps: [StoreSamples.day(1)]])
    }

    @Test("A night that moves to another day changes both days")
    func nights() async throws {
        _ = try await changes { try await commit { $0.sleep = [StoreSamples.session("a", day: 1)] } }
        let moved = try await changes {
            try await commit { $0.sleep = [StoreSamples.session("a", day: 2, revision: 2)] }
        }
        #expect(moved.days == [.sleep: [StoreSamples.day(1), StoreSamples.day(2)]])
        let gone = try await changes { try await commit { $0.removedSleep = ["a"] } }
        #expect(gone.days == [.sleep: [StoreSamples.day(2)]])
    }

    @Test("Snapshots, shoes and zones are found, each alone")
    func others() async throws {
        let snapshots = try await changes {
            try await commit { $0.snapshots = [StoreSamples.snapshot(day: 1, steps: 1)] }
        }
        #expect(snapshots.snapshotDays == [StoreSamples.day(1)] && snapshots.days.isEmpty && !snapshots.hasOtherShoes)
        let shoes = try await changes {
            var change = ShoeChange()
            change.shoes = [
                Shoe(id: UUID(), details: ShoeDetails(brand: "A", model: "B"), addedAt: Instant(seconds: 0))
            ]
            try await bench.stores.shoes.commit(change)
        }
        #expect(shoes.hasOtherShoes && !shoes.hasOtherZones && shoes.days.isEmpty && shoes.snapshotDays.isEmpty)
        let zones = try await changes {
            try await bench.stores.tracking.setStoredDayZones(
                StoredDayZones(zones: DayZones(home: "Asia/Tokyo", stays: []), isWhole: true))
        }
        #expect(zones.hasOtherZones && !zones.hasOtherShoes && zones.days.isEmpty)
    }

    @Test("Merged changes contain those of both")
    func merge() {
        var (one, two) = (DataChange(), DataChange())
        one.days = [.steps: [StoreSamples.day(1)]]
        one.hasOtherShoes = true
        two.days = [.steps: [StoreSamples.day(2)], .sleep: [StoreSamples.day(1)]]
        two.snapshotDays = [StoreSamples.day(3)]
        two.hasOtherZones = true
        one.merge(two)
        #expect(one.days == [.steps: [StoreSamples.day(1), StoreSamples.day(2)], .sleep: [StoreSamples.day(1)]])
        #expect(one.snapshotDays == [StoreSamples.day(3)] && one.hasOtherShoes && one.hasOtherZones)
        #expect(DataChange().isEmpty && !one.isEmpty)
    }
}
