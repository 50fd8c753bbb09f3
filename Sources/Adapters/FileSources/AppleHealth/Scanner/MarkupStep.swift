/// Where scanning goes on.
enum MarkupStep {
    /// At that index.
    case next(Int)
    /// Inside markup that is passed over, at that index.
    case skip(SkippedMarkup, Int)
    /// The bytes end before the markup does.
    case needsMore
    /// This is no markup.
    case broken
}
