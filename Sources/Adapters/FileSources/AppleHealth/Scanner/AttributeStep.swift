/// What stands next in a start tag.
enum AttributeStep {
    /// An attribute.
    case attribute(RawAttribute)
    /// The end of the tag; the index is behind it.
    case end(TagEnd)
    /// The bytes end before the tag does.
    case needsMore
    /// This is no start tag.
    case broken
}

/// An attribute as it stands in the file.
struct RawAttribute {
    /// The name; with spaces in it where the file has them.
    var name: ByteRange
    /// The value between its quotes.
    var value: ByteRange
    /// Index behind the closing quote.
    var next: Int
    /// Liberties taken to read it.
    var faults: AttributeFaults
}

/// The end of a start tag.
struct TagEnd {
    /// Index behind `>`.
    var next: Int
    /// Whether the element ends with it (`/>`).
    var isEmptyElement: Bool
}
