import HealthSyncDomain

/// Stand time: minutes standing, in intervals of five minutes with walking.
struct StandTimeSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierAppleStandTime"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .standTime)
        let head = RecordHead(type, unit: "min", recorder: .watch, device: plan.watch, seed: seed)
        var written = plan.span.start
        for walk in plan.walks where walk.hasWatch {
            var start = max(written, walk.span.start - walk.span.start % 300)
            while start < walk.span.end, start + 300 <= plan.span.end {
                let span = Span(start: start, end: start + 300)
                page.write(head, type: type, created: span.end + 2, span, .number(stream.whole(1, 5)))
                start = span.end
            }
            written = start
        }
    }
}
