/// How far beyond its days a handler reads samples.
public enum SampleReach: Sendable, Hashable {
    /// Every sample of at most 31 days (`CumulativeMerge.longestSample`) that touches one of the days. A handler must
    /// skip a longer one, because only some of the days that it touches may see it.
    case days
    /// Every sample that holds on one of the days: those that touch the day or start at most `minutes` before it. At
    /// most 25 hours of a sample's length count.
    case holding(minutes: Int)
    /// Every sample from noon of the day before to the end of the days, by every zone that a sample states, and of every
    /// chain of samples, of one or several recorders, with gaps of at most `gapMinutes` that reaches into that time, so that no
    /// night is cut.
    case nights(gapMinutes: Int)
}
