package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// What is in a source, per type and origin.
package struct SourceInspection: Sendable, Hashable {
    /// Samples of one type by one origin.
    package struct Row: Sendable, Hashable {
        package var type: SampleType
        package var unit: String
        package var origin: SampleOrigin
        package var count: Int
        package var first: Instant
        package var last: Instant
    }

    package var location: String
    package var provider: String
    package var semantics: SourceSemantics
    /// By type, then by count descending.
    package var rows: [Row]
    package var reading: SourceReading
}

extension SourceInspection {
    /// Reads all of `source` and tells what is there; stores nothing.
    package init(of source: any HealthDataSource, knownTypes: [SampleTypeDefinition]) async throws {
        let tally = SampleTally()
        let reading = try await source.read(
            SampleSelection(types: knownTypes, includesOtherTypes: true)
        ) { tally.add($0) }
        self.init(
            location: source.location, provider: source.provider, semantics: source.semantics, rows: tally.rows(),
            reading: reading)
    }
}

/// Counts samples by type and origin while they pass.
private final class SampleTally: Sendable {
    private struct Key: Hashable {
        let type: UInt16
        let origin: UInt32
    }

    private struct State {
        var tables = SampleBatch.Tables()
        var counts: [Key: (count: Int, first: Int64, last: Int64)] = [:]
    }

    private let state = Mutex(State())

    func add(_ batch: borrowing SampleBatch) {
        let tables = batch.tables
        state.withLock { state in
            state.tables = tables
            for row in 0..<batch.count {
                let key = Key(type: batch.types[row], origin: batch.origins[row])
                let end = batch.starts[row] + batch.durations[row]
                let entry = state.counts[key] ?? (0, .max, .min)
                state.counts[key] = (entry.count + 1, min(entry.first, batch.starts[row]), max(entry.last, end))
            }
        }
    }

    func rows() -> [SourceInspection.Row] {
        state.withLock { state in
            state.counts.map { key, entry in
                let definition = state.tables.types[Int(key.type)]
                return SourceInspection.Row(
                    type: definition.type, unit: definition.unit, origin: state.tables.origins[Int(key.origin)],
                    count: entry.count, first: Instant(milliseconds: entry.first),
                    last: Instant(milliseconds: entry.last))
            }
        }
        .sorted {
            ($0.type, -$0.count, $0.origin.canonicalText) < ($1.type, -$1.count, $1.origin.canonicalText)
        }
    }
}
