package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An in-memory store of sample pages.
package struct InMemorySamplePageStore: SamplePageStore {
    let stores: InMemoryStores

    package func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result {
        try stores.state.withLock { state in
            let transaction = InMemoryPageTransaction(state)
            let result = try body(transaction)
            state = transaction.state
            return result
        }
    }

    package func pageDigests(
        of types: [SampleType], utcDays days: DayRange
    ) async throws -> [CalendarDay: [ContentDigest]] {
        let pages = try await pages(of: types, utcDays: days)
        var digests = Dictionary(grouping: pages, by: \.key.day).mapValues { $0.map(\.digest) }
        for content in try await deletedRows(of: types, utcDays: days).compactMap(\.content) {
            digests[content.key.day, default: []].append(content.digest)
        }
        return digests
    }

    package func deletedRows(of types: [SampleType], utcDays days: DayRange) async throws -> [DeletedRow] {
        stores.state.withLock { state in
            state.orderedDeletedRows { types.contains($0.type) && days.contains($0.day) }
        }
    }

    package func pages(of types: [SampleType], utcDays days: DayRange) async throws -> [PackedPage] {
        stores.state.withLock { state in
            state.orderedPages { types.contains($0.key.type) && days.contains($0.key.day) }
        }
    }

    package func sourceNames() async throws -> [String] {
        stores.state.withLock { state in
            Set(state.orderedPages { _ in true }.map { ExactText($0.key.origin.sourceName) }).sorted().map(\.text)
        }
    }

    package func daysWithoutNotations() async throws -> Int {
        stores.state.withLock { state in
            let pages = state.orderedPages { _ in true }
            let former = pages.filter {
                $0.provider == InputSamples.exportProvider && $0.bytes.first == SamplePageCodec.formerVersion
                    && $0.key.type.rawValue.hasPrefix("HKQuantityTypeIdentifier")
            }
            let others = pages.filter { $0.provider != InputSamples.exportProvider }
            return Set(
                former.map(\.key).filter { key in
                    others.contains { $0.key.type == key.type && $0.key.day == key.day }
                }.map(\.day)
            ).count
        }
    }

    package func unsentSamples() async throws -> UnsentSamples {
        stores.state.withLock { state in
            var days: [CalendarDay: Int] = [:]
            for counts in state.unsent.values.flatMap(\.values) { days.merge(counts, uniquingKeysWith: +) }
            return UnsentSamples(days: days)
        }
    }

    package func longestSample(of types: [SampleType]) async throws -> Int64 {
        stores.state.withLock { state in types.map { state.types[$0]?.longest ?? 0 }.max() ?? 0 }
    }

    package func dayExtent(of types: [SampleType]) async throws -> DayRange? {
        stores.state.withLock { state in
            let days = state.pages.keys.filter { types.contains($0.key.type) }.map(\.key.day)
            guard let first = days.min(), let last = days.max() else { return nil }
            return DayRange(first, through: last)
        }
    }

    package func storedTypes() async throws -> [SampleTypeDefinition] {
        stores.state.withLock { state in
            Set(state.pages.keys.map(\.key.type)).sorted().compactMap { state.types[$0]?.definition }
        }
    }

    package func knownTypes() async throws -> [SampleTypeDefinition] {
        stores.state.withLock { $0.types.sorted { $0.key < $1.key }.map(\.value.definition) }
    }

    package func importedSource(path: String) async throws -> ImportedSource? {
        stores.state.withLock { $0.sources[path] }
    }

    package func importedSources() async throws -> [ImportedSource] {
        stores.state.withLock { $0.sources.values.map { $0 } }.sorted {
            ($1.importedAt, $0.fingerprint.path) < ($0.importedAt, $1.fingerprint.path)
        }
    }
}
