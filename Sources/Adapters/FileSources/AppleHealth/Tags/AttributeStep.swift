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
