import HealthSyncDomain
import HealthSyncPorts

/// One line of a file: `stepCount,Pedometer,2024-01-15T08:00:00Z,2024-01-15T08:10:00Z,250,count`. The times may lack an
/// offset.
struct CSVRow {
    let type: String
    private let source: String
    private let interval: InstantRange
    private let externalID: String?
    private let value: Double
    private let unit: String

    /// Parses `line`; returns `nil` if it is not a row.
    init?(_ line: String, _ times: inout WallClockTimes) {
        guard let fields = CSVFields.split(line), fields.count == 6, let value = Double(fields[4]),
            let start = times.start(fields[2], series: "\(fields[0]),\(fields[1])"),
            let end = times.end(fields[3], after: start.instant), start.instant <= end
        else { return nil }
        (type, source, unit) = (fields[0], fields[1], fields[5])
        interval = InstantRange(start: start.instant, end: end)
        externalID = start.externalID
        self.value = value
    }

    /// Returns the row as a sample of `type`.
    func sample(of type: SampleType) -> SourceSample {
        SourceSample(
            type: type, unit: unit, origin: SampleOrigin(sourceName: source), interval: interval, value: value,
            detail: externalID.map { SampleDetail(externalID: $0) })
    }
}
