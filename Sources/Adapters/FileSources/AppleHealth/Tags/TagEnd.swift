/// The end of a start tag.
struct TagEnd {
    /// Index behind `>`.
    var next: Int
    /// Whether the element ends with it (`/>`).
    var isEmptyElement: Bool
}
