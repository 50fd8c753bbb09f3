import HealthSyncDomain

/// A service that systemd runs for the user.
enum UserService: String, CaseIterable {
    case daily
    case watch
    case backup

    static let argument = ArgumentDeclaration(
        "SERVICE", "daily, watch or backup", isOptional: true, repeats: true)

    /// Returns the services of the arguments, in the order of `allCases`; `usual` without arguments. Throws `.usage` for
    /// another name.
    static func named(_ names: [String], usual: [UserService]) throws(SyncFailure) -> [UserService] {
        for name in names where UserService(rawValue: name) == nil {
            throw .usage(
                name, "no such service", advice: "use \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return names.isEmpty ? usual : allCases.filter { names.contains($0.rawValue) }
    }

    /// The name of the unit that is enabled: a timer, or the service itself.
    var enabledUnit: String { time == nil ? serviceUnit : "healthsync-\(rawValue).timer" }

    /// The name of the unit that runs the program.
    var serviceUnit: String { "healthsync-\(rawValue).service" }

    /// The names of all its units.
    var units: [String] { time == nil ? [serviceUnit] : [serviceUnit, enabledUnit] }

    /// The time of day at which the timer starts it; `nil` for a service without timer.
    var time: String? {
        switch self {
        case .daily: "06:00:00"
        case .watch: nil
        case .backup: "03:30:00"
        }
    }

    /// What it does.
    var summary: String {
        switch self {
        case .daily: "Daily import of health data"
        case .watch: "Import of health data as it arrives"
        case .backup: "Backup of health data"
        }
    }
}
