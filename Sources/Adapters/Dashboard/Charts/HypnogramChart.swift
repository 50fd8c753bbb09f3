import HealthSyncDomain

/// The stages of a night: a row for each stage, time from left to right.
struct HypnogramChart {
    let hypnogram: Hypnogram
    /// The wall clock, which may change during the night.
    let clock: WallClock
    let description: String

    /// The stages that occur, from the lightest to the deepest.
    var stages: [SleepStage] {
        let present = Set(hypnogram.segments.map(\.stage))
        return SleepStage.fromLightest.filter(present.contains)
    }

    private let rowHeight = 42.0

    var markup: Markup {
        let stages = stages
        let area = ChartArea(height: Double(stages.count) * rowHeight + 56)
        var content = rows(stages, area) + hours(area)
        var last: (x: Double, y: Double)?
        for segment in hypnogram.segments {
            guard let row = stages.firstIndex(of: segment.stage) else { continue }
            let y = area.top + Double(row) * rowHeight
            let (start, end) = (x(segment.interval.start, area), x(segment.interval.end, area))
            if let last {
                content.append(
                    .tag(
                        "line",
                        [
                            .class("link"), .init("x1", start), .init("x2", start), .init("y1", last.y + rowHeight / 2),
                            .init("y2", y + rowHeight / 2),
                        ]))
            }
            content.append(bar(segment, x: start, y: y + 5, width: max(1, end - start)))
            last = (end, y)
        }
        return area.svg(description, content)
    }

    private func bar(_ segment: SleepStageInterval, x: Double, y: Double, width: Double) -> Markup {
        let title =
            "\(segment.stage.name) \(time(segment.interval.start)) to \(time(segment.interval.end))"
        return .tag(
            "rect",
            [
                .class("stage \(StagePalette.style(segment.stage))"), .init("x", x), .init("y", y),
                .init("width", width), .init("height", rowHeight - 10), .init("rx", min(4, width / 3)),
            ], .tag("title", [], .text(title)))
    }

    private func rows(_ stages: [SleepStage], _ area: ChartArea) -> [Markup] {
        stages.enumerated().flatMap { index, stage -> [Markup] in
            let y = area.top + (Double(index) + 0.5) * rowHeight
            return [
                .tag(
                    "line",
                    [
                        .class("grid"), .init("x1", area.left), .init("x2", area.width), .init("y1", y), .init("y2", y),
                    ]),
                .tag(
                    "text", [.init("x", 0.0), .init("y", y + 4), .init("aria-hidden", "true")],
                    .text(stage.name)),
            ]
        }
    }

    /// Returns a mark at every full hour, or every second or third one of a long session. After a clock change in the
    /// night the marks stay at their instants, labeled with the changed time.
    private func hours(_ area: ChartArea) -> [Markup] {
        let hour: Int64 = 3_600_000
        let step = max(1, (hypnogram.interval.milliseconds / hour + 6) / 7) * hour
        let shift = clock.offsetSeconds(at: hypnogram.interval.start) * 1000
        let wallStart = hypnogram.interval.start.milliseconds + shift
        var instant = Instant(milliseconds: (wallStart + step - 1).flooredQuotient(by: step) * step - shift)
        var marks: [Markup] = []
        while instant <= hypnogram.interval.end {
            let x = x(instant, area)
            marks.append(
                .tag(
                    "line",
                    [
                        .class("grid"), .init("x1", x), .init("x2", x), .init("y1", area.top),
                        .init("y2", area.height - area.bottom),
                    ]))
            marks.append(area.label(time(instant), at: min(max(x, area.left), area.width - 30)))
            instant = instant.advanced(byMilliseconds: step)
        }
        return marks
    }

    private func x(_ instant: Instant, _ area: ChartArea) -> Double {
        let share =
            Double(instant.milliseconds - hypnogram.interval.start.milliseconds)
            / Double(max(1, hypnogram.interval.milliseconds))
        return area.left + share * area.plotWidth
    }

    private func time(_ instant: Instant) -> String { clock.text(instant) }
}
