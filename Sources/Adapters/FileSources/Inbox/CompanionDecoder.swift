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

    private func addDeletions(_ body: JSONObject, to samples: inout DecodedSamples) {
        body["deleted_records"]?.forEachElement { element in
            guard let record = element.object, let id = record.text("uuid") else {
                return samples.note("a deletion without an identifier")
            }
            let types = HealthConnectTable.types(of: record.text("type") ?? "")
            samples.delete(id, of: types.count == 1 ? types.first : nil)
        }
        body["deletions_unavailable"]?.forEachElement { element in
            samples.note("the app does not know what was deleted of \(DecodedSamples.short(element.text).prefix(64))")
        }
    }
}

/// The part of a backfill window in one post.
///
/// The last post of a window states `window_complete`. In each post, `_diagnostics` has an entry for each type that was
/// read for it, in which `raw_record_count` is the number of records that the phone holds in the window, also of those in
/// other posts. That many different records prove that a type is complete (`WindowPart`).
private enum CompanionWindow {
    /// Adds the part of a window that a post with this version contains, if it does.
    static func add(_ body: JSONObject, version: Int64, date: Instant, to samples: inout DecodedSamples) {
        guard !(body["test"]?.isTrue ?? false), body["window_start"] != nil || body["window_end"] != nil else { return }
        guard let window = try? samples.interval(body.text("window_start"), body.text("window_end")), !window.isEmpty
        else { return samples.note("a window without valid times") }
        let records = records(in: body)
        let held = held(in: body)
        samples.complete(
            WindowPart(
                start: window.start, end: window.end, version: version, date: date,
                isLast: body["window_complete"]?.isTrue ?? false,
                lists: Set(records.keys).union(held.keys).sorted().map { name in
                    WindowPart.List(
                        name: name, types: HealthConnectTable.types(of: name), held: held[name] ?? nil,
                        records: records[name] ?? [])
                }))
    }

    /// Returns the records with identifiers, by record type. The samples of a heart rate record may share its identifier.
    private static func records(in body: JSONObject) -> [String: Set<UInt64>] {
        var records: [String: Set<UInt64>] = [:]
        for name in body.names where HealthConnectLists.isOne(name) {
            guard let list = body[name], list.isArray else { continue }
            list.forEachElement { element in
                guard let record = element.object, let id = record.text("uuid") else { return }
                records[name, default: []].insert(WindowPart.key("\(id) \(record.text("time") ?? "")"))
            }
        }
        return records
    }

    /// Returns the numbers of records that the phone holds, by record type; `nil` for a type that was not read whole.
    private static func held(in body: JSONObject) -> [String: Int?] {
        guard let diagnostics = body["_diagnostics"]?.object else { return [:] }
        let summed = Set(body["_resolutions"]?.object?.names ?? [])
        return Dictionary(
            diagnostics.names.map { name in
                (name, diagnostics[name]?.object.flatMap { summed.contains(name) ? nil : held($0) })
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func held(_ entry: JSONObject) -> Int? {
        guard entry["permission_granted"]?.isTrue ?? false, entry["error"] == nil,
            let count = entry.number("raw_record_count"), count >= 0
        else { return nil }
        return Int(exactly: count)
    }
}
