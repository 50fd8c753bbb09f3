import HealthSyncDomain

/// The text of a progress report, computed only from the progress.
package struct ProgressLine: Sendable {
    /// The name of the phase.
    package var phase: String
    /// The completed units.
    package var done: Int64
    package var doneAtStart: Int64
    /// The total units; `nil` if unknown.
    package var total: Int64?
    /// The milliseconds since the phase began.
    package var elapsedMilliseconds: Int64

    package init(phase: String, done: Int64, doneAtStart: Int64 = 0, total: Int64?, elapsedMilliseconds: Int64) {
        self.phase = phase
        self.done = done
        self.doneAtStart = doneAtStart
        self.total = total
        self.elapsedMilliseconds = elapsedMilliseconds
    }

    /// Returns a line with a bar, at most `width` characters: `reading [#####-----] 50 % 1.2M/s 4 s left`. The middle of
    /// a long phase, such as that of reading a path, is omitted so that there is room for the bar.
    package func bar(width: Int) -> String {
        guard !isWait else { return String(phase.prefix(max(0, width))) }
        let figures = figures
        let phase = Self.shortened(phase, to: max(16, width - figures.count - 5 - 20))
        let room = min(40, width - phase.count - figures.count - 5)
        guard let share, room >= 8 else { return String("\(phase)  \(figures)".prefix(max(0, width))) }
        let filled = Int((Double(room) * share).rounded(.down))
        let drawn = String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled)
        return "\(phase) [\(drawn)]  \(figures)"
    }

    private static func shortened(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return text.prefix(width / 3) + "…" + text.suffix(width - width / 3 - 1)
    }

    /// A line without a bar: `reading: 50 %, 1.2M/s, 4 s left`.
    package var plain: String { isWait ? phase : "\(phase): " + parts.joined(separator: ", ") }

    /// Whether nothing is counted: the phase is a wait, which its name describes.
    private var isWait: Bool { done == 0 && total == nil }

    /// Returns a number with at most four digits and a letter for thousands, millions and so on: `1.2M`.
    package static func short(_ number: Double) -> String {
        var rest = max(0, number)
        for unit in ["", "k", "M", "G"] {
            if rest < 999.5 {
                let isWhole = unit.isEmpty || rest >= 99.95
                return isWhole ? "\(Int(rest.rounded()))\(unit)" : "\((rest * 10).rounded() / 10)\(unit)"
            }
            rest /= 1000
        }
        return rest < 1e6 ? "\(Int(rest.rounded()))T" : ">1E"
    }

    /// Returns a duration in words: `4 s`, `3 min 5 s`, `2 h 10 min`.
    package static func duration(milliseconds: Int64) -> String {
        DurationText.exact(milliseconds: (max(0, milliseconds) + 999) / 1000 * 1000, isWhole: true)
    }

    /// The least rate that is shown, in units a second: a lower one would be "0/s", and the time that is left says more.
    private static let slowestShown = 0.5

    private var figures: String { parts.joined(separator: "  ") }

    private var parts: [String] {
        var parts = [share.map { "\(Int(($0 * 100).rounded(.down))) %" } ?? Self.short(Double(done))]
        guard let rate else { return parts }
        if rate >= Self.slowestShown { parts.append("\(Self.short(rate))/s") }
        if let total, total > done {
            let left = Double(total - done) / rate * 1000
            if left < 1e12 { parts.append("\(Self.duration(milliseconds: Int64(left))) left") }
        }
        return parts
    }

    private var share: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(done) / Double(total)))
    }

    /// The units per second; `nil` if there is not enough data.
    private var rate: Double? {
        guard elapsedMilliseconds >= 200, done > doneAtStart else { return nil }
        return Double(done - doneAtStart) * 1000 / Double(elapsedMilliseconds)
    }
}
