/// One measurement that several inputs contain, merged from the best part of each.
///
/// Times and value come from the sample with the finer times, then from one with an identity, then from the one with
/// more decimals. Identity, zone and further details that it lacks come from the others. The origin is the most
/// specific one: entered by the user, then with a device.
struct MatchedMeasurement {
    typealias Part = (samples: InputSamples, row: Int)

    /// The samples of the measurement, best first.
    private let parts: [Part]
    let origin: SampleOrigin

    /// Creates a measurement from at least one sample. Of equally good samples, the earlier one is preferred.
    init(_ parts: [Part]) {
        self.parts = parts.enumerated()
            .map { (rank: Self.rank($0.element), place: $0.offset, part: $0.element) }
            .sorted { ($1.rank, $0.place) < ($0.rank, $1.place) }
            .map(\.part)
        var best = parts[0].samples.origin
        for part in parts.dropFirst() where Self.isMoreSpecific(part.samples.origin, than: best) {
            best = part.samples.origin
        }
        origin = best
    }

    /// Appends the measurement as one sample.
    func append(to columns: inout SampleColumns) {
        let best = parts[0]
        columns.append(
            start: best.samples.columns.starts[best.row], duration: best.samples.columns.durations[best.row],
            value: best.samples.columns.values[best.row],
            zoneName: parts.lazy.compactMap { $0.samples.columns.zoneName($0.row) }.first, detail: detail)
    }

    private var detail: SampleDetail? {
        var result: SampleDetail?
        for part in parts {
            guard let detail = part.samples.columns.details[part.row] else { continue }
            result = result?.completed(by: detail) ?? detail
        }
        return result
    }

    private static func rank(_ part: Part) -> Int {
        let columns = part.samples.columns
        let isFine = columns.starts[part.row] % 1000 != 0 || columns.durations[part.row] % 1000 != 0
        let hasIdentity = columns.details[part.row]?.externalID != nil
        let decimals = min(99, ValueAgreement.decimals(of: columns.values[part.row]))
        return (isFine ? 1000 : 0) + (hasIdentity ? 100 : 0) + decimals
    }

    private static func isMoreSpecific(_ origin: SampleOrigin, than other: SampleOrigin) -> Bool {
        if origin.isUserEntered != other.isUserEntered { return origin.isUserEntered }
        if origin.device.isEmpty != other.device.isEmpty { return other.device.isEmpty }
        return origin.orderingText < other.orderingText
    }
}

extension SampleDetail {
    /// Returns the detail with missing members filled in from `other`.
    fileprivate func completed(by other: SampleDetail) -> SampleDetail {
        SampleDetail(
            externalID: externalID ?? other.externalID,
            syncVersion: externalID == nil ? other.syncVersion : syncVersion,
            minimum: minimum ?? other.minimum, maximum: maximum ?? other.maximum,
            measurementCount: measurementCount ?? other.measurementCount,
            stateMilliseconds: stateMilliseconds ?? other.stateMilliseconds)
    }
}
