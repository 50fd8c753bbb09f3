/// Samples without length that were not entered by hand. The length of the measurement is unknown, so of several origins
/// that measured in one hour the larger sum counts.
struct HourlyInstants {
    /// A sample without length that no higher origin covers.
    struct Entry {
        let part: DayPart
        /// The start of its hour in milliseconds since 1970.
        let hour: Int64
        let tally: Int
        let bucket: Int
    }

    /// The amounts that count so far, by hour.
    private var sums: [Int64: Double] = [:]

    /// Returns the amounts that the samples of the next origin add: their excess in each hour, in proportion to their values.
    mutating func additions(of entries: [Entry]) -> [(entry: Entry, amount: Double)] {
        guard !entries.isEmpty else { return [] }
        var own: [Int64: Double] = [:]
        for entry in entries { own[entry.hour, default: 0] += entry.part.amount }
        var result: [(entry: Entry, amount: Double)] = []
        for entry in entries {
            guard let sum = own[entry.hour] else { continue }
            guard let known = sums[entry.hour] else {
                result.append((entry, entry.part.amount))
                continue
            }
            if sum > known { result.append((entry, entry.part.amount * ((sum - known) / sum))) }
        }
        sums.merge(own) { max($0, $1) }
        return result
    }
}
