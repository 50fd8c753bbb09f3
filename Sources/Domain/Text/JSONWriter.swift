/// Puts JSON text together, member by member: compact, members in the order given.
package struct JSONWriter: Sendable {
    private var text: JSONBytes
    private var needsComma = false

    /// An empty text with room for `capacity` bytes.
    package init(reserving capacity: Int = 256) { text = JSONBytes(reserving: capacity) }

    /// What was written and not yet taken.
    package var bytes: [UInt8] { text.bytes }

    package mutating func beginObject() { open(0x7B) }
    package mutating func endObject() { close(0x7D) }
    package mutating func beginArray() { open(0x5B) }
    package mutating func endArray() { close(0x5D) }

    /// The name of the next member, in which nothing needs to be escaped.
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

    /// A finite number, without a fraction where it has none; `null` for others.
    package mutating func number(_ number: Double?) { value { $0.number(orNull: number) } }

    /// A string; `null` for none.
    package mutating func string(_ string: String?) {
        guard let string else { return null() }
        value { $0.string(string) }
    }

    /// An instant in UTC, by RFC 3339.
    package mutating func time(_ instant: Instant) {
        value {
            $0.mark(0x22)
            $0.time(instant)
            $0.mark(0x22)
        }
    }

    /// A value that is JSON already.
    package mutating func raw(_ json: [UInt8]) { value { $0.raw(json) } }

    /// Members that are JSON already, one or more.
    package mutating func raw(_ json: ArraySlice<UInt8>) { value { $0.raw(json) } }

    /// Part of a text that is put together elsewhere; no comma is set.
    package mutating func rawFragment(_ json: [UInt8]) { text.raw(json) }

    /// Takes what was written so far and goes on empty, in the middle of the text.
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
