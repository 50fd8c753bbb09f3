/// Samples without length that no person entered: they do not state how long was measured, so of several origins that
/// measured one hour the larger sum counts.
struct HourlyInstants {
    /// A sample without length that no higher origin covers.
    struct Entry {
        let part: DayPart
        /// Start of its hour in milliseconds since 1970.
        let hour: Int64
        let tally: Int
        let bucket: Int
    }

    /// What counts so far, by hour.
    private var sums: [Int64: Double] = [:]

    /// What the samples of the next origin add to those before: in proportion to their values, what they have more in
    /// each hour.
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
