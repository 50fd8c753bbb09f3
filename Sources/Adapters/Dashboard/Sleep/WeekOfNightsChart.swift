import HealthSyncDomain

/// The nights of a week below each other, from evening to noon, by stages.
struct WeekOfNightsChart {
    let overview: SleepOverview
    let context: PageContext
    /// The night in words.
    let title: (SleepNight) -> String
    /// The address of the night of a day.
    let address: (CalendarDay) -> String

    /// The chart in a section of its own.
    var section: Markup {
        .tag("section", [.class("card"), .id("week-of-nights")], .tag("h2", [], "Hours of the nights"), markup)
    }

    private var markup: Markup {
        let nights = overview.nights.map { (night: $0, hours: NightHours(NightTimes($0.main), clock: context.clock)) }
        let minutes = NightsChart.range(of: nights.map(\.hours))
        let area = ChartArea(height: Double(overview.days.count) * 24 + 56)
        return drawing(area, nights, minutes) + drawing(area.narrow, nights, minutes)
    }

    private func drawing(
        _ area: ChartArea, _ nights: [(night: SleepNight, hours: NightHours)], _ minutes: ClosedRange<Double>
    ) -> Markup {
        let rowHeight = area.plotHeight / Double(overview.days.count)
        func x(_ minute: Double) -> Double {
            let within = min(max(minute, minutes.lowerBound), minutes.upperBound)
            return area.left + (within - minutes.lowerBound) / (minutes.upperBound - minutes.lowerBound)
                * area.plotWidth
        }
        var (bars, places): ([Markup], [Markup]) = ([], [])
        for (night, hours) in nights {
            let y = area.top + Double(night.day.ordinal - overview.days.first.ordinal) * rowHeight
            for (style, path) in Self.paths(
                night.main, from: hours.start, y: y + rowHeight / 8, height: rowHeight * 3 / 4, x: x)
            {
                bars.append(.tag("path", [.class("stage \(style)"), .init("d", path)]))
            }
            let start = x(hours.start)
            places.append(
                area.place(
                    title(night), address: address(night.day), x: start, width: max(1, x(hours.end) - start), y: y,
                    height: rowHeight))
        }
        return area.svg(
            "Hours of the nights by stages", hours(area, minutes, x) + names(area, rowHeight) + bars + places)
    }

    /// Returns a path for each stage of a session that starts at the minute `start`.
    private static func paths(
        _ session: SleepEpisode, from start: Double, y: Double, height: Double, x: (Double) -> Double
    ) -> [(style: String, path: String)] {
        let segments =
            Hypnogram(of: session)?.segments
            ?? [
                SleepStageInterval(
                    stage: session.durations.isSleepKnown ? .asleep : .inBed, interval: session.interval)
            ]
        var paths: [String: String] = [:]
        for segment in segments {
            func minute(_ instant: Instant) -> Double {
                start + Double(instant.milliseconds - session.interval.start.milliseconds) / 60_000
            }
            let left = x(minute(segment.interval.start))
            paths[StagePalette.style(segment.stage), default: ""] += ChartArea.rectangle(
                x: left, y: y, width: x(minute(segment.interval.end)) - left, height: height)
        }
        return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func names(_ area: ChartArea, _ rowHeight: Double) -> [Markup] {
        overview.days.enumerated().map { index, day in
            .tag(
                "text",
                [
                    .init("x", 0.0), .init("y", area.top + (Double(index) + 0.5) * rowHeight + 4),
                    .init("aria-hidden", "true"),
                ], .text(day.weekdayName))
        }
    }

    private func hours(_ area: ChartArea, _ minutes: ClosedRange<Double>, _ x: (Double) -> Double) -> [Markup] {
        let marks = Array(stride(from: minutes.lowerBound, through: minutes.upperBound, by: 180))
        let lines = marks.map { mark in
            Markup.tag(
                "line",
                [
                    .class("grid"), .init("x1", x(mark)), .init("x2", x(mark)), .init("y1", area.top),
                    .init("y2", area.height - area.bottom),
                ])
        }
        let labels = marks.map { mark in
            (text: context.clockForm.text(RegularitySection.clockText(mark)[...]), x: x(mark))
        }
        return lines + area.labels(labels.filter { area.fits($0.text, at: $0.x) })
    }
}
