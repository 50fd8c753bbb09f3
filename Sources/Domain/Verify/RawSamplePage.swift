/// A part of the samples that a server lists.
package struct RawSamplePage: Hashable, Sendable {
    package var samples: [RawSample]
    /// From where the next page goes on; `nil` for the last.
    package var next: String?

    package init(samples: [RawSample], next: String?) {
        self.samples = samples
        self.next = next
    }
}
