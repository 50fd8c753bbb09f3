import HealthSyncDomain
package import HealthSyncPorts

/// Writes rows as JSON lines, which `JSONLinesSource` reads back to the same samples.
///
/// One object a line, members sorted by name, no spaces, times in UTC: equal rows give equal bytes. Members that say
/// nothing (no zone, no device, not entered by hand) are left out.
package struct JSONLinesRowWriter: SampleRowWriter {
    private let file: RowFile

    /// Writes to the file at `path`, readable by its owner alone.
    package init(path: String) { file = RowFile(path: path) }

    package func begin() async throws { try await OffloadedWork.run { _ in try file.begin(header: []) } }

    package func append(_ rows: [SampleRow]) async throws {
        try await OffloadedWork.run { _ in
            var text = JSONText()
            for row in rows { Self.write(row, to: &text) }
            try file.write(text.bytes)
        }
    }

    package func finish() async throws { try await OffloadedWork.run { _ in try file.finish() } }

    package func discard() async { file.discard() }

    private static func write(_ row: SampleRow, to text: inout JSONText) {
        text.beginObject()
        if row.type == SampleTypeDefinition.stepCount.type, row.value >= 0, Int64(exactly: row.value) != nil {
            text.member("count", plain: CanonicalNumber.text(row.value))
        }
        text.member("endDate", text: RFC3339.string(row.interval.end))
        if let id = row.detail?.externalID { text.member("externalID", text: id) }
        if let maximum = row.detail?.maximum { text.member("maximum", plain: CanonicalNumber.text(maximum)) }
        if let count = row.detail?.measurementCount { text.member("measurementCount", plain: String(count)) }
        if let minimum = row.detail?.minimum { text.member("minimum", plain: CanonicalNumber.text(minimum)) }
        if row.origin.isPreAggregated { text.member("preAggregated", plain: "true") }
        text.member("sourceBundleId", text: row.origin.sourceName)
        if !row.origin.device.isEmpty { text.member("sourceDeviceName", text: row.origin.device) }
        text.member("startDate", text: RFC3339.string(row.interval.start))
        if let length = row.detail?.stateMilliseconds { text.member("stateMilliseconds", plain: String(length)) }
        if let version = row.detail?.syncVersion { text.member("syncVersion", plain: String(version)) }
        if let zone = row.zoneName { text.member("timeZone", text: zone) }
        text.member("type", text: row.type.rawValue)
        if !row.unit.isEmpty { text.member("unit", text: row.unit) }
        text.member("uuid", text: row.id.description)
        text.member("value", plain: CanonicalNumber.text(row.value))
        if row.origin.isUserEntered { text.member("wasUserEntered", plain: "true") }
        text.endObject()
        text.endLine()
    }
}
