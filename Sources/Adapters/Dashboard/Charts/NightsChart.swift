import HealthSyncDomain

/// The nights of a year side by side: a line from falling asleep to waking for each, from the evening down.
struct NightsChart {
    /// The nights of the year.
    let nights: [NightHours]
    let year: Int
    /// The shown minutes after noon of the day before.
    let minutes: ClosedRange<Double>
    /// The content in words.
    let description: String

    /// From 18:00 to 12:00.
    static let usual = 360.0...1440.0
    /// From 12:00 to 18:00 of the next day.
    static let wide = 0.0...1800.0

    /// Returns the hours that contain at least 99 of 100 nights; `wide` cuts the remaining ones.
    static func range(of nights: [NightHours]) -> ClosedRange<Double> {
        let outside = nights.count { $0.start < usual.lowerBound || $0.end > usual.upperBound }
        return outside * 100 > nights.count ? wide : usual
    }

    var markup: Markup {
        guard let first = CalendarDay(year: year, month: 1, day: 1) else { return .nothing }
        let height = minutes.upperBound - minutes.lowerBound
        var (slept, inBed) = ("", "")
        for night in nights {
            let start = max(night.start, minutes.lowerBound) - minutes.lowerBound
            let length = min(night.end, minutes.upperBound) - minutes.lowerBound - start
            guard length > 0 else { continue }
            // Minutes are enough: a pixel is more than ten of them.
            let line = "M\(night.day.ordinal - first.ordinal) \(Int(start.rounded()))v\(Int(length.rounded()))"
            if night.asleep == nil { inBed += line } else { slept += line }
        }
        let hours = stride(from: 0.0, to: 1800, by: 360).filter { $0 > minutes.lowerBound && $0 < minutes.upperBound }
        let grid = hours.map { "M-1 \(Int($0 - minutes.lowerBound))h368" }.joined()
        return .tag(
            "svg",
            [
                .class("nights"), .init("viewBox", "-1 0 368 \(Int(height))"),
                .init("preserveAspectRatio", "none"), .init("role", "img"), .init("aria-label", description),
            ],
            [
                slept.isEmpty ? .nothing : .tag("path", [.class("slept"), .init("d", slept)]),
                inBed.isEmpty ? .nothing : .tag("path", [.class("only-in-bed"), .init("d", inBed)]),
                .tag("path", [.class("hours"), .init("d", grid)]),
            ])
    }
}

/// Drawings of years below each other, with the names of the months above them.
enum YearRows {
    /// Returns the rows; each has a heading, a drawing as wide as a year, and figures.
    static func markup(_ rows: [(name: Markup, drawing: Markup, figures: Markup)]) -> Markup {
        let months = (1...12).map { Markup.tag("span", [], .text(CalendarDay.monthName($0))) }
        let head = Markup.tag(
            "div", [.class("year"), .init("aria-hidden", "true")], .tag("div", [.class("months")], months))
        return .tag(
            "div", [.class("years")],
            [head]
                + rows.map { row in
                    .tag(
                        "div", [.class("year")], .tag("h3", [], row.name), row.drawing,
                        .tag("p", [.class("year-figures")], row.figures))
                })
    }
}
