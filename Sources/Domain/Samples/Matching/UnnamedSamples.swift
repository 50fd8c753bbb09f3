/// Samples for which a feed states no source: measurements of other inputs with any source name.
struct UnnamedSamples {
    private struct Time: Hashable {
        /// Seconds since 1970, truncated.
        let start: Int64
        let end: Int64

        init(_ columns: SampleColumns, _ row: Int) {
            start = columns.starts[row].flooredQuotient(by: 1000)
            end = (columns.starts[row] &+ columns.durations[row]).flooredQuotient(by: 1000)
        }
    }

    private let pages: [InputSamples]

    init(_ pages: [InputSamples]) { self.pages = pages }

    /// Returns the samples that agree with none of `named`, also of those that a change stream deleted. Each sample
    /// takes one of each other input.
    func unmatched(by named: [InputSamples]) -> [OriginSamples] {
        let named = named.filter { !$0.origin.isPreAggregated }
        let times = Set(pages.flatMap { page in page.columns.starts.indices.map { Time(page.columns, $0) } })
        var known: [Time: [StatedValue]] = [:]
        for (index, page) in named.enumerated() {
            for row in page.columns.starts.indices {
                let time = Time(page.columns, row)
                guard times.contains(time) else { continue }
                known[time, default: []].append(
                    StatedValue(
                        member: SourceMatching.Member(page: index, row: row), value: page.columns.values[row],
                        precision: page.precision(row)))
            }
        }
        guard !known.isEmpty else { return pages.map { OriginSamples(origin: $0.origin, columns: $0.columns) } }
        var taken: [String: Set<SourceMatching.Member>] = [:]
        return pages.compactMap { page in
            let kept = page.columns.starts.indices.filter { row in
                let sample = StatedValue(
                    member: SourceMatching.Member(page: 0, row: row), value: page.columns.values[row],
                    precision: page.precision(row))
                let agreeing = known[Time(page.columns, row), default: []].filter { other in
                    named[other.member.page].input != page.input && other.agrees(with: sample)
                        && !(taken[page.input]?.contains(other.member) ?? false)
                }
                // A measurement of several inputs is one.
                for others in Dictionary(grouping: agreeing, by: { named[$0.member.page].input }).values {
                    guard let nearest = others.min(by: { $0.distance(to: sample) < $1.distance(to: sample) }) else {
                        continue
                    }
                    taken[page.input, default: []].insert(nearest.member)
                }
                return agreeing.isEmpty
            }
            return kept.isEmpty
                ? nil : OriginSamples(origin: page.origin, columns: page.columns.selecting(Array(kept)))
        }
    }
}
