/// A raw sample with the values known both to the local store and to servers.
package struct RawSample: Hashable, Sendable {
    package var id: SampleID
    package var start: Instant
    package var end: Instant
    package var value: Double
    /// 0 if unknown.
    package var revision: Int

    package init(id: SampleID, start: Instant, end: Instant, value: Double, revision: Int = 0) {
        self.id = id
        self.start = start
        self.end = end
        self.value = value
        self.revision = revision
    }

    /// Creates the sample at `row` of `samples` of `type`, as it is sent.
    package init(_ samples: RawSamples, _ row: Int, of type: SampleType) {
        let start = samples.starts[row]
        let value = samples.values[row]
        self.init(
            id: samples.ids[row], start: Instant(milliseconds: start),
            end: Instant(milliseconds: start + samples.durations[row]),
            value: type == SampleTypeDefinition.stepCount.type ? LayeringRule.sentCount(value) : value)
    }
}

/// A page of the list of samples on a server.
package struct RawSamplePage: Hashable, Sendable {
    package var samples: [RawSample]
    /// The position of the next page; `nil` for the last page.
    package var next: String?

    package init(samples: [RawSample], next: String?) {
        self.samples = samples
        self.next = next
    }
}
