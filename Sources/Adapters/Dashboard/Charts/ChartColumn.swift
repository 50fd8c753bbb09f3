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
    /// The link of the column.
    var address: String?
    /// Whether the page shows the period of this column.
    var isCurrent = false

    init(_ title: String, label: String = "", address: String? = nil) {
        self.title = title
        self.label = label
        self.address = address
    }
}
