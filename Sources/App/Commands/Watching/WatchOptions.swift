import HealthSyncDomain
import HealthSyncEngine

/// The options of `healthsync watch`.
struct WatchOptions {
    /// Where to receive posts; `nil` to receive none.
    var inbox: ListenAddress?
    var admitsLocalNetwork: Bool
    /// The port of the dashboard on 127.0.0.1; `nil` for no dashboard.
    var dashboardPort: UInt16?
    var hour: DailyHour

    static let declarations: [OptionDeclaration] = [
        .value("listen", "HOST:PORT", "Receive posts of phones on this address", default: "none are received"),
        .flag("lan", "Admit phones with private addresses over plain HTTP"),
        .optionalValue(
            "dashboard", "HOST:PORT", "Show the dashboard too, on this machine only", default: "127.0.0.1:8765"),
        .optionalValue(
            "pull", "URL", "Fetch the posts of phones that wait on this server", default: "inbox.server, if configured"),
        .value("at", "HH:MM", "Import all sources at this time of day", default: "04:30"),
    ]

    init(_ parsed: ParsedCommand) throws(SyncFailure) {
        inbox = parsed.has("listen") ? try ListenAddress(parsed) : nil
        admitsLocalNetwork = parsed.has("lan")
        if admitsLocalNetwork, inbox == nil {
            throw .usage("--lan", "requires --listen", advice: "add --listen 0.0.0.0:8000")
        }
        hour = .standard
        if let text = parsed.text("at") {
            guard let stated = DailyHour(text) else {
                throw .usage("--at", "invalid time \"\(text)\"", advice: "write it as HH:MM, such as 04:30")
            }
            hour = stated
        }
        if let text = parsed.text("dashboard") {
            let address = try ListenAddress(text.isEmpty ? "127.0.0.1:8765" : text, option: "--dashboard")
            guard address.isLoopback else {
                throw .usage(
                    "--dashboard", "\(address.host) can be reached from other machines",
                    advice: "use 127.0.0.1, and a tunnel or a proxy with authentication for other machines")
            }
            dashboardPort = address.port
        }
    }
}
