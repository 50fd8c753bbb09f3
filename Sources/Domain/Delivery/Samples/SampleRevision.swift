/// What is remembered of a sample that was changed or deleted after it may have been delivered; of all others nothing is,
/// they are at revision 0.
package struct SampleRevision: Hashable, Sendable {
    package var id: SampleID
    /// Of the sample's last form, or of its deletion.
    package var revision: Int
    package var isDeleted: Bool

    package init(id: SampleID, revision: Int, isDeleted: Bool) {
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
    }
}
