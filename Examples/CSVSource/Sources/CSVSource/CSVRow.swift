import HealthSyncDomain

/// One line of a file: `stepCount,Pedometer,2024-01-15T08:00:00Z,2024-01-15T08:10:00Z,250,count`.
struct CSVRow {
    let type: String
    private let source: String
    private let interval: InstantRange
    private let value: Double
    private let unit: String

    /// Parses `line`; returns `nil` if it is not a row.
    init?(_ line: String) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 6, let start = RFC3339.instant(fields[2]), let end = RFC3339.instant(fields[3]),
            start <= end, let value = Double(fields[4])
        else { return nil }
        (type, source, unit) = (fields[0], fields[1], fields[5])
        interval = InstantRange(start: start, end: end)
        self.value = value
    }

    /// Returns the row as a sample of `type`.
    func sample(of type: SampleType) -> SourceSample {
        SourceSample(
            type: type, unit: unit, origin: SampleOrigin(sourceName: source), interval: interval, value: value)
    }
}
