import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// A progress reporter on standard error: a bar with rate and remaining time on a terminal, plain lines at intervals
/// elsewhere.
package final class ProgressBar: ProgressReporter {
    /// How progress is shown.
    package enum Style: Sendable {
        /// No progress.
        case silent
        /// Lines, one every five seconds.
        case lines
        /// A bar that is redrawn ten times per second.
        case bar
    }

    private struct Phase {
        /// The index of the phase by first report.
        var number: Int
        var began: Instant
        var reported: Instant
        var shown: Instant?
        /// The completed units at the beginnings of the latest two spans of `rateSpan`. The rate is that since the earlier one,
        /// because the first batches of a delivery are slower than the rest.
        private var marks: [(at: Instant, done: Int64)]

        init(number: Int, began: Instant, done: Int64) {
            (self.number, self.began, self.reported, self.marks) = (number, began, began, [(began, done)])
        }

        mutating func report(_ done: Int64, at now: Instant) {
            reported = now
            // A phase that starts again is a new one: its rate must not include the pause.
            if done < marks[0].done {
                (began, marks) = (now, [(now, done)])
            } else if now.milliseconds - marks[marks.count - 1].at.milliseconds >= Phase.rateSpan {
                marks = [marks[marks.count - 1], (now, done)]
            }
        }

        /// The completed units at the beginning of the time over which the rate is taken.
        var basis: (at: Instant, done: Int64) { marks[0] }

        private static let rateSpan: Int64 = 10_000
    }

    private let console: Console
    private let clock: any TimeSource
    private let style: Style
    private let state = Mutex<(phases: [String: Phase], count: Int)>(([:], 0))

    /// Creates a progress reporter on `console`.
    package init(console: Console, clock: any TimeSource, style: Style) {
        self.console = console
        self.clock = clock
        self.style = style
    }

    package func report(phase name: String, done: Int64, total: Int64?) {
        report(phase: name, done: done, total: total, detail: "")
    }

    package func report(phase name: String, done: Int64, total: Int64?, detail: String) {
        guard style != .silent else { return }
        let now = clock.now()
        let isEnd = total.map { done >= $0 } ?? false
        let (line, wasShown) = state.withLock { state -> (ProgressLine?, Bool) in
            var phase = state.phases[name] ?? Phase(number: state.count, began: now, done: done)
            if phase.number == state.count { state.count += 1 }
            phase.report(done, at: now)
            let wasShown = phase.shown != nil
            let isDue = isFirst(phase, of: state.phases.values, at: now) && isDue(phase, at: now, isEnd: isEnd)
            if isDue { phase.shown = now }
            state.phases[name] = isEnd ? nil : phase
            guard isDue else { return (nil, wasShown) }
            let line = ProgressLine(
                phase: UntrustedText.escaped(detail.isEmpty ? name : "\(name), \(detail)"), done: done,
                doneBefore: phase.basis.done, total: total,
                rateMilliseconds: now.milliseconds - phase.basis.at.milliseconds,
                elapsedMilliseconds: now.milliseconds - phase.began.milliseconds)
            return (line, wasShown)
        }
        show(line, isEnd: isEnd, wasShown: wasShown)
    }

    private func show(_ line: ProgressLine?, isEnd: Bool, wasShown: Bool) {
        switch style {
        case .silent: break
        // The end of a wait, which counts nothing, needs no line.
        case .lines: if let line, line.total != 0 { console.writeError(line.plain) }
        case .bar:
            if isEnd, wasShown {
                console.showBar("")
            } else if let line {
                console.showBar(line.bar(width: console.width - 1))
            }
        }
    }

    /// Returns whether no earlier phase is active: of several concurrent phases only one is shown, so that the bar does
    /// not jump between them. A phase without a report for a second does not block the others.
    private func isFirst(_ phase: Phase, of phases: some Sequence<Phase>, at now: Instant) -> Bool {
        !phases.contains { other in
            other.number < phase.number && now.milliseconds - other.reported.milliseconds < 1_000
        }
    }

    private func isDue(_ phase: Phase, at now: Instant, isEnd: Bool) -> Bool {
        switch style {
        case .silent: false
        case .lines:
            // A phase that ended before its first line gets none.
            isEnd ? phase.shown != nil : now.milliseconds - (phase.shown ?? phase.began).milliseconds >= 5_000
        case .bar: isEnd || now.milliseconds - (phase.shown?.milliseconds ?? .min / 2) >= 100
        }
    }
}

/// The text of a progress report, computed only from the progress.
package struct ProgressLine: Sendable {
    /// The name of the phase.
    package var phase: String
    /// The completed units.
    package var done: Int64
    /// The completed units at the beginning of `rateMilliseconds`.
    private var doneBefore: Int64
    /// The total units; `nil` if unknown.
    package var total: Int64?
    /// The milliseconds over which the rate is taken.
    private var rateMilliseconds: Int64
    /// The milliseconds since the phase began.
    package var elapsedMilliseconds: Int64

    package init(
        phase: String, done: Int64, doneBefore: Int64 = 0, total: Int64?, rateMilliseconds: Int64? = nil,
        elapsedMilliseconds: Int64
    ) {
        self.phase = phase
        self.done = done
        self.doneBefore = doneBefore
        self.total = total
        self.rateMilliseconds = rateMilliseconds ?? elapsedMilliseconds
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
    /// How long a phase has lasted before the time that is left is stated: the beginning says little about the rest.
    private static let earliestEstimate: Int64 = 2_000

    private var figures: String { parts.joined(separator: "  ") }

    private var parts: [String] {
        var parts = [share.map { "\(Int(($0 * 100).rounded(.down))) %" } ?? Self.short(Double(done))]
        guard let rate else { return parts }
        if rate >= Self.slowestShown { parts.append("\(Self.short(rate))/s") }
        if let total, total > done, elapsedMilliseconds >= Self.earliestEstimate {
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
        guard rateMilliseconds >= 200, done > doneBefore else { return nil }
        return Double(done - doneBefore) * 1000 / Double(rateMilliseconds)
    }
}
