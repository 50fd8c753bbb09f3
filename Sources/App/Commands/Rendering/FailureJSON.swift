import HealthSyncDomain

/// A failure as JSON: `code`, `subject`, `reason`, `advice`, `exitStatus`.
enum FailureJSON {
    static func value(_ failure: SyncFailure, status: ExitStatus) -> JSONValue {
        [
            "code": failure.code.rawValue, "subject": failure.subject,
            "reason": failure.reason, "advice": failure.advice,
            "exitStatus": status.rawValue,
        ]
    }
}
