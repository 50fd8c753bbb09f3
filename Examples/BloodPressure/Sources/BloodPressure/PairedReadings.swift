import HealthSyncDomain

/// The systolic and diastolic samples that make complete readings: one origin, one start.
struct PairedReadings {
    /// Systolic samples of complete readings, by origin.
    private(set) var systolic: [OriginSamples] = []
    /// Diastolic samples of complete readings, by origin.
    private(set) var diastolic: [OriginSamples] = []
    /// The number of skipped samples, by reason.
    private(set) var skipped: [String: Int] = [:]

    private static let plausible = 20.0...400.0

    /// Pairs the samples. Skipped samples are counted if `counts` returns true for their start and zone.
    init(systolic: [OriginSamples], diastolic: [OriginSamples], counts: (Instant, String?) -> Bool) {
        let partners = Dictionary(diastolic.map { ($0.origin, $0.columns) }, uniquingKeysWith: { first, _ in first })
        for high in systolic {
            let low = partners[high.origin] ?? SampleColumns()
            pair(high.columns, low, of: high.origin, counts)
        }
        let origins = Set(systolic.map(\.origin))
        for low in diastolic where !origins.contains(low.origin) {
            for index in 0..<low.columns.count { skip(index, of: low.columns, "incomplete reading", counts) }
        }
    }

    private mutating func pair(
        _ high: SampleColumns, _ low: SampleColumns, of origin: SampleOrigin, _ counts: (Instant, String?) -> Bool
    ) {
        // Readings that start together are paired by rank: the highest with the highest.
        let highs = Dictionary(grouping: 0..<high.count) { high.starts[$0] }
        var lows = Dictionary(grouping: 0..<low.count) { low.starts[$0] }
        var kept: (high: [Int], low: [Int]) = ([], [])
        for (start, indices) in highs.sorted(by: { $0.key < $1.key }) {
            let partners = (lows.removeValue(forKey: start) ?? []).sorted { low.values[$0] > low.values[$1] }
            let ranked = indices.sorted { high.values[$0] > high.values[$1] }
            for (index, partner) in zip(ranked, partners) {
                let (upper, lower) = (high.values[index], low.values[partner])
                if Self.plausible.contains(upper), Self.plausible.contains(lower), lower < upper {
                    kept.high.append(index)
                    kept.low.append(partner)
                } else {
                    skip(index, of: high, "value out of range", counts)
                    skip(partner, of: low, "value out of range", counts)
                }
            }
            for index in ranked.dropFirst(partners.count) { skip(index, of: high, "incomplete reading", counts) }
            for index in partners.dropFirst(ranked.count) { skip(index, of: low, "incomplete reading", counts) }
        }
        for index in lows.values.joined() { skip(index, of: low, "incomplete reading", counts) }
        systolic.append(OriginSamples(origin: origin, columns: high.selecting(kept.high)))
        diastolic.append(OriginSamples(origin: origin, columns: low.selecting(kept.low)))
    }

    private mutating func skip(
        _ index: Int, of columns: SampleColumns, _ reason: String, _ counts: (Instant, String?) -> Bool
    ) {
        if counts(columns.interval(index).start, columns.zoneName(index)) { skipped[reason, default: 0] += 1 }
    }
}
