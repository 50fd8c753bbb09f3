/// What an event log is told of an error.
package enum FailureText {
    /// Subject, reason and advice of a `SyncFailure`; of any other error its kind alone, since its text may hold values.
    package static func of(_ error: any Error) -> String {
        (error as? SyncFailure)?.description ?? "\(type(of: error))"
    }
}
