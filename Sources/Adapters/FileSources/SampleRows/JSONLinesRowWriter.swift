import HealthSyncDomain
package import HealthSyncPorts

/// A writer of rows as JSON lines, which `JSONLinesSource` reads back as the same samples.
///
/// One object per line, members sorted by name, no spaces, times in UTC: equal rows give equal bytes. Members without
/// content (no zone, no device, not entered by the user) are omitted.
package struct JSONLinesRowWriter: SampleRowWriter {
    private let file: RowFile

    /// Creates a writer to the file at `path`, readable by its owner only, which gets its name when it is complete.
    package init(path: String) { file = RowFile(path: path) }

    package func begin() async throws { try await BlockingWork.run { _ in try file.begin(header: []) } }

    package func append(_ rows: [SampleRow]) async throws {
        try await BlockingWork.run { _ in
            var writer = JSONWriter(reserving: 300 * rows.count)
            for row in rows { Self.write(row, to: &writer) }
            try file.write(writer.bytes)
        }
    }

    package func finish() async throws { try await BlockingWork.run { _ in try file.finish() } }

    package func discard() async { file.discard() }

    private static func write(_ row: SampleRow, to writer: inout JSONWriter) {
        let (detail, origin) = (row.detail, row.origin)
        let isCount = row.type == SampleTypeDefinition.stepCount.type && row.value >= 0
        let count = isCount ? Int64(exactly: row.value) : nil
        writer.beginObject()
        writer.member("count", count)
        writer.member("endDate", row.interval.end)
        writer.member("externalID", detail?.externalID)
        writer.member("maximum", detail?.maximum)
        writer.member("measurementCount", (detail?.measurementCount).map(Int64.init))
        writer.member("minimum", detail?.minimum)
        writer.member("preAggregated", isTrue: origin.isPreAggregated)
        writer.member("sourceBundleId", origin.sourceName)
        writer.member("sourceDeviceName", origin.device.isEmpty ? nil : origin.device)
        writer.member("startDate", row.interval.start)
        writer.member("stateMilliseconds", detail?.stateMilliseconds)
        writer.member("syncVersion", detail?.syncVersion)
        writer.member("timeZone", row.zoneName)
        writer.member("type", row.type.rawValue)
        writer.member("unit", row.unit.isEmpty ? nil : row.unit)
        writer.member("uuid", row.id.description)
        writer.member("value", row.value)
        writer.member("wasUserEntered", isTrue: origin.isUserEntered)
        writer.endObject()
        writer.endLine()
    }
}

extension JSONWriter {
    /// Writes a member; nothing for `nil`.
    fileprivate mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    /// Writes a member; nothing for `nil`.
    fileprivate mutating func member(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    /// Writes a member; nothing for `nil`.
    fileprivate mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        integer(value)
    }

    /// Writes a member.
    fileprivate mutating func member(_ name: StaticString, _ instant: Instant) {
        self.name(name)
        time(instant)
    }

    /// Writes a member that is true; nothing for false.
    fileprivate mutating func member(_ name: StaticString, isTrue: Bool) {
        guard isTrue else { return }
        self.name(name)
        bool(true)
    }
}
