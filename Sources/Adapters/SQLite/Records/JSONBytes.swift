import HealthSyncDomain

/// JSON written byte by byte: the texts in the tables are many and small, and their members always stand in the same
/// order.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) { bytes.reserveCapacity(count) }

    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func integer(_ value: Int64) {
        if value < 0 { bytes.append(0x2D) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// A finite number: an integer without a fraction, otherwise the shortest text that reads back the same.
    mutating func number(_ value: Double) {
        if let whole = Int64(exactly: value) {
            integer(whole)
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20:
                raw("\\u00")
                bytes.append(0x30 + byte >> 4)
                bytes.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    /// `[element,element]`.
    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONBytes, Element) -> Void) {
        bytes.append(0x5B)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            write(&self, element)
        }
        bytes.append(0x5D)
    }
}
