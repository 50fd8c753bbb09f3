/// The rule for when an interval is small enough to be sent.
package struct LayeringRule: Hashable, Sendable {
    /// What the limit of a rule counts.
    package enum Measure: String, Sendable {
        /// Steps of the samples.
        case steps
        /// The number of samples.
        case samples
    }

    package var measure: Measure
    /// An interval is not divided if its measure is at most this.
    package var limit: Int64

    package init(measure: Measure, limit: Int64) {
        self.measure = measure
        self.limit = limit
    }

    /// The rule for steps: at most 10,000 steps an interval.
    package static let steps = LayeringRule(measure: .steps, limit: 10_000)
    /// The rule for all other types: at most 2,000 samples an interval.
    package static let samples = LayeringRule(measure: .samples, limit: 2_000)

    /// Returns whether an interval with `figures` is a leaf regardless of its length.
    package func admits(_ figures: IntervalFigures) -> Bool {
        switch measure {
        case .steps: figures.stepCount <= limit
        case .samples: figures.sampleCount <= limit
        }
    }

    /// Returns the steps of a sample as the whole number that is sent. An impossible count returns 0, so that one
    /// absurd sample does not distort the tree.
    package static func wholeSteps(_ value: Double) -> Int64 {
        guard value > 0, value < 1e9 else { return 0 }
        return Int64(value.rounded())
    }

    /// Returns the value that is sent for a sample of steps: the nearest whole number. An impossible count is sent
    /// unchanged; the server rejects it.
    package static func sentCount(_ value: Double) -> Double {
        let whole = wholeSteps(value)
        return whole > 0 || value > 0 && value < 1 ? Double(whole) : value
    }
}
