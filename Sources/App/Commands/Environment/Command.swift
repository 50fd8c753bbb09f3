package import HealthSyncDomain

/// A command. Those of one topic share a file; `CommandTable` lists them.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }
    /// Runs the command. Shows results through `context` and throws failures as `SyncFailure`.
    static func run(in context: CommandContext) async throws -> ExitStatus
}

/// The exit status of a command. Values are stable; those from 64 to 78 follow sysexits.h.
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

    /// Its meaning, as in docs/command-line.md.
    package var meaning: String {
        switch self {
        case .done: "success"
        case .metricFailed: "a metric, a check or a service failed; the others succeeded"
        case .partial:
            "a post of a phone could not be decoded or fetched; or the server was unreachable or rejected the request, so "
                + "records wait in the outbox or nothing was verified; or days are out of date"
        case .different: "the server and the local database differ"
        case .unverifiable:
            "this server cannot be verified: it provides no digests, or none of derived records, or inconsistent ones"
        case .usage: "invalid command line"
        case .badInput:
            "a source is not an export, is incomplete, or would delete too many samples; a backup is truncated, damaged or "
                + "foreign"
        case .noInput: "a source or file does not exist or cannot be read"
        case .unexpected: "internal error"
        case .cannotCreate: "a file or folder cannot be created"
        case .storage: "the database, the disk or standard output failed"
        case .busy: "another run is in progress, or another program uses the port"
        case .configuration: "invalid configuration"
        case .interrupted: "interrupted; the next run continues"
        }
    }

    /// Returns the status of a command that failed with `failure`; codes of plug-ins map to `.metricFailed`.
    package init(of failure: SyncFailure) {
        self = Self.byCode[failure.code] ?? .metricFailed
    }

    /// Returns the most severe of `statuses`, which is the status of the run.
    package static func mostSevere(_ statuses: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [.interrupted, .storage, .unexpected, .metricFailed, .badInput, .noInput, .partial]
        return order.first(where: statuses.contains) ?? statuses.first { $0 != .done } ?? .done
    }

    private static let byCode: [SyncFailure.Code: ExitStatus] = [
        .usage: .usage, .configuration: .configuration, .noUserProfileID: .configuration, .noInput: .noInput,
        .badInput: .badInput, .incompleteInput: .badInput, .tooManyDeletions: .badInput, .cannotCreate: .cannotCreate,
        .storage: .storage, .diskFull: .storage, .busy: .busy, .deliveryIncomplete: .partial,
        .serverUnavailable: .partial,
        .unverifiable: .unverifiable, .cancelled: .interrupted,
        .unexpected: .unexpected,
    ]
}
