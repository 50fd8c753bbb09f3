import HealthSyncDomain
import HealthSyncPorts

/// Collects samples into batches and hands each full one over.
struct SampleDelivery {
    typealias Receiver = @Sendable (borrowing SampleBatch) throws -> Void

    /// One sample with its meaning spelt out.
    struct Sample {
        var definition: SampleTypeDefinition
        var origin: SampleOrigin
        var interval: InstantRange
        /// In the unit of `definition`.
        var value: Double
        var zoneName: String?
        var detail: SampleDetail?
    }

    private static let batchSize = 4096

    private var batch = SampleBatch()
    private var typeIndices: [SampleType: UInt16] = [:]
    private var originIndices: [SampleOrigin: UInt32] = [:]
    private var zoneIndices: [String: UInt16] = [:]
    private let receive: Receiver
    private let cancellation: CancellationFlag

    init(cancellation: CancellationFlag, receive: @escaping Receiver) {
        self.cancellation = cancellation
        self.receive = receive
    }

    mutating func add(_ sample: Sample) throws {
        if let detail = sample.detail { batch.details[batch.count] = detail }
        batch.types.append(index(of: sample.definition))
        batch.origins.append(index(of: sample.origin))
        batch.starts.append(sample.interval.start.milliseconds)
        batch.durations.append(sample.interval.milliseconds)
        batch.values.append(sample.value)
        batch.zones.append(sample.zoneName.map { zoneNumber($0) } ?? 0)
        if batch.count == Self.batchSize { try flush() }
    }

    mutating func flush() throws {
        try cancellation.check()
        guard batch.count > 0 else { return }
        try receive(batch)
        batch.removeAll()
    }

    private mutating func index(of definition: SampleTypeDefinition) -> UInt16 {
        if let known = typeIndices[definition.type] { return known }
        let index = UInt16(truncatingIfNeeded: batch.tables.types.count)
        batch.tables.types.append(definition)
        typeIndices[definition.type] = index
        return index
    }

    private mutating func index(of origin: SampleOrigin) -> UInt32 {
        if let known = originIndices[origin] { return known }
        let index = UInt32(truncatingIfNeeded: batch.tables.origins.count)
        batch.tables.origins.append(origin)
        originIndices[origin] = index
        return index
    }

    private mutating func zoneNumber(_ name: String) -> UInt16 {
        if let known = zoneIndices[name] { return known }
        // There are some six hundred zones; a file that states more names invents them.
        guard batch.tables.zoneNames.count < 4096 else { return 0 }
        batch.tables.zoneNames.append(name)
        let number = UInt16(batch.tables.zoneNames.count)
        zoneIndices[name] = number
        return number
    }
}
