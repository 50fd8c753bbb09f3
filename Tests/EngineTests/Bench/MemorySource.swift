import HealthSyncDomain
import HealthSyncPorts

/// A file of samples in memory.
struct MemorySource: HealthDataSource {
    /// An entry of the file.
    enum Entry: Hashable {
        case sample(Fact)
        /// An invalid record.
        case rejected(String)
        /// Bytes that cannot be read.
        case broken
    }

    /// The contents of the path.
    enum Content: Hashable {
        case entries([Entry])
        /// The entries before the truncation, which is in the middle of the next one.
        case truncated([Entry])
        case foreign
        case missing
    }

    var location: String
    var provider = "memory"
    var semantics = SourceSemantics.snapshot
    /// The date of the snapshot in days after 2024-01-15; `nil` for one without a date.
    var exportDay: Int?
    var content: Content
    /// The details of the entries, by position; may be empty.
    var details: [SampleDetail] = []
    /// What a change stream deletes.
    var deletions: [DeletedSample] = []
    var windows: [CompleteWindow] = []
    var windowParts: [WindowPart] = []
    var statedRecords: [StatedRecord] = []
    /// The deliveries of a feed, each with the number of its entries.
    var statements: [(statement: FeedStatement, entries: Int)] = []

    /// Returns a complete snapshot made on day `exportDay`.
    static func snapshot(_ facts: [Fact], on exportDay: Int?, at location: String = "export") -> MemorySource {
        MemorySource(location: location, exportDay: exportDay, content: .entries(facts.map(Entry.sample)))
    }

    /// Returns a feed with `facts`.
    static func feed(_ facts: [Fact], at location: String = "feed", provider: String = "feed") -> MemorySource {
        MemorySource(
            location: location, provider: provider, semantics: .feed, content: .entries(facts.map(Entry.sample)))
    }

    func fingerprint() async throws -> SourceFingerprint {
        if content == .missing { throw failure(.noInput) }
        // A description would take longer than everything that the tests do with the source.
        var hasher = Hasher()
        hasher.combine(exportDay)
        hasher.combine(content)
        hasher.combine(deletions)
        hasher.combine(windows)
        return SourceFingerprint(path: location, content: "\(hasher.finalize())")
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        let entries: [Entry]
        var reading = SourceReading()
        reading.deletions = deletions
        reading.windows = windows
        reading.windowParts = windowParts
        reading.statedRecords = statedRecords
        reading.statements = statements.map(\.statement)
        reading.exportDate = exportDay.map { Fact.day($0).utcStart }
        switch content {
        case .foreign: throw failure(.badInput)
        case .missing: throw failure(.noInput)
        case .entries(let all): entries = all
        case .truncated(let whole):
            entries = whole
            reading.incompleteAtByte = Int64(whole.count)
            reading.note("ends within a record", at: reading.incompleteAtByte)
        }
        var batch = SampleBatch()
        var ends: [Int: Int] = [:]
        var end = 0
        for (number, delivery) in statements.enumerated() {
            if delivery.entries > 0 { ends[end] = number }
            end += delivery.entries
        }
        for (place, entry) in entries.enumerated() {
            try Task.checkCancellation()
            if let statement = ends[place] {
                if batch.count > 0 { try receive(batch) }
                batch.removeAll()
                batch.statement = statement
            }
            take(entry, at: place, selection, into: &batch, &reading)
            guard batch.count == 7 else { continue }
            try receive(batch)
            batch.removeAll()
        }
        try Task.checkCancellation()
        if batch.count > 0 { try receive(batch) }
        return reading
    }

    private func take(
        _ entry: Entry, at place: Int, _ selection: SampleSelection, into batch: inout SampleBatch,
        _ reading: inout SourceReading
    ) {
        guard entry != .broken else { return reading.note("unreadable", at: Int64(place)) }
        reading.recordsRead += 1
        switch entry {
        case .broken: break
        case .rejected(let reason): reading.rejected[reason, default: 0] += 1
        case .sample(let fact):
            let isAsked = selection.includesOtherTypes || selection.types.contains { $0.type == fact.type.type }
            guard isAsked else { return reading.notSelected += 1 }
            if details.indices.contains(place) { batch.details[batch.count] = details[place] }
            batch.append(fact)
        }
    }

    private func failure(_ code: SyncFailure.Code) -> SyncFailure {
        SyncFailure(code, subject: location, reason: "cannot be read", advice: "")
    }
}

extension SampleBatch {
    fileprivate mutating func append(_ fact: Fact) {
        types.append(UInt16(Self.place(of: fact.type, in: &tables.types)))
        origins.append(UInt32(Self.place(of: fact.origin, in: &tables.origins)))
        starts.append(fact.start.milliseconds)
        durations.append(Int64(fact.minutes) * 60_000)
        values.append(fact.value)
        zones.append(0)
    }

    private static func place<Value: Equatable>(of value: Value, in table: inout [Value]) -> Int {
        if let place = table.firstIndex(of: value) { return place }
        table.append(value)
        return table.count - 1
    }
}
