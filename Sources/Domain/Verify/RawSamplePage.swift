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
