/// The continuation of a scan.
enum MarkupStep {
    /// Continue at this index.
    case next(Int)
    /// Continue inside skipped markup at this index.
    case skip(SkippedMarkup, Int)
    /// The window ends before the markup does.
    case needsMore
    /// The bytes are not markup.
    case broken
}
