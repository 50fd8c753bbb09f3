import HealthSyncDomain

/// The byte ranges of the lines of a text that are not blank, without the newline.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() -> Range<Int>? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            defer { position = end + 1 }
            if bytes[position..<end].contains(where: { $0 > 0x20 }) { return position..<end }
        }
        return nil
    }
}

/// The fields of a line of separated values.
enum CSVLine {
    /// Splits a line; a field in quotation marks may contain the separator. A combining mark after a separator does not
    /// belong to it.
    static func fields(_ text: String, separator: Unicode.Scalar = ",") -> [String] {
        var fields = [String.UnicodeScalarView()]
        var isQuoted = false
        for scalar in text.unicodeScalars {
            if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == separator, !isQuoted {
                fields.append(String.UnicodeScalarView())
            } else {
                fields[fields.count - 1].append(scalar)
            }
        }
        return fields.map { String($0).withoutEnds(where: \.isWhitespace) }
    }
}
