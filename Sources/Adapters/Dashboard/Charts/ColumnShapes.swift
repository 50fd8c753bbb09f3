/// The shapes of the columns of a chart: one path for each color, so that many columns stay small.
struct ColumnShapes {
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
