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

/// Heart rate variability with the heartbeats it was computed from.
struct VariabilitySeries: RecordSeries {
    let seed: UInt64
    let density: Double
    let type = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .variability)
        let head = RecordHead(type, unit: "ms", recorder: .watch, device: plan.watch, seed: seed)
        let pause = max(600, Int64(14_400 / density))
        var start = plan.span.start + stream.whole(600, 5000)
        while start + 120 < plan.span.end {
            let span = Span(start: start, end: start + 60)
            let beats = beats(over: span, rate: plan.restingRate, page.dates, &stream)
            let value = RecordValue.number(stream.whole(180_000, 820_000), decimals: 4)
            if plan.wear.isWorn(during: span) {
                page.write(head, type: type, created: span.end + 1, span, value, children: beats)
            }
            start += pause + stream.whole(0, 2400)
        }
    }

    private func beats(
        over span: Span, rate: Int64, _ dates: AppleDate, _ stream: inout SeededStream
    ) -> [UInt8] {
        var text = "  <HeartRateVariabilityMetadataList>\n"
        let count = stream.whole(18, 30)
        for beat in 0..<count {
            let hundredths = beat * 6000 / count + stream.whole(0, 150)
            let time = dates.timeOfDay(span.start + hundredths / 100, hundredths: hundredths % 100)
            text += "   <InstantaneousBeatsPerMinute bpm=\"\(rate + stream.whole(-5, 9))\" time=\"\(time)\"/>\n"
        }
        return Array((text + "  </HeartRateVariabilityMetadataList>\n").utf8)
    }
}

/// The resting or walking heart rate: one record for each day on which the watch was worn.
struct DailyRateSeries: RecordSeries {
    enum Measure {
        case resting
        case walking
    }

    let measure: Measure
    let seed: UInt64

    var type: String {
        measure == .resting
            ? "HKQuantityTypeIdentifierRestingHeartRate" : "HKQuantityTypeIdentifierWalkingHeartRateAverage"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        guard !plan.wear.isForgotten else { return }
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .walkingRate)
        let start = plan.awake.start + 600
        let span = Span(start: start, end: max(start + 60, min(start + 36_000, plan.span.end - 60)))
        var rate = plan.restingRate
        switch measure {
        case .resting: page.truth.change(plan.day) { $0.restingHeartRate = rate }
        case .walking: rate += stream.whole(34, 48)
        }
        let head = RecordHead(type, unit: "count/min", recorder: .watch, device: plan.watch, seed: seed)
        page.write(head, type: type, created: span.end, span, .number(rate))
    }
}

/// Cardio fitness, estimated after most exercises.
struct FitnessSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierVO2Max"

    private static let testType = Metadata.entry("HKVO2MaxTestType", "2")

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .fitness)
        let head = RecordHead(type, unit: "mL/min\u{B7}kg", recorder: .watch, device: plan.watch, seed: seed)
        for walk in plan.walks where walk.kind == .exercise && walk.hasWatch && stream.chance(0.7) {
            let end = walk.span.end
            page.write(
                head, type: type, created: end + 30, Span(start: end, end: end),
                .number(stream.whole(3600, 4400), decimals: 2), children: Self.testType)
        }
    }
}
