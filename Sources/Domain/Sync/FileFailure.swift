/// What every writer of files that nobody shall lose says of them.
package enum FileFailure {
    /// A file of that name is there, and is not replaced.
    package static func exists(
        _ path: String, advice: String = "name another file or remove this one"
    ) -> SyncFailure {
        SyncFailure(.cannotCreate, subject: path, reason: "exists already and is not replaced", advice: advice)
    }

    /// It cannot be made, for a reason that the system gives.
    package static func cannotCreate(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be made: \(reason)",
            advice: "check that the folder exists and may be written to")
    }
}
