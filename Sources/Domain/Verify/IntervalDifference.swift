/// An interval of the grid in which home and a server do not have the same samples.
package struct IntervalDifference: Hashable, Sendable {
    package var interval: GridInterval
    /// Ascending by start and id.
    package var samples: [SampleDifference]

    package init(interval: GridInterval, samples: [SampleDifference]) {
        self.interval = interval
        self.samples = samples
    }
}
