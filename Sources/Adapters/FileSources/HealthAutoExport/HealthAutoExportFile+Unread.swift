extension HealthAutoExportFile {
    /// A part of a file that contains no samples that are read.
    struct UnreadPart {
        /// Its name in the counts of skipped elements.
        var name: String
        /// The number of its elements.
        var count: Int
        /// The offset of its value.
        var offset: Int
        /// What is unexpected about its form; `nil` for a known part, such as `workouts`.
        var fault: String?
    }

    /// Calls `body` with each part that `forEachMetric` and `forEachEntry` omit: lists other than the metrics, members of
    /// an unexpected form, members that occur twice, and text after the document. Empty values and `null` are no parts.
    ///
    /// - Throws: `JSONCursor.Broken` where the file ends or is not valid JSON.
    func forEachUnreadPart(_ body: (UnreadPart) -> Void) throws {
        var cursor = JSONCursor(bytes, at: start)
        try forEachMember(&cursor) { name, cursor in
            guard name == "data", isObject(cursor) else {
                try report(name, fault: name == "data" ? "is not an object" : nil, &cursor, body)
                return true
            }
            try forEachMember(&cursor) { name, cursor in
                guard name == "metrics" else {
                    try report(name, fault: nil, &cursor, body)
                    return true
                }
                guard try cursor.enterArray() else {
                    try report(name, fault: "is not a list", &cursor, body)
                    return true
                }
                var isFirst = true
                while try cursor.nextElement(first: isFirst) {
                    isFirst = false
                    try reportMetric(&cursor, body)
                }
                return true
            }
            return true
        }
        if let rest = bytes[cursor.position...].firstIndex(where: { !JSONCursor.isSpace($0) }) {
            body(UnreadPart(name: "text after the document", count: 1, offset: rest, fault: "follows the document"))
        }
    }

    /// Returns the name of a member that the object in `range` contains twice.
    func repeatedMember(in range: Range<Int>) -> String? { JSONCursor.repeatedMember(in: bytes, at: range.lowerBound) }

    private func isObject(_ cursor: JSONCursor) -> Bool {
        var cursor = cursor
        return (try? cursor.enterObject()) ?? false
    }

    private func reportMetric(_ cursor: inout JSONCursor, _ body: (UnreadPart) -> Void) throws {
        let offset = cursor.position
        guard isObject(cursor) else { return try report("metric", fault: "is not an object", &cursor, body) }
        var seen: Set<String> = []
        try forEachMember(&cursor) { name, cursor in
            guard ["name", "units", "data"].contains(name) else { return false }
            if !seen.insert(name).inserted {
                body(UnreadPart(name: "metric", count: 1, offset: offset, fault: "contains `\(name)` twice"))
            }
            guard name == "data" else { return false }
            var entries = cursor
            guard try !entries.enterArray() else { return false }
            try report("metric", fault: "has `data` that is not a list", &cursor, body)
            return true
        }
    }

    /// Reports the value at `cursor`, with the number of its elements if it is a list, and moves past it.
    private func report(
        _ name: String, fault: String?, _ cursor: inout JSONCursor, _ body: (UnreadPart) -> Void
    ) throws {
        let start = bytes[cursor.position...].firstIndex { !JSONCursor.isSpace($0) } ?? cursor.position
        var count = 0
        let isList = try forEachElement(&cursor) { _ in count += 1 }
        if !isList { count = Self.isEmpty(bytes[try cursor.skipValue()]) ? 0 : 1 }
        guard count > 0 else { return }
        body(UnreadPart(name: String(name.prefix(64)), count: count, offset: start, fault: fault))
    }

    /// Returns whether a value other than a list states nothing: `null`, `{}` or `""`.
    private static func isEmpty(_ value: ArraySlice<UInt8>) -> Bool {
        let inner = value.filter { !JSONCursor.isSpace($0) }
        return inner.elementsEqual("null".utf8) || inner.elementsEqual("{}".utf8) || inner.elementsEqual("\"\"".utf8)
    }
}
