/// A leaf of the layering tree: the stretch of time by which raw samples travel.
package struct SyncInterval: Hashable, Sendable {
    package var interval: GridInterval
    /// Of the samples that start inside.
    package var figures: IntervalFigures

    package init(interval: GridInterval, figures: IntervalFigures) {
        self.interval = interval
        self.figures = figures
    }
}
