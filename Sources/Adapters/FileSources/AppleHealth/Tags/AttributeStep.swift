/// The next item of a start tag.
enum AttributeStep {
    /// An attribute.
    case attribute(RawAttribute)
    /// The end of the tag.
    case end(TagEnd)
    /// The window ends before the tag does.
    case needsMore
    /// The bytes are not a start tag.
    case broken
}
