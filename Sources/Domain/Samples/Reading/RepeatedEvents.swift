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
