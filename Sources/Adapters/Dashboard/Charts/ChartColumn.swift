/// One column of a chart.
struct ChartColumn {
    /// Below it; empty for none.
    var label = ""
    /// What it says in full, told to who points at it or hears it.
    var title: String
    /// Parts from the bottom up, each with the class of its colour.
    var parts: [(value: Double, style: String)] = []
    /// From where to where something reached.
    var span: ClosedRange<Double>?
    /// A point within.
    var point: Double?
    /// Where it leads.
    var address: String?
    /// Whether it is the one that the page is about.
    var isCurrent = false

    init(_ title: String, label: String = "", address: String? = nil) {
        self.title = title
        self.label = label
        self.address = address
    }
}
