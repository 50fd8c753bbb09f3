/// A text that equals only a text with the same bytes in UTF-8, for the keys of identifiers. `String` treats canonically
/// equivalent texts as equal (`é` composed and decomposed), which databases and files do not.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Compares by bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.precedesInBytes(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Ends the text, so that adjacent texts hash differently if divided differently.
        hasher.combine(0xFF as UInt8)
    }
}
