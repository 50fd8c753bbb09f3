/// The area of a chart, in its own units; the page scales it.
struct ChartArea {
    let width = 720.0
    let height: Double
    /// Above the plot, for the label of the highest mark.
    let top = 26.0
    /// Before the plot, for labels of the marks.
    let left = 72.0
    /// Below the plot, for labels.
    let bottom = 30.0

    init(height: Double = 230) { self.height = height }

    var plotWidth: Double { width - left }
    var plotHeight: Double { height - top - bottom }

    /// Returns the vertical coordinate of a share of the plot's height.
    func y(_ share: Double) -> Double { top + plotHeight * (1 - share) }

    /// Returns the drawing, with a description.
    func svg(_ description: String, _ content: [Markup]) -> Markup {
        .tag(
            "svg",
            [
                .class("chart"), .init("viewBox", "0 0 \(Coordinate.text(width)) \(Coordinate.text(height))"),
                .init("role", "group"), .init("aria-label", description),
            ], content)
    }

    /// Returns the lines and labels of the vertical axis.
    func grid(_ scale: ChartScale, label: (Double) -> String) -> [Markup] {
        scale.marks.flatMap { mark -> [Markup] in
            let y = y(scale.share(mark))
            let line = Markup.tag(
                "line",
                [.class("grid"), .init("x1", 0.0), .init("x2", width), .init("y1", y), .init("y2", y)])
            guard mark > scale.low || scale.low > 0 else { return [line] }
            return [
                line,
                .tag("text", [.init("x", 0.0), .init("y", y - 4), .init("aria-hidden", "true")], .text(label(mark))),
            ]
        }
    }

    /// Returns a label below the plot.
    func label(_ text: String, at x: Double) -> Markup {
        .tag(
            "text",
            [
                .init("x", x), .init("y", height - 6), .init("text-anchor", "middle"), .init("aria-hidden", "true"),
            ], .text(text))
    }
}
