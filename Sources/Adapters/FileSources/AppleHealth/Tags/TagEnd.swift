/// The end of a start tag.
struct TagEnd {
    /// The index after `>`.
    var next: Int
    /// Whether the tag also ends the element (`/>`).
    var isEmptyElement: Bool
}
