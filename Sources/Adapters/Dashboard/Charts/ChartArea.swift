/// The area of a chart, in its own units; the page scales it. A phone shows a narrower area of its own.
struct ChartArea {
    let width: Double
    let height: Double
    /// Before the plot, for labels of the marks.
    let left: Double
    /// Whether it is shown on phones instead of wide screens.
    private let isNarrow: Bool
    /// The most labels below the plot.
    let mostLabels: Int
    /// Above the plot, for the label of the highest mark.
    let top = 26.0
    /// Below the plot, for labels.
    let bottom = 30.0

    /// Creates the area for wide screens.
    init(height: Double = 230) {
        (width, left, mostLabels) = (720, 72, 8)
        self.height = height
        isNarrow = false
    }

    private init(narrowHeight: Double) {
        (width, left, mostLabels) = (Self.narrowWidth, 44, 4)
        height = narrowHeight
        isNarrow = true
    }

    /// The width of a card on a phone of 390 pixels.
    private static let narrowWidth = 340.0

    /// The area for phones, of 1.6 to 1; lower if the wide one is.
    var narrow: ChartArea { ChartArea(narrowHeight: min(212, height)) }

    var plotWidth: Double { width - left }
    var plotHeight: Double { height - top - bottom }

    /// Returns the vertical coordinate of a share of the plot's height.
    func y(_ share: Double) -> Double { top + plotHeight * (1 - share) }

    /// Returns the drawing, with a description.
    func svg(_ description: String, _ content: [Markup]) -> Markup {
        .tag(
            "svg",
            [
                .class(isNarrow ? "chart narrow" : "chart wide"),
                .init("viewBox", "0 0 \(Coordinate.text(width)) \(Coordinate.text(height))"),
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

    /// Returns labels below the plot at these places, ascending. A label moves into the drawing at both ends; one that
    /// would touch the label before it is omitted.
    func labels(_ labels: [(text: String, x: Double)]) -> [Markup] {
        var end = -Double.infinity
        return labels.compactMap { label in
            let half = Double(label.text.count) * Self.letterWidth / 2
            let x = min(max(label.x, half), width - half)
            guard !label.text.isEmpty, x - half > end + Self.letterWidth else { return nil }
            end = x + half
            return self.label(label.text, at: x)
        }
    }

    /// Returns labels below the plot at equal distances: all, or those of which the number is even, a multiple of
    /// three and so on, so that none touches another. One that does not fit below its place is omitted.
    func evenLabels(_ labels: [(number: Int64, text: String, x: Double)]) -> [Markup] {
        for every in 1...Int64(max(1, labels.count)) {
            let some = labels.filter { $0.number % every == 0 && fits($0.text, at: $0.x) }.map {
                (text: $0.text, x: $0.x)
            }
            let shown = self.labels(some)
            if shown.count == some.count { return shown }
        }
        return []
    }

    /// Returns whether a label is centered below its place without leaving the drawing by more than a letter.
    func fits(_ label: String, at x: Double) -> Bool {
        let half = Double(label.count) * Self.letterWidth / 2
        return x - half >= -Self.letterWidth && x + half <= width + Self.letterWidth
    }

    /// Returns a label below the plot.
    func label(_ text: String, at x: Double) -> Markup {
        .tag(
            "text",
            [
                .init("x", x), .init("y", height - 6), .init("text-anchor", "middle"), .init("aria-hidden", "true"),
            ], .text(text))
    }

    /// Returns the place of a column, which the pointer finds at any height, or of a row with `y` and `height`: a link to
    /// `address`, or an image. On a phone a touch shows the title by script; elsewhere the browser shows it.
    func place(
        _ title: String, address: String? = nil, x: Double, width: Double, y: Double? = nil, height: Double? = nil
    ) -> Markup {
        let path = Self.rectangle(x: x, y: y ?? top, width: width, height: height ?? plotHeight)
        let hit = Markup.tag("path", [.class("hit"), .init("d", path)])
        let content = isNarrow ? [hit] : [Markup.tag("title", [], .text(title)), hit]
        if let address { return .tag("a", [.href(address), .init("aria-label", title)], content) }
        return .tag("g", [.init("role", "img"), .init("aria-label", title)], content)
    }

    /// Returns a path that encloses the rectangle.
    static func rectangle(x: Double, y: Double, width: Double, height: Double) -> String {
        "M\(point(x, y))h\(Coordinate.text(width))v\(Coordinate.text(height))h\(Coordinate.text(-width))z"
    }

    /// Returns a point of a path.
    static func point(_ x: Double, _ y: Double) -> String { "\(Coordinate.text(x)) \(Coordinate.text(y))" }

    /// Returns the path of a line through `points`; a short dash for a single one.
    static func line(_ points: [(x: Double, y: Double)]) -> String {
        guard let first = points.first else { return "" }
        guard points.count > 1 else { return "M\(point(first.x - 4, first.y))h8" }
        return "M" + points.map { point($0.x, $0.y) }.joined(separator: "L")
    }

    // Of 12 units of height.
    private static let letterWidth = 7.0
}

/// The vertical axis of a chart, with marks at round numbers.
struct ChartScale {
    let low: Double
    let high: Double
    /// The marks, ascending; the first is `low`, the last `high`.
    let marks: [Double]

    /// Creates a scale for `values`, from 0 if `fromZero`, otherwise from a round number below the smallest. Marks are
    /// multiples of `unit`, so that no two of them have the same label; 0 for any.
    init(values: [Double], fromZero: Bool = true, unit: Double = 0) {
        let finite = values.filter(\.isFinite)
        let top = max(finite.max() ?? 0, fromZero ? (unit > 0 ? unit : 1) : 0)
        let bottom = fromZero ? 0 : finite.min() ?? 0
        // Numbers that differ by less than a billionth of their size count as one number.
        let least = max(1e-9, 1e-9 * max(top.magnitude, bottom.magnitude))
        let step = Self.step(for: max(top / 4 - bottom / 4, least / 4, unit), unit: unit)
        low = fromZero ? 0 : (bottom / step).rounded(.down) * step
        let count = Int(min(Self.mostSteps, max(1, (top / step - low / step).rounded(.up))))
        high = low + Double(count) * step
        let first = low
        marks = (0...count).map { first + Double($0) * step }
    }

    // Four steps fit between the least and the greatest number, and one more at each end that is between two marks.
    private static let mostSteps = 6.0

    /// Returns the smallest multiple of `unit` that is 1, 2, 2.5 or 5 times a power of ten and not below `rough`.
    private static func step(for rough: Double, unit: Double) -> Double {
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        return [1, 2, 2.5, 5, 10].map { $0 * power }.first { step in
            step >= rough && (unit == 0 || (step / unit).rounded() == step / unit)
        } ?? power * 10
    }

    /// Returns the height of a value, from 0 to 1.
    func share(_ value: Double) -> Double { min(1, max(0, (value - low) / (high - low))) }
}
