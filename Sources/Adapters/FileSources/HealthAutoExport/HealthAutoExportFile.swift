import HealthSyncDomain

/// One file of the feed, walked through without being built.
struct HealthAutoExportFile {
    /// A metric's name, unit and the place of its entries; whatever the file states of them, in whatever order.
    struct Metric {
        var name: String?
        var unit: String?
        /// Where the value of `data` begins.
        var entries: Int?
        /// Where the metric begins.
        var offset: Int
    }

    let bytes: [UInt8]
    /// When the file was changed last, as far as its folder knows: what it states was measured until then.
    let written: Instant?
    private let start: Int

    init(_ bytes: [UInt8], written: Instant? = nil) {
        self.written = written
        self.bytes = bytes
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// What the beginning of the text is.
    enum Form {
        /// An object that is empty or has a member `data`.
        case feed
        /// Something else.
        case other
        /// The text ends before it can be told.
        case brokenOff
    }

    var form: Form {
        var cursor = JSONCursor(bytes, at: start)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else { return .other }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                if name == "data" { return .feed }
                isFirst = false
                _ = try cursor.skipValue()
            }
            return isFirst ? .feed : .other
        } catch {
            return error.offset >= bytes.count ? .brokenOff : .other
        }
    }

    /// Calls `body` with every metric. What is known of a metric within which the file breaks off is handed over before
    /// `JSONCursor.Broken` is thrown.
    func forEachMetric(_ body: (Metric) throws -> Void) throws {
        var cursor = JSONCursor(bytes, at: start)
        try forEachMember(&cursor) { name, cursor in
            guard name == "data" else { return false }
            try forEachMember(&cursor) { name, cursor in
                guard name == "metrics", try cursor.enterArray() else { return false }
                var isFirst = true
                while try cursor.nextElement(first: isFirst) {
                    isFirst = false
                    try takeMetric(&cursor, body)
                }
                return true
            }
            return true
        }
    }

    /// Calls `body` with the name and the number of entries of every list beside the metrics, such as `workouts`, that
    /// has entries. A list within which the file breaks off is not handed over.
    func forEachFurtherList(_ body: (String, Int) -> Void) throws {
        var cursor = JSONCursor(bytes, at: start)
        try forEachMember(&cursor) { name, cursor in
            guard name == "data" else { return false }
            try forEachMember(&cursor) { name, cursor in
                guard name != "metrics" else { return false }
                var count = 0
                let isList = try forEachElement(&cursor) { _ in count += 1 }
                if count > 0 { body(name, count) }
                return isList
            }
            return true
        }
    }

    /// Calls `body` with the stretch of every entry of `metric`.
    func forEachEntry(of metric: Metric, _ body: (Range<Int>) throws -> Void) throws {
        guard let entries = metric.entries else { return }
        var cursor = JSONCursor(bytes, at: entries)
        _ = try forEachElement(&cursor, body)
    }

    /// Walks through the list at `cursor`; returns whether there was one.
    private func forEachElement(_ cursor: inout JSONCursor, _ body: (Range<Int>) throws -> Void) throws -> Bool {
        guard try cursor.enterArray() else { return false }
        var isFirst = true
        while try cursor.nextElement(first: isFirst) {
            isFirst = false
            try body(try cursor.skipValue())
        }
        return true
    }

    /// The text of the member `name` of the object in `range`.
    func text(_ name: String, in range: Range<Int>) -> String? {
        var cursor = JSONCursor(bytes, at: range.lowerBound)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else { return nil }
            var isFirst = true
            while let member = try cursor.nextMember(first: isFirst) {
                isFirst = false
                let value = try cursor.skipValue()
                if member == name { return cursor.text(value) }
            }
            return nil
        } catch {
            return nil
        }
    }

    private func takeMetric(_ cursor: inout JSONCursor, _ body: (Metric) throws -> Void) throws {
        var metric = Metric(offset: cursor.position)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else {
                _ = try cursor.skipValue()
                return
            }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                isFirst = false
                if name == "data" { metric.entries = cursor.position }
                let value = try cursor.skipValue()
                if name == "name" { metric.name = cursor.text(value) }
                if name == "units" { metric.unit = cursor.text(value) }
            }
        } catch {
            try body(metric)
            throw error
        }
        try body(metric)
    }

    /// Steps into the object at `cursor` and calls `take` at the value of every member; `take` says whether it moved
    /// past the value.
    private func forEachMember(
        _ cursor: inout JSONCursor, _ take: (String, inout JSONCursor) throws -> Bool
    ) throws {
        guard try cursor.enterObject() else {
            _ = try cursor.skipValue()
            return
        }
        var isFirst = true
        while let name = try cursor.nextMember(first: isFirst) {
            isFirst = false
            if try !take(name, &cursor) { _ = try cursor.skipValue() }
        }
    }
}
