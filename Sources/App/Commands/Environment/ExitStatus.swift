package import HealthSyncDomain

/// What a command tells the shell. Stable; the numbers from 64 on are those of sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case metricFailed = 1
    case partial = 3
    case different = 4
    case unverifiable = 5
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unexpected = 70
    case cannotCreate = 73
    case storage = 74
    case busy = 75
    case configuration = 78
    case interrupted = 130

    /// What it means, as documentation says it.
    package var meaning: String {
        switch self {
        case .done: "all done"
        case .metricFailed: "a metric or a check failed; the others are done"
        case .partial:
            "the server was not reached or refused and what is left waits in the outbox, nothing was verified, or days are "
                + "out of date"
        case .different: "the server does not hold exactly what the local database holds"
        case .unverifiable:
            "this server cannot be verified: it answers no digests, none of derived records, or contradicts itself"
        case .usage: "the command line makes no sense"
        case .badInput: "a source is no export, is incomplete, or would delete too much"
        case .noInput: "a source or file is missing or cannot be read"
        case .unexpected: "a mistake of the program's own"
        case .cannotCreate: "a file or folder cannot be made"
        case .storage: "the database, the disk or standard output failed"
        case .busy: "another run is at work"
        case .configuration: "the configuration makes no sense"
        case .interrupted: "interrupted; the next run goes on"
        }
    }

    /// The status of a command that ended with `failure`; codes of plug-ins count as a failed metric.
    package init(of failure: SyncFailure) {
        self = Self.byCode[failure.code] ?? .metricFailed
    }

    /// The one status of a run in which all of `statuses` occurred: the gravest.
    package static func gravest(_ statuses: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [.interrupted, .storage, .unexpected, .metricFailed, .badInput, .noInput, .partial]
        return order.first(where: statuses.contains) ?? statuses.first { $0 != .done } ?? .done
    }

    private static let byCode: [SyncFailure.Code: ExitStatus] = [
        .usage: .usage, .configuration: .configuration, .noUserProfileID: .configuration, .noInput: .noInput,
        .badInput: .badInput, .incompleteInput: .badInput, .tooManyDeletions: .badInput, .cannotCreate: .cannotCreate,
        .storage: .storage, .busy: .busy, .deliveryIncomplete: .partial, .serverUnavailable: .partial,
        .unverifiable: .unverifiable, .cancelled: .interrupted,
        .unexpected: .unexpected,
    ]
}
