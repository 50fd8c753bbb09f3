import HealthSyncDomain

/// A small line of daily quantities, without axes. Days without a quantity interrupt it.
struct Sparkline {
    /// The content in words.
    let description: String
    let days: DayRange
    /// Ascending by day.
    let quantities: [DailyQuantity]

    private static let height = 40.0
    // The stroke needs space above and below the line.
    private static let margin = 3.0

    /// The drawing; `nil` for fewer than two quantities.
    var markup: Markup? {
        let values = quantities.map(\.quantity)
        guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
        let width = Double(days.count - 1)
        return .tag(
            "svg",
            [
                .class("spark"),
                .init("viewBox", "-0.5 0 \(Coordinate.text(width + 1)) \(Coordinate.text(Self.height))"),
                .init("preserveAspectRatio", "none"), .init("role", "img"), .init("aria-label", description),
            ], .tag("path", [.init("d", path(low: low, high: high))]))
    }

    private func path(low: Double, high: Double) -> String {
        var path = ""
        var last: CalendarDay?
        for one in quantities {
            // Halves, so that differences between very large numbers stay finite.
            let share = high > low ? (one.quantity / 2 - low / 2) / (high / 2 - low / 2) : 0.5
            let y = Self.margin + (1 - share) * (Self.height - 2 * Self.margin)
            let place = "\(one.day.ordinal - days.first.ordinal) \(Coordinate.text(y))"
            // A line of no length draws a single day as a dot.
            path += last == one.day.advanced(by: -1) ? "L\(place)" : "M\(place)h0"
            last = one.day
        }
        return path
    }
}
