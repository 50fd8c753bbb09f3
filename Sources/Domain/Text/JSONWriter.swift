/// A writer of compact JSON, member by member in the given order.
package struct JSONWriter: Sendable {
    private var text: JSONBytes
    private var needsComma = false

    /// Creates an empty text with capacity for `capacity` bytes.
    package init(reserving capacity: Int = 256) { text = JSONBytes(reserving: capacity) }

    /// The bytes written and not yet taken.
    package var bytes: [UInt8] { text.bytes }

    package mutating func beginObject() { open(0x7B) }
    package mutating func endObject() { close(0x7D) }
    package mutating func beginArray() { open(0x5B) }
    package mutating func endArray() { close(0x5D) }

    /// Writes the name of the next member, which must not need escaping.
    package mutating func name(_ name: StaticString) {
        separate()
        text.mark(0x22)
        text.raw(name)
        text.mark(0x22)
        text.mark(0x3A)
        needsComma = false
    }

    package mutating func null() { value { $0.raw("null") } }
    package mutating func bool(_ truth: Bool) { value { $0.raw(truth ? "true" : "false") } }
    package mutating func integer(_ number: Int) { integer(Int64(number)) }
    package mutating func integer(_ number: Int64) { value { $0.number(number) } }

    /// Writes a finite number, without a fraction if it is whole; otherwise `null`.
    package mutating func number(_ number: Double?) { value { $0.number(orNull: number) } }

    /// Writes a string or `null`.
    package mutating func string(_ string: String?) {
        guard let string else { return null() }
        value { $0.string(string) }
    }

    /// Writes an instant in UTC as RFC 3339.
    package mutating func time(_ instant: Instant) {
        value {
            $0.mark(0x22)
            $0.time(instant)
            $0.mark(0x22)
        }
    }

    /// Writes a value that is already JSON.
    package mutating func raw(_ json: [UInt8]) { value { $0.raw(json) } }

    /// Writes one or more members that are already JSON.
    package mutating func raw(_ json: ArraySlice<UInt8>) { value { $0.raw(json) } }

    /// Appends a fragment of JSON without a comma.
    package mutating func rawFragment(_ json: [UInt8]) { text.raw(json) }

    /// Returns what was written so far and clears the buffer; the text can be continued.
    package mutating func take() -> [UInt8] { text.take() }

    /// Ends a line of JSON Lines.
    package mutating func endLine() {
        text.mark(0x0A)
        needsComma = false
    }

    private mutating func value(_ write: (inout JSONBytes) -> Void) {
        separate()
        write(&text)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        text.mark(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        text.mark(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text.mark(0x2C) }
    }
}
