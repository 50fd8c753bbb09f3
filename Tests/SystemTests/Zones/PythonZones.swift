import HealthSyncTestTools

/// Reads zones with Python's zoneinfo, which uses the system's time zone database.
enum PythonZones {
    struct Transition {
        let instant: Int64
        let offset: Int64
    }

    /// The last second of 2037, up to which transitions are listed.
    static let end: Int64 = 2_145_916_799

    /// The offset on 1970-01-01 and its changes until the end of 2037, for every zone of the database or of `folder`.
    static func transitions(in folder: String? = nil) async throws -> [String: [Transition]] {
        var result: [String: [Transition]] = [:]
        for line in try await Peer.lines(of: "zones/list_zone_transitions.py", folder.map { [$0] } ?? []) {
            let words = line.split(separator: " ")
            result[String(words[0])] = words.dropFirst().compactMap { word in
                let pair = word.split(separator: ":").compactMap { Int64($0) }
                return pair.count == 2 ? Transition(instant: pair[0], offset: pair[1]) : nil
            }
        }
        return result
    }
}
