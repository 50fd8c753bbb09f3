/// Writes JSON as canonical bytes: no spaces, only the escapes that RFC 8259 asks for.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    mutating func beginObject() {
        bytes.append(0x7B)
        isFirst = true
    }

    mutating func endObject() { bytes.append(0x7D) }

    mutating func endLine() { bytes.append(0x0A) }

    mutating func member(_ name: String, text: String) {
        begin(name)
        append(quoted: text)
    }

    /// `plain` is a number or a word as it stands in JSON.
    mutating func member(_ name: String, plain: String) {
        begin(name)
        bytes.append(contentsOf: plain.utf8)
    }

    private mutating func begin(_ name: String) {
        if !isFirst { bytes.append(0x2C) }
        isFirst = false
        append(quoted: name)
        bytes.append(0x3A)
    }

    private mutating func append(quoted text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(byte < 0x10 ? 0x30 : 0x31)
                bytes.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
