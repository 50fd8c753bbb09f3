/// A raw sample by what home and servers both know of it.
package struct RawSample: Hashable, Sendable {
    package var id: SampleID
    package var start: Instant
    package var end: Instant
    package var value: Double
    /// 0 where none is stated.
    package var revision: Int

    package init(id: SampleID, start: Instant, end: Instant, value: Double, revision: Int = 0) {
        self.id = id
        self.start = start
        self.end = end
        self.value = value
        self.revision = revision
    }
}
