import HealthSyncDomain

/// A failure as JSON: `code`, `subject`, `reason`, `advice`, `exitStatus`.
enum FailureJSON {
    static func value(_ failure: SyncFailure, status: ExitStatus) -> JSONValue {
        [
            "code": .string(failure.code.rawValue), "subject": .string(failure.subject),
            "reason": .string(failure.reason), "advice": .string(failure.advice),
            "exitStatus": .integer(Int64(status.rawValue)),
        ]
    }
}
