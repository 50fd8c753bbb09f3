import HealthSyncDomain

/// Thirty days of a metric as a line, their mean, and its difference to earlier means.
struct TrendLines {
    let trend: MetricTrend
    /// The metric in the description of the line: `Steps`.
    let name: String
    /// What follows the mean: ` a day`.
    let suffix: String
    /// The words for a larger and a smaller mean.
    let words: (more: String, less: String)
    /// The smallest difference that `text` shows.
    let resolution: Double
    /// Returns a quantity as text.
    let text: (Double) -> String

    var markup: [Markup] {
        guard let average = trend.average else { return [] }
        let quantities = trend.recent.map(\.quantity)
        let range = "from \(text(quantities.min() ?? average)) to \(text(quantities.max() ?? average))"
        let line = Sparkline(
            description: "\(name), 30 days to \(trend.days.last.dateInWords): \(range)", days: trend.days,
            quantities: trend.recent)
        let lines: [Markup] =
            ["30 days: " + Figure.number(average, text(average)) + .text(suffix)]
            + comparison(average, with: trend.averageBefore, of: "the 30 days before")
            + comparison(average, with: trend.averageYearAgo, of: "a year ago")
        return [line.markup ?? .nothing, .tag("ul", [.class("trend")], lines.map { .tag("li", [], $0) })]
    }

    /// Returns `▼ 616 less than the 30 days before (9,210)`. The difference is that of the numbers shown.
    private func comparison(_ average: Double, with earlier: Double?, of time: String) -> [Markup] {
        guard let earlier else { return [] }
        let difference = rounded(average) - rounded(earlier)
        let figure = Figure.number(earlier, text(earlier))
        if difference.magnitude < resolution / 2 { return ["the same as \(time) (" + figure + ")"] }
        let mark = Markup.tag("span", [.init("aria-hidden", "true")], difference > 0 ? "▲ " : "▼ ")
        let word = difference > 0 ? words.more : words.less
        return [mark + .tag("strong", [], .text(text(difference.magnitude))) + " \(word) than \(time) (" + figure + ")"]
    }

    private func rounded(_ value: Double) -> Double { (value / resolution).rounded() * resolution }
}
