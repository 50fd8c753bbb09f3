import HealthSyncPorts

/// Events as lines on standard error.
package struct StandardErrorLog: EventLog {
    /// How much is said.
    package enum Level: Sendable {
        /// Nothing.
        case quiet
        /// Events.
        case normal
        /// Events and their details.
        case verbose
    }

    private let console: Console
    private let level: Level

    /// A log on the standard error of `console`.
    package init(console: Console, level: Level) {
        self.console = console
        self.level = level
    }

    package func note(_ event: String, isDetail: Bool) {
        switch level {
        case .quiet: return
        case .normal where isDetail: return
        case .normal, .verbose: console.writeError(Self.oneLine(event))
        }
    }

    /// `text` with its control characters escaped: file names and server answers must not forge lines or drive the
    /// terminal.
    package static func oneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                if scalar.properties.generalCategory == .control {
                    line += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        }
        return line
    }
}
