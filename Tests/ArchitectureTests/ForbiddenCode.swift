/// Finds forbidden code: the clock and Foundation's zones outside `Adapters/System`; concurrency and files in Domain;
/// shared state in Ports; and functions that are known to crash, hang or lose data on Linux.
enum ForbiddenCode {
    /// Returns `path:line: text` for each violation.
    static func violations(in tree: SourceTree) -> [String] {
        tree.files.flatMap { file in
            zip(file.code, file.lines).enumerated().compactMap { index, line in
                isForbidden(line.0, in: file.path) || isWithoutAdvice(line.1)
                    ? "\(file.path):\(index + 1): \(line.1)" : nil
            }
        }
    }

    /// Returns whether a failure has an empty remedy.
    private static func isWithoutAdvice(_ line: String) -> Bool { line.contains(#"advice: """#) }

    private static func isForbidden(_ line: String, in path: String) -> Bool {
        if !path.hasPrefix("Adapters/System/") && usesClock(line) { return true }
        if !["Domain/", "Adapters/System/"].contains(where: path.hasPrefix), usesFoundationZones(line) { return true }
        let notInDomain = domainWords + sharedState
        if path.hasPrefix("Domain/") && notInDomain.contains(where: { has($0, in: line) }) { return true }
        if path.hasPrefix("Ports/") && !path.hasPrefix("Ports/Threads/") && !isContract(line) { return true }
        return everywhere.contains { line.contains($0) }
    }

    private static func usesClock(_ line: String) -> Bool {
        ["Date()", "Date.now", "Clock.now", "Clock().now", "Task.sleep", "clock_gettime(", "gettimeofday("]
            .contains { line.contains($0) }
    }

    /// Returns whether a line gets the rules of a zone from Foundation instead of the `TimeSource`.
    private static func usesFoundationZones(_ line: String) -> Bool {
        ["ZoneRules(identifier:", "TimeZone("].contains { line.contains($0) } || line.contains("TimeZone.")
    }

    /// Returns whether a port may contain `line`: not shared state, and only the extensions that decision 15 lists.
    private static func isContract(_ line: String) -> Bool {
        guard !sharedState.contains(where: { has($0, in: line) }) else { return false }
        guard line.hasPrefix("extension ") else { return true }
        // HealthMetricSyncHandler and InboxDecoder have defaults, so that a plug-in is data and one pure function.
        return ["ContentHasher", "HealthMetricSyncHandler", "HealthRepository", "InboxDecoder", "SyncFailure.Code"]
            .contains { line == "extension \($0) {" }
    }

    private static let sharedState = ["class", "actor", "Synchronization", "Mutex", "Atomic", "Dispatch"]

    private static let domainWords = ["async", "await", "FileManager", "FileHandle", "Process", "Task", "Thread"]

    private static let everywhere = [
        "XMLParser(", "URLSession", "readData(", "availableData", "fatalError(", "preconditionFailure(", " try!",
        " as!",
    ]

    private static func has(_ word: String, in line: String) -> Bool {
        line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }).contains { $0 == word }
    }
}
