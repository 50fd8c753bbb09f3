import HealthSyncDomain

/// Columns side by side: bars, stacked bars, or ranges with a point, and a line over them.
struct ColumnChart {
    /// The content in words.
    let description: String
    let columns: [ChartColumn]
    /// Whether the axis begins at 0.
    var fromZero = true
    /// The marks of the axis are multiples of this: the smallest difference that `mark` shows. 0 for any.
    var unit = 0.0
    var area = ChartArea()
    /// The label of a mark on the axis.
    let mark: (Double) -> String

    /// The drawings for wide and narrow screens, and a note if columns are hatched.
    var markup: Markup {
        let scale = ChartScale(values: columns.flatMap(\.values), fromZero: fromZero, unit: unit)
        let note =
            columns.contains { $0.isPartial && !($0.parts.isEmpty && $0.span == nil) }
            ? Markup.tag("p", [.class("quiet")], "Hatched columns are incomplete periods.") : .nothing
        return drawing(area, scale) + drawing(area.narrow, scale) + note
    }

    private func drawing(_ area: ChartArea, _ scale: ChartScale) -> Markup {
        let width = area.plotWidth / Double(max(1, columns.count))
        var shapes = ColumnShapes(area: area, scale: scale, width: width)
        var labels: [(text: String, x: Double)] = []
        var places: [Markup] = []
        for (index, column) in columns.enumerated() {
            let middle = area.left + (Double(index) + 0.5) * width
            if ColumnLabels.isLabelled(index, of: columns.count, atMost: area.mostLabels) {
                labels.append((column.label, middle))
            }
            shapes.add(column, middle: middle)
            guard !column.isEmpty else { continue }
            places.append(area.place(column.title, address: column.address, x: middle - width / 2, width: width))
        }
        return area.svg(description, area.grid(scale, label: mark) + shapes.markup + area.labels(labels) + places)
    }
}

/// One column of a chart.
struct ChartColumn {
    /// The label below the column; empty for none.
    var label = ""
    /// The content in words, for the tooltip and for screen readers.
    var title: String
    /// The parts from the bottom up, each with the class of its color.
    var parts: [(value: Double, style: String)] = []
    /// The range from minimum to maximum.
    var span: ClosedRange<Double>?
    /// A point in the range.
    var point: Double?
    /// A point of the line over all columns.
    var line: Double?
    /// The link of the column.
    var address: String?
    /// Whether the period of the column is incomplete: the column is hatched.
    var isPartial = false

    init(_ title: String, label: String = "", address: String? = nil) {
        self.title = title
        self.label = label
        self.address = address
    }

    /// Whether the column shows anything.
    var isEmpty: Bool { parts.isEmpty && span == nil && point == nil && line == nil }

    /// The numbers that the axis must contain.
    var values: [Double] {
        var values: [Double] = parts.isEmpty ? [] : [parts.reduce(0) { $0 + $1.value }]
        if let span { values += [span.lowerBound, span.upperBound] }
        if let point { values.append(point) }
        if let line { values.append(line) }
        return values
    }
}

/// The shapes of the columns of a chart: one path for each color, so that many columns stay small.
private struct ColumnShapes {
    let area: ChartArea
    let scale: ChartScale
    /// The distance between columns.
    let width: Double

    /// The colors in the order of their first use, and their paths.
    private var paths: [(style: String, path: String)] = []
    private var hatches = (bars: "", spans: "")
    /// The ends of columns in a row that have a line.
    private var lines: [[(x: Double, y: Double)]] = []
    private var isInLine = false
    private var points: [Markup] = []

    init(area: ChartArea, scale: ChartScale, width: Double) {
        (self.area, self.scale, self.width) = (area, scale, width)
    }

    /// The shapes from the back to the front.
    var markup: [Markup] {
        var shapes = paths.map { Self.path($0.style, $0.path) }
        if !hatches.bars.isEmpty { shapes.append(Self.path("partial", hatches.bars)) }
        if !hatches.spans.isEmpty { shapes.append(Self.path("partial range", hatches.spans)) }
        shapes += points
        if !lines.isEmpty { shapes.append(Self.path("line", lines.map(ChartArea.line).joined())) }
        return shapes
    }

    private static func path(_ style: String, _ path: String) -> Markup {
        .tag("path", [.class(style), .init("d", path)])
    }

    /// Adds the shapes of the next column.
    mutating func add(_ column: ChartColumn, middle: Double) {
        let thickness = max(1, min(width * 0.72, 56))
        let left = middle - thickness / 2
        var below = 0.0
        for part in column.parts where part.value > 0 {
            let (low, high) = (area.y(scale.share(below)), area.y(scale.share(below + part.value)))
            below += part.value
            if column.isPartial, part.style == "bar" {
                hatches.bars += Self.hatch(x: left, y: high, width: thickness, height: low - high)
            } else {
                add(part.style, ChartArea.rectangle(x: left, y: high, width: thickness, height: low - high))
            }
        }
        if let span = column.span {
            let (low, high) = (area.y(scale.share(span.lowerBound)), area.y(scale.share(span.upperBound)))
            let height = max(2, low - high)
            if column.isPartial {
                hatches.spans += Self.hatch(x: left, y: high, width: thickness, height: height)
            } else {
                add("span", ChartArea.rectangle(x: left, y: high, width: thickness, height: height))
            }
        }
        if let point = column.point {
            points.append(
                .tag(
                    "circle",
                    [
                        .class("dot"), .init("cx", middle), .init("cy", area.y(scale.share(point))),
                        .init("r", min(5, max(2, thickness / 3))),
                    ]))
        }
        if let value = column.line {
            if !isInLine { lines.append([]) }
            lines[lines.count - 1].append((middle, area.y(scale.share(value))))
        }
        isInLine = column.line != nil
    }

    private mutating func add(_ style: String, _ path: String) {
        if let index = paths.firstIndex(where: { $0.style == style }) {
            paths[index].path += path
        } else {
            paths.append((style, path))
        }
    }

    /// Returns an outline with lines from the lower left to the upper right.
    private static func hatch(x: Double, y: Double, width: Double, height: Double) -> String {
        var hatches = ChartArea.rectangle(x: x, y: y, width: width, height: height)
        for sum in stride(from: hatchDistance, to: width + height, by: hatchDistance) {
            let (start, end) = (max(0, sum - height), min(sum, width))
            hatches += "M\(ChartArea.point(x + start, y + sum - start))L\(ChartArea.point(x + end, y + sum - end))"
        }
        return hatches
    }

    private static let hatchDistance = 6.0
}

/// Short names below columns, few enough to be read on a phone.
enum ColumnLabels {
    /// Returns whether the column at `index` of `count` has a label: all of up to `most` columns, otherwise every second,
    /// third and so on.
    fileprivate static func isLabelled(_ index: Int, of count: Int, atMost most: Int = 8) -> Bool {
        count <= most || index % ((count + most - 1) / most) == 0
    }

    /// Returns a period in short: `15 Jan`, `W03`, `Jan 24`, `2024`.
    static func period(_ period: CalendarPeriod) -> String {
        let (year, month, day) = period.days.first.components
        switch period.unit {
        case .day: return "\(day) \(CalendarDay.monthName(month))"
        case .week: return String(period.description.suffix(3))
        case .month:
            return "\(CalendarDay.monthName(month)) \(period.days.first.description.prefix(4).suffix(2))"
        case .year: return "\(year)"
        }
    }

    /// Returns a period in full: `Mon 15 Jan 2024`, `2024-W03`, `Jan 2024`, `2024`.
    static func fullName(_ period: CalendarPeriod) -> String {
        let first = period.days.first
        switch period.unit {
        case .day: return Figure.dayText(first)
        case .month: return "\(CalendarDay.monthName(first.components.month)) \(first.components.year)"
        case .week, .year: return "\(period)"
        }
    }
}
