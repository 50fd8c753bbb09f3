/// How far beyond its days a handler reads samples.
public enum SampleReach: Sendable, Hashable {
    /// Every sample of at most 31 days (`CumulativeMerge.longestSample`) that touches one of the days. A handler must
    /// skip a longer one, because only some of the days that it touches may see it.
    case days
    /// Every sample that holds on one of the days: those that touch the day or start at most `minutes` before it. At
    /// most 25 hours of a sample's length count.
    case holding(minutes: Int)
    /// Every sample of the nights of the days (noon of the day before to noon), and of every chain of samples with gaps
    /// of at most `gapMinutes` that reaches into these nights, so that no session is cut.
    case nights(gapMinutes: Int)
}
