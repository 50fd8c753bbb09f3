import HealthSyncDomain

/// Heart rate: about every five minutes, and every few seconds during exercise.
struct HeartRateSeries: RecordSeries {
    let seed: UInt64
    let density: Double
    let type = "HKQuantityTypeIdentifierHeartRate"

    private static let unknown = Metadata.entry("HKMetadataKeyHeartRateMotionContext", "0")
    private static let sedentary = Metadata.entry("HKMetadataKeyHeartRateMotionContext", "1")
    private static let active = Metadata.entry("HKMetadataKeyHeartRateMotionContext", "2")

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .heartRate)
        let head = RecordHead(type, unit: "count/min", recorder: .watch, device: plan.watch, seed: seed)
        var time = plan.span.start + stream.whole(0, 240)
        var walks = plan.walks[...]
        while time < plan.span.end {
            while let walk = walks.first, walk.span.end <= time { walks.removeFirst() }
            let walk = walks.first.flatMap { $0.span.contains(time) ? $0 : nil }
            let thousandths = rate(at: time, plan, walk, &stream)
            if plan.wear.isWorn(at: time) {
                page.truth.change(plan.day) { figures in
                    if figures.heartRate == nil {
                        figures.heartRate = TruthHeartRate(first: thousandths)
                    } else {
                        figures.heartRate?.add(thousandths)
                    }
                }
                let context = walk == nil ? (plan.isAsleep(at: time) ? Self.sedentary : Self.unknown) : Self.active
                page.write(
                    head, type: type, created: time + stream.whole(1, 240), Span(start: time, end: time),
                    .number(thousandths, decimals: 3), children: context)
            }
            time += pause(after: walk, &stream)
            // The start of exercise must not fall between two measurements at rest.
            if walk == nil, let next = walks.first, next.kind == .exercise, next.span.start < time {
                time = max(next.span.start, time - 200)
            }
        }
    }

    private func pause(after walk: Walk?, _ stream: inout SeededStream) -> Int64 {
        let seconds: Double =
            switch walk?.kind {
            case .exercise: stream.uniform(12, 18)
            case .stroll, .errand: stream.uniform(100, 240)
            case nil: stream.uniform(240, 370)
            }
        return max(3, Int64(seconds / density))
    }

    /// Returns the rate in thousandths of a beat per minute: whole beats at rest, fractions during exercise, when
    /// measurements are denser.
    private func rate(at time: Int64, _ plan: DayPlan, _ walk: Walk?, _ stream: inout SeededStream) -> Int64 {
        let resting = plan.restingRate
        guard let walk else {
            let isAsleep = plan.isAsleep(at: time)
            return (resting + (isAsleep ? stream.whole(-6, 7) : stream.whole(3, 28))) * 1000
        }
        let pace = walk.steps * 60 / max(1, walk.span.seconds)
        guard walk.kind == .exercise else { return (resting + pace / 3 + stream.whole(-6, 12)) * 1000 }
        let warming = min(time - walk.span.start, 300) * 40_000 / 300
        return (resting + pace / 4) * 1000 + warming + stream.whole(-6000, 14_000)
    }
}
