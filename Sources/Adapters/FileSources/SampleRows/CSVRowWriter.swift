import HealthSyncDomain
package import HealthSyncPorts

/// A writer of rows as comma-separated values: RFC 4180 with a header line, UTF-8, times in UTC as RFC 3339.
///
/// Values are written unchanged: a name that begins with `=` is not altered, so spreadsheet programs that run formulas
/// from files must import the columns as text.
package struct CSVRowWriter: SampleRowWriter {
    private static let columns = [
        "uuid", "type", "startDate", "endDate", "value", "unit", "sourceBundleId", "sourceDeviceName", "timeZone",
        "wasUserEntered", "preAggregated", "externalID", "syncVersion", "minimum", "maximum", "measurementCount",
        "stateMilliseconds",
    ]

    private let file: RowFile

    /// Creates a writer to the file at `path`, readable by its owner only, which `files` moves into place when
    /// complete.
    package init(path: String, files: any LocalFiles) { file = RowFile(path: path, files: files) }

    package func begin() async throws {
        var header: [UInt8] = []
        Self.append(Self.columns, to: &header)
        try await BlockingWork.run { [header] _ in try file.begin(header: header) }
    }

    package func append(_ rows: [SampleRow]) async throws {
        try await BlockingWork.run { _ in
            var bytes: [UInt8] = []
            for row in rows { Self.append(Self.fields(of: row), to: &bytes) }
            try file.write(bytes)
        }
    }

    package func finish() async throws { try await BlockingWork.run { _ in try file.finish() } }

    package func discard() async { file.discard() }

    private static func fields(of row: SampleRow) -> [String] {
        let detail = row.detail
        return [
            row.id.description, row.type.rawValue, RFC3339.string(row.interval.start),
            RFC3339.string(row.interval.end), CanonicalNumber.text(row.value), row.unit, row.origin.sourceName,
            row.origin.device, row.zoneName ?? "", String(row.origin.isUserEntered),
            String(row.origin.isPreAggregated), detail?.externalID ?? "", detail?.syncVersion.map(String.init) ?? "",
            detail?.minimum.map(CanonicalNumber.text) ?? "", detail?.maximum.map(CanonicalNumber.text) ?? "",
            detail?.measurementCount.map(String.init) ?? "", detail?.stateMilliseconds.map(String.init) ?? "",
        ]
    }

    private static func append(_ fields: [String], to bytes: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            append(field, to: &bytes)
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    private static func append(_ field: String, to bytes: inout [UInt8]) {
        let needsQuotes = field.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(0x22)
        for byte in field.utf8 {
            if byte == 0x22 { bytes.append(0x22) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}
