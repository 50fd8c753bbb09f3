import HealthSyncDomain
package import HealthSyncPorts

/// The events of a run on standard error, one per line: `2026-11-23T06:22:01Z warning run=3f2a91bc delivery paused: …`.
package struct StandardErrorLog: EventLog {
    private let console: Console
    private let level: LogLevel
    private let run: String
    private let time: any TimeSource

    /// Creates a log of events of `level` and above on the standard error of `console`, under a new random id.
    package init(console: Console, level: LogLevel, time: any TimeSource, random: any RandomSource) {
        self.console = console
        self.level = level
        self.time = time
        run = HexDigits.text(random.bytes(4))
    }

    package func note(_ event: String, level: LogLevel) {
        guard level >= self.level else { return }
        let now = RFC3339.string(time.now())
        console.writeError("\(now) \(level.rawValue) run=\(run) \(UntrustedText.escaped(event))")
    }
}
