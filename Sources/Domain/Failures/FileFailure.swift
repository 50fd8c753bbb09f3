/// Failures common to all writers of files that must not be overwritten.
package enum FileFailure {
    /// A file with that name exists and is not replaced.
    package static func exists(
        _ path: String, advice: String = "use another name or delete the file"
    ) -> SyncFailure {
        SyncFailure(.cannotCreate, subject: path, reason: "already exists", advice: advice)
    }

    /// The file cannot be created, for a reason given by the system.
    package static func cannotCreate(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be created: \(reason)",
            advice: "check that the folder exists and is writable")
    }
}
