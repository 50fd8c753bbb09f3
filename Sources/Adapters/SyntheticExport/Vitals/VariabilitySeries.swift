import HealthSyncDomain

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
