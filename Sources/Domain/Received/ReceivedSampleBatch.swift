/// Samples of one type, with the origins that they point to.
package struct ReceivedSampleBatch: Hashable, Sendable {
    package var origins: [ReceivedOrigin]
    package var samples: [ReceivedSample]

    package init(origins: [ReceivedOrigin] = [], samples: [ReceivedSample] = []) {
        self.origins = origins
        self.samples = samples
    }

    /// The origin of `sample`, one of `samples`; `nil` for a tombstone without any.
    package func origin(of sample: ReceivedSample) -> ReceivedOrigin? {
        origins.indices.contains(sample.origin) ? origins[sample.origin] : nil
    }
}
