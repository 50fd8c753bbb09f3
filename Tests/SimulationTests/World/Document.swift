import HealthSyncDomain
import HealthSyncPorts

/// A measurement of four minutes. Each phone has minutes of its own in every hour, so that no two measurements overlap, and
/// none crosses the bound of an hour or a day in any zone of the simulation.
struct Measurement: Hashable, Sendable {
    enum Kind: Hashable, Sendable, CaseIterable {
        case steps
        case energy
        /// Four minutes asleep, of which an even value says that they are core sleep.
        case sleep

        var definition: SampleTypeDefinition {
            switch self {
            case .steps: .stepCount
            case .energy: .activeEnergyBurned
            case .sleep: .sleepAnalysis
            }
        }
    }

    var phone: Int
    var kind: Kind
    /// Hours since 1970.
    var hour: Int64
    var value: Int

    /// Seconds since 1970.
    var start: Int64 { hour * 3600 + Int64(phone) * 360 }
    static let seconds: Int64 = 240
    var isCore: Bool { kind == .sleep && value.isMultiple(of: 2) }
}

/// What a phone sends at once.
struct Document: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// All measurements of the phone at a time, in seconds since 1970.
        case export(date: Int64)
        /// New and changed records; never deletes.
        case feed
        /// New, changed and deleted records.
        case stream
    }

    struct Record: Hashable, Sendable {
        var id: String
        var measurement: Measurement
    }

    var phone: Int
    var form: Form
    /// The version of all its statements.
    var number: Int64
    var records: [Record]
    var deleted: [String] = []
}

/// Reads a document, as an adapter reads a file.
struct DocumentSource: HealthDataSource {
    let document: Document

    var location: String {
        switch document.form {
        case .export: "phone\(document.phone)/export"
        case .feed, .stream: "phone\(document.phone)/\(document.number)"
        }
    }

    var provider: String {
        switch document.form {
        case .export: "exports"
        case .feed: "feed"
        case .stream: "stream"
        }
    }

    var semantics: SourceSemantics {
        switch document.form {
        case .export: .snapshot
        case .feed: .feed
        case .stream: .changes
        }
    }

    func fingerprint() async throws -> SourceFingerprint {
        SourceFingerprint(path: location, content: "\(document)")
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        var samples = SampleCollector(selection, receive: receive)
        for record in document.records {
            try Task.checkCancellation()
            try samples.add(sample(of: record))
        }
        var reading = try samples.finish()
        if case .export(let date) = document.form { reading.exportDate = Instant(seconds: date) }
        reading.deletions = document.deleted.map { DeletedSample(externalID: $0, version: document.number) }
        return reading
    }

    private func sample(of record: Document.Record) -> SourceSample {
        let measurement = record.measurement
        let definition = measurement.kind.definition
        let start = Instant(seconds: measurement.start)
        var sample = SourceSample(
            type: definition.type, unit: definition.unit, origin: SampleOrigin(sourceName: "Phone \(document.phone)"),
            interval: InstantRange(start: start, end: start.advanced(bySeconds: Measurement.seconds)),
            value: Double(measurement.kind == .sleep ? Self.stage(of: measurement) : measurement.value))
        if provider != "exports" {
            sample.detail = SampleDetail(externalID: record.id, syncVersion: document.number)
        }
        return sample
    }

    /// Returns the number of `HKCategoryValueSleepAnalysis`: asleepCore or asleepUnspecified.
    private static func stage(of measurement: Measurement) -> Int { measurement.isCore ? 3 : 1 }
}
