import HealthSyncDomain

/// How long the buckets of a file are, told from where its dates stand: the app writes only when a bucket begins.
struct BucketSpacing {
    enum Length {
        case minute
        case hour
        case day
    }

    /// Where the dates of one kind of figure stand.
    private struct Evidence {
        var hasMinutes = false
        var hasHours = false
        /// Days with a date at midnight and at one o'clock: where clocks change at midnight, a day begins at one.
        var midnights: Set<Int> = []
        var ones: Set<Int> = []

        mutating func note(_ date: HealthAutoExportDate) {
            guard date.secondOfDay % 60 == 0 else { return }
            if date.secondOfDay % 3600 != 0 {
                hasMinutes = true
            } else if date.secondOfDay > 3600 {
                hasHours = true
            } else if date.secondOfDay == 3600 {
                ones.insert(date.day.ordinal)
            } else {
                midnights.insert(date.day.ordinal)
            }
        }

        var length: Length? {
            if hasMinutes { return .minute }
            if hasHours || (!ones.isEmpty && (midnights.isEmpty || !ones.isDisjoint(with: midnights))) { return .hour }
            return midnights.isEmpty ? nil : .day
        }
    }

    private var sums = Evidence()
    private var measurements = Evidence()

    /// Takes note of the date of an entry; `isSum` for figures that the app always makes of many measurements.
    mutating func note(_ date: HealthAutoExportDate, isSum: Bool) {
        if isSum { sums.note(date) } else { measurements.note(date) }
    }

    /// The length of the bucket that begins at `date`; `nil` when the entry is no bucket but a measurement.
    func length(at date: HealthAutoExportDate, isSum: Bool) -> Length? {
        guard date.secondOfDay % 60 == 0 else { return nil }
        guard let length = sums.length else { return measurements.length == .day ? .day : nil }
        if isSum { return length }
        // A measurement that is no figure of a bucket may well stand on a whole minute.
        switch length {
        case .minute: return nil
        case .hour: return date.secondOfDay % 3600 == 0 ? .hour : nil
        case .day: return date.secondOfDay == 0 ? .day : nil
        }
    }

    /// The stretch of the bucket that begins at `date`. A day is as long as `clock` says where it is the clock of the
    /// phone, else 24 hours.
    static func interval(from date: HealthAutoExportDate, _ length: Length, clock: DayClock?) -> InstantRange {
        switch length {
        case .minute: return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 60))
        case .hour: return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 3600))
        case .day:
            if let clock, clock.start(of: date.day) == date.instant { return clock.interval(of: date.day) }
            return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 86_400))
        }
    }

    /// Whether a stretch is as long as a bucket and begins like one.
    static func isBucket(_ interval: InstantRange, from date: HealthAutoExportDate) -> Bool {
        switch interval.milliseconds {
        case 60_000: date.secondOfDay % 60 == 0
        case 3_600_000: date.secondOfDay % 3600 == 0
        case 82_800_000, 86_400_000, 90_000_000: date.secondOfDay == 0
        default: false
        }
    }
}
