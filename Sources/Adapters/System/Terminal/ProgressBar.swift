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
        var doneAtStart: Int64
        var reported: Instant
        var shown: Instant?
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
            var phase = state.phases[name] ?? Phase(number: state.count, began: now, doneAtStart: done, reported: now)
            if phase.number == state.count { state.count += 1 }
            if done < phase.doneAtStart {
                // A phase that starts again is a new one: its rate must not include the pause.
                phase.began = now
                phase.doneAtStart = done
            }
            phase.reported = now
            let wasShown = phase.shown != nil
            let isDue = isFirst(phase, of: state.phases.values, at: now) && isDue(phase, at: now, isEnd: isEnd)
            if isDue { phase.shown = now }
            state.phases[name] = isEnd ? nil : phase
            guard isDue else { return (nil, wasShown) }
            let line = ProgressLine(
                phase: UntrustedText.escaped(detail.isEmpty ? name : "\(name), \(detail)"), done: done,
                doneAtStart: phase.doneAtStart, total: total,
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
