import HealthSyncTestTools

/// Asks Python's zoneinfo, which reads the system's time zone database.
enum PythonZones {
    struct Transition {
        let instant: Int64
        let offset: Int64
    }

    /// The offset on 1970-01-01 and its changes until the end of 2037, for every zone of the database.
    static func transitions() async throws -> [String: [Transition]] {
        var result: [String: [Transition]] = [:]
        for line in try await Peer.lines(of: "zones/list_zone_transitions.py") {
            let words = line.split(separator: " ")
            result[String(words[0])] = words.dropFirst().compactMap { word in
                let pair = word.split(separator: ":").compactMap { Int64($0) }
                return pair.count == 2 ? Transition(instant: pair[0], offset: pair[1]) : nil
            }
        }
        return result
    }
}
