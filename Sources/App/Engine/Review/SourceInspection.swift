package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The contents of a source by type and origin.
package struct SourceInspection: Sendable {
    /// The samples of one type and origin.
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
    /// Ordered by type, then by descending count.
    package var rows: [Row]
    package var reading: SourceReading
    /// The zones that the samples state.
    package var statedZones: StatedZones
}

extension SourceInspection {
    /// Reads all of `source` without storing anything.
    package init(
        of source: any HealthDataSource, knownTypes: [SampleTypeDefinition], time: any TimeSource
    ) async throws {
        let tally = SampleTally(time)
        let reading = try await source.read(
            SampleSelection(types: knownTypes, includesOtherTypes: true)
        ) { tally.add($0) }
        self.init(
            location: source.location, provider: source.provider, semantics: source.semantics, rows: tally.rows(),
            reading: reading, statedZones: tally.statedZones)
    }
}

/// Counts samples by type and origin.
private final class SampleTally: Sendable {
    private struct Entry {
        var count = 0
        var first = Int64.max
        var last = Int64.min
    }

    private struct State {
        var tables = SampleBatch.Tables()
        /// By type, then by origin.
        var entries: [[Entry]] = []
        var stated: StatedZones

        init(stated: StatedZones) { self.stated = stated }

        mutating func add(_ batch: borrowing SampleBatch, rows: Range<Int>) {
            let type = Int(batch.types[rows.lowerBound])
            let origin = Int(batch.origins[rows.lowerBound])
            while entries.count <= type { entries.append([]) }
            while entries[type].count <= origin { entries[type].append(Entry()) }
            var entry = entries[type][origin]
            entry.count += rows.count
            for row in rows {
                entry.first = min(entry.first, batch.starts[row])
                entry.last = max(entry.last, batch.starts[row] + batch.durations[row])
            }
            entries[type][origin] = entry
        }
    }

    private let state: Mutex<State>

    init(_ time: any TimeSource) { state = Mutex(State(stated: StatedZones(rules: time.zoneRules))) }

    var statedZones: StatedZones { state.withLock { $0.stated } }

    func add(_ batch: borrowing SampleBatch) {
        let tables = batch.tables
        state.withLock { state in
            state.tables = tables
            state.stated.count(starts: batch.starts, zones: batch.zones, names: tables.zoneNames)
            // Most files have long runs of one type and origin, so these are looked up once for each run.
            var start = 0
            while start < batch.count {
                var end = start + 1
                while end < batch.count, batch.types[end] == batch.types[start],
                    batch.origins[end] == batch.origins[start]
                {
                    end += 1
                }
                state.add(batch, rows: start..<end)
                start = end
            }
        }
    }

    func rows() -> [SourceInspection.Row] {
        state.withLock { state in
            state.entries.enumerated().flatMap { type, origins in
                origins.enumerated().filter { $0.element.count > 0 }.map { origin, entry in
                    let definition = state.tables.types[type]
                    return SourceInspection.Row(
                        type: definition.type, unit: definition.unit, origin: state.tables.origins[origin],
                        count: entry.count, first: Instant(milliseconds: entry.first),
                        last: Instant(milliseconds: entry.last))
                }
            }
        }
        .map { (row: $0, origin: $0.origin.orderingText) }
        .sorted { ($0.row.type, -$0.row.count, $0.origin) < ($1.row.type, -$1.row.count, $1.origin) }
        .map(\.row)
    }
}
