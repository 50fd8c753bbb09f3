package import HealthSyncDomain
package import HealthSyncPorts

/// A store of samples whose process dies at one of its changes; every later change fails.
package final class DyingPages: SamplePageStore {
    private let store: any SamplePageStore
    private let fuse: Fuse

    /// Dies with the other stores of `fuse`.
    package init(_ store: any SamplePageStore, fuse: Fuse) {
        self.store = store
        self.fuse = fuse
    }

    package func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result {
        try await fuse.change(of: "pages") { try await store.changePages(body) }
    }

    package func pageDigests(
        of types: [SampleType], utcDays days: DayRange
    ) async throws -> [CalendarDay: [ContentDigest]] {
        try await store.pageDigests(of: types, utcDays: days)
    }

    package func pages(of types: [SampleType], utcDays days: DayRange) async throws -> [PackedPage] {
        try await store.pages(of: types, utcDays: days)
    }

    package func deletedRows(of types: [SampleType], utcDays days: DayRange) async throws -> [DeletedRow] {
        try await store.deletedRows(of: types, utcDays: days)
    }

    package func longestSample(of types: [SampleType]) async throws -> Int64 {
        try await store.longestSample(of: types)
    }

    package func dayExtent(of types: [SampleType]) async throws -> DayRange? {
        try await store.dayExtent(of: types)
    }

    package func storedTypes() async throws -> [SampleTypeDefinition] { try await store.storedTypes() }

    package func knownTypes() async throws -> [SampleTypeDefinition] { try await store.knownTypes() }

    package func importedSource(path: String) async throws -> ImportedSource? {
        try await store.importedSource(path: path)
    }

    package func importedSources() async throws -> [ImportedSource] { try await store.importedSources() }

    package func sourceNames() async throws -> [String] { try await store.sourceNames() }
    package func daysWithoutNotations() async throws -> Int { try await store.daysWithoutNotations() }
    package func unsentSamples() async throws -> UnsentSamples { try await store.unsentSamples() }
}
