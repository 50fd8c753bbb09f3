/// A stored sample, as far as a write depends on it.
struct StoredSample {
    let position: Int64
    let revision: RecentIDs.Revision
}
