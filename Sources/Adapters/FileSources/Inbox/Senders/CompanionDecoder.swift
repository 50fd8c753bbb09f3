import HealthSyncDomain
import HealthSyncPorts

/// Life Dashboard Companion, for Android and iOS (1.18 and later): the lists of HC Webhook with identifiers, deletions and
/// complete windows.
///
/// A backfill sends a window in one or several posts; the last one states `window_complete`. A post states in
/// `_diagnostics` how many records of each type the phone read. A type is complete only if the posts of the window in
/// this reading contain that many, so a window of which a part is missing deletes nothing.
struct CompanionDecoder: InboxDecoder {
    private static let sources: Set<String> = ["health_connect", "healthkit_ios", "screen_time"]
    private static let own: Set<String> = [
        "_diagnostics", "_resolutions", "daily_totals", "deleted_records", "deletions_unavailable", "window_start",
        "window_complete", "backfill", "sequence", "screen_time",
    ]

    var name: String { "Life Dashboard Companion" }
    var provider: String { "lifeDashboard" }
    var semantics: SourceSemantics { .changes }
    var combinesPosts: Bool { false }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        let outline = BodyStart(start)
        guard head.method == "POST", outline.isObject else { return false }
        let isSigned = head.header("x-signature")?.hasPrefix("sha256=") ?? false
        return Self.sources.contains(outline.text("source") ?? "")
            || outline.has("timestamp") && outline.members.keys.contains(where: Self.own.contains)
            || HealthConnectLists.areIn(outline)
                && (isSigned || outline.members.values.contains { $0.isArray && $0.names.contains("uuid") })
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        var window = CompanionWindow()
        return PostReading(selection, in: context, receive: receive) { post, samples in
            let body = try post.jsonObject()
            guard
                body["source"] != nil || body["timestamp"] != nil
                    || body.names.contains(where: HealthConnectLists.isOne)
            else { throw post.undecodable("the body contains no list of records") }
            let counts = try HealthConnectLists.add(body, to: &samples)
            if let sequence = body.number("sequence").flatMap({ Int64(exactly: $0) }) {
                samples.deliver(DeliveryNumber(series: "\(provider)/\(post.head.device)", number: sequence))
            }
            addDeletions(body, to: &samples)
            window.take(body, receivedAt: post.head.receivedAt, counts: counts, to: &samples)
        }
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

/// The posts of a backfill window in one reading.
private struct CompanionWindow {
    private var bounds: InstantRange?
    private var counts: [String: Int] = [:]

    mutating func take(
        _ body: JSONObject, receivedAt: Instant, counts more: [String: Int], to samples: inout PostSamples
    ) {
        guard body["window_start"] != nil || body["window_end"] != nil else {
            bounds = nil
            return
        }
        let window = try? samples.interval(body.text("window_start"), body.text("window_end"))
        guard let window, !window.isEmpty else {
            bounds = nil
            return samples.note("a window without valid times")
        }
        if window != bounds { counts = [:] }
        bounds = window
        counts.merge(more) { $0 + $1 }
        guard body["window_complete"]?.isTrue ?? false else { return }
        let names = completeNames(body)
        if names.count < counts.count {
            samples.note(
                "a window is not complete for \(counts.count - names.count) types, whose deletions are not known")
        }
        let types = names.reduce(into: Set<SampleType>()) { $0.formUnion(HealthConnectTable.types(of: $1)) }
        let date = min((try? samples.instant(body.text("timestamp"))) ?? receivedAt, receivedAt)
        if !types.isEmpty {
            samples.complete(CompleteWindow(start: window.start, end: window.end, types: types, date: date))
        }
        bounds = nil
    }

    /// Returns the record types of which the posts contain all records that the phone read.
    private func completeNames(_ body: JSONObject) -> [String] {
        guard let diagnostics = body["_diagnostics"]?.object else { return Array(counts.keys) }
        return diagnostics.names.filter { name in
            guard let entry = diagnostics[name]?.object, entry["permission_granted"]?.isTrue ?? true,
                entry["error"] == nil
            else { return false }
            return Double(counts[name] ?? 0) >= entry.number("filtered_record_count") ?? 0
        }
    }
}
