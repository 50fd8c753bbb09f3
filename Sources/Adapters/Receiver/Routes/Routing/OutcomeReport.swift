import HealthSyncDomain

/// The outcome of the records of a request: counts, and a result for each record that was not created. Of many rejected
/// records, only the first have a result.
struct OutcomeReport {
    private struct Result {
        var id: String
        var status: String
        var reason: String?
    }

    private var created = 0
    private var updated = 0
    private var duplicate = 0
    private var rejected = 0
    private var results: [Result] = []

    private static let mostRejections = 1_000

    /// - Parameters:
    ///   - outcomes: the outcome of each valid record.
    ///   - rejections: the invalid records.
    ///   - id: returns the id of the valid record at an index.
    init(outcomes: [StoreOutcome], rejected rejections: [InvalidRecord], id: (Int) -> String) {
        rejected = rejections.count
        for rejection in rejections.prefix(Self.mostRejections) {
            results.append(Result(id: rejection.id, status: "rejected", reason: rejection.reason))
        }
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .created: created += 1
            case .updated: updated += 1
            case .duplicate: duplicate += 1
            }
            if outcome != .created { results.append(Result(id: id(index), status: outcome.rawValue)) }
        }
    }

    /// The number of records that are stored.
    var saved: Int { created + updated + duplicate }

    /// Writes the members of the report to the current object.
    func write(to writer: inout JSONWriter) {
        for (name, count) in [
            ("received" as StaticString, saved + rejected), ("created", created), ("updated", updated),
            ("duplicate", duplicate), ("rejected", rejected),
        ] {
            writer.name(name)
            writer.integer(count)
        }
        writer.name("results")
        writer.beginArray()
        for result in results {
            writer.beginObject()
            writer.name("id")
            writer.string(result.id)
            writer.name("status")
            writer.string(result.status)
            if let reason = result.reason {
                writer.name("reason")
                writer.string(reason)
            }
            writer.endObject()
        }
        writer.endArray()
        if rejected > Self.mostRejections {
            writer.name("omitted")
            writer.integer(rejected - Self.mostRejections)
        }
    }

    /// Returns the response `{"success":true, …}`.
    func response() -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        write(to: &writer)
        writer.endObject()
        return .json(writer.bytes)
    }
}
