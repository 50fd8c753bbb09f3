import HealthSyncDomain
import HealthSyncPorts

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

/// The fields of a line of separated values that an app or a person wrote.
enum CSVLine {
    /// Returns the fields without white space at their ends. A line whose quotation marks do not match is one field.
    static func fields(_ text: String, separator: UInt8 = UInt8(ascii: ",")) -> [String] {
        (CSVFields.split(text, separator: separator) ?? [text]).map { $0.withoutEnds(where: \.isWhitespace) }
    }
}
