import HealthSyncDomain

/// How days that changed are read and stored together.
enum DerivationBatch {
    /// The number of days after which results are stored: enough that the sync of a transaction costs little, few enough
    /// that an interrupted run loses little.
    static let days = 366
    /// Changed days with at most this many others between them are read together, because a read costs more than the
    /// records of some days.
    static let bridgedDays = 7

    /// Returns the ranges in which `changed`, which must ascend, are read, each with its changed days.
    static func ranges(of changed: [CalendarDay]) -> [(range: DayRange, days: [CalendarDay])] {
        var rest = changed[...]
        return DayRange.runs(of: changed, atMost: days, bridging: bridgedDays).map { range in
            let own = rest.prefix { $0 <= range.last }
            rest = rest.dropFirst(own.count)
            return (range, Array(own))
        }
    }
}
