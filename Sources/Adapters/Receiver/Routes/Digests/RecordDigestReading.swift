import HealthSyncDomain

/// Computes the checksum of a stored record from its members.
enum RecordDigestReading {
    /// Returns the entry of `record` for a verification. An invalid body counts as a body without members, which no
    /// client sends.
    static func entry(of record: ReceivedRecord, kind: RecordKind) -> RecordEntry {
        var fold = RecordContent.fold(id: record.id, revision: record.revision)
        if !record.isDeleted {
            let parsed: Void? = try? JSONText.read(record.body) { body in
                switch kind {
                case .progress: addProgress(body, to: &fold)
                case .sleep: addSleep(body, to: &fold)
                default: addSnapshot(body, to: &fold)
                }
            }
            if parsed == nil { fold.addNull() }
        }
        return RecordEntry(
            id: record.id, day: record.isDeleted ? nil : record.day, revision: Int(record.revision),
            content: fold.state)
    }

    private static func addProgress(_ body: JSONValue, to fold: inout ContentFold) {
        add(["type", "granularity", "day", "start"], of: body, to: &fold)
        add(["quantity", "min", "max", "count", "held_ms"], of: body, to: &fold)
        add(["unit"], of: body, to: &fold)
    }

    private static func addSleep(_ body: JSONValue, to fold: inout ContentFold) {
        add(["start_time", "end_time", "source", "notes"], of: body, to: &fold)
        add(SleepReader.figureNames, of: body, to: &fold)
        var count: Int64 = 0
        var stages = ContentFold()
        body["stages"]?.forEachElement { stage in
            count += 1
            add(["stage", "start_time", "end_time"], of: stage, to: &stages)
        }
        fold.add(count)
        fold.add(Int64(bitPattern: stages.state))
        if body["day"] != nil { addPlace(body, to: &fold) }
    }

    private static func addPlace(_ body: JSONValue, to fold: inout ContentFold) {
        add(["day", "night_id", "role"], of: body, to: &fold)
        guard let counted = body["counted"], counted.isObject else { return fold.addNull() }
        add(SleepPlace.figureNames, of: counted, to: &fold)
        var count: Int64 = 0
        counted["stretches"]?.forEachElement { _ in count += 1 }
        fold.add(count)
        counted["stretches"]?.forEachElement { add(["start_time", "end_time"], of: $0, to: &fold) }
    }

    private static func addSnapshot(_ body: JSONValue, to fold: inout ContentFold) {
        add(["day"], of: body, to: &fold)
        add(SnapshotReader.figures, of: body, to: &fold)
    }

    /// Adds the members with these names in their order. A value that is neither a string nor a number counts as
    /// missing.
    private static func add(_ names: [StaticString], of object: JSONValue, to fold: inout ContentFold) {
        for name in names {
            guard let value = object[name] else {
                fold.addNull()
                continue
            }
            if let number = value.number {
                fold.add(number)
            } else if unsafe value.withUTF8({ unsafe fold.add(utf8: $0) }) == nil {
                fold.addNull()
            }
        }
    }
}
