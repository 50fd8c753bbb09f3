/// Recognizes measurements that arrive through several inputs, so that each is counted once.
///
/// Two samples of different inputs are the same measurement if type, source name, value, and start and end truncated
/// to seconds agree. Values are compared to the digits that both keep (`ValueAgreement`); the device is ignored. If n
/// samples in one input agree with m in another, the larger number is kept. Aggregates that a feed computed
/// (pre-aggregated buckets) are not matched. A sample that a change stream deleted removes one such sample from each
/// other input, and a bucket that contains nothing else (`DeletedBuckets`).
///
/// The result depends only on the samples, not on the order of the pages. Matching only compares samples of the same
/// second, so it does not depend on which days are read together either.
package enum SampleMatching {
    /// Returns the samples of `pages`, all of one type, with each measurement once. An origin may occur several
    /// times.
    package static func matched(_ stored: [InputSamples]) -> [OriginSamples] {
        let buckets = DeletedBuckets(stored)
        let pages = buckets.map { buckets in stored.compactMap { buckets.removed(from: $0) } } ?? stored
        guard let first = pages.first, pages.contains(where: { $0.input != first.input }) else {
            return pages.filter { !$0.areDeleted }.map { OriginSamples(origin: $0.origin, columns: $0.columns) }
        }
        let unnamed = pages.filter(\.areUnnamed)
        guard unnamed.isEmpty else {
            let named = pages.filter { !$0.areUnnamed }
            return matched(named) + UnnamedSamples(unnamed).unmatched(by: named)
        }
        var names: [SampleOrigin: String] = [:]
        var inputs: [String: Set<String>] = [:]
        for page in pages where !page.origin.isPreAggregated {
            let name = names[page.origin] ?? InputSamples.comparedName(page.origin.sourceName)
            names[page.origin] = name
            inputs[name, default: []].insert(page.input)
        }
        var shared: [String: [InputSamples]] = [:]
        var result: [OriginSamples] = []
        for page in pages {
            if let name = names[page.origin], inputs[name]?.count ?? 0 > 1 {
                shared[name, default: []].append(page)
            } else if !page.areDeleted {
                result.append(OriginSamples(origin: page.origin, columns: page.columns))
            }
        }
        for (_, pages) in shared.sorted(by: { $0.key < $1.key }) { result += SourceMatching(pages).matched() }
        return result
    }
}

/// Minutes of a feed that contain one measurement, which a change stream deleted.
///
/// A feed states a measurement at a whole minute as it states the mean or sum of that minute. So a bucket of a minute is the
/// deleted measurement if it has no range, and begins with the measurement and agrees with its value.
private struct DeletedBuckets {
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

/// The samples of one type and origin from one input.
package struct InputSamples: Sendable {
    /// The provider of Apple Health exports.
    package static let exportProvider = "appleHealth"

    /// The source name of samples for which Health Auto Export states no source. They may be of any source.
    package static let unnamedSource = "Health Auto Export"

    /// The input: an Apple Health export, a feed, a change stream.
    package let input: String
    /// The origin of the samples.
    package let origin: SampleOrigin
    /// The samples.
    package let columns: SampleColumns
    /// Whether `input`, a change stream, deleted these samples: they do not count in any other input either.
    package let areDeleted: Bool

    /// Creates the samples of `origin` in `input`.
    package init(input: String, origin: SampleOrigin, columns: SampleColumns, areDeleted: Bool = false) {
        self.input = input
        self.origin = origin
        self.columns = columns
        self.areDeleted = areDeleted
    }

    /// Whether the samples may be of any source.
    var areUnnamed: Bool { !origin.isPreAggregated && !areDeleted && origin.sourceName == Self.unnamedSource }

    /// Returns how exactly the value at `row` is stated.
    func precision(_ row: Int) -> ValuePrecision {
        columns.precision(row, isExport: isExport)
    }

    /// Whether the input is an Apple Health export, whose values are rounded.
    var isExport: Bool { input == Self.exportProvider }

    /// Returns a source name in the form in which inputs compare it: no-break spaces become spaces. `String` already
    /// compares by Unicode canonical equivalence.
    static func comparedName(_ name: String) -> String {
        guard name.unicodeScalars.contains("\u{A0}") else { return name }
        var compared = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { compared.append(scalar == "\u{A0}" ? " " : scalar) }
        return String(compared)
    }
}

/// Samples for which a feed states no source: measurements of other inputs with any source name.
private struct UnnamedSamples {
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
