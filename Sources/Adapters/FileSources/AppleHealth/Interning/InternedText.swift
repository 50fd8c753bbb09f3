/// The number of a text in a file.
struct InternedText: Equatable {
    /// The number of the text: equal texts have equal numbers. -1 if there are too many different texts.
    var id: Int32
    /// The faults of its raw bytes.
    var faults: AttributeFaults = []

    /// No text.
    static let none = InternedText(id: -2)
    /// A text beyond the limit of different texts.
    static let overflow = InternedText(id: -1)
}
