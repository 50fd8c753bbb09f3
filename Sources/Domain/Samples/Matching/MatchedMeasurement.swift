/// One measurement that several inputs contain, merged from the best part of each.
///
/// Times and value come from the sample with the finer times, then from one with an identity, then from the one that
/// keeps more digits, or that an export would have rounded to its own value. Identity, zone and further details that it
/// lacks come from the others. The origin is the most specific one: entered by the user, then with a device.
struct MatchedMeasurement {
    typealias Part = (samples: InputSamples, row: Int)

    /// The samples of the measurement, best first.
    private let parts: [Part]
    let origin: SampleOrigin

    /// Creates a measurement from at least one sample. Of equally good samples, the earlier one is preferred.
    init(_ parts: [Part]) {
        let ranks = parts.map { Rank($0) }
        var order = parts.indices.sorted { left, right in
            ranks[left] == ranks[right] ? left < right : ranks[right] < ranks[left]
        }
        let first = order[0]
        // A feed writes the full double, which may be short. A value that an export would have rounded to its own is
        // more exact than the export's, however few digits it has.
        if parts[first].samples.isExport,
            let place = order.indices.first(where: { place in
                let other = order[place]
                let distance = (Self.value(parts[other]) - Self.value(parts[first])).magnitude
                return !parts[other].samples.isExport && ranks[other].isAsGood(as: ranks[first])
                    && distance <= ranks[first].half
            })
        {
            order.insert(order.remove(at: place), at: 0)
        }
        self.parts = order.map { parts[$0] }
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

    private static func value(_ part: Part) -> Double { part.samples.columns.values[part.row] }

    private struct Rank: Comparable {
        let isFine: Bool
        let hasIdentity: Bool
        /// Half of the last digit of the value.
        let half: Double

        init(_ part: Part) {
            let columns = part.samples.columns
            isFine = columns.starts[part.row] % 1000 != 0 || columns.durations[part.row] % 1000 != 0
            hasIdentity = columns.details[part.row]?.externalID != nil
            half = part.samples.precision(part.row).half
        }

        /// Returns whether times and identity are as good, whatever the value.
        func isAsGood(as other: Rank) -> Bool { isFine == other.isFine && hasIdentity == other.hasIdentity }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isFine != right.isFine { return right.isFine }
            if left.hasIdentity != right.hasIdentity { return right.hasIdentity }
            return left.half > right.half
        }
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
