/// Minutes of a feed that contain one measurement, which a change stream deleted.
///
/// A feed states a measurement at a whole minute as it states the mean or sum of that minute. So a bucket of a minute is the
/// deleted measurement if it has no range, and begins with the measurement and agrees with its value.
struct DeletedBuckets {
    private static let minute: Int64 = 60_000

    private var deleted: [Int64: [(value: Double, precision: ValuePrecision)]] = [:]

    /// `nil` if no measurement of `pages` was deleted.
    init?(_ pages: [InputSamples]) {
        for page in pages where page.areDeleted {
            for row in page.columns.starts.indices
            where page.columns.durations[row] == 0 || page.columns.durations[row] == Self.minute {
                deleted[page.columns.starts[row].flooredQuotient(by: 1000), default: []].append(
                    (page.columns.values[row], page.precision(row)))
            }
        }
        guard !deleted.isEmpty else { return nil }
    }

    /// Returns the samples without such minutes; `nil` if none remains.
    func removed(from page: InputSamples) -> InputSamples? {
        guard page.origin.isPreAggregated, !page.areDeleted else { return page }
        let columns = page.columns
        let kept = columns.starts.indices.filter { !contain(page, $0) }
        guard kept.count < columns.count else { return page }
        guard !kept.isEmpty else { return nil }
        return InputSamples(input: page.input, origin: page.origin, columns: columns.selecting(kept))
    }

    private func contain(_ page: InputSamples, _ row: Int) -> Bool {
        let columns = page.columns
        guard columns.durations[row] == Self.minute, columns.starts[row] % Self.minute == 0,
            let found = deleted[columns.starts[row].flooredQuotient(by: 1000)]
        else { return false }
        let detail = columns.details[row]
        guard detail?.minimum == detail?.maximum, detail?.measurementCount ?? 1 == 1 else { return false }
        return found.contains { other in
            ValueAgreement.agree(columns.values[row], page.precision(row), other.value, other.precision)
        }
    }
}
