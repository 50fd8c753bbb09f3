/// Samples of one type and their origins.
package struct ReceivedSampleBatch: Hashable, Sendable {
    package var origins: [ReceivedOrigin]
    package var samples: [ReceivedSample]

    package init(origins: [ReceivedOrigin] = [], samples: [ReceivedSample] = []) {
        self.origins = origins
        self.samples = samples
    }

    /// Returns the origin of `sample`, one of `samples`; `nil` for a tombstone.
    package func origin(of sample: ReceivedSample) -> ReceivedOrigin? {
        origins.indices.contains(sample.origin) ? origins[sample.origin] : nil
    }
}
