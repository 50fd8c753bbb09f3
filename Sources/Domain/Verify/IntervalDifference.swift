/// An interval of the grid in which the samples of the local store and a server differ.
package struct IntervalDifference: Hashable, Sendable {
    package var interval: GridInterval
    /// Ascending by start and id.
    package var samples: [SampleDifference]

    package init(interval: GridInterval, samples: [SampleDifference]) {
        self.interval = interval
        self.samples = samples
    }
}
