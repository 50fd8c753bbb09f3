import HealthSyncDomain

/// Puts JSON text together, byte by byte: compact, members in the order given.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty text.
    init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func beginObject() { open(0x7B) }
    mutating func endObject() { close(0x7D) }
    mutating func beginArray() { open(0x5B) }
    mutating func endArray() { close(0x5D) }

    /// The name of the next member.
    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func null() { literal("null") }
    mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    mutating func integer(_ value: some BinaryInteger) { literal(String(value)) }

    /// A finite number, without a fraction where it has none; `null` for others.
    mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        literal(CanonicalNumber.text(value))
    }

    mutating func number(_ value: Double?) {
        if let value { number(value) } else { null() }
    }

    mutating func string(_ value: String?) {
        guard var value else { return null() }
        separate()
        value.withUTF8 { unsafe appendQuoted($0) }
        needsComma = true
    }

    mutating func time(_ instant: Instant) {
        separate()
        bytes.append(0x22)
        RFC3339.append(instant, to: &bytes)
        bytes.append(0x22)
        needsComma = true
    }

    /// A value that is JSON already.
    mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// Part of a text that is put together elsewhere; no comma is set.
    mutating func rawFragment(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    /// Takes what was written so far and goes on empty, in the middle of the text.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Ends a line of JSON Lines.
    mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
    }

    private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(0x22)
        for index in text.indices {
            let byte = unsafe text[index]
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(0x30 + (byte >> 4))
                bytes.append(byte & 15 < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
