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
