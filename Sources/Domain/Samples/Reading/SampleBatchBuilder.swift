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

/// Tells equal events of one delivery apart: two glasses of one second are two, although their source gives them no
/// identifiers. The second and each further one gets an identifier that follows from its content and its number, so that it
/// is the same in every delivery that contains it.
struct RepeatedEvents {
    /// The largest number of equal events of one delivery that count.
    static let most = 4095

    private struct Event: Hashable {
        let type: SampleType
        let origin: SampleOrigin
        let interval: InstantRange
        let value: Double
    }

    private var delivery: Int?
    private var counts: [Event: Int] = [:]

    /// Returns the identifier of a sample of a delivery; `nil` for the first of its kind, and for a sample that is no event.
    mutating func identifier(of sample: SampleBatchBuilder.Sample, in delivery: Int) -> String? {
        guard sample.definition.counting == .events, sample.detail?.externalID == nil, !sample.origin.isPreAggregated
        else { return nil }
        if delivery != self.delivery { counts.removeAll() }
        self.delivery = delivery
        let event = Event(
            type: sample.definition.type, origin: sample.origin, interval: sample.interval, value: sample.value)
        let number = min(counts[event, default: 0] + 1, Self.most)
        counts[event] = number
        guard number > 1 else { return nil }
        let content = SampleID.hashedBytes(
            type: event.type, interval: event.interval, value: event.value, unit: sample.definition.unit,
            origin: event.origin)
        return SampleID(repetition: number, from: event.interval.start, content: content).description
    }
}

extension SampleID {
    private static let version8: UInt64 = 0x8000

    /// Creates the id of an event that repeats an equal one: a version 8 UUID (RFC 9562, 5.8) of the start in milliseconds
    /// since 1970, modulo 2^48, the number among the equal ones, and a hash of the content.
    init(repetition number: Int, from start: Instant, content: [UInt8]) {
        self.init(
            high: UInt64(bitPattern: start.milliseconds) << 16 | Self.version8 | UInt64(number) & 0xFFF,
            low: WindowPart.key(content) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// Whether this is the id of a repeated event from `start`, which no app assigned.
    fileprivate func isRepetition(from start: Int64) -> Bool {
        high >> 16 == (UInt64(bitPattern: start) << 16) >> 16 && high & 0xF000 == Self.version8
    }
}

extension SampleColumns {
    /// Returns whether the source gave a sample no identifier.
    package func isUnidentified(_ row: Int) -> Bool {
        guard let detail = details[row], let identifier = detail.externalID else { return true }
        return detail.syncVersion == nil && SampleID(identifier)?.isRepetition(from: starts[row]) ?? false
    }
}
