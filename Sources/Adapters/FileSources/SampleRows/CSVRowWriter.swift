import HealthSyncDomain
package import HealthSyncPorts

/// A writer of rows as comma-separated values: RFC 4180 with a header line, UTF-8, times in UTC as RFC 3339.
///
/// Names of apps and devices come from others, and spreadsheet programs run a cell that begins with `=` as a formula, as
/// OWASP's page on CSV injection explains. Where `;` separates lists, they also end cells at `;`, and at tabs and line ends.
/// A part of a text up to such a separator that a program could run therefore gets an apostrophe before it, and so does one
/// that begins with an apostrophe: removing one apostrophe from the beginning of each part restores every text. Numbers and
/// times are written unchanged.
package struct CSVRowWriter: SampleRowWriter {
    private static let columns = [
        "uuid", "type", "startDate", "endDate", "value", "unit", "sourceBundleId", "sourceDeviceName", "timeZone",
        "wasUserEntered", "preAggregated", "externalID", "syncVersion", "minimum", "maximum", "measurementCount",
        "stateMilliseconds",
    ]

    private let file: RowFile
    private let escapesFormulas: Bool

    /// Creates a writer to the file at `path`, readable by its owner only, which gets its name when it is complete.
    ///
    /// - Parameter escapesFormulas: whether texts that a spreadsheet program could run get an apostrophe.
    package init(path: String, escapesFormulas: Bool = true) {
        file = RowFile(path: path)
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
            guard let text, escapesFormulas else { return text ?? "" }
            return escaped(text)
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

    /// Returns `text` with an apostrophe before each part that a spreadsheet program could run as a formula or would mistake
    /// for an escaped one.
    private static func escaped(_ text: String) -> String {
        // By scalar, because a combining character after the first one does not change how it is read.
        let scalars = text.unicodeScalars
        var result = String.UnicodeScalarView()
        var beginsPart = true
        for index in scalars.indices {
            if beginsPart, mustBeEscaped(scalars[index...], isFirst: index == scalars.startIndex) { result.append("'") }
            result.append(scalars[index])
            beginsPart = isSeparator(scalars[index])
        }
        return String(result)
    }

    /// - Parameter isFirst: whether the part begins the text, where some programs drop a tab or a line end.
    private static func mustBeEscaped(_ part: Substring.UnicodeScalarView, isFirst: Bool) -> Bool {
        switch part.first {
        case "'": return true
        case "\t", "\r", "\n": return isFirst
        default: break
        }
        switch part.first(where: { !isBlank($0) }) {
        // Programs for Japanese run the full-width forms, too.
        case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
        default: return false
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "\t", "\r", "\n": true
        default: false
        }
    }

    /// Returns whether a program could skip `scalar` at the beginning of a cell: white space, what has no width, or a quote.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        if isSeparator(scalar) { return false }
        if scalar.isASCII { return scalar.value <= 0x20 || scalar == "\"" || scalar.value == 0x7F }
        return scalar.properties.isWhitespace || [.format, .control].contains(scalar.properties.generalCategory)
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
