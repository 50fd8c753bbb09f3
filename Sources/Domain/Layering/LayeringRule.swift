/// When an interval is small enough to travel.
package struct LayeringRule: Hashable, Sendable {
    /// By what an interval is measured.
    package enum Measure: String, Sendable {
        /// Steps of the samples.
        case steps
        /// Number of samples.
        case samples
    }

    package var measure: Measure
    /// An interval that holds at most so many is not divided.
    package var limit: Int64

    package init(measure: Measure, limit: Int64) {
        self.measure = measure
        self.limit = limit
    }

    /// Steps: at most 10,000 an interval.
    package static let steps = LayeringRule(measure: .steps, limit: 10_000)
    /// Other types: at most 2,000 samples an interval.
    package static let samples = LayeringRule(measure: .samples, limit: 2_000)

    /// Whether an interval with `figures` is a leaf whatever its length.
    package func admits(_ figures: IntervalFigures) -> Bool {
        switch measure {
        case .steps: figures.stepCount <= limit
        case .samples: figures.sampleCount <= limit
        }
    }

    /// The steps of a sample of `value`, as a whole number: what a count is on the wire. What is no possible count adds
    /// nothing, so that one absurd sample does not distort the tree.
    package static func wholeSteps(_ value: Double) -> Int64 {
        guard value > 0, value < 1e9 else { return 0 }
        return Int64(value.rounded())
    }

    /// What is sent of the value of a sample of steps: a count is a whole number on the wire; one that is none stays as
    /// it is, for the server to refuse.
    package static func sentCount(_ value: Double) -> Double {
        let whole = wholeSteps(value)
        return whole > 0 || value > 0 && value < 1 ? Double(whole) : value
    }
}
