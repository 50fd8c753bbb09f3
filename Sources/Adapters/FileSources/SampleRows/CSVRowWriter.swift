import HealthSyncDomain
package import HealthSyncPorts

/// A writer of rows as comma-separated values: RFC 4180 with a header line, UTF-8, times in UTC as RFC 3339.
///
/// Names of apps and devices come from others, and spreadsheet programs run a cell that begins with `=` as a formula. A text
/// that could be one therefore gets an apostrophe before it, as OWASP's page on CSV injection advises, and so does a text
/// that begins with an apostrophe: removing one apostrophe restores every text. Numbers and times are written unchanged.
package struct CSVRowWriter: SampleRowWriter {
    private static let columns = [
        "uuid", "type", "startDate", "endDate", "value", "unit", "sourceBundleId", "sourceDeviceName", "timeZone",
        "wasUserEntered", "preAggregated", "externalID", "syncVersion", "minimum", "maximum", "measurementCount",
        "stateMilliseconds",
    ]

    private let file: RowFile
    private let escapesFormulas: Bool

    /// Creates a writer to the file at `path`, readable by its owner only, which `files` moves into place when
    /// complete.
    ///
    /// - Parameter escapesFormulas: whether texts that a spreadsheet program could run get an apostrophe.
    package init(path: String, files: any LocalFiles, escapesFormulas: Bool = true) {
        file = RowFile(path: path, files: files)
        self.escapesFormulas = escapesFormulas
    }

    package func begin() async throws {
        var header: [UInt8] = []
        Self.append(Self.columns, to: &header)
        try await BlockingWork.run { [header] _ in try file.begin(header: header) }
    }

    package func append(_ rows: [SampleRow]) async throws {
        try await BlockingWork.run { [file, escapesFormulas] _ in
            var bytes: [UInt8] = []
            for row in rows { Self.append(Self.fields(of: row, escapesFormulas: escapesFormulas), to: &bytes) }
            try file.write(bytes)
        }
    }

    package func finish() async throws { try await BlockingWork.run { _ in try file.finish() } }

    package func discard() async { file.discard() }

    private static func fields(of row: SampleRow, escapesFormulas: Bool) -> [String] {
        func text(_ text: String?) -> String {
            guard let text, escapesFormulas, mustBeEscaped(text) else { return text ?? "" }
            return "'" + text
        }
        let detail = row.detail
        return [
            row.id.description, text(row.type.rawValue), RFC3339.string(row.interval.start),
            RFC3339.string(row.interval.end), CanonicalNumber.text(row.value), text(row.unit),
            text(row.origin.sourceName), text(row.origin.device), text(row.zoneName), String(row.origin.isUserEntered),
            String(row.origin.isPreAggregated), text(detail?.externalID), detail?.syncVersion.map(String.init) ?? "",
            detail?.minimum.map(CanonicalNumber.text) ?? "", detail?.maximum.map(CanonicalNumber.text) ?? "",
            detail?.measurementCount.map(String.init) ?? "", detail?.stateMilliseconds.map(String.init) ?? "",
        ]
    }

    /// Returns whether a spreadsheet program could run `text` as a formula, or would mistake it for an escaped one. Programs
    /// for Japanese run the full-width forms, too.
    private static func mustBeEscaped(_ text: String) -> Bool {
        // By scalar, because a combining character after the first one does not change how it is read.
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
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
