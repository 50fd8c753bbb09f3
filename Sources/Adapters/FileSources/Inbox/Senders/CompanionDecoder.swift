import HealthSyncDomain
import HealthSyncPorts

/// Life Dashboard Companion, for Android and iOS (1.18 and later): the lists of HC Webhook with identifiers, deletions and
/// complete windows.
///
/// A backfill sends a window in one or several posts; see `CompanionWindow`. Posts are ordered by their numbers.
struct CompanionDecoder: InboxDecoder {
    private static let sources: Set<String> = ["health_connect", "healthkit_ios", "screen_time"]
    private static let own: Set<String> = [
        "_diagnostics", "_resolutions", "daily_totals", "deleted_records", "deletions_unavailable", "window_start",
        "window_complete", "backfill", "sequence", "screen_time",
    ]

    var name: String { "Life Dashboard Companion" }
    var provider: String { "lifeDashboard" }
    var semantics: SourceSemantics { .changes }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        let outline = BodyStart(start)
        guard head.method == "POST", outline.isObject else { return false }
        let isSigned = head.header("x-signature")?.hasBytePrefix("sha256=") ?? false
        return Self.sources.contains(outline.text("source") ?? "")
            || outline.has("timestamp") && outline.members.keys.contains(where: Self.own.contains)
            || HealthConnectLists.areIn(outline)
                && (isSigned || outline.members.values.contains { $0.isArray && $0.names.contains("uuid") })
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        PostReading(selection, in: context, receive: receive) { post, samples in
            let body = try post.jsonObject()
            guard
                body["source"] != nil || body["timestamp"] != nil
                    || body.names.contains(where: HealthConnectLists.isOne)
            else { throw post.undecodable("the body contains no list of records") }
            let sequence = body.number("sequence").flatMap { Int64(exactly: $0) }
            let stated = try? samples.instant(body.text("timestamp"))
            let date = min(stated ?? post.head.receivedAt, post.head.receivedAt)
            let version = Self.version(sequence, of: date)
            samples.version = version
            try HealthConnectLists.add(body, to: &samples)
            if let sequence {
                samples.deliver(DeliveryNumber(series: "\(provider)/\(post.head.device)", number: sequence))
            }
            addDeletions(body, to: &samples)
            CompanionWindow.add(body, version: version, date: date, to: &samples)
        }
    }

    /// Returns the version of a post: its day, and its number on that day, or the second of the day if it has no number.
    /// Numbers begin again when the app is installed again, and the identifiers of the records remain.
    private static func version(_ sequence: Int64?, of date: Instant) -> Int64 {
        let seconds = max(0, date.seconds)
        let number = sequence.flatMap { (0..<1 << 32).contains($0) ? $0 : nil } ?? seconds % 86_400
        return (seconds / 86_400) << 32 + number
    }

    private func addDeletions(_ body: JSONObject, to samples: inout PostSamples) {
        body["deleted_records"]?.forEachElement { element in
            guard let record = element.object, let id = record.text("uuid") else {
                return samples.note("a deletion without an identifier")
            }
            let types = HealthConnectTable.types(of: record.text("type") ?? "")
            samples.delete(id, of: types.count == 1 ? types.first : nil)
        }
        body["deletions_unavailable"]?.forEachElement { element in
            samples.note("the app does not know what was deleted of \(PostSamples.short(element.text).prefix(64))")
        }
    }
}
