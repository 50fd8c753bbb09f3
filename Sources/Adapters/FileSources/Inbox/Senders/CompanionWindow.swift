import HealthSyncDomain
import HealthSyncPorts

/// The posts of one backfill window in one reading.
///
/// The last post of a window states `window_complete`, but it may be the only one in this reading. In each post,
/// `_diagnostics` has an entry for each type that was read for it, in which `raw_record_count` is the number of records
/// that the phone holds in the window, also of those in other posts. A type is complete only if the reading contains so
/// many different records. Without that proof the window deletes nothing of the type.
struct CompanionWindow {
    private var device = ""
    private var bounds: InstantRange?
    /// The records in the posts, by record type.
    private var records: [String: Set<String>] = [:]
    /// The number of records that the phone holds, by record type; `nil` if it could not be read.
    private var held: [String: Double?] = [:]

    mutating func take(_ body: JSONObject, of head: InboxHead, to samples: inout PostSamples) {
        guard !(body["test"]?.isTrue ?? false), body["window_start"] != nil || body["window_end"] != nil else {
            return self = CompanionWindow()
        }
        let window = try? samples.interval(body.text("window_start"), body.text("window_end"))
        guard let window, !window.isEmpty else {
            self = CompanionWindow()
            return samples.note("a window without valid times")
        }
        if window != bounds || head.device != device {
            self = CompanionWindow()
            (bounds, device) = (window, head.device)
        }
        addRecords(body)
        addHeld(body)
        guard body["window_complete"]?.isTrue ?? false else { return }
        finish(window, body, of: head, to: &samples)
        self = CompanionWindow()
    }

    private func finish(
        _ window: InstantRange, _ body: JSONObject, of head: InboxHead, to samples: inout PostSamples
    ) {
        let complete = held.compactMap { name, count in
            count.map { Double(records[name]?.count ?? 0) >= $0 } ?? false ? name : nil
        }
        let unknown = Set(held.keys).union(records.keys).subtracting(complete)
        if !unknown.isEmpty {
            samples.note("a window is not complete for \(unknown.count) types, whose deletions are not known")
        }
        let types = complete.reduce(into: Set<SampleType>()) { $0.formUnion(HealthConnectTable.types(of: $1)) }
        guard !types.isEmpty else { return }
        let date = min((try? samples.instant(body.text("timestamp"))) ?? head.receivedAt, head.receivedAt)
        samples.complete(CompleteWindow(start: window.start, end: window.end, types: types, date: date))
    }

    /// Adds the records with identifiers. The samples of a heart rate record may share its identifier.
    private mutating func addRecords(_ body: JSONObject) {
        for name in body.names where HealthConnectLists.isOne(name) {
            guard let list = body[name], list.isArray else { continue }
            list.forEachElement { element in
                guard let record = element.object, let id = record.text("uuid") else { return }
                records[name, default: []].insert("\(id) \(record.text("time") ?? "")")
            }
        }
    }

    private mutating func addHeld(_ body: JSONObject) {
        guard let diagnostics = body["_diagnostics"]?.object else { return }
        let summed = Set(body["_resolutions"]?.object?.names ?? [])
        for name in diagnostics.names {
            let count = diagnostics[name]?.object.flatMap { summed.contains(name) ? nil : Self.held($0) }
            if let known = held[name] {
                held[name] = .some(known.flatMap { known in count.map { max(known, $0) } })
            } else {
                held[name] = .some(count)
            }
        }
    }

    /// Returns the number of records that an entry of `_diagnostics` states; `nil` if the type was not read whole.
    private static func held(_ entry: JSONObject) -> Double? {
        guard entry["permission_granted"]?.isTrue ?? false, entry["error"] == nil,
            let count = entry.number("raw_record_count"), count >= 0
        else { return nil }
        return count
    }
}
