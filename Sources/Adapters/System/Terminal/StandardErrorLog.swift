import HealthSyncDomain
import HealthSyncPorts

/// An event log on standard error.
package struct StandardErrorLog: EventLog {
    /// The verbosity of the log.
    package enum Level: Sendable {
        /// No events.
        case quiet
        /// Events.
        case normal
        /// Events and their details.
        case verbose
    }

    private let console: Console
    private let level: Level

    /// Creates a log on the standard error of `console`.
    package init(console: Console, level: Level) {
        self.console = console
        self.level = level
    }

    package func note(_ event: String, isDetail: Bool) {
        switch level {
        case .quiet: return
        case .normal where isDetail: return
        case .normal, .verbose: console.writeError(UntrustedText.escaped(event))
        }
    }
}
