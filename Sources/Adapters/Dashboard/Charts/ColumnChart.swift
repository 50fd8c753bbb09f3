/// Columns side by side: bars, stacked bars, or ranges with a point.
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

    var markup: Markup {
        let scale = ChartScale(values: values, fromZero: fromZero, unit: unit)
        let width = area.plotWidth / Double(max(1, columns.count))
        var content = area.grid(scale, label: mark)
        for (index, column) in columns.enumerated() {
            let middle = area.left + (Double(index) + 0.5) * width
            if !column.label.isEmpty {
                content.append(area.label(column.label, at: labelPlace(middle, of: column.label)))
            }
            let shapes = shapes(of: column, middle: middle, width: width, scale: scale)
            guard !shapes.isEmpty else { continue }
            content.append(entitled(column, shapes, middle: middle, width: width))
        }
        return area.svg(description, content)
    }

    private var values: [Double] {
        columns.flatMap { column in
            var values = [column.parts.reduce(0) { $0 + $1.value }]
            if column.parts.isEmpty { values = [] }
            if let span = column.span { values += [span.lowerBound, span.upperBound] }
            if let point = column.point { values.append(point) }
            return values
        }
    }

    /// Returns the position of a label, moved into the drawing at both ends.
    private func labelPlace(_ middle: Double, of label: String) -> Double {
        let half = Double(label.count) * 6
        return min(max(middle, area.left + half / 2), area.width - half)
    }

    private func shapes(of column: ChartColumn, middle: Double, width: Double, scale: ChartScale) -> [Markup] {
        let thickness = max(1, min(width * 0.72, 56))
        var shapes: [Markup] = []
        var below = 0.0
        for part in column.parts where part.value > 0 {
            let (low, high) = (area.y(scale.share(below)), area.y(scale.share(below + part.value)))
            below += part.value
            let style = column.isCurrent && part.style == "bar" ? "here" : part.style
            shapes.append(
                Self.rectangle(style, x: middle - thickness / 2, y: high, width: thickness, height: low - high))
        }
        if let span = column.span {
            let (low, high) = (area.y(scale.share(span.lowerBound)), area.y(scale.share(span.upperBound)))
            shapes.append(
                Self.rectangle(
                    column.isCurrent ? "here" : "span", x: middle - thickness / 2, y: high, width: thickness,
                    height: max(2, low - high)))
        }
        if let point = column.point {
            shapes.append(
                .tag(
                    "circle",
                    [
                        .class("dot"), .init("cx", middle), .init("cy", area.y(scale.share(point))),
                        .init("r", min(5, max(2, thickness / 3))),
                    ]))
        }
        return shapes
    }

    /// Returns the shapes with their title, on an area as high as the plot, so that the pointer also finds low columns.
    private func entitled(_ column: ChartColumn, _ shapes: [Markup], middle: Double, width: Double) -> Markup {
        let room = Markup.tag(
            "rect",
            [
                .init("fill", "transparent"), .init("x", middle - width / 2), .init("y", area.top),
                .init("width", width), .init("height", area.plotHeight),
            ])
        let content = [Markup.tag("title", [], .text(column.title)), room] + shapes
        if let address = column.address {
            return .tag("a", [.href(address), .init("aria-label", column.title)], content)
        }
        return .tag("g", [.init("role", "img"), .init("aria-label", column.title)], content)
    }

    private static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> Markup {
        .tag(
            "rect",
            [
                .class(style), .init("x", x), .init("y", y), .init("width", width), .init("height", height),
                .init("rx", min(3, width / 4)),
            ])
    }
}
