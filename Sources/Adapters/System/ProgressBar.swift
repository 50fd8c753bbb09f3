import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Progress on standard error: a bar with rate and time left on a terminal, now and then a plain line elsewhere.
package final class ProgressBar: ProgressReporter {
    /// How progress is shown.
    package enum Style: Sendable {
        /// Not at all.
        case silent
        /// As lines, one every five seconds.
        case lines
        /// As a bar that is drawn anew ten times a second.
        case bar
    }

    private struct Phase {
        var began: Instant
        var doneAtStart: Int64
        var shown: Instant?
    }

    private let console: Console
    private let clock: any TimeSource
    private let style: Style
    private let phases = Mutex<[String: Phase]>([:])

    /// Progress on `console`.
    package init(console: Console, clock: any TimeSource, style: Style) {
        self.console = console
        self.clock = clock
        self.style = style
    }

    package func report(phase name: String, done: Int64, total: Int64?) {
        guard style != .silent else { return }
        let now = clock.now()
        let isEnd = total.map { done >= $0 } ?? false
        let line: ProgressLine? = phases.withLock { phases in
            var phase = phases[name] ?? Phase(began: now, doneAtStart: done)
            // A phase of the same name that starts again is a new one: its rate must not count the pause.
            if done < phase.doneAtStart { phase = Phase(began: now, doneAtStart: done) }
            let isDue = isDue(phase, at: now, isEnd: isEnd)
            if isDue { phase.shown = now }
            phases[name] = isEnd ? nil : phase
            guard isDue else { return nil }
            return ProgressLine(
                phase: StandardErrorLog.oneLine(name), done: done, doneAtStart: phase.doneAtStart, total: total,
                elapsedMilliseconds: now.milliseconds - phase.began.milliseconds)
        }
        guard let line else { return }
        switch style {
        case .silent: break
        case .lines: console.writeError(line.plain)
        case .bar: console.showBar(isEnd ? "" : line.bar(width: console.width - 1))
        }
    }

    private func isDue(_ phase: Phase, at now: Instant, isEnd: Bool) -> Bool {
        switch style {
        case .silent: false
        case .lines:
            // A phase that was over before its first line is not worth one.
            isEnd ? phase.shown != nil : now.milliseconds - (phase.shown ?? phase.began).milliseconds >= 5_000
        case .bar: isEnd || now.milliseconds - (phase.shown?.milliseconds ?? .min / 2) >= 100
        }
    }
}
