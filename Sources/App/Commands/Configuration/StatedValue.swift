import HealthSyncDomain
import HealthSyncPorts

/// A setting's text with its origin, so that error messages can name the option, variable or key.
struct StatedValue {
    /// The origins of settings, in order of precedence.
    enum Place {
        case option
        case environment
        case file
    }

    let text: String
    let subject: String
    let place: Place

    /// Returns an error about the text: a usage error for an option, a configuration error otherwise.
    func failure(_ reason: String, advice: String) -> SyncFailure {
        switch place {
        case .option: .usage(subject, reason, advice: advice)
        case .environment, .file: .configuration(subject, reason, advice: advice)
        }
    }

    /// Returns the zone of that name. Throws for an unknown zone instead of silently using UTC.
    func zoneRules(_ time: any TimeSource) throws(SyncFailure) -> ZoneRules {
        do {
            return try time.zoneRules(named: text)
        } catch {
            throw failure("unknown time zone \"\(text)\"", advice: error.advice)
        }
    }
}
