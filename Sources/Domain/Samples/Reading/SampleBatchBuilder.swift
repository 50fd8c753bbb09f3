/// Packs samples into batches and hands over each full one.
package struct SampleBatchBuilder {
    /// Receives a full batch.
    package typealias Receiver = @Sendable (borrowing SampleBatch) throws -> Void

    /// A sample in the unit of its definition.
    package struct Sample {
        package var definition: SampleTypeDefinition
        package var origin: SampleOrigin
        package var interval: InstantRange
        /// In the unit of `definition`.
        package var value: Double
        package var zoneName: String?
        package var detail: SampleDetail?
        /// How the source writes the value; `nil` if that is unknown.
        package var written: WrittenNumber?

        package init(
            definition: SampleTypeDefinition, origin: SampleOrigin, interval: InstantRange, value: Double,
            zoneName: String?, detail: SampleDetail?, written: WrittenNumber? = nil
        ) {
            self.definition = definition
            self.origin = origin
            self.interval = interval
            self.value = value
            self.zoneName = zoneName
            self.detail = detail
            self.written = written
        }
    }

    private static let batchSize = 4096
    /// There are about six hundred zones; a source with more names invents them.
    private static let mostZones = 4096
    /// A type has a handful of units; a source with more invents them.
    private static let mostNotations = 16_384

    private var batch = SampleBatch()
    private var typeIndices: [SampleType: UInt16] = [:]
    private var originIndices: [SampleOrigin: UInt32] = [:]
    private var zoneIndices: [String: UInt16] = [:]
    private var notationNumbers: [ValueNotation: UInt16] = [:]
    private var samplesWithoutZone = 0
    private var repeated = RepeatedEvents()
    private let receive: Receiver

    package init(receive: @escaping Receiver) { self.receive = receive }

    /// Adds one sample. Hands over the batch if it is full; rethrows errors of the receiver.
    package mutating func add(_ sample: Sample) throws {
        if let detail = sample.detail { batch.details[batch.count] = detail }
        if let delivery = batch.statement, let identifier = repeated.identifier(of: sample, in: delivery) {
            batch.details[batch.count, default: SampleDetail()].externalID = identifier
        }
        batch.types.append(index(of: sample.definition))
        batch.origins.append(index(of: sample.origin))
        batch.starts.append(sample.interval.start.milliseconds)
        batch.durations.append(sample.interval.milliseconds)
        batch.values.append(sample.value)
        batch.zones.append(sample.zoneName.map { zoneNumber($0) } ?? 0)
        batch.written.append(sample.written.map { written($0) } ?? .unknown)
        if batch.count == Self.batchSize { try flush() }
    }

    /// Notes that the following samples belong to another delivery of a feed; `nil` for samples that are compared with
    /// no delivery, because they have identifiers.
    package mutating func begin(statement: Int?) throws {
        guard statement != batch.statement else { return }
        try flush()
        batch.statement = statement
    }

    /// Hands over the remaining samples; rethrows errors of the receiver.
    package mutating func flush() throws {
        guard batch.count > 0 else { return }
        try receive(batch)
        batch.removeAll()
    }

    /// The problem for the account if samples lost their zone; `nil` if none did.
    package var zoneProblem: String? {
        guard samplesWithoutZone > 0 else { return nil }
        let samples = CountText.of(samplesWithoutZone, "sample")
        return "more than \(Self.mostZones) time zones; read \(samples) without the zone"
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

    private mutating func written(_ form: WrittenNumber) -> WrittenValue {
        if let number = notationNumbers[form.notation] { return WrittenValue(notation: number, scale: form.scale) }
        guard batch.tables.notations.count < Self.mostNotations else { return .unknown }
        batch.tables.notations.append(form.notation)
        let number = UInt16(batch.tables.notations.count)
        notationNumbers[form.notation] = number
        return WrittenValue(notation: number, scale: form.scale)
    }

    private mutating func zoneNumber(_ name: String) -> UInt16 {
        if let known = zoneIndices[name] { return known }
        guard batch.tables.zoneNames.count < Self.mostZones else {
            samplesWithoutZone += 1
            return 0
        }
        batch.tables.zoneNames.append(name)
        let number = UInt16(batch.tables.zoneNames.count)
        zoneIndices[name] = number
        return number
    }
}
