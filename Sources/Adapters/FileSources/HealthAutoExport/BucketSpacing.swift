import HealthSyncDomain

/// The length of the buckets of a file, inferred from its dates, because the app writes only the start of a bucket.
struct BucketSpacing {
    enum Length {
        case minute
        case hour
        case day
    }

    /// The times of day of the dates of one kind of value.
    private struct Evidence {
        var hasMinutes = false
        var hasHours = false
        /// The days with a date at midnight and at one o'clock: if clocks change at midnight, a day begins at one.
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

        mutating func formUnion(_ other: Evidence) {
            hasMinutes = hasMinutes || other.hasMinutes
            hasHours = hasHours || other.hasHours
            midnights.formUnion(other.midnights)
            ones.formUnion(other.ones)
        }

        var length: Length? {
            if hasMinutes { return .minute }
            if hasHours || (!ones.isEmpty && (midnights.isEmpty || !ones.isDisjoint(with: midnights))) { return .hour }
            return midnights.isEmpty ? nil : .day
        }
    }

    private var sums: [SampleType: Evidence] = [:]
    private var rates = Evidence()
    private var measurements = Evidence()
    /// The types of sums of which the app wrote single entries: one has a time within a minute, or events have equal times.
    /// Entries of these that happen to be on a whole minute are no buckets either.
    private var singles: Set<SampleType> = []
    private var moments: [SampleType: Set<Instant>] = [:]
    /// The length of the buckets of sums and rates; `nil` if no entry is one.
    private var bucketLength: Length?
    /// Whether a heart rate has a time within a minute: then the app wrote single measurements, also those that happen to be
    /// on a whole minute.
    private var hasSingleRates = false

    /// The kind of an entry.
    enum Entry {
        /// A value of a type that adds up.
        case sum(SampleType)
        /// A heart rate with minimum and maximum: the mean of a bucket or a single measurement.
        case rate
        /// Any other value.
        case measurement
    }

    /// Records the date of an entry.
    mutating func note(_ date: HealthAutoExportDate, _ entry: Entry) {
        switch entry {
        case .sum(let type):
            sums[type, default: Evidence()].note(date)
            let isRepeated = Self.addsUp(type) && !moments[type, default: []].insert(date.instant).inserted
            if isRepeated || date.secondOfDay % 60 != 0 { singles.insert(type) }
        case .rate:
            rates.note(date)
            if date.secondOfDay % 60 != 0 { hasSingleRates = true }
        case .measurement: measurements.note(date)
        }
    }

    /// Returns the length of the bucket that begins at `date`; `nil` if the entry is a measurement and not a bucket.
    func length(at date: HealthAutoExportDate, _ entry: Entry) -> Length? {
        guard date.secondOfDay % 60 == 0 else { return nil }
        guard let length = bucketLength else { return measurements.length == .day ? .day : nil }
        switch entry {
        case .sum(let type): return singles.contains(type) ? nil : length
        case .rate: return length == .minute && hasSingleRates ? nil : length
        case .measurement: break
        }
        // A measurement that is not a bucket may coincide with a whole minute.
        switch length {
        case .minute: return nil
        case .hour: return date.secondOfDay % 3600 == 0 ? .hour : nil
        case .day: return date.secondOfDay == 0 ? .day : nil
        }
    }

    /// Determines the length of buckets, after the last entry was recorded.
    mutating func settle() {
        var all = rates
        for (type, evidence) in sums where !singles.contains(type) { all.formUnion(evidence) }
        bucketLength = all.length
        moments = [:]
    }

    private static let table = SampleTypeTable.builtIn()

    /// Returns whether entries of a type that start together are different events.
    private static func addsUp(_ type: SampleType) -> Bool { table[type]?.counting == .events }

    /// Returns the interval of the bucket that begins at `date`. A day follows `clock` if that is the clock of the
    /// phone, and is otherwise 24 hours long.
    static func interval(from date: HealthAutoExportDate, _ length: Length, clock: DayClock?) -> InstantRange {
        switch length {
        case .minute: return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 60))
        case .hour: return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 3600))
        case .day:
            if let clock, clock.start(of: date.day) == date.instant { return clock.interval(of: date.day) }
            return InstantRange(start: date.instant, end: date.instant.advanced(bySeconds: 86_400))
        }
    }

    /// Returns whether an interval has the length and the start of a bucket.
    static func isBucket(_ interval: InstantRange, from date: HealthAutoExportDate) -> Bool {
        switch interval.milliseconds {
        case 60_000: date.secondOfDay % 60 == 0
        case 3_600_000: date.secondOfDay % 3600 == 0
        case 82_800_000, 86_400_000, 90_000_000: date.secondOfDay == 0
        default: false
        }
    }
}
