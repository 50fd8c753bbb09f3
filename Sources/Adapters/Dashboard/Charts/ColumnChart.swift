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
