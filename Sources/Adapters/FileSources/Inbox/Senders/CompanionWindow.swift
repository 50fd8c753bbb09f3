import HealthSyncDomain
import HealthSyncPorts

/// The part of a backfill window in one post.
///
/// The last post of a window states `window_complete`. In each post, `_diagnostics` has an entry for each type that was
/// read for it, in which `raw_record_count` is the number of records that the phone holds in the window, also of those in
/// other posts. That many different records prove that a type is complete (`WindowPart`).
enum CompanionWindow {
    /// Adds the part of a window that a post with this version contains, if it does.
    static func add(_ body: JSONObject, version: Int64, date: Instant, to samples: inout PostSamples) {
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
