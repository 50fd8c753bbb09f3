/// A text met in a file, by number.
struct InternedText: Equatable {
    /// Number of the text; equal texts have equal numbers. -1 when there were too many texts to number this one.
    var id: Int32
    /// What was wrong with its raw bytes.
    var faults: AttributeFaults = []

    /// Stands for no text at all.
    static let none = InternedText(id: -2)
    /// Stands for a text beyond the number that is kept.
    static let overflow = InternedText(id: -1)
}
