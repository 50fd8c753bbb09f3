/// A fold of the values of a record, one after the other, into 64 bits. For each word the state becomes `m(state ^
/// word)`, where `m` is the step of SplitMix64 and the initial state is 0. docs/server.md specifies it for other
/// programs.
package struct ContentFold: Hashable, Sendable {
    /// The result so far.
    package private(set) var state: UInt64 = 0

    package init() {}

    /// Adds a whole number, such as the number of list elements.
    package mutating func add(_ number: Int64) { add(word: UInt64(bitPattern: number)) }

    /// Adds a number by its IEEE 754 bits; -0 is treated as 0.
    package mutating func add(_ number: Double) { add(word: number == 0 ? 0 : number.bitPattern) }

    /// Adds a number, or a null word for `nil`.
    package mutating func add(_ number: Double?) {
        if let number { add(number) } else { addNull() }
    }

    /// Adds a text: the number of its UTF-8 bytes, then the bytes in little-endian words of eight, the last one
    /// padded with zeros.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { unsafe add(utf8: $0) }
    }

    /// Adds a text, or a null word for `nil`.
    package mutating func add(_ text: String?) {
        if let text { add(text) } else { addNull() }
    }

    /// Adds a text by its UTF-8 bytes.
    package mutating func add(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        add(word: UInt64(bytes.count))
        var word: UInt64 = 0
        var shift: UInt64 = 0
        for index in bytes.indices {
            word |= UInt64(unsafe bytes[index]) << shift
            shift += 8
            if shift == 64 {
                add(word: word)
                (word, shift) = (0, 0)
            }
        }
        if shift > 0 { add(word: word) }
    }

    /// Adds an absent value: a word with all bits set, which is never a number, length or count.
    package mutating func addNull() { add(word: .max) }

    private mutating func add(word: UInt64) { state = SplitMix.mixed(state ^ word) }
}
