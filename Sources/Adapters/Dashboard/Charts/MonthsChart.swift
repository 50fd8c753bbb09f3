import HealthSyncDomain

/// The means of months as a line over years. Months without a mean interrupt it.
struct MonthsChart {
    /// The content in words.
    let description: String
    /// Ascending; at least one.
    let months: [MetricHistory.Month]
    /// The axis shows quantities divided by this: 60 for minutes as hours.
    var divisor = 1.0
    /// The smallest difference that `mark` shows.
    let unit: Double
    /// The label of a mark on the axis.
    let mark: (Double) -> String
    /// A mean with its unit.
    let text: (Double) -> String

    /// The drawings for wide and narrow screens.
    var markup: Markup {
        let scale = ChartScale(values: months.map { $0.average / divisor }, fromZero: false, unit: unit)
        let area = ChartArea(height: 200)
        return drawing(area, scale) + drawing(area.narrow, scale)
    }

    private func drawing(_ area: ChartArea, _ scale: ChartScale) -> Markup {
        guard let first = months.first?.period, let last = months.last?.period else { return .nothing }
        let width = area.plotWidth / Double(Self.index(last) - Self.index(first) + 1)
        var lines: [[(x: Double, y: Double)]] = []
        var before: Int?
        var places: [Markup] = []
        for month in months {
            let index = Self.index(month.period)
            let x = area.left + (Double(index - Self.index(first)) + 0.5) * width
            if before != index - 1 { lines.append([]) }
            lines[lines.count - 1].append((x, area.y(scale.share(month.average / divisor))))
            before = index
            let title = "\(ColumnLabels.fullName(month.period)): \(text(month.average)), \(month.days) days"
            places.append(area.place(title, x: x - width / 2, width: width))
        }
        return area.svg(
            description,
            area.grid(scale, label: mark) + [
                .tag("path", [.class("line"), .init("d", lines.map(ChartArea.line).joined())])
            ]
                + area.labels(labels(from: first, through: last, width: width, area)) + places)
    }

    /// Returns the years at their first month; for less than two years, the first and the last month.
    private func labels(
        from first: CalendarPeriod, through last: CalendarPeriod, width: Double, _ area: ChartArea
    ) -> [(text: String, x: Double)] {
        let (start, end) = (Self.index(first), Self.index(last))
        func x(_ month: Int) -> Double { area.left + (Double(month - start) + 0.5) * width }
        guard end - start >= 24 else {
            return [first, last].map { (ColumnLabels.period($0), x(Self.index($0))) }
        }
        let years = ((start + 11) / 12)...(end / 12)
        let step = (years.count + area.mostLabels - 1) / area.mostLabels
        return years.filter { ($0 - years.lowerBound) % max(1, step) == 0 }.map { ("\($0)", x($0 * 12)) }
    }

    /// Months since the year 0.
    private static func index(_ period: CalendarPeriod) -> Int {
        let (year, month, _) = period.days.first.components
        return year * 12 + month - 1
    }
}
