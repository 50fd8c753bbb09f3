/// The time zone database that the rules of a zone come from.
public struct ZoneDatabase: Sendable, Hashable {
    /// The folder of the zone files; `nil` for the rules that are built into Swift's Foundation.
    public var folder: String?
    /// The release of the database, such as `2025b`; `nil` where the folder does not state it.
    public var version: String?

    /// The database in `folder`, of release `version`.
    public init(folder: String?, version: String?) {
        self.folder = folder
        self.version = version
    }
}
