package import HealthSyncDomain
package import HealthSyncPorts

/// A store of intervals whose process dies at one of its changes; every later change fails.
package final class DyingIntervals: SyncIntervalStore {
    private let store: any SyncIntervalStore
    private let fuse: Fuse

    /// Dies with the other stores of `fuse`.
    package init(_ store: any SyncIntervalStore, fuse: Fuse) {
        self.store = store
        self.fuse = fuse
    }

    private func change<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await fuse.change(of: "intervals", body)
    }

    package func layeredTypes() async throws -> [SampleType: LayeredType] { try await store.layeredTypes() }

    package func intervalCount(of type: SampleType) async throws -> Int { try await store.intervalCount(of: type) }

    package func intervals(of type: SampleType) async throws -> [SyncInterval] {
        try await store.intervals(of: type)
    }

    package func statuses(of type: SampleType, destination: String?) async throws -> [IntervalStatus] {
        try await store.statuses(of: type, destination: destination)
    }

    package func unoffered(
        of type: SampleType, destination: String, in range: InstantRange
    ) async throws -> [SyncInterval] {
        try await store.unoffered(of: type, destination: destination, in: range)
    }

    package func deliveries(of type: SampleType) async throws -> [String: [Instant: Bool]] {
        try await store.deliveries(of: type)
    }

    package func changedPages(of type: SampleType) async throws -> [ChangedPage] {
        try await store.changedPages(of: type)
    }

    package func revisions(of type: SampleType) async throws -> [SampleID: SampleRevision] {
        try await store.revisions(of: type)
    }

    package func commit(_ commit: LayeringCommit) async throws -> Int {
        try await change { try await store.commit(commit) }
    }

    package func forgetDelivered(of type: SampleType, destination: String, in range: InstantRange) async throws {
        try await change { try await store.forgetDelivered(of: type, destination: destination, in: range) }
    }

    package func clear() async throws -> Int { try await change { try await store.clear() } }
}
