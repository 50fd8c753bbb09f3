import HealthSyncDomain

/// An entry of a metric's `data`. Its members depend on the metric, the app's version and its settings.
struct HealthAutoExportDatum: Decodable {
    var date: String?
    var start: String?
    var end: String?
    var startDate: String?
    var endDate: String?
    var qty: Double?
    var minimum: Double?
    var average: Double?
    var maximum: Double?
    /// A name, or several joined by `|`.
    var source: String?
    /// The state of an unaggregated sleep interval.
    var value: JSONLine.Value?
    var systolic: Double?
    var diastolic: Double?

    // An aggregated night; values are in the unit of the metric.
    var asleep: Double?
    var inBed: Double?
    var awake: Double?
    var core: Double?
    var deep: Double?
    var rem: Double?
    var totalSleep: Double?
    var sleepStart: String?
    var sleepEnd: String?
    var inBedStart: String?
    var inBedEnd: String?
    var sleepSource: String?

    enum CodingKeys: String, CodingKey {
        case date, start, end, startDate, endDate, qty, source, value, systolic, diastolic
        case asleep, inBed, awake, core, deep, rem, totalSleep, sleepStart, sleepEnd, inBedStart, inBedEnd, sleepSource
        case minimum = "Min"
        case average = "Avg"
        case maximum = "Max"
    }
}

extension HealthAutoExportDatum {
    /// The app's own name, for values that do not come from a single source.
    static let feedName = InputSamples.unnamedSource

    /// The distinct names of the sources in order; empty if none exist.
    var sources: [String] {
        let names = (source ?? sleepSource ?? "").parts(separatedBy: "|").map { $0.withoutEnds(where: \.isWhitespace) }
        return Set(names).subtracting([""]).sorted()
    }
}
