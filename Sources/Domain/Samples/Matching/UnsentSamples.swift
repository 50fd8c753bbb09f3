/// Samples that an export contains and that the feeds covering their time and source never sent, such as samples that
/// were added later for a past time.
package struct UnsentSamples: Sendable, Hashable {
    /// The number of samples by the user's calendar day; no zeros.
    package var days: [CalendarDay: Int]

    package init(days: [CalendarDay: Int] = [:]) { self.days = days.filter { $0.value > 0 } }

    /// The days that `summary` lists.
    private static let daysListed = 5

    /// The number of samples.
    package var count: Int { days.values.reduce(0, +) }

    /// What users read, such as `12 back-dated samples of 3 days were not sent by the phone app`; `nil` without any.
    package var finding: String? {
        guard count > 0 else { return nil }
        return CountText.of(count, "back-dated sample")
            + " of \(CountText.of(days.count, "day")) \(count == 1 ? "was" : "were")"
            + " not sent by the phone app"
    }

    /// The finding with the latest days.
    package var summary: String? {
        finding.map { finding in
            let latest = days.keys.sorted().suffix(Self.daysListed).map(\.description).joined(separator: ", ")
            return "\(finding): \(days.count > Self.daysListed ? "the latest are " : "")\(latest)"
        }
    }

    /// A time for which a feed has sent samples.
    package struct Window: Sendable {
        /// The name of the source, as `comparedName` spells it; `nil` for sums over all sources.
        package var sourceName: String?
        /// Milliseconds since 1970, inclusive.
        package var times: ClosedRange<Int64>

        package init(sourceName: String?, times: ClosedRange<Int64>) {
            self.sourceName = sourceName
            self.times = times
        }
    }

    /// Returns a source name in the form in which inputs compare it.
    package static func comparedName(_ name: String) -> String { InputSamples.comparedName(name) }

    /// Returns the starts of the samples in `exported` that start in a window of their source and agree with no sample
    /// in `sent`. All samples are of one type.
    ///
    /// Samples agree as those of several inputs do (`SampleMatching`): n equal samples need n samples in one of the
    /// feeds. A sum that a feed computed contains every sample that starts in it. A sample that a change stream deleted
    /// counts as sent.
    package static func starts(
        of exported: [InputSamples], sent: [InputSamples], windows: [Window]
    ) -> [Int64] {
        var pool = SentSamples(sent)
        let byName = Dictionary(grouping: windows, by: \.sourceName)
        let general = byName[nil] ?? []
        var starts: [Int64] = []
        for samples in exported where !samples.origin.isPreAggregated && !samples.areDeleted {
            let name = InputSamples.comparedName(samples.origin.sourceName)
            let own = general + (byName[name] ?? [])
            guard !own.isEmpty else { continue }
            for row in samples.columns.starts.indices {
                let start = samples.columns.starts[row]
                guard own.contains(where: { $0.times.contains(start) }),
                    !pool.contains(samples, row, of: name)
                else { continue }
                starts.append(start)
            }
        }
        return starts
    }
}

/// The samples that feeds sent, from which agreeing samples are taken.
private struct SentSamples {
    private struct Place: Hashable {
        let name: String
        /// Seconds since 1970, truncated.
        let start: Int64
        let end: Int64
    }

    private struct Value {
        let value: Double
        let precision: ValuePrecision
    }

    /// The values that are left, by place and input.
    private var values: [Place: [String: [Value]]] = [:]
    /// Sums, as intervals that do not touch, ascending.
    private var sums: [Range<Int64>] = []

    init(_ sent: [InputSamples]) {
        var intervals: [Range<Int64>] = []
        for samples in sent {
            let columns = samples.columns
            guard !samples.origin.isPreAggregated else {
                for row in columns.starts.indices {
                    intervals.append(columns.starts[row]..<(columns.starts[row] + max(1, columns.durations[row])))
                }
                continue
            }
            for name in Self.names(samples.origin) {
                for row in columns.starts.indices {
                    values[Self.place(columns, row, name), default: [:]][samples.input, default: []].append(
                        Value(value: columns.values[row], precision: samples.precision(row)))
                }
            }
        }
        for interval in intervals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = sums.last, interval.lowerBound <= last.upperBound {
                sums[sums.count - 1] = last.lowerBound..<max(last.upperBound, interval.upperBound)
            } else {
                sums.append(interval)
            }
        }
    }

    /// Returns whether an input sent the sample, and takes one agreeing sample from each input.
    mutating func contains(_ samples: InputSamples, _ row: Int, of name: String) -> Bool {
        let columns = samples.columns
        let (start, value) = (columns.starts[row], columns.values[row])
        let following = sums.partitionPoint { $0.lowerBound <= start }
        var isSent = following > 0 && sums[following - 1].contains(start)
        let place = Self.place(columns, row, name)
        guard let sent = values[place] else { return isSent }
        let precision = samples.precision(row)
        for (input, left) in sent {
            let agreeing = left.indices.filter {
                ValueAgreement.agree(left[$0].value, left[$0].precision, value, precision)
            }
            let nearest = agreeing.min { (left[$0].value - value).magnitude < (left[$1].value - value).magnitude }
            guard let nearest else { continue }
            values[place]?[input]?.remove(at: nearest)
            isSent = true
        }
        return isSent
    }

    /// The names of the sources of a sample; a feed may join several with `|`.
    private static func names(_ origin: SampleOrigin) -> Set<String> {
        let name = InputSamples.comparedName(origin.sourceName)
        return Set(name.parts(separatedBy: "|").filter { !$0.isEmpty }.map(String.init) + [name])
    }

    private static func place(_ columns: SampleColumns, _ row: Int, _ name: String) -> Place {
        let start = columns.starts[row]
        return Place(
            name: name, start: start.flooredQuotient(by: 1000),
            end: (start &+ columns.durations[row]).flooredQuotient(by: 1000))
    }
}
