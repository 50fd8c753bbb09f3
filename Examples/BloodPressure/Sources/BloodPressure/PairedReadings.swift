import HealthSyncDomain

/// Systolic and diastolic samples of one origin and one start, put together.
struct PairedReadings {
    /// Systolic samples of complete readings, by origin.
    private(set) var systolic: [OriginSamples] = []
    /// Diastolic samples of complete readings, by origin.
    private(set) var diastolic: [OriginSamples] = []
    /// What was left out, by reason.
    private(set) var refused: [String: Int] = [:]

    private static let believed = 20.0...400.0

    /// Pairs the samples; those left out are counted where `counts` says that they start on one of the days.
    init(systolic: [OriginSamples], diastolic: [OriginSamples], counts: (Instant, String?) -> Bool) {
        let partners = Dictionary(diastolic.map { ($0.origin, $0.columns) }, uniquingKeysWith: { first, _ in first })
        for high in systolic {
            let low = partners[high.origin] ?? SampleColumns()
            pair(high.columns, low, of: high.origin, counts)
        }
        let origins = Set(systolic.map(\.origin))
        for low in diastolic where !origins.contains(low.origin) {
            for index in 0..<low.columns.count { refuse(index, of: low.columns, "incomplete reading", counts) }
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
                if Self.believed.contains(upper), Self.believed.contains(lower), lower < upper {
                    kept.high.append(index)
                    kept.low.append(partner)
                } else {
                    refuse(index, of: high, "value out of range", counts)
                    refuse(partner, of: low, "value out of range", counts)
                }
            }
            for index in ranked.dropFirst(partners.count) { refuse(index, of: high, "incomplete reading", counts) }
            for index in partners.dropFirst(ranked.count) { refuse(index, of: low, "incomplete reading", counts) }
        }
        for index in lows.values.joined() { refuse(index, of: low, "incomplete reading", counts) }
        systolic.append(OriginSamples(origin: origin, columns: high.selecting(kept.high)))
        diastolic.append(OriginSamples(origin: origin, columns: low.selecting(kept.low)))
    }

    private mutating func refuse(
        _ index: Int, of columns: SampleColumns, _ reason: String, _ counts: (Instant, String?) -> Bool
    ) {
        if counts(columns.interval(index).start, columns.zoneName(index)) { refused[reason, default: 0] += 1 }
    }
}
