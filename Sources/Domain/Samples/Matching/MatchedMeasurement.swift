/// One measurement that several inputs contain, merged from the best part of each.
///
/// Times and value come from the sample with the finer times, then from one with an identity, then from the one with
/// more decimals. Identity, zone and further details that it lacks come from the others. The origin is the most
/// specific one: entered by the user, then with a device.
struct MatchedMeasurement {
    typealias Statement = (samples: InputSamples, row: Int)

    /// The samples of the measurement, the best first.
    private let statements: [Statement]
    let origin: SampleOrigin

    /// Creates a measurement from at least one sample. Of equally good samples, the earlier one is preferred.
    init(_ statements: [Statement]) {
        self.statements = statements.enumerated()
            .map { (merit: Self.merit($0.element), place: $0.offset, statement: $0.element) }
            .sorted { ($1.merit, $0.place) < ($0.merit, $1.place) }
            .map(\.statement)
        var best = statements[0].samples.origin
        for statement in statements.dropFirst() where Self.saysMore(statement.samples.origin, than: best) {
            best = statement.samples.origin
        }
        origin = best
    }

    /// Appends the measurement as one sample.
    func append(to columns: inout SampleColumns) {
        let best = statements[0]
        columns.append(
            start: best.samples.columns.starts[best.row], duration: best.samples.columns.durations[best.row],
            value: best.samples.columns.values[best.row],
            zoneName: statements.lazy.compactMap { $0.samples.columns.zoneName($0.row) }.first, detail: detail)
    }

    private var detail: SampleDetail? {
        var whole: SampleDetail?
        for statement in statements {
            guard let detail = statement.samples.columns.details[statement.row] else { continue }
            whole = whole?.completed(by: detail) ?? detail
        }
        return whole
    }

    private static func merit(_ statement: Statement) -> Int {
        let columns = statement.samples.columns
        let isFine = columns.starts[statement.row] % 1000 != 0 || columns.durations[statement.row] % 1000 != 0
        let hasIdentity = columns.details[statement.row]?.externalID != nil
        let decimals = min(99, ValueAgreement.decimals(of: columns.values[statement.row]))
        return (isFine ? 1000 : 0) + (hasIdentity ? 100 : 0) + decimals
    }

    private static func saysMore(_ origin: SampleOrigin, than other: SampleOrigin) -> Bool {
        if origin.isUserEntered != other.isUserEntered { return origin.isUserEntered }
        if origin.device.isEmpty != other.device.isEmpty { return other.device.isEmpty }
        return origin.canonicalText < other.canonicalText
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
