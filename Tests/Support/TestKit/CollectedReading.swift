public import HealthSyncDomain
public import HealthSyncPorts
import Synchronization

/// All samples that one reading of a source delivers, checked batch by batch.
public struct CollectedReading: Sendable {
    /// The samples in the order of delivery.
    public var samples: [SourceSample]
    /// The counts and problems of the reading.
    public var account: SourceReading

    /// The samples with the number of times each was delivered.
    public var counted: [SourceSample: Int] {
        Dictionary(samples.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Reads `source` and resolves its samples. Throws `ContractViolation` for an invalid batch.
    public static func collect(
        _ source: any HealthDataSource, _ selection: SampleSelection
    ) async throws -> CollectedReading {
        let collected = Mutex<(samples: [SourceSample], tables: SampleBatch.Tables, share: Double)>(
            ([], SampleBatch.Tables(), 0))
        let account = try await source.read(selection) { batch in
            let (tables, share) = (batch.tables, batch.shareRead)
            try collected.withLock { state in
                try requireGrowth(from: state.tables, to: tables)
                state.tables = tables
                try ContractViolation.unless(
                    (state.share...1).contains(share ?? state.share),
                    "the fraction read is not between the previous one and 1")
                state.share = share ?? state.share
                for row in 0..<(try rows(of: batch)) { state.samples.append(try sample(row, of: batch)) }
            }
        }
        return CollectedReading(samples: collected.withLock { $0.samples }, account: account)
    }

    /// Throws `ContractViolation` with examples unless these are the samples, each as often as in `expected`.
    func requireSamples(_ expected: [SourceSample: Int]) throws {
        let surplus = samples(of: counted, beyond: expected)
        let missing = samples(of: expected, beyond: counted)
        try ContractViolation.unless(
            surplus.isEmpty && missing.isEmpty,
            "the samples differ"
                + Self.examples("not expected", surplus) + Self.examples("missing", missing))
    }

    private static func examples(_ what: String, _ samples: [SourceSample]) -> String {
        guard !samples.isEmpty else { return "" }
        let first = samples.prefix(2).map(text).joined(separator: " and ")
        return "; \(samples.count) \(what), such as \(first)"
    }

    private func samples(of counts: [SourceSample: Int], beyond others: [SourceSample: Int]) -> [SourceSample] {
        counts.filter { $0.value > others[$0.key, default: 0] }.map(\.key)
            .sorted { ($0.interval.start, $0.type) < ($1.interval.start, $1.type) }
    }

    private static func text(_ sample: SourceSample) -> String {
        let origin = [sample.origin.sourceName, sample.origin.device].filter { !$0.isEmpty }.joined(separator: ", ")
        let (start, end) = (RFC3339.string(sample.interval.start), RFC3339.string(sample.interval.end))
        return "\(sample.type.shortName) \(sample.value) \(sample.unit) from \(start) to \(end) of \(origin)"
    }

    private static func requireGrowth(from earlier: SampleBatch.Tables, to later: SampleBatch.Tables) throws {
        try ContractViolation.unless(
            later.types.starts(with: earlier.types) && later.origins.starts(with: earlier.origins)
                && later.zoneNames.starts(with: earlier.zoneNames),
            "the tables of a batch do not extend those of the previous batch")
    }

    private static func rows(of batch: borrowing SampleBatch) throws -> Int {
        let count = batch.starts.count
        let lengths = [
            batch.types.count, batch.origins.count, batch.durations.count, batch.values.count, batch.zones.count,
        ]
        try ContractViolation.unless(lengths.allSatisfy { $0 == count }, "the columns of a batch differ in length")
        let details = batch.details
        try ContractViolation.unless(
            details.keys.allSatisfy { (0..<count).contains($0) }, "a detail refers to no row of its batch")
        return count
    }

    private static func sample(_ row: Int, of batch: borrowing SampleBatch) throws -> SourceSample {
        let tables = batch.tables
        let type = Int(batch.types[row])
        let origin = Int(batch.origins[row])
        let zone = Int(batch.zones[row])
        try ContractViolation.unless(
            type < tables.types.count && origin < tables.origins.count && zone <= tables.zoneNames.count,
            "an index of a batch is outside its tables")
        try ContractViolation.unless(batch.durations[row] >= 0, "a sample has a negative length")
        try ContractViolation.unless(batch.values[row].isFinite, "a value is not finite")
        let start = Instant(milliseconds: batch.starts[row])
        return SourceSample(
            type: tables.types[type].type, unit: tables.types[type].unit, origin: tables.origins[origin],
            interval: InstantRange(start: start, end: start.advanced(byMilliseconds: batch.durations[row])),
            value: batch.values[row], zoneName: zone == 0 ? nil : tables.zoneNames[zone - 1],
            detail: batch.details[row])
    }
}
