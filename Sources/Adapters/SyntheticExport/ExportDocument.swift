import HealthSyncDomain

/// The main file of an export, generated piece by piece on demand: nothing of it is kept.
struct ExportDocument: Sendable {
    private let planner: DayPlanner
    private let series: [any RecordSeries]
    private let tail = Array("</HealthData>\n".utf8)
    private var page: ExportPage
    private var seriesIndex = 0
    private var day: CalendarDay
    private var isFinished = false
    private(set) var byteCount: Int64 = 0

    /// The length at which a piece is complete; it is longer by at most one day of one type.
    static let pieceBytes = 256 * 1024

    init(scenario: Scenario) {
        planner = scenario.planner
        series = SeriesCatalog.all(scenario)
        day = scenario.timeline.days.first
        page = ExportPage(
            dates: AppleDate(offsetSeconds: scenario.exportOffset), truth: TruthLedger(timeline: scenario.timeline))
        page.write(ExportHead.text(exportDate: page.dates.text(scenario.exportMoment)))
    }

    /// The number of written days, counted once for each type, and their total.
    var progress: (done: Int64, total: Int64) {
        let days = planner.timeline.days
        return (Int64(seriesIndex * days.count + planner.timeline.index(of: day)), Int64(series.count * days.count))
    }

    var records: Int { page.records }
    var counts: [TruthRecordCount] { page.counts }
    var truth: TruthLedger { page.truth }

    /// Returns the next piece, or `nil` after the last.
    mutating func next() -> [UInt8]? {
        guard !isFinished else { return nil }
        page.bytes.reserveCapacity(Self.pieceBytes + Self.pieceBytes / 4)
        while seriesIndex < series.count, page.bytes.count < Self.pieceBytes { writeDay() }
        if seriesIndex == series.count {
            page.bytes.append(contentsOf: tail)
            isFinished = true
        }
        defer { page.bytes = [] }
        byteCount += Int64(page.bytes.count)
        return page.bytes
    }

    private mutating func writeDay() {
        let current = series[seriesIndex]
        page.begin(current.type, seed: planner.seed, day: day.ordinal)
        current.write(planner.plan(of: day), to: &page)
        if day < planner.timeline.days.last {
            day = day.advanced(by: 1)
        } else {
            page.endType()
            seriesIndex += 1
            day = planner.timeline.days.first
        }
    }
}
