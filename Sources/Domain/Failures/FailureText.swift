/// The text of an error in the event log.
package enum FailureText {
    /// Returns subject, reason and advice of a `SyncFailure`. Of any other error it returns only the type, because
    /// its text may contain health values.
    package static func of(_ error: any Error) -> String {
        (error as? SyncFailure)?.description ?? "\(type(of: error))"
    }
}
