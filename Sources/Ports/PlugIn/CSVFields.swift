/// The fields of a line of comma-separated values (RFC 4180). A field with line breaks is not supported.
public enum CSVFields {
    /// Returns the fields of `line`, without the quotation marks around a field and the blanks around those; two quotation marks
    /// within a field are one. Other blanks belong to their field. `nil` if the quotation marks do not match.
    ///
    /// - Parameter separator: an ASCII character other than the quotation mark and the space, such as a semicolon or a tab.
    public static func split(_ line: String, separator: UInt8 = UInt8(ascii: ",")) -> [String]? {
        var reader = FieldReader(separator: separator)
        for byte in line.utf8 { guard reader.read(byte) else { return nil } }
        return reader.isQuoted ? nil : reader.fields.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Reads a line byte by byte.
private struct FieldReader {
    let separator: UInt8
    private(set) var fields: [[UInt8]] = [[]]
    /// Whether the field is within quotation marks.
    private(set) var isQuoted = false
    /// Whether a quotation mark ended the field, unless a second one follows.
    private var wasQuoted = false
    /// Whether blanks follow the quotation mark that ended the field.
    private var isFollowed = false

    init(separator: UInt8) { self.separator = separator }

    private var field: [UInt8] {
        get { fields[fields.count - 1] }
        set { fields[fields.count - 1] = newValue }
    }

    /// Returns whether the line may contain `byte` here.
    mutating func read(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): return readQuotationMark()
        case separator where !isQuoted:
            fields.append([])
            (wasQuoted, isFollowed) = (false, false)
        case UInt8(ascii: " ") where wasQuoted, UInt8(ascii: "\t") where wasQuoted: isFollowed = true
        default:
            guard !wasQuoted else { return false }
            fields[fields.count - 1].append(byte)
        }
        return true
    }

    private mutating func readQuotationMark() -> Bool {
        if isQuoted {
            (isQuoted, wasQuoted) = (false, true)
        } else if wasQuoted {
            guard !isFollowed else { return false }
            fields[fields.count - 1].append(UInt8(ascii: "\""))
            (isQuoted, wasQuoted) = (true, false)
        } else {
            guard field.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return false }
            field = []
            isQuoted = true
        }
        return true
    }
}
