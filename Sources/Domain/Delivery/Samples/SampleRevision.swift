/// The revision of a sample that was changed or deleted after it may have been delivered. All other samples have
/// revision 0, and nothing is stored for them.
public struct SampleRevision: Hashable, Sendable {
    /// The sample.
    public var id: SampleID
    /// The revision of the sample's latest form, or of its deletion.
    public var revision: Int
    /// Whether the sample is deleted.
    public var isDeleted: Bool

    /// Creates the revision of one sample.
    public init(id: SampleID, revision: Int, isDeleted: Bool) {
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
    }
}
