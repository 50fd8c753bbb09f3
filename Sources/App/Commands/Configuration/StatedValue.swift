import HealthSyncDomain
import HealthSyncPorts

/// A text together with where it was stated, so that a complaint names the option, variable or key.
struct StatedValue {
    /// The kinds of places, in order of precedence.
    enum Place {
        case option
        case environment
        case file
    }

    let text: String
    let subject: String
    let place: Place

    /// A complaint about the text: a usage error for an option, a configuration error otherwise.
    func failure(_ reason: String, advice: String) -> SyncFailure {
        switch place {
        case .option: .usage(subject, reason, advice: advice)
        case .environment, .file: .configuration(subject, reason, advice: advice)
        }
    }

    /// The zone of that name; an unknown one is an error and never silently UTC.
    func zoneRules(_ time: any TimeSource) throws(SyncFailure) -> ZoneRules {
        do {
            return try time.zoneRules(named: text)
        } catch {
            throw failure("unknown time zone \"\(text)\"", advice: "use an IANA name such as Europe/Paris")
        }
    }
}
