/// A leaf of the layering tree: the interval of time in which raw samples are sent.
package struct SyncInterval: Hashable, Sendable {
    package var interval: GridInterval
    /// Figures of the samples that start inside.
    package var figures: IntervalFigures

    package init(interval: GridInterval, figures: IntervalFigures) {
        self.interval = interval
        self.figures = figures
    }
}
