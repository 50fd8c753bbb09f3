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

    /// The drawings for wide and narrow screens.
    var markup: Markup {
        let area = ChartArea(height: Double(stages.count) * 42 + 56)
        return drawing(area) + drawing(area.narrow)
    }

    private func drawing(_ area: ChartArea) -> Markup {
        let stages = stages
        let rowHeight = area.plotHeight / Double(max(1, stages.count))
        let gap = rowHeight / 8
        var (bars, places): ([Markup], [Markup]) = ([], [])
        var last: (x: Double, y: Double)?
        for segment in hypnogram.segments {
            guard let row = stages.firstIndex(of: segment.stage) else { continue }
            let y = area.top + Double(row) * rowHeight
            let (start, end) = (x(segment.interval.start, area), x(segment.interval.end, area))
            if let last {
                bars.append(
                    .tag(
                        "line",
                        [
                            .class("link"), .init("x1", start), .init("x2", start), .init("y1", last.y + rowHeight / 2),
                            .init("y2", y + rowHeight / 2),
                        ]))
            }
            let width = max(1, end - start)
            bars.append(bar(segment.stage, x: start, y: y + gap, width: width, height: rowHeight - 2 * gap))
            let title = "\(segment.stage.name) \(time(segment.interval.start)) to \(time(segment.interval.end))"
            places.append(area.place(title, x: start, width: width))
            last = (end, y)
        }
        return area.svg(description, rows(stages, area, rowHeight) + hours(area) + bars + places)
    }

    private func bar(_ stage: SleepStage, x: Double, y: Double, width: Double, height: Double) -> Markup {
        .tag(
            "rect",
            [
                .class("stage \(StagePalette.style(stage))"), .init("x", x), .init("y", y), .init("width", width),
                .init("height", height), .init("rx", min(4, width / 3)),
            ])
    }

    private func rows(_ stages: [SleepStage], _ area: ChartArea, _ rowHeight: Double) -> [Markup] {
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
        var number = (wallStart + step - 1).flooredQuotient(by: step)
        var instant = Instant(milliseconds: number * step - shift)
        var marks: [Markup] = []
        var labels: [(number: Int64, text: String, x: Double)] = []
        while instant <= hypnogram.interval.end {
            let x = x(instant, area)
            marks.append(
                .tag(
                    "line",
                    [
                        .class("grid"), .init("x1", x), .init("x2", x), .init("y1", area.top),
                        .init("y2", area.height - area.bottom),
                    ]))
            labels.append((number, time(instant), x))
            number += 1
            instant = instant.advanced(byMilliseconds: step)
        }
        return marks + area.evenLabels(labels)
    }

    private func x(_ instant: Instant, _ area: ChartArea) -> Double {
        let share =
            Double(instant.milliseconds - hypnogram.interval.start.milliseconds)
            / Double(max(1, hypnogram.interval.milliseconds))
        return area.left + share * area.plotWidth
    }

    private func time(_ instant: Instant) -> String { clock.text(instant) }
}
